//! How this Worker is set up, read from its variables and secrets. Anything wrong stops every route with a clear word.
//!
//! | name | kind | meaning |
//! |---|---|---|
//! | `ENVIRONMENT` | variable | `development`; anything else, or nothing, is production |
//! | `SETTLE_ON` | variable | `chain`, or `simulator` (development only, and what it does without the variable) |
//! | `NETWORKS` | variable, or secret when a URL holds a key | JSON array of [`Network`] |
//! | `RELAYER_KEYS` | secret | private keys, `0x` and 64 hexadecimal digits each, separated by commas |
//! | `SETTLE_WAIT_MS` | variable | how long `/settle` waits for the chain before it answers `settlement_pending` |

use eip712::{Address, Signer};
use primitives::Millis;
use serde::Deserialize;
use serde_json::Value;

use crate::{development::is_public_key, environment::Environment, limits};

/// Who settles.
#[derive(Debug)]
pub(crate) enum Backend {
    /// An object that plays the chain.
    Simulator,
    /// Chains.
    Chain(Chain),
}

/// The set-up of a facilitator with chains.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) networks: Vec<Network>,
    pub(crate) relayers: Vec<Relayer>,
    /// How long a settlement is waited for before the answer is that it is pending.
    pub(crate) settle_wait: Millis,
}

/// One chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Network {
    /// CAIP-2, such as `eip155:8453`.
    pub(crate) network: String,
    /// JSON-RPC URLs. What one of them says of a receipt, every other that answers must say as well.
    pub(crate) rpc: Vec<String>,
    /// The tokens that are settled.
    pub(crate) assets: Vec<Asset>,
    /// When a transfer counts as settled.
    #[serde(default)]
    pub(crate) confirmation: Confirmation,
    /// The most gas that one settlement may use.
    #[serde(default = "limits::gas_max")]
    pub(crate) gas_max: u64,
    /// The most wei that one unit of gas may cost; above it settlements wait. A decimal string.
    #[serde(default = "limits::fee_max", deserialize_with = "decimal")]
    pub(crate) max_fee_per_gas: u128,
    /// The most gas that one payer's settlements may use in a UTC day.
    #[serde(default = "limits::daily_gas_per_payer")]
    pub(crate) daily_gas_per_payer: u64,
}

/// A token.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asset {
    #[serde(deserialize_with = "address")]
    pub(crate) address: Address,
    /// The signing domain's name and version (EIP-712).
    pub(crate) name: String,
    pub(crate) version: String,
}

/// When a transfer counts as settled: in a block, in one that the chain calls safe, in one that it calls finalized.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Confirmation {
    #[default]
    Included,
    Safe,
    Final,
}

/// A key that sends transactions.
pub(crate) struct Relayer {
    pub(crate) signer: Signer,
    pub(crate) address: Address,
}

impl core::fmt::Debug for Relayer {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Relayer({})", self.address)
    }
}

impl Chain {
    /// The network of this name.
    pub(crate) fn network(&self, name: &str) -> Option<&Network> {
        self.networks.iter().find(|network| network.network == name)
    }

    /// The key that pays for this payer's settlements: always the same one, so that it alone counts the payer's gas.
    pub(crate) fn relayer_of(&self, payer: Address) -> Option<&Relayer> {
        let count = u8::try_from(self.relayers.len()).ok().filter(|count| *count > 0)?;
        let last = payer.0.0.last().copied().unwrap_or_default();
        self.relayers.get(usize::from(last.checked_rem(count)?))
    }

    /// The key of this address.
    pub(crate) fn relayer(&self, address: &str) -> Option<&Relayer> {
        self.relayers.iter().find(|relayer| relayer.address.to_string().eq_ignore_ascii_case(address))
    }
}

impl Network {
    /// The number in the CAIP-2 name; reading the settings has checked that it is one.
    pub(crate) fn chain_id(&self) -> u64 {
        chain_id(&self.network).unwrap_or_default()
    }
}

/// Reads the settings.
///
/// # Errors
/// A sentence that names the setting and what it must be.
pub(crate) fn read(setting: &impl Fn(&str) -> Option<String>) -> Result<Backend, String> {
    let environment = Environment::from_setting(setting("ENVIRONMENT").as_deref());
    match (setting("SETTLE_ON").as_deref(), environment) {
        (None | Some("simulator"), Environment::Development) => Ok(Backend::Simulator),
        (Some("chain"), environment) => chain(setting, environment).map(Backend::Chain),
        (None | Some("simulator"), Environment::Production) => Err(
            "SETTLE_ON must be `chain` here: ENVIRONMENT is not `development`, and the simulator moves no money."
                .to_owned(),
        ),
        (Some(_), _) => Err("SETTLE_ON must be `chain` or `simulator`.".to_owned()),
    }
}

