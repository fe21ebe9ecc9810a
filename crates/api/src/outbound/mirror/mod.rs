//! Mandates in custody of the contract, as each viewer may see them: in the same shapes as those of the ledger.
//!
//! What stands is what the chain says by the newest block that was read. What may yet be spent, and whether a request would
//! pass, counts everything that is on its way there too.

mod activity;
mod elsewhere;
mod evaluation;
mod refused;
mod standing;

pub use activity::activity;
pub use elsewhere::{by_transaction, to_change, to_do, to_reserve};
pub use evaluation::evaluation;
pub use refused::refused;
pub use standing::{found, standing};

use eip712::{Address, B256};
use mandate::mirror::{Mirror, Stage};
use mandate::{Mandate, State, UnixSeconds};
use primitives::UnixMillis;

use super::mandate::{self as shown, Counts, Kept, Viewer, left, length, time};
use crate::settings::Ledger;
use crate::wire::{self, AsOf, BudgetAnswer};

/// A mirror, and when the mandate was first known here.
#[derive(Debug, Clone, Copy)]
pub struct Mirrored<'a> {
    /// The mirror.
    pub mirror: &'a Mirror,
    /// When the mandate was adopted.
    pub born: UnixMillis,
}

impl Kept for Mirrored<'_> {
    const CUSTODY: &'static str = "contract";

    fn mandate(&self) -> &Mandate {
        &self.mirror.tip.mandate
    }

    fn label(&self) -> &str {
        &self.mirror.label
    }

    fn born(&self) -> UnixMillis {
        self.born
    }

    fn latest(&self) -> UnixMillis {
        self.mirror.latest
    }

    fn moment(&self, now: UnixMillis) -> UnixSeconds {
        self.mirror.moment(now.into())
    }

    fn counts(&self) -> Counts {
        let told = &self.mirror.tip.mandate;
        let open = told.payments.values().filter(|payment| payment.state.is_open()).count();
        let waiting =
            self.mirror.asks.keys().filter(|payment| told.state_of(**payment) == State::None).count();
        Counts { open: length(open), waiting: length(waiting), reservations: 0 }
    }

    /// Only the wait for the owner is ended by time alone; all else takes a transaction.
    fn deadline(&self, payment: B256) -> Option<UnixMillis> {
        let is_told = self.mirror.tip.mandate.state_of(payment) != State::None;
        match self.mirror.asks.get(&payment)?.stage {
            Stage::Waiting { until } if !is_told => Some(until.into()),
            Stage::Waiting { .. }
            | Stage::Approved
            | Stage::Underway(_)
            | Stage::Failed { .. }
            | Stage::Cancelling { .. } => None,
        }
    }
}

/// A mandate at `now`. `version` is the length of its journal.
pub fn mandate(
    kept: Mirrored<'_>,
    version: u64,
    viewer: Viewer,
    contract: &Ledger,
    now: UnixMillis,
) -> wire::Mandate {
    let Mirror { sealed, tip, .. } = kept.mirror;
    let as_of = AsOf { block: tip.block.number, at: time(tip.block.at), final_block: sealed.block.number };
    wire::Mandate { as_of: Some(as_of), ..shown::mandate(&kept, version, viewer, contract, now) }
}

/// What may yet be authorized at `now` if all that is on its way passes.
pub fn budget(mirror: &Mirror, recipient: Address, service: B256, now: UnixMillis) -> BudgetAnswer {
    let at = mirror.moment(now.into());
    let (mandate, ceiling) = mirror.ahead(B256::ZERO, at);
    left(&mandate, &ceiling, (recipient, service), at)
}
