//! The only place where a mirror says no: bounds and repetitions here, all else by the step itself.

use core::cmp::Ordering;

use alloy_primitives::{B256, Bytes};
use primitives::UnixMillis;

use super::clock::overdue;
use super::refusal::{Bound, bound};
use super::step::{born, step};
use super::{
    Answer, Ask, Block, Command, Event, Fact, Filed, Ground, Mirror, Observation, Progress, Refusal, Signed,
    Stage, State,
};
use crate::life;
use crate::{By, Request};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let Some(mirror) = state.mirror() else { return begin(command, now) };
    let at = now.max(mirror.latest);
    let facts = judge(mirror, command, at)?;
    let mut tried = mirror.clone();
    for fact in &facts {
        step(&mut tried, fact, at)?;
    }
    Ok(facts.into_iter().map(|fact| Event { at, fact }).collect())
}

fn begin(command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Adopt { creation, block, ceiling, label } => {
            born(&creation, block, ceiling, &label, now)?;
            Ok(vec![Event { at: now, fact: Fact::Adopted { creation, block, ceiling, label } }])
        }
        Command::Wake => Ok(Vec::new()),
        Command::Reserve { .. } => Err(Refusal::NoReservations),
        Command::Observe(_)
        | Command::Rewind(_)
        | Command::Request { .. }
        | Command::Approve { .. }
        | Command::Reject { .. }
        | Command::Submit { .. }
        | Command::Cancel { .. }
        | Command::Sent { .. }
        | Command::Answered { .. } => Err(Refusal::Unborn),
    }
}

/// What is to be recorded; nothing when the command only repeats what was done or told.
fn judge(mirror: &Mirror, command: Command, at: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    let fact = match command {
        Command::Adopt { creation, .. } if creation.id == mirror.tip.mandate.id => return Ok(Vec::new()),
        // The step refuses it.
        Command::Adopt { creation, block, ceiling, label } => {
            Some(Fact::Adopted { creation, block, ceiling, label })
        }
        Command::Observe(observation) => observe(mirror, observation)?,
        Command::Rewind(observation) => rewind(mirror, observation)?,
        Command::Request { request, signature, filed } => {
            self::request(mirror, request, signature, filed.as_deref())?
        }
        Command::Approve { payment, approval, bytes } => {
            bound(bytes.len(), Bound::Signature)?;
            untold(mirror, payment)?;
            Some(Fact::Approved { payment, approval, bytes })
        }
        Command::Reject { payment, by, note } => {
            bound(note.len(), Bound::Note)?;
            untold(mirror, payment)?;
            Some(Fact::Rejected { payment, by, note })
        }
        Command::Submit { payment, by } => {
            untold(mirror, payment)?;
            Some(Fact::Submitted { payment, by })
        }
        Command::Cancel { request, by, bytes, filed } => {
            cancel(mirror, request, by, bytes, filed.as_deref())?
        }
        Command::Reserve { .. } => return Err(Refusal::NoReservations),
        Command::Sent { payment, transaction } => sent(mirror, payment, transaction),
        Command::Answered { payment, turn, answer } => answered(mirror, payment, turn, answer),
        Command::Wake => {
            let payments = overdue(mirror, at).into_iter();
            return Ok(payments.map(|payment| Fact::Elapsed { payment }).collect());
        }
    };
    Ok(fact.into_iter().collect())
}

/// The chain's word stands.
fn untold(mirror: &Mirror, payment: B256) -> Result<(), Refusal> {
    match life::Progress::of(mirror.tip.mandate.state_of(payment)) {
        Some(told) => Err(Refusal::Unavailable(Progress::Like(told))),
        None => Ok(()),
    }
}

/// Whether a block that was told has the same number and another hash.
fn is_forked(mirror: &Mirror, block: Block) -> bool {
    let events = mirror.tail.iter().map(|told| told.place.block);
    let mut told = events.chain([mirror.sealed.block, mirror.tip.block]);
    told.any(|told| told.number == block.number && told != block)
}

fn observe(mirror: &Mirror, observation: Box<Observation>) -> Result<Option<Fact>, Refusal> {
    observation.check()?;
    let (tip, after, to) = (mirror.tip.block, observation.after, observation.to);
    if is_forked(mirror, after) || is_forked(mirror, to) {
        return Err(Refusal::Forked(tip));
    }
    match to.number.cmp(&tip.number) {
        Ordering::Less => Ok(None),
        Ordering::Equal => {
            let sealed = observation.final_block().number;
            let is_news = match mirror.ground {
                Ground::Creation => sealed >= mirror.sealed.block.number,
                Ground::Final => sealed > mirror.sealed.block.number,
            };
            Ok((after == to && is_news).then_some(Fact::Observed(observation)))
        }
        // The step refuses a gap.
        Ordering::Greater => Ok(Some(Fact::Observed(observation))),
    }
}

