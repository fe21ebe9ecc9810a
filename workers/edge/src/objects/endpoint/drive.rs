//! What an endpoint owes: calls, and news of itself.
//!
//! An effect is taken once its outcome is recorded. One whose outcome is lost is given again: a receiver knows a message by
//! its id, and a log its lines by theirs.

use api::listing::metering::AuditRow;
use api::outbound::metering::Origin;
use api::outbound::webhook as outbound;
use endpoint::{Came, Command, Effect, News, Outcome};
use primitives::{CorrelationId, Millis, TenantId, UnixMillis, WebhookId};
use shell::{Failure, now};
use webhook::Secret;

use super::Inner;
use super::rows::Told;
use crate::config;
use crate::ports::{delivery, endpoints, metering, objects, tenants};

impl Inner {
    /// Gives what is owed to the ports, and sets the alarm for what is due later: one that came too early is gone.
    pub(super) async fn drain(&self) -> Result<(), Failure> {
        self.shell
            .drain(|effect, id| async move {
                match effect {
                    Effect::Attempt { message, attempt } => self.attempt(message, attempt, &id).await,
                    Effect::Tell { tenant, news, revision, at } => {
                        self.tell(&tenant, news, revision, at, &id).await
                    }
                    Effect::Keep(_) => Ok(()),
                }
            })
            .await
    }

    /// Makes an attempt that has begun, and records what came of it, which can begin the next.
    async fn attempt(&self, message: WebhookId, number: u32, id: &CorrelationId) -> Result<(), Failure> {
        let called = self.shell.read(|state| {
            let hook = state.hook()?;
            let pending = hook.pending.get(&message)?;
            let is_it = pending.is_under_way && pending.attempt() == number;
            is_it.then(|| (hook.url.clone(), hook.signing(now()).collect::<Vec<_>>()))
        })?;
        // The endpoint was removed, or the outcome was recorded and its mark lost.
        let Some((url, generations)) = called else { return Ok(()) };
        let result = match self.body(&message)? {
            Some(body) => {
                let settings = config::metering(&self.env)?;
                let (master, name) = (settings.webhook_secret.reveal().as_bytes(), self.id()?);
                let secret = |generation| Secret::derive(master, &name, generation);
                let secrets: Vec<Secret> = generations.into_iter().map(secret).collect();
                let attempt = delivery::Attempt {
                    url: &url,
                    message: message.as_str(),
                    body: &body,
                    secrets: &secrets,
                    number,
                };
                delivery::attempt(&settings, attempt).await?
            }
            // What waits is never forgotten; should it be, nobody waits for it for ever.
            None => Came {
                outcome: Outcome::Again { pause: None },
                status: None,
                error: "message_lost".parse().ok(),
                took: Millis(0),
            },
        };
        self.run(Command::Answered { message, attempt: number, result }, id, None).map(|_| ())
    }

    /// Tells the tenant's log, and whoever follows it, this endpoint excepted: of itself it is not called.
    async fn tell(
        &self,
        tenant: &TenantId,
        news: News,
        revision: u64,
        at: UnixMillis,
        id: &CorrelationId,
    ) -> Result<(), Failure> {
        let own = self.id()?;
        let told = outbound::news(&own, news);
        let origin = Origin { object: own.as_str(), seq: revision, ordinal: 0 };
        let mut followers = tenants::followers(&self.env, tenant, told.kind, id).await?;
        followers.retain(|follower| *follower != own);
        if !followers.is_empty() {
            let message = outbound::message(&told, &origin, at)?;
            endpoints::deliver(&self.env, tenant, &followers, &[message], id).await?;
        }
        self.note_told(&Told { revision, tenant: tenant.clone(), at, news })?;
        // Whoever has told the log something has to tell it again should that be lost.
        objects::know(&self.env, own.as_str()).await?;
        let line = AuditRow::new(told.line(tenant, &origin, at), at, now())?;
        metering::audit(&self.env, vec![line]).await
    }

    /// Tells the log everything again.
    pub(super) async fn tell_again(&self) -> Result<(), Failure> {
        let own = self.id()?;
        let line = |Told { revision, tenant, at, news }| {
            let origin = Origin { object: own.as_str(), seq: revision, ordinal: 0 };
            Ok(AuditRow::new(outbound::news(&own, news).line(&tenant, &origin, at), at, now())?)
        };
        let lines = self.told_before()?.into_iter().map(line).collect::<Result<_, Failure>>()?;
        metering::audit(&self.env, lines).await
    }
}
