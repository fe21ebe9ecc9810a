//! Webhook endpoints as they are shown, what they are sent, and how they say no.

use std::collections::BTreeSet;

use endpoint::{Body, Label, Message, News, Refusal, View, Why};
use primitives::{Digest, EndpointId, UnixMillis, WebhookId};
use serde::de::Error as _;
use serde_json::{Error, Value, json};
use tenant::EventType;
use webhook::Secret;

use crate::binding::endpoint::AttemptRow;
use crate::inbound::webhook::encoded;
use crate::outbound::mandate::length;
use crate::outbound::metering::{Origin, Told};
use crate::problem::Problem;
use crate::wire::webhook::{
    EventTypeView, EventTypesAnswer, WebhookAttempt, WebhookAttempts, WebhookDisabled, WebhookReason,
    WebhookRecovered, WebhookSent, WebhookStatus, WebhookView, WebhookWithSecret, WebhooksAnswer,
};

/// The type of the message by which an endpoint is tried out.
pub const TEST: &str = "webhook.test";

/// Every type of event, and when it is sent.
pub const EVENT_TYPES: [(&str, &str); 38] = [
    ("admin.reset", "The tenant has begun anew, in development."),
    ("agent.changed", "When an agent pays, or the mandate that it offers, is another."),
    ("config.changed", "The tenant's name, receiver or configuration is another."),
    ("endpoint.added", "A webhook endpoint was made."),
    ("endpoint.changed", "A webhook endpoint is told of other types."),
    ("endpoint.disabled", "A webhook endpoint is not called any more: asked, gone or failing."),
    ("endpoint.enabled", "A webhook endpoint is called again."),
    ("endpoint.removed", "A webhook endpoint was deleted."),
    ("endpoint.rotated", "A webhook endpoint has a new secret."),
    ("key.created", "An API key was made."),
    (
        "key.reissued",
        "An API key that nobody had used was given another secret, for who had lost the first one.",
    ),
    ("key.revoked", "An API key was revoked."),
    ("key.rotated", "An API key was replaced by another."),
    ("reservation.asked", "Somebody has asked for a reservation."),
    ("reservation.committed", "Usage was taken out of a reservation, and is billed."),
    ("reservation.expired", "A reservation's time is over; what it held is given back."),
    ("reservation.held", "A mandate holds the amount of a reservation."),
    ("reservation.refused", "A mandate does not hold the amount of a reservation."),
    ("reservation.released", "A reservation was given up; what it held is given back."),
    ("service.deleted", "A service was deleted."),
    ("service.described", "A service's description or owner is another."),
    ("service.disabled", "A service takes no usage for now."),
    ("service.enabled", "A service takes usage again."),
    ("service.priced", "A service has a new price, now or from a moment on."),
    ("service.registered", "A service was registered."),
    ("settlement.drafted", "A bill was drawn up, and waits for its payment."),
    ("settlement.failed", "A bill was not paid; its usage is open again."),
    ("settlement.submitted", "A bill is being paid."),
    ("tenant.opened", "The tenant was opened."),
    ("tenant.paused", "The tenant takes nothing that changes anything."),
    ("tenant.resumed", "The operator lets the tenant go on."),
    ("tenant.suspended", "The operator has suspended the tenant."),
    ("tenant.unpaused", "The tenant goes on."),
    ("usage.recorded", "Usage was recorded."),
    ("usage.reset", "Open usage was written off."),
    ("usage.reversed", "A recorded event was taken back."),
    ("usage.settled", "A bill was paid and is closed."),
    (TEST, "You asked for it, to see whether messages arrive."),
];

/// Whether a type that an endpoint names takes in any event.
pub fn is_sent(kind: &EventType) -> bool {
    EVENT_TYPES.iter().any(|(name, _)| kind.takes_in(name))
}

