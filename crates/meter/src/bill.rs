//! Drawing up bills, and what becomes of them.

use core::cmp::Ordering;

use primitives::{BaseUnits, Millis, SettlementId, UnixMillis};
use tariff::{Exact, TooLarge};

use crate::rate::{ByVersion, rated};
use crate::{
    Book, Fact, Handed, Line, Means, Outcome, Part, Quote, Refusal, Settlement, SettlementState, limits,
};

/// What proves that a bill of nothing is paid.
pub(crate) const NOTHING_DUE: &str = "nothing was due";

impl Book {
    /// The bill that is drafted or being paid; what reservations pay is none.
    pub fn bill(&self) -> Option<&Settlement> {
        self.pending.values().find(|settlement| settlement.round.is_some())
    }

    pub(crate) fn settlement(&self, id: &SettlementId) -> Option<&Settlement> {
        self.pending.values().find(|settlement| settlement.id == *id)
    }

    /// How many shards there are beside this one.
    fn others(&self) -> u8 {
        self.subject.shards.saturating_sub(1)
    }
}

/// All open usage of a shard, for the first one. The same round again is the same.
pub(crate) fn hand_over(book: &Book, round: u64) -> Result<Option<Fact>, Refusal> {
    if book.subject.shard == 0 {
        return Err(Refusal::WrongRound);
    }
    let last = book.handed.as_ref().map_or(0, |handed| handed.round);
    match round.cmp(&last) {
        Ordering::Equal if round > 0 => Ok(None),
        Ordering::Less | Ordering::Equal => Err(Refusal::WrongRound),
        Ordering::Greater => {
            let open = book.open.values().cloned().collect();
            Ok(Some(Fact::HandedOver { handed: Handed { round, open } }))
        }
    }
}

/// A bill of all that is open (B4, B5).
pub(crate) fn draft(
    book: &Book,
    id: SettlementId,
    parts: Vec<Part>,
    wait: Millis,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    if book.bill().is_some_and(|pending| pending.id == id) {
        return Ok(None);
    }
    let whole = all(book, &parts)?;
    let quote = rated(&whole, book.ripe().cloned().collect(), book.carry);
    let quote = quote.map_err(|TooLarge| Refusal::AmountTooLarge)?;
    if quote.lines.is_empty() && quote.adjustments.is_empty() {
        return Err(Refusal::NothingToSettle);
    }
    let state = if quote.amount == BaseUnits(0) {
        SettlementState::Verified { means: None, proof: NOTHING_DUE.to_owned(), at: now }
    } else {
        SettlementState::Drafted { until: now.plus(wait.min(limits::DRAFT_WAIT)) }
    };
    let settlement = Box::new(closing(book, id, quote, state, now)?);
    Ok(Some(Fact::Drafted { settlement, parts }))
}

/// Open usage that is not charged for. Adjustments and what is carried stay for the next bill.
pub(crate) fn write_off(
    book: &Book,
    id: SettlementId,
    parts: Vec<Part>,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    let whole = all(book, &parts)?;
    if whole.is_empty() {
        return Err(Refusal::NothingToSettle);
    }
    let quote = rated(&whole, Vec::new(), Exact::ZERO).map_err(|TooLarge| Refusal::AmountTooLarge)?;
    let free = |line| Line { carried_in: Exact::ZERO, amount: BaseUnits(0), ..line };
    let lines = quote.lines.into_iter().map(free).collect();
    let quote = Quote { lines, amount: BaseUnits(0), carried_out: Exact::ZERO, ..quote };
    let settlement = closing(book, id, quote, SettlementState::WrittenOff { at: now }, now)?;
    Ok(Some(Fact::WrittenOff { settlement: Box::new(settlement), parts }))
}

/// All that is open, if it can be closed now and every shard has given its part.
fn all(book: &Book, parts: &[Part]) -> Result<ByVersion, Refusal> {
    if book.subject.shard > 0 {
        return Err(Refusal::NotFirstShard);
    }
    if book.bill().is_some() {
        return Err(Refusal::SettlementOpen);
    }
    let next = book.round.saturating_add(1);
    let mut shards: Vec<u8> = parts.iter().map(|part| part.shard).collect();
    shards.sort_unstable();
    let is_whole = shards.into_iter().eq(1..=book.others());
    if !is_whole || parts.iter().any(|part| part.handed.round != next) {
        return Err(Refusal::WrongRound);
    }
    let whole = book.whole(parts).map_err(|TooLarge| Refusal::AmountTooLarge)?;
    whole.ok_or(Refusal::WrongRound)
}

/// A round in which no shard had anything.
pub(crate) fn pass(book: &Book, parts: &[Part]) -> Result<Option<Fact>, Refusal> {
    let is_nothing = all(book, parts)?.is_empty() && book.others() > 0;
    Ok(is_nothing.then_some(Fact::RoundPassed))
}

fn closing(
    book: &Book,
    id: SettlementId,
    quote: Quote,
    state: SettlementState,
    at: UnixMillis,
) -> Result<Settlement, Refusal> {
    let Quote { lines, adjustments, amount, carried_in, carried_out, .. } = quote;
    let number = book.number.checked_add(1).ok_or(Refusal::AmountTooLarge)?;
    let reopened_in = None;
    let round = Some(book.round.checked_add(1).ok_or(Refusal::AmountTooLarge)?);
    Ok(Settlement {
        id,
        number,
        round,
        reopened_in,
        at,
        lines,
        adjustments,
        amount,
        carried_in,
        carried_out,
        state,
    })
}

