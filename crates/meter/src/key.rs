//! What names an event (CloudEvents 1.0, sections "id" and "source": both together are unique).

use primitives::text;
use serde::{Deserialize, Serialize};

use crate::limits;

text!(
    /// Who says so: a URI reference, such as `/gateway/eu-1`. Compared as text.
    #[derive(Debug)]
    EventSource,
    "event source",
    "1 to 256 visible ASCII characters without spaces",
    |text| is_visible(text, limits::SOURCE_BYTES)
);

text!(
    /// The source's own name for the event.
    #[derive(Debug)]
    EventId,
    "event id",
    "1 to 128 visible ASCII characters without spaces",
    |text| is_visible(text, limits::ID_BYTES)
);

fn is_visible(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// An event's identity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventKey {
    /// Who says so.
    pub source: EventSource,
    /// Under which name.
    pub id: EventId,
}
