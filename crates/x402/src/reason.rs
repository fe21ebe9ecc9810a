//! Why a payment is refused.

use eip712::SignatureFault;

use crate::{ChainReason, MARGIN_SECONDS, SKEW_SECONDS};

/// The first thing that is wrong with a payment, in the order in which the reference facilitator looks.
///
/// [`InvalidReason::code`] is the word of the wire; `Display` is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidReason {
    /// Another protocol version.
    Version(u64),
    /// The server's own requirements are malformed or ask for what this scheme does not do on EVM.
    Requirements {
        /// The field at fault.
        field: &'static str,
    },
    /// A field of the payload is missing, has another type, or is malformed.
    Payload {
        /// The field at fault.
        field: &'static str,
    },
    /// The scheme is not `exact`.
    Scheme,
    /// The requirements do not name the token's signing domain.
    MissingDomain,
    /// The client chose another network.
    Network,
    /// The client's copy of the requirements differs from ours in something else.
    Contradiction {
        /// The field that differs.
        field: &'static str,
    },
    /// The bytes are not a signature of an ordinary account.
    Signature(SignatureFault),
    /// A contract account's signature (ERC-1271 or ERC-6492), which only the chain can check.
    ContractSignature,
    /// The signature of an account that its ERC-6492 factory is yet to make, and no factory is allowed. Only whoever
    /// knows the code at the payer's address says so.
    FactoryNotAllowed,
    /// A good signature by someone else than the payer, or over other values; or one that the payer's contract denies.
    OtherSigner,
    /// Pays someone else.
    Recipient,
    /// Runs out within [`MARGIN_SECONDS`], or has run out.
    Expired,
    /// Holds longer than the requirements allow, and a generous clock difference.
    TooLong,
    /// Does not hold yet.
    NotYet,
    /// Pays another amount than asked; more is wrong as well.
    Value,
    /// The authorization was used. Only who keeps the nonces knows; [`crate::verify()`] never says so.
    NonceUsed,
    /// The client's copy of an extension drops or changes what ours says.
    ExtensionEcho {
        /// The extension's name, one of ours.
        extension: String,
    },
    /// Only the chain knew.
    Chain(ChainReason),
}

impl From<ChainReason> for InvalidReason {
    fn from(reason: ChainReason) -> Self {
        Self::Chain(reason)
    }
}

impl InvalidReason {
    /// The reference facilitator's code, or the specification's where the reference has none; for
    /// [`InvalidReason::Chain`] see [`ChainReason::code`].
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "invalid_x402_version",
            Self::Requirements { .. } | Self::Contradiction { .. } => "invalid_payment_requirements",
            Self::Payload { .. } => "invalid_payload",
            Self::Scheme => "invalid_exact_evm_scheme",
            Self::MissingDomain => "invalid_exact_evm_missing_eip712_domain",
            Self::Network => "invalid_exact_evm_network_mismatch",
            Self::FactoryNotAllowed => "eip6492_factory_not_allowed",
            Self::Signature(_) | Self::ContractSignature | Self::OtherSigner => "invalid_exact_evm_signature",
            Self::Recipient => "invalid_exact_evm_recipient_mismatch",
            Self::Expired | Self::TooLong => "invalid_exact_evm_payload_authorization_valid_before",
            Self::NotYet => "invalid_exact_evm_payload_authorization_valid_after",
            Self::Value => "invalid_exact_evm_payload_authorization_value_mismatch",
            Self::NonceUsed => "invalid_exact_evm_nonce_already_used",
            Self::ExtensionEcho { .. } => "extension_echo_mismatch",
            Self::Chain(reason) => reason.code(),
        }
    }
}

impl core::fmt::Display for InvalidReason {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Version(version) => {
                write!(formatter, "The payment speaks x402 version {version}; this server speaks version 2.")
            }
            Self::Requirements { field } => {
                write!(formatter, "The payment requirements cannot be met: `{field}` is not valid here.")
            }
            Self::Payload { field } => {
                write!(formatter, "The payment's `{field}` is missing or malformed.")
            }
            Self::Scheme => formatter.write_str("The payment must use the scheme `exact`."),
            Self::MissingDomain => formatter.write_str(
                "The payment requirements must carry the token's signing name and version in `extra`.",
            ),
            Self::Network => formatter.write_str("The payment is for another network than the one asked for."),
            Self::Contradiction { field } => write!(
                formatter,
                "The payment accepts other terms than the ones asked for: `accepted.{field}` differs.",
            ),
            Self::Signature(fault) => write!(formatter, "The payment's signature cannot be used: {fault}."),
            Self::ContractSignature => formatter.write_str(
                "The payment is signed by a contract account (ERC-1271 or ERC-6492); only ordinary accounts with \
                 65-byte signatures are accepted.",
            ),
            Self::FactoryNotAllowed => formatter.write_str(
                "The payment is signed by a contract account that is not deployed (ERC-6492); deploy it and sign again.",
            ),
            Self::OtherSigner => formatter.write_str(
                "The payment's signature is not the payer's over these values and this token.",
            ),
            Self::Recipient => formatter.write_str("The payment goes to another address than the one asked for."),
            Self::Expired => write!(
                formatter,
                "The payment's authorization has run out or does so within {MARGIN_SECONDS} seconds.",
            ),
            Self::TooLong => write!(
                formatter,
                "The payment's authorization must run out within `maxTimeoutSeconds` plus {SKEW_SECONDS} seconds.",
            ),
            Self::NotYet => formatter.write_str("The payment's authorization does not hold yet."),
            Self::Value => formatter.write_str("The payment must be exactly the amount asked for."),
            Self::NonceUsed => formatter.write_str("The payment's authorization was used before."),
            Self::ExtensionEcho { extension } => write!(
                formatter,
                "The payment's `extensions.{extension}.info` drops or changes what the server said there; add to it \
                 only.",
            ),
            Self::Chain(reason) => reason.fmt(formatter),
        }
    }
}

impl core::error::Error for InvalidReason {}
