//! What is asked for.

use std::borrow::Cow;

use primitives::BaseUnits;
use serde_json::{Map, Value};
use x402::{PaymentRequired, PaymentRequirements, ResourceInfo};

use crate::limits;

/// The token that a deployment is paid in, with the name and version of its signing domain (EIP-712).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The network as CAIP-2, such as `eip155:84532`.
    pub network: String,
    /// The token's address.
    pub address: String,
    /// What the token calls itself in signatures; not always what people call it.
    pub name: String,
    /// The version in its signatures.
    pub version: String,
}

/// What a deployment is paid in, and where the money goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Till {
    /// The token.
    pub asset: Asset,
    /// Who is paid.
    pub pay_to: String,
}

/// What one paid route asks for. Everything that reaches a payment comes from here, never from the client (S6).
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Where the money goes.
    pub till: Till,
    /// In base units of the till's token.
    pub price: BaseUnits,
    /// The route's method.
    pub method: &'static str,
    /// The route's path. Of a route for one thing, such as one bill, it names that thing.
    pub path: Cow<'static, str>,
    /// What costs the price, as the beginning of a sentence: `Posting a gig`.
    pub deed: &'static str,
    /// The same for catalogues: one sentence in any script.
    pub description: String,
    /// The media type of the paid answer.
    pub mime_type: &'static str,
    /// What is advertised beside the price, by extension name.
    pub extensions: Map<String, Value>,
}

impl Offer {
    /// The one way to pay: `exact`, by EIP-3009.
    pub fn requirements(&self) -> PaymentRequirements {
        let Till { asset, pay_to } = &self.till;
        let extra = [("name", &asset.name), ("version", &asset.version)];
        let extra = extra.map(|(key, value)| (key.to_owned(), Value::from(value.as_str())));
        PaymentRequirements {
            scheme: x402::EXACT.to_owned(),
            network: asset.network.clone(),
            amount: self.price.to_string(),
            asset: asset.address.clone(),
            pay_to: pay_to.clone(),
            max_timeout_seconds: limits::PAYMENT_TIMEOUT_SECONDS,
            extra: Some(extra.into_iter().collect()),
        }
    }

    /// The challenge at `url`. `error` says why there is one: a code, or a sentence.
    pub fn challenge(&self, url: &str, error: &str) -> PaymentRequired {
        PaymentRequired {
            x402_version: x402::VERSION,
            error: Some(error.to_owned()),
            resource: ResourceInfo {
                url: url.to_owned(),
                description: Some(self.description.clone()),
                mime_type: Some(self.mime_type.to_owned()),
                service_name: Some("Guildhall".to_owned()),
                ..ResourceInfo::default()
            },
            accepts: vec![self.requirements()],
            extensions: (!self.extensions.is_empty()).then(|| self.extensions.clone()),
        }
    }

    /// The price in words.
    pub fn price_in_words(&self) -> String {
        let asset = &self.till.asset;
        format!("{} costs {} base units of {} on {}.", self.deed, self.price, asset.name, asset.network)
    }
}
