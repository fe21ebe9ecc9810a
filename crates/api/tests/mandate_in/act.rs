//! What the parties do with a request, and who they are.

use alloy_primitives::{B256, Bytes};
use api::binding::Caller;
use api::inbound::mandate::{Deed, Said, Verb, decision, requested, said};
use eip712::mandates::{Approval, Signed as _, U48};
use mandate::life::Act;
use mandate::{By, Signature, SignedApproval, UnixSeconds};
use primitives::BaseUnits;
use serde_json::{Value, json};

use crate::cast::{address, assert_of, ledger, other_domains, places, signature_of, signed, vector, with};

/// The payment of viem's acts.
fn payment() -> B256 {
    vector("Delivery")["message"]["payment"].as_str().unwrap().parse().unwrap()
}

/// A right body for each verb, signed by its party as viem signed it where a signature is taken.
fn body(verb: Verb) -> Value {
    let of = |name: &str, field: &str, theirs: &str| {
        let vector = vector(name);
        let mut body = json!({ "signature": vector["signature"] });
        if !field.is_empty() {
            body[field] = vector["message"][theirs].clone();
        }
        body
    };
    match verb {
        Verb::Approve => {
            let vector = vector("Approval");
            json!({ "validBefore": vector["message"]["validBefore"], "signature": vector["signature"] })
        }
        Verb::Reject => json!({ "note": "Too much." }),
        Verb::Cancel => of("Cancel", "", ""),
        Verb::Deliver => of("Delivery", "receiptHash", "receiptHash"),
        Verb::Accept => of("Accept", "", ""),
        Verb::Dispute => of("Dispute", "evidenceHash", "evidenceHash"),
        Verb::Capture => of("Capture", "total", "total"),
        Verb::Void => of("Void", "", ""),
        Verb::Resolve => of("Resolution", "toProvider", "toProvider"),
        Verb::Refund => of("Refund", "total", "total"),
        Verb::Submit | Verb::Claim | Verb::Expire | Verb::TimeOut => json!({}),
    }
}

fn read(verb: Verb) -> Said {
    said(verb, &body(verb)).unwrap()
}

#[test]
fn every_act_has_its_name_in_the_path() {
    let names = Verb::ALL.iter().map(|verb| verb.name()).collect::<Vec<_>>().join(" ");
    let expected = "approve reject submit cancel deliver accept dispute capture claim void resolve expire time-out refund";
    assert_eq!(names, expected);
    for verb in Verb::ALL {
        assert_eq!(Verb::named(verb.name()), Some(*verb));
    }
    for other in ["", "Approve", "timeout", "time_out", "approve/"] {
        assert_eq!(Verb::named(other), None);
    }
}

#[test]
fn every_act_says_what_it_does() {
    let max = BaseUnits(u128::MAX);
    let hash = |name: &str, field: &str| vector(name)["message"][field].as_str().unwrap().parse().unwrap();
    for (verb, act) in [
        (Verb::Reject, Act::Reject { note: "Too much.".to_owned() }),
        (Verb::Submit, Act::Submit),
        (Verb::Deliver, Act::Deliver { receipt: hash("Delivery", "receiptHash") }),
        (Verb::Accept, Act::Accept),
        (Verb::Dispute, Act::Dispute { evidence: hash("Dispute", "evidenceHash") }),
        (Verb::Capture, Act::Capture { total: max }),
        (Verb::Claim, Act::Claim),
        (Verb::Void, Act::Void),
        (Verb::Resolve, Act::Resolve { to_provider: max }),
        (Verb::Expire, Act::Expire),
        (Verb::TimeOut, Act::TimeOut),
        (Verb::Refund, Act::Refund { total: max }),
    ] {
        assert_eq!(read(verb).act(None), Some(act), "{verb:?}");
    }
    assert_eq!(
        said(Verb::Dispute, &json!({})).unwrap().act(None),
        Some(Act::Dispute { evidence: B256::ZERO })
    );
    assert_eq!(said(Verb::Reject, &json!({})).unwrap().act(None), Some(Act::Reject { note: String::new() }));
    assert_eq!(read(Verb::Cancel).act(None), None);
    for verb in [Verb::Submit, Verb::Claim, Verb::Expire, Verb::TimeOut, Verb::Accept, Verb::Void] {
        assert!(said(verb, &Value::Null).is_ok(), "{verb:?} without a body");
    }
}

