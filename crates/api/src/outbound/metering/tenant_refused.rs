//! The refusals of a tenant as problem documents.

use tenant::Refusal;

use crate::problem::{FieldFault, Problem};

/// The problem document of a tenant's refusal.
pub fn tenant_problem(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::InvalidKey
        | Refusal::WrongEnvironment
        | Refusal::RevokedKey
        | Refusal::ExpiredKey
        | Refusal::ReplacedKey => 401,
        Refusal::MissingScope { .. }
        | Refusal::Forbidden
        | Refusal::ScopeAboveOwn
        | Refusal::NotYourOffer => 403,
        Refusal::UnknownTenant | Refusal::UnknownKey | Refusal::UnknownService | Refusal::UnknownEndpoint => {
            404
        }
        Refusal::TenantExists
        | Refusal::KeyExists
        | Refusal::LastAdminKey
        | Refusal::TooManyKeys
        | Refusal::KeyRotated
        | Refusal::KeyOver
        | Refusal::ServiceExists
        | Refusal::ServiceFixed { .. }
        | Refusal::ServiceDisabled
        | Refusal::TooManyServices
        | Refusal::TooManyVersions
        | Refusal::PriceNotLater { .. }
        | Refusal::EndpointExists
        | Refusal::TooManyEndpoints
        | Refusal::NoMandateOffered
        | Refusal::OtherMandate
        | Refusal::OfferTaken
        | Refusal::StoreFull => 409,
        Refusal::RevisionChanged { .. } => 412,
        Refusal::ExpiryPassed
        | Refusal::OverlapTooLong
        | Refusal::InvalidShards
        | Refusal::PriceInPast
        | Refusal::PriceTooFar
        | Refusal::InvalidPrice { .. }
        | Refusal::TooManyTypes
        | Refusal::InvalidConfiguration { .. } => 422,
        Refusal::Paused | Refusal::Suspended => 503,
    };
    let problem = Problem::new(status, refusal.code(), refusal.to_string());
    let problem = if refusal.may_retry() { problem.retryable() } else { problem };
    match field(refusal) {
        Some(field) => {
            let message = problem.detail.clone();
            problem.with_faults(vec![FieldFault { field: field.to_owned(), message }])
        }
        None => problem,
    }
}

/// The place in the body that is refused, where it is one.
fn field(refusal: &Refusal) -> Option<&str> {
    match refusal {
        Refusal::InvalidConfiguration { field } | Refusal::ServiceFixed { field } => Some(field),
        Refusal::ExpiryPassed => Some("expiresAt"),
        Refusal::OverlapTooLong => Some("overlapSeconds"),
        Refusal::InvalidShards => Some("shards"),
        Refusal::PriceInPast | Refusal::PriceNotLater { .. } | Refusal::PriceTooFar => Some("effectiveFrom"),
        Refusal::ScopeAboveOwn => Some("scopes"),
        Refusal::InvalidKey
        | Refusal::WrongEnvironment
        | Refusal::RevokedKey
        | Refusal::ExpiredKey
        | Refusal::ReplacedKey
        | Refusal::MissingScope { .. }
        | Refusal::Forbidden
        | Refusal::Suspended
        | Refusal::Paused
        | Refusal::TenantExists
        | Refusal::UnknownTenant
        | Refusal::UnknownKey
        | Refusal::KeyExists
        | Refusal::LastAdminKey
        | Refusal::TooManyKeys
        | Refusal::KeyRotated
        | Refusal::KeyOver
        | Refusal::UnknownService
        | Refusal::ServiceExists
        | Refusal::ServiceDisabled
        | Refusal::TooManyServices
        | Refusal::TooManyVersions
        | Refusal::InvalidPrice { .. }
        | Refusal::UnknownEndpoint
        | Refusal::EndpointExists
        | Refusal::TooManyEndpoints
        | Refusal::TooManyTypes
        | Refusal::RevisionChanged { .. }
        | Refusal::NoMandateOffered
        | Refusal::OtherMandate
        | Refusal::OfferTaken
        | Refusal::NotYourOffer
        | Refusal::StoreFull => None,
    }
}

/// The operation's key stands for another request.
pub fn key_reused() -> Problem {
    let detail = "This Idempotency-Key stands for another request. Send that one again, or this one under a key of its own.";
    Problem::new(422, "idempotency_key_reused", detail)
}
