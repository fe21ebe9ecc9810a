//! H1 to H4, beside the official library.

use data_encoding::BASE64;
use primitives::EndpointId;
use proptest::prelude::*;
use webhook::{Headers, Rejected, Secret, TOLERANCE_SECONDS, sign, verify};

use crate::vectors::vectors;

const NOW: u64 = 1_796_047_200;

fn secret(length: usize) -> Result<Secret, primitives::Malformed> {
    format!("whsec_{}", BASE64.encode(&vec![7; length])).parse()
}

fn headers(id: &str, timestamp: &str, signature: &str) -> Headers {
    Headers { id: id.to_owned(), timestamp: timestamp.to_owned(), signature: signature.to_owned() }
}

#[test]
fn what_the_official_library_signs_is_signed_the_same() {
    for message in vectors().signed {
        let secret: Secret = message.secret.parse().unwrap();
        let signature = sign(&[secret], &message.id, message.at, message.body.as_bytes());
        assert_eq!(signature, message.signature, "{} at {}", message.id, message.at);
    }
}

#[test]
fn what_the_official_library_takes_is_taken_and_nothing_else() {
    let vectors = vectors();
    let secret: Secret = vectors.secret.parse().unwrap();
    for message in vectors.judged {
        let headers = headers(&message.id, &message.timestamp, &message.signature);
        let taken = verify(&secret, &headers, message.body.as_bytes(), vectors.now);
        assert_eq!(taken.is_ok(), message.taken, "{}: {taken:?}", message.about);
    }
}

#[test]
fn a_message_is_taken_for_300_seconds_both_ways() {
    let secret = secret(32).unwrap();
    for (at, expected) in [
        (NOW - TOLERANCE_SECONDS - 1, Err(Rejected::TooOld)),
        (NOW - TOLERANCE_SECONDS, Ok(())),
        (NOW + TOLERANCE_SECONDS, Ok(())),
        (NOW + TOLERANCE_SECONDS + 1, Err(Rejected::TooNew)),
    ] {
        let signature = sign(core::slice::from_ref(&secret), "msg_a", at, b"{}");
        let headers = headers("msg_a", &at.to_string(), &signature);
        assert_eq!(verify(&secret, &headers, b"{}", NOW), expected, "{at}");
    }
}

#[test]
fn every_fault_has_its_word() {
    let secret = secret(32).unwrap();
    let now = NOW.to_string();
    let good = sign(core::slice::from_ref(&secret), "msg_a", NOW, b"{}");
    for (id, timestamp, signature, expected) in [
        ("", now.as_str(), good.as_str(), Rejected::Id),
        ("msg.a", &now, &good, Rejected::Id),
        ("msg_a", "", &good, Rejected::Timestamp),
        ("msg_a", "+1796047200", &good, Rejected::Timestamp),
        ("msg_a", "99999999999999999999", &good, Rejected::Timestamp),
        ("msg_a", &now, "", Rejected::Signature),
        ("msg_a", &now, "v1,", Rejected::Signature),
        ("msg_a", &now, &good[..good.len() - 4], Rejected::Signature),
        ("msg_a", &now, &good.to_lowercase(), Rejected::Signature),
    ] {
        let rejected = verify(&secret, &headers(id, timestamp, signature), b"{}", NOW);
        assert_eq!(rejected, Err(expected), "{id} {timestamp} {signature}");
        assert!(!expected.to_string().is_empty());
    }
}

/// A text that could be read as another id and timestamp would be signed for both.
#[test]
fn no_two_messages_have_the_same_signed_text() {
    let secret = secret(32).unwrap();
    let one = sign(core::slice::from_ref(&secret), "msg_a", 1, b"2.{}");
    let other = headers("msg_a.1", "2", &one);
    assert_eq!(verify(&secret, &other, b"{}", 2), Err(Rejected::Id));
}

#[test]
fn a_secret_has_24_to_64_bytes_and_comes_back_as_it_went_out() {
    for (length, is_taken) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
        assert_eq!(secret(length).is_ok(), is_taken, "{length}");
    }
    let text = format!("whsec_{}", BASE64.encode(&[9; 24]));
    let unprefixed = text.trim_start_matches("whsec_");
    for spelling in [text.as_str(), unprefixed] {
        assert_eq!(spelling.parse::<Secret>().unwrap().reveal(), text);
    }
    for bad in ["", "whsec_", "whsec_!", "whsk_AAAA", &text[..text.len() - 1], &format!("{text}=")] {
        assert!(bad.parse::<Secret>().is_err(), "{bad}");
    }
    assert_eq!(format!("{:?}", text.parse::<Secret>().unwrap()), "(secret)");
}

#[test]
fn a_derived_secret_is_that_of_its_endpoint_and_generation_alone() {
    let (one, other) = (EndpointId::derive(&[b"1"]), EndpointId::derive(&[b"2"]));
    let secret = |master: &[u8], endpoint, generation| Secret::derive(master, endpoint, generation).reveal();
    let first = secret(b"master", &one, 1);
    assert_eq!(first, secret(b"master", &one, 1));
    for different in [
        secret(b"master", &one, 2),
        secret(b"master", &one, 11),
        secret(b"master", &other, 1),
        secret(b"Master", &one, 1),
    ] {
        assert_ne!(first, different);
    }
    // Computed with Python: hmac.new(b"master", b"guildhall webhook v1\0whe_…\0" + b"1", "sha256").
    assert_eq!(one.as_str(), "whe_nodle477gt6odhllqbhp6wr7k4");
    assert_eq!(first, "whsec_4UE6wyFoVGFLzDVmRZa9hLUM1N1TyAydci01pi75O04=");
    assert!(first.parse::<Secret>().is_ok());
}

proptest! {
    #[test]
    fn what_is_signed_with_two_secrets_is_taken_with_either_and_with_no_third(
        one in prop::collection::vec(any::<u8>(), 24..=64),
        other in prop::collection::vec(any::<u8>(), 24..=64),
        third in prop::collection::vec(any::<u8>(), 24..=64),
        body in prop::collection::vec(any::<u8>(), 0..200),
        flipped in any::<prop::sample::Index>(),
    ) {
        prop_assume!(third != one && third != other);
        let read = |bytes: &[u8]| BASE64.encode(bytes).parse::<Secret>().unwrap();
        let secrets = [read(&one), read(&other)];
        let headers = headers("msg_a", &NOW.to_string(), &sign(&secrets, "msg_a", NOW, &body));
        for secret in &secrets {
            prop_assert_eq!(verify(secret, &headers, &body, NOW), Ok(()));
            if !body.is_empty() {
                let mut changed = body.clone();
                changed[flipped.index(body.len())] ^= 1;
                prop_assert_eq!(verify(secret, &headers, &changed, NOW), Err(Rejected::Signature));
            }
        }
        prop_assert_eq!(verify(&read(&third), &headers, &body, NOW), Err(Rejected::Signature));
    }
}
