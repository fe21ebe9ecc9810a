//! Single rules that stories cannot tell.

use account::{
    Change, Command, Content, DraftId, Event, Fact, Label, Name, Note, Plan, Refusal, State, apply, limits,
};
use alloy_primitives::B256;
use rehearsal::Core;

use crate::cast::*;

/// Text in JSON inside of JSON, at its longest: each byte of it is two.
fn longest_plan() -> Plan {
    let inside = "\"".repeat(limits::PLAN_BYTES_MAX - 2);
    format!("{{{inside}}}").parse().unwrap()
}

/// O4: a row of an object's store holds 2 MB.
#[test]
fn the_fullest_account_fits_into_one_row() {
    let (wide, quotes) = ("\u{10ffff}", "\"");
    let fullest = Content {
        label: quotes.repeat(limits::LABEL_BYTES_MAX).parse().unwrap(),
        plan: longest_plan(),
        transaction: Some(B256::repeat_byte(0xff)),
        note: quotes.repeat(limits::NOTE_BYTES_MAX).parse().unwrap(),
    };
    let agents =
        (0..limits::AGENTS_MAX).map(|number| name(&number.to_string(), &wide.repeat(limits::NAME_CHARS_MAX)));
    let drafts = (0..limits::DRAFTS_MAX).map(|number| {
        let fingerprint = primitives::Digest::of(&[b"any"]);
        Command::Draft { id: id(&number.to_string()), fingerprint, content: fullest.clone() }
    });
    let life = Life::of(agents.chain(drafts));
    assert_eq!((life.state.agents.len(), life.state.drafts.len()), (limits::AGENTS_MAX, limits::DRAFTS_MAX));
    let size = serde_json::to_string(&life.state).unwrap().len();
    assert!((1_600_000..1_900_000).contains(&size), "{size}");
    life.replays();
}

/// O5: nothing of what was forgotten is left behind.
#[test]
fn what_is_gone_leaves_an_account_as_if_it_had_never_been() {
    let mut life = Life::of([name("A", "Scout"), draft("K1", "spring")]);
    let before = life.state.clone();
    for command in [
        name("B", "Buyer"),
        draft("K2", "secret"),
        change(
            "K2",
            None,
            vec![Change::Transaction(transaction("T1")), Change::Note("hidden".parse().unwrap())],
        ),
        forget("B"),
        discard("K2"),
    ] {
        life.hears(command, START).unwrap();
    }
    assert_eq!(life.state, before);
}

/// O1: whatever an agent is called in between.
#[test]
fn an_agent_that_is_named_again_after_it_was_forgotten_is_named_since_then() {
    let mut life = Life::of([name("A", "Scout")]);
    let later = START.plus(primitives::Millis(7));
    let since = |life: &Life| life.state.agents[&agent("A")].since;
    life.hears(name("A", "Buyer"), later).unwrap();
    assert_eq!(since(&life), START);
    life.hears(forget("A"), later).unwrap();
    life.hears(name("A", "Buyer"), later).unwrap();
    assert_eq!(since(&life), later);
}

/// O2: nobody else's key leads to the same draft.
#[test]
fn an_id_is_the_owners_and_the_keys() {
    let ids = [
        DraftId::derive(&[1; 20], "K"),
        DraftId::derive(&[2; 20], "K"),
        DraftId::derive(&[1; 20], "K2"),
        DraftId::derive(&[1; 20], ""),
        DraftId::from_random([1; 16]),
    ];
    let once: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(once.len(), ids.len());
    assert_eq!(DraftId::derive(&[1; 20], "K"), ids[0]);
    assert_eq!(ids[4].to_string(), "dft_01010101010101010101010101010101");
    for id in ids {
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
    }
    let whole = ids[4].to_string();
    for bad in ["", "dft_", &whole[4..], &whole[..35], &format!("{whole}0"), &whole.replace("dft", "DFT")] {
        assert!(bad.parse::<DraftId>().is_err(), "{bad}");
    }
    assert!("dft_0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A".parse::<DraftId>().is_err());
    assert!("dft_0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0g".parse::<DraftId>().is_err());
}

