//! Text that a person signs in a wallet.

use alloy_primitives::{B256, eip191_hash_message};

/// The digest of a text as wallets sign it (`personal_sign`; EIP-191, version `0x45`).
pub fn personal_digest(text: &str) -> B256 {
    eip191_hash_message(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As viem's `hashMessage` has them. The length in front of the text counts bytes.
    #[test]
    fn known_texts_have_their_known_digests() {
        let known = [
            ("", "0x5f35dce98ba4fba25530a026ed80b2cecdaa31091ba4958b99b52ea1d068adad"),
            ("hello world", "0xd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68"),
            ("café", "0x58166a709b83c5369da86c3424ce9dc5eb6338951818d190ba3032f435ec9b81"),
        ];
        for (text, digest) in known {
            assert_eq!(personal_digest(text).to_string(), digest, "{text}");
        }
    }
}
