//! The offer to settle one bill.

use primitives::{BaseUnits, SettlementId};
use serde_json::Map;
use x402::payment_identifier;

use super::{Asset, Offer, Till};

/// Settling the bill of that id, of `amount`, to `pay_to`. The path names the bill and a bill's amount never changes, so
/// that a payment for one bill pays for no other (S2, S6).
pub fn bill(asset: Asset, pay_to: String, settlement: &SettlementId, amount: BaseUnits) -> Offer {
    Offer {
        till: Till { asset, pay_to },
        price: amount,
        method: "POST",
        path: format!("/v1/settlements/{settlement}/pay").into(),
        deed: "Settling this bill",
        description: "Settle one bill for metered usage".to_owned(),
        mime_type: "application/json",
        extensions: Map::from_iter([(payment_identifier::NAME.to_owned(), payment_identifier::declare())]),
    }
}
