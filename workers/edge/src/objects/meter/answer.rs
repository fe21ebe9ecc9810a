//! What a meter is asked, as commands of its core, and what it answers.

use api::binding::meter::{Billed, Counted, MeterAnswer, MeterAsk, MeterReply, Rest, Said};
use meter::{
    Command, Credit, EventKey, Gate, Item, Known, Order, Refusal, Reversal, Subject, Verdict, Window, quote,
};
use primitives::{CorrelationId, Digest, Operation, Reply, ReservationId, SettlementId};
use shell::{Failure, Step, now};
use tariff::{Quantity, Version};

use super::{Inner, MeterCore};
use crate::ports::objects;

/// A no, the core's or the journal's of operations, or what keeps this from answering.
pub(super) enum No {
    Refused(Refusal),
    Reused,
    Failure(Failure),
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Events as they were sent, with the prices that they name.
struct Bulk {
    subject: Subject,
    prices: Vec<Version>,
    events: Vec<Said>,
    window: Window,
    gate: Gate,
}

impl Inner {
    pub(super) async fn answered(&self, ask: MeterAsk, id: &CorrelationId) -> Result<MeterReply, Failure> {
        match self.judged(ask, id).await {
            Ok(answer) => Ok(MeterReply::Done(answer)),
            Err(No::Refused(refusal)) => Ok(MeterReply::Refused(refusal)),
            Err(No::Reused) => Ok(MeterReply::OperationReused),
            Err(No::Failure(failure)) => Err(failure),
        }
    }

    async fn judged(&self, ask: MeterAsk, id: &CorrelationId) -> Result<MeterAnswer, No> {
        match ask {
            MeterAsk::Begin { subject } => {
                if self.is_unused()? {
                    objects::know(&self.env, self.shell.name()).await?;
                }
                done(self.run(Command::Begin { subject }, id, None)?)?;
                Ok(MeterAnswer::Done)
            }
            MeterAsk::Record { subject, prices, events, window, gate } => {
                self.record(Bulk { subject, prices, events, window, gate }, id).await
            }
            MeterAsk::Reverse { key, fingerprint, of } => self.reverse(key, fingerprint, of, id),
            MeterAsk::Find { key } => {
                if self.has_event(&key)? {
                    Ok(MeterAnswer::Done)
                } else {
                    Err(Refusal::UnknownEvent.into())
                }
            }
            MeterAsk::Note { key, fingerprint } => self.note(&key, &fingerprint),
            MeterAsk::Unnote { key, fingerprint } => {
                self.noted.unnote(&key, &fingerprint)?;
                Ok(MeterAnswer::Done)
            }
            MeterAsk::Look { others } => self.look(&others),
            MeterAsk::HandOver { subject, round } => {
                done(self.run(Command::HandOver { subject, round }, id, None)?)?;
                let handed = self.shell.read(|state| state.book().and_then(|book| book.handed.clone()))?;
                Ok(MeterAnswer::HandedOver(handed.ok_or(Refusal::NothingUsed)?))
            }
            MeterAsk::Draft { subject, id: settlement, parts, wait, operation } => {
                let pass = Command::Pass { subject: subject.clone(), parts: parts.clone() };
                self.draw(Command::Draft { subject, id: settlement, parts, wait }, pass, operation, id)
            }
            MeterAsk::WriteOff { subject, id: settlement, parts, operation } => {
                let pass = Command::Pass { subject: subject.clone(), parts: parts.clone() };
                self.draw(Command::WriteOff { subject, id: settlement, parts }, pass, operation, id)
            }
            MeterAsk::Credit { key, round, version, quantity } => {
                let (known, billed) = (self.credited(&key)?, self.bill_of(round)?);
                let credit = Credit { key, round, version, quantity, known, billed };
                done(self.run(Command::Credit(Box::new(credit)), id, None)?)?;
                Ok(MeterAnswer::Done)
            }
            MeterAsk::Settlement { id } => self.settlement(&id, false),
            MeterAsk::Submit { id: settlement, means } => {
                let filed = self.document(&settlement)?;
                self.change(&settlement, Command::Submit { id: settlement.clone(), means, filed }, id).await
            }
            MeterAsk::Report { id: settlement, means, outcome } => {
                let filed = self.document(&settlement)?;
                let command = Command::Report { id: settlement.clone(), means, outcome, filed };
                self.change(&settlement, command, id).await
            }
            MeterAsk::Void { id: settlement } => {
                let filed = self.document(&settlement)?;
                self.change(&settlement, Command::Void { id: settlement.clone(), filed }, id).await
            }
            MeterAsk::Reserve { subject, order } => self.reserve(subject, order, id).await,
            MeterAsk::Reservation { id } => self.reservation(&id, None, false),
            MeterAsk::Commit { id: reservation, item, settlement } => {
                self.commit(reservation, item, settlement, id).await
            }
            MeterAsk::Release { id: reservation } => {
                let filed = self.reserved(&reservation)?.map(|kept| Box::new(kept.reservation));
                let step = self.run(Command::Release { id: reservation.clone(), filed }, id, None)?;
                let replayed = done(step)?;
                self.drain().await?;
                self.reservation(&reservation, None, replayed)
            }
            MeterAsk::Events { before, limit } => Ok(MeterAnswer::Events(self.events(before, limit)?)),
            MeterAsk::Journal => Ok(MeterAnswer::Journal(self.shell.journal().entries()?)),
            MeterAsk::Project => {
                self.tell_again().await?;
                Ok(MeterAnswer::Done)
            }
        }
    }

