//! A request on its way to the object that answers it.

use primitives::CorrelationId;
use serde::{Deserialize, Serialize};
use settlement::Asker;

/// The header by which an asker that asks again proves to be the same one.
pub(crate) const KEY: &str = "idempotency-key";

/// What an object is sent.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ask {
    pub(crate) correlation: CorrelationId,
    pub(crate) asker: Asker,
    pub(crate) body: String,
}

/// Who asks, by the value of the header; `None` when that is no key: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
pub(crate) fn asker(header: Option<String>) -> Option<Asker> {
    let is_in_bounds = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    match header {
        None => Some(Asker::Anonymous),
        Some(key) => {
            let is_key =
                (1..=settlement::limits::KEY_BYTES).contains(&key.len()) && key.bytes().all(is_in_bounds);
            is_key.then_some(Asker::Key(key))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_short_and_plain() {
        assert_eq!(asker(None), Some(Asker::Anonymous));
        let longest = "k".repeat(settlement::limits::KEY_BYTES);
        assert_eq!(asker(Some(longest.clone())), Some(Asker::Key(longest.clone())));
        for bad in [String::new(), "a b".to_owned(), "\u{e9}".to_owned(), longest + "k"] {
            assert_eq!(asker(Some(bad.clone())), None, "{bad}");
        }
    }
}
