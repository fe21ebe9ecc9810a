//! What can be bought: how each kind of target is reserved, is told that it is paid for, and is let go. The only place
//! of the paying side that knows what a payment is for.

use api::binding::{Decline, Fulfilment, GigReply, Order};
use gig::Payer;
use payment::Effect;
use primitives::{CorrelationId, GigId, PaymentId, Reply, UnixMillis};
use shell::Failure;
use worker::Env;

use crate::ports::objects;

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
    let (target, command) = match effect {
        Effect::Fulfil { target, claimed_at, transaction } => {
            (target, gig::Command::Fund { payer: Payer { payment, claimed_at }, transaction })
        }
        Effect::Withdraw { target, claimed_at, reason } => {
            (target, gig::Command::Release { payer: Payer { payment, claimed_at }, reason })
        }
    };
    match target.kind.as_str() {
        Order::GIG => {
            let gig: GigId =
                target.name.parse().map_err(|_| Failure::Corrupt("a payment's target".to_owned()))?;
            Ok(match objects::gig_command(env, &gig, command, correlation_id).await? {
                Reply::Done { answer, .. } if answer.record.is_some() => {
                    Told::Fulfilled(Fulfilment::Gig(Box::new(answer)))
                }
                Reply::Done { .. } | Reply::OperationReused => Told::Noted,
                Reply::Refused(refusal) => Told::Refused(refusal.code()),
            })
        }
        other => Err(Failure::Corrupt(format!("a payment for a target of the unknown kind {other}"))),
    }
}