    /// Records what can be recorded of a bulk, all of it with one event.
    async fn record(&self, bulk: Bulk, id: &CorrelationId) -> Result<MeterAnswer, No> {
        let Bulk { subject, prices, events, window, gate } = bulk;
        let mut items: Vec<Item> = events.into_iter().map(|said| item(said, &prices)).collect();
        let judge = |items: &[Item]| {
            self.shell.read(|state| meter::verdicts(state, &subject, items, window, gate, now()))
        };
        let counts =
            |verdicts: &[Verdict]| verdicts.iter().any(|verdict| matches!(verdict, Verdict::Recorded { .. }));
        // Known to whoever has to find it before it is there. What is refused leaves nothing behind.
        if self.is_unused()? && counts(&judge(&items)?) {
            self.register(&subject, id).await?;
        }
        let known = self.known(items.iter().map(|item| (&item.key, &item.fingerprint)))?;
        for (item, known) in items.iter_mut().zip(known) {
            item.known = known;
        }
        let verdicts = judge(&items)?;
        if counts(&verdicts) {
            done(self.run(Command::Record { subject, items, window, gate }, id, None)?)?;
        }
        let version = self.shell.version()?;
        Ok(MeterAnswer::Recorded { verdicts, open: self.open()?, version })
    }

    fn open(&self) -> Result<Quantity, Failure> {
        let open = self.shell.read(|state| {
            let open = state.book().map(|book| book.open.values());
            open.into_iter().flatten().try_fold(Quantity::ZERO, |sum, open| sum.plus(open.quantity))
        })?;
        open.ok_or_else(|| Failure::Corrupt("more is open than can be counted".to_owned()))
    }

    fn reverse(
        &self,
        key: EventKey,
        fingerprint: Digest,
        of: EventKey,
        id: &CorrelationId,
    ) -> Result<MeterAnswer, No> {
        let (known, original) = (self.known_one(&key, &fingerprint)?, self.original(&of)?);
        let quantity = original.as_ref().map(|original| original.quantity).unwrap_or_default();
        let reversal = Reversal { key, fingerprint, of, known, original };
        let replayed = done(self.run(Command::Reverse(Box::new(reversal)), id, None)?)?;
        Ok(MeterAnswer::Reversed { quantity, version: self.shell.version()?, replayed })
    }

    fn note(&self, key: &EventKey, fingerprint: &Digest) -> Result<MeterAnswer, No> {
        // An event of the same words is kept here itself: it is not what is about to happen elsewhere.
        let is_kept = !self.is_unused()? && self.has_event(key)?;
        if is_kept || !self.noted.note(key, fingerprint)? {
            return Err(Refusal::EventConflict.into());
        }
        Ok(MeterAnswer::Done)
    }

    fn look(&self, others: &[Rest]) -> Result<MeterAnswer, No> {
        let version = self.shell.version()?;
        let counted = self.shell.read(|state| {
            let book = state.book()?;
            let untaken = |rest: &Rest| {
                rest.handed.clone().filter(|handed| handed.round > book.round).map(|handed| handed.open)
            };
            let others: Vec<_> = others
                .iter()
                .flat_map(|rest| rest.open.iter().cloned().chain(untaken(rest).unwrap_or_default()))
                .collect();
            let is_first = book.subject.shard == 0;
            Some(Box::new(Counted {
                subject: book.subject.clone(),
                version,
                since: book.since,
                last_at: book.last_at,
                open: book.open.values().cloned().collect(),
                handed: book.handed.clone(),
                round: book.round,
                totals: book.totals.clone(),
                // What a reservation pays waits beside the bill.
                pending: book
                    .pending
                    .values()
                    .find(|settlement| settlement.round.is_some())
                    .map(|settlement| settlement.id.clone()),
                quote: is_first.then(|| quote(state, &others).ok()).flatten(),
            }))
        })?;
        Ok(MeterAnswer::Counted(counted))
    }

