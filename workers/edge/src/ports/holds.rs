//! What is held of a mandate's budget for another object of the product: a run, a bill, or metered work.

use api::binding::{Caller, MandateAsk};
use api::problem::Problem;
use eip712::B256;
use mandate::life::Hold;
use primitives::{BaseUnits, CorrelationId, Digest};
use shell::Failure;
use worker::Env;

use super::mandates;
use crate::rejection::Rejection;

/// What a mandate says: done, or why not. Asked again, it says the same.
pub type Said = Result<(), Box<Problem>>;

/// A part of a mandate's budget, by the name under which it is held.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The mandate: `0x` and 64 hexadecimal digits.
    pub mandate: &'a str,
    /// Its name.
    pub reservation: Digest,
    /// The object that holds it, which is told when time ends it.
    pub asker: &'a str,
}

impl Held<'_> {
    /// Has the mandate hold it. One that has ended is not held again.
    pub async fn reserve(&self, env: &Env, hold: Hold, id: &CorrelationId) -> Result<Said, Failure> {
        let ask = MandateAsk::Reserve { reservation: self.name(), hold };
        Ok(match self.ask(env, ask, id).await? {
            Ok(ended) if ended == "null" => Ok(()),
            Ok(_) => {
                let detail = "The hold was over before it was asked for.";
                Err(Box::new(Problem::new(409, "reservation_over", detail)))
            }
            Err(problem) => Err(problem),
        })
    }

    /// Pays `amount` of what is held. The rest of it, if any, goes back.
    pub async fn commit(&self, env: &Env, amount: BaseUnits, id: &CorrelationId) -> Result<Said, Failure> {
        let ask = MandateAsk::Commit { reservation: self.name(), asker: self.asker.to_owned(), amount };
        Ok(self.ask(env, ask, id).await?.map(|_| ()))
    }

    /// Gives back what is held. What was never held is never going to be.
    pub async fn release(&self, env: &Env, id: &CorrelationId) -> Result<Said, Failure> {
        let ask = MandateAsk::Release { reservation: self.name(), asker: self.asker.to_owned() };
        Ok(self.ask(env, ask, id).await?.map(|_| ()))
    }

    const fn name(&self) -> B256 {
        B256::new(self.reservation.0)
    }

    async fn ask(
        &self,
        env: &Env,
        ask: MandateAsk,
        id: &CorrelationId,
    ) -> Result<Result<String, Box<Problem>>, Failure> {
        let mandate = self.mandate.parse().map_err(|_| Failure::Corrupt("a mandate's name".to_owned()))?;
        match mandates::ask(env, mandate, Caller::Anyone, ask, None, id).await {
            Ok(answered) => Ok(Ok(answered.json)),
            Err(Rejection::Problem(problem, _)) => Ok(Err(problem)),
            Err(Rejection::Failure(failure)) => Err(failure),
        }
    }

    /// A hold whose end the mandate refuses has ended otherwise, such as by time: a person has to look, and asking again
    /// changes nothing.
    pub fn ended(&self, kind: &'static str, said: Said) {
        if let Err(problem) = said {
            let failure = Failure::Corrupt(format!("the mandate refused: {}", problem.code));
            shell::log::failure(kind, self.asker, "hold_not_ended", &failure);
        }
    }
}
