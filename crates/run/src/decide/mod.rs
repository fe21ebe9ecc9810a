//! The only place where a run says no.

mod browser;
mod consent;
mod create;
mod owner;
mod payment;
mod ports;
mod wallet;

use primitives::{Digest, UnixMillis};

use crate::next::step;
use crate::{Answer, Command, Creation, Event, Fact, Refusal, Run, State, limits};

/// Judges one command at `now`. What time has done comes first, then what the command does, then what the agent does itself:
/// at most [`limits::STEPS`] of that at once. A refusal that belongs to the run's story is an event,
/// [`Fact::SignalRefused`]: whoever asked has to be told of it as of any other.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let State::Live(run) = state else { return begin(command, now) };
    let mut turn = Turn { at: now.max(run.updated_at), run: run.clone(), events: Vec::new() };
    turn.go_on()?;
    if turn.run.is_first_use(&command) {
        turn.record(Fact::TokenUsed)?;
    }
    turn.judge(command)?;
    turn.go_on()?;
    Ok(turn.events)
}

fn begin(command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Create(creation) => {
            create::check(&creation)?;
            let run = Box::new(Run::new((*creation).clone(), now));
            let events = vec![Event::new(now, Fact::IntentCreated(creation), None)];
            let mut turn = Turn { run, events, at: now };
            turn.go_on()?;
            Ok(turn.events)
        }
        Command::Wake => Ok(Vec::new()),
        Command::Market { .. }
        | Command::Browser { .. }
        | Command::ExecutorLost { .. }
        | Command::Rebind { .. }
        | Command::Wallet(_)
        | Command::Funds { .. }
        | Command::Confirm { .. }
        | Command::Reject
        | Command::Budget { .. }
        | Command::BudgetLapsed { .. }
        | Command::Pay { .. }
        | Command::Settlement { .. }
        | Command::Traced { .. }
        | Command::Cancel => Err(Refusal::Unknown),
    }
}

/// One command on its way.
struct Turn {
    run: Box<Run>,
    events: Vec<Event>,
    /// A run's clock never goes back.
    at: UnixMillis,
}

impl Turn {
    /// The run with one more event. What is held goes back before an event that leaves it behind (R8).
    fn record(&mut self, fact: Fact) -> Result<(), Refusal> {
        self.take(fact, None)
    }

    /// The same, for an event that takes up a result.
    fn take(&mut self, fact: Fact, answers: Option<Answer>) -> Result<(), Refusal> {
        if leaves_hold(&self.run, &fact)
            && let Some(reservation) = self.run.hold().map(|hold| hold.reservation)
        {
            self.append(Fact::BudgetReturned { reservation }, None)?;
        }
        self.append(fact, answers)
    }

    fn append(&mut self, fact: Fact, answers: Option<Answer>) -> Result<(), Refusal> {
        let event = Event::new(self.at, fact, answers);
        self.run.follow(&event).map_err(|why| Refusal::Inconsistent { why: why.to_owned() })?;
        self.events.push(event);
        Ok(())
    }

    /// Lets time and the agent go on until others have the next move.
    fn go_on(&mut self) -> Result<(), Refusal> {
        for _ in 0..limits::STEPS {
            let Some(fact) = step(&self.run, self.at) else { break };
            self.record(fact)?;
        }
        Ok(())
    }

    /// Says no on the record, as long as there is room on it.
    fn refuse(&mut self, signal: &str, refusal: Refusal) -> Result<(), Refusal> {
        if self.run.is_over() || self.run.signals >= limits::SIGNALS {
            return Err(refusal);
        }
        self.record(Fact::SignalRefused { signal: signal.to_owned(), refusal })
    }

    /// The refusal of whatever comes once the run is over.
    fn check_open(&self) -> Result<(), Refusal> {
        if self.run.is_over() { Err(Refusal::Over(self.run.state())) } else { Ok(()) }
    }

