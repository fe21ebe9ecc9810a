//! The command line of `guildhall mandate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use client::{
    Address, B256, BaseUnits,
    mandates::{self, Standing},
    wire::MandateStatus,
};

use super::{entry::Entry, word};
use crate::{
    arguments::Once,
    money::{self, Amount},
};

/// Give an agent a budget, spend from one, and be paid from one.
#[derive(Debug, Args)]
pub(crate) struct Command {
    /// The chain for which everything is signed; a board of another one is refused.
    #[arg(long, global = true, default_value_t = 84_532, value_name = "CHAIN")]
    pub(crate) chain: u64,
    /// The file with the key, 64 hexadecimal digits. Without it, GUILDHALL_KEY. Only what is public needs none.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub(crate) mandate: Mandate,
}

/// What to do with mandates.
#[derive(Debug, Subcommand)]
pub(crate) enum Mandate {
    /// Make a mandate. Owner.
    Create(Create),
    /// Put money in. Owner.
    Fund(Move),
    /// Take money out that is not reserved. Owner.
    Withdraw(Move),
    /// List your mandates, newest first. Owner.
    List(List),
    /// Show a mandate. Public; its label only with the owner's key.
    Show(Named),
    /// Show what an agent could still spend. Public.
    Budget(Budget),
    /// Ask whether a payment would be allowed, rule by rule. Nothing is signed. Public.
    Evaluate(Ask),
    /// Ask for a payment: escrowed at once, or once the owner has approved. Agent.
    Request(Request),
    /// Go on with a request that its owner has approved. Agent.
    Submit(Item),
    /// Show where a payment stands. Public; private parts only with a party's key.
    Payment(Item),
    /// List what waits for your approval. Owner.
    Approvals(Approvals),
    /// Show a request that waits, then approve it. Owner.
    Approve(Approve),
    /// Say no to a request that waits. Owner.
    Reject(Reject),
    /// Stop new payments for a while. Owner.
    Pause(Named),
    /// Allow them again. Owner.
    Unpause(Named),
    /// Stop new payments for ever. Owner.
    Revoke(Named),
    /// Give the mandate up. Agent.
    Renounce(Named),
    /// Say that the work is done. Provider.
    Deliver(Deliver),
    /// Accept a delivery, which pays the provider. Owner.
    Accept(Item),
    /// Dispute a delivery. Owner.
    Dispute(Dispute),
    /// Read what happened, newest first. Owner.
    Activity(Activity),
}

/// A mandate.
#[derive(Debug, Args)]
pub(crate) struct Named {
    /// The mandate, 0x and 64 hexadecimal digits.
    pub(crate) mandate: B256,
}

/// A payment.
#[derive(Debug, Args)]
pub(crate) struct Item {
    /// The payment, as `request` showed it: 0x and 64 hexadecimal digits.
    pub(crate) payment: B256,
}

/// `mandate create`.
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// Who may ask for payments.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) agent: Address,
    /// Whom it may pay, for what and how much; once for each: recipient=ADDRESS,service=NAME,payment-cap=AMOUNT,
    /// window-cap=AMOUNT,window=utc_day|utc_month, each part optional. `any` allows everybody everything.
    #[arg(long = "entry", required = true, value_name = "ENTRY")]
    pub(crate) entries: Vec<Entry>,
    /// The most for one payment, in base units or as 1.50usdc.
    #[arg(long, value_name = "AMOUNT", value_parser = money::limit)]
    pub(crate) payment_cap: BaseUnits,
    /// The most on one UTC day.
    #[arg(long, value_name = "AMOUNT", value_parser = money::limit)]
    pub(crate) day_cap: BaseUnits,
    /// The most in one UTC month.
    #[arg(long, value_name = "AMOUNT", value_parser = money::limit)]
    pub(crate) month_cap: Option<BaseUnits>,
    /// The most ever.
    #[arg(long, value_name = "AMOUNT", value_parser = money::limit)]
    pub(crate) lifetime_cap: Option<BaseUnits>,
    /// The most payments on one UTC day.
    #[arg(long, value_name = "COUNT")]
    pub(crate) day_count: Option<u32>,
    /// Payments above this wait for your approval. Without it, none do.
    #[arg(long, value_name = "AMOUNT", value_parser = money::limit)]
    pub(crate) approval_above: Option<BaseUnits>,
    /// How long it holds from now on, in days.
    #[arg(long, default_value_t = 30, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub(crate) days: u32,
    /// When it ends instead, such as 2027-01-01T00:00:00.000Z.
    #[arg(long, value_name = "TIME", conflicts_with = "days")]
    pub(crate) valid_before: Option<String>,
    /// Who decides disputes. Without it, nobody: the share for silence does.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) resolver: Option<Address>,
    /// A name that only you see.
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Repeat an earlier creation, with the end that it was given: the owner and this make the mandate's id. 0x and 64
    /// hexadecimal digits.
    #[arg(long, value_name = "SALT")]
    pub(crate) salt: Option<B256>,
}

