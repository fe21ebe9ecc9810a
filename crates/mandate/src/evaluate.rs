//! May this be paid, why, and how much more?

use alloy_primitives::{Address, B256};
use primitives::BaseUnits;
use serde::Serialize;

use crate::amount::{ZERO, left};
use crate::rules::{Case, RULES, existence};
use crate::{Ceiling, EntryKey, Finding, Mandate, Proof, Reason, Refused, Request, Spent, UnixSeconds};

/// Whether a request needs the owner's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The amount is not above the threshold; an approval is not read.
    Unneeded,
    /// It is above.
    Needed,
}

/// A request that may be authorized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authorized {
    /// The entry that allows it.
    pub entry: EntryKey,
    /// Whether it needed the owner's approval, which it then has.
    pub approval: Approval,
    pub(crate) spent: Spent,
    pub(crate) entry_spent: Spent,
}

/// What the contract's `authorize` would say at `now`: the first rule that does not pass decides. Allocates nothing.
///
/// # Errors
/// The refusal by that rule.
pub fn evaluate(
    mandate: Option<&Mandate>,
    request: &Request,
    proof: &Proof,
    now: UnixSeconds,
    ceiling: &Ceiling,
) -> Result<Authorized, Refused> {
    let case = Case::new(known(mandate, request.mandate)?, request, proof, now, ceiling);
    for rule in RULES {
        rule(&case).verdict()?;
    }
    // A rule has seen to it that there is an entry.
    let entry =
        case.entry.ok_or_else(|| Refused::new(Reason::NotAllowed, request.recipient, request.service))?;
    Ok(Authorized { entry, approval: case.approval, spent: case.spent, entry_spent: case.entry_spent })
}

/// Every rule in the order in which it is checked, pass or fail, with its numbers. Of a mandate that does not exist,
/// nothing but that can be said.
pub fn explain(
    mandate: Option<&Mandate>,
    request: &Request,
    proof: &Proof,
    now: UnixSeconds,
    ceiling: &Ceiling,
) -> Vec<Finding> {
    let mut findings = vec![existence(mandate, request.mandate)];
    if let Some(mandate) = mandate {
        let case = Case::new(mandate, request, proof, now, ceiling);
        findings.extend(RULES.iter().map(|rule| rule(&case)));
    }
    findings
}

/// Whether an approval is needed, or every rule that is broken: the one that decides, and the others in their order.
pub(crate) fn judge(
    mandate: &Mandate,
    request: &Request,
    proof: &Proof,
    now: UnixSeconds,
    ceiling: &Ceiling,
) -> Result<Approval, (Refused, Vec<Refused>)> {
    evaluate(Some(mandate), request, proof, now, ceiling).map(|authorized| authorized.approval).map_err(
        |first| {
            let findings = explain(Some(mandate), request, proof, now, ceiling);
            (first, findings.iter().filter_map(|finding| finding.verdict().err()).skip(1).collect())
        },
    )
}

/// The mandate, which must be there.
///
/// # Errors
/// [`Reason::UnknownMandate`].
pub fn known(mandate: Option<&Mandate>, id: B256) -> Result<&Mandate, Refused> {
    mandate.ok_or_else(|| Refused::new(Reason::UnknownMandate, id, 0))
}

/// What could still be authorized now for one recipient and service, rule by rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Remaining {
    /// What the mandate holds and no escrow has reserved.
    pub available: BaseUnits,
    /// The cap for one payment.
    pub per_payment: BaseUnits,
    /// What is left of the UTC day's cap.
    pub today: BaseUnits,
    /// What is left of the UTC month's cap.
    pub this_month: BaseUnits,
    /// What is left of the cap over the mandate's life.
    pub lifetime: BaseUnits,
    /// How many more payments on this UTC day.
    pub count_today: u32,
    /// The entry's cap for one payment; zero where no entry allows it.
    pub entry_per_payment: BaseUnits,
    /// What is left of the entry's window.
    pub entry_window: BaseUnits,
    /// What is left of the owner's ceiling for this UTC day; none where the owner set none.
    pub ceiling: Option<BaseUnits>,
}

impl Mandate {
    /// Whether a request for `amount` needs the owner's approval.
    pub fn approval_for(&self, amount: BaseUnits) -> Approval {
        if amount > self.policy.approval_above { Approval::Needed } else { Approval::Unneeded }
    }

    /// What could still be authorized at `now`. An amendment can put a cap below what was spent; then nothing is left.
    pub fn remaining(
        &self,
        recipient: Address,
        service: B256,
        now: UnixSeconds,
        ceiling: &Ceiling,
    ) -> Remaining {
        let spent = self.spent.seen_at(now);
        let entry = self.entry_for(recipient, service).map(|(_, allowed)| allowed);
        Remaining {
            available: self.funds.available(),
            per_payment: self.policy.payment_cap,
            today: left(self.policy.day_cap, spent.day_sum),
            this_month: left(self.policy.month_cap, spent.month_sum),
            lifetime: left(self.policy.lifetime_cap, self.lifetime_spent),
            count_today: self.policy.day_count.saturating_sub(spent.day_count),
            entry_per_payment: entry.map_or(ZERO, |allowed| allowed.limits.payment_cap),
            entry_window: entry.map_or(ZERO, |allowed| {
                let sum = allowed.spent.seen_at(now).within(allowed.limits.window);
                left(allowed.limits.window_cap, sum)
            }),
            ceiling: match ceiling {
                Ceiling::Unset => None,
                Ceiling::Set(caps) => Some(left(caps.cap_at(now), caps.spent_at(now))),
            },
        }
    }
}
