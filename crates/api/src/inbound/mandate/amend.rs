//! A policy is changed.

use alloy_primitives::{U256, keccak256};
use alloy_sol_types::SolValue as _;
use eip712::mandates::{self as contract, U48, U96};
use mandate::{Amendment, Entry, Policy, Terms, UnixSeconds, Window};
use primitives::BaseUnits;
use serde_json::Value;

use super::policy::{bound_entries, entries, policy};
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::Amend;

/// Reads a whole new policy, and the entries that are added or changed.
///
/// # Errors
/// 400 with every fault.
pub fn amendment(body: &Value) -> Result<Amendment, Problem> {
    bound_entries(body)?;
    let body: Amend = shape(body)?;
    let mut faults = Faults::default();
    let policy = policy(&mut faults, &body.policy);
    let entries = entries(&mut faults, &body.entries, policy.payment_cap);
    let expected_version = body.expected_version;
    let encoded = contract::Amendment {
        expectedVersion: expected_version,
        policy: encoded_policy(&policy),
        entries: entries.iter().map(encoded_entry).collect(),
    };
    let hash = keccak256(encoded.abi_encode());
    faults.finish(Some(Amendment { hash, expected_version, policy, entries }))
}

fn encoded_policy(policy: &Policy) -> contract::Policy {
    contract::Policy {
        validAfter: moment(policy.valid_after),
        validBefore: moment(policy.valid_before),
        paymentCap: cap(policy.payment_cap),
        dayCap: cap(policy.day_cap),
        monthCap: cap(policy.month_cap),
        lifetimeCap: cap(policy.lifetime_cap),
        dayCount: policy.day_count,
        approvalAbove: cap(policy.approval_above),
        terms: encoded_terms(&policy.terms),
    }
}

fn encoded_entry(entry: &Entry) -> contract::Entry {
    contract::Entry {
        recipient: entry.key.recipient,
        service: entry.key.service,
        paymentCap: cap(entry.limits.payment_cap),
        windowCap: cap(entry.limits.window_cap),
        window: match entry.limits.window {
            Window::UtcDay => contract::Window::UtcDay,
            Window::UtcMonth => contract::Window::UtcMonth,
        },
    }
}

const fn encoded_terms(terms: &Terms) -> contract::Terms {
    contract::Terms {
        challengePeriod: terms.challenge_period,
        resolutionTimeout: terms.resolution_timeout,
        silenceBps: terms.silence_bps,
        resolver: terms.resolver,
    }
}

/// What was read fits; what does not was refused with its place.
fn moment(moment: UnixSeconds) -> U48 {
    U48::saturating_from(moment.0)
}

fn cap(amount: BaseUnits) -> U96 {
    U96::saturating_from(U256::from(amount.0))
}
