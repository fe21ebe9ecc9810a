//! The path of a resource with names in place of what varies.

use primitives::Malformed;

use crate::{
    limits::{DECODE_PASSES, URL_BYTES},
    percent,
};

/// A path such as `/v1/gigs/:id`: it begins with `/` and consists of `A-Z a-z 0-9 _ / : . - ~ %`. However often its
/// escapes are undone, it holds neither `..` nor `://`, so that joined to an origin it stays below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTemplate(String);

impl RouteTemplate {
    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl core::str::FromStr for RouteTemplate {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_/:.-~%".contains(&byte);
        let fits = (2..=URL_BYTES).contains(&text.len()) && text.starts_with('/');
        let plain = fits && text.bytes().all(allowed);
        let harmless = |path: String| !path.contains("..") && !path.contains("://");
        if plain && fully_decoded(text).is_some_and(harmless) {
            return Ok(Self(text.to_owned()));
        }
        Err(Malformed {
            what: "route template",
            allowed: "a path of A-Z a-z 0-9 _ / : . - ~ % such as /v1/gigs/:id, without .. and :// in any encoding",
        })
    }
}

/// `None` when an escape is damaged or there is no end of them.
fn fully_decoded(text: &str) -> Option<String> {
    let mut path = text.to_owned();
    for _ in 0..DECODE_PASSES {
        let decoded = percent::decode(&path)?;
        if decoded == path {
            return Some(path);
        }
        path = decoded;
    }
    None
}
