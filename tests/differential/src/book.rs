//! What the model keeps of everything that the contract and its token keep, and what it answers to a step.
//!
//! The rules and transitions are those of the crate `mandate`. What it leaves to its caller is here: what the
//! token does, and that a call happens whole or not at all; and in `facts.rs`: which signatures are good.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{Address, B256, U256};
use mandate::{
    Amendment, Arrival, By, Ceiling, Credit, Mandate, Moved, Reason, Refused, Request, Signature, SignerKind,
    State, UnixSeconds, known,
};
use primitives::BaseUnits;

use crate::{
    Action, Actor, Authorization, Batch, CreditKey, EscrowCall, Item, Outcome, Signed, Sites, Step,
    first_balance,
};

/// The most items of a batch.
const BATCH_MAX: usize = 16;

/// The model of one world.
#[derive(Clone)]
pub struct Book {
    /// Where everything is.
    pub sites: Sites,
    /// The mandates by their ids.
    pub mandates: BTreeMap<B256, Mandate>,
    /// The ceilings by owner, agent and token.
    pub ceilings: BTreeMap<(Address, Address, Address), Ceiling>,
    /// What waits for recipients who could not be paid.
    pub credits: BTreeMap<CreditKey, Credit>,
    /// What accounts hold of the dollar.
    pub holdings: BTreeMap<Address, u128>,
    /// Who can neither send nor receive it.
    pub frozen: BTreeSet<Address>,
    /// The accounts with keys for which code answers too.
    pub delegated: BTreeSet<Actor>,
    /// The ERC-3009 nonces that were used: the payer, the mandate, the salt.
    nonces: BTreeSet<(Actor, B256, B256)>,
}

/// Why a step changes nothing.
enum No {
    Refused(Refused),
    Token,
}

impl From<Refused> for No {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl Book {
    /// The model of a new world.
    pub fn new(sites: Sites) -> Self {
        let holdings = Actor::ALL.map(|actor| (sites.cast.address(actor), first_balance(actor))).into();
        Self {
            sites,
            mandates: BTreeMap::new(),
            ceilings: BTreeMap::new(),
            credits: BTreeMap::new(),
            holdings,
            frozen: BTreeSet::new(),
            delegated: BTreeSet::new(),
            nonces: BTreeSet::new(),
        }
    }

    /// Takes a step. When it is refused, nothing has changed.
    pub fn take(&mut self, step: &Step) -> Outcome {
        let before = self.clone();
        let caller = self.sites.cast.address(step.by);
        let answer = match &step.action {
            Action::AuthorizeBatch { items, mode } => self.authorize_batch(items, *mode, step.by, step.at),
            other => self.act(other, caller, step).map(|()| Outcome::Done),
        };
        answer.unwrap_or_else(|no| {
            *self = before;
            match no {
                No::Refused(refused) => Outcome::Refused(refused),
                No::Token => Outcome::TokenRefused,
            }
        })
    }

    /// The ceiling that a mandate counts against.
    pub fn ceiling_of(&self, mandate: &Mandate) -> Ceiling {
        self.ceilings.get(&(mandate.owner, mandate.agent, mandate.token)).copied().unwrap_or_default()
    }

    fn act(&mut self, action: &Action, caller: Address, step: &Step) -> Result<(), No> {
        match action {
            Action::Create { creation, .. } => {
                let existing = self.mandates.get(&creation.id);
                let token = self.token(creation.token);
                let made = Mandate::create(existing, creation.clone(), token, step.at)?;
                self.mandates.insert(made.id, made);
            }
            Action::SetCeiling { agent, token, day_cap } => {
                self.ceilings.entry((caller, *agent, *token)).or_default().set(*day_cap, step.at);
            }
            Action::Fund { mandate, amount } | Action::FundWithPermit { mandate, amount } => {
                self.fund(*mandate, *amount, caller)?;
            }
            Action::FundWithAuthorization { mandate, authorization } => {
                self.fund_with_authorization(*mandate, authorization, step.at)?;
            }
            Action::Withdraw { mandate, amount, to } => {
                let of = self.mandate(*mandate)?;
                let owner = of.owner;
                of.withdraw(U256::from(amount.0), caller)?;
                self.pay(owner, *to, *amount)?;
            }
            Action::WithdrawCredit { credit, to, total, signed } => {
                let by = self.by(caller, *signed, &[(credit.recipient, None)]);
                let held = self.credits.entry(*credit).or_insert(Credit::NOTHING);
                let amount = held.withdraw(*total, credit.recipient, by)?;
                self.pay(credit.owner, *to, amount)?;
            }
            Action::Authorize(item) => self.authorize(item, step.by, step.at)?,
            Action::CancelRequest { order, signed } => {
                let by = self.canceller(order, *signed, caller)?;
                self.mandate(order.mandate)?.cancel_request(order, by, step.at)?;
            }
            Action::Escrow { order, call, signed } => self.escrow(order, *call, *signed, caller, step.at)?,
            Action::Freeze(account) => drop(self.frozen.insert(*account)),
            Action::Unfreeze(account) => drop(self.frozen.remove(account)),
            Action::Delegate(actor) => drop(self.delegated.insert(*actor)),
            Action::Amend { .. }
            | Action::ApplyAmendment { .. }
            | Action::CancelAmendment { .. }
            | Action::Pause { .. }
            | Action::Unpause { .. }
            | Action::Revoke { .. }
            | Action::Renounce { .. } => self.rule(action, caller, step.at)?,
            Action::AuthorizeBatch { .. } => panic!("a batch is answered item by item"),
        }
        Ok(())
    }

