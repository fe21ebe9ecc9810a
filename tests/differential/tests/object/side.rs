//! The contract's model and the objects of its mandates, step by step side by side.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256};
use differential::{Action, Actor, Approval, Book, CreditKey, Dice, EscrowCall, Item, Outcome, Signed, Step};
use mandate::life::{Filed, Progress, Refusal, Stage};
use mandate::{Mandate, Payment, Reason, Refused, Request, State, UnixSeconds};

use crate::express::{cancel, express, request};
use crate::judge::{Case, Difference, REUSED, TIME, Verdict, WAIT, subject};
use crate::shell::{Answer, Lapse, Object};

/// When the objects' alarms ring.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Alarm {
    /// At each deadline.
    InTime,
    /// When the next step comes.
    Late,
    /// Not before the next command, which brings the time itself.
    Never,
}

impl Alarm {
    pub(crate) const ALL: [Self; 3] = [Self::InTime, Self::Late, Self::Never];
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Steps in all, the requests of a batch one by one.
    pub(crate) steps: u64,
    /// Those that happened on both sides.
    pub(crate) done: u64,
    /// Those that both sides refused with one answer, by reason.
    pub(crate) refused: BTreeMap<Reason, u64>,
    /// Those that differ by design.
    pub(crate) differ: BTreeMap<&'static str, u64>,
    /// Those that the object has no words for.
    pub(crate) unexpressed: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn saw(&mut self, difference: Difference, times: u64) {
        *self.differ.entry(difference.0).or_default() += times;
    }

    /// How many of a thousand steps were compared, and how many had one answer.
    pub(crate) fn shares(&self) -> [u64; 2] {
        let same = self.done + self.refused.values().sum::<u64>();
        [self.steps - self.unexpressed.values().sum::<u64>(), same].map(|steps| steps * 1_000 / self.steps)
    }
}

pub(crate) struct Sides {
    objects: BTreeMap<B256, Object>,
    alarm: Alarm,
    pub(crate) tally: Tally,
    /// Whether the contract was spared a step, or told of one that is not in the sequence.
    pub(crate) has_strayed: bool,
}

type Compared<T = ()> = Result<T, String>;

impl Sides {
    /// Before the first step of a sequence; `tally` is what others showed.
    pub(crate) fn new(alarm: Alarm, tally: Tally) -> Self {
        Self { objects: BTreeMap::new(), alarm, tally, has_strayed: false }
    }

    /// Lets both take a step. A batch is taken request by request. The contract's answer to any other step.
    pub(crate) fn take(&mut self, book: &mut Book, step: &Step) -> Compared<Option<Outcome>> {
        match &step.action {
            Action::AuthorizeBatch { items, .. } if matches!(book.clone().take(step), Outcome::Batch(_)) => {
                for item in items {
                    self.one(book, &Step { action: Action::Authorize(*item), ..step.clone() })?;
                }
                Ok(None)
            }
            _ => self.one(book, step).map(Some),
        }
    }

    fn one(&mut self, book: &mut Book, step: &Step) -> Compared<Outcome> {
        self.tally.steps += 1;
        let asked = express(book, step);
        let meant = asked.as_ref().ok().map(|asked| asked.mandate);
        for (id, object) in &mut self.objects {
            match self.alarm {
                Alarm::InTime => object.wakes_in_time(step.at),
                Alarm::Never if Some(*id) == meant => {}
                Alarm::Late | Alarm::Never => object.wakes(step.at),
            }
        }
        let asked = match asked {
            Ok(asked) => asked,
            Err(why) => {
                *self.tally.unexpressed.entry(why).or_default() += 1;
                self.tell(book)?;
                let outcome = book.take(step);
                self.agree(book)?;
                return Ok(outcome);
            }
        };
        let object = self.objects.entry(asked.mandate).or_default();
        let mut before = object.clone();
        before.wakes(step.at);
        let answer = object.answers(&asked, step.at);
        object.wakes(step.at);
        self.tell(book)?;
        before.lapses.clear();
        let contract = book.clone();
        let outcome = book.take(step);
        let was = subject(step).and_then(|order| before.progress(order.payment));
        let case = Case { book: &contract, step, was, outcome: &outcome, answer: &answer };
        let verdict = case.verdict().ok_or_else(|| {
            format!("the answers differ\n  contract: {outcome:?}\n  object:   {answer:?}, {was:?} before")
        })?;
        match verdict {
            Verdict::Same => self.same(&contract, book, step, &outcome, asked.mandate)?,
            Verdict::Differ(difference) => self.tally.saw(difference, 1),
            Verdict::ContractMoved(difference) => {
                self.tally.saw(difference, 1);
                self.has_strayed = true;
                *book = contract;
            }
            Verdict::ObjectMoved(difference) => {
                self.tally.saw(difference, 1);
                self.objects.insert(asked.mandate, before);
            }
        }
        self.agree(book)?;
        Ok(outcome)
    }

