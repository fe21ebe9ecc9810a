//! Services and their prices.

use data_encoding::BASE64URL_NOPAD;
use primitives::{ServiceName, UnixMillis};
use serde_json::Value;
use tariff::{Pricing, Quantity, Scale, Tier, UnitPrice};
use tenant::{Label, Metadata, limits};

use crate::binding::tenant::ServicesWanted;
use crate::inbound::run::once;
use crate::inbound::{Faults, shape};
use crate::limits::{PAGE_DEFAULT, PAGE_MAX, SEARCH_MAX};
use crate::problem::Problem;
use crate::wire::{DisabledBody, MetadataBody, NewService, PriceBody, PricingBody, TierBody};

/// Services of one bulk, at most: each is a word with the tenant's object.
pub const SERVICES_MAX: usize = 100;

/// Reads a service that is to be registered.
///
/// # Errors
/// 400 with every fault.
pub fn service(body: &Value) -> Result<tenant::NewService, Problem> {
    let body: NewService = shape(body)?;
    let mut faults = Faults::default();
    let name = faults.take("serviceId", body.service_id.parse::<ServiceName>());
    let pricing = faults.pricing(body.price.as_deref(), body.pricing);
    let scale = faults.take("scale", Scale::try_from(body.scale.unwrap_or(0)));
    let unit = body.unit.map(|text| faults.take("unit", text.parse::<Label>()));
    let shards = body.shards.unwrap_or(1);
    if !limits::SHARDS.contains(&shards) {
        let (least, most) = (limits::SHARDS.start(), limits::SHARDS.end());
        faults.add("shards", format!("must be a whole number from {least} to {most}"));
    }
    let (description, owner) =
        faults.metadata(MetadataBody { description: body.description, owner: body.owner });
    let read = name.zip(pricing).zip(scale);
    faults.finish(read.map(|((name, pricing), scale)| tenant::NewService {
        name,
        scale,
        unit: unit.flatten(),
        shards,
        pricing,
        description,
        owner,
    }))
}

/// Reads services that are to be registered, each of which can be read or not by itself.
///
/// # Errors
/// 400 when it is no list of some; 422 for more than [`SERVICES_MAX`].
pub fn services(body: &Value) -> Result<Vec<Result<tenant::NewService, Problem>>, Problem> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Bulk {
        #[serde(alias = "services")]
        items: Vec<Value>,
    }
    let Bulk { items } = shape(body)?;
    if items.is_empty() {
        let mut faults = Faults::default();
        faults.add("items", "is empty; send 1 service or more");
        return faults.finish(None);
    }
    if items.len() > SERVICES_MAX {
        let detail = format!(
            "The bulk has {} services; {SERVICES_MAX} are taken at once. Send it in parts.",
            items.len()
        );
        return Err(Problem::new(422, "bulk_too_large", detail));
    }
    Ok(items.iter().map(service).collect())
}

/// What a service is to cost, and from when on; none is from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// What units cost.
    pub pricing: Pricing,
    /// From when on.
    pub from: Option<UnixMillis>,
}

/// Reads what a service is to cost.
///
/// # Errors
/// 400 with every fault.
pub fn price(body: &Value) -> Result<Price, Problem> {
    let PriceBody { price, pricing, effective_from } = shape(body)?;
    let mut faults = Faults::default();
    let pricing = faults.pricing(price.as_deref(), pricing);
    let from = effective_from.map(|text| faults.moment("effectiveFrom", &text));
    faults.finish(pricing.map(|pricing| Price { pricing, from }))
}

/// Reads what a service is, for people: description and owner.
///
/// # Errors
/// 400 with every fault.
pub fn metadata(body: &Value) -> Result<(Option<Metadata>, Option<Label>), Problem> {
    let body: MetadataBody = shape(body)?;
    let mut faults = Faults::default();
    let metadata = faults.metadata(body);
    faults.finish(Some(metadata))
}

/// Reads whether a service is to take no usage.
///
/// # Errors
/// 400 with the fault.
pub fn disabled(body: &Value) -> Result<bool, Problem> {
    shape(body).map(|DisabledBody { disabled }| disabled)
}