fn chain(setting: &impl Fn(&str) -> Option<String>, environment: Environment) -> Result<Chain, String> {
    let networks = setting("NETWORKS").ok_or("NETWORKS must name the chains, as a JSON array.")?;
    let networks: Vec<Network> = serde_json::from_str(&networks)
        .map_err(|fault| format!("NETWORKS is not as it must be: {fault}."))?;
    if networks.is_empty() {
        return Err("NETWORKS names no chain.".to_owned());
    }
    for network in &networks {
        check(network, environment).map_err(|fault| format!("NETWORKS, {}: {fault}", network.network))?;
        if networks.iter().filter(|other| other.network == network.network).count() > 1 {
            return Err(format!("NETWORKS names {} twice.", network.network));
        }
    }
    let keys = setting("RELAYER_KEYS").ok_or("RELAYER_KEYS must hold the relayer's private key.")?;
    let relayers: Vec<_> = keys.split(',').map(|key| relayer(key, environment)).collect::<Result<_, _>>()?;
    if relayers.len() > limits::RELAYERS_MAX {
        return Err(format!("RELAYER_KEYS must hold at most {} keys.", limits::RELAYERS_MAX));
    }
    let wait = setting("SETTLE_WAIT_MS").map_or(Some(limits::SETTLE_WAIT.0), |text| text.parse().ok());
    let wait = wait.filter(|wait| (1..=limits::SETTLE_WAIT_MAX.0).contains(wait)).ok_or_else(|| {
        format!("SETTLE_WAIT_MS must be a whole number from 1 to {}.", limits::SETTLE_WAIT_MAX.0)
    })?;
    Ok(Chain { networks, relayers, settle_wait: Millis(wait) })
}

fn check(network: &Network, environment: Environment) -> Result<(), String> {
    let id = chain_id(&network.network).ok_or("`network` must be eip155:<chain id>.")?;
    if network.rpc.is_empty() || network.rpc.len() > limits::RPC_MAX {
        return Err(format!("`rpc` must hold one to {} URLs.", limits::RPC_MAX));
    }
    let allowed = |url: &String| {
        url.starts_with("https://") || (environment == Environment::Development && url.starts_with("http://"))
    };
    if !network.rpc.iter().all(allowed) {
        return Err("each URL in `rpc` must begin with https://.".to_owned());
    }
    if network.assets.is_empty() {
        return Err("`assets` names no token.".to_owned());
    }
    let gas = limits::GAS_FLOOR..=relayer::limits::JOB_GAS_MAX;
    if !gas.contains(&network.gas_max) {
        return Err(format!("`gasMax` must be from {} to {}.", gas.start(), gas.end()));
    }
    network.assets.iter().try_for_each(|asset| known_name(id, asset))
}

/// Tokens whose signing name people get wrong: the same dollar is called differently on two chains.
const KNOWN: [(u64, &str, &str, &str); 2] = [
    (8_453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin", "2"),
    (84_532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC", "2"),
];

fn known_name(chain_id: u64, asset: &Asset) -> Result<(), String> {
    let address = asset.address.to_string();
    let wrong = KNOWN.iter().find(|(id, token, name, version)| {
        *id == chain_id && *token == address && (asset.name != *name || asset.version != *version)
    });
    match wrong {
        Some((_, token, name, version)) => {
            Err(format!("the token {token} signs as name \"{name}\", version \"{version}\"."))
        }
        None => Ok(()),
    }
}

fn relayer(key: &str, environment: Environment) -> Result<Relayer, String> {
    // What is wrong with a key is said without the key.
    let malformed = || "RELAYER_KEYS must hold private keys: 0x and 64 hexadecimal digits each.".to_owned();
    let bytes = key.trim().strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
    let bytes: [u8; 32] = bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(malformed)?;
    let signer = Signer::from_bytes(&bytes).map_err(|_| malformed())?;
    let address = signer.address();
    if environment == Environment::Production && is_public_key(address) {
        return Err(format!(
            "RELAYER_KEYS holds the public development key of {address}: anyone can spend what it holds."
        ));
    }
    Ok(Relayer { signer, address })
}

fn chain_id(network: &str) -> Option<u64> {
    let digits = network.strip_prefix("eip155:")?;
    digits.parse().ok().filter(|id: &u64| *id > 0 && id.to_string() == digits)
}

fn address<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Address, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| serde::de::Error::custom("expected an address: 0x and 40 hexadecimal digits"))
}

