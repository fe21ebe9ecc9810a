//! Who takes part: accounts with keys, two contract accounts, and what each of them signs.

use alloy_primitives::{Address, B256, U256, b256};
use eip712::Signer;
use serde::{Deserialize, Serialize};

/// One who calls or signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// Has mandates by its key.
    Owner,
    /// Spends by its key.
    Agent,
    /// Is paid.
    Provider,
    /// Is paid for the same services.
    Rival,
    /// Decides disputes.
    Resolver,
    /// Has no part in anything.
    Stranger,
    /// The contract account for which `Owner` signs. Has mandates by ERC-1271.
    OwnerWallet,
    /// The contract account for which `Agent` signs. Spends by ERC-1271.
    AgentWallet,
}

impl Actor {
    /// Everyone.
    pub const ALL: [Self; 8] = [
        Self::Owner,
        Self::Agent,
        Self::Provider,
        Self::Rival,
        Self::Resolver,
        Self::Stranger,
        Self::OwnerWallet,
        Self::AgentWallet,
    ];

    /// The one whose key signs for this account; itself unless it is a contract.
    pub const fn key_holder(self) -> Self {
        match self {
            Self::OwnerWallet => Self::Owner,
            Self::AgentWallet => Self::Agent,
            Self::Owner | Self::Agent | Self::Provider | Self::Rival | Self::Resolver | Self::Stranger => {
                self
            }
        }
    }

    /// Whether the account is a contract.
    pub fn is_contract(self) -> bool {
        self.key_holder() != self
    }
}

/// The accounts behind the actors.
#[derive(Clone)]
pub struct Cast {
    addresses: [Address; 8],
}

impl Cast {
    /// The accounts with keys, and the contract accounts at the given addresses.
    pub fn new(owner_wallet: Address, agent_wallet: Address) -> Self {
        let addresses = Actor::ALL.map(|actor| match actor {
            Actor::OwnerWallet => owner_wallet,
            Actor::AgentWallet => agent_wallet,
            Actor::Owner
            | Actor::Agent
            | Actor::Provider
            | Actor::Rival
            | Actor::Resolver
            | Actor::Stranger => signer(actor).address(),
        });
        Self { addresses }
    }

    /// The address of an actor.
    pub fn address(&self, actor: Actor) -> Address {
        self.addresses[actor as usize]
    }

    /// The actor at an address.
    pub fn actor(&self, address: Address) -> Option<Actor> {
        Actor::ALL.into_iter().find(|actor| self.address(*actor) == address)
    }
}

/// A signature as a step has it: made by whom, and spoilt how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "form", content = "by")]
pub enum Signed {
    /// Empty: the caller speaks for itself.
    Nothing,
    /// Made by the key of this actor, of what is asked for.
    Well(Actor),
    /// The altered twin of the one above, with s in the upper half of the group order (EIP-2).
    HighS(Actor),
    /// Made by the key of this actor, of something else.
    OfAnother(Actor),
    /// The first 64 bytes of a good one.
    Short(Actor),
}

impl Signed {
    /// Whether this is a signature of `signer` under ECDSA alone.
    pub fn is_of_key(self, signer: Actor) -> bool {
        matches!(self, Self::Well(by) if by == signer && !signer.is_contract())
    }

    /// Whether this is a signature of `signer` by its code alone (ERC-1271).
    pub fn is_of_code(self, signer: Actor) -> bool {
        matches!(self, Self::Well(by) if by == signer.key_holder() && signer.is_contract())
    }

    /// The bytes for `digest`.
    pub fn bytes(self, digest: B256) -> Vec<u8> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Well(by) => signer(by).sign(digest).to_vec(),
            Self::HighS(by) => twin(&signer(by).sign(digest)),
            Self::OfAnother(by) => signer(by).sign(!digest).to_vec(),
            Self::Short(by) => signer(by).sign(digest)[..64].to_vec(),
        }
    }
}

/// The key of an account; a contract account has that of its holder.
fn signer(actor: Actor) -> Signer {
    let number = actor.key_holder() as u8 + 1;
    Signer::from_bytes(&[number; 32]).expect("a small number is a private key")
}

/// Another pair (r, n − s) with the other v, which the curve's arithmetic accepts for the same digest.
fn twin(signature: &[u8; 65]) -> Vec<u8> {
    let order = b256!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    let s = U256::from_be_slice(&signature[32..64]);
    let high = U256::from_be_bytes(order.0) - s;
    [&signature[..32], &high.to_be_bytes::<32>(), &[55 - signature[64]]].concat()
}
