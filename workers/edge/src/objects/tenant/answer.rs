//! What a tenant is asked, as commands of its core, and what it answers.

use api::binding::tenant::{
    Admission, TenantAnswer, TenantAsk, TenantCall, TenantCaller, TenantRefusal, TenantReply,
};
use primitives::{AgentName, CorrelationId, MeterId, Operation, Reply, ServiceName};
use shell::{Failure, now};
use tenant::key::KeyId;
use tenant::rate::Standing;
use tenant::{Access, Asker, Command, Known, Refusal, Scope, open};

use super::Inner;
use super::door::Shown;

/// A no, or what keeps this from answering.
pub(super) enum No {
    Refused(TenantRefusal),
    Failure(Failure),
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(TenantRefusal::Refused(refusal))
    }
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Whoever was let in.
enum Guest {
    /// By a key.
    Key(KeyId),
    /// By what it is.
    Other,
}

impl Inner {
    pub(super) fn answered(&self, call: TenantCall) -> Result<TenantReply, Failure> {
        let TenantCall { by, correlation_id, ask } = call;
        let (standing, guest) = self.let_in(by, &ask)?;
        match guest.and_then(|guest| self.judged(guest, ask, &correlation_id)) {
            Ok(answer) => Ok(TenantReply { standing, outcome: Ok(answer) }),
            Err(No::Refused(refusal)) => Ok(TenantReply { standing, outcome: Err(refusal) }),
            Err(No::Failure(failure)) => Err(failure),
        }
    }

    /// Who asks, as far as it may ask this, and how often its key still may.
    fn let_in(
        &self,
        by: TenantCaller,
        ask: &TenantAsk,
    ) -> Result<(Option<Standing>, Result<Guest, No>), Failure> {
        Ok(match by {
            TenantCaller::Key { key, access } => {
                // What a command needs is the command's to say.
                let needed = match command_of(ask).map(Command::asker) {
                    None => Ok(access),
                    Some(Asker::Key(needed)) => Ok(needed),
                    Some(Asker::Account | Asker::Operator | Asker::Product) => Err(Refusal::Forbidden),
                };
                match self.shown(&key, needed.clone().unwrap_or(Access::Look), now())? {
                    Shown::Known(standing, may) => {
                        (Some(standing), needed.and(may).map(|()| Guest::Key(key.id)).map_err(No::from))
                    }
                    Shown::TooOften(standing) => (Some(standing), Err(No::Refused(TenantRefusal::TooOften))),
                    Shown::Refused(refusal) => (None, Err(refusal.into())),
                }
            }
            TenantCaller::Operator => (None, only(ask, Asker::Operator, Guest::Other)),
            TenantCaller::Product => (None, only(ask, Asker::Product, Guest::Other)),
            TenantCaller::Account(account) => {
                let is_its = command_of(ask).and_then(Command::signer) == Some(account.as_str());
                let guest = if is_its { self.writable() } else { Err(Refusal::Forbidden.into()) };
                (None, guest.map(|()| Guest::Other))
            }
        })
    }

    /// Whether the tenant takes writes. Where there is none, the core says so.
    fn writable(&self) -> Result<(), No> {
        let access = Access::Write(Scope::BillingWrite);
        Ok(self.shell.read(|state| state.book().map_or(Ok(()), |book| open(book, access)))??)
    }

    fn judged(&self, guest: Guest, ask: TenantAsk, id: &CorrelationId) -> Result<TenantAnswer, No> {
        match ask {
            TenantAsk::Admit { services, agents } => self
                .admission(guest, services, agents)
                .map(|admission| TenantAnswer::Admitted(Box::new(admission))),
            TenantAsk::Tell { command, operation } => self.told(*command, operation, id),
            TenantAsk::Show(view) => self.view(view),
            TenantAsk::Followers { event } => {
                let followers = self.shell.read(|state| state.book().map(|book| book.followers(&event)))?;
                Ok(TenantAnswer::Followers(followers.unwrap_or_default()))
            }
            TenantAsk::Meters { agent, after, limit } => {
                Ok(TenantAnswer::Meters(self.meters(agent.as_ref(), after.as_ref(), limit)?))
            }
        }
    }

