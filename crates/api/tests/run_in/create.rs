//! A run that is wanted.

use alloy_primitives::B256;
use api::inbound::run::{Wanted, created, new_run};
use api::problem::Problem;
use primitives::{Digest, RunId};
use run::{Cents, Intent, Mandate, Mode, Rails};
use serde_json::{Value, json};

use crate::cast::*;

fn read(body: &Value) -> Result<Wanted, Problem> {
    created(body, &runs(&[]), None)
}

fn wanted() -> Wanted {
    Wanted {
        intent: Intent { requirement: "coca-cola 2l".to_owned(), quantity: 2, max_total: Cents(2_500) },
        executor: executor(),
        mode: Mode::Simulated,
        rails: Rails::Simulated { wallet: false },
        mandate: Some(B256::repeat_byte(0x5a)),
        user: Some("customer 7".to_owned()),
    }
}

#[test]
fn a_run_that_says_everything() {
    assert_eq!(read(&purchase()).unwrap(), wanted());
    let as_integer = with(&purchase(), "/request/maxBudgetCents", json!(2_500));
    assert_eq!(read(&as_integer).unwrap(), wanted());
    let real = with(&purchase(), "/executionMode", json!("real"));
    assert_eq!(read(&real).unwrap().mode, Mode::Real, "the run refuses it, not the body's reader");
}

#[test]
fn what_is_left_out_is_the_usual() {
    let least = json!({ "request": { "requirement": "x", "quantity": 1, "maxBudgetCents": "1" } });
    let demo = primitives::ExecutorId::derive(&[b"demo"]);
    let read = created(&least, &runs(&[]), Some(demo.clone())).unwrap();
    assert_eq!(read.executor, demo);
    assert_eq!((read.mandate, read.user.as_deref(), read.mode), (None, None, Mode::Simulated));
    assert_eq!(read.rails, Rails::Simulated { wallet: false });
    assert_eq!(places(created(&least, &runs(&[]), None)), ["executorId"]);
    let named = created(&purchase(), &runs(&[]), Some(demo)).unwrap();
    assert_eq!(named.executor, executor(), "whoever names an executor gets that one");
}

#[test]
fn every_fault_has_its_place() {
    let long = "é".repeat(101);
    for (pointer, value, place) in [
        ("/request", json!([]), "request"),
        ("/request/requirement", json!(""), "request.requirement"),
        ("/request/requirement", json!("  "), "request.requirement"),
        ("/request/requirement", json!("a\nb"), "request.requirement"),
        ("/request/requirement", json!("soda \u{202e}l2"), "request.requirement"),
        ("/request/requirement", json!(long), "request.requirement"),
        ("/request/requirement", json!(7), "request.requirement"),
        ("/request/quantity", json!(0), "request.quantity"),
        ("/request/quantity", json!(100), "request.quantity"),
        ("/request/quantity", json!("2"), "request.quantity"),
        ("/request/quantity", json!(-1), "request.quantity"),
        ("/request/quantity", json!(1.0), "request.quantity"),
        ("/request/maxBudgetCents", json!("0"), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!(0), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!(-5), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!(25.0), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!("25.00"), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!("025"), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!("1000000000001"), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", json!(u64::MAX), "request.maxBudgetCents"),
        ("/request/maxBudgetCents", Value::Null, "request.maxBudgetCents"),
        ("/request/color", json!("red"), "request.color"),
        ("/executorId", json!("exe_1"), "executorId"),
        ("/executorId", json!(RunId::derive(&[])), "executorId"),
        ("/userId", json!(""), "userId"),
        ("/userId", json!("x".repeat(121)), "userId"),
        ("/userId", json!("a\u{7}b"), "userId"),
        ("/mandate", json!("0x5a"), "mandate"),
        ("/mandate", json!(MANDATE[2..]), "mandate"),
        ("/executionMode", json!("fast"), "executionMode"),
        ("/executionMode", Value::Null, "executionMode"),
        ("/wallet", json!("mine"), "wallet"),
        ("/token", json!("gld_run_x"), "token"),
    ] {
        let read = read(&with(&purchase(), pointer, value.clone()));
        assert_eq!(places(read), [place], "{pointer} {value}");
    }
    for pointer in ["/request", "/request/requirement", "/request/quantity", "/request/maxBudgetCents"] {
        let place = pointer[1..].replace('/', ".");
        assert_eq!(places(read(&without(&purchase(), pointer))), [place.as_str()], "{pointer}");
    }
    assert_eq!(places(read(&json!("run"))), ["body"]);
}

#[test]
fn all_faults_are_said_at_once() {
    let body = json!({
        "request": { "requirement": "", "quantity": 0, "maxBudgetCents": "0" },
        "mandate": "x",
        "userId": "",
    });
    let expected = [
        "request.requirement",
        "request.maxBudgetCents",
        "request.quantity",
        "executorId",
        "mandate",
        "userId",
    ];
    let mut found = places(read(&body));
    found.sort();
    let mut expected = expected.map(str::to_owned);
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_simulated_wallet_pays_where_nothing_is_settled() {
    let body = with(&purchase(), "/wallet", json!("simulated"));
    assert_eq!(read(&body).unwrap().rails, Rails::Simulated { wallet: true });
    let chain = runs(&[("RUN_SETTLEMENT", "eip155:84532"), ("EVM_RPC_URL", "http://127.0.0.1:8545")]);
    assert_eq!(refusal(created(&body, &chain, None)), (422, "simulated_wallet_off".to_owned()));
    let external = created(&purchase(), &chain, None).unwrap();
    assert_eq!(external.rails, Rails::Chain { network: "eip155:84532".to_owned() });
}

#[test]
fn the_run_is_made_of_what_was_read_and_nothing_of_it_is_lost() {
    let (run, token) = (RunId::derive(&[b"r"]), Digest::of(&[b"t"]));
    let mandate = Mandate { mandate: MANDATE.to_owned(), owner: "0x01".to_owned(), agent: "0x02".to_owned() };
    let creation = wanted().creation(run.clone(), Some(mandate.clone()), token);
    let Wanted { intent, executor, mode, rails, user, mandate: _ } = wanted();
    assert_eq!((creation.run, creation.token, creation.mandate), (run, token, Some(mandate)));
    assert_eq!((creation.intent, creation.executor, creation.mode), (intent, executor, mode));
    assert_eq!((creation.rails, creation.user), (rails, user));
}

#[test]
fn a_key_is_one_run_and_chance_is_another() {
    let run = |key, fresh| new_run(key, [fresh; 16]).unwrap();
    let key = "5f3f6a0e-6d1c-4f0b";
    assert_eq!(run(Some(key), 1), run(Some(key), 2));
    assert_ne!(run(Some(key), 1), run(Some("5f3f6a0e-6d1c-4f0c"), 1));
    assert_ne!(run(None, 1), run(None, 2));
    let as_fresh = String::from_utf8(vec![b'a'; 16]).unwrap();
    assert_ne!(new_run(Some(&as_fresh), [0; 16]).unwrap(), run(None, b'a'), "keys and chance never meet");
    let (longest, too_long) = ("k".repeat(255), "k".repeat(256));
    assert!(new_run(Some(&longest), [0; 16]).is_ok());
    for bad in
        ["", "k".repeat(15).as_str(), &too_long, "sixteen chars, é", "a b c d e f g h i", "0123456789abcde\t"]
    {
        assert_eq!(
            refusal(new_run(Some(bad), [0; 16])),
            (400, "invalid_idempotency_key".to_owned()),
            "{bad:?}"
        );
    }
}
