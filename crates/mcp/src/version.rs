//! The protocol's revisions, and which era a request belongs to.

use serde_json::{Map, Value};

/// The revision of stateless requests: each carries its version and the client's capabilities.
pub const MODERN_VERSION: &str = "2026-07-28";

/// The revisions that open with `initialize`, newest first. 2025-03-26 is missing because it obliges a server to
/// accept batches.
pub const LEGACY_VERSIONS: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// The key in `params._meta` that holds the revision of a modern request.
pub(crate) const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key in `params._meta` that holds what a modern client can do.
pub(crate) const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key in a modern result's `_meta` that names the server.
pub(crate) const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The two ways in which a request can describe itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2026-07-28: everything is in the request.
    Modern,
    /// 2025-11-25 and before: an `initialize` came first, which this server does not remember.
    Legacy,
}

impl Era {
    /// Judges by the request alone (M2). The version that `initialize` asks for in its parameters never selects the
    /// era: clients of every age send it there.
    pub(crate) fn of(method: &str, meta: Option<&Map<String, Value>>, version_header: Option<&str>) -> Self {
        let describes_itself =
            meta.is_some_and(|meta| meta.contains_key(META_VERSION) || meta.contains_key(META_CAPABILITIES));
        if describes_itself {
            return Self::Modern;
        }
        if method == "initialize" {
            return Self::Legacy;
        }
        if method == "server/discover" || names_other_than_legacy(version_header) {
            Self::Modern
        } else {
            Self::Legacy
        }
    }
}

/// Whether the version header is there and names something that `initialize` never agreed to.
pub(crate) fn names_other_than_legacy(version_header: Option<&str>) -> bool {
    version_header.is_some_and(|version| !LEGACY_VERSIONS.contains(&version))
}

/// Every revision served here, newest first.
pub(crate) fn supported() -> impl Iterator<Item = &'static str> {
    core::iter::once(MODERN_VERSION).chain(LEGACY_VERSIONS)
}
