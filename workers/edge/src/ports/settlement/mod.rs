//! Whether a payment has arrived, of a run's or of a bill: in a simulation, or on the chain on which it was made.
//!
//! Looking changes nothing, so that it may be done any number of times. What the answers of a chain mean is judged in
//! `chain`; what cannot be asked is unknown, never failed.

mod evm;
mod rpc;
mod solana;

use api::settings::{PaymentChain, Rpc};
use meter::Outcome;
use primitives::{BaseUnits, RunId, UnixMillis};
use run::{Authorization, Payment, Rails, Requirement, Trace, Verdict};
use shell::Failure;
use worker::Env;

use super::funding::Held;
use crate::config::config;

/// A transaction that is said to pay a bill.
#[derive(Debug, Clone, Copy)]
pub struct Paid<'a> {
    /// Its hash.
    pub transaction: &'a str,
    /// Who has made it: the account that signed for it.
    pub payer: &'a str,
    /// Whom the bill pays.
    pub recipient: &'a str,
    /// What the bill asks for.
    pub amount: BaseUnits,
    /// When it was drawn up.
    pub since: UnixMillis,
}

/// What became of a transaction that is to pay a bill. Bills are in the till's token, which is one of an EVM chain.
pub async fn look_at_bill(env: &Env, network: &str, paid: &Paid<'_>) -> Result<Outcome, Failure> {
    match config(env)?.bills.as_ref().filter(|chain| chain.network() == network) {
        Some(chain) => evm::look_at_bill(chain, paid).await,
        None => Ok(Outcome::Unknown { reason: ELSEWHERE.to_owned() }),
    }
}

/// The network on which payments' names are unique.
pub fn network(rails: &Rails) -> &str {
    match rails {
        Rails::Simulated { .. } => "simulated",
        Rails::Chain { network } => network,
    }
}

/// What became of a payment.
pub async fn look(
    env: &Env,
    run: &RunId,
    rails: &Rails,
    payment: &Payment,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Result<Verdict, Failure> {
    let Rails::Chain { network } = rails else {
        return Ok(synthetic::settle(run, payment, authorization, requirement));
    };
    Ok(match config(env)?.runs.chain_on(network) {
        Some(chain) => match chain.rpc {
            Rpc::Solana { .. } => solana::look(chain, payment, authorization, requirement).await,
            Rpc::Evm { .. } => evm::look(chain, payment, authorization, requirement).await,
        },
        None => Verdict::Unknown { reason: ELSEWHERE.to_owned() },
    })
}

/// Looks for a payment that nobody has named.
pub async fn trace(
    env: &Env,
    rails: &Rails,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Result<Trace, Failure> {
    let Rails::Chain { network } = rails else { return Ok(synthetic::trace()) };
    Ok(match config(env)?.runs.chain_on(network) {
        Some(chain) => match chain.rpc {
            Rpc::Solana { .. } => solana::trace(chain, authorization, requirement).await,
            Rpc::Evm { .. } => evm::trace(chain, authorization, requirement).await,
        },
        None => Trace::Unknown { reason: ELSEWHERE.to_owned() },
    })
}

/// What anybody can see that an address has.
pub async fn held(chain: &PaymentChain, address: &str) -> Result<Held, Failure> {
    match chain.rpc {
        Rpc::Solana { .. } => solana::held(chain, address).await,
        Rpc::Evm { .. } => evm::held(chain, address).await,
    }
}

const ELSEWHERE: &str = "This deployment does not look at the payment's network any more.";
