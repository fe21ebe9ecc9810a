//! Signatures of contracts that are not deployed yet (ERC-6492).

use alloy_primitives::Bytes;
use alloy_sol_types::SolValue as _;
use eip712::{Address, B256};
use primitives::Malformed;

use crate::limits::WRAPPED_BYTES;

/// The word that ends every wrapped signature.
const SUFFIX: B256 =
    alloy_primitives::b256!("0x6492649264926492649264926492649264926492649264926492649264926492");

/// A contract's signature, and the call that deploys the contract (ERC-6492).
///
/// The call is the payer's choice. Whoever sends it does what a stranger says, so only known factories may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapped6492 {
    /// The contract that deploys the account.
    pub factory: Address,
    /// What the factory is called with.
    pub factory_calldata: Vec<u8>,
    /// The signature that the deployed account judges (ERC-1271).
    pub signature: Vec<u8>,
}

impl Wrapped6492 {
    /// What a signature wraps; nothing if it does not end as a wrapped one does.
    ///
    /// # Errors
    /// When it ends as a wrapped one and is longer than [`WRAPPED_BYTES`] or does not hold an address and two byte
    /// strings in ABI encoding.
    pub fn parse(signature: &[u8]) -> Result<Option<Self>, Malformed> {
        let Some(wrapped) = signature.strip_suffix(SUFFIX.as_slice()) else { return Ok(None) };
        let decoded = Some(wrapped)
            .filter(|_| signature.len() <= WRAPPED_BYTES)
            .and_then(|wrapped| <(Address, Bytes, Bytes)>::abi_decode_params_validate(wrapped).ok());
        let (factory, factory_calldata, signature) = decoded.ok_or(Malformed {
            what: "wrapped signature (ERC-6492)",
            allowed: "abi.encode(address, bytes, bytes) and the suffix, at most 8 KiB",
        })?;
        Ok(Some(Self { factory, factory_calldata: factory_calldata.into(), signature: signature.into() }))
    }
}
