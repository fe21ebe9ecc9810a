//! A recorded life of a mandate as its viewers see it, and what only a transaction can do. The spans are what the chain's side
//! says, in its own JSON.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

use alloy_primitives::{Address, B256, Bytes, U256};
use api::binding::custody::{Creation, Span, Word};
use api::chain_mandates::{adoption, answer, observation};
use api::outbound::mandate::{Viewer, payment};
use api::outbound::mirror::{
    Mirrored, budget, by_transaction, evaluation, found, mandate, refused, standing, to_change, to_do,
    to_reserve,
};
use api::settings::Ledger;
use api::wire::{Progress, Verdict};
use mandate::life::{Act, Change};
use mandate::mirror::{
    Answer, Block, Bound, Command, Effect, Filed, Refusal, Signed, State, apply, decide, effects,
};
use mandate::{Reason, Refused, Signature, UnixSeconds};
use primitives::{BaseUnits, UnixMillis};
use serde_json::{Value, json};

fn recording() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/mandate_recording.json")).unwrap()
}

fn number(value: &Value) -> u64 {
    u64::from_str_radix(&value.as_str().unwrap()[2..], 16).unwrap()
}

fn block(step: &Value) -> Value {
    let block = &step["block"];
    json!({ "number": number(&block["number"]), "hash": block["hash"], "at": number(&block["timestamp"]) })
}

fn logs(step: &Value) -> Vec<Value> {
    let log = |log: &Value| {
        json!({
            "block": block(step), "index": number(&log["logIndex"]), "transaction": log["transactionHash"],
            "topics": log["topics"], "data": log["data"],
        })
    };
    step["logs"].as_array().unwrap().iter().map(log).collect()
}

fn contract(recording: &Value) -> Ledger {
    let address = |value: &Value| value.as_str().unwrap().parse().unwrap();
    Ledger { chain_id: 84_532, address: address(&recording["contract"]), token: address(&recording["token"]) }
}

/// A mirror with what its shell keeps.
#[derive(Default)]
struct Life {
    state: State,
    filed: Vec<Filed>,
}

impl Life {
    fn hears(&mut self, command: Command, now: UnixMillis) -> Result<(), Refusal> {
        for event in decide(&self.state, command, now)? {
            for effect in effects(&self.state, &event) {
                if let Effect::File(filed) = effect {
                    self.filed.push(*filed);
                }
            }
            self.state = apply(self.state.clone(), &event).unwrap();
        }
        Ok(())
    }

    fn kept(&self) -> Mirrored<'_> {
        Mirrored { mirror: self.state.mirror().unwrap(), born: UnixMillis(7) }
    }

    fn now(&self) -> UnixMillis {
        self.kept().mirror.tip.block.at.into()
    }

    fn file(&self, payment: B256) -> Option<&Filed> {
        self.filed.iter().find(|filed| filed.request.payment == payment)
    }
}

/// The life up to the step before the reorganization, or up to the one that is called so.
fn told(recording: &Value, last: &str) -> Life {
    let mut life = Life::default();
    let steps = recording["steps"].as_array().unwrap();
    let creation: Creation = serde_json::from_value(json!({ "log": logs(&steps[0])[0] })).unwrap();
    let (made, command) = adoption(&creation, "Chain".to_owned()).unwrap();
    assert_eq!(made.id.to_string(), recording["mandate"].as_str().unwrap());
    life.hears(command, UnixMillis(number(&steps[0]["block"]["timestamp"]) * 1_000)).unwrap();
    tell(recording, &mut life, last);
    life
}