/// viem's signatures, each by its party; and each of them under every other act is nobody's who matters.
#[test]
fn every_signature_is_its_partys_and_for_this_act_alone() {
    let domain = ledger().domain();
    let signers = [
        (Verb::Cancel, "Cancel"),
        (Verb::Deliver, "Delivery"),
        (Verb::Accept, "Accept"),
        (Verb::Dispute, "Dispute"),
        (Verb::Capture, "Capture"),
        (Verb::Void, "Void"),
        (Verb::Resolve, "Resolution"),
        (Verb::Refund, "Refund"),
    ];
    for (verb, name) in signers {
        let vector = vector(name);
        let party = vector["signer"].as_str().unwrap();
        let signed = read(verb).signed(payment(), address("owner"), &domain).unwrap();
        assert_eq!(signed.digest.to_string(), vector["digest"], "{verb:?}");
        assert_of(signed.signature, party);
        let elsewhere = read(verb).signed(B256::ZERO, address("owner"), &domain).unwrap();
        assert_ne!(elsewhere.signature, signed.signature, "{verb:?} of another payment");
        for other in other_domains() {
            let elsewhere = read(verb).signed(payment(), address("owner"), &other).unwrap();
            assert_ne!(elsewhere.signature, signed.signature, "{verb:?} {other:?}");
        }
        for (other, _) in signers.into_iter().filter(|(other, _)| *other != verb) {
            let body = with(&body(other), "/signature", vector["signature"].clone());
            let borrowed = said(other, &body).unwrap().signed(payment(), address("owner"), &domain).unwrap();
            assert_ne!(borrowed.signature, signed.signature, "{verb:?} as {other:?}");
        }
    }
    for verb in [Verb::Reject, Verb::Submit, Verb::Claim, Verb::Expire, Verb::TimeOut] {
        assert_eq!(read(verb).signed(payment(), address("owner"), &domain), None, "{verb:?}");
    }
}

#[test]
fn an_approval_is_the_owners_signature_of_the_whole_request() {
    let vector = vector("Approval");
    let message = &vector["message"];
    let payment = requested(&json!({ "request": message["request"] }), &ledger()).unwrap().request.payment;
    let approver = message["approver"].as_str().unwrap().parse().unwrap();
    let signed = read(Verb::Approve).signed(payment, approver, &ledger().domain()).unwrap();
    assert_eq!(signed.digest.to_string(), vector["digest"]);
    assert_of(signed.signature, vector["signer"].as_str().unwrap());
    let bytes: Bytes = vector["signature"].as_str().unwrap().parse().unwrap();
    let valid_before = UnixSeconds(message["validBefore"].as_u64().unwrap());
    let approval = SignedApproval { valid_before, signature: signed.signature };
    let act = read(Verb::Approve).act(Some(signed.clone()));
    assert_eq!(act, Some(Act::Approve { approval, bytes }));
    for (payment, approver) in [(B256::ZERO, approver), (payment, address("relayer"))] {
        let other = read(Verb::Approve).signed(payment, approver, &ledger().domain()).unwrap();
        assert_ne!(other.signature, signed.signature);
    }
    let later = with(&body(Verb::Approve), "/validBefore", json!(valid_before.0 - 1));
    let later = said(Verb::Approve, &later).unwrap().signed(payment, approver, &ledger().domain()).unwrap();
    assert_ne!(later.signature, signed.signature);
}