    fn admission(
        &self,
        guest: Guest,
        services: Vec<ServiceName>,
        agents: Vec<AgentName>,
    ) -> Result<Admission, No> {
        let tenant = self.id()?;
        let mut accounts = std::collections::BTreeMap::new();
        for agent in agents {
            if let Some(account) = self.account(&agent)? {
                accounts.insert(agent, account);
            }
        }
        let key = match guest {
            Guest::Key(key) => Some(key),
            Guest::Other => None,
        };
        let admission = self.shell.read(|state| {
            let book = state.book()?;
            let found = services.into_iter().filter_map(|name| {
                let service = book.services.get(&name)?.clone();
                Some((name, service))
            });
            Some(Admission {
                tenant,
                key,
                era: book.era,
                pay_to: book.pay_to.clone(),
                configuration: book.configuration.clone(),
                services: found.collect(),
                accounts,
            })
        })?;
        Ok(admission.ok_or(Refusal::UnknownTenant)?)
    }

    /// Has the core judge a command, and shows what stands after it.
    fn told(
        &self,
        command: Command,
        operation: Option<Operation>,
        id: &CorrelationId,
    ) -> Result<TenantAnswer, No> {
        let command = self.filled_in(command)?;
        if let Command::Register { meter, agent, service, .. } = &command
            && !self.is_of_this_era(meter, agent, service)?
        {
            // What was used before the tenant began anew is not listed any more.
            return Ok(TenantAnswer::Answered { json: "null".to_owned(), revision: 0, replayed: true });
        }
        let about = super::view::About::of(&command);
        match self.run(command, id, operation)?.reply {
            Reply::Done { replayed, .. } => self.after(&about, replayed),
            Reply::Refused(refusal) => Err(refusal.into()),
            Reply::OperationReused => Err(No::Refused(TenantRefusal::OperationReused)),
        }
    }

    /// The command with what it takes from file.
    fn filled_in(&self, mut command: Command) -> Result<Command, Failure> {
        if let Command::OfferMandate { agent, filed, .. }
        | Command::WithdrawMandate { agent, filed, .. }
        | Command::SetMode { agent, filed, .. } = &mut command
        {
            *filed = self.account(agent)?;
        }
        if let Command::Register { meter, known, .. } = &mut command {
            *known = self.known(meter)?;
        }
        if let Command::ReissueKey { id, used, .. } = &mut command {
            *used = if self.uses()?.contains_key(id) { Known::Filed } else { Known::Fresh };
        }
        Ok(command)
    }

    fn is_of_this_era(
        &self,
        meter: &MeterId,
        agent: &AgentName,
        service: &ServiceName,
    ) -> Result<bool, Failure> {
        let tenant = self.id()?;
        let era = self.shell.read(|state| state.book().map(|book| book.era))?;
        Ok(era.is_none_or(|era| *meter == MeterId::of(&tenant, era, agent, service)))
    }
}

const fn command_of(ask: &TenantAsk) -> Option<&Command> {
    match ask {
        TenantAsk::Tell { command, .. } => Some(command),
        TenantAsk::Admit { .. }
        | TenantAsk::Show(_)
        | TenantAsk::Followers { .. }
        | TenantAsk::Meters { .. } => None,
    }
}

/// Lets somebody in who may look at everything and do what is theirs alone.
fn only(ask: &TenantAsk, asker: Asker, guest: Guest) -> Result<Guest, No> {
    match command_of(ask) {
        Some(command) if command.asker() != asker => Err(Refusal::Forbidden.into()),
        Some(_) | None => Ok(guest),
    }
}
