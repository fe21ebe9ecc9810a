//! What a tenant tells of itself.

use serde_json::{Value, json};
use tenant::{Mode, News};

use super::told::Told;

/// What a tenant tells of. It holds no secret and no text of a person.
pub fn tenant_news(news: &News) -> Told {
    let (agent, service, data) = match news {
        News::Opened | News::Paused | News::Unpaused | News::Suspended | News::Resumed | News::Reset => {
            (None, None, json!({}))
        }
        News::KeyCreated { key } | News::KeyRevoked { key } => (None, None, json!({ "key": key })),
        News::KeyReissued { key } => (None, None, json!({ "key": key })),
        News::KeyRotated { key, by } => (None, None, json!({ "key": key, "rotatedTo": by })),
        News::ServiceRegistered { service }
        | News::ServiceDescribed { service }
        | News::ServiceEnabled { service }
        | News::ServiceDisabled { service }
        | News::ServiceDeleted { service } => (None, Some(service), json!({ "serviceId": service })),
        News::ServicePriced { service, version, from } => {
            let data =
                json!({ "serviceId": service, "priceVersion": version, "effectiveFrom": from.to_rfc3339() });
            (None, Some(service), data)
        }
        News::EndpointAdded { endpoint }
        | News::EndpointChanged { endpoint }
        | News::EndpointRemoved { endpoint } => (None, None, json!({ "webhook": endpoint })),
        News::AccountChanged { agent, mode } => {
            (Some(agent), None, json!({ "agent": agent, "mode": mode_name(*mode) }))
        }
        News::Configured { revision } => (None, None, json!({ "revision": revision })),
    };
    Told { kind: news.event_type(), agent: agent.cloned(), service: service.cloned(), data }
}

fn mode_name(mode: Mode) -> Value {
    match mode {
        Mode::Postpaid => "postpaid".into(),
        Mode::Prepaid => "prepaid".into(),
    }
}
