//! What holds in every life, whatever happens in it and when, beside the rules on paper.

use std::collections::BTreeSet;

use endpoint::{Arrival, Command, Fact, Known, Outcome, deadline, limits};
use primitives::{Millis, UnixMillis, WebhookId};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};

use crate::cast::*;
use crate::paper::Paper;

fn turns() -> impl Strategy<Value = Vec<(Wait, Command)>> {
    let wait = prop_oneof![
        8 => (0_u64..3_000).prop_map(Wait::For),
        3 => (0_u64..400_000).prop_map(Wait::For),
        1 => (0_u64..200_000_000).prop_map(Wait::For),
        5 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let word = || (0_u32..14).prop_map(|index| format!("M{index}"));
    let outcome = prop_oneof![
        4 => Just(Outcome::Taken),
        1 => Just(Outcome::Gone),
        8 => (1_u64..400).prop_map(pause),
        2 => Just(LAST),
    ];
    let command = prop_oneof![
        8 => word().prop_map(|word| accept(&word)),
        2 => prop::collection::vec(word(), 1..6).prop_map(|words| {
            Command::accept(words.iter().map(|word| message(word)))
        }),
        1 => word().prop_map(|word| again(&word)),
        1 => (20_u32..60).prop_map(|index| Command::Test { message: message(&format!("M{index}")) }),
        16 => (word(), 1_u32..4, outcome).prop_map(|(word, attempt, outcome)| answered(&word, attempt, outcome)),
        2 => word().prop_map(|word| resend(&word)),
        1 => prop::collection::vec(word(), 0..5).prop_map(|words| {
            recover(&words.iter().map(String::as_str).collect::<Vec<_>>())
        }),
        2 => Just(Command::Enable),
        1 => Just(Command::Disable),
        1 => (0_u64..90).prop_map(rotate),
        1 => Just(Command::Change { url: Some("https://b.example/".parse().unwrap()), description: None }),
        4 => Just(Command::Wake),
    ];
    prop::collection::vec((wait, command), 1..80)
}

/// Lives through the turns of an endpoint that is there; `see` is shown each command that was granted, and what was owed.
fn live(turns: &[(Wait, Command)], mut see: impl FnMut(&Life, &Command, &Heard, UnixMillis)) -> Life {
    let (mut life, mut now) = (Life::of([open("https://a.example/")]), START);
    for (wait, command) in turns {
        now = match wait {
            Wait::For(millis) => now.plus(Millis(*millis)),
            Wait::UntilBeforeDeadline(millis) => {
                deadline(&life.state).map_or(now, |at| at.minus(Millis(*millis))).max(now)
            }
        };
        let command = filled_in(&life, command);
        if let Ok(heard) = life.hears(command.clone(), now) {
            see(&life, &command, &heard, now);
        }
    }
    life
}

/// The command with what a shell knows from file. No two tests have the same message.
fn filled_in(life: &Life, command: &Command) -> Command {
    let is_filed = |message: &WebhookId| filed(&life.owed, message).is_some();
    match command.clone() {
        Command::Accept { mut arrivals } => {
            for Arrival { message, known } in &mut arrivals {
                *known = if is_filed(&message.id) { Known::Filed } else { Known::Fresh };
            }
            Command::Accept { arrivals }
        }
        Command::Test { message } if is_filed(&message.id) => Command::Wake,
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    // N1 to N4, N6, N7: attempts and rows are those on paper, at each turn.
    #[test]
    fn an_endpoint_does_as_on_paper_and_its_journal_replays_to_the_same_state(turns in turns()) {
        let mut paper = Paper::default();
        let life = live(&turns, |life, command, heard, now| {
            assert_eq!(Paper::attempts(&heard.owed), paper.hears(command, now), "{command:?}");
            for (message, status) in paper.standing() {
                assert_eq!(filed(&life.owed, message), Some(status), "{command:?}");
            }
        });
        life.replays();
    }

    // N3, N9
    #[test]
    fn no_more_are_under_way_or_kept_than_may_be(turns in turns()) {
        live(&turns, |life, _, _, _| {
            let hook = life.state.hook().unwrap();
            let under_way = hook.pending.values().filter(|pending| pending.is_under_way).count();
            assert!(under_way <= limits::AT_ONCE && hook.pending.len() <= limits::PENDING);
            assert!(hook.disabled.is_none() || under_way == hook.pending.len());
        });
    }

    // N6: of being disabled there is news, once.
    #[test]
    fn news_of_being_disabled_and_enabled_take_turns(turns in turns()) {
        let life = live(&turns, |_, _, _, _| {});
        let names = life.journal.iter().map(|(_, event)| Endpoint::name(event));
        let turned: Vec<_> = names.filter(|name| ["Disabled", "Enabled"].contains(name)).collect();
        prop_assert!(turned.iter().step_by(2).all(|name| *name == "Disabled"));
        prop_assert!(turned.iter().skip(1).step_by(2).all(|name| *name == "Enabled"));
    }

    // N8
    #[test]
    fn never_more_than_two_secrets_sign_and_the_newest_always(turns in turns()) {
        live(&turns, |life, _, _, now| {
            let hook = life.state.hook().unwrap();
            let signing: Vec<u32> = hook.signing(now).collect();
            let rotations = u32::try_from(life.count("Rotated")).unwrap();
            assert_eq!(signing[0], rotations + 1);
            assert!(signing.len() <= 2 && signing[1..].iter().all(|former| *former == rotations));
        });
    }

    // The clock decides, not the alarm.
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, _, _, now| drop(life.woken(now)));
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut states, mut reasons) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 300) {
        let life = live(&turns, |life, _, _, _| {
            states.insert(life.state.name());
        });
        facts.extend(life.facts());
        reasons.extend(life.journal.iter().filter_map(|(_, event)| match &event.fact {
            Fact::Disabled { why } => Some(why.name()),
            _ => None,
        }));
    }
    assert_eq!(facts.len(), Endpoint::FACTS - 1, "all but Removed: {facts:?}");
    assert_eq!((states.len(), reasons.len()), (3, 3), "{states:?} {reasons:?}");
}