    fn rule(&mut self, action: &Action, caller: Address, now: UnixSeconds) -> Result<(), Refused> {
        let amend = |of: &mut Mandate, amendment: &Amendment| of.amend(amendment, caller, now).map(|_| ());
        match action {
            Action::Amend { mandate, amendment } => amend(self.mandate(*mandate)?, amendment),
            Action::ApplyAmendment { mandate, amendment } => {
                self.mandate(*mandate)?.apply_amendment(amendment, now)
            }
            Action::CancelAmendment { mandate } => self.mandate(*mandate)?.cancel_amendment(caller),
            Action::Pause { mandate } => self.mandate(*mandate)?.pause(caller),
            Action::Unpause { mandate } => self.mandate(*mandate)?.unpause(caller),
            Action::Revoke { mandate } => self.mandate(*mandate)?.revoke(caller),
            Action::Renounce { mandate } => self.mandate(*mandate)?.renounce(caller),
            other => panic!("{other:?} is no rule"),
        }
    }

    fn mandate(&mut self, id: B256) -> Result<&mut Mandate, Refused> {
        known(self.mandates.get(&id), id)?;
        self.mandates.get_mut(&id).ok_or_else(|| Refused::new(Reason::UnknownMandate, id, 0))
    }

    fn authorize(&mut self, item: &Item, caller: Actor, now: UnixSeconds) -> Result<(), No> {
        let proof = self.proof(item, caller);
        let request = &item.order;
        let of = known(self.mandates.get(&request.mandate), request.mandate)?;
        let key = (of.owner, of.agent, of.token);
        let mut ceiling = self.ceiling_of(of);
        self.mandate(request.mandate)?.authorize(request, &proof, now, &mut ceiling)?;
        self.ceilings.insert(key, ceiling);
        Ok(())
    }

    fn authorize_batch(
        &mut self,
        items: &[Item],
        mode: Batch,
        caller: Actor,
        now: UnixSeconds,
    ) -> Result<Outcome, No> {
        if items.len() > BATCH_MAX {
            let (got, limit) = (items.len() as u64, BATCH_MAX as u64);
            return Err(Refused::new(Reason::BatchSize, got, limit).into());
        }
        let mut reasons = Vec::new();
        for item in items {
            match (self.authorize(item, caller, now), mode) {
                (Ok(()), _) => reasons.push(Reason::None),
                (Err(No::Refused(refused)), Batch::EachAlone) => reasons.push(refused.reason),
                (Err(no), _) => return Err(no),
            }
        }
        Ok(Outcome::Batch(reasons))
    }

    fn escrow(
        &mut self,
        order: &Request,
        call: EscrowCall,
        signed: Signed,
        caller: Address,
        now: UnixSeconds,
    ) -> Result<(), No> {
        let request = &order;
        let id = request.mandate;
        let by = self.mover(order, call, signed, caller)?;
        // A mandate that does not exist has no payments: any other with its payments forgotten says the same.
        let is_known = self.mandates.contains_key(&id);
        let mut of = self.mandates.get(&id).or(self.mandates.values().next()).expect("a mandate").clone();
        if !is_known {
            of.payments.clear();
        }
        let nothing = |state| Moved { to_provider: BaseUnits(0), returned: BaseUnits(0), state };
        let moved = match call {
            EscrowCall::Deliver { .. } => of.deliver(request, by, now).map(|_| nothing(State::Delivered)),
            EscrowCall::Accept => of.accept(request, by),
            EscrowCall::Dispute { evidence } => {
                of.dispute(request, evidence, by, now).map(|_| nothing(State::Disputed))
            }
            EscrowCall::Capture { total } => of.capture(request, total, by, now),
            EscrowCall::Claim => of.claim(request, now),
            EscrowCall::Void => of.void(request, by),
            EscrowCall::Resolve { to_provider } => of.resolve(request, to_provider, by, now),
            EscrowCall::TimeOut => of.time_out(request, now),
            EscrowCall::Expire => of.expire(request, now),
            EscrowCall::Refund { total } => return self.refund(order, total, by, of, now),
        }?;
        let owner = of.owner;
        self.mandates.insert(id, of);
        self.pay_or_book(owner, request.token, request.recipient, moved.to_provider);
        Ok(())
    }

