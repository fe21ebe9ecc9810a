//! What can be done to the contract and its token, written so that the bytecode and the model can both be asked.

use alloy_primitives::{Address, B256};
use mandate::{Amendment, Creation, Reason, Refused, Request, UnixSeconds};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::{Actor, Signed};

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The block's time.
    pub at: UnixSeconds,
    /// Who calls.
    pub by: Actor,
    /// What it calls.
    pub action: Action,
}

/// The owner's yes to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Whom it names as the one who approves.
    pub approver: Address,
    /// Its end.
    pub valid_before: UnixSeconds,
    /// Its signature.
    pub signed: Signed,
}

/// One authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What is asked for.
    pub order: Request,
    /// The agent's signature.
    pub agent: Signed,
    /// The owner's approval.
    pub approval: Approval,
}

/// The functions of the contract that change something, and what else happens on the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is documented in IMandates.sol, with its arguments")]
pub enum Action {
    Create {
        salt: B256,
        creation: Creation,
    },
    Amend {
        mandate: B256,
        amendment: Amendment,
    },
    ApplyAmendment {
        mandate: B256,
        amendment: Amendment,
    },
    CancelAmendment {
        mandate: B256,
    },
    Pause {
        mandate: B256,
    },
    Unpause {
        mandate: B256,
    },
    Revoke {
        mandate: B256,
    },
    Renounce {
        mandate: B256,
    },
    SetCeiling {
        agent: Address,
        token: Address,
        day_cap: BaseUnits,
    },
    Fund {
        mandate: B256,
        amount: BaseUnits,
    },
    /// With a permit that is good for nothing, as one that someone else submitted is. The allowance is there already.
    FundWithPermit {
        mandate: B256,
        amount: BaseUnits,
    },
    FundWithAuthorization {
        mandate: B256,
        authorization: Authorization,
    },
    Withdraw {
        mandate: B256,
        amount: BaseUnits,
        to: Address,
    },
    WithdrawCredit {
        credit: CreditKey,
        to: Address,
        total: BaseUnits,
        signed: Signed,
    },
    Authorize(Item),
    AuthorizeBatch {
        items: Vec<Item>,
        mode: Batch,
    },
    CancelRequest {
        order: Request,
        signed: Signed,
    },
    Escrow {
        order: Request,
        call: EscrowCall,
        signed: Signed,
    },
    /// The token stops transfers from and to an account.
    Freeze(Address),
    /// It lets them go on.
    Unfreeze(Address),
    /// The account of a key lets its contract account's code answer for it (EIP-7702).
    Delegate(Actor),
}

/// An ERC-3009 authorization of the mandate's token to its vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorization {
    /// Whose vault it is for.
    pub owner: Address,
    /// Who pays.
    pub from: Actor,
    /// How much.
    pub amount: BaseUnits,
    /// The token takes it after this moment, ...
    pub valid_after: UnixSeconds,
    /// ... and before this.
    pub valid_before: UnixSeconds,
    /// Makes the nonce.
    pub salt: B256,
    /// The payer's signature.
    pub signed: Signed,
}

/// Whose credit lies in whose vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CreditKey {
    /// Whose vault.
    pub owner: Address,
    /// Which token.
    pub token: Address,
    /// Whose credit.
    pub recipient: Address,
}

/// What a batch does when an item is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Batch {
    /// The others go on.
    EachAlone,
    /// Nothing happens.
    AllOrNothing,
}

/// A step of an escrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is documented in IMandates.sol, with its arguments")]
pub enum EscrowCall {
    Deliver { receipt: B256 },
    Accept,
    Dispute { evidence: B256 },
    Capture { total: BaseUnits },
    Claim,
    Void,
    Resolve { to_provider: BaseUnits },
    TimeOut,
    Expire,
    Refund { total: BaseUnits },
}

/// What a call answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It happened.
    Done,
    /// It happened, and these are the answers to the items.
    Batch(Vec<Reason>),
    /// The contract refused.
    Refused(Refused),
    /// The token refused, with an error of its own.
    TokenRefused,
}
