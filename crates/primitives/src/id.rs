//! Names of agents, messages and objects.

use core::str::FromStr;

use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use uuid::Uuid;

use crate::{Digest, Malformed};

/// A name: a text that may be shown.
macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $valid:expr) => {
        crate::text!($(#[$doc])* #[derive(Debug)] $name, $what, $allowed, $valid);

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

text_name!(
    /// How an agent names itself: an address, a key, any text it keeps to. On the gig board it proves nothing by
    /// itself; the grant does.
    AgentIdentity,
    "agent identity",
    "1 to 512 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= 512
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);

text_name!(
    /// The sender's own name for one message. The same sender repeats it to ask for the same thing again.
    MessageId,
    "message id",
    "1 to 256 characters without control characters",
    |text| !text.is_empty() && text.chars().count() <= 256 && !text.chars().any(char::is_control)
);

text_name!(
    /// What ties together everything that one request caused; safe to write into a log and a header.
    CorrelationId,
    "correlation id",
    "1 to 128 characters of A-Z a-z 0-9 . _ : -",
    |text| {
        (1..=128).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
    }
);

/// A gig's id: a UUID of version 8 (RFC 9562, section 5.8) derived from who posts it under which message id, so that
/// asking twice is asking for the same gig. Lower case, with hyphens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GigId(Uuid);

impl GigId {
    /// The id of the gig that `payer` pays for and `sender` posts as `message_id`.
    pub fn derive(payer: &[u8; 20], sender: &AgentIdentity, message_id: &MessageId) -> Self {
        let digest = Digest::of(&[
            b"guildhall gig v1\0",
            payer,
            // A length keeps ("ab", "c") apart from ("a", "bc").
            &(sender.as_str().len() as u64).to_be_bytes(),
            sender.as_str().as_bytes(),
            message_id.as_str().as_bytes(),
        ]);
        let mut bytes = [0; 16];
        for (byte, from) in bytes.iter_mut().zip(digest.0) {
            *byte = from;
        }
        Self(Uuid::new_v8(bytes))
    }
}

impl FromStr for GigId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        const MALFORMED: Malformed =
            Malformed { what: "gig id", allowed: "a UUID with hyphens, 36 characters" };
        if text.len() != 36 {
            return Err(MALFORMED);
        }
        Uuid::try_parse(text).map(Self).map_err(|_| MALFORMED)
    }
}

impl core::fmt::Display for GigId {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}

impl Serialize for GigId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GigId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A payment's id, `pay_` and 32 hexadecimal digits: derived from the authorization it stands for, so that however
/// many copies of one authorization arrive, they meet in one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PaymentId(String);

impl PaymentId {
    /// The id of the authorization that `payer` gave under `nonce` for `asset` on `network` (CAIP-2).
    pub fn derive(network: &str, asset: &[u8; 20], payer: &[u8; 20], nonce: &[u8; 32]) -> Self {
        let digest = Digest::of(&[b"guildhall payment v1\0", network.as_bytes(), b"\0", asset, payer, nonce]);
        let mut text = digest.to_string();
        text.truncate(32);
        Self(format!("pay_{text}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PaymentId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        text.strip_prefix("pay_")
            .filter(|hex| {
                hex.len() == 32 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            })
            .map(|_| Self(text.to_owned()))
            .ok_or(Malformed { what: "payment id", allowed: "pay_ and 32 lower-case hexadecimal digits" })
    }
}

impl core::fmt::Display for PaymentId {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PaymentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// An id of 128 bits: a prefix and 26 lower-case characters of base32 (RFC 4648, without padding).
macro_rules! short_id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $prefix:literal, $allowed:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id of 128 bits: the first of what `parts` hash to.
            pub fn derive(parts: &[&[u8]]) -> Self {
                let digest = Digest::of(parts);
                let text = BASE32_NOPAD.encode(digest.0.split_at(16).0).to_ascii_lowercase();
                Self(format!("{}{text}", $prefix))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = Malformed;

            fn from_str(text: &str) -> Result<Self, Malformed> {
                text.strip_prefix($prefix)
                    .filter(|body| body.len() == 26 && body.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7')))
                    // The last character holds 3 bits only: another one would be a second name for the same id.
                    .and_then(|body| BASE32_NOPAD.decode(body.to_ascii_uppercase().as_bytes()).ok())
                    .map(|_| Self(text.to_owned()))
                    .ok_or(Malformed { what: $what, allowed: $allowed })
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

mod metering;

pub use metering::{
    AgentName, AuditId, EndpointId, MeterId, ReservationId, ServiceName, SettlementId, TenantId, WebhookId,
};

short_id!(
    /// A purchase run's id: `run_` and 128 bits, random or derived from the key under which it was asked for.
    RunId,
    "run id",
    "run_",
    "run_ and 26 lower-case characters of base32"
);

short_id!(
    /// A browser executor's id: `exe_` and 128 bits that follow from its secret, so that the secret alone leads to it.
    ExecutorId,
    "executor id",
    "exe_",
    "exe_ and 26 lower-case characters of base32"
);

impl ExecutorId {
    /// The id of the executor whose secret has this digest.
    pub fn of(secret: &Digest) -> Self {
        Self::derive(&[b"guildhall executor v1\0", &secret.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gig_id_depends_on_payer_sender_and_message_and_nothing_else() {
        let id = |payer: u8, sender: &str, message: &str| {
            GigId::derive(&[payer; 20], &sender.parse().unwrap(), &message.parse().unwrap())
        };
        assert_eq!(id(1, "a", "m"), id(1, "a", "m"));
        let others = [
            id(1, "a", "m"),
            id(2, "a", "m"),
            id(1, "b", "m"),
            id(1, "a", "n"),
            id(1, "ab", "c"),
            id(1, "a", "bc"),
        ];
        let distinct: std::collections::BTreeSet<_> = others.iter().collect();
        assert_eq!(distinct.len(), others.len());
        assert_eq!(id(1, "a", "m").to_string().as_bytes().get(14), Some(&b'8'));
    }

    /// A gig or payment is found again by the same derivation for ever; another one would lose every old object.
    #[test]
    fn derived_ids_keep_their_known_values() {
        let gig = GigId::derive(&[7; 20], &"buyer".parse().unwrap(), &"post-1".parse().unwrap());
        assert_eq!(gig.to_string(), "1f3d058e-8719-8197-a257-baf7c79d8592");
        let payment = PaymentId::derive("eip155:84532", &[1; 20], &[2; 20], &[3; 32]);
        assert_eq!(payment.as_str(), "pay_df5cf71559c76aaa15460bfb67bac150");
        assert_eq!(payment.as_str().parse(), Ok(payment.clone()));
    }

    #[test]
    fn a_payment_id_depends_on_all_that_names_an_authorization() {
        let id = |network: &str, asset: u8, payer: u8, nonce: u8| {
            PaymentId::derive(network, &[asset; 20], &[payer; 20], &[nonce; 32])
        };
        let others =
            [id("a", 1, 2, 3), id("b", 1, 2, 3), id("a", 9, 2, 3), id("a", 1, 9, 3), id("a", 1, 2, 9)];
        let distinct: std::collections::BTreeSet<_> = others.iter().collect();
        assert_eq!(distinct.len(), others.len());
        for bad in [
            "",
            "pay_",
            "pay_0",
            "PAY_00000000000000000000000000000000",
            "pay_0000000000000000000000000000000G",
        ] {
            assert!(bad.parse::<PaymentId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_are_bounded_and_clean() {
        assert!("x".repeat(512).parse::<AgentIdentity>().is_ok());
        for bad in ["", " a", "a ", "a\nb", &"x".repeat(513)] {
            assert!(bad.parse::<AgentIdentity>().is_err(), "{bad:?}");
        }
        for bad in ["", "a b", "a/b", "ü", &"x".repeat(129)] {
            assert!(bad.parse::<CorrelationId>().is_err(), "{bad:?}");
        }
        for bad in ["", "0", "00000000000080008000000000000000", "{00000000-0000-8000-8000-000000000000}"] {
            assert!(bad.parse::<GigId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_short_id_has_one_text() {
        let id = RunId::derive(&[b"some key"]);
        assert_eq!(id.as_str().len(), 30);
        assert_eq!(id.as_str().parse(), Ok(id.clone()));
        let (most, last) = id.as_str().split_at(29);
        let others = "abcdefghijklmnopqrstuvwxyz234567".chars().filter(|other| !last.starts_with(*other));
        let names = others.filter(|other| format!("{most}{other}").parse::<RunId>().is_ok()).count();
        assert_eq!(names, 7, "only the 3 bits that the last character holds may differ");
        for bad in [
            "",
            "run_",
            "exe_aaaaaaaaaaaaaaaaaaaaaaaaaa",
            "run_AAAAAAAAAAAAAAAAAAAAAAAAAA",
            &format!("{id}a"),
        ] {
            assert!(bad.parse::<RunId>().is_err(), "{bad:?} was taken for a run id");
        }
    }
}
