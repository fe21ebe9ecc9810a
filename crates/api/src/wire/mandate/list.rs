//! Pages of lists. `nextCursor` goes into the query `cursor` for the page that follows; it is null at the end.

use serde::{Deserialize, Serialize};

use super::{ApprovalItem, EntryAnswer, Mandate, Payment};

macro_rules! pages {
    ($($(#[$meta:meta])* $name:ident { $(#[$field:meta])* $key:ident: $kind:ty })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(#[$field])*
            pub $key: Vec<$kind>,
            /// Where the next page begins.
            pub next_cursor: Option<String>,
        })+
    };
}

pages! {
    /// Mandates, newest first.
    MandatesAnswer {
        /// The mandates.
        mandates: Mandate
    }

    /// Entries of a mandate.
    EntriesAnswer {
        /// The entries.
        entries: EntryAnswer
    }

    /// Requests of a mandate, newest first.
    RequestsAnswer {
        /// The payments that they ask for.
        requests: Payment
    }

    /// Payments of an owner, newest first.
    PaymentsAnswer {
        /// The payments.
        payments: Payment
    }

    /// What needs or needed the owner's approval, newest first.
    ApprovalsAnswer {
        /// The payments.
        approvals: ApprovalItem
    }

    /// What happened, newest first.
    ActivityAnswer {
        /// The lines.
        activity: ActivityLine
    }
}

/// One transition of a mandate or of a payment under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ActivityLine {
    /// When it was recorded.
    pub at: String,
    /// The mandate, a hash.
    pub mandate: String,
    /// The number of its event in the mandate's journal.
    pub seq: u64,
    /// What was done, such as `create`, `request` or `deliver`.
    pub kind: String,
    /// By whom: `owner`, `agent`, `provider`, `resolver`, `product`, `anyone` or `time`.
    pub role: String,
    /// By which address, where there is one.
    pub actor: Option<String>,
    /// The payment or reservation that it is about, a hash.
    pub payment: Option<String>,
    /// What was asked for, or what moved in or out.
    pub amount: Option<String>,
    /// What the provider was paid by it.
    pub paid: String,
    /// What became available again in the mandate by it.
    pub returned: String,
    /// The token; null where no amount is named.
    pub token: Option<String>,
    /// Who is paid, or would be.
    pub provider: Option<String>,
    /// What came of it: where the payment stands, how a reservation ended, `done`, `scheduled` or `reserved`; `undone` once the
    /// block that tells it has left the chain.
    pub result: String,
    /// Why.
    pub reason: Option<String>,
    /// The transaction that did it; null for what was done here.
    pub transaction: Option<String>,
    /// Who says so: `ledger`; in custody of the contract `chain`, or `mirror` for what was done here on its way there.
    pub source: String,
}
