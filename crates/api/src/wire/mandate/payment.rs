//! A payment as it is shown.

use serde::{Deserialize, Serialize};

use super::{ApprovalPart, PaymentRequest};

/// A request and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Its name: the struct hash of the request (EIP-712).
    pub payment: String,
    /// The agent's own name for the request, a hash.
    pub request_id: String,
    /// The mandate that it is under, a hash.
    pub mandate: String,
    /// Whose money it is.
    pub owner: String,
    /// Who asked for it.
    pub agent: String,
    /// Where it stands.
    pub progress: Progress,
    /// What is reserved, and the most that is paid.
    pub amount: String,
    /// The token.
    pub token: String,
    /// Who is paid.
    pub recipient: String,
    /// For what: the keccak-256 of the service's name.
    pub service: String,
    /// What the job is, a hash; zeros for nothing.
    pub job_hash: String,
    /// What the provider was paid.
    pub paid: String,
    /// What the provider gave back of it.
    pub refunded: String,
    /// When it was delivered or disputed, if it stands there.
    pub since: Option<String>,
    /// When time alone changes it next, if it does.
    pub deadline: Option<String>,
    /// The message that the agent signed.
    pub request: PaymentRequest,
    /// When it was asked for.
    pub requested_at: String,
    /// The owner's word on it. Only owner and agent see it, and only where there is or may be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalPart>,
    /// Why the owner said no. Only owner and agent see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the receipt is, a hash, once it was delivered.
    pub receipt: Option<String>,
    /// What the evidence is, a hash, if it was disputed with some.
    pub evidence: Option<String>,
    /// In custody of the contract: the newest transactions that may carry it, hashes, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transactions: Vec<String>,
    /// Why it has failed, a sentence, while it stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It waits for the owner.
    AwaitingApproval,
    /// The owner signed; it waits to be submitted by the agent.
    Approved,
    /// In custody of the contract: it passed, and is to be sent.
    Requested,
    /// In custody of the contract: a transaction is on its way.
    Submitted,
    /// In custody of the contract: its cancellation is on its way.
    Cancelling,
    /// In custody of the contract: it was refused there. Nothing was reserved; it can be submitted again.
    Failed,
    /// Over: the owner said no.
    Rejected,
    /// Over: a wait ran out, or the policy changed.
    Expired,
    /// Over: killed before it was authorized.
    Cancelled,
    /// The amount is reserved, and the provider works.
    Escrowed,
    /// Delivered; the owner may dispute.
    Delivered,
    /// The resolver decides.
    Disputed,
    /// Over: the provider was paid, wholly or in part.
    Settled,
    /// Over: nothing was paid.
    Refunded,
    /// Over: the provider gave back what was held.
    Voided,
    /// Over: the resolver was silent, and the amount was split as the terms say.
    TimedOut,
}

impl From<mandate::mirror::Progress> for Progress {
    fn from(progress: mandate::mirror::Progress) -> Self {
        use mandate::mirror::Progress as Of;
        match progress {
            Of::Requested => Self::Requested,
            Of::Submitted => Self::Submitted,
            Of::Cancelling => Self::Cancelling,
            Of::Failed => Self::Failed,
            Of::Like(progress) => progress.into(),
        }
    }
}

impl From<mandate::life::Progress> for Progress {
    fn from(progress: mandate::life::Progress) -> Self {
        use mandate::life::Progress as Of;
        match progress {
            Of::AwaitingApproval => Self::AwaitingApproval,
            Of::Approved => Self::Approved,
            Of::Rejected => Self::Rejected,
            Of::Expired => Self::Expired,
            Of::Cancelled => Self::Cancelled,
            Of::Escrowed => Self::Escrowed,
            Of::Delivered => Self::Delivered,
            Of::Disputed => Self::Disputed,
            Of::Settled => Self::Settled,
            Of::Refunded => Self::Refunded,
            Of::Voided => Self::Voided,
            Of::TimedOut => Self::TimedOut,
        }
    }
}