/// Every type of event.
pub fn event_types() -> EventTypesAnswer {
    let view = |(kind, description): &(&str, &str)| EventTypeView {
        kind: (*kind).to_owned(),
        description: (*description).to_owned(),
    };
    EventTypesAnswer { event_types: EVENT_TYPES.iter().map(view).collect() }
}

/// An endpoint at `now`.
pub fn endpoint(id: &EndpointId, view: &View, types: &BTreeSet<EventType>, now: UnixMillis) -> WebhookView {
    WebhookView {
        id: id.to_string(),
        url: view.url.as_str().to_owned(),
        event_types: types.iter().map(|kind| kind.as_str().to_owned()).collect(),
        description: view.description.as_ref().map(|label: &Label| label.as_str().to_owned()),
        status: match (view.disabled, view.failing_since) {
            (Some(_), _) => WebhookStatus::Disabled,
            (None, Some(_)) => WebhookStatus::Failing,
            (None, None) => WebhookStatus::Enabled,
        },
        disabled: view.disabled.map(|disabled| WebhookDisabled {
            since: disabled.since.to_rfc3339(),
            reason: match disabled.why {
                Why::Asked => WebhookReason::Asked,
                Why::Gone => WebhookReason::Gone,
                Why::Failing => WebhookReason::Failing,
            },
        }),
        failing_since: view.failing_since.map(UnixMillis::to_rfc3339),
        former_secret_until: view
            .former
            .filter(|former| former.until > now)
            .map(|former| former.until.to_rfc3339()),
        pending: length(view.pending),
        created_at: view.since.to_rfc3339(),
    }
}

/// An endpoint with the secret that signs now.
pub fn with_secret(webhook: WebhookView, secret: &Secret) -> WebhookWithSecret {
    WebhookWithSecret { webhook, secret: secret.reveal() }
}

/// A tenant's endpoints.
pub fn endpoints(webhooks: Vec<WebhookView>) -> WebhooksAnswer {
    WebhooksAnswer { webhooks }
}

/// A message that is under way.
pub fn sent(message: &WebhookId) -> WebhookSent {
    WebhookSent { message: message.to_string() }
}

/// A page of attempts.
pub fn attempts(rows: Vec<AttemptRow>, next: Option<u64>) -> WebhookAttempts {
    let view = |row: AttemptRow| WebhookAttempt {
        message: row.message,
        kind: row.kind,
        attempt: row.attempt,
        at: UnixMillis(row.at).to_rfc3339(),
        succeeded: row.taken != 0,
        status: row.status,
        error: row.error,
        duration_ms: row.took,
        next_attempt_at: row.next_at.map(|at| UnixMillis(at).to_rfc3339()),
        message_status: row.message_status,
    };
    WebhookAttempts { attempts: rows.into_iter().map(view).collect(), next_cursor: next.map(encoded) }
}

/// Messages that are sent again.
pub fn recovered(count: usize, has_more: bool) -> WebhookRecovered {
    WebhookRecovered { messages: length(count), has_more }
}

/// What endpoints are sent of what has happened. Its id follows from where that was recorded, so that telling it twice is
/// telling it once. Too long a `data` is left out, so that every message fits: its receiver asks for it.
///
/// # Errors
/// It cannot be written as JSON.
pub fn message(told: &Told, origin: &Origin<'_>, at: UnixMillis) -> Result<Message, Error> {
    let payload = told.payload(at)?;
    let body = match payload.parse::<Body>() {
        Ok(body) => Ok(body),
        Err(_) => Told { data: Value::Null, ..told.clone() }.payload(at)?.parse(),
    };
    let kind = told.kind.parse().map_err(Error::custom)?;
    Ok(Message { id: origin.message(), kind, body: body.map_err(Error::custom)? })
}

/// The message by which an endpoint is tried out, of an id of its own.
///
/// # Errors
/// It cannot be written as JSON.
pub fn test(id: &EndpointId, at: UnixMillis, chance: &Digest) -> Result<Message, Error> {
    let data = json!({ "webhook": id, "message": "Whoever reads this has a webhook that works." });
    let told = Told { kind: TEST, agent: None, service: None, data };
    message(&told, &Origin { object: &chance.to_string(), seq: 0, ordinal: 0 }, at)
}

