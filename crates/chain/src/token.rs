//! What an EIP-3009 token is asked, and what it returns.
//!
//! The functions named like the token's own write calldata; those named `read_…` read what a call of it returns. What
//! a token returns is its own choice, so it is read strictly: one value has one encoding.

use alloy_sol_types::{SolCall as _, SolValue as _};
use eip712::{Address, B256, SIGNATURE_BYTES, TransferWithAuthorization, U256};
use primitives::Malformed;

use crate::abi::Token;
use crate::limits::TOKEN_TEXT_BYTES;

/// Calldata that moves the tokens by a key's signature `r ‖ s ‖ v` (EIP-3009, `transferWithAuthorization`, selector
/// `0xe3ee160e`): the form that every EIP-3009 token has. The signature is passed on unread.
pub fn transfer_by_key(transfer: &TransferWithAuthorization, signature: &[u8; SIGNATURE_BYTES]) -> Vec<u8> {
    let TransferWithAuthorization { from, to, value, valid_after, valid_before, nonce } = transfer.clone();
    let [scalars @ .., v] = signature;
    let (r, s) = scalars.split_at(32);
    Token::transferWithAuthorization_0Call {
        from,
        to,
        value,
        validAfter: valid_after,
        validBefore: valid_before,
        nonce,
        v: *v,
        r: B256::from_slice(r),
        s: B256::from_slice(s),
    }
    .abi_encode()
}

/// The same by a contract account's signature (ERC-1271), of any length (selector `0xcf092995`).
pub fn transfer_by_contract(transfer: &TransferWithAuthorization, signature: &[u8]) -> Vec<u8> {
    let TransferWithAuthorization { from, to, value, valid_after, valid_before, nonce } = transfer.clone();
    Token::transferWithAuthorization_1Call {
        from,
        to,
        value,
        validAfter: valid_after,
        validBefore: valid_before,
        nonce,
        signature: signature.to_vec().into(),
    }
    .abi_encode()
}

/// Whether the payer's nonce is used or cancelled (EIP-3009, `authorizationState`); [`read_bool`] reads the answer.
pub fn authorization_state(authorizer: Address, nonce: B256) -> Vec<u8> {
    Token::authorizationStateCall { authorizer, nonce }.abi_encode()
}

/// How much an account holds, in base units (ERC-20, `balanceOf`); [`read_uint`] reads the answer.
pub fn balance_of(account: Address) -> Vec<u8> {
    Token::balanceOfCall { account }.abi_encode()
}

/// The token's name (ERC-20, `name`); [`read_text`] reads the answer.
pub fn name() -> Vec<u8> {
    Token::nameCall {}.abi_encode()
}

/// The version in the token's signing domain (EIP-712); [`read_text`] reads the answer.
pub fn version() -> Vec<u8> {
    Token::versionCall {}.abi_encode()
}

/// A truth value.
///
/// # Errors
/// When it is not exactly one word that is 0 or 1, as when the contract has no such function.
pub fn read_bool(returned: &[u8]) -> Result<bool, Malformed> {
    match read_uint(returned) {
        Ok(U256::ZERO) => Ok(false),
        Ok(U256::ONE) => Ok(true),
        Ok(_) | Err(_) => {
            Err(Malformed { what: "returned truth value", allowed: "one word of 32 bytes, 0 or 1" })
        }
    }
}

/// A number.
///
/// # Errors
/// When it is not exactly one word.
pub fn read_uint(returned: &[u8]) -> Result<U256, Malformed> {
    let word: [u8; 32] = returned
        .try_into()
        .map_err(|_| Malformed { what: "returned number", allowed: "one word of 32 bytes" })?;
    Ok(U256::from_be_bytes(word))
}

/// A text.
///
/// # Errors
/// When it is not exactly the ABI encoding of one UTF-8 string of at most [`TOKEN_TEXT_BYTES`].
pub fn read_text(returned: &[u8]) -> Result<String, Malformed> {
    // Two words before the text say where it is and how long; its last word is padded.
    let longest = TOKEN_TEXT_BYTES.saturating_add(64);
    Some(returned)
        .filter(|returned| returned.len() <= longest)
        .and_then(|returned| String::abi_decode(returned).ok())
        .filter(|text| text.abi_encode() == returned)
        .ok_or(Malformed {
            what: "returned text",
            allowed: "one ABI-encoded UTF-8 string of at most 256 bytes",
        })
}
