//! How each event moves the state.

use primitives::{ServiceName, UnixMillis};
use tariff::{Pricing, Version};

use crate::key::KeyId;
use crate::{
    Book, Change, Configuration, Corrupt, Event, Fact, Key, Label, NewKey, NewService, Paused, Rotation,
    Service, ServiceStatus, State, Subscription, limits,
};

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let next = match state {
        State::Unknown => opened(&event.fact, at),
        State::Open(mut book) => book.take(&event.fact, at).map(|()| book),
    };
    next.map(State::Open).ok_or(Corrupt { at })
}

fn opened(fact: &Fact, at: UnixMillis) -> Option<Box<Book>> {
    let Fact::Opened { name, pay_to, key } = fact else { return None };
    Some(Box::new(Book {
        name: name.clone(),
        pay_to: pay_to.clone(),
        since: at,
        era: 0,
        keys: [(key.id.clone(), made(key, None, at))].into(),
        services: [].into(),
        endpoints: [].into(),
        configuration: Configuration::default(),
        revision: 1,
        paused: None,
        suspended: None,
    }))
}

fn made(key: &NewKey, by: Option<&KeyId>, at: UnixMillis) -> Key {
    Key {
        secret: key.secret,
        label: key.label.clone(),
        scopes: key.scopes.clone(),
        created_at: at,
        created_by: by.cloned(),
        expires_at: key.expires_at,
        rotated: None,
        revoked_at: None,
        rate: key.rate,
    }
}

impl Book {
    /// Lets a fact happen; nothing when it cannot.
    fn take(&mut self, fact: &Fact, at: UnixMillis) -> Option<()> {
        match fact {
            Fact::Opened { .. } => None,
            Fact::KeyCreated { key, by } => self.add_key(key, by, at),
            Fact::KeyRotated { id, key, until, by } => {
                let old = self.keys.get_mut(id).filter(|old| old.rotated.is_none() && !old.is_over(at))?;
                old.rotated = Some(Rotation { by: key.id.clone(), until: *until });
                self.add_key(key, by, at)
            }
            Fact::KeyReissued { id, secret } => {
                self.keys.get_mut(id).filter(|key| key.takes_secret(at))?.secret = *secret;
                Some(())
            }
            Fact::KeyRevoked { id } => {
                let key = self.keys.get_mut(id).filter(|key| key.revoked_at.is_none())?;
                key.revoked_at = Some(at);
                self.forget_keys(at);
                Some(())
            }
            Fact::ServiceRegistered { service, from } => self.register(service, *from, at),
            Fact::ServicePriced { service, pricing, from } => {
                self.change(service, |service| service.price(pricing, *from, at))
            }
            Fact::ServiceDescribed { service, description, owner } => self.change(service, |service| {
                service.description.clone_from(description);
                service.owner.clone_from(owner);
                Some(())
            }),
            Fact::ServiceEnabled { service } => self.stand(service, ServiceStatus::Enabled, at),
            Fact::ServiceDisabled { service } => self.stand(service, ServiceStatus::Disabled, at),
            Fact::ServiceDeleted { service } => self.stand(service, ServiceStatus::Deleted, at),
            Fact::EndpointAdded { id, types } => {
                let subscription = Subscription { types: types.clone(), created_at: at };
                self.endpoints.insert(id.clone(), subscription).is_none().then_some(())
            }
            Fact::EndpointChanged { id, types } => {
                self.endpoints.get_mut(id)?.types.clone_from(types);
                Some(())
            }
            Fact::EndpointRemoved { id } => self.endpoints.remove(id).map(|_| ()),
            // Rows of the shell's: see `effects`.
            Fact::AccountChanged { .. } | Fact::MeterRegistered { .. } => Some(()),
            Fact::Configured { change } => {
                self.configure(change);
                self.revision = self.revision.saturating_add(1);
                Some(())
            }
            Fact::Paused { reason } => begin(&mut self.paused, reason.as_ref(), at),
            Fact::Unpaused => self.paused.take().map(|_| ()),
            Fact::Suspended { reason } => begin(&mut self.suspended, reason.as_ref(), at),
            Fact::Resumed => self.suspended.take().map(|_| ()),
            Fact::Reset { by } => self.reset(by),
        }
    }

    fn add_key(&mut self, key: &NewKey, by: &KeyId, at: UnixMillis) -> Option<()> {
        let is_new = self.keys.insert(key.id.clone(), made(key, Some(by), at)).is_none();
        self.forget_keys(at);
        is_new.then_some(())
    }

