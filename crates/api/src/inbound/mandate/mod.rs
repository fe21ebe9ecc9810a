//! Mandates: from bodies to what the core of a mandate is asked.
//!
//! What a party signs (EIP-712) is held against the party's key here. Whether the signer may do what it asks for is the
//! core's to say; a signature that is not a key's own can still be a contract account's, and [`Signed`] has what to ask it.

mod act;
mod adopt;
mod amend;
mod ask;
mod change;
mod create;
mod policy;
mod read;
mod refusal;
mod request;
mod signed;
mod verb;

pub use act::{Deed, Said, decision, said};
pub use adopt::{adopt, record};
pub use amend::amendment;
pub use ask::{Asked, Want, asked, budget};
pub use change::change;
pub use create::{create, idempotency_key};
pub use read::{amount, empty, reference};
pub use refusal::{ambiguous, key_reused, mandate_missing, no_contract, not_on_chain, nothing_to_record};
pub use request::{Requested, requested};
pub use signed::Signed;
use signed::by;
pub use verb::Verb;
