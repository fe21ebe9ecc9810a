//! The command line of `guildhall run`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use client::{B256, BaseUnits, ExecutorId};

use crate::arguments::Once;

/// What to do with runs.
#[derive(Debug, Subcommand)]
pub(crate) enum Run {
    /// Have something bought: the cheapest offer that an executor finds within the limit.
    Start(Start),
    /// Follow a run, line by line, until it is over or waits for you.
    Watch(Watch),
    /// Show where a run stands, and who has to do what.
    Show(Held),
    /// Show exactly what would be paid, then agree to it.
    Confirm(Confirm),
    /// Do not agree: nothing is charged, and the run is over.
    Reject(Held),
    /// Say which wallet pays, what it can spend now, or that it is gone.
    Wallet(Wallet),
    /// Say that the wallet has paid.
    Pay(Pay),
    /// Stop a run. Once a payment may have been made, it is looked for first.
    Cancel(Held),
    /// Have another executor look at the shops.
    Rebind(Rebind),
    /// Read a run's journal and check it.
    Journal(Fetch),
}

/// Where the token of a run lies.
#[derive(Debug, Args)]
pub(crate) struct Held {
    /// The file that holds the run's token. `run start` writes it.
    #[arg(long, env = "GUILDHALL_TOKEN_FILE", value_name = "FILE")]
    pub(crate) token_file: PathBuf,
}

/// Who signs.
#[derive(Debug, Args)]
pub(crate) struct Signing {
    /// The chain of the mandate; a board of another one is refused.
    #[arg(long, default_value_t = 84_532, value_name = "CHAIN")]
    pub(crate) chain: u64,
    /// The file with the key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

/// `run start`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The product in words, each of which has to stand in its name, such as "coca-cola 2l".
    #[arg(long, value_name = "WORDS")]
    pub(crate) requirement: String,
    /// How many.
    #[arg(long, default_value_t = 1, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) quantity: u32,
    /// The most that all of it may cost, fees included, in BRL cents (2500 is R$ 25,00).
    #[arg(long, value_name = "CENTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_cents: u64,
    /// Who looks at the shops, as `executor register` showed it. Without it, the board's demonstration executor.
    #[arg(long, value_name = "EXECUTOR")]
    pub(crate) executor: Option<ExecutorId>,
    /// Spend from this mandate, 0x and 64 hexadecimal digits. With the key of its agent or its owner.
    #[arg(long, value_name = "MANDATE")]
    pub(crate) mandate: Option<B256>,
    /// Have a simulated wallet connect, and pay once the payment is authorized.
    #[arg(long)]
    pub(crate) simulated_wallet: bool,
    /// Your own name for the user it is for.
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Follow it until it is over, or waits for you.
    #[arg(long)]
    pub(crate) watch: bool,
    /// With a mandate: who asks.
    #[command(flatten)]
    pub(crate) signing: Signing,
    /// Where the token goes.
    #[command(flatten)]
    pub(crate) held: Held,
    /// The message. Its id has at least 16 characters here.
    #[command(flatten)]
    pub(crate) once: Once,
}

/// `run watch`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// Only what comes after this event.
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub(crate) after: u64,
    /// Go on when it waits for you, until it is over.
    #[arg(long)]
    pub(crate) stay: bool,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

/// `run confirm`.
#[derive(Debug, Args)]
pub(crate) struct Confirm {
    /// Agree without asking.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Above the threshold of a mandate: its owner.
    #[command(flatten)]
    pub(crate) signing: Signing,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

/// `run wallet`.
#[derive(Debug, Args)]
pub(crate) struct Wallet {
    /// The wallet's address.
    #[arg(long, value_name = "ADDRESS", required_unless_present = "disconnected")]
    pub(crate) address: Option<String>,
    /// What it can spend privately, in base units of USDC. Nobody else can see it.
    #[arg(long, value_name = "UNITS")]
    pub(crate) shielded: Option<BaseUnits>,
    /// There is no wallet any more.
    #[arg(long, conflicts_with_all = ["address", "shielded"])]
    pub(crate) disconnected: bool,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

/// `run pay`.
#[derive(Debug, Args)]
pub(crate) struct Pay {
    /// The transaction's name on its chain.
    #[arg(long)]
    pub(crate) signature: String,
    /// The last block height at which it can still land (Solana).
    #[arg(long, value_name = "HEIGHT")]
    pub(crate) last_valid_block_height: Option<u64>,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

/// `run rebind`.
#[derive(Debug, Args)]
pub(crate) struct Rebind {
    /// Who looks at the shops from now on.
    #[arg(long, value_name = "EXECUTOR")]
    pub(crate) executor: ExecutorId,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

/// `run journal`.
#[derive(Debug, Args)]
pub(crate) struct Fetch {
    /// Keep the journal in this file, for `journal verify`.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The run.
    #[command(flatten)]
    pub(crate) held: Held,
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