/// Goes on to the step that is called so.
fn tell(recording: &Value, life: &mut Life, last: &str) {
    let steps = recording["steps"].as_array().unwrap();
    let tip = life.kept().mirror.tip.block.number;
    for pair in steps.windows(2) {
        let [before, step] = pair else { panic!() };
        if number(&step["block"]["number"]) <= tip {
            continue;
        }
        if step["did"] == "a reorganization" {
            break;
        }
        // Blocks are final two later here.
        let sealed = steps.iter().rfind(|known| known["block"]["number"] == step["final"]);
        let sealed = sealed.map_or_else(|| json!({ "number": 0, "hash": B256::ZERO, "at": 0 }), block);
        let span: Span = serde_json::from_value(json!({
            "after": block(before), "to": block(step), "sealed": sealed, "logs": logs(step),
            "beside": [recording["beside"]],
        }))
        .unwrap();
        let observation = observation(life.kept().mirror, span).unwrap();
        let now = observation.to.at.into();
        life.hears(Command::Observe(Box::new(observation)), now).unwrap();
        if step["did"] == last {
            break;
        }
    }
}

fn name(recording: &Value, label: &str) -> B256 {
    recording["requests"][label].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_mandate_of_the_contract_is_shown_in_the_shape_of_the_others() {
    let recording = recording();
    let life = told(&recording, "deliver large");
    let contract = contract(&recording);
    let shown = |viewer| json!(mandate(life.kept(), 9, viewer, &contract, life.now()));
    let owners = shown(Viewer::Owner);
    assert_eq!((&owners["custody"], &owners["label"]), (&json!("contract"), &json!("Chain")));
    assert_eq!(owners["ledger"], json!(contract.address.to_checksum(None)));
    assert_eq!(
        (&owners["open"], &owners["waiting"], &owners["reservations"]),
        (&json!(2), &json!(0), &json!(0))
    );
    assert_eq!(owners["createdAt"], json!("1970-01-01T00:00:00.007Z"));
    let as_of = &owners["asOf"];
    assert!(as_of["finalBlock"].as_u64().unwrap() < as_of["block"].as_u64().unwrap());
    assert_eq!(shown(Viewer::Agent).get("label"), None);
    // The owner's ceiling over several mandates leaves less of the day than the mandate's own cap.
    let left = budget(life.kept().mirror, Address::ZERO, B256::ZERO, life.now());
    assert_eq!(
        (left.today.as_str(), owners["remaining"]["today"].as_str()),
        ("100000000", Some("160000000"))
    );
}

#[test]
fn a_payment_is_shown_by_the_chain_then_by_what_is_on_file() {
    let recording = recording();
    let seen = |last: &str, label: &str| {
        let (life, name) = (told(&recording, last), name(&recording, label));
        let standing = standing(life.kept().mirror, name, life.file(name));
        standing.map(|standing| payment(&life.kept(), standing, Viewer::Anyone))
    };
    assert_eq!(seen("set a ceiling", "small"), None);
    let escrowed = seen("authorize small", "small").unwrap();
    assert_eq!((escrowed.progress, escrowed.deadline), (Progress::Escrowed, None));
    let settled = seen("resolve large", "small").unwrap();
    assert_eq!((settled.progress, settled.paid.as_str()), (Progress::Settled, "40000000"));
    assert!(settled.receipt.is_some());
    let disputed = seen("dispute large", "large").unwrap();
    assert_eq!((disputed.progress, disputed.evidence.is_some()), (Progress::Disputed, true));

    let life = told(&recording, "dispute large");
    let mirror = life.kept().mirror;
    let large = name(&recording, "large");
    let asked = found(mirror, large, None).unwrap();
    assert_eq!(found(mirror, asked.request_id, None), Some(asked));
    assert_eq!(found(mirror, B256::repeat_byte(9), life.file(large)), None);
}

#[test]
fn a_question_is_judged_with_what_is_on_its_way_and_names_what_stands_in_its_way() {
    let recording = recording();
    let (life, contract) = (told(&recording, "authorize small"), contract(&recording));
    let small = *found(life.kept().mirror, name(&recording, "small"), None).unwrap();
    let judged = |asked| evaluation(&life.state, asked, None, &contract, life.now()).unwrap();
    let again = judged(&small);
    assert_eq!(
        (again.verdict, again.code.as_deref()),
        (Verdict::Refused, Some("request_unavailable_in_state"))
    );
    let other = mandate::Request { payment: B256::repeat_byte(3), ..small };
    assert_eq!(judged(&other).code.as_deref(), Some("request_id_reused"));
    let fresh = mandate::Request { request_id: B256::repeat_byte(3), ..other };
    assert_eq!(judged(&fresh).verdict, Verdict::Allowed);
    let larger = mandate::Request { max_amount: BaseUnits(80_000_000), ..fresh };
    assert_eq!(judged(&larger).verdict, Verdict::NeedsApproval);
    let above = mandate::Request { max_amount: BaseUnits(91_000_000), ..fresh };
    assert_eq!(judged(&above).code.as_deref(), Some("entry_payment_cap"));
    assert_eq!(evaluation(&State::Unborn, &small, None, &contract, life.now()), Err(Refusal::Unborn));
    assert_eq!(
        json!(again.typed_data)["domain"]["verifyingContract"],
        json!(contract.address.to_checksum(None))
    );
}

#[test]
fn what_only_a_transaction_does_names_a_function_of_the_contract() {
    let artifact: Value =
        serde_json::from_str(include_str!("../../../contracts/artifacts/Mandates.json")).unwrap();
    let functions = artifact["abi"].as_array().unwrap().iter().filter(|item| item["type"] == "function");
    let functions: Vec<_> = functions.filter_map(|item| item["name"].as_str()).collect();
    let amount = U256::ZERO;
    let changes = [
        Change::Fund { amount },
        Change::Withdraw { amount },
        Change::Pause,
        Change::Unpause,
        Change::Revoke,
        Change::Renounce,
        Change::CancelAmendment,
    ];
    let total = BaseUnits(0);
    let acts = [
        Act::Deliver { receipt: B256::ZERO },
        Act::Accept,
        Act::Dispute { evidence: B256::ZERO },
        Act::Capture { total },
        Act::Claim,
        Act::Void,
        Act::Resolve { to_provider: total },
        Act::TimeOut,
        Act::Expire,
        Act::Refund { total },
    ];
    let contract = contract(&recording());
    for call in changes.iter().map(to_change).chain(acts.iter().filter_map(to_do)).chain(["create"]) {
        assert!(functions.contains(&call), "{call}");
        let problem = by_transaction(call, &contract);
        assert_eq!((problem.status, problem.code.as_str()), (409, "custody_of_contract"));
        assert!(problem.detail.contains(&format!("`{call}`")) && problem.detail.contains("84532"));
    }
    assert_eq!(acts.iter().filter_map(to_do).count(), acts.len());
    assert_eq!((to_do(&Act::Submit), to_do(&Act::Reject { note: String::new() })), (None, None));
    assert_eq!((to_reserve().status, to_reserve().code.as_str()), (409, "custody_of_contract"));
}

#[test]
fn each_refusal_has_the_status_of_its_kind() {
    let block = Block { number: 1, hash: B256::ZERO, at: UnixSeconds(1) };
    let rule = |reason| Refusal::from(Refused::new(reason, 1, 2));
    let stands = mandate::mirror::Progress::Submitted;
    for (refusal, status) in [
        (Refusal::Unborn, 404),
        (Refusal::UnknownRequest, 404),
        (rule(Reason::UnknownMandate), 404),
        (rule(Reason::NotPermitted), 403),
        (rule(Reason::AgentSignature), 403),
        (rule(Reason::MandateExists), 409),
        (rule(Reason::DayCap), 422),
        (Refusal::AlreadyDecided, 409),
        (Refusal::Unavailable(stands), 409),
        (Refusal::RequestIdReused, 422),
        (Refusal::Unsigned, 422),
        (Refusal::NoReservations, 409),
        (Refusal::Beyond(Bound::Asks), 409),
        (Refusal::Beyond(Bound::Note), 422),
        (Refusal::Gap(block), 409),
        (Refusal::Sealed(block), 409),
        (Refusal::Disordered, 422),
    ] {
        let problem = refused(&refusal);
        assert_eq!((problem.status, problem.code.as_str()), (status, refusal.code()), "{refusal:?}");
        assert_eq!(problem.retryable, refusal.may_retry(), "{refusal:?}");
    }
    assert_eq!(refused(&rule(Reason::DayCap)).errors.len(), 1);
}

#[test]
fn a_revert_is_read_in_the_contracts_words_and_any_other_says_nothing() {
    let steps = recording()["steps"].clone();
    let answers =
        steps.as_array().unwrap().iter().flat_map(|step| step["answers"].as_array().unwrap().clone());
    let reverts: Vec<Bytes> =
        answers.map(|told| told["returns"].as_str().unwrap().parse().unwrap()).collect();
    let Answer::Refused(first) = answer(&Word::Reverted(reverts[0].clone())) else { panic!() };
    assert_eq!(first.reason, Reason::EntryPaymentCap);
    assert_eq!(answer(&Word::Reverted(Bytes::from_static(&[1]))), Answer::Unavailable);
    let word = |text: &str| answer(&serde_json::from_str(text).unwrap());
    assert_eq!((word("\"pending\""), word("\"absent\"")), (Answer::Pending, Answer::Absent));
    assert_eq!((word("\"unknown\""), word("\"unavailable\"")), (Answer::Unknown, Answer::Unavailable));
}

#[test]
fn what_is_on_its_way_shows_its_transactions_then_why_it_failed_and_nothing_of_that_once_the_chain_tells() {
    let recording = recording();
    let mut life = told(&recording, "authorize small");
    let (small, now) = (name(&recording, "small"), life.now());
    let agent = life.kept().mirror.tip.mandate.agent;
    let known = *found(life.kept().mirror, small, None).unwrap();
    let own = B256::repeat_byte(3);
    let request = Box::new(mandate::Request { payment: own, request_id: own, ..known });
    let signature = Signed { of: Signature::Of(agent), bytes: Bytes::from_static(&[1]) };
    life.hears(Command::Request { request, signature, filed: None }, now).unwrap();
    let seen = |life: &Life, payment_name| {
        let standing = standing(life.kept().mirror, payment_name, None).unwrap();
        let shown = payment(&life.kept(), standing, Viewer::Agent);
        (shown.progress, shown.transactions, shown.reason)
    };
    assert_eq!(seen(&life, own), (Progress::Requested, vec![], None));
    let transaction = B256::repeat_byte(4);
    life.hears(Command::Sent { payment: own, transaction }, now).unwrap();
    assert_eq!(seen(&life, own), (Progress::Submitted, vec![transaction.to_string()], None));
    let why = Refused::new(Reason::DayCap, 1, 2);
    let turn = life.kept().mirror.asks[&own].turn;
    life.hears(Command::Answered { payment: own, turn, answer: Answer::Refused(why) }, now).unwrap();
    assert_eq!(seen(&life, own), (Progress::Failed, vec![], Some(why.to_string())));
    assert_eq!(seen(&life, small), (Progress::Escrowed, vec![], None));

    // One of ours that the chain has told of: what was under way is of no interest.
    let mut ours = told(&recording, "set a ceiling");
    let request = Box::new(known);
    let signature = Signed { of: Signature::Of(agent), bytes: Bytes::from_static(&[1]) };
    ours.hears(Command::Request { request, signature, filed: None }, now).unwrap();
    ours.hears(Command::Sent { payment: small, transaction }, now).unwrap();
    assert_eq!(seen(&ours, small).1.len(), 1);
    tell(&recording, &mut ours, "authorize small");
    assert_eq!(seen(&ours, small), (Progress::Escrowed, vec![], None));
}
