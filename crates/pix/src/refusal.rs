//! Why a code is refused.

use crate::limits::CODE_BYTES;

/// Where in a code: a tag, or a tag in a template, as in `54` and `26-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The tag of the field that holds the field, if one does.
    pub template: Option<u8>,
    /// The field's tag.
    pub tag: u8,
}

impl core::fmt::Display for Place {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(template) = self.template {
            write!(formatter, "{template:02}-")?;
        }
        write!(formatter, "{:02}", self.tag)
    }
}

/// The first thing that is wrong with a code.
///
/// [`Refusal::code`] is stable; `Display` is a sentence for people. No value of the code is in either. The same text is
/// refused for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Longer than [`CODE_BYTES`].
    TooLong,
    /// It does not end in a checksum.
    ChecksumMissing,
    /// The checksum is another text's.
    ChecksumMismatch,
    /// The code, or one of its templates, does not consist of tags, lengths and values.
    Malformed(Option<u8>),
    /// A tag comes twice.
    Repeated(Place),
    /// It says one thing to those who count characters and another to those who count bytes.
    Ambiguous,
    /// A field is missing.
    Missing(Place),
    /// A field is not what it must be.
    Invalid {
        /// The field.
        place: Place,
        /// What it must be.
        wanted: &'static str,
    },
    /// Not in reais.
    Currency,
    /// Not in Brazil.
    Country,
    /// It asks for a tip or a fee beside the amount, which Pix does not know.
    Tip,
    /// No Pix account is in it.
    NotPix,
    /// More than one Pix account is in it.
    SeveralAccounts,
    /// The Pix account has neither a key nor an address, as in a code that only begins a recurring payment.
    NoPayee,
    /// The Pix account has both a key and an address.
    SeveralPayees,
    /// It hands out cash (Pix Saque).
    Withdrawal,
}

impl Refusal {
    /// The stable word of the refusal.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLong => "pix_too_long",
            Self::ChecksumMissing => "pix_checksum_missing",
            Self::ChecksumMismatch => "pix_checksum_mismatch",
            Self::Malformed(_) => "pix_malformed",
            Self::Repeated(_) => "pix_field_repeated",
            Self::Ambiguous => "pix_ambiguous",
            Self::Missing(_) => "pix_field_missing",
            Self::Invalid { .. } => "pix_field_invalid",
            Self::Currency => "pix_currency_unsupported",
            Self::Country => "pix_country_unsupported",
            Self::Tip => "pix_tip_unsupported",
            Self::NotPix => "pix_account_missing",
            Self::SeveralAccounts => "pix_account_repeated",
            Self::NoPayee => "pix_payee_missing",
            Self::SeveralPayees => "pix_payee_ambiguous",
            Self::Withdrawal => "pix_withdrawal_unsupported",
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => {
                return write!(formatter, "The Pix code has more than {CODE_BYTES} bytes; copy only the code.");
            }
            Self::ChecksumMissing => {
                "The Pix code must end in `6304` and four hexadecimal digits in upper case; copy it whole, without \
                 spaces around it."
            }
            Self::ChecksumMismatch => "The Pix code's checksum does not fit its text; copy it again, unaltered.",
            Self::Malformed(None) => {
                "The Pix code does not consist of two-digit tags, two-digit lengths and values; ask the payee for \
                 another one."
            }
            Self::Malformed(Some(template)) => {
                return write!(
                    formatter,
                    "Field {template:02} of the Pix code does not consist of two-digit tags, two-digit lengths and \
                     values; ask the payee for another one."
                );
            }
            Self::Repeated(place) => {
                return write!(formatter, "Field {place} comes twice in the Pix code; ask the payee for another one.");
            }
            Self::Ambiguous => {
                "The Pix code can be read in two ways, by characters and by bytes; ask the payee for one without \
                 accents."
            }
            Self::Missing(place) => {
                return write!(formatter, "Field {place} is missing in the Pix code; ask the payee for another one.");
            }
            Self::Invalid { place, wanted } => {
                return write!(
                    formatter,
                    "Field {place} of the Pix code must be {wanted}; ask the payee for another one."
                );
            }
            Self::Currency => "The Pix code is not in reais (field 53 is not 986).",
            Self::Country => "The Pix code is not of Brazil (field 58 is not BR).",
            Self::Tip => "The Pix code asks for a tip or fee beside the amount (fields 55 to 57); ask for one without.",
            Self::NotPix => "The code has no Pix account (fields 26 to 51 with br.gov.bcb.pix).",
            Self::SeveralAccounts => "The code has more than one Pix account; ask the payee for one with one account.",
            Self::NoPayee => {
                "The Pix code has neither a key nor an address to pay to; one that only begins a recurring payment \
                 cannot be paid once."
            }
            Self::SeveralPayees => "The Pix code has both a key and an address; ask the payee for one with one of them.",
            Self::Withdrawal => "The Pix code is for withdrawing cash (Pix Saque), not for a purchase.",
        })
    }
}

impl core::error::Error for Refusal {}
