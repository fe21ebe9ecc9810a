//! Why a signed request is refused.

use eip712::SignatureFault;
use primitives::Millis;

use crate::{digest::CONTENT_DIGEST, limits::NONCE_CHARACTERS};

/// The first thing that is wrong with a signed request.
///
/// [`Refusal::code`] is the word of the wire, `Display` a sentence for people. No sentence repeats what a header says:
/// places are bytes from the beginning of a header's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A header that the signature needs is not there.
    Missing {
        /// Its name.
        header: &'static str,
    },
    /// A header is longer than what is read.
    TooLong {
        /// Its name.
        header: &'static str,
        /// How many bytes are read.
        limit: usize,
    },
    /// A header has more members, components or parameters than are read.
    TooMany {
        /// Its name.
        header: &'static str,
        /// Where the first superfluous one stands.
        at: usize,
    },
    /// A header is not written as RFC 8941 serializes it.
    Malformed {
        /// Its name.
        header: &'static str,
        /// Where reading stopped.
        at: usize,
        /// What belongs there.
        expected: &'static str,
    },
    /// A name stands twice where it may stand once: a label, an algorithm, a component, a parameter.
    Repeated {
        /// The header's name.
        header: &'static str,
        /// Where the second one stands.
        at: usize,
    },
    /// A header of the older form has another form.
    InvalidHeader {
        /// Its name.
        header: &'static str,
        /// What is allowed.
        allowed: &'static str,
    },
    /// No signature is one of the profile's.
    NoEthereumSignature,
    /// `Signature` has no bytes for the label.
    NoBytes,
    /// `created` or `expires` is missing or no integer, or they are in the wrong order.
    Time,
    /// There is no nonce: the signature is good more than once.
    NonceMissing,
    /// The nonce is no text of 1 to [`crate::NONCE_CHARACTERS`] characters.
    Nonce,
    /// The nonce, or the digest of the older form, was used before. Only whoever keeps them knows;
    /// [`crate::verify()`] never says so.
    Reused,
    /// A parameter that no standard here gives a meaning.
    UnknownParameter {
        /// Where it stands in `Signature-Input`.
        at: usize,
    },
    /// `alg` is stated, although no registered algorithm is meant (ERC-8128, section 3.3.4).
    Algorithm,
    /// `keyid` is missing or names no account in the form of its edition.
    Account,
    /// Accounts of this chain are not taken.
    Chain(u64),
    /// What binds the signature to the request is not covered.
    NotCovered {
        /// The component's name.
        component: String,
    },
    /// A component that is not known here, or that has parameters.
    UnknownComponent {
        /// Where it stands in `Signature-Input`.
        at: usize,
    },
    /// A covered header is not in the request.
    AbsentComponent {
        /// Where its name stands in `Signature-Input`.
        at: usize,
    },
    /// A covered component's value has a character that is not printable ASCII.
    UnsignableComponent {
        /// Where its name stands in `Signature-Input`.
        at: usize,
    },
    /// The method or the target has a character that is not visible ASCII.
    UnsignableTarget,
    /// The signature holds longer than nonces are kept.
    TooLongLived(Millis),
    /// The signature does not hold yet.
    NotYet,
    /// The signature has run out.
    Expired,
    /// The request is addressed to someone else.
    Authority,
    /// There is a body and no `Content-Digest`.
    DigestMissing,
    /// `Content-Digest` has no SHA-256.
    DigestAlgorithm,
    /// `Content-Digest` is another body's.
    DigestMismatch,
    /// The bytes are not a signature of an ordinary account, and no contract account vouches for them.
    Signature(SignatureFault),
    /// A good signature, but by another account or over another request.
    OtherSigner,
}