/// The digest from the payment's name is that of the struct.
#[test]
fn an_approval_of_a_real_request_is_what_the_owner_signs() {
    let body = json!({ "request": vector("PaymentRequest")["message"] });
    let request = requested(&body, &ledger()).unwrap().request;
    let approval = Approval {
        request: api::outbound::mandate::message(&request),
        approver: address("owner"),
        validBefore: U48::from(1_800_000_000_u64),
    };
    let signature = signed("owner", approval.digest(&ledger().domain()));
    let body = json!({ "decision": "approve", "validBefore": 1_800_000_000, "signature": signature });
    let said = decision(&body).unwrap();
    assert_eq!(said.deed, Deed::Approve { valid_before: UnixSeconds(1_800_000_000) });
    assert_of(said.signed(request.payment, address("owner"), &ledger().domain()).unwrap().signature, "owner");
}

#[test]
fn every_fault_of_an_act_has_its_place() {
    let text = "é".repeat(251);
    for (verb, pointer, value, place) in [
        (Verb::Approve, "/validBefore", json!("soon"), "validBefore"),
        (Verb::Approve, "/validBefore", json!(281_474_976_710_656_u64), "validBefore"),
        (Verb::Approve, "/validBefore", Value::Null, "validBefore"),
        (Verb::Approve, "/signature", Value::Null, "signature"),
        (Verb::Approve, "/signature", json!("0x"), "signature"),
        (Verb::Approve, "/note", json!("x"), "note"),
        (Verb::Reject, "/note", json!(text), "note"),
        (Verb::Reject, "/signature", json!("0x00"), "signature"),
        (Verb::Submit, "/signature", json!("0x00"), "signature"),
        (Verb::Submit, "/approval", json!("0x00"), "approval"),
        (Verb::Cancel, "/request", json!("0x00"), "request"),
        (Verb::Cancel, "/signature", json!("x"), "signature"),
        (Verb::Deliver, "/receiptHash", json!("x"), "receiptHash"),
        (Verb::Deliver, "/receiptHash", Value::Null, "receiptHash"),
        (Verb::Accept, "/total", json!("1"), "total"),
        (Verb::Dispute, "/evidenceHash", json!("x"), "evidenceHash"),
        (Verb::Capture, "/total", json!("x"), "total"),
        (Verb::Capture, "/total", json!(1), "total"),
        (Verb::Capture, "/total", Value::Null, "total"),
        (Verb::Claim, "/signature", json!("0x00"), "signature"),
        (Verb::Void, "/signature", json!(7), "signature"),
        (Verb::Resolve, "/toProvider", json!("-1"), "toProvider"),
        (Verb::Resolve, "/toProvider", Value::Null, "toProvider"),
        (Verb::Expire, "/force", json!(true), "force"),
        (Verb::TimeOut, "/force", json!(true), "force"),
        (Verb::Refund, "/total", json!(""), "total"),
    ] {
        let read = said(verb, &with(&body(verb), pointer, value.clone()));
        assert_eq!(places(read), [place], "{verb:?} {pointer} {value}");
    }
    let both = json!({ "receiptHash": "x", "signature": "x" });
    assert_eq!(places(said(Verb::Deliver, &both)), ["receiptHash", "signature"]);
    for verb in Verb::ALL {
        assert_eq!(places(said(*verb, &json!([]))), ["body"], "{verb:?}");
    }
}

#[test]
fn a_decision_is_yes_or_no() {
    let no = decision(&json!({ "decision": "reject", "note": "Too much." })).unwrap();
    assert_eq!(no, read(Verb::Reject));
    assert!(decision(&json!({ "decision": "reject" })).is_ok());
    let mut yes = body(Verb::Approve);
    yes["decision"] = json!("approve");
    assert_eq!(decision(&yes).unwrap(), read(Verb::Approve));
    for bad in [
        json!({}),
        json!({ "decision": "maybe" }),
        json!({ "decision": "approve" }),
        json!({ "decision": "approve", "validBefore": 1 }),
        json!({ "decision": "reject", "validBefore": 1 }),
        with(&yes, "/note", json!("x")),
        with(&yes, "/validBefore", json!("2027-01-15T08:00:00Z")),
    ] {
        assert_eq!(places(decision(&bad)).len(), 1, "{bad}");
    }
}

