//! Everything that is wrong outside the protocol's own words, as a problem document (RFC 9457).

use primitives::CorrelationId;
use serde_json::json;

/// What kept a request from being understood or served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A setting of this Worker is malformed.
    Misconfigured(String),
    /// The `Idempotency-Key` is none.
    Key,
    /// A query says what cannot be answered.
    Query(String),
    /// No route has this path.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed(&'static str),
    /// The body is longer than is read.
    BodyTooLarge,
    /// The body of `PUT /simulator` is not what it must be.
    SimulatorBody,
    /// The body of `POST /signatures` is not what it must be.
    SignatureBody,
    /// A contract is asked for on a network that is not configured.
    Network,
    /// A contract is asked for, and the simulator stands where a chain would be.
    NoChain,
    /// A contract is asked for, and no RPC server has an answer that the others share.
    ChainSilent,
    /// Something of ours broke.
    Internal,
}

impl Problem {
    pub(crate) const fn status(&self) -> u16 {
        match self {
            Self::Misconfigured(_) | Self::NoChain | Self::ChainSilent => 503,
            Self::NotFound => 404,
            Self::MethodNotAllowed(_) => 405,
            Self::BodyTooLarge => 413,
            Self::SimulatorBody | Self::SignatureBody | Self::Network | Self::Query(_) | Self::Key => 400,
            Self::Internal => 500,
        }
    }

    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Misconfigured(_) => "misconfigured",
            Self::Key => "invalid_idempotency_key",
            Self::Query(_) => "invalid_query",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed(_) => "method_not_allowed",
            Self::BodyTooLarge => "body_too_large",
            Self::SimulatorBody | Self::SignatureBody => "invalid_body",
            Self::Network => "invalid_network",
            Self::NoChain | Self::ChainSilent => "chain_unavailable",
            Self::Internal => "internal",
        }
    }

    const fn title(&self) -> &'static str {
        match self {
            Self::Misconfigured(_) => "This facilitator is not set up correctly",
            Self::Key => "The Idempotency-Key is malformed",
            Self::Query(_) => "The query is malformed",
            Self::NotFound => "There is nothing here",
            Self::MethodNotAllowed(_) => "This path has other methods",
            Self::BodyTooLarge => "The body is too large",
            Self::SimulatorBody => "The body is not a simulator mode",
            Self::SignatureBody => "The body is no question about a signature",
            Self::Network => "This facilitator does not know the network",
            Self::NoChain => "There is no chain to ask",
            Self::ChainSilent => "The chain cannot be asked at the moment",
            Self::Internal => "Something broke on our side",
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::Misconfigured(why) | Self::Query(why) => why.clone(),
            Self::Key => "Send 1 to 128 characters of A-Z a-z 0-9 . _ : - as Idempotency-Key, or none.".to_owned(),
            Self::NotFound => {
                "The routes are POST /verify, POST /settle, POST /signatures, GET /supported, GET /discovery/resources \
                 and GET /health."
                    .to_owned()
            }
            Self::MethodNotAllowed(allowed) => format!("Allowed: {allowed}."),
            Self::BodyTooLarge => format!("At most {} bytes are read.", crate::limits::BODY_BYTES),
            Self::SimulatorBody => {
                "Send {\"mode\":\"...\"} with settle, refuse, delay:<milliseconds up to 60000>, hang, garbage, error, \
                 lost, pending or revert."
                    .to_owned()
            }
            Self::SignatureBody => format!(
                "Send JSON with `network` (eip155:<chain id>), `account` (0x and 40 hexadecimal digits), `digest` (0x and \
                 64) and `signature` (0x and two for each of at most {} bytes).",
                crate::limits::SIGNATURE_BYTES
            ),
            Self::Network => "GET /supported names the networks whose contracts can be asked.".to_owned(),
            Self::NoChain => {
                "This facilitator settles in its simulator, so whether a contract vouches for a signature cannot be known."
                    .to_owned()
            }
            Self::ChainSilent => {
                "Whether the contract vouches for the signature is not known. Ask again in a moment.".to_owned()
            }
            Self::Internal => "Ask again with the same request; a settlement is never made twice.".to_owned(),
        }
    }

    /// The document.
    pub(crate) fn document(&self, correlation: &CorrelationId) -> String {
        let retryable = matches!(self, Self::Internal | Self::ChainSilent);
        json!({
            "type": format!("https://guildhall.dev/problems/{}", self.code()),
            "title": self.title(),
            "status": self.status(),
            "detail": self.detail(),
            "code": self.code(),
            "requestId": correlation,
            "retryable": retryable,
        })
        .to_string()
    }
}