    fn refund(
        &mut self,
        order: &Request,
        total: BaseUnits,
        by: By,
        mut of: Mandate,
        now: UnixSeconds,
    ) -> Result<(), No> {
        let request = &order;
        let answer = of.refund(request, total, by, now, Arrival::Whole);
        let (Ok(_) | Err(Refused { reason: Reason::AmountTooLarge, .. })) = answer else {
            return answer.map(|_| ()).map_err(No::from);
        };
        // The token is asked before the ledger's room is looked at.
        let amount = total.0 - self.mandates[&request.mandate].payments[&request.payment].refunded.0;
        self.transfer(request.recipient, self.sites.vault(of.owner), amount)?;
        answer?;
        self.mandates.insert(request.mandate, of);
        Ok(())
    }

    fn fund(&mut self, id: B256, amount: BaseUnits, from: Address) -> Result<(), No> {
        let (owner, token) = self.mandate(id).map(|of| (of.owner, of.token))?;
        if token == self.sites.dollar {
            self.transfer(from, self.sites.vault(owner), amount.0)?;
        }
        let arrival = self.arrival(token);
        self.mandate(id)?.fund(U256::from(amount.0), arrival)?;
        Ok(())
    }

    fn fund_with_authorization(&mut self, id: B256, of: &Authorization, now: UnixSeconds) -> Result<(), No> {
        let (owner, token) = self.mandate(id).map(|of| (of.owner, of.token))?;
        if token == self.sites.dollar {
            let from = self.sites.cast.address(of.from);
            let is_open = of.valid_after < now && now < of.valid_before;
            let kind = if from_code(self, of.from) { SignerKind::Erc1271 } else { SignerKind::Ecdsa };
            let is_signed = self.signature(of.signed, &[(from, Some(kind))]) == Signature::Of(from);
            let is_for_vault = of.owner == owner;
            let is_new = self.nonces.insert((of.from, id, of.salt));
            if !(is_open && is_signed && is_for_vault && is_new) {
                return Err(No::Token);
            }
            self.transfer(from, self.sites.vault(owner), of.amount.0)?;
        }
        let arrival = self.arrival(token);
        self.mandate(id)?.fund(U256::from(of.amount.0), arrival)?;
        Ok(())
    }

    fn arrival(&self, token: Address) -> Arrival {
        if token == self.sites.dollar { Arrival::Whole } else { Arrival::Other(U256::ZERO) }
    }

    fn transfer(&mut self, from: Address, to: Address, amount: u128) -> Result<(), No> {
        let has = self.holdings.get(&from).copied().unwrap_or_default();
        if self.frozen.contains(&from) || self.frozen.contains(&to) || to.is_zero() || has < amount {
            return Err(No::Token);
        }
        self.holdings.insert(from, has - amount);
        *self.holdings.entry(to).or_default() += amount;
        Ok(())
    }

    /// Pays from a vault. A payment to itself moves nothing, which the vault takes for a token that did not pay.
    fn pay(&mut self, owner: Address, to: Address, amount: BaseUnits) -> Result<(), No> {
        let vault = self.sites.vault(owner);
        if vault == to {
            return Err(No::Token);
        }
        self.transfer(vault, to, amount.0)
    }

    fn pay_or_book(&mut self, owner: Address, token: Address, recipient: Address, amount: BaseUnits) {
        if amount.0 > 0 && self.pay(owner, recipient, amount).is_err() {
            let key = CreditKey { owner, token, recipient };
            self.credits.entry(key).or_insert(Credit::NOTHING).book(amount);
        }
    }
}

fn from_code(book: &Book, actor: Actor) -> bool {
    actor.is_contract() || book.delegated.contains(&actor)
}
