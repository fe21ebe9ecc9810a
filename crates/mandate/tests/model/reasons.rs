//! The reasons are those of the contract, and each has words.

use std::fs;
use std::path::Path;

use alloy_primitives::U256;
use mandate::{Reason, Refused, State, Status, Terms, Unit};

use crate::cast::{RESOLVER, TERMS};

/// The names of an enum in a Solidity file, each with its comment.
fn variants(file: &str, name: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contracts/src/mandates");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let (_, rest) = text.split_once(&format!("enum {name} {{")).unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let mut comment = String::new();
    let mut found = Vec::new();
    for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(words) = line.strip_prefix("///") {
            comment += words;
        } else if !line.starts_with("//") {
            found.push((line.trim_end_matches(',').to_owned(), core::mem::take(&mut comment)));
        }
    }
    found
}

#[test]
fn names_and_numbers_are_those_of_the_contract() {
    let of_contract: Vec<_> = variants("Reason.sol", "Reason").into_iter().map(|(name, _)| name).collect();
    let ours: Vec<_> = Reason::ALL.iter().map(|reason| format!("{reason:?}")).collect();
    assert_eq!(ours, of_contract);
    for (number, reason) in (0..).zip(Reason::ALL) {
        assert_eq!(reason.number(), number);
        assert_eq!(Reason::from_number(number), Some(*reason));
    }
    assert_eq!(Reason::from_number(u8::try_from(Reason::ALL.len()).unwrap()), None);
}

#[test]
fn states_have_the_numbers_of_the_contract() {
    let states: Vec<_> = State::ALL.iter().map(|state| (format!("{state:?}"), state.number())).collect();
    let statuses: Vec<_> =
        Status::ALL.iter().map(|status| (format!("{status:?}"), status.number())).collect();
    let of_contract = |name| variants("Types.sol", name).into_iter().map(|(name, _)| name).zip(0..);
    assert_eq!(states, of_contract("State").collect::<Vec<_>>());
    assert_eq!(statuses, of_contract("Status").skip(1).collect::<Vec<_>>());
    assert_eq!(State::from_number(U256::from(9)), None);
    assert_eq!(Status::from_number(U256::ZERO), None);
}

#[test]
fn the_contract_says_of_each_number_what_we_say() {
    for ((name, comment), reason) in variants("Reason.sol", "Reason").into_iter().zip(Reason::ALL).skip(1) {
        let (words, numbers) = comment.rsplit_once(": ").unwrap_or_else(|| panic!("{name}: {comment}"));
        let (got, limit) = numbers.trim_end_matches('.').split_once(" · ").unwrap();
        let (unit_of_got, unit_of_limit) = reason.units();
        assert!(!words.is_empty());
        for (text, unit) in [(got, unit_of_got), (limit, unit_of_limit)] {
            // These two are of a zero that the explanation shows as what it would be.
            let is_zero = text == "0" && !["ZeroAmount", "ZeroCap"].contains(&name.as_str());
            assert_eq!(is_zero, unit == Unit::Nothing, "{name}: {text:?} is no {unit:?}");
            let is_time = ["now", "end", "start", "By", "when"].iter().any(|word| text.contains(word));
            if unit == Unit::Time {
                assert!(is_time, "{name}: {text:?} is no {unit:?}");
            }
            if text == "now" {
                assert_eq!(unit, Unit::Time, "{name}");
            }
        }
    }
}

#[test]
fn codes_are_the_names_in_small_letters_and_also_the_json() {
    for reason in Reason::ALL {
        let mut code = String::new();
        for letter in format!("{reason:?}").chars() {
            if letter.is_ascii_uppercase() && !code.is_empty() {
                code.push('_');
            }
            code.push(letter.to_ascii_lowercase());
        }
        assert_eq!(reason.code(), code);
        assert_eq!(serde_json::to_string(reason).unwrap(), format!("\"{code}\""));
    }
}

#[test]
fn each_reason_says_its_numbers_and_what_to_do() {
    for reason in Reason::ALL.iter().skip(1) {
        let (got, limit) = reason.units();
        let words = reason.words();
        // Where the code says it all already, the number is not repeated.
        assert!(got != Unit::Nothing || !words.contains("{got}"), "{reason}");
        assert!(limit != Unit::Nothing || !words.contains("{limit}"), "{reason}");
        assert!(words.ends_with('.') && words.matches(". ").count() >= 1, "{reason}: {words}");
        let said = Refused::new(*reason, 1, 2).to_string();
        assert!(!said.contains(['{', '}']), "{said}");
    }
}

#[test]
fn numbers_are_shown_as_what_they_are() {
    let said = |reason, got, limit| Refused::new(reason, U256::from(got), U256::from(limit)).to_string();
    assert_eq!(
        said(Reason::RequestExpired, 1_796_040_000_u64, 1_796_039_999_u64),
        "It is 2026-11-30T12:00:00.000Z, and the request was valid until 2026-11-30T11:59:59.000Z. Sign a new request."
    );
    assert_eq!(
        said(Reason::State, 4, 3),
        "The payment is disputed, and this needs one that is delivered. Look at the payment first."
    );
    assert_eq!(
        said(Reason::NotPaused, 1, 2),
        "The mandate is active and not paused. There is nothing to unpause."
    );
    assert_eq!(
        said(Reason::SilenceShare, 10_001, 10_000),
        "The provider's share of 10001 basis points is more than the whole of 10000 basis points. Choose a share of at \
         most that."
    );
    assert_eq!(
        said(Reason::AmendDelay, 3_599, 3_600),
        "The delay of 3599 seconds breaks the bound of 3600 seconds. Choose one within 1 hour to 30 days."
    );
    let terms =
        Refused::new(Reason::Terms, TERMS.packed(), Terms { silence_bps: 1, ..TERMS }.packed()).to_string();
    assert!(
        terms.starts_with("The terms of the request are 3600 s to dispute, 7200 s to resolve by 0x0404"),
        "{terms}"
    );
    assert!(
        terms.contains("2500 basis points on silence, and those") && terms.contains("1 basis points"),
        "{terms}"
    );
    assert!(said(Reason::Token, 1, 2).contains("0x0000000000000000000000000000000000000001"));
    // Numbers that no state and no calendar has are shown and break nothing.
    assert!(said(Reason::State, 99, 3).contains("99"));
    assert!(Refused::new(Reason::RequestExpired, U256::MAX, U256::MAX).to_string().contains("9999-12-31"));
}

#[test]
fn waiting_helps_against_time_money_and_the_owners_will_alone() {
    let helps = |reason: &&Reason| reason.may_retry();
    let of_authorization: Vec<_> =
        Reason::ALL.iter().take(35).filter(helps).map(|reason| reason.code()).collect();
    assert_eq!(
        of_authorization,
        [
            "unknown_mandate",
            "paused",
            "mandate_not_started",
            "request_not_started",
            "entry_window_cap",
            "day_count",
            "day_cap",
            "month_cap",
            "ceiling",
            "funds",
            "approval_missing",
            "approval_expired",
            "approval_signature",
        ]
    );
}

#[test]
fn terms_are_packed_as_the_contract_packs_them() {
    let mut word = [0_u8; 32];
    word[2..22].copy_from_slice(RESOLVER.as_slice());
    word[22..24].copy_from_slice(&2_500_u16.to_be_bytes());
    word[24..28].copy_from_slice(&7_200_u32.to_be_bytes());
    word[28..].copy_from_slice(&3_600_u32.to_be_bytes());
    assert_eq!(TERMS.packed(), U256::from_be_bytes(word));
    assert_eq!(Terms::unpacked(TERMS.packed()), TERMS);
    let largest =
        Terms { challenge_period: u32::MAX, resolution_timeout: u32::MAX, silence_bps: u16::MAX, ..TERMS };
    assert_eq!(Terms::unpacked(largest.packed()), largest);
}

#[test]
fn each_reason_is_met_by_a_test_of_the_contract() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contracts/test/mandates");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let tests: String = files
        .filter(|path| path.extension().is_some_and(|end| end == "sol"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for (name, _) in variants("Reason.sol", "Reason") {
        let is_met = tests
            .split(&format!("Reason.{name}"))
            .skip(1)
            .any(|after| !after.starts_with(|next: char| next.is_ascii_alphanumeric()));
        assert!(is_met, "no test of the contract expects {name}");
    }
}
