//! The owner's rules.

use alloy_primitives::Address;
use mandate::{AMOUNT_MAX, Entry, EntryKey, EntryLimits, Policy, Terms, UnixSeconds, Window, life};
use primitives::BaseUnits;
use serde_json::Value;

use crate::inbound::{Faults, invalid};
use crate::problem::{FieldFault, Problem};
use crate::wire::{self, EntryBody, PolicyBody, TermsBody};

/// Reading entries stops once so many faults were found: a thousand entries could have thousands.
const FAULTS_MAX: usize = 100;

/// The policy. Its sense is judged by the core.
pub(super) fn policy(faults: &mut Faults, body: &PolicyBody) -> Policy {
    let valid_after = body.valid_after.as_deref();
    let payment_cap = faults.amount("policy.paymentCap", &body.payment_cap);
    let approval_above = body.approval_above.as_deref();
    Policy {
        // From 1970 on is at once.
        valid_after: valid_after.map_or(UnixSeconds(0), |text| faults.time("policy.validAfter", text)),
        valid_before: faults.time("policy.validBefore", &body.valid_before),
        payment_cap,
        day_cap: faults.amount("policy.dayCap", &body.day_cap),
        month_cap: faults.amount_or("policy.monthCap", body.month_cap.as_deref(), AMOUNT_MAX),
        lifetime_cap: faults.amount_or("policy.lifetimeCap", body.lifetime_cap.as_deref(), AMOUNT_MAX),
        day_count: body.day_count.unwrap_or(u32::MAX),
        approval_above: faults.amount_or("policy.approvalAbove", approval_above, payment_cap),
        terms: terms(faults, &body.terms),
    }
}

fn terms(faults: &mut Faults, body: &TermsBody) -> Terms {
    Terms {
        challenge_period: body.challenge_period_seconds,
        resolution_timeout: body.resolution_timeout_seconds,
        silence_bps: body.silence_bps,
        resolver: faults.optional_address("policy.terms.resolver", body.resolver.as_deref()),
    }
}

/// Refuses more entries than a mandate can have before any of them is read.
pub(super) fn bound_entries(body: &Value) -> Result<(), Problem> {
    let count = body.get("entries").and_then(Value::as_array).map_or(0, Vec::len);
    if count <= life::limits::ENTRIES {
        return Ok(());
    }
    let message = format!("has {count} entries; {} are allowed", life::limits::ENTRIES);
    Err(invalid(vec![FieldFault { field: "entries".to_owned(), message }]))
}

/// The entries, of which those without a cap for one payment have the policy's.
pub(super) fn entries(faults: &mut Faults, bodies: &[EntryBody], payment_cap: BaseUnits) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(bodies.len());
    for (index, body) in bodies.iter().enumerate() {
        if faults.0.len() >= FAULTS_MAX {
            break;
        }
        entries.push(entry(faults, &format!("entries[{index}]"), body, payment_cap));
    }
    entries
}

fn entry(faults: &mut Faults, place: &str, body: &EntryBody, payment_cap: BaseUnits) -> Entry {
    let at = |name: &str| format!("{place}.{name}");
    let recipient: Address = faults.optional_address(&at("recipient"), body.recipient.as_deref());
    let service = faults.optional_service(&at("service"), body.service.as_deref());
    let limits = EntryLimits {
        payment_cap: faults.amount_or(&at("paymentCap"), body.payment_cap.as_deref(), payment_cap),
        window_cap: faults.amount_or(&at("windowCap"), body.window_cap.as_deref(), AMOUNT_MAX),
        window: match body.window {
            wire::Window::UtcDay => Window::UtcDay,
            wire::Window::UtcMonth => Window::UtcMonth,
        },
    };
    Entry { key: EntryKey { recipient, service }, limits }
}
