//! The one way in which anything changes: what is accepted, what is replayed and what is owed take the same step.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, Bytes};
use primitives::UnixMillis;

use super::clock::{millis, queue_end};
use super::line;
use super::refusal::{Bound, bound};
use super::told::weight;
use super::{
    Answer, Approved, Ask, Block, Effect, Errand, Fact, Ground, Mirror, Next, Observation, Progress, Refusal,
    Signed, Stage, View, limits,
};
use crate::life::{self, Kind, Role};
use crate::{
    Approval, By, Ceiling, Creation, Mandate, Reason, Refused, Request, Signature, SignedApproval, Token,
    UnixSeconds,
};

/// The mirror as it begins: by what the contract accepted in that block.
pub(super) fn born(
    creation: &Creation,
    block: Block,
    ceiling: Ceiling,
    label: &str,
    at: UnixMillis,
) -> Result<Box<Mirror>, Refusal> {
    bound(creation.entries.len(), Bound::Entries)?;
    bound(label.len(), Bound::Label)?;
    let mandate = Mandate::create(None, creation.clone(), Token::Answers, block.at)
        .map_err(|refused| Refusal::Contradiction(refused.to_string()))?;
    let view = View { block, mandate, ceiling, escrows: BTreeMap::new() };
    Ok(Box::new(Mirror {
        label: label.to_owned(),
        ground: Ground::Creation,
        sealed: view.clone(),
        tail: Vec::new(),
        tip: view,
        asks: BTreeMap::new(),
        latest: at,
    }))
}

/// Takes a step and says what it owes, or says why it cannot be taken. After a refusal the mirror is to be dropped.
pub(super) fn step(mirror: &mut Mirror, fact: &Fact, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
    mirror.latest = at;
    match fact {
        Fact::Adopted { creation, .. } => Err(Refused::new(Reason::MandateExists, creation.id, 0).into()),
        Fact::Observed(observation) => mirror.observe(observation, at),
        Fact::Rewound(observation) => mirror.rewind(observation, at),
        Fact::Orphaned { after } => Ok(mirror.orphaned(*after, at)),
        Fact::Requested { request, signature } => mirror.request(request, signature, at),
        Fact::Approved { payment, approval, bytes } => mirror.approve(*payment, approval, bytes, at),
        Fact::Rejected { payment, by, note } => mirror.reject(*payment, *by, note, at),
        Fact::Submitted { payment, by } => mirror.submit(*payment, *by, at),
        Fact::Cancelled { request, by, bytes } => mirror.cancel(request, *by, bytes, at),
        Fact::Sent { payment, transaction } => mirror.sent(*payment, *transaction, at),
        Fact::Answered { payment, answer } => mirror.answered(*payment, *answer, at),
        Fact::Elapsed { payment } => mirror.elapsed(*payment, at),
    }
}

const fn like(progress: life::Progress) -> Progress {
    Progress::Like(progress)
}

impl Mirror {
    fn observe(&mut self, observation: &Observation, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        observation.check()?;
        if observation.after != self.tip.block {
            return Err(Refusal::Gap(self.tip.block));
        }
        let mut owed = Vec::new();
        for told in &observation.told {
            self.tip.fold(told)?;
            owed.extend(line::told(&self.tip, told));
            self.tail.push(told.clone());
        }
        self.tip.block = observation.to;
        owed.extend(self.seal(observation.final_block(), at)?);
        bound(self.tip.mandate.entries.len(), Bound::Entries)?;
        bound(self.tip.mandate.payments.len(), Bound::Payments)?;
        bound(weight(&self.tail), Bound::Tail)?;
        Ok(owed)
    }

    /// Goes back to what stands, and on from there.
    fn rewind(&mut self, observation: &Observation, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let after = observation.after;
        self.tail.retain(|told| told.place.block.number <= after.number);
        self.tip = self.sealed.clone();
        for told in &self.tail {
            self.tip.fold(told)?;
        }
        self.tip.block = after;
        let mut owed = vec![Effect::Undo { after: after.number }];
        owed.extend(self.observe(observation, at)?);
        Ok(owed)
    }

    fn orphaned(&mut self, after: Block, at: UnixMillis) -> Vec<Effect> {
        let mut owed = vec![Effect::Undo { after: after.number }];
        for ask in self.asks.values() {
            let progress = like(life::Progress::Expired);
            let reason = Some("The block of the mandate's creation left the chain.".to_owned());
            owed.push(ask.filed(progress, None));
            owed.push(line::done(ask, Kind::Expire, (Role::Time, None), progress, reason, at));
        }
        owed
    }

