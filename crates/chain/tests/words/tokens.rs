//! Calldata against another implementation, and what a token may return.

use chain::account::is_valid_signature;
use chain::limits::TOKEN_TEXT_BYTES;
use chain::token::{
    authorization_state, balance_of, name, read_bool, read_text, read_uint, transfer_by_contract,
    transfer_by_key, version,
};
use eip712::{TransferWithAuthorization, U256};

use crate::{known, known_bytes};

fn transfer() -> TransferWithAuthorization {
    let known = known();
    let number = |name: &str| U256::from_str_radix(known[name].as_str().unwrap(), 10).unwrap();
    TransferWithAuthorization {
        from: known["from"].as_str().unwrap().parse().unwrap(),
        to: known["to"].as_str().unwrap().parse().unwrap(),
        value: number("value"),
        valid_after: number("validAfter"),
        valid_before: number("validBefore"),
        nonce: known["nonce"].as_str().unwrap().parse().unwrap(),
    }
}

// C4
#[test]
fn a_keys_signature_goes_as_three_scalars_and_a_contracts_as_bytes() {
    let signature = known_bytes("signature");
    let mut long = signature.clone();
    long.extend([0xcd; 32]);
    let by_key = transfer_by_key(&transfer(), signature.as_slice().try_into().unwrap());
    assert_eq!(by_key[..4], [0xe3, 0xee, 0x16, 0x0e]);
    assert_eq!(by_key, known_bytes("transferWithSignature65"));
    for (signature, expected) in [
        (&signature[..64], "transferWithSignature64"),
        (&[][..], "transferWithSignature0"),
        (&long, "transferWithSignature97"),
    ] {
        let calldata = transfer_by_contract(&transfer(), signature);
        assert_eq!(calldata[..4], [0xcf, 0x09, 0x29, 0x95], "{expected}");
        assert_eq!(calldata, known_bytes(expected), "{expected}");
    }
    // A contract's signature may have the length of a key's.
    assert_eq!(transfer_by_contract(&transfer(), &signature)[..4], [0xcf, 0x09, 0x29, 0x95]);
}

// C4
#[test]
fn every_question_to_a_contract_is_encoded_as_elsewhere() {
    let TransferWithAuthorization { from, nonce, .. } = transfer();
    assert_eq!(authorization_state(from, nonce), known_bytes("authorizationState"));
    assert_eq!(authorization_state(from, nonce)[..4], [0xe9, 0x4a, 0x01, 0x02]);
    assert_eq!(balance_of(from), known_bytes("balanceOf"));
    assert_eq!(name(), known_bytes("name"));
    assert_eq!(version(), known_bytes("version"));
    assert_eq!(is_valid_signature(nonce, &known_bytes("signature")), known_bytes("isValidSignature"));
}

#[test]
fn a_truth_value_is_one_word() {
    let word = |last: u8| U256::from(last).to_be_bytes::<32>().to_vec();
    assert_eq!(read_bool(&word(0)), Ok(false));
    assert_eq!(read_bool(&word(1)), Ok(true));
    let mut high = word(0);
    high[0] = 1;
    for wrong in [vec![], vec![1], word(2), high, word(1)[1..].to_vec(), [word(1), word(0)].concat()] {
        assert!(read_bool(&wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_number_is_one_word() {
    assert_eq!(read_uint(&[0xff; 32]), Ok(U256::MAX));
    assert_eq!(read_uint(&U256::from(10_000).to_be_bytes::<32>()), Ok(U256::from(10_000)));
    for length in [0, 31, 33, 64] {
        assert!(read_uint(&vec![0; length]).is_err(), "{length}");
    }
}

#[test]
fn a_text_has_one_encoding() {
    for (vector, text) in
        [("textUsdc", "USDC"), ("textEmpty", ""), ("text32", "x".repeat(32).as_str()), ("textWide", "₮ether")]
    {
        let encoded = known_bytes(vector);
        assert_eq!(read_text(&encoded).as_deref(), Ok(text));
        let mut longer = encoded.clone();
        longer.push(0);
        assert!(read_text(&longer).is_err(), "{vector} with a byte after it");
        assert!(read_text(&encoded[..encoded.len() - 1]).is_err(), "{vector} without its last byte");
    }
    let mut dirty = known_bytes("textUsdc");
    *dirty.last_mut().unwrap() = 1;
    let mut elsewhere = known_bytes("textUsdc");
    elsewhere[31] = 0x40;
    let mut endless = known_bytes("textUsdc");
    endless[32..64].fill(0xff);
    let mut not_utf8 = known_bytes("textUsdc");
    not_utf8[64] = 0xff;
    for wrong in [vec![], b"USDC".to_vec(), dirty, elsewhere, endless, not_utf8] {
        assert!(read_text(&wrong).is_err(), "{wrong:?}");
    }
}

// C1
#[test]
fn a_text_is_bounded() {
    let encoded = |length: usize| {
        let mut encoded = vec![0; 64];
        encoded[31] = 0x20;
        encoded[62..64].copy_from_slice(&u16::try_from(length).unwrap().to_be_bytes());
        encoded.resize(64 + length.next_multiple_of(32), 0);
        encoded[64..64 + length].fill(b'x');
        encoded
    };
    assert_eq!(read_text(&encoded(TOKEN_TEXT_BYTES)).map(|text| text.len()), Ok(TOKEN_TEXT_BYTES));
    assert!(read_text(&encoded(TOKEN_TEXT_BYTES + 1)).is_err());
}
