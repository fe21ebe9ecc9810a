//! The messages of x402 v2 (core specification, section 5, and facilitator API, section 7), in camelCase JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the server is paid for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceInfo {
    /// The resource's absolute URL.
    pub url: String,
    /// One sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of the paid answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The service's name: printable ASCII, at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// At most five words, each printable ASCII of at most 32 characters; one longer makes official clients refuse
    /// the whole message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// An absolute http(s) URL of at most 2048 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
}

/// One way to pay.
///
/// The fields are text as they travel; [`crate::verify()`] and [`crate::sign_exact`] parse them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequirements {
    /// The scheme's name, such as [`crate::EXACT`].
    pub scheme: String,
    /// The network as CAIP-2, such as `eip155:84532`.
    pub network: String,
    /// How much, in the asset's base units, as a decimal integer.
    pub amount: String,
    /// The token's address, or another name of what is paid in.
    pub asset: String,
    /// Who is paid.
    pub pay_to: String,
    /// How long, in seconds, the payer's authorization shall hold.
    pub max_timeout_seconds: u64,
    /// What the scheme adds; for `exact` on EVM the token's signing `name` and `version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
}

/// The body of a 402, sent in the header `PAYMENT-REQUIRED`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequired {
    /// Always [`crate::VERSION`].
    pub x402_version: u64,
    /// Why the request was not served: a code, or a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What is to be paid for.
    pub resource: ResourceInfo,
    /// The ways to pay, in the server's order of preference.
    pub accepts: Vec<PaymentRequirements>,
    /// Extensions by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
}

/// A payment, sent in the header `PAYMENT-SIGNATURE`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPayload {
    /// Always [`crate::VERSION`].
    pub x402_version: u64,
    /// What the client believes it pays for; unsigned, so it decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceInfo>,
    /// The requirements that the client chose, echoed; unsigned, so it decides nothing.
    pub accepted: PaymentRequirements,
    /// What the scheme demands; for `exact` on EVM an [`Exact`].
    pub payload: Map<String, Value>,
    /// Extensions by name, echoed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
}

/// The payload of `exact` on EVM networks with EIP-3009.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exact {
    /// `0x` and the hexadecimal bytes of the signature.
    pub signature: String,
    /// What was signed.
    pub authorization: Authorization,
}

/// The signed values of an EIP-3009 transfer; numbers are decimal strings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Authorization {
    /// The payer's address.
    pub from: String,
    /// The receiver's address.
    pub to: String,
    /// Base units of the asset.
    pub value: String,
    /// Unix seconds.
    pub valid_after: String,
    /// Unix seconds.
    pub valid_before: String,
    /// `0x` and 64 hexadecimal digits.
    pub nonce: String,
}

/// The body of `POST /verify` and `POST /settle`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FacilitatorRequest {
    /// Always [`crate::VERSION`].
    pub x402_version: u64,
    /// The client's payment, as it came.
    pub payment_payload: PaymentPayload,
    /// The server's own requirements.
    pub payment_requirements: PaymentRequirements,
}

/// The answer of `POST /verify`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifyResponse {
    /// Whether the payment would settle, as far as can be known.
    pub is_valid: bool,
    /// The code of the first thing that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_reason: Option<String>,
    /// The same for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_message: Option<String>,
    /// The payer's address, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payer: Option<String>,
    /// Extensions by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// What the facilitator adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
}

/// The answer of `POST /settle`, sent on in the header `PAYMENT-RESPONSE`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettleResponse {
    /// Whether the money has moved for good.
    pub success: bool,
    /// Why not, as a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_reason: Option<String>,
    /// The same for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// The payer's address, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payer: Option<String>,
    /// The transaction's hash. Always present: empty if nothing was sent to the chain, never empty when the reason is
    /// `settlement_pending`.
    pub transaction: String,
    /// The network as CAIP-2.
    pub network: String,
    /// What was settled, in base units, where it may differ from what was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// Extensions by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// What the facilitator adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
}

/// The answer of `GET /supported`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SupportedResponse {
    /// What can be verified and settled.
    pub kinds: Vec<SupportedKind>,
    /// Names of the extensions that are understood.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// The addresses that send transactions, by network pattern such as `eip155:*`.
    #[serde(default)]
    pub signers: std::collections::BTreeMap<String, Vec<String>>,
}

/// One kind of payment that a facilitator handles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SupportedKind {
    /// The protocol version.
    pub x402_version: u64,
    /// The scheme's name.
    pub scheme: String,
    /// The network as CAIP-2.
    pub network: String,
    /// What the scheme adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
}
