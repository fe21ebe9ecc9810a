//! Kinds of accounts, a contract's yes, and signatures of contracts that are not deployed yet.

use chain::account::is_magic;
use chain::limits::WRAPPED_BYTES;
use chain::{Account, Wrapped6492};

use crate::{address, known, known_bytes};

fn delegated(target: &[u8]) -> Vec<u8> {
    [&[0xef, 0x01, 0x00], target].concat()
}

#[test]
fn code_tells_the_kind_of_account() {
    assert_eq!(Account::from_code(&[]), Account::Plain);
    assert_eq!(Account::from_code(&delegated(&[7; 20])), Account::Delegated(address(7)));
    for contract in [
        vec![0x60],
        vec![0xef, 0x01, 0x00],
        delegated(&[7; 19]),
        delegated(&[7; 21]),
        [vec![0xef, 0x01, 0x01], vec![7; 20]].concat(),
    ] {
        assert_eq!(Account::from_code(&contract), Account::Contract, "{contract:?}");
    }
}

#[test]
fn only_the_magic_word_is_a_yes() {
    let mut yes = vec![0x16, 0x26, 0xba, 0x7e];
    yes.resize(32, 0);
    assert!(is_magic(&yes));
    assert!(is_magic(&[&yes[..], &[0xff]].concat()), "what follows the word is passed over");

    let right_aligned = [&[0; 28], &yes[..4]].concat();
    let mut dirty = yes.clone();
    dirty[31] = 1;
    let mut next_to_it = yes.clone();
    next_to_it[4] = 1;
    let other = vec![0xff; 32];
    for no in [vec![], yes[..4].to_vec(), yes[..31].to_vec(), right_aligned, dirty, next_to_it, other] {
        assert!(!is_magic(&no), "{no:?}");
    }
}

#[test]
fn a_wrapped_signature_is_unwrapped() {
    let expected = Wrapped6492 {
        factory: known()["to"].as_str().unwrap().parse().unwrap(),
        factory_calldata: vec![0xde, 0xad, 0xbe, 0xef],
        signature: known_bytes("signature"),
    };
    assert_eq!(Wrapped6492::parse(&known_bytes("wrapped")), Ok(Some(expected)));
    assert_eq!(Wrapped6492::parse(&known_bytes("signature")), Ok(None));
    assert_eq!(Wrapped6492::parse(&[]), Ok(None));
    // One byte after the suffix, and it is not a suffix.
    assert_eq!(Wrapped6492::parse(&[&known_bytes("wrapped")[..], &[0]].concat()), Ok(None));
}

// C1
#[test]
fn what_ends_as_a_wrapped_signature_must_be_one_and_short() {
    let suffix = [0x64, 0x92].repeat(16);
    let wrapped = known_bytes("wrapped");
    let mut far = wrapped.clone();
    far[32..64].fill(0xff);
    let mut too_long = wrapped[..wrapped.len() - 32].to_vec();
    too_long.resize(WRAPPED_BYTES + 1 - 32, 0);
    too_long.extend(&suffix);
    let mut longest = wrapped[..wrapped.len() - 32].to_vec();
    longest.resize(WRAPPED_BYTES - 32, 0);
    longest.extend(&suffix);
    assert!(Wrapped6492::parse(&longest).is_ok_and(|wrapped| wrapped.is_some()));
    for wrong in [suffix.clone(), [&[0; 64], &suffix[..]].concat(), wrapped[32..].to_vec(), far, too_long] {
        assert!(Wrapped6492::parse(&wrong).is_err(), "{} bytes", wrong.len());
    }
}
