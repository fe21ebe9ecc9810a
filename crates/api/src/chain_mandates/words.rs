//! The contract's types as the model's, field by field.

use alloy_primitives::{U256, keccak256};
use alloy_sol_types::SolValue as _;
use eip712::mandates::{self as contract, IMandates, U48, U96};
use mandate::{
    Amendment, Entry, EntryKey, EntryLimits, Policy, Request, SignerKind, State, Terms, UnixSeconds, Window,
};
use primitives::BaseUnits;

use super::Unreadable;

pub(super) fn seconds(moment: U48) -> UnixSeconds {
    UnixSeconds(moment.saturating_to())
}

pub(super) fn units(amount: U96) -> BaseUnits {
    BaseUnits(amount.saturating_to())
}

/// An enum's number stands for nothing that this interface knows.
fn unknown<T>(what: &str) -> Result<T, Unreadable> {
    Err(Unreadable(format!("it has an unknown {what}")))
}

pub(super) fn signer(kind: contract::SignerKind) -> Result<SignerKind, Unreadable> {
    SignerKind::from_number(U256::from(kind as u8)).map_or_else(|| unknown("kind of signer"), Ok)
}

pub(super) fn state(state: contract::State) -> Result<State, Unreadable> {
    State::from_number(U256::from(state as u8)).map_or_else(|| unknown("state"), Ok)
}

fn terms(terms: &contract::Terms) -> Terms {
    Terms {
        challenge_period: terms.challengePeriod,
        resolution_timeout: terms.resolutionTimeout,
        silence_bps: terms.silenceBps,
        resolver: terms.resolver,
    }
}

pub(super) fn policy(policy: &contract::Policy) -> Policy {
    Policy {
        valid_after: seconds(policy.validAfter),
        valid_before: seconds(policy.validBefore),
        payment_cap: units(policy.paymentCap),
        day_cap: units(policy.dayCap),
        month_cap: units(policy.monthCap),
        lifetime_cap: units(policy.lifetimeCap),
        day_count: policy.dayCount,
        approval_above: units(policy.approvalAbove),
        terms: terms(&policy.terms),
    }
}

pub(super) fn entries(entries: &[contract::Entry]) -> Result<Vec<Entry>, Unreadable> {
    entries.iter().map(entry).collect()
}

fn entry(entry: &contract::Entry) -> Result<Entry, Unreadable> {
    let window = match entry.window {
        contract::Window::UtcDay => Window::UtcDay,
        contract::Window::UtcMonth => Window::UtcMonth,
        contract::Window::__Invalid => return unknown("window"),
    };
    Ok(Entry {
        key: EntryKey { recipient: entry.recipient, service: entry.service },
        limits: EntryLimits {
            payment_cap: units(entry.paymentCap),
            window_cap: units(entry.windowCap),
            window,
        },
    })
}

pub(super) fn amendment(amendment: &contract::Amendment) -> Result<Amendment, Unreadable> {
    Ok(Amendment {
        hash: keccak256(amendment.abi_encode()),
        expected_version: amendment.expectedVersion,
        policy: policy(&amendment.policy),
        entries: entries(&amendment.entries)?,
    })
}

/// The amendment that a change was: for the version before the one that it made.
pub(super) fn amended(event: &IMandates::MandateAmended) -> Result<Amendment, Unreadable> {
    let Some(expected) = event.policyVersion.checked_sub(1) else { return unknown("version of the policy") };
    amendment(&contract::Amendment {
        expectedVersion: expected,
        policy: event.policy.clone(),
        entries: event.entries.clone(),
    })
}

pub(super) fn request(request: &contract::PaymentRequest) -> Request {
    Request {
        payment: contract::payment_id(request),
        mandate: request.mandate,
        policy_version: request.policyVersion,
        request_id: request.requestId,
        token: request.token,
        max_amount: BaseUnits(request.maxAmount),
        recipient: request.recipient,
        service: request.service,
        job_hash: request.jobHash,
        valid_after: seconds(request.validAfter),
        valid_before: seconds(request.validBefore),
        deliver_by: seconds(request.deliverBy),
        capture_by: seconds(request.captureBy),
        refund_by: seconds(request.refundBy),
        terms: terms(&request.terms),
    }
}
