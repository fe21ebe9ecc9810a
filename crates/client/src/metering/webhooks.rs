//! Webhooks: what happens to a tenant, sent to a URL (Standard Webhooks 1.0.0).

use api::wire::webhook::{
    CreateWebhook, RecoverWebhook, RotateWebhook, WebhookAttempts, WebhookRecovered, WebhookSent,
    WebhookView, WebhookWithSecret, WebhooksAnswer,
};
use primitives::{EndpointId, MessageId, UnixMillis, WebhookId};
use reqwest::Method;

use super::{Metering, Page};
use crate::{Error, Recorded, transport::Call};

const READING: &str = "reading the webhooks";

impl Metering {
    /// Has events sent to a URL, once under `id`. The answer has the secret that signs them.
    ///
    /// # Errors
    /// [`Error::Refused`] for a URL that is not called, or too many endpoints; [`Error::Unresolved`] when it is not known
    /// whether there is one now: ask again under the same id; and what every call can meet.
    pub async fn add_webhook(
        &self,
        wanted: &CreateWebhook,
        id: &MessageId,
    ) -> Result<Recorded<WebhookWithSecret>, Error> {
        self.once("adding the webhook", "v1/webhooks", wanted, id).await
    }

    /// All endpoints of the tenant.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn webhooks(&self) -> Result<WebhooksAnswer, Error> {
        self.get(READING, "v1/webhooks", |_| {}).await
    }

    /// An endpoint.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404`, and what every call can meet.
    pub async fn webhook(&self, endpoint: &EndpointId) -> Result<WebhookView, Error> {
        self.get(READING, &format!("v1/webhooks/{endpoint}"), |_| {}).await
    }

    /// Sends a test event there. What came of it stands among the attempts.
    ///
    /// # Errors
    /// [`Error::Refused`] for an endpoint that is disabled, and as [`Metering::webhook`].
    pub async fn test_webhook(&self, endpoint: &EndpointId) -> Result<WebhookSent, Error> {
        self.act("testing the webhook", Method::POST, &format!("v1/webhooks/{endpoint}/test")).await
    }

    /// A page of what was tried, newest first.
    ///
    /// # Errors
    /// As [`Metering::webhook`].
    pub async fn attempts(&self, endpoint: &EndpointId, page: &Page) -> Result<WebhookAttempts, Error> {
        self.get(READING, &format!("v1/webhooks/{endpoint}/attempts"), |url| page.write_to(url)).await
    }

    /// Sends a message again.
    ///
    /// # Errors
    /// [`Error::Refused`] for a message that is not on file any more, and as [`Metering::webhook`].
    pub async fn resend(&self, endpoint: &EndpointId, message: &WebhookId) -> Result<WebhookSent, Error> {
        let path = format!("v1/webhooks/{endpoint}/messages/{message}/resend");
        self.act("sending the message again", Method::POST, &path).await
    }

    /// Sends again what was missed or has failed from `since` on.
    ///
    /// # Errors
    /// As [`Metering::webhook`].
    pub async fn recover(&self, endpoint: &EndpointId, since: UnixMillis) -> Result<WebhookRecovered, Error> {
        let (path, body) =
            (format!("v1/webhooks/{endpoint}/recover"), RecoverWebhook { since: since.to_rfc3339() });
        self.say("sending again what was missed", Method::POST, &path, &body).await
    }

    /// Signs with a new secret, and for a while with the old one as well, once under `id`.
    ///
    /// # Errors
    /// [`Error::Unresolved`] when it is not known whether it was done: ask again under the same id; and as
    /// [`Metering::webhook`].
    pub async fn rotate_webhook(
        &self,
        endpoint: &EndpointId,
        wanted: &RotateWebhook,
        id: &MessageId,
    ) -> Result<Recorded<WebhookWithSecret>, Error> {
        self.once("rotating the webhook's secret", &format!("v1/webhooks/{endpoint}/rotate"), wanted, id)
            .await
    }

    /// Sends nothing there any more.
    ///
    /// # Errors
    /// As [`Metering::webhook`].
    pub async fn remove_webhook(&self, endpoint: &EndpointId) -> Result<(), Error> {
        let get = self.transport.get("removing the webhook", &format!("v1/webhooks/{endpoint}"))?;
        let call = self.keyed(Call { method: Method::DELETE, ..get })?;
        self.transport.patiently(&call).await.map(drop)
    }
}
