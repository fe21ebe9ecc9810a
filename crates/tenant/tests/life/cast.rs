//! The same keys, services and agents in every test.

use std::collections::BTreeSet;

use primitives::{AgentName, Digest, EndpointId, MeterId, Millis, ServiceName, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use tariff::{Pricing, Scale, UnitPrice};
use tenant::key::{Environment, KeyId};
use tenant::{
    Change, Command, Effect, Event, EventType, Fact, Known, Mode, NewKey, NewService, Offer, Presented, Row,
    Scope, State,
};

pub(crate) const fn after(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

pub(crate) fn digest(word: &str) -> Digest {
    Digest::of(&[word.as_bytes()])
}

pub(crate) fn key_id(word: &str) -> KeyId {
    KeyId::derive(&[word.as_bytes()])
}

pub(crate) fn endpoint(word: &str) -> EndpointId {
    EndpointId::derive(&[word.as_bytes()])
}

pub(crate) fn service(word: &str) -> ServiceName {
    word.parse().unwrap()
}

pub(crate) fn agent(word: &str) -> AgentName {
    word.parse().unwrap()
}

pub(crate) fn scopes(words: &[&str]) -> BTreeSet<Scope> {
    let find = |word: &&str| Scope::ALL.into_iter().find(|scope| scope.name() == *word).unwrap();
    words.iter().map(find).collect()
}

/// A key whose secret is its name, for ever.
pub(crate) fn new_key(word: &str, words: &[&str]) -> NewKey {
    NewKey {
        id: key_id(word),
        secret: digest(word),
        label: None,
        scopes: scopes(words),
        expires_at: None,
        rate: None,
    }
}

pub(crate) fn shown(word: &str) -> Presented {
    Presented { id: key_id(word), secret: digest(word), environment: Environment::Test }
}

pub(crate) fn open() -> Command {
    Command::Open { name: "Weather".parse().unwrap(), pay_to: None, key: new_key("K1", &["admin"]) }
}

pub(crate) fn create(word: &str, words: &[&str]) -> Command {
    Command::CreateKey { key: new_key(word, words), by: key_id("K1") }
}

pub(crate) fn create_until(word: &str, words: &[&str], at: UnixMillis) -> Command {
    let key = NewKey { expires_at: Some(at), ..new_key(word, words) };
    Command::CreateKey { key, by: key_id("K1") }
}

/// `word` is to have the secret that a key `with` would have.
pub(crate) fn reissue(word: &str, with: &str, used: Known) -> Command {
    Command::ReissueKey { id: key_id(word), secret: digest(with), used }
}

pub(crate) fn rotate(old: &str, new: &str, words: &[&str], overlap: Millis) -> Command {
    Command::RotateKey { id: key_id(old), key: new_key(new, words), overlap, by: key_id("K1") }
}

pub(crate) fn revoke(word: &str) -> Command {
    Command::RevokeKey { id: key_id(word) }
}

pub(crate) fn flat(units: u128) -> Pricing {
    Pricing::Flat { unit: UnitPrice(units * 1_000_000_000) }
}

pub(crate) fn register(word: &str, units: u128) -> Command {
    Command::RegisterService(Box::new(NewService {
        name: service(word),
        scale: Scale::default(),
        unit: None,
        shards: 1,
        pricing: flat(units),
        description: None,
        owner: None,
    }))
}

pub(crate) fn price(word: &str, units: u128, from: Option<UnixMillis>) -> Command {
    Command::SetPrice { service: service(word), pricing: flat(units), from, revision: None }
}

pub(crate) fn describe(word: &str, text: &str, revision: Option<u64>) -> Command {
    let description = Some(text.parse().unwrap());
    Command::SetMetadata { service: service(word), description, owner: None, revision }
}

pub(crate) fn delete(word: &str) -> Command {
    Command::DeleteService { service: service(word) }
}

pub(crate) fn types(words: &[&str]) -> BTreeSet<EventType> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

pub(crate) fn follow(word: &str, words: &[&str]) -> Command {
    Command::AddEndpoint { id: endpoint(word), types: types(words) }
}

pub(crate) fn offer(of: &str, mandate: &str, signer: &str, filed: Option<tenant::Account>) -> Command {
    let offer = Offer { mandate: mandate.to_owned(), signer: signer.to_owned(), at: START };
    Command::OfferMandate { agent: agent(of), offer, filed }
}

pub(crate) fn withdraw(of: &str, signer: &str, filed: Option<tenant::Account>) -> Command {
    Command::WithdrawMandate { agent: agent(of), signer: signer.to_owned(), filed }
}

pub(crate) fn mode(of: &str, mode: Mode, mandate: Option<&str>, filed: Option<tenant::Account>) -> Command {
    Command::SetMode { agent: agent(of), mode, mandate: mandate.map(str::to_owned), filed }
}

pub(crate) fn used(word: &str, known: Known) -> Command {
    Command::Register {
        meter: MeterId::derive(&[word.as_bytes()]),
        agent: agent(word),
        service: service("search"),
        known,
    }
}

pub(crate) fn configure(change: Change, revision: u64) -> Command {
    Command::Configure { change: Box::new(change), revision }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tenant;

pub(crate) type Life = rehearsal::Life<Tenant>;

impl Core for Tenant {
    core_of!(tenant);

    const FACTS: usize = 22;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Opened { .. } => "Opened",
            Fact::KeyCreated { .. } => "KeyCreated",
            Fact::KeyRotated { .. } => "KeyRotated",
            Fact::KeyReissued { .. } => "KeyReissued",
            Fact::KeyRevoked { .. } => "KeyRevoked",
            Fact::ServiceRegistered { .. } => "ServiceRegistered",
            Fact::ServicePriced { .. } => "ServicePriced",
            Fact::ServiceDescribed { .. } => "ServiceDescribed",
            Fact::ServiceEnabled { .. } => "ServiceEnabled",
            Fact::ServiceDisabled { .. } => "ServiceDisabled",
            Fact::ServiceDeleted { .. } => "ServiceDeleted",
            Fact::EndpointAdded { .. } => "EndpointAdded",
            Fact::EndpointChanged { .. } => "EndpointChanged",
            Fact::EndpointRemoved { .. } => "EndpointRemoved",
            Fact::AccountChanged { .. } => "AccountChanged",
            Fact::MeterRegistered { .. } => "MeterRegistered",
            Fact::Configured { .. } => "Configured",
            Fact::Paused { .. } => "Paused",
            Fact::Unpaused => "Unpaused",
            Fact::Suspended { .. } => "Suspended",
            Fact::Resumed => "Resumed",
            Fact::Reset { .. } => "Reset",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    /// Each service with its prices, such as `search=1:100@0,2:200@60`, in base units and seconds from the start.
    fn mark(state: &State) -> String {
        let services = state.book().into_iter().flat_map(|book| &book.services).map(|(name, service)| {
            let price = |version: &tariff::Version| {
                let Pricing::Flat { unit } = &version.pricing else { return "tiers".to_owned() };
                format!("{}:{unit}@{}", version.number, version.from.since(START).0 / 1_000)
            };
            let prices: Vec<_> = service.versions.iter().map(price).collect();
            format!("{}={}", name.as_str(), prices.join(","))
        });
        let services: Vec<_> = services.collect();
        if services.is_empty() { String::new() } else { format!("({})", services.join(";")) }
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Keep(Row::Account { .. }) => "+account".to_owned(),
            Effect::Keep(Row::Meter { .. }) => "+meter".to_owned(),
            Effect::Keep(Row::Clear) => "+clear".to_owned(),
            Effect::Tell(news) => format!("+{}", news.event_type()),
            Effect::Drop { .. } => "+drop".to_owned(),
        }
    }
}

/// What is on file of an agent after all that has happened.
pub(crate) fn filed(life: &Life, of: &str) -> Option<tenant::Account> {
    life.owed.iter().rev().find_map(|effect| match effect {
        Effect::Keep(Row::Account { agent: named, account }) if *named == agent(of) => Some(account.clone()),
        Effect::Keep(_) | Effect::Tell(_) | Effect::Drop { .. } => None,
    })
}
