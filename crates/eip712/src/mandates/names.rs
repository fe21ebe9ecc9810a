//! How the contract names mandates, payments and services: each name is a hash of what it names.

use alloy_primitives::{Address, B256, U256, keccak256};
use alloy_sol_types::{SolStruct as _, SolValue as _};

use super::PaymentRequest;

/// The longest name of a service.
pub const SERVICE_BYTES_MAX: usize = 64;

/// The id of the mandate that `owner` creates with `salt`: `keccak256(abi.encode(chain, contract, owner, salt))`, as
/// `mandateOf` says.
pub fn mandate_id(chain_id: u64, contract: Address, owner: Address, salt: B256) -> B256 {
    keccak256((U256::from(chain_id), contract, owner, salt).abi_encode())
}

/// The id of the payment that a request asks for: its EIP-712 struct hash, as `paymentOf` says. The request holds the
/// mandate's id, and that holds chain and contract.
pub fn payment_id(request: &PaymentRequest) -> B256 {
    request.eip712_hash_struct()
}

/// The ERC-3009 nonce with which money reaches this mandate and no other: `keccak256(abi.encode(mandate, salt))`, as
/// `fundingNonce` says. The salt tells two fundings of one mandate apart.
pub fn funding_nonce(mandate: B256, salt: B256) -> B256 {
    keccak256((mandate, salt).abi_encode())
}

/// Why a text is no name of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceFault {
    /// It has no characters.
    Empty,
    /// It has more than [`SERVICE_BYTES_MAX`] bytes: this many.
    Long(usize),
    /// It has this character, the first that is not allowed.
    Character(char),
}

impl core::fmt::Display for ServiceFault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => formatter.write_str("the service's name is empty; it must have a character"),
            Self::Long(bytes) => {
                write!(formatter, "the service's name has {bytes} bytes; it may have {SERVICE_BYTES_MAX}")
            }
            Self::Character(character) => write!(
                formatter,
                "the service's name has the character {character:?}; it may have a to z, 0 to 9, '.', '-' and '/'"
            ),
        }
    }
}

impl core::error::Error for ServiceFault {}

/// The id of a service: the keccak-256 of its name, for example `api.example.com/translate`.
///
/// A name has 1 to 64 characters of `a` to `z`, `0` to `9`, `.`, `-` and `/`, so that one service has one spelling.
///
/// # Errors
/// When the name has other characters, none, or too many. Nothing is corrected.
pub fn service_id(name: &str) -> Result<B256, ServiceFault> {
    if name.is_empty() {
        return Err(ServiceFault::Empty);
    }
    if name.len() > SERVICE_BYTES_MAX {
        return Err(ServiceFault::Long(name.len()));
    }
    match name.chars().find(|character| !matches!(character, 'a'..='z' | '0'..='9' | '.' | '-' | '/')) {
        Some(character) => Err(ServiceFault::Character(character)),
        None => Ok(keccak256(name)),
    }
}
