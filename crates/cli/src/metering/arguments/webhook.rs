//! The command line of `guildhall webhook`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use client::{EndpointId, WebhookId};

use super::{Keyed, Page};

/// What to do with webhooks.
#[derive(Debug, Subcommand)]
pub(crate) enum Webhook {
    /// Have events sent to a URL. The secret that signs them goes into a file.
    Add(AddWebhook),
    /// List the endpoints.
    List(Keyed),
    /// Send a test event, and say what came of it.
    Test(OneWebhook),
    /// Show what was tried, newest first.
    Attempts(Attempts),
    /// Send a message again.
    Resend(Resend),
    /// Sign with a new secret, and for a day with the old one as well.
    Rotate(RotateWebhook),
    /// Send nothing there any more.
    Remove(OneWebhook),
}

/// `webhook add`.
#[derive(Debug, Args)]
pub(crate) struct AddWebhook {
    /// Where the events go: an https URL.
    #[arg(long)]
    pub(crate) url: String,
    /// Which events, once for each type: such as usage.settled, settlement.* or *. Without it, all.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Where the secret goes. An existing file is left as it is.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: PathBuf,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// An endpoint.
#[derive(Debug, Args)]
pub(crate) struct OneWebhook {
    /// The endpoint, as `webhook add` showed it: whe_ and 26 characters.
    pub(crate) endpoint: EndpointId,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `webhook attempts`.
#[derive(Debug, Args)]
pub(crate) struct Attempts {
    /// The endpoint.
    #[command(flatten)]
    pub(crate) webhook: OneWebhook,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
}

/// `webhook resend`.
#[derive(Debug, Args)]
pub(crate) struct Resend {
    /// The endpoint.
    #[command(flatten)]
    pub(crate) webhook: OneWebhook,
    /// The message, as `webhook attempts` showed it: msg_ and 26 characters.
    pub(crate) message: WebhookId,
}

/// `webhook rotate`.
#[derive(Debug, Args)]
pub(crate) struct RotateWebhook {
    /// The endpoint.
    #[command(flatten)]
    pub(crate) webhook: OneWebhook,
    /// Where the new secret goes. An existing file is left as it is.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: PathBuf,
}
