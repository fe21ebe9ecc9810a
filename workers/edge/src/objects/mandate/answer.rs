//! What the object of a mandate is asked, as commands of its core, and what it answers.

use api::binding::{Caller, MandateAsk, MandateCall, MandateReply};
use api::inbound::mandate::{Deed, Requested, Said, nothing_to_record};
use api::outbound::mandate::{
    Standing, Viewer, approval, budget, completed, entries, evaluation, mandate, payment, refused,
};
use api::settings::Ledger;
use eip712::{Address, B256};
use mandate::Token;
use mandate::life::{self, Book, Change, Closed, Command, Ending, Filed, Outcome, Refusal};
use primitives::{CorrelationId, Reply};
use shell::{Failure, Step, now};

use super::super::answering::{No, answered, reply, seen, vouched};
use super::{MandateCore, MandateObject};
use crate::config;

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Problem(refused(&refusal))
    }
}

/// What a step came to, for its answer.
struct Came {
    replayed: bool,
    /// Whether it waits for a moment, or for the owner.
    waits: bool,
}

impl MandateObject {
    /// Answers a call whose signature was used.
    pub(super) async fn answer(&self, call: MandateCall) -> Result<MandateReply, Failure> {
        reply(self.judged(call).await)
    }

    async fn judged(&self, call: MandateCall) -> Result<MandateReply, No> {
        let MandateCall { caller, correlation_id, operation, ask, .. } = call;
        let viewer = caller.account();
        let run = |command| self.run(command, correlation_id.clone(), operation.clone());
        match ask {
            MandateAsk::Create { creation, label } => {
                let token = Token::Answers;
                let came = came(run(Command::Create { creation, token, label })?)?;
                self.mandate(viewer, if came.replayed { 200 } else { 201 }, came.replayed)
            }
            MandateAsk::Change(change) => {
                // What an agent does takes a signature.
                let by = if change == Change::Renounce { caller.signer() } else { viewer };
                let by = by.ok_or_else(api::caller::unknown)?;
                let came = came(run(Command::Change { change, by })?)?;
                self.mandate(viewer, if came.waits { 202 } else { 200 }, came.replayed)
            }
            // Only a contract keeps what is to be mirrored, and what others send.
            MandateAsk::Adopt { .. } => Err(Refusal::Unborn.into()),
            MandateAsk::Record { reference, .. } => {
                let filed = self.filed(reference)?;
                self.read(|book| found(book, reference, filed.as_ref()).ok_or(Refusal::UnknownRequest))?;
                Err(nothing_to_record().into())
            }
            MandateAsk::Request(requested) => {
                let payment = requested.request.payment;
                let came = came(run(self.request(*requested, &caller, &correlation_id).await?)?)?;
                let status = match (came.replayed, came.waits) {
                    (true, _) => 200,
                    (false, true) => 202,
                    (false, false) => 201,
                };
                self.payment(payment, viewer, status, came.replayed)
            }
            MandateAsk::Act { reference, said } => {
                let (command, payment) = self.act(reference, said, &caller, &correlation_id).await?;
                let came = came(run(command)?)?;
                self.payment(payment, viewer, 200, came.replayed)
            }
            MandateAsk::Reserve { reservation, hold } => {
                let closed = self.closed(reservation)?;
                came(run(Command::Reserve { reservation, hold, closed })?)?;
                self.reservation(reservation)
            }
            MandateAsk::Commit { reservation, asker, amount } => {
                let closed = self.closed(reservation)?;
                came(run(Command::Commit { reservation, asker, amount, closed })?)?;
                match self.closed(reservation)? {
                    // It came before what it was to pay, of which nothing is held now or ever.
                    Some(Closed { ending: Ending::Released, .. }) => {
                        Err(Refusal::ReservationOver(Ending::Released).into())
                    }
                    closed => seen(&closed),
                }
            }
            MandateAsk::Release { reservation, asker } => {
                let closed = self.closed(reservation)?;
                came(run(Command::Release { reservation, asker, closed })?)?;
                self.reservation(reservation)
            }
            MandateAsk::Show => self.mandate(viewer, 200, false),
            MandateAsk::Entries { from, limit } => {
                seen(&self.read(|book| Ok(entries(book, from, limit, now())))?)
            }
            MandateAsk::Budget { recipient, service } => {
                seen(&self.read(|book| Ok(budget(book, recipient, service, now())))?)
            }
            MandateAsk::Payment { reference } => self.payment(reference, viewer, 200, false),
            MandateAsk::Approval { reference } => {
                let (ledger, filed) = (self.ledger()?, self.filed(reference)?);
                seen(&self.read(|book| {
                    let standing = standing(book, reference, filed.as_ref())?;
                    Ok(approval(book, standing, Viewer::of(book, viewer), &ledger))
                })?)
            }
            MandateAsk::Evaluate { want, fresh } => {
                let ledger = self.ledger()?;
                let asked = self.read(|book| Ok(completed(want, book, now(), fresh)))?;
                let filed = self.filed(asked.request_id)?;
                let judged =
                    self.shell.read(|state| evaluation(state, &asked, filed.as_ref(), &ledger, now()))?;
                seen(&judged?)
            }
        }
    }

