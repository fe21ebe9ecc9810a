//! Addresses and signatures as Solana writes them: base58, in Bitcoin's alphabet, without a checksum.

use core::str::FromStr;

use primitives::Malformed;

/// Bytes that travel as base58. Such bytes have exactly one text.
macro_rules! base58 {
    ($(#[$doc:meta])* $name:ident, $bytes:literal, $what:literal, $allowed:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $bytes]);

        impl FromStr for $name {
            type Err = Malformed;

            fn from_str(text: &str) -> Result<Self, Malformed> {
                let mut bytes = [0; $bytes];
                // The decoder stops where the bytes would be too many, however long the text is.
                if bs58::decode(text).onto(&mut bytes) == Ok($bytes) {
                    Ok(Self(bytes))
                } else {
                    Err(Malformed { what: $what, allowed: $allowed })
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(&bs58::encode(self.0).into_string())
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(formatter, "{self}")
            }
        }
    };
}

base58!(
    /// An account's address: a public key, or a program's derived one.
    Address,
    32,
    "Solana address",
    "32 bytes in base58"
);

base58!(
    /// A transaction's first signature, which names it.
    Signature,
    64,
    "Solana signature",
    "64 bytes in base58"
);
