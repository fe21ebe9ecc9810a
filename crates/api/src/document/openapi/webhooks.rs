//! Webhook endpoints, and what they are sent. Paths of the earlier service, under `/api/v1`, refer to the same path under
//! `/v1`.

use endpoint::Refusal;
use primitives::UnixMillis;
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};
use tenant::{Refusal as No, Scope};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema};
use super::refusals::no_such_path;
use super::schemas::mention;
use crate::inbound::webhook as inbound;
use crate::outbound::metering::{key_reused, tenant_problem};
use crate::outbound::webhook::{EVENT_TYPES, refused};
use crate::problem::Problem;
use crate::wire::webhook as wire;

const TAG: &str = "webhooks";
const RATE: [&str; 2] = ["RateLimit", "RateLimit-Policy"];
const REPLAYED: [&str; 3] = ["Idempotency-Replayed", "RateLimit", "RateLimit-Policy"];

/// Each path with whether the earlier service has it, too.
pub(super) fn paths() -> Map<String, Value> {
    let mut all = Map::new();
    let one = "/webhooks/{endpoint}";
    for (path, is_published, operations) in [
        ("/webhooks".to_owned(), true, vec![list(), create()]),
        (one.to_owned(), true, vec![show(), change(), delete()]),
        (format!("{one}/test"), true, vec![test()]),
        (format!("{one}/rotate"), false, vec![rotate()]),
        (format!("{one}/enable"), false, vec![turn("enableWebhook", "Call a webhook again")]),
        (format!("{one}/disable"), false, vec![turn("disableWebhook", "Call a webhook no more for now")]),
        (format!("{one}/attempts"), false, vec![attempts()]),
        (format!("{one}/messages/{{message}}/resend"), false, vec![resend()]),
        (format!("{one}/recover"), false, vec![recover()]),
        ("/webhooks/event-types".to_owned(), false, vec![event_types()]),
    ] {
        let item: Map<String, Value> = operations.into_iter().flat_map(Operation::item).collect();
        if is_published {
            let pointer = format!("/v1{path}").replace('/', "~1");
            all.insert(format!("/api/v1{path}"), json!({ "$ref": format!("#/paths/{pointer}") }));
        }
        all.insert(format!("/v1{path}"), Value::Object(item));
    }
    all
}

/// What endpoints are sent: the `webhooks` of the document.
pub(super) fn events() -> Map<String, Value> {
    let event = |(kind, description): (&str, &str)| {
        let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
            |name| json!({ "name": name, "in": "header", "required": true, "schema": { "type": "string" } }),
        );
        let payload = json!({
            "type": "object",
            "properties": {
                "type": { "const": kind },
                "timestamp": { "type": "string", "format": "date-time" },
                "data": { "description": "By the type; null when it is too long for a message." },
            },
            "required": ["type", "timestamp", "data"],
        });
        let item = json!({ "post": {
            "operationId": format!("on{}", camel(kind)),
            "tags": [TAG],
            "summary": description,
            "description": "Signed as Standard Webhooks 1.0.0 says. Any 2xx takes the message; 410 disables the endpoint; anything else is tried again.",
            "parameters": headers,
            "requestBody": { "required": true, "content": { "application/json": { "schema": payload } } },
            "responses": { "2XX": { "description": "Taken." }, "410": { "description": "Nothing is wanted any more." } },
        } });
        (kind.to_owned(), item)
    };
    EVENT_TYPES.into_iter().map(event).collect()
}

fn camel(kind: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    kind.split('.').map(word).collect()
}

/// The bodies as they are read.
pub(super) fn bodies(generator: &mut SchemaGenerator) {
    mention::<wire::CreateWebhook>(generator);
    mention::<wire::ChangeWebhook>(generator);
    mention::<wire::RotateWebhook>(generator);
    mention::<wire::RecoverWebhook>(generator);
}

/// The answers as they are written.
pub(super) fn answers(generator: &mut SchemaGenerator) {
    mention::<wire::WebhooksAnswer>(generator);
    mention::<wire::WebhookWithSecret>(generator);
    mention::<wire::WebhookSent>(generator);
    mention::<wire::WebhookAttempts>(generator);
    mention::<wire::WebhookRecovered>(generator);
    mention::<wire::EventTypesAnswer>(generator);
}

fn keyed(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    let missing = tenant_problem(&No::MissingScope { scope: Scope::WebhooksWrite });
    Operation::new(method, TAG, id, summary, Access::Key)
        .refuses([missing])
        .refuses(inbound::unasked([("x", String::new())].into_iter()).err())
}

