//! Whether a name is one of a run's own network. Another network's would only be found out when it is looked for.

use chain::solana;
use run::Rails;

use crate::problem::Problem;

/// Checks the name of a transaction that is said to have paid on these rails.
///
/// # Errors
/// 422 when it is another network's.
pub fn transaction_on(rails: &Rails, name: &str) -> Result<(), Problem> {
    let Rails::Chain { network } = rails else { return Ok(()) };
    let is_its_own = match network.split_once(':') {
        Some(("solana", _)) => name.parse::<solana::Signature>().is_ok(),
        Some(("eip155", _)) => is_hexadecimal(name, 64),
        Some(_) | None => true,
    };
    is_its_own.then_some(()).ok_or_else(|| {
        let detail = format!("This is not the name of a transaction on {network}, where the run is paid. Send the one that paid.");
        Problem::new(422, "malformed_signature", detail)
    })
}

/// Checks the address of a wallet on a network (CAIP-2).
///
/// # Errors
/// 422 when it is another network's.
pub fn wallet_on(network: &str, address: &str) -> Result<(), Problem> {
    let is_its_own = match network.split_once(':') {
        Some(("solana", _)) => address.parse::<solana::Address>().is_ok(),
        Some(("eip155", _)) => is_hexadecimal(address, 40),
        Some(_) | None => true,
    };
    is_its_own.then_some(()).ok_or_else(|| {
        let detail = format!("This is not an address on {network}. Send one of that network.");
        Problem::new(422, "malformed_wallet", detail)
    })
}

fn is_hexadecimal(text: &str, count: usize) -> bool {
    text.strip_prefix("0x")
        .is_some_and(|digits| digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLANA: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

    fn on(network: &str) -> Rails {
        Rails::Chain { network: network.to_owned() }
    }

    #[test]
    fn a_name_is_its_networks_own() {
        let (signature, hash) = (solana::Signature([7; 64]).to_string(), format!("0x{}", "ab".repeat(32)));
        assert!(transaction_on(&on(SOLANA), &signature).is_ok());
        assert!(transaction_on(&on("eip155:84532"), &hash).is_ok());
        for (network, name) in [(SOLANA, &hash), ("eip155:84532", &signature), (SOLANA, &"sim_1".to_owned())]
        {
            assert_eq!(transaction_on(&on(network), name).unwrap_err().code, "malformed_signature");
        }
        assert!(transaction_on(&Rails::Simulated { wallet: false }, "sim_1").is_ok());
    }

    #[test]
    fn an_address_is_its_networks_own() {
        let (account, evm) = (solana::Address([7; 32]).to_string(), format!("0x{}", "aB".repeat(20)));
        assert!(wallet_on(SOLANA, &account).is_ok());
        assert!(wallet_on("eip155:84532", &evm).is_ok());
        for (network, address) in [(SOLANA, &evm), ("eip155:84532", &account)] {
            assert_eq!(wallet_on(network, address).unwrap_err().code, "malformed_wallet");
        }
    }
}
