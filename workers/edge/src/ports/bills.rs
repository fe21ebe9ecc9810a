//! How bills are paid, and how work is paid for before it is done: what a meter owes to mandates and asks of chains.
//!
//! An effect is taken once its answer is recorded. One whose answer is lost is given again, and everything here may be asked
//! twice: a mandate knows a hold by its name, a payment's name has one holder, and chains are only looked at.

use api::binding::Standing;
use api::binding::meter::{Billed, MeterAnswer, MeterAsk, MeterReply};
use api::outbound::metering::hold::{bill_hold, bill_name, reason, reservation_hold, reservation_name};
use meter::{Means, Outcome, Refusal, Reservation};
use primitives::{BaseUnits, CorrelationId, ReservationId, SettlementId, UnixMillis};
use run::Claim;
use run::receipt::Holder;
use shell::Failure;
use worker::Env;

use super::holds::Held;
use super::settlement::{self, Paid};
use super::{meters, objects, runs};

/// Asks the meter of a settlement: its first shard, which bills for all.
pub async fn ask(
    env: &Env,
    id: &SettlementId,
    ask: MeterAsk,
    correlation_id: &CorrelationId,
) -> Result<MeterReply, Failure> {
    meters::ask(env, &id.meter(), 0, ask, correlation_id).await
}

/// The bill in an answer, or the meter's refusal.
pub fn billed(reply: MeterReply) -> Result<Result<Billed, Refusal>, Failure> {
    match reply {
        MeterReply::Done(MeterAnswer::Settlement { billed, .. }) => Ok(Ok(*billed)),
        MeterReply::Refused(refusal) => Ok(Err(refusal)),
        MeterReply::Done(_) | MeterReply::OperationReused => {
            Err(Failure::Corrupt("a meter answered something else than a bill".to_owned()))
        }
    }
}

/// Has a mandate hold the amount of a reservation: a code and a sentence if it does not.
pub async fn hold(
    env: &Env,
    reservation: &Reservation,
    id: &CorrelationId,
) -> Result<Option<(String, String)>, Failure> {
    let held = work(&reservation.id, &reservation.mandate);
    let hold = reservation_hold(reservation).map_err(|fault| Failure::Corrupt(fault.to_string()))?;
    Ok(held.reserve(env, hold, id).await?.err().map(|problem| reason(&problem)))
}

/// Has a mandate give back what a reservation holds.
pub async fn unhold(
    env: &Env,
    reservation: &ReservationId,
    mandate: &str,
    id: &CorrelationId,
) -> Result<(), Failure> {
    let held = work(reservation, mandate);
    held.ended("meter", held.release(env, id).await?);
    Ok(())
}

fn work<'a>(reservation: &'a ReservationId, mandate: &'a str) -> Held<'a> {
    Held { mandate, reservation: reservation_name(reservation), asker: reservation.as_str() }
}

/// Pays a bill from a mandate, or from what a reservation holds. `since` is when that was submitted.
pub async fn pay(
    env: &Env,
    bill: &SettlementId,
    means: &Means,
    amount: BaseUnits,
    since: UnixMillis,
    id: &CorrelationId,
) -> Result<Outcome, Failure> {
    match means {
        Means::Mandate { mandate, recipient } => {
            let held = Held { mandate, reservation: bill_name(bill), asker: bill.as_str() };
            let hold = bill_hold(bill, recipient, amount, since);
            let hold = hold.map_err(|fault| Failure::Corrupt(fault.to_string()))?;
            match held.reserve(env, hold, id).await? {
                Ok(()) => {}
                // Perhaps it has paid this bill, and the answer was lost: then the same payment again says so.
                Err(problem) if problem.code == "reservation_over" => {}
                Err(problem) => return Ok(failed(reason(&problem))),
            }
            paid(&held, env, amount, id).await
        }
        Means::Reservation { reservation, mandate } => {
            paid(&work(reservation, mandate), env, amount, id).await
        }
        Means::X402 { .. } | Means::Transaction { .. } => look(env, bill, means, amount, since, id).await,
    }
}

async fn paid(held: &Held<'_>, env: &Env, amount: BaseUnits, id: &CorrelationId) -> Result<Outcome, Failure> {
    Ok(match held.commit(env, amount, id).await? {
        Ok(()) => Outcome::Paid { proof: held.reservation.to_string() },
        Err(problem) => failed(reason(&problem)),
    })
}

/// Looks how a payment stands. `since` is when the bill was drawn up.
pub async fn look(
    env: &Env,
    bill: &SettlementId,
    means: &Means,
    amount: BaseUnits,
    since: UnixMillis,
    id: &CorrelationId,
) -> Result<Outcome, Failure> {
    match means {
        Means::X402 { payment, claimed_at } => {
            Ok(match objects::standing(env, payment, *claimed_at).await? {
                Standing::Settled { transaction } => Outcome::Paid { proof: transaction },
                Standing::Void { reason } => not_paid(&reason),
                Standing::Open => {
                    Outcome::Unknown { reason: "The outcome of the payment is being looked up.".to_owned() }
                }
            })
        }
        Means::Transaction { network, transaction, payer, recipient } => {
            let paid = Paid { transaction, payer, recipient, amount, since };
            let outcome = settlement::look_at_bill(env, network, &paid).await?;
            if !matches!(outcome, Outcome::Paid { .. }) {
                return Ok(outcome);
            }
            // What has paid becomes this bill's own before the meter hears of it: one transaction pays one thing.
            let holder = Holder::Settlement(bill.clone());
            Ok(match runs::claim(env, network, transaction, &holder, id).await? {
                Claim::Ours => outcome,
                Claim::Elsewhere => failed((
                    "transaction_used".to_owned(),
                    "This transaction has paid for something else.".to_owned(),
                )),
            })
        }
        // Mandates answer at once; what was lost of that is asked again.
        Means::Mandate { .. } | Means::Reservation { .. } => {
            Ok(Outcome::Unknown { reason: "The mandate is being asked.".to_owned() })
        }
    }
}

/// An x402 payment that did not pay, for that reason code.
pub fn not_paid(code: &str) -> Outcome {
    failed((code.to_owned(), format!("The payment was not settled ({code}). Nothing was charged.")))
}

fn failed((code, reason): (String, String)) -> Outcome {
    Outcome::Failed { code, reason }
}
