//! What the chain has said of the mandate by one block, and how each event changes it.

use std::collections::BTreeMap;

use alloy_primitives::B256;
use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use super::{Block, News, Refusal, Told};
use crate::amount::ZERO;
use crate::{
    Amendment, Ceiling, EntryKey, Mandate, Payment, Pending, Request, Spent, State, Status, UnixSeconds,
};

/// The mandate as it stands at a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The block.
    pub block: Block,
    /// The mandate. Its payments are those that are open, or ended in a block that is not final.
    pub mandate: Mandate,
    /// The owner's ceiling for the agent and the token.
    pub ceiling: Ceiling,
    /// What was authorized, by the payments' names: open, or ended in a block that is not final.
    pub escrows: BTreeMap<B256, Escrow>,
}

/// What the chain says of a payment besides its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escrow {
    /// The request.
    pub request: Request,
    /// When it was authorized, by the block's clock.
    pub authorized: UnixMillis,
    /// The provider's receipt, once it has delivered.
    pub receipt: Option<B256>,
    /// The evidence of a dispute; zero when the owner named none.
    pub evidence: Option<B256>,
}

/// What cannot be, after all that was told.
fn contradiction<T>(what: &str) -> Result<T, Refusal> {
    Err(Refusal::Contradiction(what.to_owned()))
}

fn add(amount: &mut BaseUnits, more: BaseUnits) -> Result<(), Refusal> {
    match amount.0.checked_add(more.0).map(BaseUnits) {
        Some(sum) if sum <= crate::AMOUNT_MAX => *amount = sum,
        Some(_) | None => return contradiction("an amount exceeds 96 bits"),
    }
    Ok(())
}

fn take(amount: &mut BaseUnits, part: BaseUnits) -> Result<(), Refusal> {
    match amount.0.checked_sub(part.0) {
        Some(rest) => *amount = BaseUnits(rest),
        None => return contradiction("more is taken than there is"),
    }
    Ok(())
}

/// Counts an amount in the windows that `now` lies in. What is above the type's range was refused by every rule.
pub(super) fn count(
    mandate: &mut Mandate,
    ceiling: &mut Ceiling,
    key: EntryKey,
    amount: BaseUnits,
    now: UnixSeconds,
) -> Result<(), Refusal> {
    let counted = |spent: Spent| {
        let mut spent = spent.seen_at(now);
        spent.day_count = spent.day_count.saturating_add(1);
        add(&mut spent.day_sum, amount)?;
        add(&mut spent.month_sum, amount)?;
        Ok::<_, Refusal>(spent)
    };
    mandate.spent = counted(mandate.spent)?;
    add(&mut mandate.lifetime_spent, amount)?;
    if let Some(allowed) = mandate.entries.get_mut(&key) {
        allowed.spent = counted(allowed.spent)?;
    }
    ceiling.count(amount, now);
    Ok(())
}

impl View {
    /// Folds one event.
    ///
    /// # Errors
    /// [`Refusal::Contradiction`] when it cannot follow; the view is to be dropped then.
    pub(super) fn fold(&mut self, told: &Told) -> Result<(), Refusal> {
        let block = told.place.block;
        self.block = block;
        let mandate = &mut self.mandate;
        match &told.news {
            News::Amended(amendment) => return self.amended(amendment),
            News::AmendmentScheduled { hash, effective_at } => {
                mandate.pending = Some(Pending { hash: *hash, effective_at: *effective_at });
            }
            News::AmendmentCancelled => mandate.pending = None,
            News::Paused => mandate.status = Status::Paused,
            News::Unpaused => mandate.status = Status::Active,
            News::Revoked { .. } => mandate.status = Status::Revoked,
            News::CeilingSet { day_cap } => {
                self.ceiling.set(*day_cap, block.at);
            }
            News::AuthorizedElsewhere { amount } => self.ceiling.count(*amount, block.at),
            News::Funded { amount, .. } => add(&mut mandate.funds.balance, *amount)?,
            News::Withdrawn { amount, .. } => take(&mut mandate.funds.balance, *amount)?,
            News::Authorized(request) => return self.authorized(request),
            News::Cancelled { payment, .. } => {
                if mandate.payments.insert(*payment, Payment::new(State::Cancelled, block.at)).is_some() {
                    return contradiction("what was used is cancelled");
                }
            }
            News::Delivered { payment, receipt } => {
                self.moved(*payment, [State::Escrowed])?.state = State::Delivered;
                self.since(*payment, |escrow| escrow.receipt = Some(*receipt));
            }
            News::Disputed { payment, evidence } => {
                let disputed = self.moved(*payment, [State::Delivered])?;
                (disputed.state, disputed.has_evidence) = (State::Disputed, !evidence.is_zero());
                self.since(*payment, |escrow| escrow.evidence = Some(*evidence));
            }
            News::Captured { payment, total } => {
                let captured = self.moved(*payment, [State::Delivered])?;
                let mut amount = *total;
                take(&mut amount, captured.paid)?;
                captured.paid = *total;
                return self.leaves(amount, amount);
            }
            News::Closed { payment, state, paid, returned } => {
                return self.closed(*payment, *state, *paid, *returned);
            }
            News::Refunded { payment, amount, total } => {
                add(&mut mandate.funds.balance, *amount)?;
                // One that ended in a final block is on file.
                if let Some(refunded) = mandate.payments.get_mut(payment) {
                    refunded.refunded = *total;
                }
            }
        }
        Ok(())
    }