fn decimal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let number = value.as_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| serde::de::Error::custom("expected a whole number in a string"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0x2222222222222222222222222222222222222222222222222222222222222222";

    fn network() -> Value {
        serde_json::json!({
            "network": "eip155:8453",
            "rpc": ["https://rpc.example"],
            "assets": [{ "address": KNOWN[0].1, "name": "USD Coin", "version": "2" }],
        })
    }

    fn settings(environment: &str, networks: &Value, keys: &str) -> Result<Backend, String> {
        let networks = networks.to_string();
        read(&|name| match name {
            "ENVIRONMENT" => Some(environment.to_owned()),
            "SETTLE_ON" => Some("chain".to_owned()),
            "NETWORKS" => Some(networks.clone()),
            "RELAYER_KEYS" => Some(keys.to_owned()),
            _ => None,
        })
    }

    #[track_caller]
    fn refused(outcome: Result<Backend, String>, part: &str) {
        let fault = outcome.unwrap_err();
        assert!(fault.contains(part), "{fault}");
    }

    #[test]
    fn a_chain_is_set_up_with_defaults_for_every_bound() {
        let Ok(Backend::Chain(chain)) =
            settings("production", &serde_json::json!([network()]), &format!("{KEY}, {KEY}"))
        else {
            panic!("refused")
        };
        let base = chain.network("eip155:8453").unwrap();
        assert_eq!(
            (base.chain_id(), base.confirmation, base.gas_max),
            (8453, Confirmation::Included, 200_000)
        );
        assert_eq!(chain.relayers.len(), 2);
        assert!(chain.network("eip155:1").is_none());
        let payer = chain.relayers[0].address;
        assert!(chain.relayer_of(payer).is_some());
    }

    #[test]
    fn s11_production_settles_on_a_chain_with_a_key_of_its_own() {
        let only = |name: &'static str, value: &'static str| {
            read(&move |asked| (asked == name).then(|| value.to_owned()))
        };
        refused(only("ENVIRONMENT", "production"), "SETTLE_ON must be `chain`");
        refused(only("SETTLE_ON", "simulator"), "SETTLE_ON must be `chain`");
        refused(only("SETTLE_ON", "chain"), "NETWORKS must name");
        refused(only("SETTLE_ON", "magic"), "`chain` or `simulator`");
        assert!(matches!(only("ENVIRONMENT", "development"), Ok(Backend::Simulator)));
        let public = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
        let networks = serde_json::json!([network()]);
        refused(settings("production", &networks, public), "public development key");
        assert!(settings("development", &networks, public).is_ok());
    }

    #[test]
    fn every_malformed_setting_is_named_and_no_key_is_shown() {
        let with = |pointer: &str, value: Value| {
            let mut network = network();
            *network.pointer_mut(pointer).unwrap() = value;
            settings("production", &serde_json::json!([network]), KEY)
        };
        refused(with("/network", "base".into()), "eip155:");
        refused(with("/network", "eip155:08453".into()), "eip155:");
        refused(with("/rpc", serde_json::json!([])), "`rpc`");
        refused(with("/rpc", serde_json::json!(["http://127.0.0.1:8545"])), "https://");
        refused(with("/assets", serde_json::json!([])), "`assets`");
        refused(with("/assets/0/name", "USDC".into()), "\"USD Coin\"");
        refused(with("/assets/0/address", "0x12".into()), "NETWORKS");
        for gas in [49_999, 1_000_001] {
            let mut network = network();
            network["gasMax"] = gas.into();
            refused(settings("production", &serde_json::json!([network]), KEY), "`gasMax`");
        }
        refused(settings("production", &serde_json::json!([]), KEY), "no chain");
        refused(settings("production", &serde_json::json!([network(), network()]), KEY), "twice");
        refused(settings("production", &serde_json::json!([network()]), "0x1234"), "RELAYER_KEYS");
        let fault = settings("production", &serde_json::json!([network()]), "0x12fe34").unwrap_err();
        assert!(!fault.contains("12fe34"));
    }
}
