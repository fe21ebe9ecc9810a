//! How owners sign in: JSON in camelCase, times in RFC 3339 UTC.

use serde::{Deserialize, Serialize};

/// What a sign-in message (EIP-4361) must say; its address is the signer's own, and it has no request id and no resources.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignInChallenge {
    /// Good for one message of this browser; the first one that comes back uses it up.
    pub nonce: String,
    /// The message's domain.
    pub domain: String,
    /// The message's URI.
    pub uri: String,
    /// The message's version.
    pub version: String,
    /// The message's statement.
    pub statement: String,
    /// The chains that are served; the message names one of them.
    pub chain_ids: Vec<u64>,
    /// The message's Issued At; the message counts for five minutes from then.
    pub issued_at: String,
    /// When the nonce ends. The message need not say so.
    pub expires_at: String,
}

/// A message and who signed it.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The text as it was signed (EIP-4361).
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4096)))]
    pub message: String,
    /// The signature (EIP-191): `0x` and hexadecimal digits.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 8194)))]
    pub signature: String,
}

// S4: what was signed is a credential until its nonce is used.
impl core::fmt::Debug for SignIn {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SignIn").finish_non_exhaustive()
    }
}

/// A session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionAnswer {
    /// Who signed in (EIP-55).
    pub address: String,
    /// The chain that the session is bound to (EIP-155).
    pub chain_id: u64,
    /// Since when.
    pub signed_in_at: String,
    /// Until when, if it is not used before then: an hour after its last use, at most twelve after the sign-in. Uses
    /// within five minutes count as one.
    pub expires_at: String,
}
