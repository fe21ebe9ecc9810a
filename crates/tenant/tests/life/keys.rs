//! Keys as text.

use primitives::{Digest, TenantId};
use proptest::prelude::*;
use tenant::Refusal;
use tenant::key::{Environment, KeyId, KeyText, Parsed, shown};

/// Made with Python: `base64.b32encode` of the bytes 0 to 15, 16 to 25 and 32 to 63, and of the four bytes of `zlib.crc32`.
const TEST: &str = "gld_test_aaaqeayeaudaocajbifqydiob4caireeyuculbogazeaqseizeeutcokbjfivsyljof4ydcmrtgq2tmnzyhe5dwpb5hy7qwofw6jy";
const LIVE: &str = "gld_live_aaaqeayeaudaocajbifqydiob4caireeyuculbogazeaqseizeeutcokbjfivsyljof4ydcmrtgq2tmnzyhe5dwpb5hy7qrfy72ai";
/// `hashlib.sha256` of the 52 characters of the secret.
const DIGEST: &str = "f69c3e30b61a8652a00fdb3458bd4daf4026296491c1211a46b206d29fa68a0b";

fn parts() -> (TenantId, KeyId, [u8; 32]) {
    let bytes = |from: u8| core::array::from_fn(|index| from + u8::try_from(index).unwrap());
    let id: [u8; 10] = core::array::from_fn(|index| 16 + u8::try_from(index).unwrap());
    ("ten_aaaqeayeaudaocajbifqydiob4".parse().unwrap(), KeyId::from_random(id), bytes(32))
}

#[test]
fn keys_are_written_and_read_as_elsewhere() {
    let (tenant, id, secret) = parts();
    for (environment, text) in [(Environment::Test, TEST), (Environment::Live, LIVE)] {
        let key = KeyText::write(environment, &tenant, &id, secret);
        assert_eq!(key.reveal(), text);
        assert_eq!(key.digest().to_string(), DIGEST);
        let parsed: Parsed = text.parse().unwrap();
        let expected = Parsed { environment, tenant: tenant.clone(), id: id.clone(), secret: key.digest() };
        assert_eq!(parsed, expected);
        assert!(text.starts_with(&shown(environment, &tenant, &id)));
    }
}

#[test]
fn a_key_is_for_one_environment() {
    let parsed: Parsed = LIVE.parse().unwrap();
    assert_eq!(parsed.presented(Environment::Test), Err(Refusal::WrongEnvironment));
    assert_eq!(parsed.presented(Environment::Live).unwrap().id, parsed.id);
}

#[test]
fn what_is_no_key_is_none() {
    let upper = TEST.to_ascii_uppercase();
    let swapped = TEST.replace("gld_test_", "gld_live_");
    let longer = format!("{TEST}a");
    let spaced = format!(" {TEST}");
    for text in [
        "",
        "gld_test_",
        &TEST[..109],
        &longer,
        &spaced,
        &upper,
        &swapped,
        "gld_key_aaaa",
        "é",
        "gld_test_éé",
    ] {
        assert!(text.parse::<Parsed>().is_err(), "{text}");
    }
}

proptest! {
    // A CRC of 32 bits finds every mistake in one place.
    #[test]
    fn one_character_that_is_wrong_is_found(at in 9_usize..110, with in "[a-z2-7]") {
        let mut text = TEST.to_owned();
        text.replace_range(at..=at, &with);
        prop_assert_eq!(text.parse::<Parsed>().is_ok(), text == TEST);
    }

    #[test]
    fn every_key_that_is_written_is_read(tenant in any::<[u8; 16]>(), id in any::<[u8; 10]>(), secret in any::<[u8; 32]>()) {
        let (tenant, id) = (TenantId::derive(&[&tenant]), KeyId::from_random(id));
        let key = KeyText::write(Environment::Test, &tenant, &id, secret);
        let parsed: Parsed = key.reveal().parse().unwrap();
        prop_assert_eq!((parsed.tenant, parsed.id, parsed.secret), (tenant, id, key.digest()));
        prop_assert_ne!(key.digest(), Digest::of(&[b""]));
    }

    #[test]
    fn nothing_breaks_the_parser(text in ".{0,130}") {
        prop_assert!(text.parse::<Parsed>().is_err());
    }
}
