//! The command lines of bills, of how they are paid, and of money that is held before work.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use client::{
    Address, AgentName, B256, BaseUnits, MessageId, ReservationId, ServiceName, SettlementId, TenantId,
    metering::Quantity,
};

use super::{Keyed, Page, Pair};

/// What to do with what is open.
#[derive(Debug, Subcommand)]
pub(crate) enum Bill {
    /// Show what is open of an agent and a service, line by line, and what it comes to.
    Show(Pair),
    /// Show what is open altogether.
    Total(Total),
    /// List the bills that were drawn up, newest first.
    List(ListBills),
}

/// `bill total`.
#[derive(Debug, Args)]
pub(crate) struct Total {
    /// Of this agent. Without one, of all.
    pub(crate) agent: Option<AgentName>,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `bill list`.
#[derive(Debug, Args)]
pub(crate) struct ListBills {
    /// Only this agent's.
    #[arg(long)]
    pub(crate) agent: Option<AgentName>,
    /// Only of this service.
    #[arg(long)]
    pub(crate) service: Option<ServiceName>,
    /// The page.
    #[command(flatten)]
    pub(crate) page: Page,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// Draw a bill up over all that is open of an agent and a service; or see to one that was drawn up. An agent whose name is
/// one of the words below is written after `--`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SettleCommand {
    /// What to do with a bill.
    #[command(subcommand)]
    pub(crate) bill: Option<Settle>,
    /// What to draw a bill up over.
    #[command(flatten)]
    pub(crate) draw: Option<Draw>,
    /// The key, unless it is for one of the words below.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `settle`.
#[derive(Debug, Args)]
pub(crate) struct Draw {
    /// The agent: 1 to 256 of A-Z a-z 0-9 . _ -
    pub(crate) agent: AgentName,
    /// The service's id.
    pub(crate) service: ServiceName,
    /// Repeat an earlier command instead of drawing up another bill.
    #[arg(long, value_name = "ID")]
    pub(crate) message_id: Option<MessageId>,
}

/// What to do with a bill.
#[derive(Debug, Subcommand)]
pub(crate) enum Settle {
    /// Show a bill. Whoever knows its id may look.
    Show(OneBill),
    /// Pay a bill with x402. Payer.
    Pay(PayBill),
    /// Pay a bill out of a mandate. The mandate's agent.
    Mandate(PayFromMandate),
    /// Say that a transaction has paid a bill; it is looked for and verified. Whoever has sent it.
    Transaction(Transaction),
    /// Take a bill back that nobody has begun to pay: what it billed is open again.
    Void(VoidBill),
}

/// A bill.
#[derive(Debug, Args)]
pub(crate) struct OneBill {
    /// The bill, as `settle` showed it: set_ and 52 characters.
    pub(crate) settlement: SettlementId,
}

/// `settle pay`.
#[derive(Debug, Args)]
pub(crate) struct PayBill {
    /// The bill.
    #[command(flatten)]
    pub(crate) bill: OneBill,
    /// The most to pay, in base units of USDC (10000 is 0.01 USDC).
    #[arg(long, value_name = "UNITS")]
    pub(crate) max_price: BaseUnits,
    /// Pay nobody but this address.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) pay_to: Option<Address>,
    /// The file with the paying key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

/// Who signs: the agent of a mandate, or whoever has sent a transaction.
#[derive(Debug, Args)]
pub(crate) struct Signing {
    /// The chain of the mandate; a board of another one is refused.
    #[arg(long, default_value_t = 84_532, value_name = "CHAIN")]
    pub(crate) chain: u64,
    /// The file with the signing key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

/// `settle mandate`.
#[derive(Debug, Args)]
pub(crate) struct PayFromMandate {
    /// The bill.
    #[command(flatten)]
    pub(crate) bill: OneBill,
    /// The mandate, 0x and 64 hexadecimal digits. It has to allow the tenant's address as recipient of `meter.usage`.
    #[arg(long, value_name = "MANDATE")]
    pub(crate) mandate: B256,
    /// Who signs.
    #[command(flatten)]
    pub(crate) signing: Signing,
}

/// `settle transaction`.
#[derive(Debug, Args)]
pub(crate) struct Transaction {
    /// The bill.
    #[command(flatten)]
    pub(crate) bill: OneBill,
    /// The transaction's hash, 0x and 64 hexadecimal digits.
    #[arg(long, value_name = "HASH")]
    pub(crate) transaction: B256,
    /// Who has sent the money, and signs for that.
    #[command(flatten)]
    pub(crate) signing: Signing,
}

/// `settle void`.
#[derive(Debug, Args)]
pub(crate) struct VoidBill {
    /// The bill.
    #[command(flatten)]
    pub(crate) bill: OneBill,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// Have an agent's mandate hold money before the work is done, then take what the work came to.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ReserveCommand {
    /// What to do with a reservation.
    #[command(subcommand)]
    pub(crate) reservation: Option<Reserve>,
    /// What to reserve.
    #[command(flatten)]
    pub(crate) hold: Option<Hold>,
    /// The key, unless it is for one of the words below.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `reserve`.
#[derive(Debug, Args)]
pub(crate) struct Hold {
    /// The agent: 1 to 256 of A-Z a-z 0-9 . _ -
    pub(crate) agent: AgentName,
    /// The service's id.
    pub(crate) service: ServiceName,
    /// The most that the work will use.
    #[arg(long, value_name = "QUANTITY")]
    pub(crate) quantity: Quantity,
    /// For how long, in seconds.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) ttl: Option<u64>,
    /// Repeat an earlier command instead of reserving more.
    #[arg(long, value_name = "ID")]
    pub(crate) message_id: Option<MessageId>,
}

/// What to do with a reservation.
#[derive(Debug, Subcommand)]
pub(crate) enum Reserve {
    /// Show a reservation.
    Show(OneReservation),
    /// The work is done: take what it used, and give the rest back.
    Commit(Commit),
    /// The work is not done: give all of it back.
    Release(OneReservation),
}

/// A reservation.
#[derive(Debug, Args)]
pub(crate) struct OneReservation {
    /// The reservation, as `reserve` showed it: rsv_ and 52 characters.
    pub(crate) reservation: ReservationId,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `reserve commit`.
#[derive(Debug, Args)]
pub(crate) struct Commit {
    /// The reservation.
    #[command(flatten)]
    pub(crate) reservation: OneReservation,
    /// What the work has used.
    #[arg(long, value_name = "QUANTITY")]
    pub(crate) quantity: Quantity,
}

/// What to do with the account that an agent has at a tenant.
#[derive(Debug, Subcommand)]
pub(crate) enum Account {
    /// Show it.
    Show(OneAgent),
    /// The agent's mandate may be held against: offer it. The mandate's agent.
    Offer(Offer),
    /// From now on, what the agent uses has to be reserved before, out of the mandate that it offered.
    Prepaid(Prepaid),
    /// From now on, what the agent uses is billed after.
    Postpaid(OneAgent),
}

/// An agent at the tenant of a key.
#[derive(Debug, Args)]
pub(crate) struct OneAgent {
    /// The agent.
    pub(crate) agent: AgentName,
    /// The key.
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

/// `account prepaid`.
#[derive(Debug, Args)]
pub(crate) struct Prepaid {
    /// The agent.
    #[command(flatten)]
    pub(crate) agent: OneAgent,
    /// The mandate that it offered, 0x and 64 hexadecimal digits.
    #[arg(long, value_name = "MANDATE")]
    pub(crate) mandate: B256,
}

/// `account offer`.
#[derive(Debug, Args)]
pub(crate) struct Offer {
    /// The tenant: ten_ and 26 characters.
    pub(crate) tenant: TenantId,
    /// How the tenant calls the agent.
    pub(crate) agent: AgentName,
    /// The mandate, 0x and 64 hexadecimal digits.
    #[arg(long, value_name = "MANDATE")]
    pub(crate) mandate: B256,
    /// Who signs.
    #[command(flatten)]
    pub(crate) signing: Signing,
}
