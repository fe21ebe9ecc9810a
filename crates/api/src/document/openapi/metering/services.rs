//! Services and their prices.

use serde_json::json;
use tenant::{Refusal as R, Scope};

use super::{Path, both, counted, keyed, once, ours, placed, refuses};
use crate::document::openapi::operation::{Body, Operation};
use crate::document::openapi::parts::schema;
use crate::document::openapi::refusals::malformed;
use crate::inbound::metering::revision;
use crate::limits;
use crate::problem::Problem;

const TAG: &str = "services";
const REPLAYED: &[&str] = &["ETag", "Idempotency-Replayed"];
const TAGGED: &[&str] = &["ETag"];

pub(super) fn paths() -> Vec<Path> {
    vec![
        both("/services", [list(), register()]),
        both("/services/bulk", [register_many()]),
        both("/services/{serviceId}", [show(), delete()]),
        ours("/services/{serviceId}/prices", [prices()]),
        both("/services/{serviceId}/metadata", [metadata(), set_metadata()]),
        both("/services/{serviceId}/enable", [act("enableService", "Take usage of a service again")]),
        both("/services/{serviceId}/disable", [act("disableService", "Take no usage of a service for now")]),
        both("/services/{serviceId}/disabled", [set_disabled()]),
        both("/services/{serviceId}/price", [set_price()]),
    ]
}

fn list() -> Operation {
    keyed("get", TAG, "listServices", "List services", None)
        .about("In the order of their ids. Prices are compared by what the first unit costs now. Deleted ones are left out.")
        .filter("prefix", "Only those whose ids begin so.", schema("ServiceName"))
        .filter(
            "q",
            "Only those with this text in id, description or owner, in any case.",
            json!({ "type": "string", "minLength": 1, "maxLength": limits::SEARCH_MAX }),
        )
        .filter("disabled", "Only those that take no usage, or only those that do.", json!({ "type": "boolean" }))
        .filter("minPrice", "Only those that cost as much or more.", schema("UnitPrice"))
        .filter("maxPrice", "Only those that cost as much or less.", schema("UnitPrice"))
        .named(&["PageLimit", "PageCursor"])
        .answers("200", counted("A page.", schema("ServicesAnswer"), &[]))
        .refuses([malformed()])
}

fn writing(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    keyed(method, TAG, id, summary, Some(Scope::ServicesWrite))
}

fn register() -> Operation {
    once(writing("post", "registerService", "Register a service with its first price"))
        .about(
            "Its price is in force from now on. Under the id of a deleted service, its scale and shards stay what they were, \
             and the numbers of its prices go on.",
        )
        .body(Body::Needed("NewService"))
        .answers("201", counted("The service.", schema("ServiceView"), TAGGED))
        .answers("200", counted("The same request registered it before.", schema("ServiceView"), REPLAYED))
        .refuses(refuses(&[
            R::ServiceExists,
            R::ServiceFixed { field: String::new() },
            R::TooManyServices,
            R::TooManyVersions,
            R::StoreFull,
        ]))
}

fn register_many() -> Operation {
    writing("post", "registerServices", "Register up to 100 services")
        .about("Each is registered or refused by itself; `results` says which, in their order.")
        .body(Body::Needed("NewServices"))
        .answers("200", counted("What became of each.", schema("ServicesRegistered"), &[]))
        .refuses([Problem::new(422, "bulk_too_large", "")])
}

fn of_one(operation: Operation) -> Operation {
    placed(operation, &["ServiceId"]).refuses(refuses(&[R::UnknownService]))
}

fn show() -> Operation {
    of_one(keyed("get", TAG, "getService", "Look at a service", None))
        .answers("200", counted("As it stands.", schema("ServiceView"), TAGGED))
}

fn delete() -> Operation {
    of_one(writing("delete", "deleteService", "Take no usage of a service for ever"))
        .about("What was used of it is billed at the prices that it had.")
        .answers("200", counted("It is deleted.", schema("ServiceView"), REPLAYED))
}

fn prices() -> Operation {
    of_one(keyed("get", TAG, "listPrices", "List every price that a service had, has and will have", None))
        .answers("200", counted("Oldest first.", schema("PricesAnswer"), TAGGED))
}

fn metadata() -> Operation {
    of_one(keyed("get", TAG, "getMetadata", "Read what a service is", None))
        .answers("200", counted("For people.", schema("MetadataView"), TAGGED))
}

/// What may depend on what was seen.
fn matched(operation: Operation) -> Operation {
    of_one(operation)
        .named(&["ServiceIfMatch"])
        .refuses(refuses(&[R::RevisionChanged { revision: 0 }]))
        .refuses(revision(Some("")).err())
}

fn set_metadata() -> Operation {
    matched(writing("put", "setMetadata", "Say what a service is"))
        .about("In place of what was said before.")
        .body(Body::Needed("MetadataBody"))
        .answers("200", counted("For people.", schema("MetadataView"), REPLAYED))
        .refuses(refuses(&[R::StoreFull]))
}

fn act(id: &'static str, summary: &'static str) -> Operation {
    of_one(writing("post", id, summary))
        .body(Body::Optional("EmptyBody"))
        .answers("200", counted("As it stands now.", schema("ServiceView"), REPLAYED))
}

fn set_disabled() -> Operation {
    of_one(writing("patch", "setDisabled", "Say whether a service takes no usage"))
        .body(Body::Needed("DisabledBody"))
        .answers("200", counted("As it stands now.", schema("ServiceView"), REPLAYED))
}

fn set_price() -> Operation {
    matched(writing("patch", "setPrice", "Give a service another price, from now or from a later moment on"))
        .about("What was used before that moment keeps the price that it had. A price is never changed and never taken back.")
        .body(Body::Needed("PriceBody"))
        .answers("200", counted("As it stands now.", schema("ServiceView"), REPLAYED))
        .refuses(refuses(&[
            R::PriceInPast,
            R::PriceNotLater { after: primitives::UnixMillis(0) },
            R::PriceTooFar,
            R::TooManyVersions,
            R::StoreFull,
        ]))
}
