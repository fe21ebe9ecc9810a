//! Why a sign-in is refused.

use crate::{Origin, Unreadable, limits::SIGNATURE_BYTES};

/// The first thing that is wrong with a sign-in, in the order in which it is looked for.
///
/// [`Refusal::code`] is stable; `Display` is a sentence for people. None of them is worth a second try with the same
/// message: its nonce is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The text is not a message.
    Unreadable(Unreadable),
    /// Asked for under another scheme than our pages have.
    Scheme(Origin),
    /// Asked for by another domain.
    Domain(Origin),
    /// For a URI outside of our origin.
    Uri(Origin),
    /// For a chain that is not served.
    Chain {
        /// The message's chain.
        chain_id: u64,
        /// Those that are served.
        served: Vec<u64>,
    },
    /// With another nonce than the one that was given out.
    Nonce,
    /// With another statement than ours.
    Statement,
    /// With other resources than ours, or in another order.
    Resources,
    /// With a request id; we give none.
    RequestId,
    /// Issued more than five minutes from now.
    IssuedInFuture,
    /// Issued more than five minutes ago.
    IssuedLongAgo,
    /// Its expiration time is now or past.
    Expired,
    /// It does not count yet.
    NotYet,
    /// The signature is not hexadecimal, or too long.
    Signature,
    /// Neither the account's key nor a contract at its address made the signature.
    OtherSigner,
}

impl Refusal {
    /// The stable word of the refusal.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "message_unreadable",
            Self::Scheme(_) => "scheme_mismatch",
            Self::Domain(_) => "domain_mismatch",
            Self::Uri(_) => "uri_mismatch",
            Self::Chain { .. } => "chain_not_served",
            Self::Nonce => "nonce_mismatch",
            Self::Statement => "statement_mismatch",
            Self::Resources => "resources_mismatch",
            Self::RequestId => "request_id_unexpected",
            Self::IssuedInFuture => "issued_in_future",
            Self::IssuedLongAgo => "issued_long_ago",
            Self::Expired => "message_expired",
            Self::NotYet => "message_not_yet_valid",
            Self::Signature => "signature_malformed",
            Self::OtherSigner => "signature_of_other_signer",
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unreadable(fault) => write!(formatter, "The text is not a sign-in message (EIP-4361): {fault}."),
            Self::Scheme(ours) => write!(formatter, "The message is for another scheme; it must be for {ours}."),
            Self::Domain(ours) => write!(
                formatter,
                "The message is for another domain; it must be for `{}`. If another site asked you to sign it, do not \
                 use that site.",
                ours.domain(),
            ),
            Self::Uri(ours) => write!(formatter, "The message's URI must begin with the origin {ours}."),
            Self::Chain { chain_id, served } => {
                write!(formatter, "The message is for chain {chain_id}; sign in with one of these: {served:?}.")
            }
            Self::Nonce => formatter.write_str("The message has another nonce than the one given out; ask for a new one."),
            Self::Statement => formatter.write_str("The message's statement must be the one given out with the nonce."),
            Self::Resources => formatter.write_str("The message's resources must be those given out with the nonce."),
            Self::RequestId => formatter.write_str("The message has a request id; leave it out."),
            Self::IssuedInFuture => formatter.write_str(
                "The message is issued more than five minutes from now; set your clock and sign a new message.",
            ),
            Self::IssuedLongAgo => {
                formatter.write_str("The message was issued more than five minutes ago; sign a new one.")
            }
            Self::Expired => formatter.write_str("The message has expired; sign a new one."),
            Self::NotYet => formatter.write_str("The message does not count yet; sign one without a later `Not Before`."),
            Self::Signature => write!(
                formatter,
                "The signature must be `0x` and pairs of hexadecimal digits, at most {SIGNATURE_BYTES} bytes.",
            ),
            Self::OtherSigner => formatter.write_str(
                "The signature is not of the message's address: its key did not make it, and no contract there vouches \
                 for it.",
            ),
        }
    }
}

impl core::error::Error for Refusal {}

impl From<Unreadable> for Refusal {
    fn from(fault: Unreadable) -> Self {
        Self::Unreadable(fault)
    }
}
