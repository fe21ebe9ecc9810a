//! What an executor comes back with: commercial data only, no cookies, tokens, addresses or account identifiers.

use serde::{Deserialize, Serialize};

use super::number;

macro_rules! results {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field:meta])* $key:ident: $kind:ty,)* })+) => {
        /// The result of a browser command.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(
            tag = "type",
            rename_all = "SCREAMING_SNAKE_CASE",
            rename_all_fields = "camelCase",
            deny_unknown_fields
        )]
        pub enum BrowserResult { $($(#[$doc])* $name { $($(#[$field])* $key: $kind,)* },)+ }

        /// The same with its type around it. What is beside its type is read from a copy, in which faults have no place.
        #[derive(Deserialize)]
        #[serde(
            rename_all = "SCREAMING_SNAKE_CASE",
            rename_all_fields = "camelCase",
            deny_unknown_fields
        )]
        pub(crate) enum ResultByType { $($name { $($(#[$field])* $key: $kind,)* },)+ }

        impl From<ResultByType> for BrowserResult {
            fn from(result: ResultByType) -> Self {
                match result { $(ResultByType::$name { $($key,)* } => Self::$name { $($key,)* },)+ }
            }
        }
    };
}

results! {
    /// The executor has picked the command up. Another result follows.
    Started {
        /// The command.
        command_id: String,
    }
    /// The buyer has to do something, such as log in or add the item. The command stays pending.
    NeedsUser {
        /// The command.
        command_id: String,
        /// What, in a line for the buyer.
        reason: String,
    }
    /// A cart: what `REVALIDATE_CANDIDATE`, `PREPARE_CHECKOUT` and `READ_CHECKOUT` come back with.
    Quote {
        /// The command.
        command_id: String,
        /// The cart as the shop shows it.
        quote: CartBody,
        /// When it was read, by the executor's clock.
        captured_at: String,
        /// Where it was read: a word of the executor's own, without query or account.
        page_ref: String,
    }
    /// The payment target: what `READ_PIX` comes back with.
    Pix {
        /// The command.
        command_id: String,
        /// What has to be paid.
        #[serde(deserialize_with = "number::digits")]
        amount_cents: String,
        /// How the executor knows.
        evidence: PixEvidence,
        /// From then on the code cannot be paid, if the shop says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<String>,
        /// SHA-256 of the code's text, if there is a code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        payload_digest: Option<String>,
        /// The code itself (BR Code). It is checked here, and only its digest is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        payload: Option<String>,
    }
    /// What the shop says of the order: what `VERIFY_ORDER` comes back with.
    Order {
        /// The command.
        command_id: String,
        /// Whether the shop has taken it.
        confirmed: bool,
        /// The shop's words or number.
        evidence: String,
    }
    /// The item or the shop is gone, closed or out of reach.
    Unavailable {
        /// The command.
        command_id: String,
        /// Why, in a line.
        reason: String,
    }
    /// Something went wrong. The command is given out again, a few times.
    Error {
        /// The command.
        command_id: String,
        /// What, in a line.
        reason: String,
    }
}

/// A cart as the shop shows it. Its lines have to add up to its total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CartBody {
    /// The shop.
    pub merchant_name: String,
    /// What is in it.
    pub items: Vec<ItemBody>,
    /// What comes on top.
    #[serde(default)]
    pub fees: Vec<LineBody>,
    /// What comes off.
    #[serde(default)]
    pub discounts: Vec<LineBody>,
    /// Items and fees less discounts.
    #[serde(deserialize_with = "number::digits")]
    pub total_cents: String,
    /// When it would arrive, in minutes from now, if the shop says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta_minutes: Option<u32>,
}

/// A line of a cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemBody {
    /// The product as the shop calls it.
    pub product: String,
    /// How many.
    pub quantity: u32,
    /// What one costs.
    #[serde(deserialize_with = "number::digits")]
    pub unit_price_cents: String,
    /// What all of them cost.
    #[serde(deserialize_with = "number::digits")]
    pub total_cents: String,
}

/// Something that comes on top, or off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineBody {
    /// What it is, such as `delivery`.
    pub name: String,
    /// How much.
    #[serde(deserialize_with = "number::digits")]
    pub amount_cents: String,
}

/// How the executor knows of the payment target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PixEvidence {
    /// A Pix code is shown.
    PixCode,
    /// Pix is selected; the shop makes the code once the order is placed.
    PixSelected,
}
