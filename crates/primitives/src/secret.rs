//! Bearer secrets: shown once, stored only as a digest.

use data_encoding::BASE64URL_NOPAD;

use crate::{Digest, Malformed};

/// What a secret opens; it is part of the text, so that one kind cannot be passed for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// A gig party's tunnel grant; also what signs that party's lifecycle messages.
    Grant,
    /// A browser's one-time pass to a tunnel or a stream.
    Ticket,
    /// A browser's cookie: the name of its session.
    Session,
    /// The capability of a purchase run's owner.
    Run,
    /// A browser executor's own; its id follows from it.
    Executor,
}

impl SecretKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Grant => "gld_grant_",
            Self::Ticket => "gld_ticket_",
            Self::Session => "gld_session_",
            Self::Run => "gld_run_",
            Self::Executor => "gld_executor_",
        }
    }
}

/// A secret's text, `gld_<kind>_<43 characters of base64url>`. It has no `Debug`, `Display` or serde form, so that
/// it cannot slip into a log, an event or a recorded answer.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A secret from 32 bytes of a cryptographic random source.
    pub fn from_random(kind: SecretKind, random: [u8; 32]) -> Self {
        Self(format!("{}{}", kind.prefix(), BASE64URL_NOPAD.encode(&random)))
    }

    /// A secret as a caller presents it.
    ///
    /// # Errors
    /// When it has another kind or form.
    pub fn parse(kind: SecretKind, text: &str) -> Result<Self, Malformed> {
        text.strip_prefix(kind.prefix())
            .and_then(|body| BASE64URL_NOPAD.decode(body.as_bytes()).ok())
            .filter(|bytes| bytes.len() == 32)
            .map(|_| Self(text.to_owned()))
            .ok_or(Malformed {
                what: "secret",
                allowed: "gld_<kind>_ and 43 characters of base64url, exactly as it was issued",
            })
    }

    /// What is stored in its place.
    pub fn digest(&self) -> Digest {
        Digest::of(&[self.0.as_bytes()])
    }

    /// The text, for the one answer that hands it over.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_only_taken_as_its_own_kind() {
        let grant = Secret::from_random(SecretKind::Grant, [7; 32]);
        assert_eq!(grant.reveal().len(), "gld_grant_".len() + 43);
        let parsed = Secret::parse(SecretKind::Grant, grant.reveal()).unwrap();
        assert!(parsed.digest().same_as(&grant.digest()));
        assert!(Secret::parse(SecretKind::Ticket, grant.reveal()).is_err());
        assert!(Secret::parse(SecretKind::Grant, &grant.reveal()[..52]).is_err());
        assert!(Secret::parse(SecretKind::Grant, &format!("{}=", grant.reveal())).is_err());
    }
}
