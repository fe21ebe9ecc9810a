//! The outcome of a successful verification.

use eip712::Address;
use primitives::{BaseUnits, PaymentId};

/// A payment that only the chain can still refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorized {
    /// Who pays.
    pub payer: Address,
    /// Why the payer is believed to have signed. Whoever acts on a payment looks at this first.
    pub proof: Proof,
    /// The authorization's nonce; the token takes each (payer, nonce) once.
    pub nonce: [u8; 32],
    /// The token.
    pub asset: Address,
    /// The network as CAIP-2.
    pub network: String,
    /// How much, in base units of the token.
    pub value: BaseUnits,
    /// Unix seconds; holds after this moment.
    pub valid_after: u64,
    /// Unix seconds; holds before this moment.
    pub valid_before: u64,
}

impl Authorized {
    /// The name of this authorization, the same for every copy of it.
    pub fn payment_id(&self) -> PaymentId {
        PaymentId::derive(&self.network, &self.asset.0.0, &self.payer.0.0, &self.nonce)
    }
}

/// What shows that the payer signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The payer's key signed: the address was recovered from the signature.
    Recovered,
    /// The payer is a contract and says that the signature is its own (ERC-1271).
    Vouched,
    /// Nothing yet. If the payer is a contract, it may vouch for the signature; only the chain can be asked. A payment
    /// in this state is a claim by a stranger: nothing is given for it.
    Open,
}
