//! Tenants, their keys, and what they agree with agents.

use tenant::{Refusal as R, Scope};

use super::{Path, both, counted, keyed, once, ours, placed, refuses};
use crate::document::openapi::operation::{Access, Body, Operation};
use crate::document::openapi::parts::{answer, schema};

const TAG: &str = "tenants";
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Vec<Path> {
    vec![
        ours("/tenants", [open()]),
        ours("/tenant", [mine()]),
        ours("/tenants/{tenant}", [show()]),
        ours("/tenants/{tenant}/suspend", [suspend()]),
        ours("/tenants/{tenant}/resume", [resume()]),
        ours("/tenants/{tenant}/agents/{agent}/mandate", [offer(), withdraw()]),
        both("/api-keys", [keys(), create_key()]),
        both("/api-keys/{key}", [key(), revoke_key()]),
        ours("/api-keys/{key}/rotate", [rotate_key()]),
        ours("/agents/{agent}/account", [account(), set_account()]),
    ]
}

fn open() -> Operation {
    Operation::new("post", TAG, "openTenant", "Become a tenant, who meters and bills what agents use", Access::Opener)
        .about(
            "By the operator; in development without an operator's token, by anyone. The answer has the first key, which may \
             do everything and is shown this once.",
        )
        .body(Body::Needed("OpenTenant"))
        .answers("201", answer("The tenant, and its first key.", schema("TenantOpened"), &[]))
}

fn mine() -> Operation {
    keyed("get", TAG, "getTenant", "Look at yourself, as a tenant", None)
        .answers("200", counted("As it stands.", schema("TenantView"), &[]))
}

fn of_one(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    placed(Operation::new(method, TAG, id, summary, Access::Operator), &["TenantId"])
        .answers("200", answer("As it stands now.", schema("TenantView"), REPLAYED))
        .refuses(refuses(&[R::UnknownTenant]))
}

fn show() -> Operation {
    of_one("get", "getTenantById", "Look at a tenant, as the operator")
}

fn suspend() -> Operation {
    of_one("post", "suspendTenant", "Stop all writes of a tenant, as the operator")
        .about("It is still read. Suspended again, it keeps its first reason.")
        .body(Body::Optional("PauseBody"))
}

fn resume() -> Operation {
    of_one("post", "resumeTenant", "Take writes of a tenant again, as the operator")
        .body(Body::Optional("EmptyBody"))
}

fn of_account(operation: Operation) -> Operation {
    placed(operation, &["TenantId", "MeteredAgent"])
        .answers("200", answer("What is agreed now.", schema("AccountView"), REPLAYED))
        .refuses(refuses(&[R::UnknownTenant, R::Forbidden]))
}

fn offer() -> Operation {
    let summary = "Let a tenant draw on a mandate, as the mandate's agent";
    of_account(Operation::new("put", TAG, "offerMandate", summary, Access::Signature))
        .about("The tenant can then have the agent prepay out of it. Another mandate of the same signer takes its place.")
        .body(Body::Needed("OfferBody"))
        .refuses(refuses(&[R::OfferTaken]))
        .refuses([
            crate::problem::Problem::new(404, "unknown_mandate", ""),
            crate::problem::Problem::new(403, "not_party", ""),
        ])
}

fn withdraw() -> Operation {
    let summary = "Let a tenant draw on a mandate no longer, as the mandate's agent";
    of_account(Operation::new("delete", TAG, "withdrawMandate", summary, Access::Signature))
        .about("What is held for work that has begun stays held until it is committed, released or over.")
        .refuses(refuses(&[R::NoMandateOffered, R::NotYourOffer]))
}

fn of_keys(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    keyed(method, TAG, id, summary, Some(Scope::Admin))
}

fn of_key(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    placed(of_keys(method, id, summary), &["KeyId"]).refuses(refuses(&[R::UnknownKey]))
}

fn keys() -> Operation {
    of_keys("get", "listApiKeys", "List the keys, without their secrets")
        .answers("200", counted("All of them, oldest first.", schema("KeysAnswer"), &[]))
}

fn create_key() -> Operation {
    once(of_keys("post", "createApiKey", "Make a key"))
        .about(
            "The answer has the key, which is shown this once. A repeated request under the same Idempotency-Key answers with \
             the same key's view and no key; rotate it then.",
        )
        .body(Body::Optional("NewKey"))
        .answers("201", counted("The key.", schema("KeyIssued"), &[]))
        .answers("200", counted("The same request made it before.", schema("KeyIssued"), REPLAYED))
        .refuses(refuses(&[R::TooManyKeys, R::ScopeAboveOwn, R::ExpiryPassed, R::StoreFull]))
}

fn key() -> Operation {
    of_key("get", "getApiKey", "Look at a key, without its secret")
        .answers("200", counted("As it stands.", schema("KeyView"), &[]))
}

fn revoke_key() -> Operation {
    of_key("delete", "revokeApiKey", "Have a key open nothing from now on")
        .about("Revoked again, nothing changes.")
        .answers("200", counted("It is revoked.", schema("KeyView"), REPLAYED))
        .refuses(refuses(&[R::LastAdminKey]))
}

fn rotate_key() -> Operation {
    once(of_key("post", "rotateApiKey", "Make a key in the place of another one"))
        .about("The new one may do what the old one may, which still opens for as long as `overlapSeconds` says.")
        .body(Body::Optional("RotateKey"))
        .answers("201", counted("The new key.", schema("KeyIssued"), &[]))
        .answers("200", counted("The same request made it before.", schema("KeyIssued"), REPLAYED))
        .refuses(refuses(&[R::KeyRotated, R::KeyOver, R::ScopeAboveOwn, R::LastAdminKey, R::StoreFull]))
}

fn account() -> Operation {
    placed(
        keyed("get", TAG, "getAccount", "See when an agent pays", Some(Scope::BillingWrite)),
        &["MeteredAgent"],
    )
    .answers("200", counted("What is agreed.", schema("AccountView"), &[]))
}

fn set_account() -> Operation {
    placed(keyed("put", TAG, "setAccount", "Say when an agent pays", Some(Scope::BillingWrite)), &["MeteredAgent"])
        .about(
            "Of a prepaid agent only usage counts that was reserved before; the mode decides, whatever the mandate has left. \
             Postpaid takes an offered mandate back.",
        )
        .body(Body::Needed("AccountBody"))
        .answers("200", counted("What is agreed now.", schema("AccountView"), REPLAYED))
        .refuses(refuses(&[R::NoMandateOffered, R::OtherMandate]))
}