    fn same(&mut self, before: &Book, after: &Book, step: &Step, outcome: &Outcome, id: B256) -> Compared {
        match (outcome, &step.action) {
            (Outcome::Refused(refused), _) => *self.tally.refused.entry(refused.reason).or_default() += 1,
            (_, Action::Escrow { order, call, .. }) => {
                self.tally.done += 1;
                let (paid, returned) = self.objects[&id].moved;
                let gain = match call {
                    EscrowCall::Refund { .. } => -signed(returned),
                    _ => signed(paid),
                };
                equal("what the provider gains", &(gained(after, order) - gained(before, order)), &gain)?;
                let free = |book: &Book| signed(book.mandates[&id].funds.available().0);
                equal("what returns", &(free(after) - free(before)), &signed(returned))?;
            }
            _ => self.tally.done += 1,
        }
        Ok(())
    }

    /// Tells the contract what time has done, by anyone's call at that moment.
    fn tell(&mut self, book: &mut Book) -> Compared {
        for object in self.objects.values_mut() {
            self.tally.saw(WAIT, core::mem::take(&mut object.waits));
            for Lapse { order, due, progress, paid } in object.lapses.drain(..) {
                self.tally.saw(TIME, 1);
                self.has_strayed = true;
                let call = match progress {
                    Progress::TimedOut => EscrowCall::TimeOut,
                    Progress::Settled if paid > 0 => EscrowCall::Claim,
                    _ => EscrowCall::Expire,
                };
                let had = gained(book, &order);
                let action = Action::Escrow { order, call, signed: Signed::Nothing };
                let outcome = book.take(&Step { at: due, by: Actor::Stranger, action });
                equal("the answer to what time has done", &outcome, &Outcome::Done)?;
                equal("what time pays", &(gained(book, &order) - had), &signed(paid))?;
            }
        }
        Ok(())
    }

    /// Compares all that both keep of each mandate and its payments.
    fn agree(&self, book: &Book) -> Compared {
        for (id, object) in &self.objects {
            match (book.mandates.get(id), object.mandate()) {
                (None, None) => {}
                (Some(of), Some(kept)) => agree(of, kept, object)?,
                (of, kept) => return Err(format!("one has the mandate\n  {of:?}\n  {kept:?}")),
            }
        }
        Ok(())
    }

    /// Asks again for something that waits, or whose wait ran out, mostly with a good approval.
    pub(crate) fn again(&self, book: &Book, dice: &mut Dice, at: UnixSeconds) -> Option<Step> {
        let waits = |object: &Object, order: &Request| {
            let is_unheard = |progress: Progress| progress.state() == State::None;
            object.progress(order.payment).is_some_and(is_unheard)
        };
        let all = self.objects.values().flat_map(|object| {
            object.requests().filter(move |order| waits(object, order)).collect::<Vec<_>>()
        });
        let all: Vec<_> = all.collect();
        let order = (!all.is_empty()).then(|| dice.of(&all))?;
        let of = &book.mandates[&order.mandate];
        let key = |party| book.sites.cast.actor(party).unwrap_or(Actor::Stranger).key_holder();
        let owner = key(of.owner);
        let approval = Approval {
            approver: of.owner,
            valid_before: UnixSeconds(at.0 + dice.of(&[0, 1, 3_600, 86_400])),
            signed: dice.weighted(&[
                (6, Signed::Well(owner)),
                (2, Signed::Nothing),
                (1, Signed::Short(owner)),
            ]),
        };
        let agent = dice.weighted(&[(4, Signed::Well(key(of.agent))), (1, Signed::Nothing)]);
        let item = Item { order, agent, approval };
        Some(Step { at, by: Actor::Stranger, action: Action::Authorize(item) })
    }