/// O4
#[test]
fn each_text_has_its_bound_and_says_it() {
    let of = |letter: &str, count: usize| letter.repeat(count);
    let plan = |inside: usize| format!("{{{}}}", of(" ", inside));
    let name = |text: &str| text.parse::<Name>().map(|text| text.as_str().to_owned());
    let label = |text: &str| text.parse::<Label>().map(|text| text.as_str().to_owned());
    let note = |text: &str| text.parse::<Note>().map(|text| text.as_str().to_owned());
    let body = |text: &str| text.parse::<Plan>().map(|text| text.as_str().to_owned());
    for good in ["a", "Scout 2", &of("é", 80)] {
        assert_eq!(name(good).as_deref(), Ok(good));
    }
    for bad in ["", " ", " a", "a ", "a\nb", "\u{7f}", &of("a", 81), &of("é", 81)] {
        assert!(name(bad).unwrap_err().to_string().contains("80 characters"), "{bad}");
    }
    for good in ["", " a ", &of("é", 60)] {
        assert_eq!(label(good).as_deref(), Ok(good));
    }
    for bad in ["a\tb", &of("a", 121), &of("é", 61)] {
        assert!(label(bad).unwrap_err().to_string().contains("120 bytes"), "{bad}");
    }
    for good in ["", "a\r\n\tb", &of("é", 250)] {
        assert_eq!(note(good).as_deref(), Ok(good));
    }
    for bad in ["a\0", "\u{1b}[31m", &of("a", 501), &of("é", 251)] {
        assert!(note(bad).unwrap_err().to_string().contains("500 bytes"), "{bad}");
    }
    for good in ["{}", &plan(limits::PLAN_BYTES_MAX - 2)] {
        assert_eq!(body(good).as_deref(), Ok(good));
    }
    for bad in ["", "[]", "{", "null", "\"{}\"", &plan(limits::PLAN_BYTES_MAX - 1)] {
        assert!(body(bad).unwrap_err().to_string().contains("16384 bytes"), "{bad}");
    }
    assert!(
        serde_json::from_str::<Name>("\" a\"").is_err(),
        "what is read from disk is held to the same rule"
    );
}

#[test]
fn every_refusal_says_what_to_do_and_none_is_worth_a_retry() {
    let refusals = [
        (Refusal::UnknownAgent, "unknown_agent", "the list of yours"),
        (Refusal::TooManyAgents, "too_many_agents", "200 agents, which is all that are kept. Remove one"),
        (Refusal::UnknownDraft, "unknown_draft", "the list of yours"),
        (Refusal::KeyReused, "idempotency_key_reused", "a fresh key"),
        (Refusal::TooManyDrafts, "too_many_drafts", "50 drafts, which is all that are kept. Delete one"),
        (Refusal::VersionConflict { version: 3 }, "version_conflict", "version 3. Read it again"),
    ];
    for (refusal, code, advice) in refusals {
        assert_eq!((refusal.code(), refusal.may_retry()), (code, false));
        assert!(refusal.to_string().contains(advice), "{refusal}");
        let read: Refusal = serde_json::from_str(&serde_json::to_string(&refusal).unwrap()).unwrap();
        assert_eq!(read, refusal);
    }
}

/// O1, O2, O3, O5: a spoilt journal leads to no state to which the core itself could not have come.
#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let called = |name: &str| Fact::Named { agent: agent("A"), name: name.parse().unwrap() };
    let changed = |changes| Fact::Changed { id: id("K1"), changes };
    let facts = [
        called("Scout"),
        called("Buyer"),
        Fact::Forgotten { agent: agent("A") },
        Fact::Drafted { id: id("K1"), fingerprint: primitives::Digest::ZERO, content: content("spring") },
        changed(vec![label("summer")]),
        changed(vec![label("spring")]),
        changed(Vec::new()),
        Fact::Discarded { id: id("K1") },
    ];
    for (state, follow) in [
        (State::default(), "Named Named Drafted"),
        (Life::of([name("A", "Scout")]).state, "Named Forgotten Drafted"),
        (Life::of([draft("K1", "spring")]).state, "Named Named Changed Discarded"),
    ] {
        let events = facts.iter().map(|fact| Event { at: START, fact: fact.clone() });
        let names: Vec<_> = events
            .filter(|event| apply(state.clone(), event).is_ok())
            .map(|event| Account::name(&event))
            .collect();
        assert_eq!(names.join(" "), follow);
    }
    let event = Event { at: START, fact: Fact::Discarded { id: id("K1") } };
    let said = "an event of an account recorded at 2026-11-30T14:00:00.000Z does not follow";
    assert_eq!(apply(State::default(), &event).unwrap_err().to_string(), said);
}