    /// Judged as if the owner's approval were there: what passes waits for it if it is needed.
    fn request(
        &mut self,
        request: &Request,
        signature: &Signed,
        at: UnixMillis,
    ) -> Result<Vec<Effect>, Refusal> {
        let Mandate { id, owner, agent, .. } = self.tip.mandate;
        if request.mandate != id {
            return Err(Refused::new(Reason::UnknownMandate, request.mandate, 0).into());
        }
        let assumed = SignedApproval { valid_before: UnixSeconds::MAX, signature: Signature::Of(owner) };
        let of = if signature.bytes.is_empty() { Signature::Empty } else { signature.of };
        let stage = match self.judge(request, of, assumed, at.into())? {
            Approval::Needed => Stage::Waiting { until: queue_end(request, at.into()) },
            Approval::Unneeded => Stage::Underway(Errand::new(at)),
        };
        let signature = signature.bytes.clone();
        let ask = Ask { request: *request, signature, approved: None, asked: at, turn: 0, stage };
        self.asks.insert(request.payment, ask);
        let mut owed = self.put(request.payment, at)?;
        owed.push(self.log(request.payment, Kind::Request, (Role::Agent, agent), None, at)?);
        Ok(owed)
    }

    fn approve(
        &mut self,
        payment: B256,
        approval: &SignedApproval,
        bytes: &Bytes,
        at: UnixMillis,
    ) -> Result<Vec<Effect>, Refusal> {
        self.check_waiting(payment, at)?;
        let signature = if bytes.is_empty() { Signature::Empty } else { approval.signature };
        self.check_approval(&SignedApproval { signature, ..*approval }, at.into())?;
        let ask = self.ask(payment)?;
        ask.approved = Some(Approved { approval: *approval, bytes: bytes.clone() });
        ask.stage = Stage::Approved;
        let owner = self.tip.mandate.owner;
        Ok(vec![self.log(payment, Kind::Approve, (Role::Owner, owner), None, at)?])
    }

    fn reject(&mut self, payment: B256, by: By, note: &str, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        self.check_waiting(payment, at)?;
        by.require(self.tip.mandate.owner)?;
        let actor = (Role::Owner, Some(self.tip.mandate.owner));
        let note = Some(note.to_owned());
        Ok(self.drop_ask(payment, Kind::Reject, actor, life::Progress::Rejected, note, at))
    }

    fn check_waiting(&mut self, payment: B256, at: UnixMillis) -> Result<(), Refusal> {
        match self.ask(payment)?.stage {
            Stage::Waiting { until } if at < millis(until) => Ok(()),
            Stage::Waiting { .. } => Err(Refusal::Unavailable(like(life::Progress::Expired))),
            Stage::Approved | Stage::Underway(_) | Stage::Failed { .. } | Stage::Cancelling { .. } => {
                Err(Refusal::AlreadyDecided)
            }
        }
    }

    fn submit(&mut self, payment: B256, by: By, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let agent = self.tip.mandate.agent;
        by.require(agent)?;
        let ask = self.ask(payment)?.clone();
        match ask.stage {
            Stage::Approved | Stage::Failed { .. } => {}
            Stage::Waiting { .. } | Stage::Underway(_) | Stage::Cancelling { .. } => {
                return Err(self.unavailable(payment));
            }
        }
        let approval = ask.approved.map_or_else(SignedApproval::default, |approved| approved.approval);
        self.judge(&ask.request, Signature::Of(agent), approval, at.into())?;
        self.ask(payment)?.stage = Stage::Underway(Errand::new(at));
        let mut owed = self.put(payment, at)?;
        owed.push(self.log(payment, Kind::Submit, (Role::Agent, agent), None, at)?);
        Ok(owed)
    }

    fn cancel(
        &mut self,
        request: &Request,
        by: By,
        bytes: &Bytes,
        at: UnixMillis,
    ) -> Result<Vec<Effect>, Refusal> {
        let payment = request.payment;
        if request.mandate != self.tip.mandate.id {
            return Err(Refused::new(Reason::UnknownMandate, request.mandate, 0).into());
        }
        let canceller = self.tip.mandate.clone().cancel_request(request, by, at.into())?;
        let role = if canceller == self.tip.mandate.owner { Role::Owner } else { Role::Agent };
        if let Some(Ask { stage: Stage::Waiting { .. }, .. }) = self.asks.get(&payment) {
            let actor = (role, Some(canceller));
            return Ok(self.drop_ask(payment, Kind::Cancel, actor, life::Progress::Cancelled, None, at));
        }
        if bytes.is_empty() || by.signature == Signature::Empty {
            return Err(Refusal::Unsigned);
        }
        let stage = Stage::Cancelling { signature: bytes.clone(), errand: Errand::new(at) };
        let unheard = || {
            let (signature, stage) = (Bytes::new(), stage.clone());
            Ask { request: *request, signature, approved: None, asked: at, turn: 0, stage }
        };
        self.asks.entry(payment).or_insert_with(unheard).stage = stage.clone();
        let mut owed = self.put(payment, at)?;
        owed.push(self.log(payment, Kind::Cancel, (role, canceller), None, at)?);
        Ok(owed)
    }

