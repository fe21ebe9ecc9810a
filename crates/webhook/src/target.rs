//! Which addresses may be called, as far as their text shows it.

use serde::{Deserialize, Deserializer, Serialize, de};

/// The longest address, in bytes.
const URL_BYTES: usize = 2_048;

/// Names that never stand for anything public, whatever a resolver says (RFC 6761, RFC 6762, RFC 8375, RFC 7686, and what
/// private networks use).
const PRIVATE_NAMES: [&str; 11] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "onion",
];

/// Why an address is not called. Each says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Not `https://`.
    Scheme,
    /// A name or password stands in it.
    UserInfo,
    /// An IP address, in whatever spelling.
    Literal,
    /// The host is no name of the public internet.
    Host,
    /// Another port than 443.
    Port,
    /// It is too long, or has characters that an address cannot have.
    Text,
    /// A part behind `#`.
    Fragment,
}

impl core::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Scheme => "must begin with https://",
            Self::UserInfo => "must have no user name or password in it; messages are signed instead",
            Self::Literal => "must name a host; IP addresses are not called, in whatever spelling",
            Self::Host => {
                "must name a host of the public internet: letters, digits and hyphens, with dots between, in lower case ASCII"
            }
            Self::Port => "must use port 443, which need not be said",
            Self::Text => "must be at most 2048 visible ASCII characters without \\ \" < > ^ ` { | }",
            Self::Fragment => "must have no # in it; a fragment is never sent",
        })
    }
}

impl core::error::Error for Refused {}

/// An address that may be called, as far as its text shows it (H5).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Target(String);

/// A host and port that a development lets through over `http` as well, such as `127.0.0.1:8080`, or with any port
/// `127.0.0.1:*`. None of its addresses is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// A name or address as URLs have it, in lower case.
    pub host: String,
    /// None for any.
    pub port: Option<u16>,
}

/// The parts of an address that matter.
struct Parts<'a> {
    is_https: bool,
    host: &'a str,
    port: Option<u16>,
}

impl Target {
    /// Reads an address.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn read(text: &str, allowed: &[Allowed]) -> Result<Self, Refused> {
        let parts = parts(text)?;
        if !is_allowed(&parts, allowed) {
            check(&parts)?;
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whose addresses are to be looked up before each call; none when a development lets it through as it is.
    ///
    /// # Errors
    /// [`Refused`], when it was allowed once and is not any more.
    pub fn name_to_resolve(&self, allowed: &[Allowed]) -> Result<Option<&str>, Refused> {
        let parts = parts(&self.0)?;
        if is_allowed(&parts, allowed) {
            return Ok(None);
        }
        check(&parts)?;
        Ok(Some(parts.host))
    }
}

/// What was judged when it came is judged again before each call: reading a stored one asks for no list.
impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parts(&text).map_err(de::Error::custom)?;
        Ok(Self(text))
    }
}

fn is_allowed(parts: &Parts<'_>, allowed: &[Allowed]) -> bool {
    let port = parts.port.unwrap_or(if parts.is_https { 443 } else { 80 });
    allowed.iter().any(|entry| entry.host == parts.host && entry.port.is_none_or(|wanted| wanted == port))
}

/// Splits an address. What two readers could split differently is refused: the one who calls is another than this.
fn parts(text: &str) -> Result<Parts<'_>, Refused> {
    let is_text = text.len() <= URL_BYTES
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"<>^`{|}".contains(&byte));
    if !is_text {
        return Err(Refused::Text);
    }
    let (is_https, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Err(Refused::Scheme),
    };
    if text.contains('#') {
        return Err(Refused::Fragment);
    }
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(Refused::UserInfo);
    }
    if authority.starts_with('[') {
        // An address of IPv6 is none that is ever called: not even a development's list needs one.
        return Err(Refused::Literal);
    }
    let (host, port) = match authority.split_once(':') {
        None => (authority, None),
        Some((host, port)) => {
            let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
            let port = port.parse::<u16>().ok().filter(|_| is_number && !port.starts_with('0'));
            (host, Some(port.ok_or(Refused::Port)?))
        }
    };
    Ok(Parts { is_https, host, port })
}

fn check(parts: &Parts<'_>) -> Result<(), Refused> {
    if !parts.is_https {
        return Err(Refused::Scheme);
    }
    let host = parts.host;
    let labels: Vec<&str> = host.split('.').collect();
    // A name whose last part is a number is read as an address of IPv4, in decimal, octal and hexadecimal, with one to four
    // parts (WHATWG URL, section 3.5), also with a dot behind it.
    let ends = labels.iter().rev().find(|label| !label.is_empty()).copied().unwrap_or_default();
    let is_number = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
    let is_hex = ends.strip_prefix("0x").or_else(|| ends.strip_prefix("0X"));
    let is_hex = is_hex.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_number(ends) || is_hex {
        return Err(Refused::Literal);
    }
    let is_label = |label: &&str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_private = PRIVATE_NAMES
        .iter()
        .any(|name| host.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.')));
    if host.len() > 253 || labels.len() < 2 || !labels.iter().all(is_label) || is_private {
        return Err(Refused::Host);
    }
    if parts.port.is_none_or(|port| port == 443) { Ok(()) } else { Err(Refused::Port) }
}
