//! What a tenant sets, and what it agrees with agents.

use primitives::{Digest, Millis, Operation};
use serde_json::{Value, json};
use tenant::{Change, Label, Mode, limits};

use super::tenant::seconds;
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::{AccountBody, AccountMode, ConfigBody, DrainBody, OfferBody};

/// Reads what of the configuration is to be otherwise.
///
/// # Errors
/// 400 with every fault.
pub fn configuration(body: &Value) -> Result<Change, Problem> {
    let body: ConfigBody = shape(body)?;
    let mut faults = Faults::default();
    let name = body.name.map(|text| faults.take("name", text.parse::<Label>()));
    let pay_to = body.pay_to.map(|text| faults.pay_to("payTo", &text));
    let change = Change {
        name: name.flatten(),
        pay_to: pay_to.flatten(),
        rate: body.rate.map(|rate| faults.rate("rate", rate)),
        bulk_max: faults.count("bulkMaxItems", body.bulk_max_items, &limits::BULK_MAX),
        late: faults.span("lateWindowSeconds", body.late_window_seconds, &limits::LATE),
        services_max: faults.count("servicesMax", body.services_max, &limits::SERVICES_MAX),
        keys_max: faults.count("keysMax", body.keys_max, &limits::KEYS_MAX),
        endpoints_max: faults.count("endpointsMax", body.endpoints_max, &limits::ENDPOINTS_MAX),
        draft_wait: faults.span("draftWaitSeconds", body.draft_wait_seconds, &limits::DRAFT_WAIT),
    };
    if faults.0.is_empty() && change == Change::default() {
        faults.add("body", "changes nothing; name at least one value");
    }
    faults.finish(Some(change))
}

impl Faults {
    fn count(
        &mut self,
        field: &str,
        given: Option<u32>,
        allowed: &core::ops::RangeInclusive<usize>,
    ) -> Option<usize> {
        let count = given? as usize;
        if !allowed.contains(&count) {
            self.add(field, format!("must be a whole number from {} to {}", allowed.start(), allowed.end()));
        }
        Some(count)
    }

    fn span(
        &mut self,
        field: &str,
        given: Option<u64>,
        allowed: &core::ops::RangeInclusive<Millis>,
    ) -> Option<Millis> {
        let span = Millis::from_seconds(given?);
        if !allowed.contains(&span) {
            let (least, most) = (seconds(*allowed.start()), seconds(*allowed.end()));
            self.add(field, format!("must be a whole number from {least} to {most}"));
        }
        Some(span)
    }
}

/// Reads when an agent is to pay, and from which mandate if before.
///
/// # Errors
/// 400 with every fault.
pub fn account(body: &Value) -> Result<(Mode, Option<String>), Problem> {
    let AccountBody { mode, mandate } = shape(body)?;
    let mut faults = Faults::default();
    let mandate = mandate.map(|text| faults.mandate("mandate", &text));
    let mode = match mode {
        AccountMode::Postpaid => Mode::Postpaid,
        AccountMode::Prepaid => Mode::Prepaid,
    };
    if mode == Mode::Prepaid && mandate.is_none() {
        faults.add("mandate", "is needed for prepaid: the mandate that the agent has offered");
    }
    faults.finish(Some((mode, mandate)))
}

/// Reads which mandate an agent offers: `0x` and 64 hexadecimal digits in lower case.
///
/// # Errors
/// 400 with the fault.
pub fn mandate(body: &Value) -> Result<String, Problem> {
    let OfferBody { mandate } = shape(body)?;
    let mut faults = Faults::default();
    let mandate = faults.mandate("mandate", &mandate);
    faults.finish(Some(mandate))
}

impl Faults {
    fn mandate(&mut self, field: &str, text: &str) -> String {
        self.hash(field, text).to_string()
    }
}

/// Reads whether new traffic should go elsewhere.
///
/// # Errors
/// 400 with the fault.
pub fn drain(body: &Value) -> Result<bool, Problem> {
    shape(body).map(|DrainBody { draining }| draining)
}

/// A write that is to be done once, if its header `Idempotency-Key` says so: `kind` is what is done, `target` to what, and
/// `body` how.
///
/// # Errors
/// 400 for a key that is none.
pub fn operation(
    key: Option<&str>,
    kind: &str,
    target: &str,
    body: &Value,
) -> Result<Option<Operation>, Problem> {
    let Some(key) = key else { return Ok(None) };
    let is_key = (1..=KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_key {
        let detail = format!(
            "Idempotency-Key must have 1 to {KEY_BYTES} characters of visible ASCII, such as a fresh UUID."
        );
        return Err(Problem::new(400, "invalid_idempotency_key", detail));
    }
    let said = json!({ "operation": kind, "target": target, "arguments": body });
    let fingerprint = Digest::of_json(&said).unwrap_or(Digest::ZERO);
    Ok(Some(Operation { key: key.to_owned(), fingerprint }))
}

/// The longest `Idempotency-Key`, in bytes. A UUID has 36.
const KEY_BYTES: usize = 255;

/// The revision that `If-Match` demands (RFC 9110, section 13.1.1); none without it or for `*`. One is taken, not a list.
///
/// # Errors
/// 400 for what is not `*` or an `ETag` as it was given.
pub fn revision(if_match: Option<&str>) -> Result<Option<u64>, Problem> {
    let tag = match if_match.map(str::trim) {
        None | Some("*") => return Ok(None),
        Some(tag) => tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')),
    };
    let revision = tag.and_then(|tag| tag.parse().ok().filter(|revision: &u64| revision.to_string() == tag));
    revision.map(Some).ok_or_else(|| {
        let detail = "If-Match must be the ETag as it was read, such as \"3\", or *.";
        Problem::new(400, "invalid_if_match", detail)
    })
}

/// The same where it has to be said: whoever changes this has seen what is there.
///
/// # Errors
/// 428 without it, and for `*`, which says nothing of what was seen; else as [`revision()`].
pub fn seen_revision(if_match: Option<&str>) -> Result<u64, Problem> {
    revision(if_match)?.ok_or_else(|| {
        let detail = "Send the header If-Match with the ETag of the configuration as you read it (GET /v1/config), such as \"3\".";
        Problem::new(428, "if_match_required", detail)
    })
}
