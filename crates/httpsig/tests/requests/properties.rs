//! Requests and headers by chance.

use httpsig::{Edition, Input, Stamp, check_content_digest};
use primitives::Millis;
use proptest::prelude::*;

use super::{NOW, STAMP, Sent, signer};

fn request() -> impl Strategy<Value = Sent> {
    let parts = (
        "(GET|POST|PUT|PATCH|DELETE)",
        "(/[a-z0-9%.~_-]{0,8}){1,4}",
        proptest::option::of("[a-z=&%+0-9]{0,16}"),
        "([ -~\n]{1,40})?",
        "[!-~]([ -~]{0,20}[!-~])?",
    );
    parts.prop_map(|(method, path, query, body, value)| {
        let mut sent = Sent::new(&method, &path, query.as_deref(), &body);
        sent.set("idempotency-key", value);
        sent
    })
}

fn signed() -> impl Strategy<Value = Sent> {
    let edition = prop::sample::select(vec![Edition::Tagged, Edition::Prefixed]);
    (request(), edition, "[A-Za-z0-9_-]{1,128}", 1_u64..=300).prop_map(|(sent, edition, nonce, seconds)| {
        let lifetime = Millis::from_seconds(seconds);
        sent.signed(&Stamp { edition, nonce: &nonce, lifetime, also_covered: &["idempotency-key"], ..STAMP })
    })
}

/// Puts another character in the place of one.
fn altered(text: &str, place: prop::sample::Index, letter: char) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return letter.to_string();
    }
    let place = place.index(letters.len());
    let instead = if letters[place] == letter { '~' } else { letter };
    letters[place] = if letters[place] == instead { 'x' } else { instead };
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// H1, H2: one changed character anywhere in what counts, and the signature is nobody's.
    #[test]
    fn h1_no_single_change_is_accepted(
        sent in signed(), part in 0_usize..8, place in any::<prop::sample::Index>(), letter in prop::char::range('!', '~'),
    ) {
        prop_assert_eq!(sent.verdict().map(|verified| verified.signer), Ok(signer(0x11).address()));
        let mut other = sent.clone();
        match part {
            0 => other.method = altered(&sent.method, place, letter),
            1 => other.path = altered(&sent.path, place, letter),
            2 => other.query = Some(altered(sent.query.as_deref().unwrap_or_default(), place, letter)),
            3 => other.body = altered(std::str::from_utf8(&sent.body).unwrap(), place, letter).into_bytes(),
            header => {
                let name = ["idempotency-key", "signature-input", "signature", "content-digest"][header - 4];
                let value = sent.header(name).unwrap_or_default();
                other.set(name, altered(&value, place, letter));
            }
        }
        // To the first drafts a digest that comes without a body, and is not covered, says nothing.
        let is_prefixed = !sent.header("signature-input").unwrap_or_default().contains(";tag=");
        let is_idle = part == 7 && sent.body.is_empty() && is_prefixed;
        prop_assert_eq!(other.verdict().is_ok(), is_idle);
    }

    /// H8: whatever a stranger writes, there is an answer.
    #[test]
    fn h8_no_text_makes_a_parser_fail(value in "\\PC{0,80}", input in "[a-z=(\")@; ,:?\\\\*0-9-]{0,80}") {
        let _ = Input::parse(&value);
        let _ = Input::parse(&input);
        let _ = check_content_digest(&value, b"");
        let _ = check_content_digest(&input, b"");
        for name in ["signature-input", "signature", "content-digest", "x-guildhall-agent"] {
            for text in [&value, &input] {
                let mut sent = super::whole();
                sent.set(name, text.clone());
                if name == "x-guildhall-agent" {
                    sent.unset("signature-input");
                }
                prop_assert!(sent.verdict().is_err());
            }
        }
    }

    /// H5: what is read is written in one way, so cutting or doubling a part of it is seen.
    #[test]
    fn h8_a_damaged_header_is_refused(sent in signed(), cut in any::<prop::sample::Index>(), doubled in any::<bool>()) {
        for name in ["signature-input", "signature"] {
            let value = sent.header(name).unwrap();
            let (start, end) = value.split_at(cut.index(value.len()));
            let damaged = if doubled { format!("{start}{value}") } else { start.to_owned() };
            prop_assume!(!doubled || !start.is_empty());
            let mut other = sent.clone();
            other.set(name, damaged);
            prop_assert!(other.verdict().is_err(), "{} lost {}", name, end);
        }
        prop_assert!(sent.judged(&super::POLICY, NOW).is_ok());
    }
}