    /// An amendment that waited is put to work by the event that has its content; no other change can have it, because its
    /// content names the version that it is for.
    fn amended(&mut self, amendment: &Amendment) -> Result<(), Refusal> {
        let mandate = &mut self.mandate;
        if amendment.expected_version != mandate.policy_version {
            return contradiction("a version of the policy is left out");
        }
        mandate.pending = mandate.pending.filter(|pending| pending.hash != amendment.hash);
        mandate.policy_version = mandate.policy_version.saturating_add(1);
        mandate.policy = amendment.policy;
        mandate.write_entries(&amendment.entries);
        Ok(())
    }

    fn authorized(&mut self, request: &Request) -> Result<(), Refusal> {
        let (block, amount) = (self.block, request.max_amount);
        let mandate = &mut self.mandate;
        let Some((key, _)) = mandate.entry_for(request.recipient, request.service) else {
            return contradiction("a payment is authorized that no entry allows");
        };
        if request.mandate != mandate.id {
            return contradiction("a payment of another mandate is authorized");
        }
        count(mandate, &mut self.ceiling, key, amount, block.at)?;
        add(&mut mandate.funds.reserved, amount)?;
        if mandate.funds.reserved > mandate.funds.balance {
            return contradiction("more is reserved than there is");
        }
        let payment = Payment::new(State::Escrowed, block.at);
        if mandate.payments.insert(request.payment, payment).is_some() {
            return contradiction("a payment is authorized twice");
        }
        let authorized = UnixMillis(block.at.0.saturating_mul(1_000));
        let escrow = Escrow { request: *request, authorized, receipt: None, evidence: None };
        self.escrows.insert(request.payment, escrow);
        Ok(())
    }

    fn closed(
        &mut self,
        payment: B256,
        state: State,
        paid: BaseUnits,
        returned: BaseUnits,
    ) -> Result<(), Refusal> {
        let amount = self.escrows.get(&payment).map_or(ZERO, |escrow| escrow.request.max_amount);
        let closed = self.moved(payment, [State::Escrowed, State::Delivered, State::Disputed])?;
        let (mut held, mut to_provider) = (amount, paid);
        take(&mut held, closed.paid)?;
        take(&mut to_provider, closed.paid)?;
        (closed.state, closed.paid) = (state, paid);
        if !state.is_final() || to_provider.0.checked_add(returned.0) != Some(held.0) {
            return contradiction("a payment ends with other amounts than it held");
        }
        self.leaves(to_provider, held)
    }

    /// The payment, which must be in one of these states.
    fn moved<const N: usize>(&mut self, payment: B256, states: [State; N]) -> Result<&mut Payment, Refusal> {
        match self.mandate.payments.get_mut(&payment) {
            Some(found) if states.contains(&found.state) => Ok(found),
            Some(_) | None => contradiction("a payment moves from where it does not stand"),
        }
    }

    /// The payment came into its state in this block.
    fn since(&mut self, payment: B256, note: impl FnOnce(&mut Escrow)) {
        if let Some(moved) = self.mandate.payments.get_mut(&payment) {
            moved.since = self.block.at;
        }
        if let Some(escrow) = self.escrows.get_mut(&payment) {
            note(escrow);
        }
    }

    fn leaves(&mut self, paid: BaseUnits, freed: BaseUnits) -> Result<(), Refusal> {
        take(&mut self.mandate.funds.balance, paid)?;
        take(&mut self.mandate.funds.reserved, freed)
    }
}
