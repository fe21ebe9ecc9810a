//! Whether a payment may be settled, by what the chain says: the reference facilitator's checks of `exact` with
//! EIP-3009, in its order.

use chain::Account;
use primitives::UnixMillis;
use x402::{Authorized, ChainReason, Checked, FacilitatorRequest, InvalidReason, PayerAccount, VERSION};

use super::facts::{Facts, transfer_input};
use crate::{
    answer::Words,
    settings::{Chain, Network},
};

/// Why a payment is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It does not meet the requirements.
    Invalid(InvalidReason),
    /// The chain, or its price, speaks against it.
    Chain(ChainReason),
    /// It is for a network that is not configured.
    Network,
    /// It is in a token that is not configured.
    Token,
}

impl From<InvalidReason> for Refusal {
    fn from(reason: InvalidReason) -> Self {
        Self::Invalid(reason)
    }
}

impl From<ChainReason> for Refusal {
    fn from(reason: ChainReason) -> Self {
        Self::Chain(reason)
    }
}

impl Refusal {
    /// Whether a payment that was right when its settlement began can meet it before it lands.
    pub(crate) const fn can_come_later(&self) -> bool {
        match self {
            Self::Invalid(InvalidReason::Expired | InvalidReason::NonceUsed) | Self::Chain(_) => true,
            Self::Invalid(_) | Self::Network | Self::Token => false,
        }
    }

    /// The protocol's words for it.
    pub(crate) fn words(&self) -> Words {
        let (code, message) = match self {
            Self::Invalid(reason) => (reason.code(), reason.to_string()),
            Self::Chain(reason) => (reason.code(), reason.to_string()),
            Self::Network => (
                "invalid_network",
                "This facilitator does not settle on that network; GET /supported names those it does."
                    .to_owned(),
            ),
            Self::Token => (
                "invalid_payment_requirements",
                "This facilitator does not settle in that token on this network.".to_owned(),
            ),
        };
        Words { code: code.to_owned(), message }
    }
}

/// A payment that the chain would take now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) checked: Checked,
    pub(crate) authorized: Authorized,
    /// What stands at the payer's address; it decides the form of the transfer's call.
    pub(crate) payer: Account,
    /// The most gas that its transaction may use.
    pub(crate) gas_limit: u64,
}

/// What can be said without asking the chain: the version, the network, the token, and the payment's shape.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn admit<'a>(
    chain: &'a Chain,
    request: &FacilitatorRequest,
) -> Result<(&'a Network, Checked), Refusal> {
    if request.x402_version != VERSION {
        return Err(InvalidReason::Version(request.x402_version).into());
    }
    let network = chain.network(&request.payment_requirements.network).ok_or(Refusal::Network)?;
    let checked = x402::check(&request.payment_requirements, &request.payment_payload)?;
    let token = checked.domain().verifying_contract;
    if network.assets.iter().all(|asset| asset.address != token) {
        return Err(Refusal::Token);
    }
    Ok((network, checked))
}

/// Judges a payment by what the chain says of it.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn judge(
    checked: Checked,
    facts: &Facts,
    gas_max: u64,
    now: UnixMillis,
) -> Result<Accepted, Refusal> {
    let account = match facts.payer {
        Account::Plain => PayerAccount::WithoutCode,
        Account::Contract | Account::Delegated(_) if facts.payer_vouches => PayerAccount::Vouches,
        Account::Contract | Account::Delegated(_) => PayerAccount::Denies,
    };
    let authorized = checked.signed_by(account)?.authorize(now)?;
    if transfer_input(&checked, facts.payer).len() > relayer::limits::INPUT_BYTES_MAX {
        return Err(InvalidReason::Payload { field: "payload.signature" }.into());
    }
    if !facts.token_has_code {
        return Err(ChainReason::AssetNotContract.into());
    }
    let gas = facts.gas.ok_or_else(|| diagnose(&checked, facts))?;
    // A fifth on top: what the transfer meets when it lands may differ from what the simulation met.
    let gas_limit = gas.saturating_add(gas.div_ceil(5));
    if gas_limit > gas_max {
        return Err(ChainReason::GasCost.into());
    }
    Ok(Accepted { checked, authorized, payer: facts.payer, gas_limit })
}

