//! What an agent asks for, and what is known of who asks.

use alloy_primitives::{Address, B256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::{Reason, Refused, Terms, UnixSeconds};

/// One payment that an agent asks for, as far as the rules read it. Windows are `[start, end)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The EIP-712 struct hash of the whole request, which names its payment. Computed by whoever builds it.
    pub payment: B256,
    /// The mandate that it is under.
    pub mandate: B256,
    /// The version of the policy that it was made for.
    pub policy_version: u64,
    /// Tells two otherwise equal payments apart.
    pub request_id: B256,
    /// The token.
    pub token: Address,
    /// What is reserved; the most that is paid.
    pub max_amount: BaseUnits,
    /// The provider.
    pub recipient: Address,
    /// The keccak-256 of the service's name.
    pub service: B256,
    /// The hash of the job that is paid for, which binds the payment to it. No rule reads it.
    pub job_hash: B256,
    /// It can be authorized from here on, ...
    pub valid_after: UnixSeconds,
    /// ... and before this, ...
    pub valid_before: UnixSeconds,
    /// ... delivered before this, ...
    pub deliver_by: UnixSeconds,
    /// ... captured before this, ...
    pub capture_by: UnixSeconds,
    /// ... and refunded by the provider before this.
    pub refund_by: UnixSeconds,
    /// What the provider relies on.
    pub terms: Terms,
}

/// What is known of a signature. Cryptography, and contracts that sign, are asked before this crate is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signature {
    /// None was given.
    #[default]
    Empty,
    /// It is this address's signature of exactly what is asked for, by the rules for that address.
    Of(Address),
    /// It is nobody's.
    Bad,
}

/// Who wants something: the caller, or another whose signature the caller brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    /// Who sent the transaction.
    pub caller: Address,
    /// The signature of it that was sent along.
    pub signature: Signature,
}

impl By {
    /// The party itself, without a signature.
    pub const fn caller(caller: Address) -> Self {
        Self { caller, signature: Signature::Empty }
    }

    /// Whether it is `party` that wants it.
    pub(crate) fn require(self, party: Address) -> Result<(), Refused> {
        match self.signature {
            Signature::Empty => permit(self.caller, party),
            Signature::Of(signer) if signer == party => Ok(()),
            Signature::Of(_) | Signature::Bad => Err(Refused::new(Reason::Signature, 0, party)),
        }
    }
}

/// Whether the caller is the one who may do this by its own call alone.
pub(crate) fn permit(caller: Address, party: Address) -> Result<(), Refused> {
    if caller == party { Ok(()) } else { Err(Refused::new(Reason::NotPermitted, caller, party)) }
}

/// The owner's yes to one request, until `valid_before`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedApproval {
    /// The approval's end, which is signed too.
    pub valid_before: UnixSeconds,
    /// The signature; an empty one is no approval.
    pub signature: Signature,
}

/// What is known of who wants a request authorized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Who sent the transaction, and the signature of the request. When the agent itself calls, no signature is read.
    pub agent: By,
    /// The owner's approval.
    pub approval: SignedApproval,
}