fn rewind(mirror: &Mirror, observation: Box<Observation>) -> Result<Option<Fact>, Refusal> {
    observation.check()?;
    let (tip, sealed, after) = (mirror.tip.block, mirror.sealed.block, observation.after);
    if observation.to == tip {
        return Ok(None);
    }
    if after.number > tip.number {
        return Err(Refusal::Gap(tip));
    }
    let is_below = after.number < sealed.number || (after.number == sealed.number && after != sealed);
    match mirror.ground {
        Ground::Final if is_below => Err(Refusal::Sealed(sealed)),
        Ground::Creation if is_below => Ok(Some(Fact::Orphaned { after })),
        Ground::Final | Ground::Creation if is_forked(mirror, after) => Err(Refusal::Forked(tip)),
        Ground::Final | Ground::Creation => Ok(Some(Fact::Rewound(observation))),
    }
}

/// The agent's id of a request stands for one request.
fn check_id(mirror: &Mirror, request: &Request, filed: Option<&Filed>) -> Result<(), Refusal> {
    let is_other =
        |other: &Request| other.request_id == request.request_id && other.payment != request.payment;
    let asks = mirror.asks.values().map(|ask| &ask.request);
    let told = mirror.tip.escrows.values().map(|escrow| &escrow.request);
    let mut known = asks.chain(told).chain(filed.map(|filed| &filed.request));
    if known.any(is_other) { Err(Refusal::RequestIdReused) } else { Ok(()) }
}

fn request(
    mirror: &Mirror,
    request: Box<Request>,
    signature: Signed,
    filed: Option<&Filed>,
) -> Result<Option<Fact>, Refusal> {
    bound(signature.bytes.len(), Bound::Signature)?;
    check_id(mirror, &request, filed)?;
    let payment = request.payment;
    if filed.is_some() || untold(mirror, payment).is_err() {
        return Ok(None);
    }
    match mirror.asks.get(&payment).map(|ask| &ask.stage) {
        Some(Stage::Approved | Stage::Failed { .. }) => {
            let by = By { caller: alloy_primitives::Address::ZERO, signature: signature.of };
            Ok(Some(Fact::Submitted { payment, by }))
        }
        Some(Stage::Waiting { .. } | Stage::Underway(_) | Stage::Cancelling { .. }) => Ok(None),
        None => {
            bound(mirror.asks.len().saturating_add(1), Bound::Asks)?;
            Ok(Some(Fact::Requested { request, signature }))
        }
    }
}

fn cancel(
    mirror: &Mirror,
    request: Box<Request>,
    by: By,
    bytes: Bytes,
    filed: Option<&Filed>,
) -> Result<Option<Fact>, Refusal> {
    bound(bytes.len(), Bound::Signature)?;
    check_id(mirror, &request, filed)?;
    let payment = request.payment;
    let told = filed.map(|filed| filed.progress).or_else(|| untold_of(mirror, payment));
    match told {
        Some(Progress::Like(life::Progress::Cancelled)) => return Ok(None),
        Some(progress) => return Err(Refusal::Unavailable(progress)),
        None => {}
    }
    match mirror.asks.get(&payment).map(|ask| &ask.stage) {
        Some(Stage::Cancelling { .. }) => return Ok(None),
        Some(Stage::Waiting { .. } | Stage::Approved | Stage::Underway(_) | Stage::Failed { .. }) => {}
        None => bound(mirror.asks.len().saturating_add(1), Bound::Asks)?,
    }
    Ok(Some(Fact::Cancelled { request, by, bytes }))
}

/// Where the chain says that it stands.
fn untold_of(mirror: &Mirror, payment: B256) -> Option<Progress> {
    life::Progress::of(mirror.tip.mandate.state_of(payment)).map(Progress::Like)
}

/// The port's word on something that is still its errand.
fn sent(mirror: &Mirror, payment: B256, transaction: B256) -> Option<Fact> {
    let errand = mirror.asks.get(&payment).and_then(Ask::errand)?;
    (!errand.transactions.contains(&transaction)).then_some(Fact::Sent { payment, transaction })
}

fn answered(mirror: &Mirror, payment: B256, turn: u32, answer: Answer) -> Option<Fact> {
    let ask = mirror.asks.get(&payment).filter(|ask| ask.errand().is_some() && ask.turn == turn)?;
    let is_ours = untold(mirror, ask.request.payment).is_ok();
    is_ours.then_some(Fact::Answered { payment, answer })
}
