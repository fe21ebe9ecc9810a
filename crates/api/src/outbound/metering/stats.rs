//! A tenant in figures.

use crate::listing::metering::TallyRecord;
use crate::wire::{StatsAnswer, TenantView};

/// A tenant in figures: what its object says, and what its meters have counted as far as the tables know; none when more was
/// counted than can be.
pub fn stats(tenant: TenantView, tally: TallyRecord) -> Option<StatsAnswer> {
    let as_of = tally.as_of.map(primitives::UnixMillis::to_rfc3339);
    let usage = tally.shown()?.tally;
    let TenantView { tenant, services, keys, webhooks, .. } = tenant;
    Some(StatsAnswer { tenant, services, keys, webhooks, usage, as_of })
}
