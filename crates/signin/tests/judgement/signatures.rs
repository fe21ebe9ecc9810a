//! Who signed: the address's key, a contract, or nobody.

use eip712::{Signer, personal_digest};
use primitives::UnixMillis;
use proptest::prelude::*;
use signin::{Answer, Message, Question, Refusal, Verdict, limits::SIGNATURE_BYTES, verify};

use crate::{ISSUED, MINUTE, expected, hexadecimal, message, person, signed};

fn verdict(text: &str, signature: &str) -> Result<Verdict, Refusal> {
    verify(text, signature, &expected(), UnixMillis(ISSUED))
}

#[track_caller]
fn question(signature: &str) -> Question {
    match verdict(&message().text(), signature) {
        Ok(Verdict::NeedsChain(question)) => question,
        other => panic!("{other:?}"),
    }
}

/// W5
#[test]
fn the_key_of_the_address_signs_in_at_once() {
    let until = UnixMillis(ISSUED + MINUTE);
    for expires in [None, Some(until)] {
        let text = Message { expiration_time: expires.map(Into::into), ..message() }.text();
        let Ok(Verdict::SignedIn(sign_in)) = verdict(&text, &signed(&text)) else { panic!("not signed in") };
        assert_eq!((sign_in.address(), sign_in.chain_id()), (person().address(), 84_532));
        assert_eq!(sign_in.expires(), expires);
    }
}

/// W5: a contract may vouch for whatever bytes it likes, so that these are asked about and never believed.
#[test]
fn every_other_signature_is_a_question_to_the_chain() {
    let text = message().text();
    let stranger = Signer::from_bytes(&[0x22; 32]).unwrap();
    let mut other_v = person().sign(personal_digest(&text));
    other_v[64] -= 27;
    let signatures = [
        hexadecimal(&stranger.sign(personal_digest(&text))),
        signed("another text"),
        hexadecimal(&other_v),
        signed(&text)[..130].to_owned(),
        format!("{}00", signed(&text)),
        hexadecimal(&[0; 65]),
        hexadecimal(&[0xff; SIGNATURE_BYTES]),
        "0x".to_owned(),
    ];
    for signature in signatures {
        let question = question(&signature);
        assert_eq!(question.address(), person().address());
        assert_eq!(question.chain_id(), 84_532);
        assert_eq!(question.digest(), personal_digest(&text));
        assert_eq!(hexadecimal(question.signature()), signature);
        assert_eq!(question.clone().answered(Answer::Denies), Err(Refusal::OtherSigner));
        assert_eq!(question.answered(Answer::Vouches).unwrap().address(), person().address());
    }
}

/// W5: the twin of a good signature, with n − s for s.
#[test]
fn a_high_s_signature_is_not_the_keys() {
    let text = message().text();
    let mut twin = person().sign(personal_digest(&text));
    let order =
        eip712::U256::from_str_radix("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
            .unwrap();
    let s = eip712::U256::from_be_slice(&twin[32..64]);
    twin[32..64].copy_from_slice(&(order - s).to_be_bytes::<32>());
    twin[64] = 27 + 28 - twin[64];
    question(&hexadecimal(&twin));
}

/// W5
#[test]
fn what_is_not_hexadecimal_or_too_long_is_refused() {
    let text = message().text();
    let good = signed(&text);
    let too_long = hexadecimal(&[0; SIGNATURE_BYTES + 1]);
    for signature in [
        "",
        "0",
        "0x0",
        "0xzz",
        &good[2..],
        &good[..131],
        &format!("{good} "),
        &good.replacen('x', "X", 1),
        &too_long,
    ] {
        assert_eq!(verdict(&text, signature), Err(Refusal::Signature), "{signature}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// W5: over another message nobody has signed in, however small the difference.
    #[test]
    fn a_signature_is_good_for_its_text_alone(path in "[a-z]{0,5}", other in "[a-z]{0,5}") {
        prop_assume!(path != other);
        let text = |path: &str| Message {
            uri: format!("https://guildhall.example/{path}").parse().unwrap(), ..message()
        }.text();
        let signature = signed(&text(&path));
        prop_assert!(matches!(verdict(&text(&path), &signature), Ok(Verdict::SignedIn(_))));
        prop_assert!(matches!(verdict(&text(&other), &signature), Ok(Verdict::NeedsChain(_))));
    }
}
