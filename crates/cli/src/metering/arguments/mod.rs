//! The command lines of `guildhall tenant`, `service`, `usage`, `bill`, `settle`, `reserve`, `account` and `webhook`.

mod paying;
mod webhook;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use client::{Address, AgentName, ServiceName, metering::Quantity};

pub(crate) use self::{
    paying::{
        Account, Bill, Commit, Draw, Hold, ListBills, Offer, OneAgent, OneReservation, PayBill,
        PayFromMandate, Prepaid, Reserve, ReserveCommand, Settle, SettleCommand, Total, Transaction,
        VoidBill,
    },
    webhook::{AddWebhook, Attempts, OneWebhook, Resend, RotateWebhook, Webhook},
};
use super::{keyed::Keyed, tier::Price};

/// What to do with tenants: those who meter what agents use.
#[derive(Debug, Subcommand)]
pub(crate) enum Tenant {
    /// Open a tenant. Its first key goes into a file.
    Open(OpenTenant),
    /// Show the tenant whose key this is.
    Show(Keyed),
}

/// `tenant open`.
#[derive(Debug, Args)]
pub(crate) struct OpenTenant {
    /// How it is called, in 1 to 120 characters.
    #[arg(long)]
    pub(crate) name: String,
    /// Who is paid when its bills are.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) pay_to: Option<Address>,
    /// Where its first key goes. An existing file is left as it is.
    #[arg(long, env = "GUILDHALL_API_KEY_FILE", value_name = "FILE")]
    pub(crate) api_key_file: PathBuf,
    /// The file with the operator's token. A board in development without one lets anybody open a tenant.
    #[arg(long, value_name = "FILE")]
    pub(crate) operator_token_file: Option<PathBuf>,
}

/// A page of a list.
#[derive(Debug, Args)]
pub(crate) struct Page {
    /// How many.
    #[arg(long)]
    pub(crate) limit: Option<u32>,
    /// Where the page begins, as the page before said.
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

impl From<Page> for client::metering::Page {
    fn from(Page { limit, cursor }: Page) -> Self {
        Self { limit, cursor }
    }
}

/// What to do with services: what is metered, and what it costs.
#[derive(Debug, Subcommand)]
pub(crate) enum Service {
    /// Register a service with its first price.
    Register(Register),
    /// List the services.
    List(ListServices),
    /// Show a service.
    Show(OneService),
    /// Set a new price, from now on or from a later moment. What was used before keeps the price that it had.
    Price(SetPrice),
    /// Take usage again.
    Enable(OneService),
    /// Take no usage for now.
    Disable(OneService),
    /// Take no usage for ever. What was used is still billed.
    Delete(OneService),
}

/// A service.
#[derive(Debug, Args)]
pub(crate) struct OneService {
    /// The service's id.
    pub(crate) service: ServiceName,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `service register`.
#[derive(Debug, Args)]
pub(crate) struct Register {
    /// The service's id: 1 to 128 of A-Z a-z 0-9 . _ -
    pub(crate) service: ServiceName,
    /// The price.
    #[command(flatten)]
    pub(crate) price: Price,
    /// How many digits quantities may have behind the point, 0 to 6. For ever.
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u8).range(0..=6))]
    pub(crate) scale: Option<u8>,
    /// What a unit is called, such as request.
    #[arg(long, value_name = "NAME")]
    pub(crate) unit: Option<String>,
    /// In how many shards each of its meters counts, 1 to 16: more for usage that comes in masses. For ever.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) shards: Option<u8>,
    /// What it is.
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `service list`.
#[derive(Debug, Args)]
pub(crate) struct ListServices {
    /// Only those whose id begins so.
    #[arg(long)]
    pub(crate) prefix: Option<String>,
    /// Only those with this text.
    #[arg(long = "q", value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `service price`.
#[derive(Debug, Args)]
pub(crate) struct SetPrice {
    /// The service's id.
    pub(crate) service: ServiceName,
    /// The price.
    #[command(flatten)]
    pub(crate) price: Price,
    /// From when on, such as 2027-01-01T00:00:00.000Z. Without it, from now on.
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// What to do with usage.
#[derive(Debug, Subcommand)]
pub(crate) enum Usage {
    /// Record that an agent has used a service.
    Record(Record),
    /// Record many events at once, each of which counts or is refused by itself.
    Bulk(Bulk),
    /// Take an event back that was recorded.
    Reverse(Reverse),
    /// Show what is counted of an agent and a service.
    Show(Pair),
    /// Write all that is counted to the standard output, as CSV or JSON.
    Export(Export),
}

/// An agent and a service.
#[derive(Debug, Args)]
pub(crate) struct Pair {
    /// The agent: 1 to 256 of A-Z a-z 0-9 . _ -
    pub(crate) agent: AgentName,
    /// The service's id.
    pub(crate) service: ServiceName,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `usage record`.
#[derive(Debug, Args)]
pub(crate) struct Record {
    /// The agent and the service.
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// How much, such as 3 or 0.25.
    #[arg(long, value_name = "QUANTITY")]
    pub(crate) quantity: Quantity,
    /// The event's own id: with the same one it counts once, however often it is recorded. Without it, a fresh one.
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Whose ids these are.
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    /// When it was used. Without it, now.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
}

/// `usage bulk`.
#[derive(Debug, Args)]
pub(crate) struct Bulk {
    /// A file with a JSON array of events, each {"agent", "serviceId", "quantity", "id", "source", "time"}, of which the
    /// last two may be left out; `-` for the standard input.
    pub(crate) file: PathBuf,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `usage reverse`.
#[derive(Debug, Args)]
pub(crate) struct Reverse {
    /// The agent and the service.
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// The id of the event that is taken back.
    #[arg(long, value_name = "ID")]
    pub(crate) event: String,
    /// Its source.
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
}

/// `usage export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// As what.
    #[arg(long, value_enum, default_value = "csv")]
    pub(crate) format: Format,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Csv,
    Json,
}

#[cfg(test)]
mod tests;
