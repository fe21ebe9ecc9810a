//! The body of `/verify` and `/settle`.

use primitives::Digest;
use serde_json::Value;
use x402::{FacilitatorRequest, VERSION};

/// The only network that the simulator plays: Base Sepolia.
pub(crate) const SIMULATED_NETWORK: &str = "eip155:84532";

/// A body that is not a request, and what can be said of it all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotRequest {
    /// The network that the body names, or ours: an answer to `/settle` must name one.
    pub(crate) network: String,
    /// The protocol version that the body names, if it is another than the one that is spoken here.
    pub(crate) other_version: Option<u64>,
}

/// The request in a body.
///
/// # Errors
/// When the text is not JSON of the protocol's shape.
pub(crate) fn parse(body: &str) -> Result<FacilitatorRequest, NotRequest> {
    serde_json::from_str(body).map_err(|_| {
        let json: Value = serde_json::from_str(body).unwrap_or_default();
        let network = json.pointer("/paymentRequirements/network").and_then(Value::as_str);
        let version = json.get("x402Version").and_then(Value::as_u64);
        NotRequest {
            network: network.unwrap_or(SIMULATED_NETWORK).to_owned(),
            other_version: version.filter(|version| *version != VERSION),
        }
    })
}

/// The payer's address as the payload states it.
pub(crate) fn payer(request: &FacilitatorRequest) -> Option<String> {
    let authorization = request.payment_payload.payload.get("authorization")?;
    authorization.get("from").and_then(Value::as_str).map(str::to_owned)
}

/// What two requests have in common exactly when they ask for the same payment on the same terms: the SHA-256 of
/// the signed payload and the requirements.
///
/// # Errors
/// Never for a request that was parsed.
pub(crate) fn fingerprint(request: &FacilitatorRequest) -> Result<Digest, serde_json::Error> {
    Digest::of_json(&(&request.payment_payload.payload, &request.payment_requirements))
}