/// What an endpoint's news says.
pub fn news(id: &EndpointId, news: News) -> Told {
    let data = match news {
        News::Disabled { why } => json!({ "webhook": id, "reason": why.name() }),
        News::Enabled => json!({ "webhook": id }),
        News::Rotated { until } => {
            json!({ "webhook": id, "formerSecretUntil": until.map(UnixMillis::to_rfc3339) })
        }
    };
    Told { kind: news.name(), agent: None, service: None, data }
}

/// The problem document of an endpoint's refusal, and after how many seconds the same request is worth another try.
pub fn refused(refusal: &Refusal, now: UnixMillis) -> (Problem, Option<u64>) {
    let (status, retry_after) = match refusal {
        Refusal::UnknownEndpoint | Refusal::UnknownMessage => (404, None),
        Refusal::EndpointExists | Refusal::EndpointDisabled => (409, None),
        Refusal::RotationPending { until } => (409, Some(until.since(now).0.div_ceil(1_000).max(1))),
        Refusal::OverlapTooLong => (422, None),
        Refusal::TooManyPending => (429, Some(5)),
    };
    let problem = Problem::new(status, refusal.code(), refusal.to_string());
    (if refusal.may_retry() { problem.retryable() } else { problem }, retry_after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(data: Value) -> Told {
        Told { kind: "usage.recorded", agent: None, service: None, data }
    }

    #[test]
    fn types_are_in_order_and_each_is_one_that_an_endpoint_and_a_message_can_name() {
        assert!(EVENT_TYPES.is_sorted_by(|one, next| one.0 < next.0));
        for (kind, description) in EVENT_TYPES {
            assert!(is_sent(&kind.parse().unwrap()) && kind.parse::<endpoint::EventType>().is_ok(), "{kind}");
            assert!(description.ends_with('.'), "{kind}");
        }
        for (kind, is_any) in
            [("*", true), ("usage.*", true), ("usage", false), ("usage.record", false), ("x.*", false)]
        {
            assert_eq!(is_sent(&kind.parse().unwrap()), is_any, "{kind}");
        }
    }

    #[test]
    fn a_message_is_named_by_where_it_was_recorded_and_always_fits() {
        let at = UnixMillis(1_796_047_200_000);
        let origin = |seq| Origin { object: "mtr_a", seq, ordinal: 0 };
        let small = message(&told(json!({ "n": 1 })), &origin(1), at).unwrap();
        assert_eq!(
            small.body.as_str(),
            r#"{"type":"usage.recorded","timestamp":"2026-11-30T14:00:00.000Z","data":{"n":1}}"#
        );
        assert_eq!(small, message(&told(json!({ "n": 1 })), &origin(1), at).unwrap());
        assert_ne!(small.id, message(&told(json!({ "n": 1 })), &origin(2), at).unwrap().id);
        let large = message(&told("x".repeat(endpoint::limits::BODY_BYTES).into()), &origin(1), at).unwrap();
        assert!(large.body.as_str().ends_with(r#""data":null}"#));
    }

    #[test]
    fn no_secret_is_shown_by_debug() {
        let view = View {
            url: "https://a.example/".parse().unwrap(),
            description: None,
            since: UnixMillis(0),
            generation: 1,
            former: None,
            disabled: None,
            failing_since: None,
            pending: 0,
        };
        let id = EndpointId::derive(&[b"1"]);
        let secret = Secret::derive(b"master", &id, 1);
        let shown = with_secret(endpoint(&id, &view, &BTreeSet::new(), UnixMillis(0)), &secret);
        assert!(shown.secret.starts_with("whsec_") && !format!("{shown:?}").contains(&shown.secret));
    }
}
