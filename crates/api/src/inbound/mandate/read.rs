//! Single values. A fault is noted with its place, and reading goes on with a stand-in, so that all are found at once.

use alloy_primitives::{Address, B256, Bytes, hex};
use eip712::mandates::service_id;
use mandate::{AMOUNT_MAX, UnixSeconds};
use primitives::BaseUnits;
use serde_json::Value;
use signin::Timestamp;

use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire;

/// The longest signature, in bytes: a contract account's wrapped one (ERC-6492) has a few thousand.
const SIGNATURE_BYTES_MAX: usize = 4_096;

impl Faults {
    fn read<T: Default>(&mut self, field: &str, value: Option<T>, allowed: &str) -> T {
        value.unwrap_or_else(|| {
            self.add(field, allowed);
            T::default()
        })
    }

    /// An address; zero where its rule has a word for it.
    pub(super) fn address(&mut self, field: &str, text: &str) -> Address {
        let address = fixed(text).map(Address::from);
        self.read(field, address, "must be an address: 0x and 40 hexadecimal digits")
    }

    /// An address that may be left out. Zero stands for that inside, and is refused lest someone means a place.
    pub(super) fn optional_address(&mut self, field: &str, text: Option<&str>) -> Address {
        let Some(text) = text else { return Address::ZERO };
        let before = self.0.len();
        let address = self.address(field, text);
        if address.is_zero() && self.0.len() == before {
            self.add(field, "is the zero address; use null instead");
        }
        address
    }

    /// 32 bytes.
    pub(in crate::inbound) fn hash(&mut self, field: &str, text: &str) -> B256 {
        let hash = fixed(text).map(B256::from);
        self.read(field, hash, "must be 32 bytes: 0x and 64 hexadecimal digits")
    }

    /// A service by its name or the name's hash.
    pub(super) fn service(&mut self, field: &str, text: &str) -> B256 {
        // A hash that lacks a digit could be a name by its characters, and another service than the one that is meant.
        if text.starts_with("0x") {
            return self.hash(field, text);
        }
        service_id(text).unwrap_or_else(|fault| {
            self.add(field, format!("{fault}; or give its keccak-256, 0x and 64 hexadecimal digits"));
            B256::ZERO
        })
    }

    /// A service that may be left out, like an address.
    pub(super) fn optional_service(&mut self, field: &str, text: Option<&str>) -> B256 {
        let Some(text) = text else { return B256::ZERO };
        let before = self.0.len();
        let service = self.service(field, text);
        if service.is_zero() && self.0.len() == before {
            self.add(field, "is zero; use null instead");
        }
        service
    }

    /// An amount that a ledger can hold.
    pub(super) fn amount(&mut self, field: &str, text: &str) -> BaseUnits {
        let amount = self.any_amount(field, text);
        if amount > AMOUNT_MAX {
            self.add(field, format!("is more than the {AMOUNT_MAX} that fit"));
        }
        amount
    }

    /// An amount of any size that can be signed.
    pub(super) fn any_amount(&mut self, field: &str, text: &str) -> BaseUnits {
        self.take(field, text.parse()).unwrap_or(BaseUnits(0))
    }

    /// An amount that may be left out.
    pub(super) fn amount_or(&mut self, field: &str, text: Option<&str>, absent: BaseUnits) -> BaseUnits {
        text.map_or(absent, |text| self.amount(field, text))
    }

    /// A time, rounded down to a second.
    pub(super) fn time(&mut self, field: &str, text: &str) -> UnixSeconds {
        self.take(field, text.parse::<Timestamp>()).map(|time| time.at().into()).unwrap_or_default()
    }

    /// A moment as it is signed: 48 bits of Unix seconds.
    pub(super) fn seconds(&mut self, field: &str, seconds: u64) -> UnixSeconds {
        let seconds = UnixSeconds(seconds);
        if seconds > UnixSeconds::MAX {
            self.add(field, format!("must be Unix seconds, at most {}", UnixSeconds::MAX.0));
        }
        seconds
    }

    /// A signature of any kind of account.
    pub(super) fn signature(&mut self, text: &str) -> Bytes {
        let bytes = digits(text).and_then(|digits| hex::decode(digits).ok());
        let bytes = bytes.filter(|bytes| (1..=SIGNATURE_BYTES_MAX).contains(&bytes.len()));
        let allowed = "must be 0x and hexadecimal digits, two for each of 1 to 4096 bytes";
        self.read("signature", bytes.map(Bytes::from), allowed)
    }

    /// A text of bounded size.
    pub(super) fn bytes(&mut self, field: &str, text: &str, most: usize) {
        if text.len() > most {
            self.add(field, format!("has {} bytes; {most} are allowed", text.len()));
        }
    }
}

/// Exactly `N` bytes as `0x` and hexadecimal digits in either case.
fn fixed<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits(text)?, &mut bytes).ok()?;
    Some(bytes)
}

/// What follows the `0x`. The decoder would pass over a second one.
fn digits(text: &str) -> Option<&str> {
    text.strip_prefix("0x").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// The id of a mandate, payment or request in a path.
///
/// # Errors
/// 400, with `place` as its place.
pub fn reference(place: &str, text: &str) -> Result<B256, Problem> {
    let mut faults = Faults::default();
    let hash = faults.hash(place, text);
    faults.finish_address(Some(hash))
}

/// How much comes in or goes out.
///
/// # Errors
/// 400 with the fault.
pub fn amount(body: &Value) -> Result<BaseUnits, Problem> {
    let wire::Amount { amount } = shape(body)?;
    let mut faults = Faults::default();
    let amount = faults.amount("amount", &amount);
    faults.finish(Some(amount))
}

/// Sees to it that a body says nothing: `{}`, or none at all as null.
///
/// # Errors
/// 400 with the fault.
pub fn empty(body: &Value) -> Result<(), Problem> {
    if body.is_null() {
        return Ok(());
    }
    shape(body).map(|wire::EmptyBody {}| ())
}
