//! What a party signed, and who wants something.

use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::SolValue as _;
use eip712::mandates::{Approval, SolStruct as _};
use eip712::{Domain, recover};
use mandate::{By, Signature, UnixSeconds};
use serde::{Deserialize, Serialize};

use crate::caller;
use crate::problem::Problem;
use crate::vouch::Question;

/// A signature with what it is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The digest that the party should have signed.
    pub digest: B256,
    /// The signature as it came.
    pub bytes: Bytes,
    /// Whose it is, by the key that made it.
    pub signature: Signature,
}

impl Signed {
    /// Asks the signature whose it is.
    pub(super) fn new(digest: B256, bytes: Bytes) -> Self {
        let signature = recover(digest, &bytes).map_or(Signature::Bad, Signature::Of);
        Self { digest, bytes, signature }
    }

    /// What the contract of `account` is to be asked, if this is not its key's.
    pub fn question(&self, account: Address) -> Question {
        Question { account, digest: self.digest, signature: self.bytes.to_vec() }
    }

    /// The same, once the contract of `account` has said that it is its own (ERC-1271).
    pub fn vouched(self, account: Address) -> Self {
        Self { signature: Signature::Of(account), ..self }
    }
}

/// Who wants something: the caller, as far as it stands for that, or whoever's signature it brings.
///
/// # Errors
/// 401 when nobody says who wants it. That cannot be left to the core: its zero address is nobody, and a mandate whose
/// resolver is nobody would take one for the other.
pub(super) fn by(caller: Option<Address>, signed: Option<&Signed>) -> Result<By, Problem> {
    match (caller.filter(|caller| !caller.is_zero()), signed) {
        (None, None) => Err(caller::unknown()),
        (caller, signed) => Ok(By {
            caller: caller.unwrap_or_default(),
            signature: signed.map_or(Signature::Empty, |signed| signed.signature),
        }),
    }
}

/// What the owner signs to approve a payment: the digest of `Approval`, whose request's struct hash is the payment's name,
/// so that the request itself is not needed.
pub(super) fn approval_digest(
    payment: B256,
    approver: Address,
    valid_before: UnixSeconds,
    domain: &Domain,
) -> B256 {
    let kind = keccak256(Approval::eip712_encode_type().as_bytes());
    let hash = keccak256((kind, payment, approver, U256::from(valid_before.0)).abi_encode());
    keccak256([&[0x19, 0x01], domain.separator().as_slice(), hash.as_slice()].concat())
}
