//! Single rules that stories cannot tell.

use executor::{
    Body, Command, CommandId, Event, Fact, Label, Occasion, Order, Progress, Refusal, State, apply,
    authorize, deadline, given, limits,
};
use primitives::{ExecutorId, Millis, Secret, SecretKind, UnixMillis};
use rehearsal::Core;

use crate::cast::*;

/// X1, S4: one answer to whoever has another secret and to whoever asks for an executor that is not there.
#[test]
fn only_its_own_secret_opens_an_executor() {
    let life = Life::of([register("S1")]);
    assert_eq!(authorize(&life.state, &secret("S1")), Ok(()));
    assert_eq!(authorize(&life.state, &secret("S2")), Err(Refusal::NotRegistered));
    assert_eq!(authorize(&State::default(), &secret("S1")), Err(Refusal::NotRegistered));
}

/// X1: the token alone leads to the executor, for ever in the same way. Computed elsewhere, with Python's `hashlib` and
/// `base64`.
#[test]
fn an_executors_id_follows_from_its_secret() {
    for (byte, id) in [(0, "exe_wefvx52gnm5ogk45o22k6for5e"), (7, "exe_z7tibjgitcelb4ruttyqqlezhi")] {
        let digest = Secret::from_random(SecretKind::Executor, [byte; 32]).digest();
        assert_eq!(ExecutorId::of(&digest).as_str(), id);
    }
}

/// X6: what a lease gave out is read from its events, with what is to be done.
#[test]
fn what_was_given_out_is_read_from_the_events() {
    let mut life = Life::of([register("S1"), enqueue("O1", after(600)), enqueue("O2", after(700)), POLL]);
    life.hears(enqueue("O3", after(800)), after(1)).unwrap();
    // Two orders come back at the moment at which all three are asked for.
    let heard = life.hears(POLL, after(60)).unwrap();
    assert_eq!(heard.events.len(), 2);
    let orders = [order("O1", after(600)), order("O2", after(700)), order("O3", after(800))];
    assert_eq!(given(&life.state, &heard.events), orders.iter().collect::<Vec<_>>());
    assert_eq!(given(&life.state, &heard.events[..1]), Vec::<&Order>::new());
    assert_eq!(given(&State::default(), &heard.events), Vec::<&Order>::new());
}

/// X7, X8: of an idle executor no event says that it went offline, and no alarm is set for it.
#[test]
fn where_an_executor_stands_is_told_for_any_moment() {
    let mut life = Life::of([register("S1")]);
    assert_eq!(status(&Life::default(), START), "UNREGISTERED");
    assert_eq!(deadline(&life.state), None);
    assert_eq!((status(&life, START), status(&life, after(90).minus(Millis(1)))), ("IDLE", "IDLE"));
    assert_eq!(status(&life, after(90)), "OFFLINE");
    life.hears(enqueue("O1", after(120)), after(91)).unwrap();
    assert_eq!(status(&life, after(91)), "OFFLINE");
    assert_eq!(life.state.lifecycle().name(), "BUSY", "no run was told yet");
    life.hears(POLL, after(92)).unwrap();
    assert_eq!((status(&life, after(92)), status(&life, after(120))), ("BUSY", "IDLE"));
}

/// X8: how often an extension polls, by the alarm that its browser allows, is enough not to be given up, even if every
/// other one fails.
#[test]
fn an_executor_that_polls_once_a_minute_is_never_lost() {
    for pause in [1_000, 29_999, 30_000, 30_100, 45_000, 59_999, 60_000] {
        let mut life = Life::of([register("S1"), enqueue("O1", after(86_400))]);
        let mut now = START;
        for _ in 0..200 {
            now = now.plus(Millis(pause));
            while let Some(due) = deadline(&life.state).filter(|due| *due < now) {
                assert_ne!(life.hears(Command::Wake, due), Ok(Heard::default()));
            }
            life.hears(POLL, now).unwrap();
        }
        assert_eq!(life.count("Lost"), 0, "every {pause} ms");
    }
}

/// X8: pings that are answered without anybody hearing of it are asked for when the alarm comes.
#[test]
fn an_executor_whose_socket_pings_is_lost_when_the_pings_end() {
    for pause in [1_000, 30_000, 59_999] {
        let mut life = Life::of([register("S1"), enqueue("O1", after(86_400)), needs_user("O1")]);
        let last_ping = START.plus(Millis(pause * (3_600_000 / pause)));
        let alarm = |_| {
            let due = deadline(&life.state).unwrap();
            let pings = due.min(last_ping).since(START).0 / pause;
            if due.since(START.plus(Millis(pings * pause))) < limits::HEARD_LATELY {
                life.hears(Command::Seen, due).unwrap();
            }
            life.hears(Command::Wake, due).unwrap();
            (life.count("Lost") > 0).then_some(due)
        };
        let lost_at = (0..100).find_map(alarm).unwrap();
        let silence = lost_at.since(last_ping);
        let longest = limits::OFFLINE_AFTER.0 + limits::HEARD_LATELY.0;
        assert!(
            (limits::HEARD_LATELY.0..=longest).contains(&silence.0),
            "{silence:?} after pings every {pause} ms"
        );
    }
}

/// X3, X4: a clock that goes back gives nothing out twice, and nothing that was closed.
#[test]
fn a_clock_that_goes_back_gives_nothing_out_again() {
    let mut life = Life::of([register("S1")]);
    life.hears(enqueue("O1", after(600)), after(100)).unwrap();
    life.hears(enqueue("O2", after(600)), after(100)).unwrap();
    life.hears(settle("O2", after(600)), after(100)).unwrap();
    life.hears(POLL, after(100)).unwrap();
    for command in
        [POLL_ALL, enqueue("O1", after(600)), enqueue("O2", after(600)), Command::Seen, Command::Wake]
    {
        assert_eq!(life.hears(command, after(10)), Ok(Heard::default()));
    }
    life.replays();
}

