//! The contract manifest: which version of everything this product speaks.

use serde_json::{Value, json};

/// The version of the gig board's contract. Within a major version it only grows.
pub const CONTRACT_VERSION: &str = "1.0.0";

/// The manifest. Every member of contract 1.0.0 keeps its name and meaning.
pub fn manifest() -> Value {
    let mcp_versions: Vec<&str> = core::iter::once(mcp::MODERN_VERSION).chain(mcp::LEGACY_VERSIONS).collect();
    json!({
        "contractVersion": CONTRACT_VERSION,
        "compatibility": "additive-within-major",
        "openapi": "3.1.0",
        "a2a": "1.0",
        "mcp": CONTRACT_VERSION,
        "mcpProtocolVersions": mcp_versions,
        "x402": x402::VERSION,
        "legacyXPaymentHeader": true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_the_published_contract_are_all_there() {
        let manifest = manifest();
        for (member, value) in [
            ("contractVersion", json!("1.0.0")),
            ("compatibility", json!("additive-within-major")),
            ("openapi", json!("3.1.0")),
            ("a2a", json!("1.0")),
            ("mcp", json!("1.0.0")),
            ("x402", json!(2)),
            ("legacyXPaymentHeader", json!(true)),
        ] {
            assert_eq!(manifest[member], value, "{member}");
        }
    }
}
