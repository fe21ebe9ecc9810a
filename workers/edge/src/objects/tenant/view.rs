//! What there is to see of a tenant, as JSON of the wire.

use api::binding::tenant::{TenantAnswer, TenantView};
use api::outbound::metering as outbound;
use primitives::{AgentName, ServiceName};
use serde::Serialize;
use shell::{Failure, now};
use tenant::key::KeyId;
use tenant::{Book, Command, Refusal, Service};

use super::Inner;
use super::answer::No;
use crate::config;

/// What a command is about, which is shown after it.
pub(super) enum About {
    Tenant,
    Key(KeyId),
    Service(ServiceName),
    Configuration,
    Account(AgentName),
    /// Nothing that there is to see.
    Nothing,
}

impl About {
    pub(super) fn of(command: &Command) -> Self {
        match command {
            Command::Open { .. }
            | Command::Pause { .. }
            | Command::Unpause
            | Command::Suspend { .. }
            | Command::Resume
            | Command::Reset { .. } => Self::Tenant,
            Command::CreateKey { key, .. } | Command::RotateKey { key, .. } => Self::Key(key.id.clone()),
            Command::ReissueKey { id, .. } | Command::RevokeKey { id } => Self::Key(id.clone()),
            Command::RegisterService(service) => Self::Service(service.name.clone()),
            Command::SetPrice { service, .. }
            | Command::SetMetadata { service, .. }
            | Command::EnableService { service }
            | Command::DisableService { service }
            | Command::DeleteService { service } => Self::Service(service.clone()),
            Command::OfferMandate { agent, .. }
            | Command::WithdrawMandate { agent, .. }
            | Command::SetMode { agent, .. } => Self::Account(agent.clone()),
            Command::Configure { .. } => Self::Configuration,
            Command::AddEndpoint { .. }
            | Command::SetEndpointTypes { .. }
            | Command::RemoveEndpoint { .. }
            | Command::Register { .. }
            | Command::Wake => Self::Nothing,
        }
    }
}

/// Something to see, and its revision.
type Seen = Result<(String, u64), No>;

fn seen(shown: &impl Serialize, revision: u64) -> Seen {
    Ok((serde_json::to_string(shown).map_err(Failure::from)?, revision))
}

impl Inner {
    /// What stands after a command, or stood there before it was asked again.
    pub(super) fn after(&self, about: &About, replayed: bool) -> Result<TenantAnswer, No> {
        let (json, revision) = match about {
            About::Tenant => self.see_tenant(),
            About::Key(key) => self.see_key(key),
            // One that was deleted just now as well.
            About::Service(service) => self.see_service(service, |book, name| book.services.get(name)),
            About::Configuration => self.see_configuration(),
            About::Account(agent) => self.see_account(agent),
            About::Nothing => seen(&(), 0),
        }?;
        Ok(TenantAnswer::Answered { json, revision, replayed })
    }

    pub(super) fn view(&self, view: TenantView) -> Result<TenantAnswer, No> {
        let (json, revision) = match view {
            TenantView::Tenant => self.see_tenant(),
            TenantView::Keys => {
                let (environment, uses) = (config::metering(&self.env)?.environment, self.uses()?);
                self.see(|tenant, book| {
                    seen(&outbound::keys(environment, tenant, book, &uses, now()), book.revision)
                })
            }
            TenantView::Key { id } => self.see_key(&id),
            TenantView::Services { wanted } => {
                self.see(|_, book| seen(&outbound::services(book, &wanted, now()), book.revision))
            }
            TenantView::Service { service } => self.see_service(&service, Book::service),
            TenantView::Prices { service } => self.see(|_, book| {
                let found = book.service(&service).ok_or(Refusal::UnknownService)?;
                seen(&outbound::prices(&service, found), found.revision)
            }),
            TenantView::Configuration => self.see_configuration(),
            TenantView::Account { agent } => self.see_account(&agent),
            TenantView::Endpoints => self.see(|_, book| seen(&book.endpoints, book.revision)),
        }?;
        Ok(TenantAnswer::Answered { json, revision, replayed: false })
    }

    fn see(&self, look: impl FnOnce(&primitives::TenantId, &Book) -> Seen) -> Seen {
        let tenant = self.id()?;
        self.shell.read(|state| look(&tenant, state.book().ok_or(Refusal::UnknownTenant)?))?
    }

    fn see_tenant(&self) -> Seen {
        self.see(|tenant, book| seen(&outbound::tenant(tenant, book, now()), book.revision))
    }

    fn see_configuration(&self) -> Seen {
        self.see(|_, book| seen(&outbound::configuration(book), book.revision))
    }

    fn see_key(&self, id: &KeyId) -> Seen {
        let (environment, uses) = (config::metering(&self.env)?.environment, self.uses()?);
        self.see(|tenant, book| {
            let key = book.keys.get(id).ok_or(Refusal::UnknownKey)?;
            seen(&outbound::key(environment, tenant, id, key, uses.get(id).copied(), now()), 0)
        })
    }

    fn see_service(
        &self,
        name: &ServiceName,
        find: impl for<'a> FnOnce(&'a Book, &ServiceName) -> Option<&'a Service>,
    ) -> Seen {
        self.see(|_, book| {
            let found = find(book, name).ok_or(Refusal::UnknownService)?;
            let shown = outbound::service(name, found, now());
            let shown = shown.ok_or_else(|| Failure::Corrupt("a service without a price".to_owned()))?;
            seen(&shown, found.revision)
        })
    }

    fn see_account(&self, agent: &AgentName) -> Seen {
        let account = self.account(agent)?;
        let revision = account.as_ref().map_or(0, |account| account.revision);
        self.see(|_, _| seen(&outbound::account(agent, account.as_ref()), revision))
    }
}
