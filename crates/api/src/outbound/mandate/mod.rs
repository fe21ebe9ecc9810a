//! Mandates and the payments under them, as each viewer may see them.
//!
//! The books that come in are as they were recorded. Time that has passed since is taken into account where something is
//! counted or judged: windows, an end, a verdict.

mod activity;
mod budget;
mod evaluation;
mod kept;
mod message;
mod payment;
mod proposal;
mod refused;
mod status;
mod typed_data;
mod view;

pub use activity::activity;
pub use budget::budget;
pub(super) use budget::left;
pub use evaluation::evaluation;
pub(super) use evaluation::{Judged, checks, evaluated, unruled};
pub use kept::{Counts, Kept};
pub use message::{message, request};
pub(super) use payment::Word;
pub use payment::{Standing, approval, payment};
pub use proposal::completed;
pub use refused::refused;
pub(super) use refused::{faults, ruled};
pub use status::status_report;
pub use typed_data::{Shown, typed_data};
pub use view::{entries, mandate};

use eip712::Address;
use mandate::{AMOUNT_MAX, UnixSeconds};
use primitives::{BaseUnits, UnixMillis};

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Nobody in particular: what everyone may see.
    Anyone,
    /// The mandate's owner. Only it sees the label.
    Owner,
    /// The mandate's agent. Only it and the owner see the owner's words and signatures.
    Agent,
}

impl Viewer {
    /// Who `account` is to a mandate; the account must be proven.
    pub fn of(kept: &impl Kept, account: Option<Address>) -> Self {
        match account {
            Some(account) if account == kept.mandate().owner => Self::Owner,
            Some(account) if account == kept.mandate().agent => Self::Agent,
            Some(_) | None => Self::Anyone,
        }
    }

    /// Whether it is one of the two between whom the owner's words are.
    const fn is_party(self) -> bool {
        match self {
            Self::Owner | Self::Agent => true,
            Self::Anyone => false,
        }
    }
}

pub(super) fn time(moment: UnixSeconds) -> String {
    UnixMillis::from(moment).to_rfc3339()
}

/// What is left of a cap, or the cap itself; none where the cap is no cap.
fn under(cap: BaseUnits, amount: BaseUnits) -> Option<String> {
    (cap != AMOUNT_MAX).then(|| amount.to_string())
}

/// The same for a number of payments.
fn count_under(cap: u32, count: u32) -> Option<u32> {
    (cap != u32::MAX).then_some(count)
}

pub(in crate::outbound) fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
