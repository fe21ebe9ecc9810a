//! What an owner keeps for itself, on its way in and out.

use account::{Agent, Change, Content, Draft, DraftId, Refusal, State};
use api::binding::account_name;
use api::inbound::account::{changes, draft, drafting, naming, new_draft, seen};
use api::outbound::account as outbound;
use api::problem::Problem;
use eip712::{Address, B256};
use primitives::{Digest, UnixMillis};
use serde_json::{Value, json};

const AGENT: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HASH: &str = "0xabababababababababababababababababababababababababababababababab";

fn fields(problem: &Problem) -> Vec<&str> {
    assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_body"));
    problem.errors.iter().map(|fault| fault.field.as_str()).collect()
}

#[test]
fn an_agent_is_read_in_any_case() {
    let address: Address = AGENT.parse().unwrap();
    for agent in [AGENT.to_owned(), AGENT.to_lowercase(), format!("0x{}", AGENT[2..].to_uppercase())] {
        let (read, name) = naming(&json!({ "agent": agent, "name": "Scout" })).unwrap();
        assert_eq!((read, name.as_str()), (address, "Scout"));
    }
}

#[test]
fn every_fault_of_an_agent_is_named() {
    for (body, faults) in [
        (json!({ "agent": &AGENT[2..], "name": "Scout" }), vec!["agent"]),
        (json!({ "agent": &AGENT[..41], "name": "Scout" }), vec!["agent"]),
        (json!({ "agent": format!("0x{AGENT}"), "name": "Scout" }), vec!["agent"]),
        (json!({ "agent": AGENT.replace('0', "g"), "name": "" }), vec!["agent", "name"]),
        (json!({ "agent": AGENT, "name": "a".repeat(81) }), vec!["name"]),
        (json!({ "agent": AGENT }), vec!["name"]),
        (json!({ "agent": AGENT, "name": "Scout", "owner": AGENT }), vec!["owner"]),
        (json!([AGENT, "Scout"]), vec!["body"]),
    ] {
        assert_eq!(fields(&naming(&body).unwrap_err()), faults, "{body}");
    }
}

