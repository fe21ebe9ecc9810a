//! Services and their prices.

use core::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

use super::{PricingView, quantity};

/// `POST /v1/services`, and each item of `POST /v1/services/bulk`: a service that is to be metered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewService {
    /// How it is called: 1 to 128 characters of A-Z a-z 0-9 . _ -, and neither . nor ..
    pub service_id: String,
    /// What each unit costs, in base units. Published as `priceStroops`, which is taken too. Either this or `pricing`.
    #[serde(
        default,
        alias = "priceStroops",
        deserialize_with = "optional_price",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(schema_with = "price_schema"))]
    pub price: Option<String>,
    /// What units cost, where that is more than one price. Either this or `price`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pricing: Option<PricingBody>,
    /// How many digits quantities have after the point, 0 to 6; 0, if it does not say. For ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u8>,
    /// What a unit is called, such as `request`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Over how many objects the usage of one agent is spread, 1 to 16; 1, if it does not say. For ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u8>,
    /// What it is, in 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whose it is, in 1 to 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// `POST /v1/services/bulk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewServices {
    /// 1 to 100 services. Published as `services`, which is taken too. Each is registered or refused by itself.
    #[serde(alias = "services")]
    pub items: Vec<NewService>,
}

/// What units cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum PricingBody {
    /// Each unit the same.
    Flat {
        /// What one unit costs.
        #[serde(deserialize_with = "price")]
        #[cfg_attr(feature = "schema", schemars(schema_with = "price_schema"))]
        price: String,
    },
    /// Each part of a quantity by the tier that it lies in.
    Graduated {
        /// 1 to 20 tiers, ascending.
        tiers: Vec<TierBody>,
    },
    /// All of a quantity by the tier that the whole lies in.
    Volume {
        /// 1 to 20 tiers, ascending.
        tiers: Vec<TierBody>,
    },
}

/// One tier of a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TierBody {
    /// The largest quantity in it; null or left out for the last tier, and for that one only.
    #[serde(default, deserialize_with = "optional_quantity", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "bound_schema"))]
    pub up_to: Option<String>,
    /// What one unit in it costs.
    #[serde(deserialize_with = "price")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "price_schema"))]
    pub price: String,
}

/// `PATCH /v1/services/{serviceId}/price`: another price from a moment on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceBody {
    /// What each unit costs, in base units. Published as `priceStroops`, which is taken too. Either this or `pricing`.
    #[serde(
        default,
        alias = "priceStroops",
        deserialize_with = "optional_price",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(schema_with = "price_schema"))]
    pub price: Option<String>,
    /// What units cost, where that is more than one price. Either this or `price`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pricing: Option<PricingBody>,
    /// From when on, which is not in the past; from now on, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective_from: Option<String>,
}

/// `PATCH /v1/services/{serviceId}/disabled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DisabledBody {
    /// Whether it takes no usage.
    pub disabled: bool,
}

/// `PUT /v1/services/{serviceId}/metadata`: in place of what is there; what is left out is nothing from then on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MetadataBody {
    /// What it is, in 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whose it is, in 1 to 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// What a service is, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MetadataView {
    /// The service.
    pub service_id: String,
    /// What it is.
    pub description: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
    /// Counts the service's changes.
    pub revision: u64,
}

/// A price and since when it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PriceView {
    /// Counts from 1 in each service, for ever.
    pub version: u32,
    /// From this moment on, until that of the next version.
    pub effective_from: String,
    /// What is charged.
    #[serde(flatten)]
    pub pricing: PricingView,
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServiceView {
    /// How it is called.
    pub service_id: String,
    /// What it costs now.
    pub price: PriceView,
    /// How many digits quantities have after the point.
    pub scale: u8,
    /// What a unit is called.
    pub unit: Option<String>,
    /// Over how many objects the usage of one agent is spread.
    pub shards: u8,
    /// What it is.
    pub description: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
    /// Whether it takes usage.
    pub status: ServiceState,
    /// Since when.
    pub created_at: String,
    /// Counts its changes; its ETag.
    pub revision: u64,
}

/// Whether a service takes usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ServiceState {
    /// It does.
    Enabled,
    /// It does not for now.
    Disabled,
    /// It does not. What was used of it is billed at the prices that it had.
    Deleted,
}

/// A page of services, in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServicesAnswer {
    /// The services.
    pub services: Vec<ServiceView>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
}

/// Every price that a service had, has and will have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PricesAnswer {
    /// The service.
    pub service_id: String,
    /// Its prices, oldest first.
    pub prices: Vec<PriceView>,
    /// Counts the service's changes.
    pub revision: u64,
}

/// What became of each item of a bulk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServicesRegistered {
    /// One for each item, in their order.
    pub results: Vec<ServiceResult>,
    /// Services that are registered now.
    pub registered: u32,
    /// Items that were refused.
    pub refused: u32,
}

/// What became of one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServiceResult {
    /// The item, counted from 0.
    pub index: u32,
    /// The service, if it was registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceView>,
    /// Why not, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<super::ItemError>,
}

/// Reads a price as its decimal text. Whether the text is one is the domain's to say.
fn price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(Price)
}

/// The same, where null stands for none.
fn optional_price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Read(#[serde(deserialize_with = "price")] String);
    Ok(Option::<Read>::deserialize(deserializer)?.map(|Read(text)| text))
}

fn optional_quantity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Read(#[serde(deserialize_with = "quantity::text")] String);
    Ok(Option::<Read>::deserialize(deserializer)?.map(|Read(text)| text))
}

struct Price;

impl Visitor<'_> for Price {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("a price: a decimal text such as \"250\" or \"0.5\", or a JSON integer below 2^53")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        if number < 1 << 53 { Ok(number.to_string()) } else { self.visit_f64(0.0) }
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<String, E> {
        Err(E::custom("is below zero; a price is zero or more"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<String, E> {
        Err(E::custom(
            "is a JSON number with a fraction or an exponent, or of 2^53 or more, which readers round; write it as a text, \
             such as \"0.5\"",
        ))
    }
}

#[cfg(feature = "schema")]
fn price_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "oneOf": [
            { "type": "string", "pattern": "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,9})?$" },
            { "type": "integer", "minimum": 0, "maximum": 999_999_999_999_999_u64 }
        ]
    })
}

#[cfg(feature = "schema")]
fn bound_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let quantity = quantity::schema(generator).to_value();
    schemars::json_schema!({ "anyOf": [quantity, { "type": "null" }] })
}
