//! The object of one mandate, with the part of a shell: the rows that it filed, by payment and by request id.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{B256, Bytes};
use mandate::life::{
    self, Act, Command, Effect, Event, Fact, Filed, Outcome, Progress, Refusal, Stage, State,
};
use mandate::{By, Mandate, Request, SignedApproval, UnixSeconds};

/// What the object is asked for one step.
pub(crate) struct Asked {
    pub(crate) mandate: B256,
    pub(crate) command: Command,
    /// The owner's approval that came with a request.
    pub(crate) approval: Option<SignedApproval>,
}

/// What it answered.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It happened. A request stands there then.
    Did(Option<Progress>),
    /// It was done before, and the request stands there.
    Stood(Progress),
    /// It did not happen.
    Refused(Refusal),
}

/// What time has done to an escrow, as the contract is to be told of it.
#[derive(Clone)]
pub(crate) struct Lapse {
    pub(crate) order: Request,
    pub(crate) due: UnixSeconds,
    pub(crate) progress: Progress,
    pub(crate) paid: u128,
}

#[derive(Clone, Default)]
pub(crate) struct Object {
    pub(crate) state: State,
    pub(crate) filed: BTreeMap<B256, Filed>,
    names: BTreeMap<B256, B256>,
    /// The payments of all requests that ever stood somewhere.
    pub(crate) heard: BTreeSet<B256>,
    /// What time has done to escrows and the contract was not told.
    pub(crate) lapses: Vec<Lapse>,
    /// How many waits for an approval or a submission have run out.
    pub(crate) waits: u64,
    /// What its latest answer says was paid and returned.
    pub(crate) moved: (u128, u128),
}

impl Object {
    pub(crate) fn mandate(&self) -> Option<&Mandate> {
        self.state.book().map(|book| &book.mandate)
    }

    pub(crate) fn progress(&self, payment: B256) -> Option<Progress> {
        life::progress(&self.state, payment, self.filed.get(&payment))
    }

    /// Every request that it knows: open, waiting and over.
    pub(crate) fn requests(&self) -> impl Iterator<Item = Request> {
        let open = self.state.book().into_iter().flat_map(|book| book.requests.values());
        open.map(|ask| ask.request).chain(self.filed.values().map(|filed| filed.request))
    }

    /// The alarm rings at each deadline, as long as there is one that is not after `now`.
    pub(crate) fn wakes_in_time(&mut self, now: UnixSeconds) {
        while let Some(due) = life::deadline(&self.state).filter(|due| UnixSeconds::from(*due) <= now) {
            self.rings(due.into());
        }
    }

    /// The alarm rings at `now`, until nothing is due.
    pub(crate) fn wakes(&mut self, now: UnixSeconds) {
        while life::deadline(&self.state).is_some_and(|due| UnixSeconds::from(due) <= now) {
            self.rings(now);
        }
    }

    fn rings(&mut self, now: UnixSeconds) {
        let events = self.hears(Command::Wake, now).unwrap();
        assert!(!events.is_empty(), "nothing is recorded of what is due at {now:?}");
    }

    /// A request that needs an approval gets the one that came with it, and is submitted: every second one by asking again.
    pub(crate) fn answers(&mut self, asked: &Asked, now: UnixSeconds) -> Answer {
        self.moved = (0, 0);
        self.asked(asked, now).unwrap_or_else(Answer::Refused)
    }

    fn asked(&mut self, asked: &Asked, now: UnixSeconds) -> Result<Answer, Refusal> {
        let mut did = self.does(asked.command.clone(), now)?;
        let payment = match &asked.command {
            Command::Request { request, .. } | Command::Cancel { request, .. } => request.payment,
            Command::Act { payment, .. } => *payment,
            _ => return Ok(Answer::Did(None)),
        };
        if let (Command::Request { by, .. }, Some(approval)) = (&asked.command, asked.approval)
            && self.progress(payment) == Some(Progress::AwaitingApproval)
        {
            let act = |act, by| Command::Act { payment, act, by, filed: None };
            let yes = Act::Approve { approval, bytes: Bytes::new() };
            self.does(act(yes, By::caller(self.mandate().unwrap().owner)), now)?;
            let again = payment.0[31] % 2 == 0;
            did = self.does(if again { asked.command.clone() } else { act(Act::Submit, *by) }, now)?;
        }
        let stands = self.progress(payment);
        self.heard.extend(stands.map(|_| payment));
        Ok(match stands {
            Some(progress) if !did => Answer::Stood(progress),
            Some(_) | None => Answer::Did(stands),
        })
    }

    /// Whether a command did anything.
    fn does(&mut self, command: Command, now: UnixSeconds) -> Result<bool, Refusal> {
        let events = self.hears(command, now)?;
        let own = events.iter().find(|event| !matches!(event.fact, Fact::Lapsed { .. }));
        if let Some(Event { outcome: Outcome::Request { paid, returned, .. }, .. }) = own {
            self.moved = (paid.0, returned.0);
        }
        Ok(own.is_some())
    }

    fn hears(&mut self, command: Command, now: UnixSeconds) -> Result<Vec<Event>, Refusal> {
        let events = life::decide(&self.state, self.informed(command), now.into())?;
        for event in &events {
            self.note_lapse(event);
            for effect in life::effects(&self.state, event) {
                if let Effect::File(filed) = effect {
                    self.names.insert(filed.request.request_id, filed.request.payment);
                    self.filed.insert(filed.request.payment, *filed);
                }
            }
            self.state = life::apply(core::mem::take(&mut self.state), event).unwrap();
        }
        Ok(events)
    }

    /// The command with the row that the object filed under the name in it.
    fn informed(&self, mut command: Command) -> Command {
        let row = |payment: &B256| self.filed.get(payment).cloned().map(Box::new);
        match &mut command {
            Command::Request { request, filed, .. } | Command::Cancel { request, filed, .. } => {
                *filed = self.names.get(&request.request_id).and_then(row);
            }
            Command::Act { payment, filed, .. } => *filed = row(payment),
            _ => {}
        }
        command
    }

    fn note_lapse(&mut self, event: &Event) {
        let Fact::Lapsed { payment, due } = event.fact else { return };
        let ask = &self.state.book().unwrap().requests[&payment];
        let Outcome::Request { progress, paid, .. } = event.outcome else { return };
        match ask.stage {
            Stage::Waiting { .. } | Stage::Approved { .. } => self.waits += 1,
            Stage::Open => self.lapses.push(Lapse { order: ask.request, due, progress, paid: paid.0 }),
        }
    }
}
