//! The challenge.

use primitives::BaseUnits;
use x402::bazaar::listing;
use x402::{HEADER_BYTES, PaymentRequired};

use crate::cast::*;

const URL: &str = "https://board.example/v1/gigs/create";

/// What clients and servers in between are sure to take, with room for a payment that sends all of it back.
#[test]
fn a_challenge_fits_a_header_by_far() {
    let header = x402::encode(&offer().challenge(URL, "Payment required")).unwrap();
    assert!(header.len() < HEADER_BYTES * 3 / 4, "{} bytes", header.len());
}

#[test]
fn words_in_any_script_travel_as_ascii() {
    let mut offer = offer();
    offer.description = "Übersetze 三 lines 🧵 ₮ \u{202e}abc".to_owned();
    let header = x402::encode(&offer.challenge(URL, "pay")).unwrap();
    assert!(header.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
    let read: PaymentRequired = x402::decode(&header).unwrap();
    assert_eq!(read.resource.description, Some(offer.description));
}

#[test]
fn the_price_is_said_in_the_tokens_own_words() {
    let mut offer = offer();
    offer.till.asset.name = "USD Coin".to_owned();
    offer.till.asset.network = "eip155:8453".to_owned();
    offer.price = BaseUnits(1);
    assert_eq!(offer.price_in_words(), "Posting a gig costs 1 base units of USD Coin on eip155:8453.");
    assert_eq!(offer.requirements().extra.unwrap()["name"], "USD Coin");
}

/// A stock client sends the challenge's extensions back with its payment, and a catalogue takes them as they are.
#[test]
fn what_is_advertised_can_be_listed_from_a_payment() {
    let offer = offer();
    let challenge = offer.challenge(URL, "pay");
    let mut payment = pay(&offer, 1, 1);
    (payment.resource, payment.extensions) = (Some(challenge.resource), challenge.extensions);
    let entry = listing(&payment, &offer.requirements(), NOW).unwrap().unwrap();
    assert_eq!(entry.resource, URL);
    assert!(x402::encode(&payment).unwrap().len() < HEADER_BYTES);
}
