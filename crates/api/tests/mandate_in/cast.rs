//! Who plays: the parties of the vectors that viem computed, and a ledger in the place of their contract.

use alloy_primitives::{Address, B256, hex};
use api::binding::{Caller, Once};
use api::problem::Problem;
use api::settings::Ledger;
use eip712::{Domain, Signer};
use mandate::Signature;
use primitives::{Digest, UnixMillis};
use serde_json::{Value, json};

/// Everything that viem signed, hashed and encoded.
pub(crate) fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../tests/vectors/mandates.json")).unwrap()
}

/// The vectors' struct of that name; of two the first.
pub(crate) fn vector(name: &str) -> Value {
    let vectors = vectors();
    let structs = vectors["structs"].as_array().unwrap();
    structs.iter().find(|one| one["type"] == name).unwrap().clone()
}

pub(crate) fn ledger() -> Ledger {
    let vectors = vectors();
    let address = |value: &Value| value.as_str().unwrap().parse().unwrap();
    Ledger {
        chain_id: 84_532,
        address: address(&vectors["domain"]["verifyingContract"]),
        token: address(&vectors["token"]),
    }
}

pub(crate) fn signer(name: &str) -> Signer {
    let key = vectors()["parties"][name]["privateKey"].as_str().unwrap().to_owned();
    Signer::from_bytes(&hex::decode_to_array(key).unwrap()).unwrap()
}

pub(crate) fn address(name: &str) -> Address {
    signer(name).address()
}

pub(crate) fn signed(name: &str, digest: B256) -> String {
    hex::encode_prefixed(signer(name).sign(digest))
}

/// Domains that a signature for this ledger is not for.
pub(crate) fn other_domains() -> [Domain; 4] {
    let ours = ledger().domain();
    [
        Domain { name: "Guildhall".to_owned(), ..ours.clone() },
        Domain { version: "2".to_owned(), ..ours.clone() },
        Domain { chain_id: 8_453, ..ours.clone() },
        Domain { verifying_contract: Address::repeat_byte(1), ..ours },
    ]
}

/// A caller whose HTTP request is signed.
pub(crate) fn signature_of(account: Address) -> Caller {
    Caller::Signature(account, Once { key: Digest::ZERO, until: UnixMillis(1) })
}

#[track_caller]
pub(crate) fn assert_of(signature: Signature, name: &str) {
    assert_eq!(signature, Signature::Of(address(name)));
}

/// The places of the faults of a refused body.
#[track_caller]
pub(crate) fn places<T: core::fmt::Debug>(read: Result<T, Problem>) -> Vec<String> {
    let problem = read.unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_body"), "{problem:?}");
    problem.errors.into_iter().map(|fault| fault.field).collect()
}

/// The same body with one value in another place of it (a JSON pointer). A null removes.
pub(crate) fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(object), Value::Null) => drop(object.remove(name)),
        (Value::Object(object), value) => drop(object.insert(name.to_owned(), value)),
        (parent, value) => parent[name.parse::<usize>().unwrap()] = value,
    }
    body
}

/// The body of a mandate that says everything.
pub(crate) fn creation() -> Value {
    json!({
        "salt": format!("0x{}", "5A".repeat(32)),
        "label": "Translations",
        "agent": address("agent").to_string(),
        "amendDelaySeconds": 7_200,
        "policy": {
            "validAfter": "2027-01-15T08:00:00.999Z",
            "validBefore": "2028-01-15T09:00:00+01:00",
            "paymentCap": "200000000",
            "dayCap": "500000000",
            "monthCap": "900000000",
            "lifetimeCap": "5000000000",
            "dayCount": 20,
            "approvalAbove": "50000000",
            "terms": {
                "challengePeriodSeconds": 3_600,
                "resolutionTimeoutSeconds": 90_000,
                "silenceBps": 2_500,
                "resolver": format!("{:#x}", address("resolver")),
            },
        },
        "entries": [
            {
                "recipient": address("provider").to_string(),
                "service": "translate",
                "paymentCap": "150000000",
                "windowCap": "400000000",
                "window": "utc_month",
            },
            { "recipient": null, "service": format!("0x{}", "AB".repeat(32)) },
            { "paymentCap": "0" },
        ],
    })
}
