//! Signing with a key that this process holds: a payer's in the SDK, the relayer's in the facilitator.

use alloy_primitives::{Address, B256};
use k256::ecdsa::SigningKey;

use crate::{SIGNATURE_BYTES, signature::address_of};

/// A private key of an ordinary account.
///
/// It can be neither printed nor serialized, and the key's bytes are wiped from memory when it is dropped.
pub struct Signer(SigningKey);

/// The 32 bytes are zero or not below the group order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKey;

impl core::fmt::Display for InvalidKey {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("is not a secp256k1 private key: 32 bytes, not zero, below the group order")
    }
}

impl core::error::Error for InvalidKey {}

impl Signer {
    /// The signer whose private key is `key`.
    ///
    /// # Errors
    /// When the bytes are no private key; one in about 2^127 random values is not.
    pub fn from_bytes(key: &[u8; 32]) -> Result<Self, InvalidKey> {
        SigningKey::from_slice(key).map(Self).map_err(|_| InvalidKey)
    }

    /// The account that this key controls.
    pub fn address(&self) -> Address {
        address_of(self.0.verifying_key())
    }

    /// The signature `r ‖ s ‖ v` of a digest, low-s, v 27 or 28. The same digest gives the same bytes (RFC 6979).
    pub fn sign(&self, digest: B256) -> [u8; SIGNATURE_BYTES] {
        let (scalars, recovery) = self.0.sign_prehash_recoverable(digest.as_slice());
        let mut signature = [0; SIGNATURE_BYTES];
        let v = if recovery.is_y_odd() { 28 } else { 27 };
        for (byte, from) in signature.iter_mut().zip(scalars.to_bytes().into_iter().chain([v])) {
            *byte = from;
        }
        signature
    }
}
