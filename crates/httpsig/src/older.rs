//! The older header form: three headers, and one EIP-191 signature over four lines.
//!
//! ```text
//! guildhall-agent-auth/1
//! POST /v1/agent/payments?dry=1
//! 1800000000
//! 0x<keccak256 of the body>
//! ```
//!
//! It binds neither the server nor a chain and has no nonce: a request is good for every server that takes the form,
//! and the same request twice in one moment is one request. New clients sign messages instead.

use alloy_primitives::keccak256;
use eip712::{B256, Signer, personal_digest};
use primitives::{Millis, UnixMillis};

use crate::{
    Form, Judgement, Refusal, Request, Verified,
    edition::{decimal, parse_address},
    limits::{OLDER_WINDOW, SIGNATURE_HEADER_BYTES},
    verified::judge,
};

/// One set of names for the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Family {
    purpose: &'static str,
    agent: &'static str,
    timestamp: &'static str,
    signature: &'static str,
}

const GUILDHALL: Family = Family {
    purpose: "guildhall-agent-auth/1",
    agent: "x-guildhall-agent",
    timestamp: "x-guildhall-timestamp",
    signature: "x-guildhall-signature",
};

/// The names under which the form was first published.
const HESTR: Family = Family {
    purpose: "hestr-agent-auth/1",
    agent: "x-hestr-agent",
    timestamp: "x-hestr-timestamp",
    signature: "x-hestr-signature",
};

/// Numbers from here on are milliseconds, below it seconds: as seconds it is the year 5138, as milliseconds 1973.
const FIRST_MILLISECONDS: u64 = 100_000_000_000;

impl Family {
    /// The names that a request uses, if it uses any.
    pub(crate) fn of(request: &Request<'_>) -> Option<Self> {
        [GUILDHALL, HESTR].into_iter().find(|family| {
            [family.agent, family.timestamp, family.signature]
                .into_iter()
                .any(|name| (request.header)(name).is_some())
        })
    }

    fn digest(self, request: &Request<'_>, timestamp: &str) -> Result<B256, Refusal> {
        let target = request.target();
        // A space or a line break in them would move the border between the parts of the text.
        let is_visible = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_visible(request.method) || !is_visible(&target) {
            return Err(Refusal::UnsignableTarget);
        }
        let (purpose, method, body) = (self.purpose, request.method, keccak256(request.body));
        Ok(personal_digest(&format!("{purpose}\n{method} {target}\n{timestamp}\n{body:#x}")))
    }
}

/// The judgement of a request by its older headers.
pub(crate) fn verify(request: &Request<'_>, family: Family, now: UnixMillis) -> Result<Judgement, Refusal> {
    let header = |header| (request.header)(header).ok_or(Refusal::Missing { header });
    let (agent, timestamp, signature) =
        (header(family.agent)?, header(family.timestamp)?, header(family.signature)?);
    if signature.len() > SIGNATURE_HEADER_BYTES {
        return Err(Refusal::TooLong { header: family.signature, limit: SIGNATURE_HEADER_BYTES });
    }
    let invalid = |header, allowed| Refusal::InvalidHeader { header, allowed };
    let signer = parse_address(&agent)
        .ok_or_else(|| invalid(family.agent, "an address, 0x and 40 hexadecimal digits"))?;
    let created = decimal(&timestamp)
        .map(|number| if number < FIRST_MILLISECONDS { Millis::from_seconds(number) } else { Millis(number) })
        .map(|span| UnixMillis(0).plus(span))
        .ok_or_else(|| invalid(family.timestamp, "Unix seconds or milliseconds in decimal"))?;
    let bytes = signature.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
    let bytes = bytes
        .filter(|bytes| !bytes.is_empty())
        .ok_or_else(|| invalid(family.signature, "0x and an even number of hexadecimal digits"))?;
    let until = created.plus(OLDER_WINDOW);
    if now.plus(OLDER_WINDOW) < created {
        return Err(Refusal::NotYet);
    }
    if now >= until {
        return Err(Refusal::Expired);
    }
    let digest = family.digest(request, &timestamp)?;
    Ok(judge(Verified { signer, created, until, form: Form::Older { digest } }, digest, bytes))
}

/// The three headers of the older form for a request, for servers that know no other.
///
/// # Errors
/// When the method or the target has a character that is not visible ASCII.
pub fn sign_older(
    request: &Request<'_>,
    now: UnixMillis,
    signer: &Signer,
) -> Result<[(&'static str, String); 3], Refusal> {
    let timestamp = now.seconds().to_string();
    let signature = signer.sign(GUILDHALL.digest(request, &timestamp)?);
    Ok([
        (GUILDHALL.agent, format!("{:#x}", signer.address())),
        (GUILDHALL.timestamp, timestamp),
        (GUILDHALL.signature, format!("0x{}", hex::encode(signature))),
    ])
}
