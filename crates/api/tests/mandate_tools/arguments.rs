//! Arguments: each tool's once right, each fault by its name, and no approval anywhere.

use crate::cast::{Client, address, agent, arguments, call, hash, ledger};
use api::mandate_tools::{RequestPayment, budget, evaluate, look, request_payment};
use api::problem::Problem;
use eip712::Address;
use mandate::Signature;
use mcp::ElicitAction;
use primitives::Millis;
use serde_json::{Map, Value, json};

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn requested(arguments: &Value) -> Result<RequestPayment, Problem> {
    request_payment(&call(Client::Legacy, "request_payment", arguments, &json!({})), &ledger())
}

fn fields(problem: &Problem) -> Vec<&str> {
    assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_arguments"));
    problem.errors.iter().map(|fault| fault.field.as_str()).collect()
}

#[test]
fn each_tool_takes_what_its_schema_names() {
    let all = json!({ "mandate": hash('1'), "recipient": address('4'), "service": hash('5') });
    let asked = budget(&map(&all)).unwrap();
    assert_eq!((asked.mandate.to_string(), asked.service.to_string()), (hash('1'), hash('5')));
    assert_eq!(asked.recipient, address('4').parse::<Address>().unwrap());
    let named = budget(&map(&json!({ "mandate": hash('1'), "service": "translate" }))).unwrap();
    assert_eq!(Ok(named.service), eip712::mandates::service_id("translate"));
    for open in
        [json!({ "mandate": hash('1') }), json!({ "mandate": hash('1'), "recipient": null, "service": null })]
    {
        let open = budget(&map(&open)).unwrap();
        assert!(open.recipient.is_zero() && open.service.is_zero());
    }

    let ask = json!({
        "mandate": hash('1'), "recipient": address('4'), "service": "translate", "amount": "7",
        "requestId": hash('2'), "jobHash": hash('9'), "deliverBy": "2027-01-15T08:00:00.000Z",
        "validBefore": "2027-01-15T07:00:00.000Z",
    });
    let asked = evaluate(&map(&ask)).unwrap();
    assert_eq!(asked.mandate.to_string(), hash('1'));
    assert_eq!(asked.want, api::inbound::mandate::asked(&ask).unwrap().want);

    let asked = look(&map(&json!({ "mandate": hash('1'), "payment": hash('6') }))).unwrap();
    assert_eq!((asked.mandate.to_string(), asked.payment.to_string()), (hash('1'), hash('6')));
}

#[test]
fn a_request_comes_with_whoever_signed_it() {
    let asked = requested(&arguments()).unwrap();
    assert_eq!(asked.requested.request.mandate.to_string(), hash('1'));
    assert_eq!(asked.requested.signed.unwrap().signature, Signature::Of(agent().address()));
    // Another's words under the agent's signature are somebody else's, or nobody's.
    let mut altered = arguments();
    altered["request"]["maxAmount"] = json!("2500001");
    let signature = requested(&altered).unwrap().requested.signed.unwrap().signature;
    assert_ne!(signature, Signature::Of(agent().address()));
    // A contract account's signature is for its contract to judge.
    altered["signature"] = json!("0x1234");
    assert_eq!(requested(&altered).unwrap().requested.signed.unwrap().signature, Signature::Bad);
}

