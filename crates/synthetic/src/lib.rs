//! Everything that only plays a part in a simulated purchase: the market, the executor, the off-ramp, the wallet and the
//! settlement. Pure functions of what they are asked and of the time: the same question has the same answer for ever.
//!
//! ```text
//!  market ──► executor ──► off_ramp, balances ──► sign ──► settle
//!  offers     carts, Pix   what is asked for      payment  verdict
//! ```
//!
//! Prices follow from the words of what is wanted ([`market()`]), so that any product can be bought here. Some words make
//! the purchase take another course ([`Story`]).
//!
//! What holds, always:
//!
//! - **Y1** Nothing here can be taken for real: shops, pages, orders, addresses and payments call themselves `synthetic`
//!   or `simulated`, or begin with `sim_`, and a [`run::Requirement`] says `simulated`.
//! - **Y2** Every cart reconciles. A cart that is read costs what the market showed for it, except where [`Story::Drift`]
//!   is told.
//! - **Y3** The off-ramp asks for no less than its rate and fee say, less than one base unit more, and for nothing on a
//!   network whose tokens are worth something.
//! - **Y4** A simulated payment is proven by its name, which says of which run, amount, wallet and address it is. Any other
//!   name is a payment that failed.
//!
//! What this crate refuses to know: the state of a run beyond what it is asked about, HTTP, and every real shop, wallet and
//! chain.

mod executor;
mod market;
mod off_ramp;
mod settlement;
mod shop;
mod story;
mod wallet;

pub use executor::{Errand, demo_executor, executor};
pub use market::{SOURCE, market};
pub use off_ramp::{ASSET, CENTS_PER_USDC, FEE_BPS, OFFER_HOLDS, RECIPIENT, RealMoney, off_ramp};
pub use settlement::{settle, sign, signature, trace};
pub use story::Story;
pub use wallet::{NATIVE, PUBLIC_USDC, balances, wallet};
