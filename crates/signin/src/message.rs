//! The message of EIP-4361 and its text.

use eip712::Address;

use crate::{Authority, Nonce, RequestId, Scheme, Statement, Timestamp, Uri};

pub(crate) const PREAMBLE: &str = " wants you to sign in with your Ethereum account:";
pub(crate) const URI: &str = "URI: ";
pub(crate) const VERSION_1: &str = "Version: 1";
pub(crate) const CHAIN_ID: &str = "Chain ID: ";
pub(crate) const NONCE: &str = "Nonce: ";
pub(crate) const ISSUED_AT: &str = "Issued At: ";
pub(crate) const EXPIRATION_TIME: &str = "Expiration Time: ";
pub(crate) const NOT_BEFORE: &str = "Not Before: ";
pub(crate) const REQUEST_ID: &str = "Request ID: ";
pub(crate) const RESOURCES: &str = "Resources:";
pub(crate) const RESOURCE: &str = "- ";

/// What a wallet shows and signs (EIP-4361, version 1). Every value of this type has exactly one text and the reverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The scheme of the asking page's origin; most wallets' libraries leave it out.
    pub scheme: Option<Scheme>,
    /// Who asks.
    pub domain: Authority,
    /// Who is to sign. Its text is the one with the checksum in its letters' case (EIP-55).
    pub address: Address,
    /// What the person agrees to.
    pub statement: Option<Statement>,
    /// What the sign-in is for.
    pub uri: Uri,
    /// The chain that the session is bound to, and on which a contract account is asked (EIP-155).
    pub chain_id: u64,
    /// What makes it usable once.
    pub nonce: Nonce,
    /// When it was made.
    pub issued_at: Timestamp,
    /// From when on it counts for nothing.
    pub expiration_time: Option<Timestamp>,
    /// From when on it counts.
    pub not_before: Option<Timestamp>,
    /// The asker's own name for the request.
    pub request_id: Option<RequestId>,
    /// What the person lets the asker look at. An empty list has its own text, other than none.
    pub resources: Option<Vec<Uri>>,
}

impl Message {
    /// The text to sign, lines ending in a line feed, the last one without. A message whose text is longer than
    /// [`crate::limits::MESSAGE_BYTES`] can be written and is not read.
    pub fn text(&self) -> String {
        fn line(label: &str, value: &impl core::fmt::Display) -> String {
            format!("{label}{value}")
        }
        let scheme = self.scheme.as_ref().map(|scheme| format!("{scheme}://")).unwrap_or_default();
        let mut lines =
            vec![format!("{scheme}{}{PREAMBLE}", self.domain), self.address.to_string(), String::new()];
        lines.extend(self.statement.as_ref().map(ToString::to_string));
        lines.extend([
            String::new(),
            line(URI, &self.uri),
            VERSION_1.to_owned(),
            line(CHAIN_ID, &self.chain_id),
            line(NONCE, &self.nonce),
            line(ISSUED_AT, &self.issued_at),
        ]);
        lines.extend(self.expiration_time.as_ref().map(|time| line(EXPIRATION_TIME, time)));
        lines.extend(self.not_before.as_ref().map(|time| line(NOT_BEFORE, time)));
        lines.extend(self.request_id.as_ref().map(|id| line(REQUEST_ID, id)));
        if let Some(resources) = &self.resources {
            lines.push(RESOURCES.to_owned());
            lines.extend(resources.iter().map(|resource| line(RESOURCE, resource)));
        }
        lines.join("\n")
    }
}

/// Where a text leaves the grammar of EIP-4361.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, from 1.
    pub line: usize,
    /// What belongs there.
    pub wanted: &'static str,
}

impl core::fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "line {} of the message must be {}", self.line, self.wanted)
    }
}

impl core::error::Error for Unreadable {}
