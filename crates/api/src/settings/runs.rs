//! How purchase runs are set up: the market, the executor that plays its part, and the chain that is looked at.

use core::fmt;

use run::Rails;

use super::{Environment, Read};
use crate::paywall::Asset;
use crate::problem::Problem;
use crate::wire::WalletKind;

/// How purchase runs are set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// Who is asked for offers; none for the synthetic market.
    pub observer: Option<Observer>,
    /// Whether an executor plays its part here.
    pub demo_executor: bool,
    /// How the payments of new runs travel.
    pub settlement: RunSettlement,
    /// The chain whose balances are shown; that of the settlement, if there is one.
    pub chain: Option<PaymentChain>,
}

/// An observer of the market.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observer {
    /// Its address without a slash at the end.
    pub url: String,
    /// What it is shown.
    pub token: Option<Credential>,
}

/// How payments travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunSettlement {
    /// They do not.
    Simulated,
    /// On this chain.
    Chain(PaymentChain),
}

/// A chain with the token that runs are paid in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentChain {
    /// CAIP-2.
    network: String,
    /// The token's address.
    pub asset: String,
    /// Who is asked about it.
    pub rpc: Rpc,
    /// How many blocks have to stand on a payment's (EVM); none when the chain's own word of finality is waited for.
    pub confirmations: Option<u64>,
}

/// A server of a chain's JSON-RPC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rpc {
    /// Solana's.
    Solana {
        /// Its address, which may hold a key.
        url: Credential,
        /// A header's name and the key in it.
        key: Option<(String, Credential)>,
    },
    /// That of an EVM chain.
    Evm {
        /// Its address, which may hold a key.
        url: Credential,
    },
}

/// What must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(pub(super) String);

impl Credential {
    /// The text, for the request that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

// S4: the set-up may be logged whole.
impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

impl Runs {
    /// The chain of that name, if it is the one that is looked at.
    pub fn chain_on(&self, network: &str) -> Option<&PaymentChain> {
        self.chain.as_ref().filter(|chain| chain.network == network)
    }

