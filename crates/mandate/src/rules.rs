//! May this be paid? One list of rules answers, for the verdict and for its explanation.

use alloy_primitives::{B256, U256};

use crate::amount::{ZERO, sum};
use crate::refusal::Figure;
use crate::{
    Allowed, Approval, Ceiling, EntryKey, EntryLimits, Finding, Mandate, Proof, Reason, Relation, Request,
    Signature, Spent, State, Status, UnixSeconds, Window,
};

/// One call of `authorize`, with what all rules look up.
pub(crate) struct Case<'a> {
    mandate: &'a Mandate,
    request: &'a Request,
    proof: &'a Proof,
    ceiling: &'a Ceiling,
    now: UnixSeconds,
    pub(crate) entry: Option<EntryKey>,
    /// The limits of the entry. Where there is none, nothing is allowed.
    limits: EntryLimits,
    pub(crate) entry_spent: Spent,
    pub(crate) spent: Spent,
    state: State,
    pub(crate) approval: Approval,
}

const NO_LIMITS: EntryLimits = EntryLimits { payment_cap: ZERO, window_cap: ZERO, window: Window::UtcDay };

impl<'a> Case<'a> {
    pub(crate) fn new(
        mandate: &'a Mandate,
        request: &'a Request,
        proof: &'a Proof,
        now: UnixSeconds,
        ceiling: &'a Ceiling,
    ) -> Self {
        let found = mandate.entry_for(request.recipient, request.service);
        let (limits, entry_spent) =
            found.map_or((NO_LIMITS, Spent::NOTHING), |(_, &Allowed { limits, spent })| (limits, spent));
        Self {
            mandate,
            request,
            proof,
            ceiling,
            now,
            entry: found.map(|(key, _)| key),
            limits,
            entry_spent: entry_spent.seen_at(now),
            spent: mandate.spent.seen_at(now),
            state: mandate.state_of(request.payment),
            approval: mandate.approval_for(request.max_amount),
        }
    }
}

