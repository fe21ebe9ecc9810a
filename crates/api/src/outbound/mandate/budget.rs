//! What may yet be authorized.

use eip712::{Address, B256};
use mandate::{Ceiling, Mandate, Policy, UnixSeconds};
use primitives::UnixMillis;

use super::{Kept, count_under, under};
use crate::wire::{BudgetAnswer, EntryBudget};

/// What may yet be authorized at `now`; with the entry that is for `recipient` and `service`, if either is named. Zero is
/// any, so that only an entry for any fits it.
pub fn budget(kept: &impl Kept, recipient: Address, service: B256, now: UnixMillis) -> BudgetAnswer {
    left(kept.mandate(), &Ceiling::Unset, (recipient, service), kept.moment(now))
}

/// The same under a ceiling over several mandates, which leaves as much of the day as of that.
pub(in crate::outbound) fn left(
    mandate: &Mandate,
    ceiling: &Ceiling,
    (recipient, service): (Address, B256),
    at: UnixSeconds,
) -> BudgetAnswer {
    let Mandate { policy, .. } = mandate;
    let left = mandate.remaining(recipient, service, at, ceiling);
    let is_named = !recipient.is_zero() || !service.is_zero();
    let entry = mandate.entry_for(recipient, service).filter(|_| is_named);
    BudgetAnswer {
        available: left.available.to_string(),
        per_payment: left.per_payment.to_string(),
        today: left.ceiling.map_or(left.today, |under| under.min(left.today)).to_string(),
        this_month: under(policy.month_cap, left.this_month),
        lifetime: under(policy.lifetime_cap, left.lifetime),
        count_today: count_under(policy.day_count, left.count_today),
        entry: entry.map(|(_, allowed)| EntryBudget {
            per_payment: left.entry_per_payment.to_string(),
            window: under(allowed.limits.window_cap, left.entry_window),
        }),
        needs_approval_above: threshold(policy),
    }
}

/// None where no payment that the cap allows is above it.
fn threshold(policy: &Policy) -> Option<String> {
    (policy.approval_above < policy.payment_cap).then(|| policy.approval_above.to_string())
}