#[test]
fn every_fault_is_named() {
    let budget = |arguments: Value| budget(&map(&arguments)).unwrap_err();
    let bad = json!({ "mandate": "1", "recipient": "me", "service": "No Service" });
    assert_eq!(fields(&budget(bad)), ["mandate", "recipient", "service"]);
    assert_eq!(fields(&budget(json!({}))), ["mandate"]);
    for no_text in [json!(7), json!([hash('1')]), json!({}), json!(true)] {
        let mandate = hash('1');
        assert_eq!(fields(&budget(json!({ "mandate": no_text }))), ["mandate"], "{no_text}");
        for name in ["recipient", "service", "color"] {
            assert_eq!(fields(&budget(json!({ "mandate": mandate, name: no_text }))), [name], "{no_text}");
        }
    }

    let bad = evaluate(&map(&json!({}))).unwrap_err();
    assert_eq!(fields(&bad), ["mandate", "recipient", "service", "amount"]);
    let whole = json!({ "mandate": hash('1'), "request": arguments()["request"] });
    assert_eq!(fields(&evaluate(&map(&whole)).unwrap_err()), ["request"]);

    let bad =
        look(&map(&json!({ "mandate": hash('g'), "payment": &hash('6')[2..], "color": 1 }))).unwrap_err();
    assert_eq!(fields(&bad), ["mandate", "payment", "color"]);

    for (name, value, faults) in [
        ("wait_seconds", json!(21), ["wait_seconds"].as_slice()),
        ("wait_seconds", json!(-1), &["wait_seconds"]),
        ("wait_seconds", json!(1.5), &["wait_seconds"]),
        ("wait_seconds", json!("5"), &["wait_seconds"]),
        ("signature", json!(7), &["signature"]),
        ("signature", json!(null), &["signature"]),
        ("signature", json!(""), &["signature"]),
        ("request", json!([]), &["request"]),
    ] {
        let mut arguments = arguments();
        arguments[name] = value.clone();
        assert_eq!(fields(&requested(&arguments).unwrap_err()), faults, "{name} {value}");
    }
    for name in ["request", "signature"] {
        let mut arguments = map(&arguments());
        arguments.remove(name);
        assert_eq!(fields(&requested(&Value::Object(arguments)).unwrap_err()), [name]);
    }
    let mut all = arguments();
    (all["wait_seconds"], all["signature"]) = (json!(99), json!("1234"));
    all["request"]["token"] = json!("0x0");
    assert_eq!(fields(&requested(&all).unwrap_err()), ["wait_seconds", "request.token", "signature"]);
}

/// Whatever a model is talked into, it has no place to put an owner's word.
#[test]
fn no_tool_takes_an_approval_at_any_depth() {
    let words =
        ["approval", "approvalSignature", "approval_signature", "ownerSignature", "approved", "decision"];
    let values =
        [json!(true), json!("0x1234"), json!(null), json!({ "validBefore": 1, "signature": "0x12" })];
    for (word, value) in words.iter().flat_map(|word| values.iter().map(move |value| (*word, value))) {
        let with = |place: &str| {
            let mut arguments = arguments();
            arguments.pointer_mut(place).unwrap()[word] = value.clone();
            arguments
        };
        for place in ["", "/request", "/request/terms"] {
            let refused = requested(&with(place)).unwrap_err();
            assert!(fields(&refused)[0].ends_with(word), "{place}/{word}: {refused:?}");
        }
        let ask = json!({ "mandate": hash('1'), "recipient": address('4'), "service": "a", "amount": "1", word: value });
        assert_eq!(fields(&evaluate(&map(&ask)).unwrap_err()), [word]);
        let look_at = json!({ "mandate": hash('1'), "payment": hash('6'), word: value });
        assert_eq!(fields(&look(&map(&look_at)).unwrap_err()), [word]);
        let look_at = json!({ "mandate": hash('1'), word: value });
        assert_eq!(fields(&budget(&map(&look_at)).unwrap_err()), [word]);
    }
}

#[test]
fn a_person_is_asked_before_the_owner_is_waited_for() {
    let wait = |client: Client, seconds: Option<u32>, action: Option<&str>| {
        let mut arguments = arguments();
        if let Some(seconds) = seconds {
            arguments["wait_seconds"] = json!(seconds);
        }
        let more =
            action.map_or(json!({}), |action| json!({ "inputResponses": { "visit": { "action": action } } }));
        let asked = request_payment(&call(client, "request_payment", &arguments, &more), &ledger()).unwrap();
        (asked.wait, asked.action)
    };
    let seconds = Millis::from_seconds;
    for client in [Client::Legacy, Client::Plain] {
        assert_eq!(wait(client, None, None), (seconds(0), None));
        assert_eq!(wait(client, Some(20), None), (seconds(20), None));
    }
    assert_eq!(wait(Client::OpensUrls, Some(20), None), (seconds(0), None));
    assert_eq!(wait(Client::OpensUrls, None, Some("accept")), (seconds(20), Some(ElicitAction::Accept)));
    assert_eq!(wait(Client::OpensUrls, Some(3), Some("accept")), (seconds(3), Some(ElicitAction::Accept)));
    assert_eq!(wait(Client::OpensUrls, Some(3), Some("decline")), (seconds(0), Some(ElicitAction::Decline)));
    assert_eq!(wait(Client::OpensUrls, Some(3), Some("cancel")), (seconds(0), Some(ElicitAction::Cancel)));
}
