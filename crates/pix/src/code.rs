//! A code, and how it is read.

use primitives::Digest;

use crate::crc::crc16;
use crate::fields::{Field, Fields};
use crate::limits::{CITY_CHARS, CODE_BYTES, NAME_CHARS, REAIS_DIGITS, TXID_CHARS};
use crate::refusal::Refusal;

/// Whose account a template describes.
const PIX: &str = "br.gov.bcb.pix";
/// What stands in place of a transaction id that is not there.
const NO_TXID: &str = "***";
/// Digits of the checksum.
const CHECKSUM_CHARS: usize = 4;

/// A code that can be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrCode {
    /// Where the money goes.
    pub point: Point,
    /// The payee's name as the code says it, 1 to 25 characters. Nobody has checked it.
    pub name: String,
    /// The payee's city, 1 to 15 characters.
    pub city: String,
    /// Whether the code may be paid more than once (tag 01 is not `12`).
    pub reusable: bool,
    /// Whether it also begins a recurring payment (Pix Automático, tags 80 to 99). A purchase is paid once.
    pub recurs: bool,
}

/// Where the money goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// The code itself says whom to pay.
    Static {
        /// A Pix key as the code says it, 1 to 77 characters: a CPF, a CNPJ, a phone number, an email address or a UUID.
        key: String,
        /// How much, in cents of a real and not zero; nothing if the payer is to choose.
        amount_cents: Option<u64>,
        /// What the payee calls the payment, 1 to 25 letters and digits.
        txid: Option<String>,
    },
    /// The payee's bank says how much is owed and until when.
    Dynamic {
        /// Where it says so: a host and a path without a scheme, at most 77 characters. A stranger chose it.
        url: String,
    },
}

/// Reads a code.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse(text: &str) -> Result<BrCode, Refusal> {
    if text.len() > CODE_BYTES {
        return Err(Refusal::TooLong);
    }
    check_checksum(text)?;
    let code = Fields::of_code(text)?;
    // The text ends in `6304` and four digits: its last field is the checksum if it has no more than these four.
    if code.last().is_none_or(|field| field.value.len() != CHECKSUM_CHARS) {
        return Err(Refusal::ChecksumMissing);
    }
    if code.first() != Some(Field { tag: 0, value: "01" }) {
        return Err(Refusal::Invalid { place: code.place(0), wanted: "`01`, and first" });
    }
    code.required(52, "four digits", |value| (value.len() == 4 && is_digits(value)).then_some(()))?;
    let name = code.required(59, "1 to 25 printable characters", |value| printable(value, NAME_CHARS))?;
    let city = code.required(60, "1 to 15 printable characters", |value| printable(value, CITY_CHARS))?;
    check_currency(&code)?;
    let is_reusable = |value: &str| match value {
        "11" => Some(true),
        "12" => Some(false),
        _ => None,
    };
    Ok(BrCode {
        point: point(&code)?,
        name,
        city,
        reusable: code.optional(1, "`11` or `12`", is_reusable)?.unwrap_or(true),
        recurs: code.templates(80..=99)?.iter().any(is_pix),
    })
}

/// What is kept of a code: SHA-256 of its text.
pub fn digest(text: &str) -> Digest {
    Digest::of(&[text.as_bytes()])
}

/// The last four characters are the checksum of everything before them, the tag and length of the checksum included.
fn check_checksum(text: &str) -> Result<(), Refusal> {
    let at = text.len().checked_sub(CHECKSUM_CHARS).ok_or(Refusal::ChecksumMissing)?;
    let (covered, checksum) = text.split_at_checked(at).ok_or(Refusal::ChecksumMissing)?;
    let is_checksum = checksum.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    if !is_checksum || !covered.ends_with("6304") {
        return Err(Refusal::ChecksumMissing);
    }
    if u16::from_str_radix(checksum, 16) == Ok(crc16(covered.as_bytes())) {
        Ok(())
    } else {
        Err(Refusal::ChecksumMismatch)
    }
}

/// Reais, in Brazil, and nothing beside the amount.
fn check_currency(code: &Fields<'_>) -> Result<(), Refusal> {
    if !code.required(53, "986", |value| Some(value == "986"))? {
        return Err(Refusal::Currency);
    }
    if !code.required(58, "BR", |value| Some(value == "BR"))? {
        return Err(Refusal::Country);
    }
    if (55..=57).any(|tag| code.get(tag).is_some()) {
        return Err(Refusal::Tip);
    }
    Ok(())
}

fn point(code: &Fields<'_>) -> Result<Point, Refusal> {
    let mut accounts = code.templates(26..=51)?.into_iter().filter(is_pix);
    let account = accounts.next().ok_or(Refusal::NotPix)?;
    if accounts.next().is_some() {
        return Err(Refusal::SeveralAccounts);
    }
    if account.get(3).is_some() {
        return Err(Refusal::Withdrawal);
    }
    let key = account.optional(1, "printable ASCII characters without spaces", key)?;
    let url = account.optional(25, "a host and a path without a scheme", url)?;
    let amount_cents = code.optional(54, "1 to 10 digits, a point and 2 digits", cents)?;
    let txid = match code.templates(62..=62)?.first() {
        Some(additional) => additional.optional(5, "1 to 25 letters and digits, or `***`", txid)?.flatten(),
        None => None,
    };
    match (key, url) {
        (None, None) => Err(Refusal::NoPayee),
        (Some(_), Some(_)) => Err(Refusal::SeveralPayees),
        (None, Some(url)) => Ok(Point::Dynamic { url }),
        (Some(_), None) if amount_cents == Some(0) => {
            Err(Refusal::Invalid { place: code.place(54), wanted: "more than zero, or absent" })
        }
        (Some(key), None) => Ok(Point::Static { key, amount_cents, txid }),
    }
}

fn is_pix(template: &Fields<'_>) -> bool {
    template.get(0).is_some_and(|whose| whose.eq_ignore_ascii_case(PIX))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn printable(text: &str, most: usize) -> Option<String> {
    (text.chars().count() <= most && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

/// Its template of 99 characters has room for the 77 that a key may have, and the same for an address.
fn key(text: &str) -> Option<String> {
    text.bytes().all(|byte| byte.is_ascii_graphic()).then(|| text.to_owned())
}

fn cents(text: &str) -> Option<u64> {
    let (reais, cents) = text.split_once('.')?;
    let digits = [reais, cents].concat();
    let is_amount = (1..=REAIS_DIGITS).contains(&reais.len()) && cents.len() == 2 && is_digits(&digits);
    digits.parse().ok().filter(|_| is_amount)
}

/// A transaction id, or the word that there is none.
fn txid(text: &str) -> Option<Option<String>> {
    if text == NO_TXID {
        return Some(None);
    }
    let is_txid = text.len() <= TXID_CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_txid.then(|| Some(text.to_owned()))
}

/// A host name with at least one dot whose last label has a letter, so no IPv4 address, and a path. No port, no user, no
/// query: the manual's addresses have none.
fn url(text: &str) -> Option<String> {
    let (host, path) = text.split_once('/')?;
    let (_, last) = host.rsplit_once('.')?;
    let is_url = host.split('.').all(is_label)
        && last.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !path.is_empty()
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:@".contains(&byte))
        && path.split('%').skip(1).all(is_escape);
    is_url.then(|| text.to_owned())
}

/// Whether what follows a `%` escapes a byte (RFC 3986, section 2.1).
fn is_escape(text: &str) -> bool {
    text.split_at_checked(2).is_some_and(|(digits, _)| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Letters, digits and inner hyphens (RFC 1123, section 2.1).
fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
