//! What can be bought: how each kind of target is reserved, is told that it is paid for, and is let go. The only place
//! of the paying side that knows what a payment is for.

use api::binding::meter::{Billed, MeterAnswer, MeterAsk, MeterReply};
use api::binding::{Decline, Fulfilment, GigReply, Order};
use gig::Payer;
use meter::{Means, Outcome, Refusal, SettlementState};
use payment::Effect;
use primitives::{CorrelationId, GigId, PaymentId, Reply, SettlementId, UnixMillis};
use shell::Failure;
use worker::Env;

use crate::ports::{bills, objects};

/// A payment as it is claimed now.
pub struct Claimed<'a> {
    /// The payment.
    pub payment: PaymentId,
    /// When it was claimed.
    pub at: UnixMillis,
    /// What caused it.
    pub correlation_id: &'a CorrelationId,
}

impl Claimed<'_> {
    fn payer(&self) -> Payer {
        Payer { payment: self.payment.clone(), claimed_at: self.at }
    }

    fn means(&self) -> Means {
        Means::X402 { payment: self.payment.clone(), claimed_at: self.at }
    }
}

/// What a target says when it is to be kept for a payment.
pub enum Reserved {
    /// It is, and nobody else sees it.
    Held,
    /// It is paid for.
    Fulfilled(Fulfilment),
    /// It will not be.
    Declined(Decline),
    /// It did not say.
    Unavailable,
}

/// Has the target kept for the payment until that is settled or let go.
pub async fn reserve(env: &Env, order: &Order, claimed: &Claimed<'_>) -> Result<Reserved, Failure> {
    match order {
        Order::Gig { terms, grant } => {
            let command = gig::Command::Reserve {
                terms: terms.as_ref().clone(),
                payer: claimed.payer(),
                grant: *grant,
            };
            let reply = objects::gig_command(env, &terms.gig_id, command, claimed.correlation_id).await?;
            Ok(gig_reserved(reply))
        }
        Order::Settlement(id) => {
            let ask = MeterAsk::Submit { id: id.clone(), means: claimed.means() };
            match bills::ask(env, id, ask, claimed.correlation_id).await? {
                // Another payment may have paid it.
                MeterReply::Refused(refusal) => Ok(match settled(env, id, claimed).await? {
                    fulfilled @ Reserved::Fulfilled(_) => fulfilled,
                    Reserved::Held | Reserved::Declined(_) | Reserved::Unavailable => {
                        Reserved::Declined(Decline::Settlement(refusal))
                    }
                }),
                reply @ MeterReply::Done(_) | reply @ MeterReply::OperationReused => bill_reserved(reply),
            }
        }
    }
}

/// What is there already, without having anything kept.
pub async fn find(env: &Env, order: &Order, claimed: &Claimed<'_>) -> Result<Reserved, Failure> {
    match order {
        // Only a gig that is on the board answers a reservation without keeping it.
        Order::Gig { terms, .. } => match objects::gig_view(env, &terms.gig_id).await? {
            Some(_) => reserve(env, order, claimed).await,
            None => Ok(Reserved::Unavailable),
        },
        Order::Settlement(id) => settled(env, id, claimed).await,
    }
}

/// A bill as it stands, by whatever payment.
async fn settled(env: &Env, id: &SettlementId, claimed: &Claimed<'_>) -> Result<Reserved, Failure> {
    let ask = MeterAsk::Settlement { id: id.clone() };
    Ok(match bill_reserved(bills::ask(env, id, ask, claimed.correlation_id).await?)? {
        Reserved::Held => Reserved::Unavailable,
        reserved @ Reserved::Fulfilled(_)
        | reserved @ Reserved::Declined(_)
        | reserved @ Reserved::Unavailable => reserved,
    })
}

fn bill_reserved(reply: MeterReply) -> Result<Reserved, Failure> {
    Ok(match bills::billed(reply)? {
        Ok(billed) => match billed.settlement.state {
            SettlementState::Verified { .. } => Reserved::Fulfilled(Fulfilment::Settlement(Box::new(billed))),
            SettlementState::Submitted { .. } => Reserved::Held,
            SettlementState::Drafted { .. } => Reserved::Unavailable,
            // Also by this very payment: what has failed is not paid any more.
            SettlementState::Failed { .. } | SettlementState::WrittenOff { .. } => {
                Reserved::Declined(Decline::Settlement(Refusal::NotDrafted))
            }
        },
        Err(refusal) => Reserved::Declined(Decline::Settlement(refusal)),
    })
}

