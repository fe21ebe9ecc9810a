//! What a wallet has, and what the off-ramp asks for. Every off-ramp is simulated so far.

use api::settings::PaymentChain;
use primitives::{BaseUnits, RunId};
use run::{Balances, Cents, FundsAnswer, Rails, WalletReport};
use shell::{Failure, now};
use worker::Env;

use super::settlement::held;
use crate::config::config;

/// What anybody can see that an address has, in base units.
pub struct Held {
    /// Of the token that runs are paid in.
    pub token: BaseUnits,
    /// Of the network's own money.
    pub native: BaseUnits,
}

/// What can be spent, and what has to be. Whatever goes wrong is an answer too: the run decides how often it asks.
pub async fn check(
    env: &Env,
    run: &RunId,
    rails: &Rails,
    report: &WalletReport,
    amount: Cents,
) -> Result<FundsAnswer, Failure> {
    let (balances, asset) = match rails {
        Rails::Simulated { .. } => (synthetic::balances(report), synthetic::ASSET.to_owned()),
        Rails::Chain { network } => {
            let settings = config(env)?;
            let Some(chain) = settings.runs.chain_on(network) else {
                let reason = "This deployment does not settle on the run's network any more.".to_owned();
                return Ok(FundsAnswer::Unavailable { reason });
            };
            let balances = Balances { public: seen(chain, report).await, shielded: report.shielded };
            (balances, format!("{network}/{}", chain.asset))
        }
    };
    Ok(match synthetic::off_ramp(run, amount, &asset, now()) {
        Ok(requirement) => FundsAnswer::Found { balances, requirement },
        Err(real) => FundsAnswer::Refused { reason: real.to_string() },
    })
}

/// What the wallet has on its chain. A balance that cannot be read is none that is known: what counts in the end is whether
/// the payment arrives.
async fn seen(chain: &PaymentChain, report: &WalletReport) -> Option<BaseUnits> {
    let address = report.address.as_deref()?;
    match held(chain, address).await {
        Ok(held) => Some(held.token),
        Err(failure) => {
            shell::log::failure("funding", chain.network(), "balance_unread", &failure);
            None
        }
    }
}

/// What an address has, on the chain that is looked at or in the simulation.
pub async fn public(chain: Option<&PaymentChain>, address: &str) -> Result<Held, Failure> {
    match chain {
        Some(chain) => held(chain, address).await,
        None => Ok(Held { token: synthetic::PUBLIC_USDC, native: synthetic::NATIVE }),
    }
}
