//! What is paid in, and where the money goes.

use super::{Environment, Read};
use crate::paywall::{Asset, Till};

/// Tokens whose signing domain is known: network, address, name, version.
///
/// The name is part of what is signed. With a wrong one every payment fails on the chain, after the client has signed.
const KNOWN: [(&str, &str, &str, &str); 2] = [
    ("eip155:84532", "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC", "2"),
    ("eip155:8453", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin", "2"),
];

/// Addresses whose keys are public or that nobody can spend from; money sent there is lost.
const DEVELOPMENT_ADDRESSES: [&str; 3] = [
    "0x000000000000000000000000000000000000dead",
    "0x0000000000000000000000000000000000000000",
    "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
];

pub(super) fn read(read: Read<'_>, environment: Environment) -> Result<Till, String> {
    Ok(Till { asset: asset(read)?, pay_to: pay_to(read, environment)? })
}

fn asset(read: Read<'_>) -> Result<Asset, String> {
    let network = read("X402_NETWORK").unwrap_or_else(|| "eip155:84532".to_owned());
    let chain = network.strip_prefix("eip155:").unwrap_or_default();
    let is_number = chain.bytes().all(|byte| byte.is_ascii_digit()) && !chain.starts_with('0');
    if !is_number || chain.parse::<u64>().is_err() {
        return Err("X402_NETWORK must be an EVM network as CAIP-2, such as eip155:8453".to_owned());
    }
    let of_network = KNOWN.iter().find(|(known, ..)| *known == network);
    let address = match (read("X402_ASSET"), of_network) {
        (Some(address), _) if is_address(&address) => address,
        (Some(_), _) => return Err("X402_ASSET must be an address: 0x and 40 hexadecimal digits".to_owned()),
        (None, Some((_, known, ..))) => (*known).to_owned(),
        (None, None) => return Err(format!("X402_ASSET must be set: no token of {network} is known here")),
    };
    let known = of_network.filter(|(_, known, ..)| known.eq_ignore_ascii_case(&address));
    let name = word(read, "X402_ASSET_NAME", &network, known.map(|(_, _, name, _)| *name))?;
    let version = word(read, "X402_ASSET_VERSION", &network, known.map(|(_, _, _, version)| *version))?;
    Ok(Asset { network, address, name, version })
}

/// A part of the token's signing domain: as it is known, or else as it is set.
fn word(read: Read<'_>, variable: &str, network: &str, known: Option<&str>) -> Result<String, String> {
    match (read(variable), known) {
        (Some(set), Some(known)) if set != known => {
            Err(format!("{variable} must be \"{known}\" for this token of {network}: payers sign it"))
        }
        (Some(set), _) => Ok(set),
        (None, Some(known)) => Ok(known.to_owned()),
        (None, None) => {
            Err(format!("{variable} must be set: the token's signing domain (EIP-712) is not known here"))
        }
    }
}

fn pay_to(read: Read<'_>, environment: Environment) -> Result<String, String> {
    let address = read("X402_PAY_TO").ok_or("X402_PAY_TO must be set to the address that is paid")?;
    if !is_address(&address) {
        return Err("X402_PAY_TO must be an address: 0x and 40 hexadecimal digits".to_owned());
    }
    let is_development = DEVELOPMENT_ADDRESSES.contains(&address.to_ascii_lowercase().as_str());
    if environment == Environment::Production && is_development {
        return Err("X402_PAY_TO is a development address and is refused in production".to_owned());
    }
    Ok(address)
}

fn is_address(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
