//! What messages are signed with.

use core::str::FromStr;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use primitives::{EndpointId, Malformed};
use sha2::Sha256;

/// A symmetric secret: 24 to 64 bytes; as text, `whsec_` and base64 of them.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// The secret of an endpoint's `generation`, which follows from the deployment's own: HMAC-SHA256 of
    /// `guildhall webhook v1`, the endpoint's id and the generation in decimal, with a zero byte between them. Nothing of it
    /// is stored, and no two endpoints or generations have the same.
    pub fn derive(master: &[u8], endpoint: &EndpointId, generation: u32) -> Self {
        let generation = generation.to_string();
        let parts = [b"guildhall webhook v1".as_slice(), endpoint.as_str().as_bytes(), generation.as_bytes()];
        Self(keyed(master, &parts.join(&0)).to_vec())
    }

    /// The text, for the answers that hand it over.
    pub fn reveal(&self) -> String {
        format!("whsec_{}", BASE64.encode(&self.0))
    }

    /// HMAC-SHA256 of a text.
    pub(crate) fn mac(&self, text: &[u8]) -> [u8; 32] {
        keyed(&self.0, text)
    }
}

/// HMAC-SHA256 (RFC 2104), which takes a key of any length.
fn keyed(key: &[u8], text: &[u8]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length: its constructor cannot fail")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

impl FromStr for Secret {
    type Err = Malformed;

    /// The reference libraries take the text without its prefix as well, and so does this.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let body = text.strip_prefix("whsec_").unwrap_or(text);
        let bytes = BASE64.decode(body.as_bytes()).ok().filter(|bytes| (24..=64).contains(&bytes.len()));
        bytes
            .map(Self)
            .ok_or(Malformed { what: "webhook secret", allowed: "whsec_ and base64 of 24 to 64 bytes" })
    }
}

// H4: whoever logs an endpoint logs no secret.
impl core::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("(secret)")
    }
}
