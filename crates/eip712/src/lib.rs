//! The structs (EIP-712) and texts (EIP-191) that our users sign, their digests, and who signed them.
//!
//! A signature here is always the 65 bytes `r ‖ s ‖ v` of an ordinary key pair on secp256k1, with `s` in the lower
//! half of the group order (EIP-2) and `v` 27 or 28: one signer has one signature for one digest, so that a
//! signature cannot be altered into a second valid one.
//!
//! This crate refuses to know networks, tokens, clocks and wire formats: it turns typed values into digests, and a
//! digest with a signature into an address. The one contract that it knows is our own, in [`mandates`]. Signatures of
//! contract accounts (ERC-1271, ERC-6492) need the chain to be checked and are not known here.

mod domain;
pub mod mandates;
mod personal;
mod signature;
mod signer;
mod transfer;

pub use alloy_primitives::{Address, B256, U256};

pub use domain::Domain;
pub use personal::personal_digest;
pub use signature::{SIGNATURE_BYTES, SignatureFault, recover};
pub use signer::{InvalidKey, Signer};
pub use transfer::TransferWithAuthorization;