#[test]
fn a_draft_is_read_whole_and_fingerprinted_by_all_that_it_says() {
    let body = json!({ "label": "Spring", "mandate": { "b": [1, { "d": "x" }], "a": null }, "transaction": HASH, "note": "ask" });
    let (fingerprint, content) = drafting(&body).unwrap();
    let Content { label, plan, transaction, note } = content;
    assert_eq!((label.as_str(), note.as_str()), ("Spring", "ask"));
    assert_eq!(plan.as_str(), r#"{"a":null,"b":[1,{"d":"x"}]}"#);
    assert_eq!(transaction, Some(B256::repeat_byte(0xab)));
    let mut others = vec![json!({ "mandate": {} })];
    for field in ["label", "mandate", "transaction", "note"] {
        let mut other = body.clone();
        other[field] = if field == "mandate" { json!({}) } else { json!("") };
        others.push(other);
    }
    for other in others {
        assert_ne!(drafting(&other).unwrap().0, fingerprint, "{other}");
    }
    let (_, least) = drafting(&json!({ "mandate": {} })).unwrap();
    assert_eq!((least.label.as_str(), least.note.as_str(), least.transaction), ("", "", None));
}

#[test]
fn every_fault_of_a_draft_is_named() {
    let large = json!({ "entries": "a".repeat(16_384) });
    for (body, faults) in [
        (json!({}), vec!["mandate"]),
        (json!({ "mandate": [] }), vec!["mandate"]),
        (json!({ "mandate": "{}" }), vec!["mandate"]),
        (json!({ "mandate": {}, "status": "sent" }), vec!["status"]),
        (
            json!({ "mandate": large, "label": "a".repeat(121), "note": "\u{7}", "transaction": AGENT }),
            vec!["label", "mandate", "transaction", "note"],
        ),
    ] {
        assert_eq!(fields(&drafting(&body).unwrap_err()), faults, "{body}");
        if body.get("mandate").is_some() {
            assert_eq!(fields(&changes(&body).unwrap_err()), faults, "{body}");
        }
    }
}

#[test]
fn what_a_patch_does_not_name_stays_and_an_empty_text_is_none() {
    let read = |body: Value| changes(&body).unwrap();
    assert_eq!(read(json!({})), []);
    assert_eq!(read(json!({ "transaction": "" })), [Change::Transaction(None)]);
    assert_eq!(read(json!({ "transaction": HASH })), [Change::Transaction(Some(B256::repeat_byte(0xab)))]);
    let cleared = [Change::Label("".parse().unwrap()), Change::Note("".parse().unwrap())];
    assert_eq!(read(json!({ "note": "", "label": "" })), cleared);
    assert_eq!(read(json!({ "mandate": { "a": 1 } })), [Change::Plan(r#"{"a":1}"#.parse().unwrap())]);
}

#[test]
fn a_draft_is_named_by_its_key_and_its_owner() {
    let owner = Address::repeat_byte(1);
    let named = |owner, key: Option<&str>| new_draft(owner, key, [9; 16]);
    assert_eq!(named(owner, None), Ok(DraftId::from_random([9; 16])));
    assert_eq!(named(owner, Some("K")), Ok(DraftId::derive(&[1; 20], "K")));
    assert_ne!(named(owner, Some("K")), named(Address::repeat_byte(2), Some("K")));
    for bad in [String::new(), "a\nb".to_owned(), "a".repeat(257)] {
        assert_eq!(named(owner, Some(&bad)).unwrap_err().code, "invalid_idempotency_key");
    }
}

#[test]
fn a_draft_is_the_last_part_of_the_path_or_there_is_none() {
    let id = DraftId::from_random([9; 16]);
    for path in [format!("/v1/drafts/{id}"), format!("/api/mandates/draft/{id}")] {
        assert_eq!(draft(&path), Ok(id));
    }
    for path in [format!("/v1/drafts/{id}/"), "/v1/drafts/dft_".to_owned(), String::new()] {
        let problem = draft(&path).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (404, "unknown_draft"), "{path}");
    }
}

#[test]
fn the_version_that_was_seen_is_the_etag_as_it_was_given() {
    for (header, version) in [
        (None, None),
        (Some("*"), None),
        (Some("\"3\""), Some(3)),
        (Some(" \"4294967295\" "), Some(u32::MAX)),
    ] {
        assert_eq!(seen(header), Ok(version), "{header:?}");
    }
    for bad in ["", "3", "\"\"", "\"03\"", "\"+3\"", "W/\"3\"", "\"3\", \"4\"", "\"4294967296\"", "\""] {
        let problem = seen(Some(bad)).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_if_match"), "{bad}");
    }
}

#[test]
fn what_is_kept_is_shown_newest_first() {
    let mut state = State::default();
    for (byte, since) in [(1, 5), (2, 7), (3, 5)] {
        let agent = Agent { name: format!("A{byte}").parse().unwrap(), since: UnixMillis(since) };
        state.agents.insert(Address::repeat_byte(byte), agent);
        let content = Content {
            label: if byte == 1 { "Spring" } else { "" }.parse().unwrap(),
            plan: r#"{"agent":"é"}"#.parse().unwrap(),
            transaction: (byte == 1).then(|| B256::repeat_byte(0xab)),
            note: if byte == 1 { "ask" } else { "" }.parse().unwrap(),
        };
        let (drafted_at, changed_at) = (UnixMillis(since), UnixMillis(9));
        let draft = Draft { fingerprint: Digest::ZERO, content, version: 3, drafted_at, changed_at };
        state.drafts.insert(DraftId::from_random([byte; 16]), draft);
    }
    let agents = serde_json::to_value(outbound::agents(&state)).unwrap();
    let names: Vec<_> = agents["agents"].as_array().unwrap().iter().map(|agent| &agent["name"]).collect();
    assert_eq!(names, ["A2", "A1", "A3"]);
    assert_eq!(agents["agents"][1]["agent"], Address::repeat_byte(1).to_checksum(None));
    assert_eq!(agents["agents"][1]["createdAt"], "1970-01-01T00:00:00.005Z");
    let drafts = serde_json::to_value(outbound::drafts(&state).unwrap()).unwrap();
    let times = json!({ "createdAt": "1970-01-01T00:00:00.005Z", "updatedAt": "1970-01-01T00:00:00.009Z" });
    let mut whole = json!({
        "draft": "dft_01010101010101010101010101010101", "label": "Spring", "mandate": { "agent": "é" },
        "transaction": HASH, "note": "ask",
    });
    whole.as_object_mut().unwrap().extend(times.as_object().unwrap().clone());
    assert_eq!(drafts["drafts"][1], whole);
    let mut least = json!({ "draft": "dft_03030303030303030303030303030303", "mandate": { "agent": "é" } });
    least.as_object_mut().unwrap().extend(times.as_object().unwrap().clone());
    assert_eq!(drafts["drafts"][2], least);
    let tag = outbound::etag(&state.drafts[&DraftId::from_random([1; 16])]);
    assert_eq!(seen(Some(&tag)), Ok(Some(3)));
}

#[test]
fn not_yours_is_not_there_and_each_refusal_has_its_status() {
    for (refusal, status) in [
        (Refusal::UnknownAgent, 404),
        (Refusal::UnknownDraft, 404),
        (Refusal::KeyReused, 422),
        (Refusal::TooManyAgents, 409),
        (Refusal::TooManyDrafts, 409),
        (Refusal::VersionConflict { version: 3 }, 409),
    ] {
        let problem = outbound::refused(&refusal);
        assert_eq!((problem.status, problem.code.as_str()), (status, refusal.code()));
        assert_eq!((problem.detail, problem.retryable), (refusal.to_string(), false));
    }
}

#[test]
fn one_owner_is_one_object_however_the_address_is_written() {
    let owner: Address = AGENT.parse().unwrap();
    assert_eq!(account_name(&owner), AGENT.to_lowercase());
}
