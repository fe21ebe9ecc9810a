//! A mandate, whoever keeps it: what is shown of it is shown in one way.

use eip712::B256;
use mandate::life::{self, Book, Stage};
use mandate::{Mandate, UnixSeconds};
use primitives::UnixMillis;

use super::length;

/// A mandate as whoever keeps it has it.
pub trait Kept {
    /// Who holds the money, in the word of the wire.
    const CUSTODY: &'static str;

    /// The mandate.
    fn mandate(&self) -> &Mandate;
    /// The owner's private name for it.
    fn label(&self) -> &str;
    /// When it was made, or was first known here.
    fn born(&self) -> UnixMillis;
    /// When it last changed here.
    fn latest(&self) -> UnixMillis;
    /// The moment by which it is judged at `now`: its clock never goes back.
    fn moment(&self, now: UnixMillis) -> UnixSeconds;
    /// How much is under way under it.
    fn counts(&self) -> Counts;
    /// When time alone changes an open request.
    fn deadline(&self, payment: B256) -> Option<UnixMillis>;
}

/// How much is under way under a mandate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Payments that are open.
    pub open: u64,
    /// Requests that are on their way there.
    pub waiting: u64,
    /// Parts of the budget that are held for others.
    pub reservations: u64,
}

impl Kept for Book {
    const CUSTODY: &'static str = "ledger";

    fn mandate(&self) -> &Mandate {
        &self.mandate
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn born(&self) -> UnixMillis {
        self.born
    }

    fn latest(&self) -> UnixMillis {
        self.latest
    }

    fn moment(&self, now: UnixMillis) -> UnixSeconds {
        now.max(self.latest).into()
    }

    fn counts(&self) -> Counts {
        let waiting = self.requests.values().filter(|ask| ask.stage != Stage::Open).count();
        Counts {
            open: length(self.requests.len().saturating_sub(waiting)),
            waiting: length(waiting),
            reservations: length(self.reservations.len()),
        }
    }

    fn deadline(&self, payment: B256) -> Option<UnixMillis> {
        life::due_of(self, payment)
    }
}