fn writing(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    keyed(method, id, summary).refuses([No::Paused, No::Suspended].iter().map(tenant_problem))
}

fn of_one(operation: Operation) -> Operation {
    operation.named(&["EndpointId"]).refuses([no_such_path()]).refuses(no(&[Refusal::UnknownEndpoint]))
}

fn no(refusals: &[Refusal]) -> Vec<Problem> {
    refusals.iter().map(|refusal| refused(refusal, UnixMillis(0)).0).collect()
}

fn webhook(description: &str) -> Value {
    answer(description, schema("WebhookView"), &RATE)
}

fn list() -> Operation {
    keyed("get", "listWebhooks", "List webhooks")
        .answers("200", answer("All of them.", schema("WebhooksAnswer"), &RATE))
}

fn create() -> Operation {
    let made = |text: &str, headers: &[&str]| answer(text, schema("WebhookWithSecret"), headers);
    writing("post", "createWebhook", "Make a webhook")
        .about(
            "Messages go to https addresses of the public internet alone: no IP addresses, no other port, no redirects; what \
             the host's name stands for is looked up before each call. The secret is shown here only, and again to whoever \
             repeats the request under its Idempotency-Key.",
        )
        .named(&["IdempotencyKey"])
        .body(Body::Needed("CreateWebhook"))
        .answers("201", made("It is there, with its secret.", &RATE))
        .answers("200", made("It was made before under this key.", &REPLAYED))
        .refuses([key_reused(), tenant_problem(&No::TooManyEndpoints), tenant_problem(&No::StoreFull)])
}

fn show() -> Operation {
    of_one(keyed("get", "getWebhook", "Look at a webhook")).answers("200", webhook("As it stands."))
}

fn change() -> Operation {
    of_one(writing(
        "patch",
        "changeWebhook",
        "Change where a webhook leads, what it is told of, or what it is for",
    ))
    .body(Body::Needed("ChangeWebhook"))
    .answers("200", webhook("As it is now."))
}

fn delete() -> Operation {
    let nothing = json!({ "description": "It is gone, and whatever it was owed." });
    of_one(writing("delete", "deleteWebhook", "Delete a webhook")).answers("204", nothing)
}

fn sent(operation: Operation) -> Operation {
    operation
        .answers(
            "202",
            answer("It is under way; the attempts say what becomes of it.", schema("WebhookSent"), &RATE),
        )
        .refuses(no(&[Refusal::EndpointDisabled, Refusal::TooManyPending]))
}

fn test() -> Operation {
    sent(of_one(writing("post", "testWebhook", "Send a message of the type webhook.test")))
}

fn rotate() -> Operation {
    of_one(writing("post", "rotateWebhook", "Give a webhook a new secret"))
        .about("Until the overlap is over, messages are signed with both.")
        .named(&["IdempotencyKey"])
        .body(Body::Optional("RotateWebhook"))
        .answers("200", answer("The webhook with its new secret.", schema("WebhookWithSecret"), &REPLAYED))
        .refuses(no(&[Refusal::RotationPending { until: UnixMillis(0) }]))
        .refuses([key_reused()])
}

fn turn(id: &'static str, summary: &'static str) -> Operation {
    of_one(writing("post", id, summary)).answers("200", webhook("As it is now."))
}

fn attempts() -> Operation {
    of_one(keyed("get", "listWebhookAttempts", "List a webhook's attempts"))
        .about("Newest first, of the last 30 days. What a receiver answers is not kept but for its status.")
        .filter(
            "limit",
            "How many.",
            json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 50 }),
        )
        .named(&["PageCursor"])
        .answers("200", answer("A page.", schema("WebhookAttempts"), &RATE))
        .refuses(inbound::attempts([("x", String::new())].into_iter()).err())
}

fn resend() -> Operation {
    sent(of_one(writing("post", "resendWebhookMessage", "Send a message once more")).named(&["MessageId"]))
        .refuses(no(&[Refusal::UnknownMessage]))
}

fn recover() -> Operation {
    of_one(writing("post", "recoverWebhook", "Send what was missed or has failed"))
        .about("Oldest first, a hundred at a time.")
        .body(Body::Needed("RecoverWebhook"))
        .answers("202", answer("They are under way.", schema("WebhookRecovered"), &RATE))
        .refuses(no(&[Refusal::EndpointDisabled]))
}

fn event_types() -> Operation {
    Operation::new("get", TAG, "listEventTypes", "List what webhooks can be told of", Access::Open)
        .answers("200", answer("In the order of their names.", schema("EventTypesAnswer"), &RATE))
        .refuses(inbound::unasked([("x", String::new())].into_iter()).err())
}
