//! What the contract `Mandates` decides and keeps of one mandate, as a pure model that says why.
//!
//! An owner gives an agent a mandate: money, and rules. The agent reserves parts of the money for providers within the
//! rules, and every reserved amount ends paid, given back, or split:
//!
//! ```text
//!        authorize             deliver               dispute
//!  NONE ───────────► ESCROWED ─────────► DELIVERED ───────────► DISPUTED
//!   │                 │    │              │  │ capture, claim,   │    │ accept, resolve ► SETTLED
//!   │ cancel          │    │              │  │ accept ► SETTLED  │    └ resolve to none ► REFUNDED
//!   ▼                 │    │              │  └ expire ► REFUNDED └───── time out ► TIMED OUT
//!  CANCELLED          │    └ expire ► REFUNDED       or SETTLED, when parts were captured
//!                     └──────── void, from each of the three ► VOIDED
//! ```
//!
//! [`evaluate()`] answers whether a request may be authorized, as the contract would to the same input in the same block;
//! [`explain()`] shows every rule with its numbers. Both walk one list, in the order of [`Reason`]. The other functions of
//! [`Mandate`] are those of the contract: guards first, in its order and with its refusals, and nothing changes when one
//! refuses. [`Ceiling`] and [`Credit`] are what the contract keeps over several mandates.
//!
//! What holds, always:
//!
//! - **M1** What is authorized in a UTC day, a UTC month, an entry's window or a life is within every cap that applied to
//!   it, and no day or month that was missed is made up for.
//! - **M2** What open escrows hold is reserved, and what is reserved is in the balance.
//! - **M3** A payment reaches at most one final state. Only refunds follow, up to what was paid.
//! - **M4** Balance = funded + refunded − withdrawn − paid; and at its end a payment's paid and returned parts make up its
//!   whole amount.
//! - **M5** The version of the policy only grows, and a request for another version is refused.
//! - **M6** Every window is `[start, end)`: of a dispute and a claim, and of a claim and an expiry, exactly one is possible
//!   at the second where they meet.
//! - **M7** An amendment that loosens anything waits for the mandate's delay, all of it.
//! - **M8** Who is refused changes nothing.
//! - **M9** The verdict is the first rule that does not pass in the explanation.
//! - **M10** A refund restores money and no budget.
//!
//! [`life`] is the object that keeps one mandate in this product: it queues what needs an approval, holds parts of the budget
//! for others, and acts at every deadline. [`mirror`] is the object of one that the contract keeps: it follows what the chain
//! tells, and brings requests there.
//!
//! Hashes and signatures come in as facts: who builds a [`Request`], a [`Policy`] or a [`Proof`] computes them. What this
//! crate refuses to know: EIP-712, chains, tokens, and clocks.

mod amount;
mod authorize;
pub mod calendar;
mod ceiling;
mod escrow;
mod evaluate;
mod funds;
pub mod life;
pub mod mirror;
mod owner;
mod policy;
mod reason;
mod refusal;
mod request;
mod rules;
mod state;

pub use amount::AMOUNT_MAX;
pub use calendar::UnixSeconds;
pub use ceiling::{Caps, Ceiling};
pub use escrow::Moved;
pub use evaluate::{Approval, Authorized, Remaining, evaluate, explain, known};
pub use funds::{Arrival, Credit};
pub use owner::{Amended, Creation, Token};
pub use policy::{Amendment, Entry, EntryKey, EntryLimits, Policy, Terms, WHOLE_BPS, Window};
pub use reason::Reason;
pub use refusal::{Figure, Finding, Refused, Relation, Unit};
pub use request::{By, Proof, Request, Signature, SignedApproval};
pub use state::{Allowed, Funds, Mandate, Payment, Pending, SignerKind, Spent, State, Status};