    fn judge(&mut self, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Create(creation) => self.create_again(*creation),
            Command::Market { attempt, found } => self.market(attempt, found),
            Command::Browser { executor, command_id, result } => {
                self.browser(&executor, &command_id, *result)
            }
            Command::ExecutorLost { executor, command_id } => self.executor_lost(executor, &command_id),
            Command::Rebind { executor } => self.rebind(executor),
            Command::Wallet(report) => self.wallet(report),
            Command::Funds { number, answer } => self.funds(number, *answer),
            Command::Confirm { digest, amount, signer } => self.confirm(digest, amount, signer),
            Command::Reject => self.reject(),
            Command::Budget { reservation, answer } => self.budget(reservation, answer),
            Command::BudgetLapsed { reservation } => self.budget_lapsed(reservation),
            Command::Pay { payment, claim } => self.pay(payment, claim),
            Command::Settlement { attempt, verdict } => self.settlement(attempt, verdict),
            Command::Traced { attempt, trace } => self.traced(attempt, trace),
            Command::Cancel => self.cancel(),
            Command::Wake => Ok(()),
        }
    }
}

/// Whether an event leaves behind what is held.
fn leaves_hold(run: &Run, fact: &Fact) -> bool {
    let drops_reading = matches!(
        fact,
        Fact::CheckoutInvalidated { .. } | Fact::CandidateRejected { .. } | Fact::WalletDisconnected { .. }
    );
    let ends = matches!(fact, Fact::UserRejected | Fact::Cancelled | Fact::RunFailed { .. });
    let is_bound = matches!(fact, Fact::ExecutorBound { .. }) && !run.stage.is_authorized();
    drops_reading || ends || is_bound
}

impl Run {
    /// Whether the holder of the token shows with this command that it has it. What simulated wallets say is said by us, and
    /// who signs as the mandate's owner has not shown the token.
    fn is_first_use(&self, command: &Command) -> bool {
        if self.is_token_used || self.is_over() {
            return false;
        }
        match command {
            Command::Rebind { .. } | Command::Reject | Command::Cancel => true,
            Command::Confirm { signer, .. } => signer.is_none(),
            Command::Wallet(_) | Command::Pay { .. } => !self.has_simulated_wallet(),
            Command::Create(_)
            | Command::Market { .. }
            | Command::Browser { .. }
            | Command::ExecutorLost { .. }
            | Command::Funds { .. }
            | Command::Budget { .. }
            | Command::BudgetLapsed { .. }
            | Command::Settlement { .. }
            | Command::Traced { .. }
            | Command::Wake => false,
        }
    }
}

/// Whether whoever shows a token with this digest is the run's owner. In constant time.
///
/// # Errors
/// [`Refusal::Unknown`]: what is not theirs looks like what is not there.
pub fn authorize(state: &State, token: &Digest) -> Result<(), Refusal> {
    let run = state.run().filter(|run| run.creation.token.same_as(token));
    run.map(|_| ()).ok_or(Refusal::Unknown)
}

/// Whether there is a run to which an executor may speak. Which one may, [`decide`] says.
///
/// # Errors
/// [`Refusal::Unknown`].
pub fn authorize_executor(state: &State) -> Result<(), Refusal> {
    state.run().map(|_| ()).ok_or(Refusal::Unknown)
}

/// Whether an account, `0x` and 40 hexadecimal digits, is the owner of the run's mandate.
///
/// # Errors
/// [`Refusal::Unknown`]: what is not theirs looks like what is not there.
pub fn authorize_account(state: &State, account: &str) -> Result<(), Refusal> {
    let run = state.run().filter(|run| run.is_mandate_owner(Some(account)));
    run.map(|_| ()).ok_or(Refusal::Unknown)
}

/// The creations are the same but for their tokens.
fn same_but_token(one: &Creation, other: &Creation) -> bool {
    Creation { token: one.token, ..other.clone() } == *one
}
