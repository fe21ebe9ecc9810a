//! A facilitator's catalogue on the wire (core specification, section 8: `GET /discovery/resources`).

use primitives::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{PaymentRequirements, bazaar};

/// One page of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiscoveryResources {
    /// Always [`crate::VERSION`].
    pub x402_version: u64,
    /// The entries.
    pub items: Vec<DiscoveryResource>,
    /// Where the page stands.
    pub pagination: Pagination,
}

/// One paid resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiscoveryResource {
    /// Its URL, or its origin with a route template.
    pub resource: String,
    /// How it is reached.
    #[serde(rename = "type")]
    pub kind: ResourceKind,
    /// The protocol version that it was paid in.
    pub x402_version: u64,
    /// How it can be paid.
    pub accepts: Vec<PaymentRequirements>,
    /// When it was last paid, in RFC 3339.
    pub last_updated: String,
    /// One paragraph for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The name of the service that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Extensions by name; `bazaar` says how it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
}

/// How a resource is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResourceKind {
    /// By HTTP.
    Http,
    /// As a tool of the Model Context Protocol.
    Mcp,
}

/// Where a page stands in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    /// How many entries the page may hold.
    pub limit: u64,
    /// How many entries stand before it.
    pub offset: u64,
    /// How many entries the query has in all.
    pub total: u64,
}

impl DiscoveryResource {
    /// What makes two entries the same resource: the address, the method or tool, and who is paid. With the payee in it,
    /// nobody replaces a seller's entry by paying someone else for the same address.
    ///
    /// # Errors
    /// Never for an entry of this crate.
    pub fn identity(&self) -> Result<Digest, serde_json::Error> {
        let input = self.extensions.as_ref().and_then(|extensions| extensions.get(bazaar::NAME));
        let input = input.and_then(|block| block.pointer("/info/input"));
        let field = |name: &str| input.and_then(|input| input.get(name));
        let payees: Vec<_> = self.accepts.iter().map(|offer| offer.pay_to.to_ascii_lowercase()).collect();
        let (method, tool) = (field("method"), field("toolName"));
        Digest::of_json(
            &json!({ "resource": self.resource, "method": method, "tool": tool, "payees": payees }),
        )
    }
}
