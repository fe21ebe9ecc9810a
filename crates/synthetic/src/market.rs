//! The synthetic market: for any product, the same offers for ever.

use primitives::{Digest, UnixMillis};
use run::{Candidate, Found, Intent};

use crate::Story;
use crate::shop::SHOPS;

/// What the market calls itself, as a whole and as a platform.
pub const SOURCE: &str = "synthetic";

/// What the market has, the cheapest first. One item costs R$ 3.00 to R$ 25.07, with a delivery of R$ 5.00 to R$ 7.00 for
/// all of them; [`Story::Dear`] makes it a million more, and [`Story::Nothing`] leaves no offer.
pub fn market(intent: &Intent, now: UnixMillis) -> Found {
    let Intent { requirement, quantity, .. } = intent;
    let shops = if Story::Nothing.is_told_by(requirement) { &[] } else { SHOPS.as_slice() };
    let candidates = shops.iter().map(|shop| {
        let seen = Digest::of(&[
            b"guildhall synthetic observation v1\0",
            shop.id.as_bytes(),
            &quantity.to_be_bytes(),
            requirement.as_bytes(),
        ]);
        Candidate {
            candidate_id: shop.id.to_owned(),
            observation_id: format!("{SOURCE}-{seen}"),
            source: SOURCE.to_owned(),
            merchant: shop.name.to_owned(),
            observed_total: shop.cart(requirement, *quantity, 0).total,
            observed_at: now,
        }
    });
    Found::Candidates { source: SOURCE.to_owned(), candidates: candidates.collect() }
}
