//! Addresses and signatures as text.

use chain::solana::{Address, Signature, Token};
use proptest::prelude::*;

/// The address of SPL Token, as its own source writes it.
const TOKEN_PROGRAM: &str = "06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9";

#[test]
fn known_addresses_have_their_known_text() {
    assert_eq!(Address([0; 32]).to_string(), "11111111111111111111111111111111", "the system program");
    assert_eq!("11111111111111111111111111111111".parse(), Ok(Address([0; 32])));
    assert_eq!(Token::PROGRAM.to_string(), "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
    assert_eq!(hex::encode(Token::PROGRAM.0), TOKEN_PROGRAM);
    assert_eq!(Token::USDC.mint.to_string(), "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    assert_eq!((Token::USDC.program, Token::USDC.decimals), (Token::PROGRAM, 6));
    assert_eq!(format!("{:?}", Signature([0xff; 64])), Signature([0xff; 64]).to_string());
}

#[test]
fn other_texts_are_refused() {
    let mint = Token::USDC.mint.to_string();
    for bad in [
        String::new(),
        mint[3..].to_owned(),
        format!("{mint}1"),
        format!("1{mint}"),
        format!(" {mint}"),
        mint.replace('E', "0"),
        mint.replace('E', "l"),
        "1".repeat(31),
        "1".repeat(33),
        "z".repeat(44),
        "1".repeat(1_000_000),
        "é".repeat(32),
    ] {
        assert!(bad.parse::<Address>().is_err(), "{bad:.60}");
        assert!(bad.parse::<Signature>().is_err(), "{bad:.60}");
    }
    assert!(Signature([7; 64]).to_string().parse::<Address>().is_err());
    let refusal = "x".parse::<Signature>().unwrap_err();
    assert_eq!(refusal.to_string(), "is not a valid Solana signature: 64 bytes in base58");
}

proptest! {
    #[test]
    fn bytes_read_back_from_their_text(address in any::<[u8; 32]>(), low in any::<[u8; 32]>()) {
        prop_assert_eq!(Address(address).to_string().parse(), Ok(Address(address)));
        let signature = Signature([address, low].concat().try_into().unwrap());
        prop_assert_eq!(signature.to_string().parse(), Ok(signature));
    }
}
