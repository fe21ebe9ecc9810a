//! Single values. A fault is noted with its place, and reading goes on with a stand-in, so that all are found at once.

use alloy_primitives::Address;
use chain::solana::Signature;
use primitives::{BaseUnits, Digest, UnixMillis};
use run::{Cents, limits};
use serde_json::Value;
use signin::Timestamp;

use crate::inbound::Faults;

impl Faults {
    /// An amount in cents.
    pub(super) fn cents(&mut self, field: &str, digits: &str) -> Cents {
        self.take(field, digits.parse()).unwrap_or_default()
    }

    /// An amount in base units.
    pub(super) fn base_units(&mut self, field: &str, digits: &str) -> BaseUnits {
        self.take(field, digits.parse()).unwrap_or(BaseUnits(0))
    }

    /// A time.
    pub(super) fn at(&mut self, field: &str, text: &str) -> UnixMillis {
        self.take(field, text.parse::<Timestamp>()).map_or(UnixMillis(0), |time| time.at())
    }

    /// SHA-256 in its one form.
    pub(super) fn sha256(&mut self, field: &str, text: &str) -> Digest {
        let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        let digest = serde_json::from_value(Value::from(text)).ok().filter(|_| is_lower);
        digest.unwrap_or_else(|| {
            self.add(field, "must be SHA-256 as 64 lower-case hexadecimal digits");
            Digest::ZERO
        })
    }

    /// A text of one line that says something, and says it in the order in which it is stored.
    pub(super) fn line(&mut self, field: &str, text: String, most: usize) -> String {
        if text.len() > most {
            self.add(field, format!("has {} bytes; {most} are allowed", text.len()));
        } else if text.trim().is_empty() {
            self.add(field, "is empty");
        } else if text.chars().any(|letter| letter.is_control() || turns(letter)) {
            self.add(field, "must be one line without characters that control or turn text");
        }
        text
    }

    /// The address of a wallet in the form of its chain. One account of an EVM chain has one text: that of EIP-55.
    pub(super) fn wallet(&mut self, field: &str, text: &str) -> String {
        if let Some(digits) = text.strip_prefix("0x") {
            let account = Some(digits).filter(|digits| is_hexadecimal(digits, 40));
            if let Some(Ok(account)) = account.map(|digits| digits.parse::<Address>()) {
                return account.to_string();
            }
            self.add(field, "must have 40 hexadecimal digits after 0x");
        } else if !(1..=limits::ADDRESS_BYTES).contains(&text.len())
            || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte))
        {
            let most = limits::ADDRESS_BYTES;
            self.add(field, format!("must be an address: 1 to {most} characters of A-Z a-z 0-9 _ . : -"));
        }
        text.to_owned()
    }

    /// The name of a transaction. One transaction has one text, or two runs could be paid by it.
    pub(super) fn transaction(&mut self, field: &str, text: &str) -> String {
        let is_evm = text.strip_prefix("0x").is_some_and(|digits| is_hexadecimal(digits, 64));
        let is_simulated = text.strip_prefix("sim_").is_some_and(|digits| {
            is_hexadecimal(digits, 64) && !digits.bytes().any(|byte| byte.is_ascii_uppercase())
        });
        let is_solana = text.parse::<Signature>().is_ok();
        if !(is_evm || is_simulated || is_solana) {
            self.add(
                field,
                "must be a transaction: 64 bytes in base58 (Solana), 0x and 64 hexadecimal digits (EVM), or sim_ and 64 \
                 lower-case hexadecimal digits (simulated)",
            );
        }
        if is_evm { text.to_ascii_lowercase() } else { text.to_owned() }
    }
}

/// Whether a character has what follows it shown in another direction (Unicode UAX #9): a name must not look like another.
const fn turns(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_hexadecimal(digits: &str, count: usize) -> bool {
    digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