/// `mandate fund` and `withdraw`.
#[derive(Debug, Args)]
pub(crate) struct Move {
    /// The mandate.
    #[command(flatten)]
    pub(crate) named: Named,
    /// How much.
    #[command(flatten)]
    pub(crate) amount: Amount,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
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

impl From<Page> for mandates::Page {
    fn from(Page { limit, cursor }: Page) -> Self {
        Self { limit, cursor }
    }
}

/// `mandate list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only these: active, paused, revoked or expired.
    #[arg(long, value_parser = word::<MandateStatus>)]
    pub(crate) status: Option<MandateStatus>,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
}

/// `mandate budget`.
#[derive(Debug, Args)]
pub(crate) struct Budget {
    /// The mandate.
    #[command(flatten)]
    pub(crate) named: Named,
    /// For payments to this provider ...
    #[arg(long, value_name = "ADDRESS", requires = "service")]
    pub(crate) recipient: Option<Address>,
    /// ... for this service: its name, or 0x and 64 hexadecimal digits of its hash.
    #[arg(long, value_name = "SERVICE", requires = "recipient")]
    pub(crate) service: Option<String>,
}

/// A payment that an agent wants.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The mandate.
    #[command(flatten)]
    pub(crate) named: Named,
    /// Who is to be paid.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) recipient: Address,
    /// For what: the service's name, or 0x and 64 hexadecimal digits of its hash.
    #[arg(long, value_name = "SERVICE")]
    pub(crate) service: String,
    /// How much.
    #[command(flatten)]
    pub(crate) amount: Amount,
    /// The hash of what is bought, 0x and 64 hexadecimal digits.
    #[arg(long, value_name = "HASH")]
    pub(crate) job_hash: Option<B256>,
    /// The request's own id instead of a fresh one, 0x and 64 hexadecimal digits. With one that was used before, `request`
    /// asks for the same payment again, which is made once.
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<B256>,
}

/// `mandate request`.
#[derive(Debug, Args)]
pub(crate) struct Request {
    /// The payment.
    #[command(flatten)]
    pub(crate) ask: Ask,
    /// When it has to be approved, wait for that for so many seconds, and submit it then.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) wait: Option<u32>,
}

/// `mandate approvals`.
#[derive(Debug, Args)]
pub(crate) struct Approvals {
    /// Which: waiting, approved, rejected, expired or all.
    #[arg(long, default_value = "waiting", value_parser = word::<Standing>)]
    pub(crate) status: Standing,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
}

/// `mandate approve`.
#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The payment.
    #[command(flatten)]
    pub(crate) item: Item,
    /// How long the approval holds, in minutes. Without it, as long as the request.
    #[arg(long, value_name = "MINUTES")]
    pub(crate) minutes: Option<u32>,
    /// Sign without asking.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `mandate reject`.
#[derive(Debug, Args)]
pub(crate) struct Reject {
    /// The payment.
    #[command(flatten)]
    pub(crate) item: Item,
    /// Why, for the agent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// `mandate deliver`.
#[derive(Debug, Args)]
pub(crate) struct Deliver {
    /// The payment.
    #[command(flatten)]
    pub(crate) item: Item,
    /// The hash of the receipt, 0x and 64 hexadecimal digits.
    #[arg(long, value_name = "HASH")]
    pub(crate) receipt: B256,
}

/// `mandate dispute`.
#[derive(Debug, Args)]
pub(crate) struct Dispute {
    /// The payment.
    #[command(flatten)]
    pub(crate) item: Item,
    /// The hash of the evidence, 0x and 64 hexadecimal digits. Without evidence, a silent resolver leaves all to the
    /// provider.
    #[arg(long, value_name = "HASH")]
    pub(crate) evidence: Option<B256>,
}

/// `mandate activity`.
#[derive(Debug, Args)]
pub(crate) struct Activity {
    /// Only this mandate.
    #[arg(long, value_name = "MANDATE")]
    pub(crate) mandate: Option<B256>,
    /// Only lines of this kind, such as request.
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Only lines with this result, such as escrowed.
    #[arg(long)]
    pub(crate) result: Option<String>,
    /// Only from this moment on, such as 2026-12-01T00:00:00.000Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Only before this moment.
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Write CSV to the standard output, also with --json.
    #[arg(long)]
    pub(crate) csv: bool,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
