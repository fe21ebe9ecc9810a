//! When the chain is looked at, for what, and what is sent again.

use primitives::{Digest, Millis};
use settlement::{Asker, Command, Effect, Refusal, State, Tier, Window, deadline, limits, look, matches};

use crate::cast::*;

fn sent() -> Life {
    Life::of([start("R1", Tier::Included), announce("0xfeed")])
}

/// T8: the pauses double from two seconds up to a minute, and stay there.
#[test]
fn looks_become_rarer_and_never_stop() {
    let (mut life, mut now) = (sent(), START);
    let mut pauses = Vec::new();
    for _ in 0..9 {
        let next = deadline(&life.state).unwrap();
        pauses.push(next.since(now).0 / 1_000);
        now = next;
        life.hears(Command::Wake, now).unwrap();
    }
    assert_eq!(pauses, [2, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert_eq!(look(&life.state, now).unwrap().number, 9);
}

/// T8: what is settled is watched for `WATCH_MAX` after its block was first seen; a new block is watched anew.
#[test]
fn a_settled_transfer_is_watched_for_its_time() {
    let mut life = sent();
    life.hears(Command::LookNow, START).unwrap();
    sees(&mut life, transferred("0xfeed", 7, "a", Tier::Included), START);
    let moved_at = START.plus(Millis::from_minutes(90));
    life.hears(Command::Wake, moved_at).unwrap();
    assert_eq!(
        sees(&mut life, transferred("0xfeed", 9, "b", Tier::Included), moved_at).told(),
        "Reorged Transferred"
    );
    let end = moved_at.plus(limits::WATCH_MAX);
    let early = life.clone().hears(Command::Wake, end.minus(Millis(1))).unwrap();
    assert_eq!(early.told(), "LookStarted");
    assert_eq!(life.hears(Command::Wake, end).unwrap().told(), "WatchEnded");
    assert_eq!(deadline(&life.state), None);
    // A look that was under way still counts, and a block that is gone brings the watch back.
    assert_eq!(sees(&mut life, unused(None, Window::Open), end).told(), "Reorged");
    assert!(deadline(&life.state).is_some());
}

/// T9: the newest transaction first, the bytes to send again only as long as the window is open.
#[test]
fn a_look_knows_every_transaction_and_what_to_send_again() {
    let mut life = sent();
    assert_eq!(look(&life.state, START), None);
    life.hears(announce("0xf00d"), START).unwrap();
    life.hears(Command::LookNow, START).unwrap();
    let wanted = look(&life.state, START).unwrap();
    assert_eq!((wanted.number, &wanted.terms), (1, &terms(Tier::Included)));
    assert_eq!(wanted.transactions, ["0xf00d", "0xfeed"]);
    assert_eq!(wanted.raw.unwrap().0, "0xf00d02f8");
    assert_eq!(wanted.stood, None);
    let closes_at = START.plus(WINDOW);
    assert!(look(&life.state, closes_at.minus(Millis(1))).unwrap().raw.is_some());
    assert_eq!(look(&life.state, closes_at).unwrap().raw, None);

    sees(&mut life, transferred("0xfeed", 7, "a", Tier::Included), START);
    life.hears(Command::Wake, deadline(&life.state).unwrap()).unwrap();
    let stood = look(&life.state, START).unwrap().stood.unwrap();
    assert_eq!(
        (stood.transaction.as_str(), stood.block_number, stood.block_hash.as_str()),
        ("0xfeed", 7, "a7")
    );
    sees(&mut life, transferred("0xfeed", 7, "a", Tier::Final), START);
    assert_eq!(look(&life.state, START), None);
}

/// T9: within their bound. What is forgotten is the oldest.
#[test]
fn transactions_are_bounded() {
    let mut life = sent();
    for number in 1..=limits::TRANSACTIONS_MAX {
        life.hears(announce(&format!("0x{number}")), START).unwrap();
    }
    let calls = life.state.unfinished().unwrap().calls.as_ref().unwrap();
    assert_eq!(calls.hashes.len(), limits::TRANSACTIONS_MAX);
    assert_eq!((calls.hashes[0].as_str(), calls.raw.0.as_str()), ("0x1", "0x8002f8"));
}

/// T2: the job holds what the relayer needs, and not the authorization's last moments.
#[test]
fn the_job_says_all_that_the_relayer_needs() {
    let life = sent();
    let Some(Effect::Submit { relayer, job }) = life.owed.first() else { panic!("{:?}", life.owed) };
    let terms = terms(Tier::Included);
    assert_eq!((relayer, &job.payer, &job.call), (&terms.relayer, &terms.payer, &terms.call));
    assert_eq!(job.not_after, START.plus(Millis::from_seconds(298)));
}

/// T7: nothing is owed to the catalogue for what is not in it, and the entry is passed on as it came.
#[test]
fn the_catalogue_is_told_what_the_start_said() {
    for catalogue in [None, Some("{}".to_owned())] {
        let mut terms = terms(Tier::Included);
        terms.catalogue = catalogue.clone();
        let (fingerprint, terms) = (fingerprint("R1"), Box::new(terms));
        let start = Command::Start { fingerprint, asker: Asker::Anonymous, terms };
        let mut life = Life::of([start, Command::LookNow]);
        let heard = sees(&mut life, transferred("0xf00d", 7, "a", Tier::Safe), START);
        let expected = catalogue.map(|catalogue| Effect::Publish { catalogue, settled_at: START });
        assert_eq!(heard.owed, Vec::from_iter(expected));
    }
}

/// T1
#[test]
fn an_authorization_matches_its_own_request_only() {
    let (mut life, other) = (sent(), fingerprint("R2"));
    assert_eq!(matches(&State::New, &Digest::ZERO), Ok(()));
    assert_eq!(matches(&life.state, &fingerprint("R1")), Ok(()));
    assert_eq!(matches(&life.state, &other), Err(Refusal::Other));
    life.hears(Command::LookNow, START).unwrap();
    sees(&mut life, unused(None, Window::Closed), START);
    assert_eq!(matches(&life.state, &fingerprint("R1")), Ok(()));
    assert_eq!(matches(&life.state, &other), Err(Refusal::Other));
    let unavailable = Refusal::Unavailable(life.state.lifecycle());
    for refusal in [Refusal::Other, unavailable, Refusal::Collected, Refusal::KeyTooLong] {
        assert!(!refusal.may_retry() && refusal.to_string().ends_with('.'), "{refusal}");
    }
}

/// T10: the bound of a key is the same wherever one asks.
#[test]
fn a_key_is_bounded() {
    let longest = key(&"k".repeat(limits::KEY_BYTES));
    let longer = key(&"k".repeat(limits::KEY_BYTES + 1));
    let mut life = Life::default();
    let refused = Err(Refusal::KeyTooLong);
    assert_eq!(life.hears(start_by(longer.clone(), "R1", Tier::Included), START), refused);
    assert_eq!(life.hears(collect(longer, "R1"), START), refused);
    life.hears(start_by(longest.clone(), "R1", Tier::Included), START).unwrap();
    life.hears(Command::LookNow, START).unwrap();
    sees(&mut life, transferred("0xf00d", 7, "a", Tier::Safe), START);
    assert_eq!(life.hears(collect(longest, "R1"), START), Ok(Heard::default()));
}

/// What was signed is shown to nobody who prints a state.
#[test]
fn signatures_do_not_show_in_debug_text() {
    let life = sent();
    let shown = format!("{life:?}");
    assert!(shown.contains("Bytes(8 digits)"), "{shown}");
    assert!(!shown.contains("e3ee160e") && !shown.contains("02f8"), "{shown}");
}
