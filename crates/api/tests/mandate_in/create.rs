//! A mandate that is made or changed, and its money.

use alloy_primitives::{Address, B256, hex, keccak256};
use alloy_sol_types::SolCall as _;
use api::inbound::mandate::{amendment, amount, create, empty, idempotency_key, reference};
use eip712::mandates::{IMandates, service_id};
use mandate::{
    AMOUNT_MAX, Creation, Entry, EntryKey, EntryLimits, Policy, SignerKind, Terms, UnixSeconds, Window,
};
use primitives::BaseUnits;
use serde_json::{Value, json};

use crate::cast::{address, creation, ledger, places, vectors, with};

fn read(body: &Value) -> Result<(Creation, String), api::problem::Problem> {
    create(body, None, address("owner"), &ledger())
}

#[test]
fn a_mandate_that_says_everything() {
    let (creation, label) = read(&creation()).unwrap();
    let key = |recipient, service| EntryKey { recipient, service };
    let limits = |payment, window, kind| EntryLimits {
        payment_cap: BaseUnits(payment),
        window_cap: window,
        window: kind,
    };
    let expected = Creation {
        id: ledger().mandate_id(address("owner"), B256::repeat_byte(0x5a)),
        owner: address("owner"),
        agent: address("agent"),
        token: ledger().token,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        amend_delay: 7_200,
        policy: Policy {
            valid_after: UnixSeconds(1_800_000_000),
            valid_before: UnixSeconds(1_831_536_000),
            payment_cap: BaseUnits(200_000_000),
            day_cap: BaseUnits(500_000_000),
            month_cap: BaseUnits(900_000_000),
            lifetime_cap: BaseUnits(5_000_000_000),
            day_count: 20,
            approval_above: BaseUnits(50_000_000),
            terms: Terms {
                challenge_period: 3_600,
                resolution_timeout: 90_000,
                silence_bps: 2_500,
                resolver: address("resolver"),
            },
        },
        entries: vec![
            Entry {
                key: key(address("provider"), service_id("translate").unwrap()),
                limits: limits(150_000_000, BaseUnits(400_000_000), Window::UtcMonth),
            },
            Entry {
                key: key(Address::ZERO, B256::repeat_byte(0xab)),
                limits: limits(200_000_000, AMOUNT_MAX, Window::UtcDay),
            },
            Entry { key: key(Address::ZERO, B256::ZERO), limits: limits(0, AMOUNT_MAX, Window::UtcDay) },
        ],
    };
    assert_eq!((creation, label.as_str()), (expected, "Translations"));
}

#[test]
fn what_is_left_out_has_its_default() {
    let body = json!({
        "agent": address("agent").to_string(),
        "policy": { "validBefore": "2028-01-15T08:00:00Z", "paymentCap": "7", "dayCap": "9" },
        "entries": [{}],
    });
    let (creation, label) = create(&body, Some("k"), address("owner"), &ledger()).unwrap();
    assert_eq!((creation.amend_delay, label.as_str()), (86_400, ""));
    let expected = Policy {
        valid_after: UnixSeconds(0),
        valid_before: UnixSeconds(1_831_536_000),
        payment_cap: BaseUnits(7),
        day_cap: BaseUnits(9),
        month_cap: AMOUNT_MAX,
        lifetime_cap: AMOUNT_MAX,
        day_count: u32::MAX,
        approval_above: BaseUnits(7),
        terms: Terms {
            challenge_period: 86_400,
            resolution_timeout: 604_800,
            silence_bps: 5_000,
            resolver: Address::ZERO,
        },
    };
    assert_eq!(creation.policy, expected);
    let limits = EntryLimits { payment_cap: BaseUnits(7), window_cap: AMOUNT_MAX, window: Window::UtcDay };
    let key = EntryKey { recipient: Address::ZERO, service: B256::ZERO };
    assert_eq!(creation.entries, [Entry { key, limits }]);
}

#[test]
fn the_key_of_the_request_is_the_salt_of_a_body_without_one() {
    let unsalted = with(&creation(), "/salt", Value::Null);
    let id = |body: &Value, key, owner| create(body, key, address(owner), &ledger()).unwrap().0.id;
    let salt = keccak256(b"guildhall salt v1\0order-7");
    assert_eq!(id(&unsalted, Some("order-7"), "owner"), ledger().mandate_id(address("owner"), salt));
    assert_ne!(id(&unsalted, Some("order-8"), "owner"), id(&unsalted, Some("order-7"), "owner"));
    assert_ne!(id(&unsalted, Some("order-7"), "relayer"), id(&unsalted, Some("order-7"), "owner"));
    assert_eq!(id(&creation(), Some("order-7"), "owner"), id(&creation(), None, "owner"));
    let (most, more) = ("k".repeat(255), "k".repeat(256));
    assert_eq!(idempotency_key(Some(&most)).unwrap(), most);
    for key in [None, Some(""), Some(" "), Some("a b"), Some("ü"), Some(&more)] {
        let problem = create(&unsalted, key, address("owner"), &ledger()).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (400, "idempotency_key_required"), "{key:?}");
    }
}

