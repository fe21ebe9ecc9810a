//! From a digest and a signature to the address that signed.

use alloy_primitives::{Address, B256, keccak256};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};

/// The length of `r ‖ s ‖ v`.
pub const SIGNATURE_BYTES: usize = 65;

/// Why bytes are not a signature of an ordinary account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureFault {
    /// Not 65 bytes.
    Length(usize),
    /// The last byte is neither 27 nor 28.
    RecoveryByte(u8),
    /// `s` lies in the upper half of the group order: the altered twin of another signature (EIP-2).
    HighS,
    /// `r` or `s` is out of range, or no public key fits.
    Unrecoverable,
}

impl core::fmt::Display for SignatureFault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length(bytes) => write!(formatter, "the signature has {bytes} bytes; it must have 65"),
            Self::RecoveryByte(byte) => {
                write!(formatter, "the signature ends with {byte}; it must end with 27 or 28")
            }
            Self::HighS => {
                formatter.write_str("the signature's s is in the upper half of the group order (EIP-2)")
            }
            Self::Unrecoverable => formatter.write_str("no public key belongs to the signature"),
        }
    }
}

impl core::error::Error for SignatureFault {}

/// The address whose key signed `digest`.
///
/// A well-formed signature of any other digest also yields an address, only not the one expected: the caller
/// compares.
///
/// # Errors
/// When the bytes are not exactly one low-s `r ‖ s ‖ v` with v 27 or 28, or no key fits them.
pub fn recover(digest: B256, signature: &[u8]) -> Result<Address, SignatureFault> {
    let Ok([scalars @ .., v]): Result<[u8; SIGNATURE_BYTES], _> = signature.try_into() else {
        return Err(SignatureFault::Length(signature.len()));
    };
    let odd_y = match v {
        27 => false,
        28 => true,
        other => return Err(SignatureFault::RecoveryByte(other)),
    };
    let scalars = Signature::from_slice(&scalars).map_err(|_| SignatureFault::Unrecoverable)?;
    if scalars.normalize_s() != scalars {
        return Err(SignatureFault::HighS);
    }
    VerifyingKey::recover_from_prehash(digest.as_slice(), &scalars, RecoveryId::new(odd_y, false))
        .map(|key| address_of(&key))
        .map_err(|_| SignatureFault::Unrecoverable)
}

/// The account address of a public key: the last 20 bytes of keccak256 over its two coordinates.
pub(crate) fn address_of(key: &VerifyingKey) -> Address {
    let point = key.to_sec1_point(false);
    // The first byte says "uncompressed" and is not part of the key.
    let coordinates = point.as_bytes().get(1..).unwrap_or_default();
    Address::from_word(keccak256(coordinates))
}
