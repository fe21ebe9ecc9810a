//! What the executor read in the buyer's own session: the cart, the payment target, the order.

use primitives::{Digest, ExecutorId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Cents;

/// A line of a cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The product as the shop calls it.
    pub product: String,
    /// How many.
    pub quantity: u32,
    /// What one costs.
    pub unit_price: Cents,
    /// What all of them cost: the product of the two.
    pub total: Cents,
}

/// Something that comes on top, or off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What it is, such as `delivery`.
    pub name: String,
    /// How much.
    pub amount: Cents,
}

/// A cart as the shop shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cart {
    /// The shop.
    pub merchant: String,
    /// What is in it, at most [`crate::limits::ITEMS`].
    pub items: Vec<Item>,
    /// What comes on top, at most [`crate::limits::LINES`].
    pub fees: Vec<Line>,
    /// What comes off, at most [`crate::limits::LINES`].
    pub discounts: Vec<Line>,
    /// Items and fees less discounts, which has to be the sum of the lines.
    pub total: Cents,
    /// When it would arrive, in minutes from now, if the shop says so.
    pub eta_minutes: Option<u32>,
}

/// A cart, read by an executor at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The cart.
    pub cart: Cart,
    /// When it was read, by the executor's clock.
    pub captured_at: UnixMillis,
    /// Who read it.
    pub executor: ExecutorId,
    /// Where it was read: a word of the executor's own, without query or account.
    pub page: String,
}

/// How the executor knows of the payment target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// A Pix code is shown, and its digest is kept.
    PixCode,
    /// Pix is selected; the shop makes the code once the order is placed.
    PixSelected,
}

/// What has to be paid, by Pix. Of the code itself only a digest is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixTarget {
    /// How much; the checkout's total.
    pub amount: Cents,
    /// How that is known.
    pub evidence: Evidence,
    /// From then on the code cannot be paid, if it says so.
    pub expires_at: Option<UnixMillis>,
    /// SHA-256 of the code, when there is one.
    pub payload_digest: Option<Digest>,
}

/// What the shop says of the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderEvidence {
    /// Whether the shop has taken it.
    pub confirmed: bool,
    /// The shop's words or number, at most [`crate::limits::EVIDENCE_BYTES`] bytes.
    pub evidence: String,
}

/// What an executor is asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Look at the candidate again in the buyer's session.
    RevalidateCandidate {
        /// Which one.
        candidate: crate::Candidate,
        /// The product in words.
        requirement: String,
        /// How many.
        quantity: u32,
    },
    /// Fill the cart up to the point of paying.
    PrepareCheckout,
    /// Read the cart again that is there.
    ReadCheckout,
    /// Read the payment target.
    ReadPix {
        /// What it has to say.
        expected: Cents,
    },
    /// Look whether the shop has taken the order.
    VerifyOrder,
}

impl Task {
    /// As the browser protocol calls it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RevalidateCandidate { .. } => "REVALIDATE_CANDIDATE",
            Self::PrepareCheckout => "PREPARE_CHECKOUT",
            Self::ReadCheckout => "READ_CHECKOUT",
            Self::ReadPix { .. } => "READ_PIX",
            Self::VerifyOrder => "VERIFY_ORDER",
        }
    }
}

/// A task under a name. It stays the executor's until its result is here, it is withdrawn, or its time is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserCommand {
    /// `cmd_{seq}` of the event that asked for it, counted within the run.
    pub command_id: String,
    /// Whom it is for.
    pub executor: ExecutorId,
    /// What is to be done.
    pub task: Task,
    /// Its result is not waited for after this.
    pub until: UnixMillis,
}

/// What an executor came back with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "result", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BrowserResult {
    /// It works on it.
    Started,
    /// The buyer has to do something, such as log in. The command stays pending.
    NeedsUser {
        /// What, in a line for the buyer.
        reason: String,
    },
    /// A cart.
    Quote {
        /// As it was read.
        cart: Cart,
        /// When, by the executor's clock.
        captured_at: UnixMillis,
        /// Where.
        page: String,
    },
    /// The payment target.
    Pix(PixTarget),
    /// What the shop says of the order.
    Order(OrderEvidence),
    /// The item or the shop is gone, closed or out of reach.
    Unavailable {
        /// Why, in a line.
        reason: String,
    },
    /// Something went wrong.
    Error {
        /// What, in a line.
        reason: String,
    },
}
