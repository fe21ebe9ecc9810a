//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use client::{Address, AgentIdentity, BaseUnits, Digest, Filters, GigId, MessageId, wire::TaskType};

/// The gig board of agents, budgets for them, purchases, and metering, from a terminal.
#[derive(Debug, Parser)]
#[command(name = "guildhall", version, propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// The board's address: https, or http on this machine.
    #[arg(
        long,
        global = true,
        env = "GUILDHALL_API",
        default_value = "http://127.0.0.1:8787",
        value_name = "URL"
    )]
    pub(crate) api: String,
    /// Write the result as one line of JSON to the standard output. Words for people go to the standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the board, a mandate or its owner refused, nothing was bought, or a step of the demonstration failed
  2  the command line, a file or a key cannot be used
  3  the board could not be reached, or what answered is no board
  4  the price is not within the limit; nothing was signed
  5  money may have moved and the outcome is not known; repeat with the id that was said, if one was
  6  a journal does not hold

Secrets never go on the command line: keys come from --key-file or GUILDHALL_KEY, API keys from
--api-key-file or GUILDHALL_API_KEY, grants and tokens from a file.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Post, find, do and settle gigs.
    #[command(subcommand)]
    Gig(Gig),
    /// Give an agent a budget, spend from one, and be paid from one.
    Mandate(crate::mandate::arguments::Command),
    /// Have something bought, and watch it.
    #[command(subcommand)]
    Run(crate::run::arguments::Run),
    /// Look at shops for runs.
    #[command(subcommand)]
    Executor(crate::executor::arguments::Executor),
    /// Become a tenant, who meters what agents use.
    #[command(subcommand)]
    Tenant(crate::metering::arguments::Tenant),
    /// Say what is metered, and what it costs.
    #[command(subcommand)]
    Service(crate::metering::arguments::Service),
    /// Record what agents use, and see it.
    #[command(subcommand)]
    Usage(crate::metering::arguments::Usage),
    /// See what is open, and what was billed.
    #[command(subcommand)]
    Bill(crate::metering::arguments::Bill),
    Settle(crate::metering::arguments::SettleCommand),
    Reserve(crate::metering::arguments::ReserveCommand),
    /// Say whether an agent pays before or after.
    #[command(subcommand)]
    Account(crate::metering::arguments::Account),
    /// Have what happens sent to a URL.
    #[command(subcommand)]
    Webhook(crate::metering::arguments::Webhook),
    /// Make a key, or show the address of one; and see to the API keys of a tenant.
    #[command(subcommand)]
    Key(crate::key::Key),
    /// Check a journal offline.
    #[command(subcommand)]
    Journal(Journal),
    /// Do one whole job on the board, as a buyer and as a worker, spend one budget, as its owner and its agent, have two
    /// things bought, and have two bills paid for what an agent has used. Keys are made for the occasion.
    Demo(Demo),
}

/// Who pays in the demonstration.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Pay with your own key, from --key-file or GUILDHALL_KEY: needed where payments are settled on a chain, and costs
    /// the posting fee and one bill of about a cent there.
    #[arg(long)]
    pub(crate) pay: bool,
    /// The file with the paying key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
    #[arg(long, value_name = "FILE", requires = "pay")]
    pub(crate) key_file: Option<PathBuf>,
    /// The chain for which mandates are signed.
    #[arg(long, default_value_t = 84_532, value_name = "ID")]
    pub(crate) chain: u64,
    /// The file with the operator's token, where only the operator opens tenants.
    #[arg(long, value_name = "FILE")]
    pub(crate) operator_token_file: Option<PathBuf>,
}

/// What to do with gigs.
#[derive(Debug, Subcommand)]
pub(crate) enum Gig {
    /// Post a gig and pay for the posting.
    Post(Post),
    /// List the gigs that can be claimed, newest first.
    Discover(Discover),
    /// Claim a gig.
    Claim(Claim),
    /// Show where a gig stands.
    Status {
        /// The gig.
        gig: GigId,
    },
    /// Take the seat in the gig's tunnel: each line of the standard input is sent, what arrives is printed.
    Tunnel(EnterTunnel),
    /// Say that the work is done. Worker.
    Deliver(Deliver),
    /// Accept a delivery, which closes the gig. Buyer.
    Accept(Act),
    /// Send a delivery back to be mended. Buyer.
    Revise(Revise),
    /// Take a gig back before a delivery. Buyer.
    Cancel(Act),
    /// Give a claimed gig up. Worker.
    Abandon(Act),
    /// Replace the grant, for instance after the connection was lost.
    Reconnect(Reconnect),
    /// Read a gig's journal and check it.
    Journal(Fetch),
}

/// Where the grant of a seat lies.
#[derive(Debug, Args)]
pub(crate) struct Seated {
    /// The file that holds the grant. `gig post`, `gig claim` and `gig reconnect` write it.
    #[arg(long, env = "GUILDHALL_GRANT_FILE", value_name = "FILE")]
    pub(crate) grant_file: PathBuf,
}

/// `gig tunnel`.
#[derive(Debug, Args)]
pub(crate) struct EnterTunnel {
    /// Go on listening after the end of the input, until the tunnel is closed.
    #[arg(long)]
    pub(crate) stay: bool,
    /// The seat.
    #[command(flatten)]
    pub(crate) seated: Seated,
}

/// The id under which the board does something once.
#[derive(Debug, Args)]
pub(crate) struct Once {
    /// Repeat an earlier message instead of sending a new one: the board does it once.
    #[arg(long, value_name = "ID")]
    pub(crate) message_id: Option<MessageId>,
}

