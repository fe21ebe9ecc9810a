//! The extensions and the catalogue that is made of one of them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod declaration;
mod echo;
mod listing;
mod payment_identifier;
mod query;
mod route_template;

use primitives::UnixMillis;
use serde_json::{Value, json};
use x402::{
    DiscoveryResource, PaymentPayload, PaymentRequirements,
    bazaar::{self, ListingFault},
};

/// Blocks that the official package made (see the file's `about`).
fn official(name: &str) -> Value {
    let file: Value = serde_json::from_str(include_str!("official_blocks.json")).unwrap();
    file[name].clone()
}

fn requirements() -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        "maxTimeoutSeconds": 300,
    }))
    .unwrap()
}

fn payment(extensions: Value) -> PaymentPayload {
    serde_json::from_value(json!({
        "x402Version": 2,
        "resource": {
            "url": "HTTPS://Shop.Example:8443/orders/7/items?page=2#top",
            "description": "Buy an item",
            "mimeType": "application/json",
            "serviceName": "Shop",
            "tags": ["trade"],
        },
        "accepted": requirements(),
        "payload": {},
        "extensions": extensions,
    }))
    .unwrap()
}

/// The entry for a payment that carries `block`.
fn listed(block: &Value) -> Result<DiscoveryResource, ListingFault> {
    let payment = payment(json!({ "bazaar": block }));
    bazaar::listing(&payment, &requirements(), UnixMillis(1_764_513_008_000)).map(Option::unwrap)
}