/// A rule: how it stands with one call.
type Rule = fn(&Case<'_>) -> Finding;

/// All rules but that the mandate exists, in the order of [`Reason`].
pub(crate) const RULES: [Rule; 33] = [
    |c| compare(Reason::PolicyVersion, c.request.policy_version, Relation::Equal, c.mandate.policy_version),
    |c| fact(Reason::Revoked, 0, 0, c.mandate.status != Status::Revoked),
    |c| fact(Reason::Paused, 0, 0, c.mandate.status != Status::Paused),
    |c| compare(Reason::MandateNotStarted, c.now, Relation::AtLeast, c.mandate.policy.valid_after),
    |c| compare(Reason::MandateExpired, c.now, Relation::Below, c.mandate.policy.valid_before),
    |c| compare(Reason::Token, c.request.token, Relation::Equal, c.mandate.token),
    |c| compare(Reason::RequestNotStarted, c.now, Relation::AtLeast, c.request.valid_after),
    |c| compare(Reason::RequestExpired, c.now, Relation::Below, c.request.valid_before),
    |c| compare(Reason::DeliverBy, c.now, Relation::Below, c.request.deliver_by),
    |c| {
        let challenge_ends = c.request.deliver_by.plus(c.request.terms.challenge_period);
        compare(Reason::CaptureBy, c.request.capture_by, Relation::Above, challenge_ends)
    },
    |c| compare(Reason::RefundBy, c.request.refund_by, Relation::AtLeast, c.request.capture_by),
    |c| compare(Reason::Terms, c.request.terms.packed(), Relation::Equal, c.mandate.policy.terms.packed()),
    |c| fact(Reason::ZeroRecipient, 0, 0, !c.request.recipient.is_zero()),
    |c| fact(Reason::ZeroService, 0, 0, !c.request.service.is_zero()),
    |c| {
        let (recipient, resolver) = (c.request.recipient, c.request.terms.resolver);
        fact(Reason::RecipientIsResolver, recipient, resolver, recipient != resolver)
    },
    |c| fact(Reason::NotAllowed, c.request.recipient, c.request.service, c.limits.payment_cap > ZERO),
    |c| compare(Reason::ZeroAmount, c.request.max_amount, Relation::AtLeast, 1),
    |c| compare(Reason::EntryPaymentCap, c.request.max_amount, Relation::AtMost, c.limits.payment_cap),
    |c| compare(Reason::PaymentCap, c.request.max_amount, Relation::AtMost, c.mandate.policy.payment_cap),
    |c| {
        let total = sum(c.request.max_amount, c.entry_spent.within(c.limits.window));
        compare(Reason::EntryWindowCap, total, Relation::AtMost, c.limits.window_cap)
    },
    |c| {
        let count = u64::from(c.spent.day_count).saturating_add(1);
        compare(Reason::DayCount, count, Relation::AtMost, u64::from(c.mandate.policy.day_count))
    },
    |c| {
        let total = sum(c.request.max_amount, c.spent.day_sum);
        compare(Reason::DayCap, total, Relation::AtMost, c.mandate.policy.day_cap)
    },
    |c| {
        let total = sum(c.request.max_amount, c.spent.month_sum);
        compare(Reason::MonthCap, total, Relation::AtMost, c.mandate.policy.month_cap)
    },
    |c| {
        let total = sum(c.request.max_amount, c.mandate.lifetime_spent);
        compare(Reason::LifetimeCap, total, Relation::AtMost, c.mandate.policy.lifetime_cap)
    },
    |c| match c.ceiling {
        Ceiling::Unset => compare(Reason::Ceiling, c.request.max_amount, Relation::AtMost, U256::MAX),
        Ceiling::Set(caps) => {
            let total = sum(c.request.max_amount, caps.spent_at(c.now));
            compare(Reason::Ceiling, total, Relation::AtMost, caps.cap_at(c.now))
        }
    },
    |c| compare(Reason::Funds, c.request.max_amount, Relation::AtMost, c.mandate.funds.available()),
    |c| fact(Reason::ZeroRequestId, 0, 0, !c.request.request_id.is_zero()),
    |c| fact(Reason::RequestUsed, c.state, 0, matches!(c.state, State::None | State::Cancelled)),
    |c| fact(Reason::RequestCancelled, c.state, 0, c.state != State::Cancelled),
    |c| {
        let threshold = c.mandate.policy.approval_above;
        if c.proof.approval.signature == Signature::Empty {
            compare(Reason::ApprovalMissing, c.request.max_amount, Relation::AtMost, threshold)
        } else {
            fact(Reason::ApprovalMissing, c.request.max_amount, threshold, true)
        }
    },
    |c| {
        let (by, agent) = (&c.proof.agent, c.mandate.agent);
        let is_agents = by.caller == agent || by.signature == Signature::Of(agent);
        fact(Reason::AgentSignature, by.caller, agent, is_agents)
    },
    |c| match c.approval {
        Approval::Unneeded => fact(Reason::ApprovalExpired, c.now, c.proof.approval.valid_before, true),
        Approval::Needed => {
            compare(Reason::ApprovalExpired, c.now, Relation::Below, c.proof.approval.valid_before)
        }
    },
    |c| {
        let is_owners = c.proof.approval.signature == Signature::Of(c.mandate.owner);
        fact(Reason::ApprovalSignature, 0, c.mandate.owner, c.approval == Approval::Unneeded || is_owners)
    },
];

/// The first rule, which comes before all others can be looked at.
pub(crate) fn existence(mandate: Option<&Mandate>, id: B256) -> Finding {
    fact(Reason::UnknownMandate, id, 0, mandate.is_some())
}

fn compare(rule: Reason, got: impl Figure, relation: Relation, limit: impl Figure) -> Finding {
    Finding::new(rule, got, relation, limit)
}

fn fact(rule: Reason, got: impl Figure, limit: impl Figure, holds: bool) -> Finding {
    Finding::new(rule, got, Relation::Fact { holds }, limit)
}
