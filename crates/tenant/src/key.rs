//! API keys as text: `gld_test_` or `gld_live_`, then the tenant's 26 characters, the key's 16, 52 of secret, and 7 that
//! check the rest, all in base32 of lower-case letters and digits 2 to 7 (RFC 4648, without padding).
//!
//! The last 7 are the CRC-32 (that of zlib) of all characters before them, its four bytes with the highest first: a scanner
//! that finds such a text in a place where it does not belong knows without asking anybody that it is a key.

use core::str::FromStr;

use data_encoding::BASE32_NOPAD;
use primitives::{Digest, Malformed, TenantId};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Presented, Refusal};

const TENANT_CHARS: usize = 26;
const ID_CHARS: usize = 16;
const SECRET_CHARS: usize = 52;
const CHECK_CHARS: usize = 7;

/// A key's own id: `key_` and 16 characters of base32 (80 random bits).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct KeyId(String);

impl KeyId {
    /// An id of random bits.
    pub fn from_random(random: [u8; 10]) -> Self {
        Self(format!("key_{}", base32(&random)))
    }

    /// The id that follows from `parts`, so that a key that is asked for twice is one key.
    pub fn derive(parts: &[&[u8]]) -> Self {
        let digest = Digest::of(parts);
        Self(format!("key_{}", base32(digest.0.split_at(10).0)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn body(&self) -> &str {
        self.0.trim_start_matches("key_")
    }
}

impl core::fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for KeyId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        text.strip_prefix("key_")
            .filter(|body| body.len() == ID_CHARS && is_base32(body))
            .map(|_| Self(text.to_owned()))
            .ok_or(Malformed { what: "key id", allowed: "key_ and 16 lower-case characters of base32" })
    }
}

impl<'de> Deserialize<'de> for KeyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Where a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Environment {
    /// `gld_test_`
    Test,
    /// `gld_live_`
    Live,
}

impl Environment {
    /// What its keys begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Test => "gld_test_",
            Self::Live => "gld_live_",
        }
    }
}

/// What may be shown of a key: all before its secret, by which a text that was found somewhere is recognised.
pub fn shown(environment: Environment, tenant: &TenantId, id: &KeyId) -> String {
    format!("{}{}{}", environment.prefix(), body_of(tenant), id.body())
}

/// A key's text. It has no `Debug`, `Display` or serde form, so that it cannot slip into a log, an event or a recorded
/// answer.
#[derive(Clone)]
pub struct KeyText(String);

impl KeyText {
    /// The key with this secret, which is 32 bytes of a cryptographic random source.
    pub fn write(environment: Environment, tenant: &TenantId, id: &KeyId, secret: [u8; 32]) -> Self {
        let before = format!("{}{}", shown(environment, tenant, id), base32(&secret));
        let check = check_of(&before);
        Self(format!("{before}{check}"))
    }

    /// The text, for the one answer that hands it over.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored in place of the secret: SHA-256 of its 52 characters.
    pub fn digest(&self) -> Digest {
        let secret = self.0.len().checked_sub(SECRET_CHARS.saturating_add(CHECK_CHARS));
        let secret = secret.and_then(|from| self.0.get(from..from.saturating_add(SECRET_CHARS)));
        Digest::of(&[secret.unwrap_or_default().as_bytes()])
    }
}

/// What a presented key says, once its check digits are right. It has no secret in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// Where it is for.
    pub environment: Environment,
    /// Whose it is.
    pub tenant: TenantId,
    /// Which it is.
    pub id: KeyId,
    /// SHA-256 of its secret part.
    pub secret: Digest,
}

impl Parsed {
    /// What is shown to the tenant whose key it is, where `here` is.
    ///
    /// # Errors
    /// [`Refusal::WrongEnvironment`].
    pub fn presented(&self, here: Environment) -> Result<Presented, Refusal> {
        if self.environment == here {
            Ok(Presented { id: self.id.clone(), secret: self.secret, environment: self.environment })
        } else {
            Err(Refusal::WrongEnvironment)
        }
    }
}

impl FromStr for Parsed {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        parsed(text).ok_or(Malformed {
            what: "API key",
            allowed: "gld_test_ or gld_live_ and 101 lower-case characters of base32 of which the last 7 check the others",
        })
    }
}

fn parsed(text: &str) -> Option<Parsed> {
    let mut environments = [Environment::Test, Environment::Live].into_iter();
    let (environment, body) = environments
        .find_map(|environment| text.strip_prefix(environment.prefix()).map(|body| (environment, body)))?;
    let (tenant, rest) = Some(body).filter(|body| is_base32(body))?.split_at_checked(TENANT_CHARS)?;
    let (id, rest) = rest.split_at_checked(ID_CHARS)?;
    let (secret, check) = rest.split_at_checked(SECRET_CHARS)?;
    let before = text.strip_suffix(check)?;
    if check.len() != CHECK_CHARS || check != check_of(before) {
        return None;
    }
    Some(Parsed {
        environment,
        tenant: format!("ten_{tenant}").parse().ok()?,
        id: format!("key_{id}").parse().ok()?,
        secret: Digest::of(&[secret.as_bytes()]),
    })
}

fn body_of(tenant: &TenantId) -> &str {
    tenant.as_str().trim_start_matches("ten_")
}

fn is_base32(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}

fn base32(bytes: &[u8]) -> String {
    BASE32_NOPAD.encode(bytes).to_ascii_lowercase()
}

fn check_of(text: &str) -> String {
    base32(&crc32(text.as_bytes()).to_be_bytes())
}

/// CRC-32 as zlib, gzip and PNG have it: reflected, polynomial 0x04C11DB7.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