/// Why a transfer would fail.
fn diagnose(checked: &Checked, facts: &Facts) -> Refusal {
    let domain = checked.domain();
    let differs = |said: &Option<String>, ours: &str| said.as_deref().is_some_and(|said| said != ours);
    match facts.nonce_is_used {
        None => ChainReason::NotEip3009.into(),
        Some(true) => InvalidReason::NonceUsed.into(),
        Some(false) if differs(&facts.name, &domain.name) => ChainReason::TokenName.into(),
        Some(false) if differs(&facts.version, &domain.version) => ChainReason::TokenVersion.into(),
        Some(false) if facts.balance.is_some_and(|has| has < checked.transfer().value) => {
            ChainReason::InsufficientFunds.into()
        }
        Some(false) => ChainReason::SimulationFailed.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eip712::{Address, Signer, U256};
    use primitives::UnixMillis;
    use serde_json::json;

    const NOW: UnixMillis = UnixMillis(1_764_513_008_000);
    const GAS_MAX: u64 = 120_000;

    fn request() -> FacilitatorRequest {
        let requirements = serde_json::from_value(json!({
            "scheme": "exact",
            "network": "eip155:84532",
            "amount": "10000",
            "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
            "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
            "maxTimeoutSeconds": 300,
            "extra": { "name": "USDC", "version": "2" },
        }))
        .unwrap();
        let signer = Signer::from_bytes(&[0x11; 32]).unwrap();
        FacilitatorRequest {
            x402_version: 2,
            payment_payload: x402::sign_exact(&requirements, &signer, [7; 32], NOW, None).unwrap(),
            payment_requirements: requirements,
        }
    }

    fn good() -> Facts {
        Facts {
            payer: Account::Plain,
            payer_vouches: false,
            token_has_code: true,
            gas: Some(80_000),
            nonce_is_used: Some(false),
            name: Some("USDC".to_owned()),
            version: Some("2".to_owned()),
            balance: Some(U256::from(10_000)),
        }
    }

    fn verdict(facts: &Facts) -> Result<Accepted, String> {
        let request = request();
        let checked = x402::check(&request.payment_requirements, &request.payment_payload).unwrap();
        judge(checked, facts, GAS_MAX, NOW).map_err(|refusal| refusal.words().code)
    }

    #[test]
    fn a_payment_that_the_chain_would_take_gets_a_fifth_more_gas_than_it_needs() {
        assert_eq!(verdict(&good()).unwrap().gas_limit, 96_000);
        assert!(verdict(&Facts { gas: Some(100_000), ..good() }).is_ok());
        assert_eq!(verdict(&Facts { gas: Some(100_001), ..good() }).unwrap_err(), "gas_cost_not_allowed");
    }

    #[test]
    fn each_fact_that_speaks_against_it_has_its_own_code_in_the_reference_order() {
        let failing = Facts { gas: None, ..good() };
        // From the last reason to the first: each keeps what is wrong below it, and is found before it.
        let mut facts = failing.clone();
        let mut found = |change: fn(&mut Facts)| {
            change(&mut facts);
            verdict(&facts).unwrap_err()
        };
        let codes = [
            found(|_| ()),
            found(|facts| facts.balance = Some(U256::from(9_999))),
            found(|facts| facts.version = Some("1".to_owned())),
            found(|facts| facts.name = Some("USD Coin".to_owned())),
            found(|facts| facts.nonce_is_used = Some(true)),
            found(|facts| facts.nonce_is_used = None),
            found(|facts| facts.token_has_code = false),
            found(|facts| facts.payer = Account::Contract),
        ];
        let expected = [
            "invalid_exact_evm_transaction_simulation_failed",
            "insufficient_funds",
            "invalid_exact_evm_token_version_mismatch",
            "invalid_exact_evm_token_name_mismatch",
            "invalid_exact_evm_nonce_already_used",
            "invalid_exact_evm_eip3009_not_supported",
            "asset_not_deployed_contract",
            "invalid_exact_evm_signature",
        ];
        assert_eq!(codes, expected);
    }

    #[test]
    fn where_there_is_code_only_the_code_says_who_signed() {
        let delegated = Account::Delegated(Address::ZERO);
        for payer in [Account::Contract, delegated] {
            // The signature is the payer's own key's, and that alone does not count.
            assert_eq!(verdict(&Facts { payer, ..good() }).unwrap_err(), "invalid_exact_evm_signature");
            let vouched = Facts { payer, payer_vouches: true, ..good() };
            assert_eq!(verdict(&vouched).unwrap().payer, payer);
        }
    }

    #[test]
    fn what_is_not_configured_is_refused_before_the_chain_is_asked() {
        let chain = |network: &str, asset: &str| Chain {
            networks: vec![
                serde_json::from_value(json!({
                    "network": network,
                    "rpc": ["https://rpc.example"],
                    "assets": [{ "address": asset, "name": "USDC", "version": "2" }],
                }))
                .unwrap(),
            ],
            relayers: Vec::new(),
            settle_wait: primitives::Millis(1),
        };
        let usdc = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
        assert!(admit(&chain("eip155:84532", usdc), &request()).is_ok());
        assert_eq!(admit(&chain("eip155:8453", usdc), &request()).unwrap_err(), Refusal::Network);
        let other = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
        assert_eq!(admit(&chain("eip155:84532", other), &request()).unwrap_err(), Refusal::Token);
        let version = FacilitatorRequest { x402_version: 1, ..request() };
        let refusal = admit(&chain("eip155:84532", usdc), &version).unwrap_err();
        assert_eq!(refusal.words().code, "invalid_x402_version");
    }
}