#[test]
fn every_fault_of_a_mandate_has_its_place() {
    let too_large = (1_u128 << 96).to_string();
    let zero = Address::ZERO.to_string();
    for (pointer, value, place) in [
        ("/salt", json!("0x5a"), "salt"),
        ("/salt", json!(["0x5a"]), "salt"),
        ("/salt", json!(format!("0x0x{}", "5a".repeat(32))), "salt"),
        ("/label", json!("é".repeat(61)), "label"),
        ("/agent", json!("agent"), "agent"),
        ("/agent", json!(format!("0x{}", address("agent"))), "agent"),
        ("/agent", json!(address("agent").to_string()[2..]), "agent"),
        ("/agent", Value::Null, "agent"),
        ("/amendDelaySeconds", json!("1"), "amendDelaySeconds"),
        ("/amendDelaySeconds", json!(-1), "amendDelaySeconds"),
        ("/color", json!("red"), "color"),
        ("/owner", json!("0x"), "owner"),
        ("/policy", Value::Null, "policy"),
        ("/policy/color", json!("red"), "policy.color"),
        ("/policy/validAfter", json!(1), "policy.validAfter"),
        ("/policy/validAfter", json!("2027-01-15"), "policy.validAfter"),
        ("/policy/validBefore", Value::Null, "policy.validBefore"),
        ("/policy/validBefore", json!("2027-02-30T00:00:00Z"), "policy.validBefore"),
        ("/policy/paymentCap", json!(200), "policy.paymentCap"),
        ("/policy/paymentCap", json!("2e2"), "policy.paymentCap"),
        ("/policy/dayCap", json!("-1"), "policy.dayCap"),
        ("/policy/dayCap", json!(too_large), "policy.dayCap"),
        ("/policy/monthCap", json!("01"), "policy.monthCap"),
        ("/policy/lifetimeCap", json!("1.5"), "policy.lifetimeCap"),
        ("/policy/dayCount", json!(4_294_967_296_u64), "policy.dayCount"),
        ("/policy/approvalAbove", json!(too_large), "policy.approvalAbove"),
        ("/policy/terms/silenceBps", json!(65_536), "policy.terms.silenceBps"),
        ("/policy/terms/resolver", json!(zero), "policy.terms.resolver"),
        ("/policy/terms/resolver", json!("0x1"), "policy.terms.resolver"),
        ("/policy/terms/color", json!("red"), "policy.terms.color"),
        ("/entries", Value::Null, "entries"),
        ("/entries", json!([]), "entries"),
        ("/entries/1/recipient", json!(zero), "entries[1].recipient"),
        ("/entries/1/recipient", json!("anyone"), "entries[1].recipient"),
        ("/entries/1/service", json!(B256::ZERO.to_string()), "entries[1].service"),
        ("/entries/1/service", json!("Translate"), "entries[1].service"),
        ("/entries/1/service", json!("trаnslate"), "entries[1].service"),
        ("/entries/1/service", json!(""), "entries[1].service"),
        ("/entries/1/service", json!("a".repeat(65)), "entries[1].service"),
        ("/entries/0/paymentCap", json!(too_large), "entries[0].paymentCap"),
        ("/entries/0/windowCap", json!("all"), "entries[0].windowCap"),
        ("/entries/0/window", json!("utc_week"), "entries[0].window"),
        ("/entries/0/color", json!("red"), "entries[0].color"),
    ] {
        assert_eq!(places(read(&with(&creation(), pointer, value.clone()))), [place], "{pointer} {value}");
    }
    for body in [json!(null), json!([]), json!("x"), json!(1)] {
        assert_eq!(places(read(&body)), ["body"]);
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let body = with(&creation(), "/agent", json!("x"));
    let body = with(&body, "/policy/dayCap", json!("x"));
    let body = with(&body, "/entries/2/service", json!("X"));
    assert_eq!(places(read(&body)), ["policy.dayCap", "agent", "entries[2].service"]);
}

#[test]
fn a_thousand_entries_are_read_and_one_more_is_not_looked_at() {
    let entries = |count| with(&creation(), "/entries", json!(vec![json!({}); count]));
    assert_eq!(read(&entries(1_000)).unwrap().0.entries.len(), 1_000);
    assert_eq!(places(read(&entries(1_001))), ["entries"]);
    let body = with(&creation(), "/entries", json!(vec![json!(7); 1_001]));
    assert_eq!(places(read(&body)), ["entries"]);
    let bad = json!({ "recipient": "x", "service": "X", "paymentCap": "x" });
    let found = places(read(&with(&creation(), "/entries", json!(vec![bad; 1_000]))));
    assert!((100..=105).contains(&found.len()), "{}", found.len());
}

/// The changes that viem encoded, as bodies of ours: the hash is the one that the contract kept.
#[test]
fn an_amendment_has_the_hash_that_the_contract_gives_it() {
    let vectors = vectors();
    let calls = vectors["calls"].as_array().unwrap();
    let scheduled = calls.iter().rposition(|call| call["call"] == "amend").unwrap();
    let data = hex::decode(calls[scheduled]["data"].as_str().unwrap()).unwrap();
    let IMandates::amendCall { amendment: encoded, .. } = IMandates::amendCall::abi_decode(&data).unwrap();
    let pending = calls.iter().find(|call| call["call"] == "pendingAmendment").unwrap();
    let kept = &pending["returns"].as_str().unwrap()[..66];
    let time = |seconds: u64| primitives::UnixMillis(seconds * 1_000).to_rfc3339();
    let policy = &encoded.policy;
    let body = json!({
        "expectedVersion": encoded.expectedVersion,
        "policy": {
            "validAfter": time(policy.validAfter.to()),
            "validBefore": time(policy.validBefore.to()),
            "paymentCap": policy.paymentCap.to_string(),
            "dayCap": policy.dayCap.to_string(),
            "monthCap": policy.monthCap.to_string(),
            "lifetimeCap": policy.lifetimeCap.to_string(),
            "dayCount": policy.dayCount,
            "approvalAbove": policy.approvalAbove.to_string(),
            "terms": {
                "challengePeriodSeconds": policy.terms.challengePeriod,
                "resolutionTimeoutSeconds": policy.terms.resolutionTimeout,
                "silenceBps": policy.terms.silenceBps,
                "resolver": policy.terms.resolver.to_string(),
            },
        },
        "entries": encoded.entries.iter().map(|entry| json!({
            "recipient": (!entry.recipient.is_zero()).then(|| entry.recipient.to_string()),
            "service": (!entry.service.is_zero()).then(|| entry.service.to_string()),
            "paymentCap": entry.paymentCap.to_string(),
            "windowCap": entry.windowCap.to_string(),
            "window": if entry.window as u8 == 0 { "utc_day" } else { "utc_month" },
        })).collect::<Vec<_>>(),
    });
    let read = amendment(&body).unwrap();
    assert_eq!(read.hash.to_string(), kept);
    assert_eq!((read.expected_version, read.entries.len()), (2, encoded.entries.len()));
    assert_ne!(amendment(&with(&body, "/expectedVersion", json!(3))).unwrap().hash, read.hash);
    assert_ne!(amendment(&with(&body, "/policy/dayCount", json!(1))).unwrap().hash, read.hash);
}

#[test]
fn an_amendment_may_name_no_entry_and_its_faults_have_their_places() {
    let body = json!({ "expectedVersion": 1, "policy": creation()["policy"] });
    assert_eq!(amendment(&body).unwrap().entries, []);
    for (pointer, value, place) in [
        ("/expectedVersion", Value::Null, "expectedVersion"),
        ("/expectedVersion", json!("1"), "expectedVersion"),
        ("/policy/dayCap", json!("x"), "policy.dayCap"),
        ("/entries", json!([{ "service": "X" }]), "entries[0].service"),
        ("/entries", json!(vec![json!({}); 1_001]), "entries"),
        ("/salt", json!("0x"), "salt"),
    ] {
        assert_eq!(places(amendment(&with(&body, pointer, value.clone()))), [place], "{pointer} {value}");
    }
}

#[test]
fn amounts_fit_the_ledger_and_zero_is_left_to_the_rules() {
    for text in ["0", "1", "79228162514264337593543950335"] {
        assert_eq!(amount(&json!({ "amount": text })).unwrap().to_string(), text);
    }
    for value in [json!("79228162514264337593543950336"), json!("1.0"), json!(""), json!(1), json!(null)] {
        assert_eq!(places(amount(&json!({ "amount": value }))), ["amount"], "{value}");
    }
    assert_eq!(places(amount(&json!({}))), ["amount"]);
    assert_eq!(places(amount(&json!({ "amount": "1", "to": "0x" }))), ["to"]);
}

#[test]
fn nothing_is_nothing() {
    assert!(empty(&json!({})).is_ok() && empty(&json!(null)).is_ok());
    assert_eq!(places(empty(&json!({ "force": true }))), ["force"]);
    assert_eq!(places(empty(&json!([]))), ["body"]);
}

#[test]
fn a_reference_is_32_bytes() {
    let text = format!("0x{}", "Ab".repeat(32));
    assert_eq!(reference("mandate", &text).unwrap(), B256::repeat_byte(0xab));
    for bad in ["", "0x", &text[2..], &text[..65], &format!("{text}0"), &text.replace("0x", "0X"), "dft_1"] {
        let problem = reference("mandate", bad).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (400, "malformed"), "{bad}");
        assert_eq!(problem.errors[0].field, "mandate");
    }
}