    /// Draws up a bill, or writes off what one would say.
    fn draw(
        &self,
        command: Command,
        pass: Command,
        operation: Option<Operation>,
        id: &CorrelationId,
    ) -> Result<MeterAnswer, No> {
        match self.run(command, id, operation)?.reply {
            Reply::Done { answer, replayed } => {
                let billed = self.billed_as(answer)?.ok_or(Refusal::UnknownSettlement)?;
                Ok(MeterAnswer::Settlement { billed: Box::new(billed), replayed })
            }
            Reply::Refused(refusal @ (Refusal::NothingToSettle | Refusal::NothingUsed)) => {
                // Shards that have handed over nothing are to hand over in another round what they have next.
                done(self.run(pass, id, None)?)?;
                Err(refusal.into())
            }
            Reply::Refused(refusal) => Err(refusal.into()),
            Reply::OperationReused => Err(No::Reused),
        }
    }

    /// Takes a settlement on, and sees to what that owes before it says where it stands.
    async fn change(
        &self,
        settlement: &SettlementId,
        command: Command,
        id: &CorrelationId,
    ) -> Result<MeterAnswer, No> {
        let replayed = done(self.run(command, id, None)?)?;
        self.drain().await?;
        self.settlement(settlement, replayed)
    }

    fn settlement(&self, id: &SettlementId, replayed: bool) -> Result<MeterAnswer, No> {
        let billed = self.billed(id)?.ok_or(Refusal::UnknownSettlement)?;
        Ok(MeterAnswer::Settlement { billed: Box::new(billed), replayed })
    }

    async fn reserve(
        &self,
        subject: Subject,
        order: Box<Order>,
        id: &CorrelationId,
    ) -> Result<MeterAnswer, No> {
        let reservation = order.id.clone();
        // One that is over is on file: asked for again, it is answered with how it ended.
        let filed = self.reserved(&reservation)?.map(|kept| Box::new(kept.reservation));
        if self.is_unused()? {
            self.register(&subject, id).await?;
        }
        let replayed = done(self.run(Command::Reserve { subject, order, filed }, id, None)?)?;
        self.drain().await?;
        self.reservation(&reservation, None, replayed)
    }

    async fn commit(
        &self,
        reservation: ReservationId,
        mut item: Box<Item>,
        settlement: SettlementId,
        id: &CorrelationId,
    ) -> Result<MeterAnswer, No> {
        item.known = self.known_one(&item.key, &item.fingerprint)?;
        let filed = self.reserved(&reservation)?.map(|kept| Box::new(kept.reservation));
        let command = Command::Commit { id: reservation.clone(), item, settlement, filed };
        let replayed = done(self.run(command, id, None)?)?;
        self.drain().await?;
        let kept = self.reserved(&reservation)?.ok_or(Refusal::UnknownReservation)?;
        let billed = match &kept.reservation.state {
            meter::ReservationState::Committed { settlement } => self.billed(settlement)?,
            meter::ReservationState::Asked
            | meter::ReservationState::Held
            | meter::ReservationState::Refused { .. }
            | meter::ReservationState::Released
            | meter::ReservationState::Expired => None,
        };
        self.reservation(&reservation, billed, replayed)
    }

    fn reservation(
        &self,
        id: &ReservationId,
        billed: Option<Billed>,
        replayed: bool,
    ) -> Result<MeterAnswer, No> {
        let kept = Box::new(self.reserved(id)?.ok_or(Refusal::UnknownReservation)?);
        Ok(MeterAnswer::Reservation { kept, billed: billed.map(Box::new), replayed })
    }
}

fn item(said: Said, prices: &[Version]) -> Item {
    let Said { key, fingerprint, at, quantity, price } = said;
    let price = price.and_then(|number| prices.iter().find(|version| version.number == number).cloned());
    Item { key, fingerprint, at, quantity, price, known: Known::Fresh }
}

/// Whether it had taken effect before.
fn done(step: Step<MeterCore>) -> Result<bool, No> {
    match step.reply {
        Reply::Done { replayed, .. } => Ok(replayed),
        Reply::Refused(refusal) => Err(refusal.into()),
        Reply::OperationReused => Err(No::Reused),
    }
}
