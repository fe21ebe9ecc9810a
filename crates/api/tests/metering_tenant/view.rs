//! What is shown of tenants, keys and services.

use std::collections::BTreeMap;

use api::binding::tenant::ServicesWanted;
use api::inbound::metering::wanted;
use api::outbound::metering as outbound;
use api::wire::{ConfigView, KeyStatus, KeyView, PriceView, ServiceView, TenantStatus};
use primitives::{Digest, Millis, ServiceName, TenantId, UnixMillis};
use tariff::Pricing;
use tenant::key::{Environment, KeyId, KeyText};
use tenant::{Book, Command, Scope, State, apply, decide};

const NOW: UnixMillis = UnixMillis(1_700_000_000_000);

fn tenant_id() -> TenantId {
    TenantId::derive(&[b"tenant"])
}

fn told(state: State, command: Command, now: UnixMillis) -> State {
    let events = decide(&state, command, now).unwrap();
    events.iter().fold(state, |state, event| apply(state, event).unwrap())
}

fn new_key(byte: u8, scopes: &[Scope]) -> (tenant::NewKey, KeyText) {
    let id = KeyId::from_random([byte; 10]);
    let text = KeyText::write(Environment::Test, &tenant_id(), &id, [byte; 32]);
    let (secret, scopes) = (text.digest(), scopes.iter().copied().collect());
    (tenant::NewKey { id, secret, label: None, scopes, expires_at: None, rate: None }, text)
}

fn opened() -> State {
    let (key, _) = new_key(1, &[Scope::Admin]);
    let name = "Weather Ltd".parse().unwrap();
    told(State::Unknown, Command::Open { name, pay_to: None, key }, NOW)
}

fn registered(state: State, name: &str, price: &str) -> State {
    let service = tenant::NewService {
        name: name.parse().unwrap(),
        scale: tariff::Scale::default(),
        unit: None,
        shards: 1,
        pricing: Pricing::Flat { unit: price.parse().unwrap() },
        description: Some("Rain and Wind".parse().unwrap()),
        owner: None,
    };
    told(state, Command::RegisterService(Box::new(service)), NOW)
}

fn book(state: &State) -> &Book {
    state.book().unwrap()
}

#[test]
fn a_tenant_is_shown_as_it_stands() {
    let state = registered(opened(), "a", "1");
    let view = outbound::tenant(&tenant_id(), book(&state), NOW);
    assert_eq!((view.name.as_str(), view.status), ("Weather Ltd", TenantStatus::Active));
    assert_eq!((view.services, view.keys, view.webhooks), (1, 1, 0));
    let reason = Some("audit".parse().unwrap());
    let paused = told(state, Command::Pause { reason }, NOW);
    let view = outbound::tenant(&tenant_id(), book(&paused), NOW);
    assert_eq!((view.status, view.paused.unwrap().reason.as_deref()), (TenantStatus::Paused, Some("audit")));
    let suspended = told(paused, Command::Suspend { reason: None }, NOW);
    assert_eq!(outbound::tenant(&tenant_id(), book(&suspended), NOW).status, TenantStatus::Suspended);
}

/// S4: what is shown of a key opens nothing, whatever is done with the answer.
#[test]
fn no_view_of_a_key_has_its_secret() {
    let (key, text) = new_key(1, &[Scope::Admin]);
    let state = opened();
    let uses = BTreeMap::from([(key.id.clone(), NOW)]);
    let all = outbound::keys(Environment::Test, &tenant_id(), book(&state), &uses, NOW);
    let shown = serde_json::to_string(&all).unwrap();
    let secret = &text.reveal()[text.reveal().len() - 59..text.reveal().len() - 7];
    assert!(!shown.contains(secret) && !shown.contains(&Digest::of(&[secret.as_bytes()]).to_string()));
    let view = all.keys.first().unwrap();
    assert!(text.reveal().starts_with(&view.prefix), "{}", view.prefix);
    assert_eq!(view.last_used_at.as_deref(), Some(NOW.to_rfc3339().as_str()));
    let issued = outbound::issued(view.clone(), Some(&text));
    assert!(!format!("{issued:?}").contains(secret));
    let opened = outbound::opened(outbound::tenant(&tenant_id(), book(&state), NOW), view.clone(), &text);
    assert!(!format!("{opened:?}").contains(secret));
    assert_eq!(opened.api_key, text.reveal());
}

