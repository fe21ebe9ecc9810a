//! What the parties do with a request.
//!
//! `signature` is the party's, of the act's struct (EIP-712), so that anyone may bring the act. Without it the HTTP request
//! is the party's own.

use serde::{Deserialize, Serialize};

use super::{PaymentRequest, number};

macro_rules! bodies {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field:meta])* $key:ident: $kind:ty,)* })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name { $($(#[$field])* pub $key: $kind,)* })+
    };
}

bodies! {
    /// Nothing more is to be said: `submit`, `claim`, `expire`, `time-out`, and what changes a mandate as a whole.
    EmptyBody {}

    /// `approve`: the owner's yes.
    ApproveBody {
        /// The approval's end, in Unix seconds, as it is signed.
        #[serde(deserialize_with = "number::integer")]
        valid_before: u64,
        /// The owner's signature of `Approval`.
        signature: String,
    }

    /// `reject`: the owner's no.
    RejectBody {
        /// Why, for the agent: at most 500 bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }

    /// `accept` and `void`.
    SignatureBody {
        /// The party's, of `Accept` or `Void`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }

    /// `cancel`.
    CancelBody {
        /// The message, of a request that was never made here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<PaymentRequest>,
        /// The owner's or the agent's, of `Cancel`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }

    /// `deliver`: the provider is done.
    DeliverBody {
        /// What the receipt is, a hash that means something to the parties.
        receipt_hash: String,
        /// The provider's, of `Delivery`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }

    /// `dispute`: the owner objects.
    DisputeBody {
        /// What the evidence is, a hash; none if it is absent or zeros.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence_hash: Option<String>,
        /// The owner's, of `Dispute`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }

    /// `capture` and `refund`.
    TotalBody {
        /// The amount in all, with what was captured or refunded before.
        total: String,
        /// The provider's, of `Capture` or `Refund`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }

    /// `resolve`: the resolver decides.
    ResolveBody {
        /// The provider's part; the rest goes back.
        to_provider: String,
        /// The resolver's, of `Resolution`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }
}
