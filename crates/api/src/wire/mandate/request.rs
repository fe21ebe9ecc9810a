//! What an agent asks for, and what it is told of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{BudgetAnswer, number};

/// The message of `PaymentRequest` as a wallet signs it (EIP-712). Times in Unix seconds. On the way in each number may
/// be a JSON integer or a decimal text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentRequest {
    /// The mandate, a hash.
    pub mandate: String,
    /// The version of the policy that it is made for.
    #[serde(deserialize_with = "number::integer")]
    pub policy_version: u64,
    /// 32 bytes of the agent's choice, once in each mandate.
    pub request_id: String,
    /// The mandate's token.
    pub token: String,
    /// What is reserved, and the most that is paid: base units, a decimal text on the way out.
    #[serde(deserialize_with = "number::digits")]
    pub max_amount: String,
    /// Who is paid.
    pub recipient: String,
    /// For what: the keccak-256 of the service's name.
    pub service: String,
    /// What the job is, a hash that means something to the parties; zeros for nothing.
    pub job_hash: String,
    /// It can be authorized from here on, ...
    #[serde(deserialize_with = "number::integer")]
    pub valid_after: u64,
    /// ... and before this, ...
    #[serde(deserialize_with = "number::integer")]
    pub valid_before: u64,
    /// ... delivered before this, ...
    #[serde(deserialize_with = "number::integer")]
    pub deliver_by: u64,
    /// ... captured before this, ...
    #[serde(deserialize_with = "number::integer")]
    pub capture_by: u64,
    /// ... and refunded by the provider before this.
    #[serde(deserialize_with = "number::integer")]
    pub refund_by: u64,
    /// The policy's terms.
    pub terms: RequestTerms,
}

/// The terms inside the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestTerms {
    /// Seconds from a delivery in which the owner may dispute.
    #[serde(deserialize_with = "number::integer")]
    pub challenge_period: u32,
    /// Seconds from a dispute in which the resolver may decide.
    #[serde(deserialize_with = "number::integer")]
    pub resolution_timeout: u32,
    /// The provider's share when the resolver was silent on a dispute with evidence, in basis points.
    #[serde(deserialize_with = "number::integer")]
    pub silence_bps: u16,
    /// Who decides disputes; the zero address for nobody.
    pub resolver: String,
}

/// A request, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestBody {
    /// The message.
    pub request: PaymentRequest,
    /// The agent's signature of it (EIP-712). Without it the HTTP request is signed by the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A transaction that the agent has sent to the contract itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordBody {
    /// The request that it carries: its id, or its payment's name.
    pub request_id: String,
    /// The transaction, a hash.
    pub transaction: String,
}

/// May this be paid? Either with the whole `request`, or with `recipient`, `service` and `amount`, of which the answer makes
/// a whole request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ask {
    /// The mandate, a hash, where neither the path nor the request names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mandate: Option<String>,
    /// The message; nothing of what follows is given then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<PaymentRequest>,
    /// Who is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// For what: a service's name, or the keccak-256 of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The most that is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// 32 bytes; fresh ones if it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What the job is, a hash; zeros if it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_hash: Option<String>,
    /// The delivery is due before this (a time); an hour after `validBefore` if it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliver_by: Option<String>,
    /// The request is good before this (a time); for a day, within the mandate, if it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_before: Option<String>,
}

/// What the rules say to a request: as if the agent had signed it and, where one is needed, the owner had approved it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The answer.
    pub verdict: Verdict,
    /// The code of the first rule that does not pass; null if all pass.
    pub code: Option<String>,
    /// Every rule in the order in which it is checked.
    pub checks: Vec<Check>,
    /// What may yet be authorized for this recipient and service.
    pub remaining: BudgetAnswer,
    /// The message, whole.
    pub request: PaymentRequest,
    /// The name of its payment: its struct hash (EIP-712).
    pub payment: String,
    /// What `eth_signTypedData_v4` takes for the agent to sign it.
    pub typed_data: Value,
}

/// What the rules say to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can be authorized.
    Allowed,
    /// It can be once the owner approves it.
    NeedsApproval,
    /// It cannot be.
    Refused,
}

/// One rule as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The code of its refusal.
    pub rule: String,
    /// Whether it allows the request.
    pub passes: bool,
    /// What there is, in words.
    pub got: String,
    /// What it is held against, in words.
    pub limit: String,
    /// The rule's sentence.
    pub message: String,
}