/// What a run wants is nobody's business in a log.
#[test]
fn a_command_is_not_shown_by_debug() {
    let shown = format!(
        "{:?} {:?}",
        enqueue("O1", after(60)),
        Life::of([register("S1"), enqueue("O1", after(60))]).state
    );
    assert!(!shown.contains("VERIFY_ORDER") && shown.contains("Body(40 bytes)"), "{shown}");
}

/// X9
#[test]
fn words_from_outside_are_bounded_and_clean() {
    let fits = |text: &str| {
        (text.parse::<CommandId>().is_ok(), text.parse::<Body>().is_ok(), text.parse::<Label>().is_ok())
    };
    assert_eq!(fits("run_a.12:x-Y"), (true, true, true));
    assert_eq!(fits(""), (false, false, false));
    assert_eq!(fits(&"x".repeat(64)), (true, true, true));
    assert_eq!(fits(&"x".repeat(65)), (false, true, true));
    assert_eq!(fits(&"é".repeat(80)), (false, true, true));
    assert_eq!(fits(&"é".repeat(81)), (false, true, false));
    assert_eq!(fits("two words \u{7f}\u{85}"), (false, true, false));
    assert_eq!(fits(" a"), (false, true, false));
    assert_eq!(fits("a\nb"), (false, false, false));
    assert!("x".repeat(16_384).parse::<Body>().is_ok());
    assert!("x".repeat(16_385).parse::<Body>().unwrap_err().to_string().contains("16384 bytes"));
    let read = |id: &str| serde_json::from_str::<CommandId>(&format!("\"{id}\"")).is_ok();
    assert!(read("a") && !read("a b"));
}

#[test]
fn every_refusal_says_what_to_do_and_one_is_worth_a_retry() {
    let refusals = [
        (Refusal::NotRegistered, "unknown_executor", "Register one", None),
        (Refusal::AlreadyRegistered, "executor_already_registered", "a fresh secret", None),
        (Refusal::CommandIdReused, "command_id_reused", "an id of its own", None),
        (Refusal::OrderOver, "order_over", "a later end", None),
        (Refusal::OrderTooLong, "order_too_long", "more than 24 hours. Give one with an earlier end", None),
        (
            Refusal::QueueFull { retry_at: START },
            "too_many_orders",
            "64 that are pending, 524288 bytes of commands, or 1024 ids. Try again at 2026-11-30T14:00:00.000Z",
            Some(START),
        ),
    ];
    for (refusal, code, advice, retry_at) in refusals {
        assert_eq!((refusal.code(), refusal.retry_at()), (code, retry_at));
        assert_eq!(refusal.may_retry(), retry_at.is_some());
        assert!(refusal.to_string().contains(advice), "{refusal}");
    }
}

/// X2, X3, X4, X7: a spoilt journal leads to no state to which the core itself could not have come.
#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let ids = || vec![id("O1")];
    let (end, until) = (after(600), after(120));
    let facts = [
        Fact::Registered { secret: secret("S1"), label: None },
        Fact::Enqueued { order: order("O1", end) },
        Fact::Enqueued { order: order("O2", end) },
        Fact::Leased { command_ids: ids(), until, occasion: Occasion::Poll },
        Fact::Renewed { command_id: id("O1"), progress: Progress::Started, until },
        Fact::Returned { command_ids: ids() },
        Fact::Settled { command_id: id("O1"), until: end },
        Fact::Expired { command_ids: ids() },
        Fact::Lost { command_ids: ids() },
        Fact::Seen,
    ];
    let following = |state: &State, at: UnixMillis| {
        let events = facts.iter().map(|fact| Event { at, fact: fact.clone() });
        let names =
            events.filter(|event| apply(state.clone(), event).is_ok()).map(|event| Executor::told(&event));
        names.collect::<Vec<_>>().join(" ")
    };
    let of = |more: Vec<Command>| Life::of([vec![register("S1"), enqueue("O1", end)], more].concat()).state;
    let mut lost = Life { state: of(vec![]), ..Life::default() };
    lost.hears(Command::Wake, after(90)).unwrap();
    let all = "Enqueued(O2) Leased(O1) Renewed(O1) Settled(O1)";
    for (state, at, follow) in [
        (State::default(), START, "Registered".to_owned()),
        (Life::of([register("S1")]).state, START, "Enqueued(O1) Enqueued(O2) Settled(O1) Seen".to_owned()),
        (of(vec![]), START, format!("{all} Seen")),
        (of(vec![]), after(90), format!("{all} Lost(O1) Seen")),
        (lost.state, after(90), format!("{all} Seen")),
        (of(vec![POLL]), START, "Enqueued(O2) Renewed(O1) Settled(O1) Seen".to_owned()),
        (
            of(vec![POLL]),
            after(60),
            "Enqueued(O2) Leased(O1) Renewed(O1) Returned(O1) Settled(O1) Seen".to_owned(),
        ),
        (of(vec![]), end, "Expired(O1) Seen".to_owned()),
        (of(vec![settle("O1", end)]), START, "Enqueued(O2) Seen".to_owned()),
    ] {
        assert_eq!(following(&state, at), follow);
    }
    let event = Event { at: START, fact: Fact::Seen };
    let said = "an event recorded at 2026-11-30T14:00:00.000Z does not follow from UNREGISTERED";
    assert_eq!(apply(State::default(), &event).unwrap_err().to_string(), said);
}