#[test]
fn a_cancellation_can_bring_its_request() {
    let request = vector("PaymentRequest")["message"].clone();
    let whole = requested(&json!({ "request": request }), &ledger()).unwrap().request;
    let said = said(Verb::Cancel, &json!({ "request": request })).unwrap();
    assert_eq!(said.deed, Deed::Cancel { request: Some(Box::new(whole)) });
    assert_eq!(read(Verb::Cancel).deed, Deed::Cancel { request: None });
}

/// For each verb without a signature in its body: who stands for it when nobody is known, when the owner or the agent is
/// signed in, and when the provider signed the HTTP request.
#[test]
fn who_stands_for_an_act() {
    let (owner, agent, provider) = (address("owner"), address("agent"), address("provider"));
    let callers = [Caller::Anyone, Caller::Session(owner), Caller::Session(agent), signature_of(provider)];
    let name = |by: Result<By, _>| match by {
        Err(api::problem::Problem { status: 401, code, .. }) if code == "missing_credentials" => "-",
        Ok(By { signature: Signature::Empty, caller }) if caller == owner => "owner",
        Ok(By { signature: Signature::Empty, caller }) if caller == agent => "agent",
        Ok(By { signature: Signature::Empty, caller }) if caller == provider => "provider",
        Ok(By { signature: Signature::Empty, caller }) if caller.is_zero() => "anyone",
        other => panic!("{other:?}"),
    };
    let table = Verb::ALL.iter().filter(|verb| **verb != Verb::Approve).map(|verb| {
        let said = said(*verb, &with(&body(*verb), "/signature", Value::Null)).unwrap();
        let who = callers.iter().map(|caller| name(said.by(caller, owner, None)));
        format!("{}: {}", verb.name(), who.collect::<Vec<_>>().join(" "))
    });
    let expected = [
        "reject: - owner agent provider",
        "submit: - - - provider",
        "cancel: - owner - provider",
        "deliver: - - - provider",
        "accept: - owner agent provider",
        "dispute: - owner agent provider",
        "capture: - - - provider",
        "claim: anyone owner agent provider",
        "void: - - - provider",
        "resolve: - - - provider",
        "expire: anyone owner agent provider",
        "time-out: anyone owner agent provider",
        "refund: - - - provider",
    ];
    assert_eq!(table.collect::<Vec<_>>(), expected);
}

#[test]
fn a_signature_that_is_brought_speaks_for_itself() {
    let owner = address("owner");
    for verb in [Verb::Deliver, Verb::Accept, Verb::Cancel, Verb::Resolve, Verb::Approve] {
        let said = read(verb);
        let signed = said.signed(payment(), owner, &ledger().domain());
        for caller in [Caller::Anyone, signature_of(address("relayer")), Caller::Session(owner)] {
            let by = said.by(&caller, owner, signed.as_ref()).unwrap();
            assert_eq!(by.signature, signed.as_ref().unwrap().signature, "{verb:?} {caller:?}");
        }
    }
}

/// Nobody's address is the zero address, and a mandate without a resolver names it.
#[test]
fn nobody_is_not_the_resolver_of_a_mandate_that_has_none() {
    let resolve = said(Verb::Resolve, &json!({ "toProvider": "1" })).unwrap();
    let zero = alloy_primitives::Address::ZERO;
    for caller in [Caller::Anyone, Caller::Session(zero), signature_of(zero)] {
        assert_eq!(resolve.by(&caller, address("owner"), None).unwrap_err().status, 401);
    }
}

#[test]
fn what_was_said_travels() {
    for verb in Verb::ALL {
        let text = serde_json::to_string(&read(*verb)).unwrap();
        assert_eq!(serde_json::from_str::<Said>(&text).unwrap(), read(*verb));
    }
}
