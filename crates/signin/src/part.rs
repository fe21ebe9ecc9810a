//! The parts of a message that are text, each with its rule.

use core::str::FromStr;

use primitives::Malformed;

use crate::grammar::{host, is_authority, is_path_characters, is_scheme, is_statement, is_uri, origin};

/// Text with a rule: parsed once, kept as it came.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = Malformed;

            fn from_str(text: &str) -> Result<Self, Malformed> {
                let valid: fn(&str) -> bool = $valid;
                if valid(text) { Ok(Self(text.to_owned())) } else { Err(Malformed { what: $what, allowed: $allowed }) }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

part!(
    /// The scheme of the asking page's origin, such as `https` (RFC 3986, section 3.1).
    Scheme,
    "scheme",
    "a letter, then letters, digits, `+`, `-` and `.`",
    is_scheme
);

part!(
    /// Who asks for the signature, such as `guildhall.example` or `127.0.0.1:8787` (RFC 3986, section 3.2). EIP-4361
    /// calls it the domain; its host is not empty.
    Authority,
    "authority",
    "a host, with a port if it is not the scheme's own",
    |text| is_authority(text) && !host(text).is_empty()
);

part!(
    /// What the person is told that they sign; it may be empty.
    Statement,
    "statement",
    "letters, digits, spaces and -._~:/?#[]@!$&'()*+,;= on one line",
    is_statement
);

part!(
    /// A URI with its scheme (RFC 3986, section 3), kept as it came: two texts are two URIs.
    Uri,
    "URI",
    "a URI with its scheme (RFC 3986)",
    is_uri
);

part!(
    /// What makes a message usable once. Ours are made by the server and known to nobody else before.
    Nonce,
    "nonce",
    "at least 8 letters and digits",
    |text| text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
);

part!(
    /// A relying party's own name for a request; it may be empty.
    RequestId,
    "request id",
    "characters of a path segment (RFC 3986, `pchar`)",
    is_path_characters
);

impl Nonce {
    /// The nonce of 128 random bits, in hexadecimal.
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self(hex::encode(bits))
    }
}

impl Uri {
    /// What stands before the path, such as `https://guildhall.example`, user and port included; nothing for a URI
    /// without an authority.
    pub fn origin(&self) -> Option<&str> {
        origin(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_of_random_bits_is_one_that_is_read() {
        let nonce = Nonce::from_random([0xa0; 16]);
        assert_eq!(nonce.as_str(), "a0".repeat(16));
        assert_eq!(nonce.as_str().parse(), Ok(nonce));
    }
}
