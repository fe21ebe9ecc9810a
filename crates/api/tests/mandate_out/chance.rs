//! Lives by chance, of a mandate whose secrets are easy to find in a text.

use std::collections::BTreeMap;

use eip712::{Address, B256};
use mandate::life::{Act, Change, Command};
use mandate::{By, Policy, Request, UnixSeconds};
use primitives::{BaseUnits, UnixMillis};
use proptest::prelude::*;

use crate::cast::*;

/// The owner's name for the mandate, its words on a rejection, and its signature.
pub(crate) const LABEL: &str = "the label of the owner";
pub(crate) const NOTE: &str = "the note of the owner";
pub(crate) const APPROVAL: [u8; 65] = [0x5e; 65];

/// One thing that happens: after so many minutes, what, with which request, about how much.
type Turn = (u64, usize, u8, u128);

pub(crate) fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let minutes = prop_oneof![4 => 0..20_u64, 1 => 20..2_000_u64];
    proptest::collection::vec((minutes, 0..16_usize, 1..6_u8, 1..110_u128), 0..25)
}

/// A life, the requests that were made in it, and the time.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) life: Life,
    pub(crate) requests: BTreeMap<u8, Request>,
    pub(crate) now: UnixMillis,
}

/// What is refused does not happen.
pub(crate) fn lived(turns: &[Turn]) -> World {
    let mut world = World { life: Life::labelled(LABEL, creation()), requests: BTreeMap::new(), now: START };
    for (minutes, what, id, amount) in turns {
        world.now = UnixMillis(world.now.0 + 60_000 * minutes);
        let command = world.command(*what, *id, *amount);
        let _refused_or_not = world.life.hears(command, world.now);
    }
    world
}

impl World {
    /// The request of that name, made now if it was not before.
    pub(crate) fn request(&mut self, id: u8, amount: u128) -> Request {
        let policy_version = self.life.book().mandate.policy_version;
        let fresh = named(Request { policy_version, ..request_at(id, amount, self.now) });
        *self.requests.entry(id).or_insert(fresh)
    }

    fn command(&mut self, what: usize, id: u8, amount: u128) -> Command {
        let request = self.request(id, amount);
        let change = |change| Command::Change { change, by: OWNER };
        let until = UnixMillis(self.now.0 + 600_000);
        match what {
            0..=4 => ask(request),
            5 => ask(named(Request { max_amount: BaseUnits(amount), ..request })),
            6 | 7 => approve(&request, until, &APPROVAL),
            8 => reject(&request, NOTE),
            9 => act(&request, Act::Deliver { receipt: B256::repeat_byte(0xee) }, PROVIDER),
            10 => act(&request, Act::Dispute { evidence: B256::repeat_byte(0xdd) }, OWNER),
            11 => act(&request, Act::Accept, OWNER),
            12 => Command::Cancel { request: Box::new(request), by: By::caller(AGENT), filed: None },
            13 => act(&request, Act::Capture { total: BaseUnits(amount) }, PROVIDER),
            14 if amount < 30 => change(Change::Pause),
            14 => change(Change::Unpause),
            _ => reserve(0x80 + id, amount, until),
        }
    }
}

/// What an agent may get wrong, or not.
pub(crate) fn altered(request: Request, how: usize, now: UnixMillis) -> Request {
    let second = UnixSeconds::from(now);
    let Policy { terms, .. } = policy();
    named(match how {
        0 => Request { mandate: B256::ZERO, ..request },
        1 => Request { policy_version: 2, ..request },
        2 => Request { token: OWNER, ..request },
        3 => Request { recipient: Address::ZERO, ..request },
        4 => Request { valid_before: second, ..request },
        5 => Request { valid_after: UnixSeconds(second.0 + 1), ..request },
        6 => Request { max_amount: BaseUnits(u128::MAX), ..request },
        7 => Request { request_id: B256::ZERO, ..request },
        8 => Request { terms: mandate::Terms { silence_bps: 0, ..terms }, ..request },
        9 => Request { capture_by: request.deliver_by, refund_by: second, ..request },
        _ => request,
    })
}