impl Refusal {
    /// A stable word for programs: ERC-8128's own (section 6), and `wrong_authority`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "signature_missing",
            Self::TooLong { header, .. }
            | Self::TooMany { header, .. }
            | Self::Malformed { header, .. }
            | Self::Repeated { header, .. }
                if *header == CONTENT_DIGEST =>
            {
                "bad_content_digest"
            }
            Self::TooLong { .. } | Self::TooMany { .. } => "signature_too_large",
            Self::Malformed { .. }
            | Self::Repeated { .. }
            | Self::InvalidHeader { .. }
            | Self::NoBytes
            | Self::UnknownParameter { .. }
            | Self::UnknownComponent { .. }
            | Self::AbsentComponent { .. }
            | Self::UnsignableComponent { .. }
            | Self::UnsignableTarget => "signature_input_invalid",
            Self::NoEthereumSignature => "no_acceptable_signature",
            Self::Account => "invalid_keyid",
            Self::Chain(_) => "unsupported_chain",
            Self::Algorithm => "unsupported_algorithm",
            Self::Time => "invalid_time",
            Self::NotYet => "request_not_yet_valid",
            Self::Expired => "request_expired",
            Self::TooLongLived(_) => "request_validity_too_long",
            Self::NonceMissing => "nonce_required",
            Self::Nonce => "invalid_nonce",
            Self::Reused => "nonce_reused",
            Self::NotCovered { .. } => "insufficient_coverage",
            Self::Authority => "wrong_authority",
            Self::DigestMissing => "content_digest_required",
            Self::DigestAlgorithm | Self::DigestMismatch => "bad_content_digest",
            Self::Signature(_) | Self::OtherSigner => "bad_signature",
        }
    }

    /// Whether the same signed request can be accepted later.
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::NotYet)
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Missing { header } => {
                write!(formatter, "The request is not signed: the header `{header}` is missing.")
            }
            Self::TooLong { header, limit } => {
                write!(formatter, "The header `{header}` is too long; at most {limit} bytes are read.")
            }
            Self::TooMany { header, at } => {
                write!(formatter, "The header `{header}` has too many parts: none is read from byte {at} on.")
            }
            Self::Malformed { header, at, expected } => write!(
                formatter,
                "The header `{header}` is malformed at byte {at}: there must be {expected} (RFC 8941, section 4.1).",
            ),
            Self::Repeated { header, at } => write!(
                formatter,
                "The header `{header}` repeats at byte {at} a name that may stand there once; remove one of the two.",
            ),
            Self::InvalidHeader { header, allowed } => {
                write!(formatter, "The header `{header}` must be {allowed}.")
            }
            Self::NoEthereumSignature => formatter.write_str(
                "No signature is an Ethereum account's for this purpose: sign with `tag=\"erc8128\"` (ERC-8128).",
            ),
            Self::NoBytes => formatter
                .write_str("The header `signature` lacks the label that `signature-input` announces."),
            Self::Time => formatter.write_str(
                "The signature needs `created` and a later `expires`, each an integer of Unix seconds.",
            ),
            Self::NonceMissing => {
                formatter.write_str("The signature needs a `nonce`, so that it is good once.")
            }
            Self::Nonce => write!(
                formatter,
                "The signature's `nonce` must be a text of 1 to {NONCE_CHARACTERS} characters; letters, digits, `-` \
                 and `_` are safe.",
            ),
            Self::Reused => formatter.write_str("The signature was used before; sign each request anew."),
            Self::UnknownParameter { at } => write!(
                formatter,
                "The signature's parameter at byte {at} of `signature-input` is not known here; sign without it.",
            ),
            Self::Algorithm => formatter.write_str(
                "The signature states `alg`; the `keyid` says how it is made (ERC-8128), so sign without it.",
            ),
            Self::Account => formatter.write_str(
                "The signature's `keyid` must be `eip155:<chain id>:<address in lower case>` beside \
                 `tag=\"erc8128\"`, or `erc8128:<chain id>:<address>` without a tag.",
            ),
            Self::Chain(chain) => {
                write!(formatter, "Accounts of chain {chain} are not taken here; name another.")
            }
            Self::NotCovered { component } => {
                write!(
                    formatter,
                    "The signature must cover `{component}`, so that it is bound to this request."
                )
            }
            Self::UnknownComponent { at } => write!(
                formatter,
                "The component at byte {at} of `signature-input` is not known here; cover headers by their names in \
                 lower case, or `@method`, `@authority`, `@scheme`, `@path`, `@query`, `@target-uri`, \
                 `@request-target`, without parameters.",
            ),
            Self::AbsentComponent { at } => write!(
                formatter,
                "The header covered at byte {at} of `signature-input` is not in the request; send it or sign without \
                 it.",
            ),
            Self::UnsignableComponent { at } => write!(
                formatter,
                "The component at byte {at} of `signature-input` has a value that is not printable ASCII; escape it.",
            ),
            Self::UnsignableTarget => {
                formatter.write_str("The method or target is not visible ASCII; escape it before signing.")
            }
            Self::TooLongLived(lifetime) => write!(
                formatter,
                "The signature may hold for at most {} seconds from `created` to `expires`.",
                lifetime.0 / 1_000,
            ),
            Self::NotYet => formatter.write_str("The signature does not hold yet; set the signer's clock."),
            Self::Expired => formatter.write_str("The signature has run out; sign the request again."),
            Self::Authority => {
                formatter.write_str("The request is addressed to another authority than this server's own.")
            }
            Self::DigestMissing => formatter
                .write_str("A request with a body needs the header `content-digest`, covered by its signature."),
            Self::DigestAlgorithm => formatter.write_str("The header `content-digest` must have `sha-256`."),
            Self::DigestMismatch => {
                formatter.write_str("The header `content-digest` is not this body's; sign what is sent.")
            }
            Self::Signature(fault) => write!(formatter, "The request's signature cannot be used: {fault}."),
            Self::OtherSigner => formatter.write_str(
                "The signature is not the named account's over this request; sign exactly what is sent.",
            ),
        }
    }
}

impl core::error::Error for Refusal {}
