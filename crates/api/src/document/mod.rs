//! What the product publishes about itself, for programs that have never seen it.
//!
//! Each document is a pure function of the address under which the product is reached and of what it charges; the
//! OpenAPI document is built natively, committed as `documents/openapi.json`, and served as those bytes.

pub mod agent_card;
#[cfg(feature = "schema")]
pub mod executor_protocol;
pub mod llms;
pub mod mandate_tools;
pub mod manifest;
pub mod mcp_server;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod run_tools;

pub use agent_card::{PaymentTermsView, agent_card};
pub use llms::llms_txt;
pub use manifest::{CONTRACT_VERSION, manifest};
pub use mcp_server::server;

/// The OpenAPI 3.1 document, as it is served at `/v1/openapi.json` and over MCP.
pub const OPENAPI_JSON: &str = include_str!("../../documents/openapi.json");

/// The browser command protocol as JSON Schemas, as it is served at `/v1/executors/protocol.json`.
pub const EXECUTOR_PROTOCOL_JSON: &str = include_str!("../../documents/executor_protocol.json");

/// What has changed with each version of the contract, as it is served at `/v1/changelog`.
pub const CHANGELOG_JSON: &str = include_str!("../../documents/changelog.json");

#[cfg(test)]
mod tests {
    use crate::wire::ChangelogAnswer;

    #[test]
    fn the_changelog_begins_with_the_version_that_is_served() {
        let answer: ChangelogAnswer = serde_json::from_str(super::CHANGELOG_JSON).unwrap();
        assert_eq!(answer.releases.first().unwrap().version, super::CONTRACT_VERSION);
        assert!(answer.releases.iter().all(|release| !release.changes.is_empty()));
    }
}
