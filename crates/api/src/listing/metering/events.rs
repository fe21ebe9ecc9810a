//! Events of one meter, from all its shards at once.

use core::cmp::Reverse;

use meter::limits::SHARDS;

use super::tally::name_cursor;
use crate::binding::meter::Filed;
use crate::listing::query::Query;
use crate::problem::Problem;

/// Which events of a meter are wanted: `GET /v1/usage/{agent}/{serviceId}/events`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterEvents {
    /// At most this many.
    pub limit: u32,
    /// By shard, before which number to go on; none from the newest on.
    before: Vec<Option<u64>>,
}

/// Stands for a shard of which nothing was shown yet.
const UNSEEN: &str = "-";

impl MeterEvents {
    /// Before which number of a shard to go on.
    pub fn before(&self, shard: u8) -> Option<u64> {
        self.before.get(usize::from(shard)).copied().flatten()
    }

    /// The page out of what the shards have, in the order of the shards, and where to go on. Of each there is one event more
    /// than the page takes, if it has so many.
    pub fn page(&self, shards: Vec<Vec<Filed>>) -> (Vec<Filed>, Option<String>) {
        let mut before: Vec<Option<u64>> =
            (0_u8..).zip(&shards).map(|(shard, _)| self.before(shard)).collect();
        let of_shard =
            |(shard, events): (usize, Vec<Filed>)| events.into_iter().map(move |event| (shard, event));
        let mut events: Vec<(usize, Filed)> = shards.into_iter().enumerate().flat_map(of_shard).collect();
        // Stable: events of one moment stay in the order of their shards, and there in that of their numbers.
        events.sort_by_key(|(_, event)| Reverse(event.received_at));
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = events.len() > limit;
        events.truncate(limit);
        for (shard, event) in &events {
            if let Some(before) = before.get_mut(*shard) {
                *before = Some(event.number);
            }
        }
        let mark =
            |before: &Option<u64>| before.map_or_else(|| UNSEEN.to_owned(), |number| number.to_string());
        let marks: Vec<String> = before.iter().map(mark).collect();
        let next = has_more.then(|| name_cursor(&marks.join(".")));
        (events.into_iter().map(|(_, event)| event).collect(), next)
    }
}

/// Reads which events of a meter are wanted.
///
/// # Errors
/// 400 with every fault.
pub fn meter_events<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<MeterEvents, Problem> {
    let mut query = Query::new(pairs);
    let before = query.after(marks).unwrap_or_default();
    let read = MeterEvents { limit: query.limit(), before };
    query.finish(read)
}

fn marks(text: &str) -> Option<Vec<Option<u64>>> {
    let mark = |text: &str| match text {
        UNSEEN => Some(None),
        text => text.parse().ok().filter(|number: &u64| number.to_string() == text).map(Some),
    };
    let marks: Option<Vec<Option<u64>>> = text.split('.').map(mark).collect();
    marks.filter(|marks| marks.len() <= usize::from(SHARDS))
}
