//! A run's hold on the mandate that it spends from.

use api::binding::{Caller, MandateAsk};
use api::outbound::run::{hold, not_held};
use api::problem::Problem;
use eip712::B256;
use primitives::{BaseUnits, CorrelationId, Digest, RunId};
use run::{Budget, BudgetAnswer};
use shell::Failure;
use worker::Env;

use super::mandates;
use crate::rejection::Rejection;

/// Has the mandate hold the amount.
pub async fn reserve(
    env: &Env,
    mandate: &str,
    run: &RunId,
    budget: &Budget,
    id: &CorrelationId,
) -> Result<BudgetAnswer, Failure> {
    let hold = hold(run, budget).map_err(|fault| Failure::Corrupt(fault.to_string()))?;
    let ask = MandateAsk::Reserve { reservation: B256::new(budget.reservation.0), hold };
    match asked(env, mandate, ask, id).await? {
        Ok(ended) if ended == "null" => Ok(BudgetAnswer::Held),
        Ok(_) => Ok(BudgetAnswer::Refused {
            code: "reservation_over".to_owned(),
            reason: "The hold was over before it was asked for.".to_owned(),
        }),
        Err(problem) => Ok(not_held(&problem)),
    }
}

/// Pays what is held. The rest of it, if any, goes back.
pub async fn commit(
    env: &Env,
    mandate: &str,
    run: &RunId,
    reservation: &Digest,
    amount: BaseUnits,
    id: &CorrelationId,
) -> Result<(), Failure> {
    let (reservation, asker) = (B256::new(reservation.0), run.to_string());
    ended(asked(env, mandate, MandateAsk::Commit { reservation, asker, amount }, id).await?, run)
}

/// Gives back what is held.
pub async fn release(
    env: &Env,
    mandate: &str,
    run: &RunId,
    reservation: &Digest,
    id: &CorrelationId,
) -> Result<(), Failure> {
    let (reservation, asker) = (B256::new(reservation.0), run.to_string());
    ended(asked(env, mandate, MandateAsk::Release { reservation, asker }, id).await?, run)
}

async fn asked(
    env: &Env,
    mandate: &str,
    ask: MandateAsk,
    id: &CorrelationId,
) -> Result<Result<String, Box<Problem>>, Failure> {
    let mandate = mandate.parse().map_err(|_| Failure::Corrupt("a mandate's name".to_owned()))?;
    match mandates::ask(env, mandate, Caller::Anyone, ask, None, id).await {
        Ok(answered) => Ok(Ok(answered.json)),
        Err(Rejection::Problem(problem, _)) => Ok(Err(problem)),
        Err(Rejection::Failure(failure)) => Err(failure),
    }
}

/// A hold whose end the mandate refuses has ended otherwise, such as by time: a person has to look, and asking again
/// changes nothing.
fn ended(outcome: Result<String, Box<Problem>>, run: &RunId) -> Result<(), Failure> {
    if let Err(problem) = outcome {
        let failure = Failure::Corrupt(format!("the mandate refused: {}", problem.code));
        shell::log::failure("run", run.as_str(), "hold_not_ended", &failure);
    }
    Ok(())
}
