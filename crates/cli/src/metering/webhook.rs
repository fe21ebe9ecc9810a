//! `guildhall webhook …`: one function for each command.

use core::time::Duration;
use std::path::Path;

use client::{
    EndpointId, MessageId, Recorded, fresh_message_id,
    metering::{Metering, Page},
    wire::webhook::{CreateWebhook, RotateWebhook as Rotation, WebhookAttempt, WebhookWithSecret},
};
use serde_json::json;

use super::{
    arguments::{AddWebhook, Attempts, OneWebhook, Resend, RotateWebhook, Webhook},
    keyed::Vault,
    more, show,
};
use crate::{
    failure::Failure,
    output::{Output, printable},
};

/// How long a test event may take: as long as an attempt may, and a little more.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(250);

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Webhook, output: &Output) -> Result<(), Failure> {
    match command {
        Webhook::Add(add) => self::add(api, add, output).await,
        Webhook::List(keyed) => {
            let answer = keyed.metering(api)?.webhooks().await?;
            for webhook in &answer.webhooks {
                output.say(show::webhook_line(webhook));
            }
            output.give(&answer)
        }
        Webhook::Test(OneWebhook { endpoint, keyed }) => test(&keyed.metering(api)?, &endpoint, output).await,
        Webhook::Attempts(Attempts { webhook: OneWebhook { endpoint, keyed }, page }) => {
            let answer = keyed.metering(api)?.attempts(&endpoint, &page.into()).await?;
            for attempt in &answer.attempts {
                output.say(show::attempt_line(attempt));
            }
            more(output, "Attempts", answer.attempts.len(), answer.next_cursor.as_deref());
            output.give(&answer)
        }
        Webhook::Resend(Resend { webhook: OneWebhook { endpoint, keyed }, message }) => {
            let sent = keyed.metering(api)?.resend(&endpoint, &message).await?;
            output.say(format_args!("Message {} is on its way again.", printable(&sent.message)));
            output.give(&sent)
        }
        Webhook::Rotate(rotate) => self::rotate(api, rotate, output).await,
        Webhook::Remove(OneWebhook { endpoint, keyed }) => {
            keyed.metering(api)?.remove_webhook(&endpoint).await?;
            output.say(format_args!("Nothing is sent to {endpoint} any more."));
            output.give(&json!({ "webhook": endpoint }))
        }
    }
}

async fn add(api: &str, add: AddWebhook, output: &Output) -> Result<(), Failure> {
    let AddWebhook { url, types, secret_file, keyed } = add;
    let event_types = if types.is_empty() { vec!["*".to_owned()] } else { types };
    let wanted = CreateWebhook { url, event_types, description: None };
    let (metering, id): (Metering, MessageId) = (keyed.metering(api)?, fresh_message_id()?);
    let vault = Vault::new(&secret_file)?;
    issued(&vault.keep(metering.add_webhook(&wanted, &id), secret, output).await?, &secret_file, output)
}

async fn rotate(api: &str, rotate: RotateWebhook, output: &Output) -> Result<(), Failure> {
    let RotateWebhook { webhook: OneWebhook { endpoint, keyed }, secret_file } = rotate;
    let (metering, id, wanted) = (keyed.metering(api)?, fresh_message_id()?, Rotation::default());
    let vault = Vault::new(&secret_file)?;
    let rotating = metering.rotate_webhook(&endpoint, &wanted, &id);
    issued(&vault.keep(rotating, secret, output).await?, &secret_file, output)
}

fn secret(issued: &Recorded<WebhookWithSecret>) -> Option<&str> {
    Some(&issued.answer.secret)
}

/// The endpoint, without the secret: it lies in the file, and nowhere else.
fn issued(issued: &Recorded<WebhookWithSecret>, file: &Path, output: &Output) -> Result<(), Failure> {
    let webhook = &issued.answer.webhook;
    output.say(show::webhook_line(webhook));
    output.made(&json!({ "webhook": webhook, "secretFile": file }), &webhook.id)
}

async fn test(metering: &Metering, endpoint: &EndpointId, output: &Output) -> Result<(), Failure> {
    let sent = metering.test_webhook(endpoint).await?;
    let attempt = tokio::time::timeout(PATIENCE, attempt_of(metering, endpoint, &sent.message)).await;
    match attempt {
        Ok(attempt) => {
            let attempt = attempt?;
            output.say(show::attempt_line(&attempt));
            if attempt.succeeded {
                return output.give(&attempt);
            }
            Err(Failure::Denied {
                why: "the endpoint has not taken the test event".to_owned(),
                details: vec!["It is sent again later, as every message that is not taken.".to_owned()],
                answer: Box::new(json!(attempt)),
            })
        }
        Err(_) => {
            output.say("Nothing came of it yet; `guildhall webhook attempts` says when something has.");
            output.give(&sent)
        }
    }
}

/// The first attempt to send a message, once there is one.
async fn attempt_of(
    metering: &Metering,
    endpoint: &EndpointId,
    message: &str,
) -> Result<WebhookAttempt, Failure> {
    loop {
        let attempts = metering.attempts(endpoint, &Page::default()).await?.attempts;
        if let Some(attempt) = attempts.into_iter().find(|attempt| attempt.message == message) {
            return Ok(attempt);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
