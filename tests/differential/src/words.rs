//! Steps in the contract's own words: calldata, signatures, and answers.

use alloy_primitives::{B256, U256, keccak256};
use alloy_sol_types::SolValue as _;
use eip712::mandates as sol;
use mandate::{Amendment, Creation, Entry, EntryKey, Policy, SignerKind, Terms, UnixSeconds, Window};
use primitives::BaseUnits;

use mandate::Request;

pub(crate) fn seconds(moment: UnixSeconds) -> alloy_primitives::Uint<48, 1> {
    alloy_primitives::Uint::from(moment.0)
}

pub(crate) fn cap(amount: BaseUnits) -> alloy_primitives::Uint<96, 2> {
    alloy_primitives::Uint::from(amount.0)
}

pub(crate) fn amount(amount: BaseUnits) -> U256 {
    U256::from(amount.0)
}

pub(crate) fn terms(terms: &Terms) -> sol::Terms {
    sol::Terms {
        challengePeriod: terms.challenge_period,
        resolutionTimeout: terms.resolution_timeout,
        silenceBps: terms.silence_bps,
        resolver: terms.resolver,
    }
}

pub(crate) fn policy(policy: &Policy) -> sol::Policy {
    sol::Policy {
        validAfter: seconds(policy.valid_after),
        validBefore: seconds(policy.valid_before),
        paymentCap: cap(policy.payment_cap),
        dayCap: cap(policy.day_cap),
        monthCap: cap(policy.month_cap),
        lifetimeCap: cap(policy.lifetime_cap),
        dayCount: policy.day_count,
        approvalAbove: cap(policy.approval_above),
        terms: terms(&policy.terms),
    }
}

pub(crate) fn entry(entry: &Entry) -> sol::Entry {
    let EntryKey { recipient, service } = entry.key;
    sol::Entry {
        recipient,
        service,
        paymentCap: cap(entry.limits.payment_cap),
        windowCap: cap(entry.limits.window_cap),
        window: window(entry.limits.window),
    }
}

pub(crate) const fn window(window: Window) -> sol::Window {
    match window {
        Window::UtcDay => sol::Window::UtcDay,
        Window::UtcMonth => sol::Window::UtcMonth,
    }
}

pub(crate) fn amendment(amendment: &Amendment) -> sol::Amendment {
    sol::Amendment {
        expectedVersion: amendment.expected_version,
        policy: policy(&amendment.policy),
        entries: amendment.entries.iter().map(entry).collect(),
    }
}

pub(crate) const fn kind(kind: SignerKind) -> sol::SignerKind {
    match kind {
        SignerKind::Ecdsa => sol::SignerKind::Ecdsa,
        SignerKind::Erc1271 => sol::SignerKind::Erc1271,
    }
}

pub(crate) fn creation(salt: B256, creation: &Creation) -> sol::Creation {
    sol::Creation {
        salt,
        ownerKind: kind(creation.owner_kind),
        agentKind: kind(creation.agent_kind),
        agent: creation.agent,
        token: creation.token,
        amendDelay: creation.amend_delay,
        policy: policy(&creation.policy),
        entries: creation.entries.iter().map(entry).collect(),
    }
}

pub(crate) fn request(order: &Request) -> sol::PaymentRequest {
    let from = &order;
    sol::PaymentRequest {
        mandate: from.mandate,
        policyVersion: from.policy_version,
        requestId: from.request_id,
        token: from.token,
        maxAmount: from.max_amount.0,
        recipient: from.recipient,
        service: from.service,
        jobHash: from.job_hash,
        validAfter: seconds(from.valid_after),
        validBefore: seconds(from.valid_before),
        deliverBy: seconds(from.deliver_by),
        captureBy: seconds(from.capture_by),
        refundBy: seconds(from.refund_by),
        terms: terms(&from.terms),
    }
}

/// The same order with the hashes that follow from its fields.
#[must_use]
pub(crate) fn sealed(mut order: Request) -> Request {
    order.payment = sol::payment_id(&request(&order));
    order
}

/// The same amendment with the hashes that follow from its fields.
#[must_use]
pub(crate) fn sealed_amendment(mut of: Amendment) -> Amendment {
    of.hash = keccak256(amendment(&of).abi_encode());
    of
}