    /// At the end of a sequence: another request under an id that stands for one is refused, and one of another mandate.
    pub(crate) fn end(&mut self, book: &Book, now: UnixSeconds) -> Compared {
        let mut times = 0;
        for (object, of) in self.objects.values().filter_map(|object| Some((object, object.mandate()?))) {
            for order in object.requests() {
                let twin = Request { payment: !order.payment, job_hash: !order.job_hash, ..order };
                for asked in [request(&twin, of.agent), cancel(&twin, mandate::By::caller(of.agent))] {
                    let answer = object.clone().answers(&asked, now);
                    if !matches!(answer, Answer::Refused(Refusal::RequestIdReused)) {
                        return Err(format!("a request id was used again: {answer:?}"));
                    }
                    times += 1;
                }
                let elsewhere = Request { mandate: !of.id, request_id: !order.request_id, ..twin };
                let answer = object.clone().answers(&request(&elsewhere, of.agent), now);
                let unknown = Refused::new(Reason::UnknownMandate, elsewhere.mandate, 0);
                if !matches!(&answer, Answer::Refused(Refusal::Rules { first, .. }) if *first == unknown) {
                    return Err(format!("a request of another mandate: {answer:?}"));
                }
            }
        }
        self.tally.saw(REUSED, times);
        self.agree(book)
    }
}

fn agree(of: &Mandate, kept: &Mandate, object: &Object) -> Compared {
    let bare = |of: &Mandate| Mandate { payments: BTreeMap::new(), ..of.clone() };
    equal("the mandate", &bare(of), &bare(kept))?;
    let open = |(name, payment): (&B256, &Payment)| payment.state.is_open().then_some((*name, *payment));
    let (told, has): (BTreeMap<_, _>, _) =
        (of.payments.iter().filter_map(open).collect(), kept.payments.clone());
    equal("the open payments", &told, &has)?;
    for (name, payment) in of.payments.iter().filter(|(_, payment)| payment.state.is_final()) {
        let row = object.filed.get(name).ok_or_else(|| format!("{name} is over and not on file"))?;
        equal("the state of what is over", &payment.state, &row.progress.state())?;
        // What was cancelled was never a payment of the object's.
        let payment = Some(*payment).filter(|_| row.progress != Progress::Cancelled);
        equal("the payment that is over", &payment, &row.payment)?;
    }
    for Filed { request, progress, .. } in object.filed.values() {
        equal("what is on file", &of.state_of(request.payment), &progress.state())?;
    }
    for ask in object.state.book().into_iter().flat_map(|book| book.requests.values()) {
        let is_known = of.payments.contains_key(&ask.request.payment);
        equal("whether a request has a payment", &is_known, &(ask.stage == Stage::Open))?;
        if let Stage::Waiting { until } | Stage::Approved { until, .. } = ask.stage {
            let end = ask.request.valid_before.min(ask.request.deliver_by);
            equal("the end of a wait", &until.min(end), &until)?;
        }
    }
    let lost = object.heard.iter().find(|payment| object.progress(**payment).is_none());
    equal("what was heard and is lost", &None, &lost)?;
    Ok(())
}

/// All that the recipient of an order has ever been paid or credited by the mandate's owner, up to what else it holds.
fn gained(book: &Book, order: &Request) -> i128 {
    let Some(of) = book.mandates.get(&order.mandate) else { return 0 };
    let key = CreditKey { owner: of.owner, token: of.token, recipient: order.recipient };
    let credit = book.credits.get(&key).map_or(0, |credit| credit.earned.0);
    signed(credit) + signed(book.holdings.get::<Address>(&order.recipient).copied().unwrap_or_default())
}

fn signed(amount: u128) -> i128 {
    i128::try_from(amount).unwrap()
}

fn equal<T: PartialEq + core::fmt::Debug>(what: &str, contract: &T, object: &T) -> Compared {
    if contract == object {
        Ok(())
    } else {
        Err(format!("{what} differs\n  contract: {contract:?}\n  object:   {object:?}"))
    }
}
