//! Whether a run's payment has arrived: in a simulation, or on the chain on which it was made.
//!
//! Looking changes nothing, so that it may be done any number of times. What the answers of a chain mean is judged in
//! `chain`; what cannot be asked is unknown, never failed.

mod evm;
mod rpc;
mod solana;

use api::settings::{PaymentChain, Rpc};
use primitives::RunId;
use run::{Authorization, Payment, Rails, Requirement, Trace, Verdict};
use shell::Failure;
use worker::Env;

use super::funding::Held;
use crate::config::config;

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

const ELSEWHERE: &str = "This deployment does not look at the run's network any more.";
