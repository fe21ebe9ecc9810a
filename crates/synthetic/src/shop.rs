//! The shops, and what a cart costs there.

use primitives::Digest;
use run::{Cart, Cents, Item, Line};

use crate::Story;
use crate::story::words;

/// A shop, with how it makes its prices.
#[derive(Debug)]
pub(crate) struct Shop {
    /// Its candidate's name.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    /// What it takes over the product's base price, in percent of that.
    margin: u64,
    delivery: u64,
    discount: u64,
    eta_minutes: u32,
}

/// The cheapest first, whatever is bought: each asks for more than the one before it, for one item and for its delivery.
pub(crate) const SHOPS: [Shop; 3] = [
    Shop {
        id: "synthetic-1",
        name: "Mercado Exemplo (synthetic)",
        margin: 0,
        delivery: 500,
        discount: 0,
        eta_minutes: 30,
    },
    Shop {
        id: "synthetic-2",
        name: "Empório Amostra (synthetic)",
        margin: 4,
        delivery: 650,
        discount: 100,
        eta_minutes: 40,
    },
    Shop {
        id: "synthetic-3",
        name: "Padaria Modelo (synthetic)",
        margin: 9,
        delivery: 700,
        discount: 0,
        eta_minutes: 50,
    },
];

/// What one item costs at least, in cents.
const CHEAPEST: u64 = 300;
/// What one item costs less than, on top of that.
const SPREAD: u64 = 2_000;
/// What [`Story::Dear`] adds to one item: a million in whole units.
const FORTUNE: u64 = 100_000_000;

impl Shop {
    /// The shop of a candidate.
    pub(crate) fn of(candidate_id: &str) -> Option<&'static Self> {
        SHOPS.iter().find(|shop| shop.id == candidate_id)
    }

    /// Whether the stories of the cheapest shop are its own.
    pub(crate) fn is_cheapest(&self) -> bool {
        SHOPS.first().is_some_and(|shop| shop.id == self.id)
    }

    /// The cart with that much of the product. Every amount grows by `rise` percent.
    pub(crate) fn cart(&self, requirement: &str, quantity: u32, rise: u64) -> Cart {
        let unit_price = risen(risen(base_price(requirement), self.margin), rise);
        let total = unit_price.saturating_mul(u64::from(quantity));
        let delivery = risen(self.delivery, rise);
        let line = |name: &str, amount| Line { name: name.to_owned(), amount: Cents(amount) };
        let discounts = (self.discount > 0).then(|| line("coupon", self.discount));
        Cart {
            merchant: self.name.to_owned(),
            items: vec![Item {
                product: requirement.to_owned(),
                quantity,
                unit_price: Cents(unit_price),
                total: Cents(total),
            }],
            fees: vec![line("delivery", delivery)],
            discounts: discounts.into_iter().collect(),
            total: Cents(total.saturating_add(delivery).saturating_sub(self.discount)),
            eta_minutes: Some(self.eta_minutes),
        }
    }
}

/// What one item costs where nobody adds anything: it follows from the words alone.
fn base_price(requirement: &str) -> u64 {
    let words: Vec<_> = words(requirement).collect();
    let digest = Digest::of(&[b"guildhall synthetic price v1\0", words.join(" ").as_bytes()]);
    let [high, low, ..] = digest.0;
    let fortune = if Story::Dear.is_told_by(requirement) { FORTUNE } else { 0 };
    let spread = u64::from(u16::from_be_bytes([high, low])) % SPREAD;
    spread.saturating_add(CHEAPEST).saturating_add(fortune)
}

/// The amount and that many percent of it, rounded up.
fn risen(amount: u64, percent: u64) -> u64 {
    amount.saturating_add(amount.saturating_mul(percent).div_ceil(100))
}
