//! What a verified request says of its signer, and what only a chain can still say.

use eip712::{Address, B256, recover};
use primitives::UnixMillis;

use crate::Refusal;

/// A request that its signer really sent, as far as a signature can say. It counts once the caller has also recorded
/// [`Verified::once_key`] as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The account that signed.
    pub signer: Address,
    /// The moment that the signer wrote.
    pub created: UnixMillis,
    /// From here on the signature is refused, so that its key need not be kept: its expiry and the skew.
    pub until: UnixMillis,
    /// How it was signed.
    pub form: Form,
}

/// How a request was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// By RFC 9421 in the profile ERC-8128.
    Message {
        /// The chain on which the account is meant.
        chain_id: u64,
        /// What the signer uses once.
        nonce: String,
        /// The signature's name.
        label: String,
        /// The names of the covered components.
        covered: Vec<String>,
    },
    /// By the older header form, which has no nonce and names no chain.
    Older {
        /// The digest that was signed.
        digest: B256,
    },
}

impl Verified {
    /// The text that is good for one request of this signer: account and nonce, or account and digest. Whoever keeps it
    /// checks and records it in one step, and keeps it until [`Verified::until`] (ERC-8128, section 5.1).
    pub fn once_key(&self) -> String {
        match &self.form {
            Form::Message { chain_id, nonce, .. } => {
                format!("eip155:{chain_id}:{:#x}:{nonce}", self.signer)
            }
            // Agents that ask for the same at the same moment sign the same digest.
            Form::Older { digest } => format!("older:{:#x}:{digest:#x}", self.signer),
        }
    }
}

/// What a signature proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The account's own key signed.
    Verified(Verified),
    /// Not the account's own key: only the code of a contract account can vouch for the signature (ERC-1271).
    NeedsChain(Pending),
}

/// A request that is right in everything but its signature, which is not the named account's own key's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    claim: Verified,
    denial: Refusal,
    /// The digest to ask the account about.
    pub digest: B256,
    /// The signature to ask the account about, as it came.
    pub signature: Vec<u8>,
}

impl Pending {
    /// The account to ask.
    pub fn address(&self) -> Address {
        self.claim.signer
    }

    /// The chain to ask on. The older form names none: there it is the caller's own.
    pub fn chain_id(&self) -> Option<u64> {
        match self.claim.form {
            Form::Message { chain_id, .. } => Some(chain_id),
            Form::Older { .. } => None,
        }
    }

    /// What holds once the account's contract has said yes to digest and signature.
    pub fn vouched(self) -> Verified {
        self.claim
    }

    /// Why the request is refused when the account has no contract, or its contract says no.
    pub fn denied(self) -> Refusal {
        self.denial
    }
}

/// Holds a signature against the account that is said to have made it.
pub(crate) fn judge(claim: Verified, digest: B256, signature: Vec<u8>) -> Judgement {
    let denial = match recover(digest, &signature) {
        Ok(signer) if signer == claim.signer => return Judgement::Verified(claim),
        Ok(_) => Refusal::OtherSigner,
        Err(fault) => Refusal::Signature(fault),
    };
    Judgement::NeedsChain(Pending { claim, denial, digest, signature })
}
