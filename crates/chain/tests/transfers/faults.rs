//! Reasons and their words.

use std::collections::BTreeSet;

use chain::{Reason, Why};

const REASONS: [Reason; 8] = [
    Reason::Reverted,
    Reason::WrongMint,
    Reason::WrongReceiver,
    Reason::WrongPayer,
    Reason::AmountTooSmall,
    Reason::NotTransferred,
    Reason::OutsideWindow,
    Reason::ReferenceMissing,
];

const WHYS: [Why; 7] = [
    Why::NotFound,
    Why::NotFinal,
    Why::NodeFault,
    Why::Unreadable,
    Why::NoBlockTime,
    Why::WrongDecimals,
    Why::WrongProgram,
];

#[test]
fn each_has_a_word_and_a_sentence_of_its_own() {
    let reasons = REASONS.map(|reason| (reason.code(), reason.to_string()));
    let whys = WHYS.map(|why| (why.code(), why.to_string()));
    let all: Vec<_> = reasons.into_iter().chain(whys).collect();
    let codes: BTreeSet<_> = all.iter().map(|(code, _)| code).collect();
    let sentences: BTreeSet<_> = all.iter().map(|(_, sentence)| sentence).collect();
    assert_eq!((codes.len(), sentences.len()), (15, 15));
    assert!(all.iter().all(|(code, _)| code.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())));
    assert!(all.iter().all(|(_, sentence)| sentence.ends_with('.')));
}