#[test]
fn a_key_is_shown_as_what_it_opens() {
    let (other, _) = new_key(2, &[Scope::UsageRead]);
    let (next, _) = new_key(3, &[Scope::UsageRead]);
    let (first, second) = (KeyId::from_random([1; 10]), other.id.clone());
    let state = told(opened(), Command::CreateKey { key: other, by: first.clone() }, NOW);
    let overlap = Millis(5);
    let rotate = Command::RotateKey { id: second.clone(), key: next.clone(), overlap, by: first.clone() };
    let state = told(state, rotate, NOW);
    let state = told(state, Command::RevokeKey { id: next.id.clone() }, NOW);
    let view = |id: &KeyId| -> KeyView {
        let key = book(&state).keys.get(id).unwrap();
        outbound::key(Environment::Test, &tenant_id(), id, key, None, NOW)
    };
    assert_eq!(view(&first).status, KeyStatus::Active);
    let rotated = view(&second);
    assert_eq!((rotated.status, rotated.rotated_to), (KeyStatus::Rotated, Some(next.id.to_string())));
    assert_eq!(rotated.rotated_until, Some(NOW.plus(overlap).to_rfc3339()));
    assert_eq!(
        (view(&next.id).status, view(&next.id).created_by),
        (KeyStatus::Revoked, Some(first.to_string()))
    );
}

#[test]
fn a_price_travels_flat_beside_its_version() {
    let state = registered(opened(), "a", "0.5");
    let name: ServiceName = "a".parse().unwrap();
    let shown = outbound::service(&name, book(&state).services.get(&name).unwrap(), NOW).unwrap();
    let json = serde_json::to_value(&shown).unwrap();
    let expected = serde_json::json!({
        "version": 1, "effectiveFrom": NOW.to_rfc3339(), "kind": "flat", "price": "0.5",
    });
    assert_eq!(json["price"], expected);
    assert_eq!(serde_json::from_value::<PriceView>(expected).unwrap(), shown.price);
    assert_eq!(serde_json::from_value::<ServiceView>(json).unwrap(), shown);
}

#[test]
fn pages_of_services_have_each_once_in_their_order() {
    let names = ["a", "a.b", "b", "c-1", "d", "e_f"];
    let state = names.iter().fold(opened(), |state, name| registered(state, name, "7"));
    let state = told(state, Command::DeleteService { service: "d".parse().unwrap() }, NOW);
    let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let pairs = [("limit", "2".to_owned())].into_iter().chain(cursor.map(|cursor| ("cursor", cursor)));
        let page = outbound::services(book(&state), &wanted(pairs).unwrap(), NOW);
        seen.extend(page.services.into_iter().map(|service| service.service_id));
        (cursor, pages) = (page.next_cursor, pages + 1);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((seen, pages), (["a", "a.b", "b", "c-1", "e_f"].map(str::to_owned).to_vec(), 3));
    let full = outbound::services(book(&state), &ServicesWanted { limit: 5, ..Default::default() }, NOW);
    assert_eq!(full.next_cursor, None, "a full last page has no next one");
}

#[test]
fn services_are_found_by_what_they_are() {
    let state = registered(registered(opened(), "rain.v1", "7"), "wind", "0.5");
    let state = told(state, Command::DisableService { service: "wind".parse().unwrap() }, NOW);
    let found = |query: &[(&str, &str)]| -> Vec<String> {
        let pairs = query.iter().map(|(name, text)| (*name, (*text).to_owned()));
        let page = outbound::services(book(&state), &wanted(pairs).unwrap(), NOW);
        page.services.into_iter().map(|service| service.service_id).collect()
    };
    assert_eq!(found(&[("prefix", "rain")]), ["rain.v1"]);
    assert_eq!(found(&[("q", "RAIN AND")]), ["rain.v1", "wind"]);
    assert_eq!(found(&[("disabled", "true")]), ["wind"]);
    assert_eq!(found(&[("disabled", "false")]), ["rain.v1"]);
    assert_eq!(found(&[("minPrice", "0.5"), ("maxPrice", "6.999999999")]), ["wind"]);
    assert_eq!(found(&[("minPrice", "7")]), ["rain.v1"]);
    assert_eq!(found(&[("q", "snow")]), Vec::<String>::new());
}

#[test]
fn a_configuration_can_be_sent_back_as_it_was_read() {
    let state = opened();
    let view: ConfigView = outbound::configuration(book(&state));
    let mut body = serde_json::to_value(view).unwrap();
    body.as_object_mut().unwrap().remove("revision");
    let change = api::inbound::metering::configuration(&body).unwrap();
    let command = Command::Configure { change: Box::new(change), revision: book(&state).revision };
    assert!(decide(&state, command, NOW).unwrap().is_empty());
}