    fn sent(&mut self, payment: B256, transaction: B256, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let Some(errand) = self.ask(payment)?.errand_mut() else { return Err(self.unavailable(payment)) };
        let is_first = errand.transactions.is_empty();
        if errand.transactions.len() >= limits::TRANSACTIONS {
            errand.transactions.remove(0);
        }
        errand.transactions.push(transaction);
        errand.then(Next::Look, at);
        if !is_first {
            return Ok(Vec::new());
        }
        let reason = Some(transaction.to_string());
        let ask = self.ask(payment)?.clone();
        let progress = self.progress(payment).unwrap_or(Progress::Submitted);
        Ok(vec![line::done(&ask, Kind::Submit, (Role::Product, None), progress, reason, at)])
    }

    fn answered(&mut self, payment: B256, answer: Answer, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let ask = self.ask(payment)?;
        let Some(errand) = ask.errand_mut() else { return Err(self.unavailable(payment)) };
        match answer {
            // The chain has it, and will tell.
            Answer::Refused(Refused { reason: Reason::RequestUsed | Reason::State, .. })
            | Answer::Pending => {
                errand.then(Next::Look, at);
            }
            Answer::Refused(reason) => return self.fail(payment, reason, at),
            Answer::Unavailable => errand.then(Next::Send, at),
            Answer::Unknown => return self.look(payment, at),
            Answer::Absent => return self.put_again(payment, at),
        }
        Ok(Vec::new())
    }

    /// What nobody but its canceller has spoken of leaves no trace but in the log.
    fn fail(&mut self, payment: B256, reason: Refused, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let ask = self.ask(payment)?;
        let kind = match ask.stage {
            Stage::Cancelling { .. } => Kind::Cancel,
            Stage::Waiting { .. } | Stage::Approved | Stage::Underway(_) | Stage::Failed { .. } => {
                Kind::Submit
            }
        };
        ask.stage = Stage::Failed { reason };
        let ask = ask.clone();
        if ask.signature.is_empty() {
            self.asks.remove(&payment);
        }
        let words = Some(reason.to_string());
        Ok(vec![line::done(&ask, kind, (Role::Product, None), Progress::Failed, words, at)])
    }

    /// What time does: it ends the wait for the owner, or puts the next question.
    fn elapsed(&mut self, payment: B256, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let ask = self.ask(payment)?;
        match &ask.stage {
            Stage::Waiting { until } if millis(*until) <= at => {
                let actor = (Role::Time, None);
                Ok(self.drop_ask(payment, Kind::Expire, actor, life::Progress::Expired, None, at))
            }
            Stage::Underway(errand) | Stage::Cancelling { errand, .. } if errand.next_at <= at => {
                match errand.next {
                    Next::Send => self.put_again(payment, at),
                    Next::Look => self.look(payment, at),
                }
            }
            Stage::Waiting { .. }
            | Stage::Approved
            | Stage::Underway(_)
            | Stage::Failed { .. }
            | Stage::Cancelling { .. } => Err(self.unavailable(payment)),
        }
    }

    fn ask(&mut self, payment: B256) -> Result<&mut Ask, Refusal> {
        self.asks.get_mut(&payment).ok_or(Refusal::UnknownRequest)
    }

    pub(super) fn unavailable(&self, payment: B256) -> Refusal {
        self.progress(payment).map_or(Refusal::UnknownRequest, Refusal::Unavailable)
    }

    /// Has the port send what it is to send, if it is to send anything.
    fn put(&mut self, payment: B256, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let ask = self.ask(payment)?;
        let Some(turn) = ask.question(at) else { return Ok(Vec::new()) };
        Ok(vec![Effect::Send { payment, turn, call: Box::new(ask.call()) }])
    }

    /// The same, unless it is too late for that.
    fn put_again(&mut self, payment: B256, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        if at < millis(self.ask(payment)?.end()) { self.put(payment, at) } else { self.look(payment, at) }
    }

    fn look(&mut self, payment: B256, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        let turn = self.ask(payment)?.question(at);
        Ok(turn.map(|turn| Effect::Look { payment, turn }).into_iter().collect())
    }

    fn log(
        &mut self,
        payment: B256,
        kind: Kind,
        (role, actor): (Role, Address),
        reason: Option<String>,
        at: UnixMillis,
    ) -> Result<Effect, Refusal> {
        let progress = self.progress(payment).ok_or(Refusal::UnknownRequest)?;
        Ok(line::done(self.ask(payment)?, kind, (role, Some(actor)), progress, reason, at))
    }

    /// A request that was never complete is over here.
    fn drop_ask(
        &mut self,
        payment: B256,
        kind: Kind,
        actor: (Role, Option<Address>),
        progress: life::Progress,
        note: Option<String>,
        at: UnixMillis,
    ) -> Vec<Effect> {
        let Some(ask) = self.asks.remove(&payment) else { return Vec::new() };
        let progress = like(progress);
        vec![ask.filed(progress, note.clone()), line::done(&ask, kind, actor, progress, note, at)]
    }
}

impl Ask {
    /// The number of a new question to the port, which is looked after if no answer comes.
    fn question(&mut self, at: UnixMillis) -> Option<u32> {
        let turn = self.turn.saturating_add(1);
        let errand = self.errand_mut()?;
        errand.then(Next::Look, at);
        self.turn = turn;
        Some(turn)
    }
}
