//! Mandates: JSON in camelCase.
//!
//! What a value is, unless its field says something else:
//!
//! - an amount is a decimal text of the token's base units, without sign or leading zeros;
//! - a time is RFC 3339 in UTC with milliseconds;
//! - an address is `0x` and 40 hexadecimal digits, with the checksum of EIP-55 on the way out and in any case on the way
//!   in;
//! - a hash is `0x` and 64 hexadecimal digits, in lower case on the way out;
//! - a signature is `0x` and hexadecimal digits; that of an ordinary account has 65 bytes.
//!
//! What a wallet signs is shown as it is signed: [`PaymentRequest`] and the end of an approval have Unix seconds.

mod act;
mod approval;
mod list;
mod payment;
mod policy;
mod private;
mod request;
mod status;
mod view;

use super::number;

pub use act::{
    ApproveBody, CancelBody, DeliverBody, DisputeBody, EmptyBody, RejectBody, ResolveBody, SignatureBody,
    TotalBody,
};
pub use approval::{ApprovalItem, ApprovalPart, Decide};
pub use list::{
    ActivityAnswer, ActivityLine, ApprovalsAnswer, EntriesAnswer, MandatesAnswer, PaymentsAnswer,
    RequestsAnswer,
};
pub use payment::{Payment, Progress};
pub use policy::{Adopt, Amend, Amount, CreateMandate, EntryBody, PolicyBody, SignerKind, TermsBody, Window};
pub use private::{AgentAnswer, AgentBody, AgentsAnswer, DraftAnswer, DraftBody, DraftPatch, DraftsAnswer};
pub use request::{Ask, Check, Evaluation, PaymentRequest, RecordBody, RequestBody, RequestTerms, Verdict};
pub use status::{Eip712Domain, LimitsReport, StatusReport};
pub use view::{
    AsOf, BudgetAnswer, EntryAnswer, EntryBudget, Funds, Mandate, MandateStatus, PendingAmendment, Policy,
    Remaining, Spent, Terms,
};
