//! What this deployment's mandates are kept and signed for.

use alloy_primitives::keccak256;
use eip712::{Address, B256, Domain, mandates};

use super::Site;
use crate::paywall::Asset;

const PURPOSE: &[u8] = b"guildhall ledger v1\0";

/// Where mandates are kept, and what that is in signatures: the ledger of one deployment, or the contract that it mirrors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The chain of the token, and of what is signed (EIP-155).
    pub chain_id: u64,
    /// The contract; or what stands for the ledger where signatures and ids name one, which is the hash of the site's origin
    /// and no contract, so that nothing that is signed here is good anywhere else.
    pub address: Address,
    /// The token of all mandates; those of the contract have their own.
    pub token: Address,
}

impl Ledger {
    /// The ledger of the deployment at `site`, in `asset`.
    pub(super) fn of(site: &Site, asset: &Asset) -> Result<Self, String> {
        let chain_id = site.chain_ids.first().copied();
        let token = asset.address.parse().ok();
        let (chain_id, token) = chain_id.zip(token).ok_or("X402_NETWORK and X402_ASSET must name a token")?;
        let name = keccak256([PURPOSE, site.origin.as_str().as_bytes()].concat());
        Ok(Self { chain_id, address: Address::from_word(name), token })
    }

    /// The contract `Mandates` at `address` on the chain of this ledger.
    pub(super) fn contract(&self, address: &str) -> Result<Self, String> {
        let address = address
            .parse()
            .map_err(|_| "MANDATES_CONTRACT must be an address: 0x and 40 hexadecimal digits")?;
        Ok(Self { address, ..self.clone() })
    }

    /// The domain of what owners, agents and providers sign (EIP-712).
    pub fn domain(&self) -> Domain {
        mandates::domain(self.chain_id, self.address)
    }

    /// The id of the mandate that `owner` makes with `salt`.
    pub fn mandate_id(&self, owner: Address, salt: B256) -> B256 {
        mandates::mandate_id(self.chain_id, self.address, owner, salt)
    }
}
