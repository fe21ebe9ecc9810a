//! The EIP-712 domain of a contract.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::Eip712Domain;

/// Which contract on which chain a signature is meant for (EIP-712, `EIP712Domain` without a salt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The contract's signing name, such as `USDC`. A token's is not always its display name.
    pub name: String,
    /// The contract's signing version, such as `2`.
    pub version: String,
    /// The chain's number (EIP-155).
    pub chain_id: u64,
    /// The contract that checks the signature.
    pub verifying_contract: Address,
}

impl Domain {
    /// The domain separator: the hash that ties every digest to this contract and chain.
    pub fn separator(&self) -> B256 {
        self.to_alloy().separator()
    }

    pub(crate) fn to_alloy(&self) -> Eip712Domain {
        Eip712Domain::new(
            Some(self.name.clone().into()),
            Some(self.version.clone().into()),
            Some(U256::from(self.chain_id)),
            Some(self.verifying_contract),
            None,
        )
    }
}