    /// Of the keys that are over, keeps the newest only.
    fn forget_keys(&mut self, at: UnixMillis) {
        let over = self.keys.iter().filter(|(_, key)| key.is_over(at));
        let mut over: Vec<_> = over.map(|(id, key)| (key.over_at(), id.clone())).collect();
        over.sort();
        let forgotten = over.len().saturating_sub(limits::OVER_KEYS);
        for (_, id) in over.into_iter().take(forgotten) {
            self.keys.remove(&id);
        }
    }

    fn register(&mut self, new: &NewService, from: UnixMillis, at: UnixMillis) -> Option<()> {
        let before = self.services.remove(&new.name);
        let is_free = before.as_ref().is_none_or(|before| before.status == ServiceStatus::Deleted);
        let (versions, newest, created_at, revision) =
            before.map_or((Vec::new(), 0, at, 0), |it| (it.versions, it.newest, it.created_at, it.revision));
        let mut service = Service {
            scale: new.scale,
            unit: new.unit.clone(),
            shards: new.shards,
            versions,
            newest,
            description: new.description.clone(),
            owner: new.owner.clone(),
            status: ServiceStatus::Enabled,
            created_at,
            revision: revision.saturating_add(1),
        };
        service.price(&new.pricing, from, at)?;
        self.services.insert(new.name.clone(), service);
        is_free.then_some(())
    }

    fn change(&mut self, name: &ServiceName, change: impl FnOnce(&mut Service) -> Option<()>) -> Option<()> {
        let service = self.services.get_mut(name).filter(|it| it.status != ServiceStatus::Deleted)?;
        service.revision = service.revision.saturating_add(1);
        change(service)
    }

    fn stand(&mut self, name: &ServiceName, status: ServiceStatus, at: UnixMillis) -> Option<()> {
        self.change(name, |service| {
            if status == ServiceStatus::Deleted {
                // What has not begun goes with the service. Usage that was recorded ahead of its time has its price with it.
                service.versions.retain(|version| version.from <= at);
            }
            let is_new = service.status != status;
            service.status = status;
            is_new.then_some(())
        })
    }

    fn configure(&mut self, change: &Change) {
        let Change { name, pay_to, rate, bulk_max, late, services_max, keys_max, endpoints_max, draft_wait } =
            change.clone();
        let set = &mut self.configuration;
        self.name = name.unwrap_or_else(|| self.name.clone());
        self.pay_to = pay_to.or_else(|| self.pay_to.clone());
        set.rate = rate.unwrap_or(set.rate);
        set.bulk_max = bulk_max.unwrap_or(set.bulk_max);
        set.late = late.unwrap_or(set.late);
        set.services_max = services_max.unwrap_or(set.services_max);
        set.keys_max = keys_max.unwrap_or(set.keys_max);
        set.endpoints_max = endpoints_max.unwrap_or(set.endpoints_max);
        set.draft_wait = draft_wait.unwrap_or(set.draft_wait);
    }

    /// What a change would lead to, for whoever asks whether it changes anything.
    pub(crate) fn with(&self, change: &Change) -> Self {
        let mut book = self.clone();
        book.configure(change);
        book
    }

    fn reset(&mut self, by: &KeyId) -> Option<()> {
        self.keys.retain(|id, _| id == by);
        self.services.clear();
        self.endpoints.clear();
        self.era = self.era.checked_add(1)?;
        (!self.keys.is_empty()).then_some(())
    }
}

impl Service {
    /// Whether the oldest price is needed by no event any more that can still come at `now`.
    pub(crate) fn can_forget(&self, now: UnixMillis) -> bool {
        self.versions.get(1).is_some_and(|next| next.from.plus(limits::LATE_MAX) <= now)
    }

    fn price(&mut self, pricing: &Pricing, from: UnixMillis, at: UnixMillis) -> Option<()> {
        if self.versions.len() >= limits::VERSIONS {
            self.can_forget(at).then(|| self.versions.remove(0))?;
        }
        let is_later = self.versions.last().is_none_or(|last| last.from < from);
        self.newest = self.newest.checked_add(1)?;
        self.versions.push(Version { number: self.newest, from, pricing: pricing.clone() });
        is_later.then_some(())
    }
}

fn begin(standing: &mut Option<Paused>, reason: Option<&Label>, at: UnixMillis) -> Option<()> {
    let is_new = standing.is_none();
    *standing = Some(Paused { since: at, reason: reason.cloned() });
    is_new.then_some(())
}