fn is_settled(billed: &Billed) -> bool {
    match billed.settlement.state {
        SettlementState::Verified { .. } => true,
        SettlementState::Drafted { .. }
        | SettlementState::Submitted { .. }
        | SettlementState::Failed { .. }
        | SettlementState::WrittenOff { .. } => false,
    }
}

fn gig_reserved(reply: GigReply) -> Reserved {
    match reply {
        Reply::Done { answer, .. } if answer.record.is_none() => Reserved::Held,
        Reply::Done { answer, .. } => Reserved::Fulfilled(Fulfilment::Gig(Box::new(answer))),
        Reply::Refused(refusal) => Reserved::Declined(Decline::Gig(refusal)),
        Reply::OperationReused => Reserved::Unavailable,
    }
}

/// What a target answers when it is told of an outcome.
pub enum Told {
    /// It is the buyer's, as shown.
    Fulfilled(Fulfilment),
    /// It knows.
    Noted,
    /// It will not have it: a code. Asking again changes nothing.
    Refused(&'static str),
}

/// Tells the target of a payment what came of that.
pub async fn tell(
    env: &Env,
    payment: PaymentId,
    effect: Effect,
    correlation_id: &CorrelationId,
) -> Result<Told, Failure> {
    let (Effect::Fulfil { target, .. } | Effect::Withdraw { target, .. }) = &effect;
    let malformed = || Failure::Corrupt("a payment's target".to_owned());
    match target.kind.as_str() {
        Order::GIG => {
            let gig = target.name.parse().map_err(|_| malformed())?;
            tell_gig(env, &gig, payment, effect, correlation_id).await
        }
        Order::SETTLEMENT => {
            let settlement = target.name.parse().map_err(|_| malformed())?;
            tell_meter(env, settlement, payment, effect, correlation_id).await
        }
        other => Err(Failure::Corrupt(format!("a payment for a target of the unknown kind {other}"))),
    }
}

async fn tell_gig(
    env: &Env,
    gig: &GigId,
    payment: PaymentId,
    effect: Effect,
    correlation_id: &CorrelationId,
) -> Result<Told, Failure> {
    let command = match effect {
        Effect::Fulfil { claimed_at, transaction, .. } => {
            gig::Command::Fund { payer: Payer { payment, claimed_at }, transaction }
        }
        Effect::Withdraw { claimed_at, reason, .. } => {
            gig::Command::Release { payer: Payer { payment, claimed_at }, reason }
        }
    };
    Ok(match objects::gig_command(env, gig, command, correlation_id).await? {
        Reply::Done { answer, .. } if answer.record.is_some() => {
            Told::Fulfilled(Fulfilment::Gig(Box::new(answer)))
        }
        Reply::Done { .. } | Reply::OperationReused => Told::Noted,
        Reply::Refused(refusal) => Told::Refused(refusal.code()),
    })
}

async fn tell_meter(
    env: &Env,
    id: SettlementId,
    payment: PaymentId,
    effect: Effect,
    correlation_id: &CorrelationId,
) -> Result<Told, Failure> {
    let (claimed_at, outcome) = match effect {
        Effect::Fulfil { claimed_at, transaction, .. } => (claimed_at, Outcome::Paid { proof: transaction }),
        Effect::Withdraw { claimed_at, reason, .. } => (claimed_at, bills::not_paid(&reason)),
    };
    let is_paid = matches!(outcome, Outcome::Paid { .. });
    let means = Means::X402 { payment, claimed_at };
    let ask = MeterAsk::Report { id: id.clone(), means, outcome };
    Ok(match bills::ask(env, &id, ask, correlation_id).await? {
        MeterReply::Done(MeterAnswer::Settlement { billed, .. }) if is_settled(&billed) => {
            Told::Fulfilled(Fulfilment::Settlement(billed))
        }
        // What was never submitted, or was given up, has nothing to let go.
        MeterReply::Refused(refusal) if is_paid => Told::Refused(refusal.code()),
        MeterReply::Refused(_) | MeterReply::Done(_) | MeterReply::OperationReused => Told::Noted,
    })
}