pub(crate) fn submit(
    book: &Book,
    id: &SettlementId,
    means: Means,
    filed: Option<&Settlement>,
) -> Result<Option<Fact>, Refusal> {
    let Some(settlement) = book.settlement(id) else { return over(filed, &means) };
    match &settlement.state {
        SettlementState::Drafted { .. } => match means {
            // Only what was reserved is paid from a reservation.
            Means::Reservation { .. } => Err(Refusal::PaidOtherwise),
            Means::X402 { .. } | Means::Mandate { .. } | Means::Transaction { .. } => {
                Ok(Some(Fact::Submitted { number: settlement.number, means }))
            }
        },
        SettlementState::Submitted { means: its, .. } if *its == means => Ok(None),
        SettlementState::Submitted { .. }
        | SettlementState::Verified { .. }
        | SettlementState::Failed { .. }
        | SettlementState::WrittenOff { .. } => Err(Refusal::PaidOtherwise),
    }
}

/// What is said of a payment when its bill is over: nothing new if it was paid, or failed, by these means.
fn over(filed: Option<&Settlement>, means: &Means) -> Result<Option<Fact>, Refusal> {
    let filed = filed.ok_or(Refusal::UnknownSettlement)?;
    if filed.state.means() == Some(means) { Ok(None) } else { Err(Refusal::NotDrafted) }
}

pub(crate) fn report(
    book: &Book,
    id: &SettlementId,
    means: &Means,
    outcome: Outcome,
    filed: Option<&Settlement>,
) -> Result<Option<Fact>, Refusal> {
    let Some(settlement) = book.settlement(id) else {
        let is_paid = |filed: &Settlement| matches!(filed.state, SettlementState::Verified { .. });
        let is_news = matches!(outcome, Outcome::Paid { .. }) && !filed.is_some_and(is_paid);
        let said = over(filed, means)?;
        // That money has come for a bill that is over is not to be passed over in silence.
        return if is_news { Err(Refusal::NotDrafted) } else { Ok(said) };
    };
    let SettlementState::Submitted { means: its, reason: known, .. } = &settlement.state else {
        return Err(Refusal::PaidOtherwise);
    };
    if its != means {
        return Err(Refusal::PaidOtherwise);
    }
    let number = settlement.number;
    match &outcome {
        Outcome::Unknown { reason } if known.as_ref() == Some(reason) => Ok(None),
        Outcome::Unknown { .. } | Outcome::Paid { .. } | Outcome::Failed { .. } => {
            Ok(Some(Fact::Reported { number, outcome }))
        }
    }
}

pub(crate) fn void(
    book: &Book,
    id: &SettlementId,
    filed: Option<&Settlement>,
) -> Result<Option<Fact>, Refusal> {
    let Some(settlement) = book.settlement(id) else {
        return match &filed.ok_or(Refusal::UnknownSettlement)?.state {
            SettlementState::Failed { code, .. } if code == VOIDED => Ok(None),
            SettlementState::Failed { .. }
            | SettlementState::Drafted { .. }
            | SettlementState::Submitted { .. }
            | SettlementState::Verified { .. }
            | SettlementState::WrittenOff { .. } => Err(Refusal::NotDrafted),
        };
    };
    match settlement.state {
        SettlementState::Drafted { .. } => Ok(Some(Fact::Voided { number: settlement.number })),
        SettlementState::Submitted { .. }
        | SettlementState::Verified { .. }
        | SettlementState::Failed { .. }
        | SettlementState::WrittenOff { .. } => Err(Refusal::NotDrafted),
    }
}

/// The code of a bill that was not to be paid.
pub(crate) const VOIDED: &str = "voided";

/// The settlement that a fact changes, as it is after it; nothing when the fact cannot follow.
pub(crate) fn moved(book: &Book, fact: &Fact, at: UnixMillis) -> Option<Settlement> {
    let (Fact::Submitted { number, .. }
    | Fact::Looked { number }
    | Fact::Reported { number, .. }
    | Fact::Voided { number }
    | Fact::DraftExpired { number }) = fact
    else {
        return None;
    };
    let settlement = book.pending.get(number)?.clone();
    let mut after = match fact {
        Fact::Submitted { means, .. } => settlement.submitted(means.clone(), at),
        Fact::Looked { .. } => settlement.looked(at),
        Fact::Reported { outcome, .. } => settlement.reported(outcome, at),
        Fact::Voided { .. } => settlement.unpaid(VOIDED, "The bill was withdrawn.", at),
        Fact::DraftExpired { .. } => {
            settlement.unpaid("draft_expired", "Nobody has paid the bill in time.", at)
        }
        Fact::Begun { .. }
        | Fact::Recorded { .. }
        | Fact::Reversed { .. }
        | Fact::Credited { .. }
        | Fact::HandedOver { .. }
        | Fact::RoundPassed
        | Fact::Drafted { .. }
        | Fact::WrittenOff { .. }
        | Fact::Reserved { .. }
        | Fact::Held { .. }
        | Fact::HoldRefused { .. }
        | Fact::Committed { .. }
        | Fact::Released { .. }
        | Fact::ReservationExpired { .. } => None,
    }?;
    if let SettlementState::Failed { .. } = after.state {
        after.reopened_in = if after.round.is_none() { book.round.checked_add(1) } else { None };
    }
    Some(after)
}
