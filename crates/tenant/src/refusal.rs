//! How a tenant says no.

use primitives::{UnixMillis, refusals};

use crate::{Scope, limits};

refusals! {
    /// There is no such key. What is wrong with it is nobody's business who does not have it.
    InvalidKey "invalid_api_key"
        "This API key is not known here. Check that it was copied whole, or have a new one made.";
    /// The key says where it is for, and that is not here.
    WrongEnvironment "wrong_environment"
        "This API key is for another environment. Keys that begin with gld_live_ are for production, those with gld_test_ for everything else.";
    /// It was revoked.
    RevokedKey "revoked_api_key"
        "This API key was revoked. Use another one.";
    /// Its time is over.
    ExpiredKey "expired_api_key"
        "This API key has expired. Use another one.";
    /// It was rotated, and the time for which both open is over.
    ReplacedKey "replaced_api_key"
        "This API key was replaced by a new one. Use that one.";
    /// It may not do this.
    MissingScope { scope: Scope } "missing_scope"
        "This API key does not have the scope {}. Use one that has it, or one with the scope admin.", scope.name();
    /// Who asks is known, and is not the one for this.
    Forbidden "forbidden"
        "This is not for whoever asks it.";
    /// The operator has stopped all writes.
    Suspended "tenant_suspended"
        "The operator has suspended this tenant: nothing is changed until it is resumed. Ask the operator.";
    /// The tenant has stopped all writes.
    Paused "service_paused"
        "This tenant is paused: nothing is changed until it is unpaused. Try again then.";
    /// There is one of this id.
    TenantExists "tenant_exists"
        "There is a tenant of this id. Open one under another id.";
    /// There is none of this id.
    UnknownTenant "unknown_tenant"
        "There is no such tenant.";
    /// The tenant has no such key.
    UnknownKey "unknown_api_key"
        "There is no such API key. Take one from the list.";
    /// A key has this id.
    KeyExists "api_key_exists"
        "There is an API key of this id. Make one with another id.";
    /// Without it nobody could make keys any more.
    LastAdminKey "last_admin_key"
        "This would leave no API key with the scope admin that lasts. Make another one first, without an expiry.";
    /// A key gives only what it has.
    ScopeAboveOwn "scope_above_own"
        "An API key can only give scopes that it has. Ask for fewer.";
    /// As many keys as are allowed open something.
    TooManyKeys "too_many_api_keys"
        "There are as many API keys as the configuration allows. Revoke one first, or raise keysMax.";
    /// The end lies before now.
    ExpiryPassed "expiry_passed"
        "This moment is past. Give a later one.";
    /// It was revoked or has expired, so that there is nothing to replace.
    KeyOver "api_key_over"
        "This API key opens nothing any more, so it cannot be replaced. Make a new one.";
    /// It has a successor already.
    KeyRotated "api_key_rotated"
        "This API key was rotated before. Rotate the one that replaces it.";
    /// Both keys would open for too long.
    OverlapTooLong "overlap_too_long"
        "The old API key would open for more than {} days. Give a shorter overlap.", limits::OVERLAP_MAX.0 / 86_400_000;
    /// The tenant has no such service.
    UnknownService "unknown_service"
        "There is no such service. Register it, or take one from the list.";
    /// It has one of this name.
    ServiceExists "service_exists"
        "There is a service of this id. Change it, or register this one under another id.";
    /// It was deleted, and what is for ever is not what is asked for.
    ServiceFixed { field: String } "service_fixed"
        "This service was deleted, and its {field} stays for ever. Register it with the {field} that it had, or under another id.";
    /// It takes no usage for now.
    ServiceDisabled "service_disabled"
        "This service is disabled and takes no usage. Enable it first.";
    /// No shards, or more than there can be.
    InvalidShards "invalid_shards"
        "A service has {} to {} shards.", limits::SHARDS.start(), limits::SHARDS.end();
    /// As many services as are allowed.
    TooManyServices "too_many_services"
        "There are as many services as the configuration allows, deleted ones included. Raise servicesMax, or reuse the id of a deleted one.";
    /// Every price may still be needed.
    TooManyVersions "too_many_prices"
        "This service has {} prices of which each may still be needed. Change the price again when the oldest has been over for 35 days.", limits::VERSIONS;
    /// It would begin before now.
    PriceInPast "price_in_past"
        "A price cannot begin in the past: what was used has its price. Give a later moment, or none for now.";
    /// Another one begins then or later.
    PriceNotLater { after: UnixMillis } "price_not_later"
        "This service has a price that begins at {}. Give a later moment.", after.to_rfc3339();
    /// Nobody plans that far.
    PriceTooFar "price_too_far"
        "The price begins in more than {} days. Give an earlier moment.", limits::AHEAD.0 / 86_400_000;
    /// Its tiers make no sense.
    InvalidPrice { why: String } "invalid_price"
        "The price {why}.";
    /// The tenant has no such webhook.
    UnknownEndpoint "unknown_webhook"
        "There is no such webhook. Take one from the list.";
    /// It has one of this id that follows other events.
    EndpointExists "webhook_exists"
        "There is a webhook of this id. Change it, or make one with another id.";
    /// As many webhooks as are allowed.
    TooManyEndpoints "too_many_webhooks"
        "There are as many webhooks as the configuration allows. Delete one first, or raise endpointsMax.";
    /// More than an endpoint names.
    TooManyTypes "too_many_event_types"
        "A webhook follows at most {} event types. Give fewer, or a family such as usage.*", limits::TYPES;
    /// What was to be changed is not any more what the caller has seen.
    RevisionChanged { revision: u64 } "revision_changed"
        "This was changed since you read it and is at revision {revision}. Read it again and repeat what you still want.";
    /// No mandate can be drawn on.
    NoMandateOffered "no_mandate_offered"
        "The agent has offered no mandate to this tenant. Let the mandate's agent offer one first.";
    /// The agent has offered another one.
    OtherMandate "other_mandate"
        "The agent has offered another mandate to this tenant. Name the one that is offered.";
    /// Somebody else has offered one for this agent.
    OfferTaken "offer_taken"
        "Another account has offered a mandate for this agent. Ask the tenant to set the agent to postpaid without a mandate, which takes the offer back.";
    /// Only who has offered it takes it back.
    NotYourOffer "not_your_offer"
        "Another account has offered this mandate. Only that one, or the tenant, takes it back.";
    /// A value is not one that can be set.
    InvalidConfiguration { field: String } "invalid_configuration"
        "The value of {field} is outside of what can be set. The documentation has its bounds.";
    /// The state is as large as it can be.
    StoreFull "store_full"
        "Keys, services, prices and webhooks together are as much as can be kept. Shorten descriptions, or register fewer services.";
}

impl Refusal {
    /// Whether the same request can succeed later, without the caller doing anything else.
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Paused | Self::Suspended)
    }
}
