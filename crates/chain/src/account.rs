//! What kind of account an address is, and asking a contract whether a signature is its own (ERC-1271).

use alloy_sol_types::SolCall as _;
use eip712::{Address, B256};

use crate::abi::ContractAccount;

/// What stands before the address in the code of a delegated account (EIP-7702).
const DELEGATION: [u8; 3] = [0xef, 0x01, 0x00];

/// An account, by the code at its address.
///
/// Wherever there is code, only that code says whether a signature is valid (ERC-1271). This holds for a delegated
/// account too, although a key exists that could sign for it: tokens ask the code, so a signature that only the key
/// vouches for would fail on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// No code: one key signs, and its 65-byte signature recovers to the address. A contract that is not deployed
    /// yet looks the same.
    Plain,
    /// A contract.
    Contract,
    /// A key's account that runs the code of another address (EIP-7702).
    Delegated(Address),
}

impl Account {
    /// The account whose code is `code`.
    pub fn from_code(code: &[u8]) -> Self {
        let target = code.strip_prefix(&DELEGATION).and_then(|target| <[u8; 20]>::try_from(target).ok());
        match target {
            Some(target) => Self::Delegated(Address::new(target)),
            None if code.is_empty() => Self::Plain,
            None => Self::Contract,
        }
    }
}

/// Calldata that asks a contract whether a signature of `digest` is its own (ERC-1271, selector `0x1626ba7e`);
/// [`is_magic`] reads the answer.
pub fn is_valid_signature(digest: B256, signature: &[u8]) -> Vec<u8> {
    ContractAccount::isValidSignatureCall { hash: digest, signature: signature.to_vec().into() }.abi_encode()
}

/// Whether the contract has said yes: the first returned word is the function's selector and 28 zero bytes. What
/// follows the word is passed over, as tokens do.
pub fn is_magic(returned: &[u8]) -> bool {
    returned
        .first_chunk::<32>()
        .and_then(|word| word.strip_prefix(&ContractAccount::isValidSignatureCall::SELECTOR))
        .is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}