/// Reads which services are wanted, from a query's pairs.
///
/// # Errors
/// 400 with every fault.
pub fn wanted<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<ServicesWanted, Problem> {
    let mut faults = Faults::default();
    let mut wanted = ServicesWanted { limit: PAGE_DEFAULT, ..ServicesWanted::default() };
    for (name, text) in once(&mut faults, pairs) {
        match name {
            "prefix" => {
                // The beginning of a name is one, too.
                wanted.prefix = faults.take(name, text.parse::<ServiceName>()).map(|name| name.to_string());
            }
            "q" => {
                faults.length(name, &text, 1, SEARCH_MAX);
                wanted.text = Some(text);
            }
            "disabled" => match text.as_str() {
                "true" => wanted.is_disabled = Some(true),
                "false" => wanted.is_disabled = Some(false),
                _ => faults.add(name, "must be true or false"),
            },
            "minPrice" => wanted.min_price = faults.take(name, text.parse::<UnitPrice>()),
            "maxPrice" => wanted.max_price = faults.take(name, text.parse::<UnitPrice>()),
            "limit" => wanted.limit = faults.number(name, &text, 1, PAGE_MAX).unwrap_or(PAGE_DEFAULT),
            "cursor" => {
                wanted.after = place(&text);
                if wanted.after.is_none() {
                    faults.add(name, "is not a cursor of this list; pass nextCursor as it was given");
                }
            }
            _ => faults.add(
                name,
                "is not known here; prefix, q, disabled, minPrice, maxPrice, limit and cursor are",
            ),
        }
    }
    if wanted.min_price.zip(wanted.max_price).is_some_and(|(least, most)| least > most) {
        faults.add("minPrice", "is above maxPrice");
    }
    faults.finish_address(Some(wanted))
}

/// The service after which a page begins.
fn place(cursor: &str) -> Option<ServiceName> {
    String::from_utf8(BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?).ok()?.parse().ok()
}

impl Faults {
    fn metadata(&mut self, body: MetadataBody) -> (Option<Metadata>, Option<Label>) {
        let description = body.description.map(|text| self.take("description", text.parse::<Metadata>()));
        let owner = body.owner.map(|text| self.take("owner", text.parse::<Label>()));
        (description.flatten(), owner.flatten())
    }

    /// What units cost: one price, or tiers.
    fn pricing(&mut self, price: Option<&str>, pricing: Option<PricingBody>) -> Option<Pricing> {
        let read = match (price, pricing) {
            (Some(price), None) => self.unit("price", price).map(|unit| Pricing::Flat { unit }),
            (None, Some(PricingBody::Flat { price })) => {
                self.unit("pricing.price", &price).map(|unit| Pricing::Flat { unit })
            }
            (None, Some(PricingBody::Graduated { tiers })) => {
                self.tiers(&tiers).map(|tiers| Pricing::Graduated { tiers })
            }
            (None, Some(PricingBody::Volume { tiers })) => {
                self.tiers(&tiers).map(|tiers| Pricing::Volume { tiers })
            }
            (None, None) => {
                self.add("price", "is needed: what each unit costs in base units; or pricing, with tiers");
                None
            }
            (Some(_), Some(_)) => {
                self.add("pricing", "stands beside price; send one of the two");
                None
            }
        }?;
        if let Err(wrong) = read.check() {
            self.add("pricing.tiers", wrong.to_string());
        }
        Some(read)
    }

    fn tiers(&mut self, tiers: &[TierBody]) -> Option<Vec<Tier>> {
        let read = |(index, tier): (usize, &TierBody)| {
            let at = |field: &str| format!("pricing.tiers[{index}].{field}");
            let up_to = match &tier.up_to {
                Some(text) => Some(self.take(&at("upTo"), text.parse::<Quantity>())?),
                None => None,
            };
            self.unit(&at("price"), &tier.price).map(|unit| Tier { up_to, unit })
        };
        // Every tier is looked at, so that every fault is named.
        let all: Vec<Option<Tier>> = tiers.iter().enumerate().map(read).collect();
        all.into_iter().collect()
    }

    fn unit(&mut self, field: &str, text: &str) -> Option<UnitPrice> {
        self.take(field, text.parse())
    }
}
