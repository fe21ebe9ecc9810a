//! EIP-3009: moving tokens by signature.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::SolStruct as _;

use crate::Domain;

#[allow(missing_docs, unreachable_pub, reason = "written by the macro; the struct below is what others see")]
mod typed {
    alloy_sol_types::sol! {
        struct TransferWithAuthorization {
            address from;
            address to;
            uint256 value;
            uint256 validAfter;
            uint256 validBefore;
            bytes32 nonce;
        }
    }
}

/// The holder's permission to move tokens once (EIP-3009, `TransferWithAuthorization`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferWithAuthorization {
    /// Who pays, and who must have signed.
    pub from: Address,
    /// Who is paid.
    pub to: Address,
    /// How much, in the token's base units.
    pub value: U256,
    /// The permission holds after this moment, in Unix seconds.
    pub valid_after: U256,
    /// The permission holds before this moment, in Unix seconds.
    pub valid_before: U256,
    /// What makes this permission different from every other of the same holder; the token takes each one once.
    pub nonce: B256,
}

impl TransferWithAuthorization {
    /// The digest that the holder signs: `keccak256(0x1901 ‖ domain separator ‖ struct hash)`.
    pub fn digest(&self, domain: &Domain) -> B256 {
        typed::TransferWithAuthorization {
            from: self.from,
            to: self.to,
            value: self.value,
            validAfter: self.valid_after,
            validBefore: self.valid_before,
            nonce: self.nonce,
        }
        .eip712_signing_hash(&domain.to_alloy())
    }
}