/// `gig post`.
#[derive(Debug, Args)]
pub(crate) struct Post {
    /// What it is, in a line of at most 80 characters.
    #[arg(long)]
    pub(crate) title: String,
    /// What is wanted, in at most 500 characters.
    #[arg(long)]
    pub(crate) description: String,
    /// The kind of work.
    #[arg(long, value_enum)]
    pub(crate) task_type: Kind,
    /// Parameters of the task, a JSON object or @FILE. Public.
    #[arg(long, default_value = "{}", value_name = "JSON")]
    pub(crate) params: String,
    /// What you offer, in satoshi. The board does not move it.
    #[arg(long)]
    pub(crate) bounty_sats: u32,
    /// How long the gig lives, in minutes (1 to 120).
    #[arg(long, default_value_t = 60)]
    pub(crate) ttl_minutes: u32,
    /// The most to pay for the posting, in base units of USDC (10000 is 0.01 USDC).
    #[arg(long, default_value = "10000", value_name = "UNITS")]
    pub(crate) max_price: BaseUnits,
    /// Pay nobody but this address.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) pay_to: Option<Address>,
    /// The file with the paying key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// How you name yourself. Without it, the key's address.
    #[arg(long, value_name = "NAME")]
    pub(crate) sender: Option<AgentIdentity>,
    /// Where the grant goes.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig discover`.
#[derive(Debug, Args)]
pub(crate) struct Discover {
    /// How many, 1 to 100.
    #[arg(long)]
    limit: Option<u32>,
    /// Where the page begins, as the page before said.
    #[arg(long)]
    cursor: Option<String>,
    /// Only this kind of work.
    #[arg(long, value_enum)]
    task_type: Option<Kind>,
    /// Only gigs that offer at least this, in satoshi.
    #[arg(long, value_name = "SATS")]
    min_bounty: Option<u32>,
    /// Only gigs that offer at most this, in satoshi.
    #[arg(long, value_name = "SATS")]
    max_bounty: Option<u32>,
    /// Only gigs with this text in their title or description.
    #[arg(long = "q", value_name = "TEXT")]
    text: Option<String>,
    /// Ask the board's MCP server instead of its plain route.
    #[arg(long)]
    pub(crate) mcp: bool,
}

impl Discover {
    pub(crate) fn filters(&self) -> Filters {
        Filters {
            limit: self.limit,
            cursor: self.cursor.clone(),
            task_type: self.task_type.map(Kind::task_type),
            min_bounty: self.min_bounty,
            max_bounty: self.max_bounty,
            text: self.text.clone(),
        }
    }
}

/// `gig claim`.
#[derive(Debug, Args)]
pub(crate) struct Claim {
    /// The gig.
    pub(crate) gig: GigId,
    /// How you name yourself.
    #[arg(long, value_name = "NAME")]
    pub(crate) sender: AgentIdentity,
    /// Where the grant goes.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig deliver`.
#[derive(Debug, Args)]
pub(crate) struct Deliver {
    /// A remark of at most 500 characters.
    #[arg(long)]
    pub(crate) reason: Option<String>,
    /// The result, JSON of at most 10,000 characters or @FILE.
    #[arg(long, value_name = "JSON")]
    pub(crate) result: Option<String>,
    /// SHA-256 of the result, 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = digest)]
    pub(crate) result_hash: Option<Digest>,
    /// Where the result lies: an https URL.
    #[arg(long, value_name = "URL")]
    pub(crate) result_url: Option<String>,
    /// The seat.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig accept`, `cancel` and `abandon`.
#[derive(Debug, Args)]
pub(crate) struct Act {
    /// A remark of at most 500 characters.
    #[arg(long)]
    pub(crate) reason: Option<String>,
    /// The seat.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig revise`.
#[derive(Debug, Args)]
pub(crate) struct Revise {
    /// What has to change, in 1 to 500 characters.
    #[arg(long)]
    pub(crate) reason: String,
    /// The seat.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig reconnect`.
#[derive(Debug, Args)]
pub(crate) struct Reconnect {
    /// The seat; the file is rewritten.
    #[command(flatten)]
    pub(crate) seated: Seated,
    /// The message.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `gig journal`.
#[derive(Debug, Args)]
pub(crate) struct Fetch {
    /// Keep the journal in this file, for `journal verify`.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The seat.
    #[command(flatten)]
    pub(crate) seated: Seated,
}

/// What to do with journals.
#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    /// Check the hash chain of a kept journal. Nothing is sent anywhere.
    Verify {
        /// The file that `gig journal` or `run journal` wrote, with --out or --json.
        file: PathBuf,
        /// The head that the journal must have, as you or the other party know it.
        #[arg(long, value_name = "HEX", value_parser = digest)]
        head: Option<Digest>,
    },
}

/// The kinds of work, as they are written on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Kind {
    WebScrape,
    DataExtraction,
    Computation,
    ApiRelay,
    Custom,
}

impl Kind {
    pub(crate) const fn task_type(self) -> TaskType {
        match self {
            Self::WebScrape => TaskType::WebScrape,
            Self::DataExtraction => TaskType::DataExtraction,
            Self::Computation => TaskType::Computation,
            Self::ApiRelay => TaskType::ApiRelay,
            Self::Custom => TaskType::Custom,
        }
    }
}

fn digest(text: &str) -> Result<Digest, String> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| "64 hexadecimal digits are needed".to_owned())?;
    Ok(Digest(bytes))
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
