//! What a verifier asks of a signed request, and its one question.

use primitives::{Millis, UnixMillis};

use crate::{
    Judgement, Refusal, Request,
    input::SIGNATURE_INPUT,
    limits::{LIFETIME, SKEW},
    older::{self, Family},
    profile,
};

/// What a verifier asks of a signed request beyond the profile's own rules.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    /// The authorities that are ours, in lower case and without the scheme's own port: the `Host` of a request says
    /// only whom its sender wanted to reach.
    pub authorities: &'a [&'a str],
    /// The chains whose accounts may sign.
    pub chains: &'a [u64],
    /// What must be covered besides method, authority, path, query and body, such as `idempotency-key`.
    pub also_covered: &'a [&'a str],
    /// How far a signer's clock may differ from ours, either way.
    pub skew: Millis,
    /// The longest time from `created` to `expires`; a nonce is kept as long, and twice the skew.
    pub lifetime: Millis,
    /// Whether the older header form is taken.
    pub older: OlderForm,
}

/// Whether the older header form is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderForm {
    /// It is verified where a request has no `Signature-Input`.
    Accepted,
    /// Only message signatures are taken.
    Refused,
}

impl<'a> Policy<'a> {
    /// The usual policy of a server that answers for these authorities and takes accounts of these chains.
    pub const fn new(authorities: &'a [&'a str], chains: &'a [u64]) -> Self {
        Self {
            authorities,
            chains,
            also_covered: &[],
            skew: SKEW,
            lifetime: LIFETIME,
            older: OlderForm::Accepted,
        }
    }
}

/// Who signed a request.
///
/// A request with `Signature-Input` is judged by it alone; the older form is no second chance for it. That a nonce or
/// digest is used once is for the caller to see to ([`crate::Verified::once_key`]).
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(request: &Request<'_>, policy: &Policy<'_>, now: UnixMillis) -> Result<Judgement, Refusal> {
    if policy.older == OlderForm::Accepted
        && (request.header)(SIGNATURE_INPUT).is_none()
        && let Some(family) = Family::of(request)
    {
        return older::verify(request, family, now);
    }
    profile::verify(request, policy, now)
}