    /// How a new run's payment travels.
    ///
    /// # Errors
    /// When a wallet that only plays its part is to pay on a chain.
    pub fn rails(&self, wallet: WalletKind) -> Result<Rails, Problem> {
        match (&self.settlement, wallet) {
            (RunSettlement::Simulated, wallet) => {
                Ok(Rails::Simulated { wallet: wallet == WalletKind::Simulated })
            }
            (RunSettlement::Chain(chain), WalletKind::External) => {
                Ok(Rails::Chain { network: chain.network.clone() })
            }
            (RunSettlement::Chain(chain), WalletKind::Simulated) => {
                let detail = format!(
                    "Payments are looked at on {} here, where a simulated wallet cannot pay; say `external`, and pay \
                     with a wallet of your own.",
                    chain.network
                );
                Err(Problem::new(422, "simulated_wallet_off", detail))
            }
        }
    }
}

impl PaymentChain {
    /// The chain (CAIP-2).
    pub fn network(&self) -> &str {
        &self.network
    }
}

/// Circle's USDC where it is known: network, token.
const KNOWN: [(&str, &str); 4] = [
    (SOLANA_MAINNET, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
    ("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"),
    ("eip155:8453", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
    ("eip155:84532", "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
];

/// The beginning of Solana's genesis hash, as CAIP-2 names the chain.
const SOLANA_MAINNET: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// The header of Solana RPC servers that take a key in one, if none is named.
const KEY_HEADER: &str = "x-api-key";

pub(super) fn read(read: Read<'_>, environment: Environment) -> Result<Runs, String> {
    let demo_executor = flag(read, "DEMO_EXECUTOR")?;
    if demo_executor && environment == Environment::Production {
        return Err("DEMO_EXECUTOR plays its part only, and is refused in production".to_owned());
    }
    let observer = observer(read, environment)?;
    if demo_executor && observer.is_some() {
        return Err(
            "DEMO_EXECUTOR looks at the synthetic market only: leave it or OBSERVER_API_URL out".to_owned()
        );
    }
    let network = read("RUN_SETTLEMENT").filter(|network| network != "simulated");
    let (settlement, chain) = match network {
        Some(network) => {
            let chain = chain(read, environment, network)?;
            (RunSettlement::Chain(chain.clone()), Some(chain))
        }
        None if read("SOLANA_RPC_URL").is_some() => {
            (RunSettlement::Simulated, Some(chain(read, environment, SOLANA_MAINNET.to_owned())?))
        }
        None => (RunSettlement::Simulated, None),
    };
    Ok(Runs { observer, demo_executor, settlement, chain })
}

fn flag(read: Read<'_>, name: &str) -> Result<bool, String> {
    match read(name).as_deref() {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(_) => Err(format!("{name} must be 1 or 0")),
    }
}

fn observer(read: Read<'_>, environment: Environment) -> Result<Option<Observer>, String> {
    let token = read("OBSERVER_READ_TOKEN").map(Credential);
    match (read("OBSERVER_API_URL"), token) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err("OBSERVER_READ_TOKEN needs OBSERVER_API_URL".to_owned()),
        (Some(url), token) => {
            let url = url_of(url, "OBSERVER_API_URL", environment)?;
            Ok(Some(Observer { url, token }))
        }
    }
}

fn chain(read: Read<'_>, environment: Environment, network: String) -> Result<PaymentChain, String> {
    let url = |name: &str| {
        let url = read(name).ok_or_else(|| format!("RUN_SETTLEMENT {network} needs {name}"))?;
        url_of(url, name, environment).map(Credential)
    };
    let rpc = match network.split_once(':') {
        Some(("solana", reference)) if is_reference(reference) => {
            Rpc::Solana { url: url("SOLANA_RPC_URL")?, key: key(read)? }
        }
        Some(("eip155", reference)) if is_number(reference) => Rpc::Evm { url: url("EVM_RPC_URL")? },
        Some(_) | None => {
            return Err(
                "RUN_SETTLEMENT must be simulated or a chain as CAIP-2, such as eip155:84532".to_owned()
            );
        }
    };
    let known = KNOWN.iter().find(|(known, _)| *known == network).map(|(_, asset)| (*asset).to_owned());
    let asset = match (read("RUN_ASSET"), known) {
        (Some(asset), _) if is_asset(&rpc, &asset) => asset,
        (Some(_), _) => return Err(format!("RUN_ASSET must be the address of a token of {network}")),
        (None, Some(known)) => known,
        (None, None) => return Err(format!("RUN_ASSET must be set: no token of {network} is known here")),
    };
    Ok(PaymentChain { network, asset, rpc, confirmations: confirmations(read, environment)? })
}

fn confirmations(read: Read<'_>, environment: Environment) -> Result<Option<u64>, String> {
    match read("RUN_CONFIRMATIONS") {
        None => Ok(None),
        Some(_) if environment == Environment::Production => {
            Err("RUN_CONFIRMATIONS is for chains of development: leave it out in production".to_owned())
        }
        Some(_) => super::number(read, "RUN_CONFIRMATIONS", 0, 0, 10_000).map(Some),
    }
}

/// The chain of the till's token, if there is a node that is asked about it. A node of another chain, on which runs are
/// paid, is none.
pub(super) fn bills(
    read: Read<'_>,
    environment: Environment,
    runs: &Runs,
    asset: &Asset,
) -> Result<Option<PaymentChain>, String> {
    let elsewhere = runs
        .chain
        .as_ref()
        .is_some_and(|chain| matches!(chain.rpc, Rpc::Evm { .. }) && chain.network != asset.network);
    let Some(url) = read("EVM_RPC_URL").filter(|_| !elsewhere) else { return Ok(None) };
    Ok(Some(PaymentChain {
        network: asset.network.clone(),
        asset: asset.address.clone(),
        rpc: Rpc::Evm { url: Credential(url_of(url, "EVM_RPC_URL", environment)?) },
        confirmations: confirmations(read, environment)?,
    }))
}

fn key(read: Read<'_>) -> Result<Option<(String, Credential)>, String> {
    let name = read("SOLANA_RPC_API_KEY_HEADER");
    let Some(key) = read("SOLANA_RPC_API_KEY") else {
        return match name {
            None => Ok(None),
            Some(_) => Err("SOLANA_RPC_API_KEY_HEADER needs SOLANA_RPC_API_KEY".to_owned()),
        };
    };
    let name = name.unwrap_or_else(|| KEY_HEADER.to_owned());
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err("SOLANA_RPC_API_KEY_HEADER must be the name of a header".to_owned());
    }
    Ok(Some((name, Credential(key))))
}

/// https; in development also what runs on this machine.
pub(super) fn url_of(url: String, name: &str, environment: Environment) -> Result<String, String> {
    let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let is_local = |url: &str| {
        let rest = local.iter().find_map(|local| url.strip_prefix(local));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    };
    let host = url.strip_prefix("https://").unwrap_or_default();
    if !host.is_empty() && !host.starts_with(['/', ':', '?', '@']) {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    match environment {
        Environment::Development if is_local(&url) => Ok(url.trim_end_matches('/').to_owned()),
        Environment::Development => Err(format!("{name} must be https, or http on this machine")),
        Environment::Production => Err(format!("{name} must be https in production")),
    }
}

/// 1 to 32 characters, as CAIP-2 has it.
fn is_reference(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn is_number(text: &str) -> bool {
    !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u64>().is_ok()
}

fn is_asset(rpc: &Rpc, asset: &str) -> bool {
    match rpc {
        Rpc::Solana { .. } => asset.parse::<chain::solana::Address>().is_ok(),
        Rpc::Evm { .. } => {
            let digits = asset.strip_prefix("0x").unwrap_or_default();
            digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
    }
}
