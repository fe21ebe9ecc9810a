//! The only place where a meter says no.

use primitives::{SettlementId, UnixMillis};

use crate::{
    Book, Command, Event, Fact, Means, Outcome, Refusal, SettlementState, State, Subject, bill, hold, usage,
};

/// Judges one command at `now`. What time has done comes first, whether or not the alarm was in time (B8): the events begin
/// with it, and the command is judged by the state after it. Only the settlement that the command names is left to it, for
/// money that arrives late has arrived.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, mut command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match state {
        State::Unused => begin(command, now)?,
        State::Used(book) => {
            let mut facts = overdue(book, paid(&command), now);
            let fact = if facts.is_empty() {
                judge(book, command, now)?
            } else {
                let mut after = book.clone();
                // Of what cannot follow, the journal says so when it is recorded.
                match facts.iter().try_for_each(|fact| after.take(fact, now)) {
                    Some(()) => {
                        command.learn(book, &after);
                        judge(&after, command, now)?
                    }
                    None => None,
                }
            };
            facts.extend(fact);
            facts
        }
    };
    Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
}

/// The settlement of whose payment the command tells.
fn paid(command: &Command) -> Option<&SettlementId> {
    match command {
        Command::Report { id, .. } => Some(id),
        Command::Begin { .. }
        | Command::Record { .. }
        | Command::Reverse(_)
        | Command::Credit(_)
        | Command::HandOver { .. }
        | Command::Draft { .. }
        | Command::WriteOff { .. }
        | Command::Pass { .. }
        | Command::Submit { .. }
        | Command::Void { .. }
        | Command::Reserve { .. }
        | Command::HoldAnswered { .. }
        | Command::Commit { .. }
        | Command::Release { .. }
        | Command::Wake => None,
    }
}

impl Command {
    /// Takes note that time has ended the bill of what is to be taken back, which is not on file yet: it is open again.
    fn learn(&mut self, before: &Book, after: &Book) {
        let billed = match self {
            Self::Reverse(reversal) => reversal.original.as_mut().map(|original| &mut original.billed),
            Self::Credit(credit) => Some(&mut credit.billed),
            // What else is on file of what has ended says that it is pending, and it is not: that is as good.
            Self::Begin { .. }
            | Self::Record { .. }
            | Self::HandOver { .. }
            | Self::Draft { .. }
            | Self::WriteOff { .. }
            | Self::Pass { .. }
            | Self::Submit { .. }
            | Self::Report { .. }
            | Self::Void { .. }
            | Self::Reserve { .. }
            | Self::HoldAnswered { .. }
            | Self::Commit { .. }
            | Self::Release { .. }
            | Self::Wake => None,
        };
        let has_ended =
            |number: &u64| before.pending.contains_key(number) && !after.pending.contains_key(number);
        if let Some(billed) = billed
            && billed.as_ref().is_some_and(|filed| has_ended(&filed.number))
        {
            *billed = None;
        }
    }
}

/// What time has done by `now` and nobody has recorded.
fn overdue(book: &Book, except: Option<&SettlementId>, now: UnixMillis) -> Vec<Fact> {
    let settlements = book.pending.values().filter(|settlement| Some(&settlement.id) != except);
    let bills = settlements.filter_map(|settlement| {
        let number = settlement.number;
        match &settlement.state {
            SettlementState::Drafted { until } => (*until <= now).then_some(Fact::DraftExpired { number }),
            SettlementState::Submitted { means, until, .. } if means.is_given_up() && *until <= now => {
                let (code, reason) = ("payment_not_found", "No payment of the bill was found in time.");
                let outcome = Outcome::Failed { code: code.to_owned(), reason: reason.to_owned() };
                Some(Fact::Reported { number, outcome })
            }
            SettlementState::Submitted { next_at, .. } => {
                (*next_at <= now).then_some(Fact::Looked { number })
            }
            SettlementState::Verified { .. }
            | SettlementState::Failed { .. }
            | SettlementState::WrittenOff { .. } => None,
        }
    });
    let over = book.reservations.values().filter(|reservation| reservation.until <= now);
    let expired = over.map(|reservation| Fact::ReservationExpired { id: reservation.id.clone() });
    bills.chain(expired).collect()
}

impl Means {
    /// Whether a payment of which nobody knows is given up in the end. A mandate is ours and forgets nothing: it is asked
    /// until it answers.
    pub(crate) const fn is_given_up(&self) -> bool {
        match self {
            Self::X402 { .. } | Self::Transaction { .. } => true,
            Self::Mandate { .. } | Self::Reservation { .. } => false,
        }
    }
}

/// Whose usage of what the command is about, if it can be the first.
fn subject(command: &Command) -> Result<&Subject, Refusal> {
    match command {
        Command::Begin { subject }
        | Command::Record { subject, .. }
        | Command::HandOver { subject, .. }
        | Command::Draft { subject, .. }
        | Command::WriteOff { subject, .. }
        | Command::Pass { subject, .. }
        | Command::Reserve { subject, .. } => Ok(subject),
        Command::Reverse(_) => Err(Refusal::UnknownEvent),
        Command::Credit(_) => Err(Refusal::WrongRound),
        Command::Submit { .. } | Command::Report { .. } | Command::Void { .. } => {
            Err(Refusal::UnknownSettlement)
        }
        Command::Commit { .. } | Command::Release { .. } => Err(Refusal::UnknownReservation),
        Command::HoldAnswered { .. } | Command::Wake => Err(Refusal::NothingUsed),
    }
}

fn begin(command: Command, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    if let Command::Wake | Command::HoldAnswered { .. } = command {
        return Ok(Vec::new());
    }
    let subject = subject(&command)?.clone();
    if let Command::Begin { .. } = command {
        return Ok(vec![Fact::Begun { subject }]);
    }
    let first = judge(&Book::new(subject.clone(), now), command, now);
    match first {
        Err(Refusal::NothingToSettle) => Err(Refusal::NothingUsed),
        Err(refusal) => Err(refusal),
        Ok(None) => Ok(Vec::new()),
        Ok(Some(fact)) => Ok(vec![Fact::Begun { subject }, fact]),
    }
}

/// What is to be recorded; nothing when the command only repeats what was done.
fn judge(book: &Book, command: Command, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match command {
        Command::Record { items, window, gate, .. } => usage::record(book, items, window, gate, now),
        Command::Reverse(reversal) => usage::reverse(book, *reversal),
        Command::Credit(credit) => usage::credit(book, *credit),
        Command::HandOver { round, .. } => bill::hand_over(book, round),
        Command::Draft { id, parts, wait, .. } => bill::draft(book, id, parts, wait, now),
        Command::WriteOff { id, parts, .. } => bill::write_off(book, id, parts, now),
        Command::Pass { parts, .. } => bill::pass(book, &parts),
        Command::Submit { id, means, filed } => bill::submit(book, &id, means, filed.as_deref()),
        Command::Report { id, means, outcome, filed } => {
            bill::report(book, &id, &means, outcome, filed.as_deref())
        }
        Command::Void { id, filed } => bill::void(book, &id, filed.as_deref()),
        Command::Reserve { order, filed, .. } => hold::reserve(book, *order, filed.as_deref(), now),
        Command::HoldAnswered { id, refused } => Ok(hold::answered(book, id, refused)),
        Command::Commit { id, item, settlement, filed } => {
            hold::commit(book, id, *item, settlement, filed.as_deref(), now)
        }
        Command::Release { id, filed } => hold::release(book, id, filed.as_deref()),
        Command::Begin { .. } | Command::Wake => Ok(None),
    }
}