    async fn request(
        &self,
        requested: Requested,
        caller: &Caller,
        correlation_id: &CorrelationId,
    ) -> Result<Command, No> {
        let agent = self.read(|book| Ok((book.mandate.agent, book.mandate.agent_kind)))?;
        let signed = vouched(&self.env, requested.signed.clone(), agent, correlation_id).await?;
        let requested = Requested { signed, ..requested };
        let by = requested.by(caller)?;
        let filed = self.filed(requested.request.request_id)?.map(Box::new);
        Ok(Command::Request { request: Box::new(requested.request), by, filed })
    }

    async fn act(
        &self,
        reference: B256,
        said: Said,
        caller: &Caller,
        correlation_id: &CorrelationId,
    ) -> Result<(Command, B256), No> {
        let filed = self.filed(reference)?;
        let (owner, found) = self.read(|book| {
            let found = found(book, reference, filed.as_ref());
            Ok(((book.mandate.owner, book.mandate.owner_kind), found))
        })?;
        let request = match (&said.deed, found) {
            (_, Some(request)) => request,
            (Deed::Cancel { request: Some(request) }, None)
                if [request.payment, request.request_id].contains(&reference) =>
            {
                **request
            }
            (Deed::Cancel { .. } | Deed::Approve { .. } | Deed::Act(_), None) => {
                return Err(Refusal::UnknownRequest.into());
            }
        };
        let payment = request.payment;
        let signed = said.signed(payment, owner.0, &self.ledger()?.domain());
        // Of those whose signature may be a contract's, the owner is one; the others sign the HTTP request.
        let signed = vouched(&self.env, signed, owner, correlation_id).await?;
        let by = said.by(caller, owner.0, signed.as_ref())?;
        let filed = filed.map(Box::new);
        let command = match said.act(signed) {
            Some(act) => Command::Act { payment, act, by, filed },
            None => Command::Cancel { request: Box::new(request), by, filed },
        };
        Ok((command, payment))
    }

    fn read<T>(&self, look: impl FnOnce(&Book) -> Result<T, Refusal>) -> Result<T, No> {
        Ok(self.shell.read(|state| state.book().ok_or(Refusal::Unborn).and_then(look))??)
    }

    fn ledger(&self) -> Result<Ledger, Failure> {
        let unset = || Failure::Configuration("SITE_ORIGIN must be set before there are mandates".to_owned());
        config::config(&self.env)?.ledger.clone().ok_or_else(unset)
    }

    fn mandate(&self, viewer: Option<Address>, status: u16, replayed: bool) -> Result<MandateReply, No> {
        let (ledger, version) = (self.ledger()?, self.shell.version()?);
        let shown = self.read(|book| Ok(mandate(book, version, Viewer::of(book, viewer), &ledger, now())))?;
        answered(status, &shown, replayed)
    }

    fn payment(
        &self,
        reference: B256,
        viewer: Option<Address>,
        status: u16,
        replayed: bool,
    ) -> Result<MandateReply, No> {
        let filed = self.filed(reference)?;
        let shown = self.read(|book| {
            let standing = standing(book, reference, filed.as_ref())?;
            Ok(payment(book, standing, Viewer::of(book, viewer)))
        })?;
        answered(status, &shown, replayed)
    }

    fn reservation(&self, reservation: B256) -> Result<MandateReply, No> {
        seen(&self.closed(reservation)?)
    }
}

/// Whether the step took effect, and what it waits for.
fn came(step: Step<MandateCore>) -> Result<Came, No> {
    let waits = step.events.last().is_some_and(|event| match event.outcome {
        Outcome::Scheduled { .. } => true,
        Outcome::Request { progress, .. } => progress == life::Progress::AwaitingApproval,
        Outcome::Done | Outcome::Reservation { .. } => false,
    });
    match step.reply {
        Reply::Done { replayed, .. } => Ok(Came { replayed, waits }),
        Reply::Refused(refusal) => Err(refusal.into()),
        Reply::OperationReused => Err(api::inbound::mandate::key_reused().into()),
    }
}

/// The request of that payment or id: open, or on file.
fn found(book: &Book, reference: B256, filed: Option<&Filed>) -> Option<mandate::Request> {
    let open = book.requests.values().map(|ask| &ask.request);
    let mut named = open.filter(|request| request.payment == reference || request.request_id == reference);
    named.next().or(filed.map(|filed| &filed.request)).copied()
}

fn standing<'a>(book: &'a Book, reference: B256, filed: Option<&'a Filed>) -> Result<Standing<'a>, Refusal> {
    let request = found(book, reference, filed).ok_or(Refusal::UnknownRequest)?;
    Standing::find(book, request.payment, filed).ok_or(Refusal::UnknownRequest)
}
