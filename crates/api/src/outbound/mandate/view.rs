//! A mandate and its entries.

use eip712::{Address, B256};
use mandate::{Allowed, Ceiling, EntryKey, UnixSeconds};
use primitives::UnixMillis;

use super::{Counts, Kept, Viewer, count_under, length, time, under};
use crate::settings::Ledger;
use crate::wire;

/// A mandate at `now`. `version` is the length of its journal.
pub fn mandate<K: Kept>(
    kept: &K,
    version: u64,
    viewer: Viewer,
    ledger: &Ledger,
    now: UnixMillis,
) -> wire::Mandate {
    let (mandate, at) = (kept.mandate(), kept.moment(now));
    let Counts { open, waiting, reservations } = kept.counts();
    let label = match viewer {
        Viewer::Owner => Some(kept.label().to_owned()),
        Viewer::Anyone | Viewer::Agent => None,
    };
    wire::Mandate {
        mandate: mandate.id.to_string(),
        custody: K::CUSTODY.to_owned(),
        owner: mandate.owner.to_string(),
        agent: mandate.agent.to_string(),
        token: mandate.token.to_string(),
        owner_kind: mandate.owner_kind.into(),
        agent_kind: mandate.agent_kind.into(),
        chain_id: ledger.chain_id,
        ledger: ledger.address.to_string(),
        status: status(mandate, at),
        policy_version: mandate.policy_version,
        version,
        policy: policy(&mandate.policy),
        amend_delay_seconds: mandate.amend_delay,
        pending_amendment: mandate.pending.map(|pending| wire::PendingAmendment {
            hash: pending.hash.to_string(),
            effective_at: time(pending.effective_at),
        }),
        entry_count: length(mandate.entries.len()),
        funds: wire::Funds {
            balance: mandate.funds.balance.to_string(),
            reserved: mandate.funds.reserved.to_string(),
            available: mandate.funds.available().to_string(),
        },
        spent: spent(mandate, at),
        remaining: remaining(mandate, at),
        open,
        waiting,
        reservations,
        created_at: kept.born().to_rfc3339(),
        updated_at: kept.latest().to_rfc3339(),
        label,
        as_of: None,
    }
}

fn status(mandate: &mandate::Mandate, now: UnixSeconds) -> wire::MandateStatus {
    let is_over = now >= mandate.policy.valid_before;
    match mandate.status {
        mandate::Status::Revoked => wire::MandateStatus::Revoked,
        mandate::Status::Active | mandate::Status::Paused if is_over => wire::MandateStatus::Expired,
        mandate::Status::Active => wire::MandateStatus::Active,
        mandate::Status::Paused => wire::MandateStatus::Paused,
    }
}

fn policy(policy: &mandate::Policy) -> wire::Policy {
    let mandate::Terms { challenge_period, resolution_timeout, silence_bps, resolver } = policy.terms;
    wire::Policy {
        valid_after: time(policy.valid_after),
        valid_before: time(policy.valid_before),
        payment_cap: policy.payment_cap.to_string(),
        day_cap: policy.day_cap.to_string(),
        month_cap: under(policy.month_cap, policy.month_cap),
        lifetime_cap: under(policy.lifetime_cap, policy.lifetime_cap),
        day_count: count_under(policy.day_count, policy.day_count),
        approval_above: policy.approval_above.to_string(),
        terms: wire::Terms {
            challenge_period_seconds: challenge_period,
            resolution_timeout_seconds: resolution_timeout,
            silence_bps,
            resolver: (!resolver.is_zero()).then(|| resolver.to_string()),
        },
    }
}

fn spent(mandate: &mandate::Mandate, now: UnixSeconds) -> wire::Spent {
    let spent = mandate.spent.seen_at(now);
    wire::Spent {
        today: spent.day_sum.to_string(),
        this_month: spent.month_sum.to_string(),
        lifetime: mandate.lifetime_spent.to_string(),
        count_today: spent.day_count,
    }
}

fn remaining(mandate: &mandate::Mandate, now: UnixSeconds) -> wire::Remaining {
    let mandate::Policy { month_cap, lifetime_cap, day_count, .. } = mandate.policy;
    let left = mandate.remaining(Address::ZERO, B256::ZERO, now, &Ceiling::Unset);
    wire::Remaining {
        today: left.today.to_string(),
        this_month: under(month_cap, left.this_month),
        lifetime: under(lifetime_cap, left.lifetime),
        count_today: count_under(day_count, left.count_today),
    }
}

/// A page of at most `limit` entries, from the `from`th on, in the order of their recipients and services; an amendment that
/// adds entries moves those behind them. `next_cursor` is the place of the next page's first entry.
pub fn entries(kept: &impl Kept, from: u32, limit: u32, now: UnixMillis) -> wire::EntriesAnswer {
    let (from, limit) = (from as usize, limit as usize);
    let (now, end) = (kept.moment(now), from.saturating_add(limit));
    let entries = &kept.mandate().entries;
    let page = entries.iter().skip(from).take(limit);
    wire::EntriesAnswer {
        entries: page.map(|(key, allowed)| entry(key, allowed, now)).collect(),
        next_cursor: (end < entries.len()).then(|| end.to_string()),
    }
}

fn entry(key: &EntryKey, allowed: &Allowed, now: UnixSeconds) -> wire::EntryAnswer {
    let mandate::EntryLimits { payment_cap, window_cap, window } = allowed.limits;
    wire::EntryAnswer {
        recipient: (!key.recipient.is_zero()).then(|| key.recipient.to_string()),
        service: (!key.service.is_zero()).then(|| key.service.to_string()),
        payment_cap: payment_cap.to_string(),
        window_cap: under(window_cap, window_cap),
        window: match window {
            mandate::Window::UtcDay => wire::Window::UtcDay,
            mandate::Window::UtcMonth => wire::Window::UtcMonth,
        },
        spent_in_window: allowed.spent.seen_at(now).within(window).to_string(),
    }
}
