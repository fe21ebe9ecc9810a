//! Our declarations are those of the Solidity sources, word by word, and what was compiled from them has the same
//! signatures.

use std::collections::BTreeSet;

use eip712::mandates::IMandates::{IMandatesCalls, IMandatesErrors, IMandatesEvents};
use serde_json::Value;

const OURS: &str = include_str!("../../src/mandates/interface.rs");
const THEIRS: [&str; 3] = [
    include_str!("../../../../contracts/src/mandates/Reason.sol"),
    include_str!("../../../../contracts/src/mandates/Types.sol"),
    include_str!("../../../../contracts/src/mandates/IMandates.sol"),
];
const ARTIFACT: &str = include_str!("../../../../contracts/artifacts/Mandates.json");

/// Every enum, struct, event, error and function, without comments and with one spelling of white space.
fn declarations(source: &str) -> BTreeSet<String> {
    let code: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap()).collect();
    let code = code.join(" ");
    let mut declarations = BTreeSet::new();
    let mut rest = code.as_str();
    while let Some(start) = ["enum ", "struct ", "event ", "error ", "function "]
        .iter()
        .filter_map(|keyword| rest.find(&format!(" {keyword}")))
        .min()
    {
        let from = &rest[start..];
        let end = from.find(if from.starts_with(" enum") || from.starts_with(" struct") { '}' } else { ';' });
        let (declaration, after) = from.split_at(end.unwrap());
        let words: String = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
        declarations.insert(
            ["( ", " )", "{ ", " }", " {", ", "]
                .iter()
                .fold(words, |words, spaced| words.replace(spaced, spaced.trim())),
        );
        rest = after;
    }
    declarations
}

/// What only we declare: what is signed and never sent, and what the contract has from OpenZeppelin.
const ONLY_OURS: [&str; 18] = [
    "struct Approval",
    "struct Delivery",
    "struct Capture",
    "struct Void",
    "struct Refund",
    "struct Accept",
    "struct Dispute",
    "struct Cancel",
    "struct Resolution",
    "struct CreditWithdrawal",
    "event EIP712DomainChanged",
    "function eip712Domain",
    "error FailedDeployment",
    "error InsufficientBalance",
    "error InvalidShortString",
    "error ReentrancyGuardReentrantCall",
    "error SafeERC20FailedOperation",
    "error StringTooLong",
];

#[test]
fn every_declaration_is_the_source_s() {
    let ours = declarations(&OURS.replace(" OtherToken,", " Token,"));
    let theirs: BTreeSet<String> = THEIRS.iter().flat_map(|source| declarations(source)).collect();
    assert!(theirs.len() > 70, "{theirs:#?}");
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert!(missing.is_empty(), "these are in the sources and not here: {missing:#?}");
    let additional: Vec<_> =
        ours.difference(&theirs).map(|each| each.split(['{', '(']).next().unwrap()).collect();
    let mut expected = ONLY_OURS;
    expected.sort_unstable();
    assert_eq!(additional, expected);
}

/// The type of a parameter as a signature writes it.
fn kind(parameter: &Value) -> String {
    let name = parameter["type"].as_str().unwrap();
    match name.strip_prefix("tuple") {
        Some(array) => format!("{}{array}", kinds(&parameter["components"])),
        None => name.to_owned(),
    }
}

fn kinds(parameters: &Value) -> String {
    let kinds: Vec<String> = parameters.as_array().unwrap().iter().map(kind).collect();
    format!("({})", kinds.join(","))
}

#[test]
fn the_compiled_contract_has_our_functions_events_and_errors() {
    let artifact: Value = serde_json::from_str(ARTIFACT).unwrap();
    let compiled = |wanted: &str| -> BTreeSet<String> {
        let items = artifact["abi"].as_array().unwrap().iter().filter(|item| item["type"] == wanted);
        items.map(|item| format!("{}{}", item["name"].as_str().unwrap(), kinds(&item["inputs"]))).collect()
    };
    for (wanted, ours) in [
        ("function", IMandatesCalls::SIGNATURES),
        ("event", IMandatesEvents::SIGNATURES),
        ("error", IMandatesErrors::SIGNATURES),
    ] {
        let ours: BTreeSet<String> = ours.iter().map(|&signature| signature.to_owned()).collect();
        assert_eq!(compiled(wanted), ours, "left is the compiled contract's, right is ours");
    }
}

/// Selectors and topics as another implementation hashes them.
#[test]
fn every_selector_and_topic() {
    let known = |name: &str| -> BTreeSet<(String, Vec<u8>)> {
        let items = super::list(name);
        items
            .iter()
            .map(|item| (super::text(item, "signature").to_owned(), super::bytes(item, "selector")))
            .collect()
    };
    fn ours<const N: usize>(signatures: &[&str], selectors: &[[u8; N]]) -> BTreeSet<(String, Vec<u8>)> {
        signatures
            .iter()
            .map(|&each| each.to_owned())
            .zip(selectors.iter().map(|each| each.to_vec()))
            .collect()
    }
    assert_eq!(known("functions"), ours(IMandatesCalls::SIGNATURES, IMandatesCalls::SELECTORS));
    assert_eq!(known("events"), ours(IMandatesEvents::SIGNATURES, IMandatesEvents::SELECTORS));
    assert_eq!(known("errors"), ours(IMandatesErrors::SIGNATURES, IMandatesErrors::SELECTORS));
}
