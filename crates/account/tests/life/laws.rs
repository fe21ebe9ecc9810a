//! What holds in every life, whatever is kept in it and when.

use std::collections::{BTreeMap, BTreeSet};

use account::{Command, Content, Fact, Refusal, State, deadline, decide, limits};
use primitives::UnixMillis;
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};

use crate::cast::*;

/// What happens next.
#[derive(Debug, Clone)]
enum Turn {
    Hears(Command),
    /// A change of this draft to that label, by somebody who has seen the version that it had so many changes ago.
    Change(&'static str, &'static str, u32),
}

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let which = || prop::sample::select(vec!["K1", "K2", "K3"]);
    let says = || prop::sample::select(vec!["spring", "summer", "autumn", "winter"]);
    let agent = || prop::sample::select(vec!["A", "B", "C"]);
    let hears = prop_oneof![
        4 => (agent(), says()).prop_map(|(agent, called)| name(agent, called)),
        2 => agent().prop_map(forget),
        5 => (which(), says()).prop_map(|(which, says)| draft(which, says)),
        2 => which().prop_map(discard),
        4 => (which(), says()).prop_map(|(which, says)| change(which, None, vec![label(says)])),
        1 => Just(Command::Wake),
    ];
    let turn = prop_oneof![
        5 => hears.prop_map(Turn::Hears),
        2 => (which(), says(), 0_u32..2).prop_map(|(which, says, ago)| Turn::Change(which, says, ago)),
    ];
    prop::collection::vec(((0_u64..5_000).prop_map(Wait::For), turn), 1..60)
}

/// Lives through the turns; `see` is shown the life after each, and the moment.
fn live(turns: &[(Wait, Turn)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    let asks = |life: &Life, turn: &Turn| match turn {
        Turn::Hears(command) => command.clone(),
        Turn::Change(which, says, ago) => {
            let version = life.state.drafts.get(&id(which)).map_or(1, |draft| draft.version);
            change(which, Some(version.saturating_sub(*ago)), vec![label(says)])
        }
    };
    Life::live(turns, asks, see)
}

/// An account as a child would keep it: the last word on everything, from the facts alone.
#[derive(Debug, Default, PartialEq)]
struct Notebook {
    names: BTreeMap<String, (String, UnixMillis)>,
    drafts: BTreeMap<String, (String, u32, UnixMillis, UnixMillis)>,
}

impl Notebook {
    fn of(state: &State) -> Self {
        let label = |content: &Content| content.label.as_str().to_owned();
        let names = state
            .agents
            .iter()
            .map(|(address, agent)| (address.to_string(), (agent.name.as_str().to_owned(), agent.since)));
        let drafts = state.drafts.iter().map(|(id, draft)| {
            let written = (label(&draft.content), draft.version, draft.drafted_at, draft.changed_at);
            (id.to_string(), written)
        });
        Self { names: names.collect(), drafts: drafts.collect() }
    }

    /// Writes down what a command asks that was granted at `at`.
    fn write(&mut self, command: &Command, at: UnixMillis) {
        match command {
            Command::Name { agent, name } => {
                let line = self.names.entry(agent.to_string()).or_insert((String::new(), at));
                line.0 = name.as_str().to_owned();
            }
            Command::Forget { agent } => drop(self.names.remove(&agent.to_string())),
            Command::Draft { id, content, .. } => {
                let fresh = (content.label.as_str().to_owned(), 1, at, at);
                self.drafts.entry(id.to_string()).or_insert(fresh);
            }
            Command::Change { id, changes, .. } => {
                let line = self.drafts.get_mut(&id.to_string()).unwrap();
                for change in changes {
                    let account::Change::Label(label) = change else { panic!("{change:?}") };
                    if line.0 != label.as_str() {
                        *line = (label.as_str().to_owned(), line.1 + 1, line.2, at);
                    }
                }
            }
            Command::Discard { id } => drop(self.drafts.remove(&id.to_string())),
            Command::Wake => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // O1, O2, O3, O5
    #[test]
    fn what_is_kept_is_the_last_word_on_everything_and_nothing_else(turns in turns()) {
        let (mut notebook, mut written) = (Notebook::default(), 0);
        live(&turns, |life, now| {
            for command in &life.granted[written..] {
                notebook.write(command, now);
            }
            written = life.granted.len();
            assert_eq!(notebook, Notebook::of(&life.state));
        });
    }

    // O2
    #[test]
    fn while_a_draft_is_there_its_id_is_granted_for_one_wording_only(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut wordings = BTreeMap::new();
        for command in &life.granted {
            match command {
                Command::Draft { id, fingerprint, .. } => {
                    prop_assert_eq!(*wordings.entry(*id).or_insert(*fingerprint), *fingerprint);
                }
                Command::Discard { id } => drop(wordings.remove(id)),
                Command::Name { .. } | Command::Forget { .. } | Command::Change { .. } | Command::Wake => {}
            }
        }
    }

    // O3
    #[test]
    fn only_who_has_seen_the_version_changes_it(turns in turns(), seen in 0_u32..8) {
        live(&turns, |life, now| {
            for (id, draft) in &life.state.drafts {
                let asked = |says: &str| {
                    let changes = vec![label(says)];
                    decide(&life.state, Command::Change { id: *id, seen: Some(seen), changes }, now)
                };
                let version = draft.version;
                match asked("something new") {
                    Ok(events) => assert_eq!((seen, events.len()), (version, 1)),
                    Err(refusal) => {
                        assert_ne!(seen, version);
                        assert_eq!(refusal, Refusal::VersionConflict { version });
                    }
                }
                assert_eq!(asked(draft.content.label.as_str()), Ok(Vec::new()));
            }
        });
    }

    // O4
    #[test]
    fn names_and_drafts_have_bounds_and_who_makes_room_is_let_in(
        numbers in prop::collection::vec((any::<bool>(), 0_u16..400), 1..900),
    ) {
        let mut life = Life::default();
        for (is_name, number) in numbers {
            let word = number.to_string();
            let (asked, makes_room, kept, most) = if is_name {
                (name(&word, &word), Command::Forget { agent: agent(&word) }, life.state.agents.len(), limits::AGENTS_MAX)
            } else {
                (draft(&word, &word), discard(&word), life.state.drafts.len(), limits::DRAFTS_MAX)
            };
            let heard = life.hears(asked, START);
            let is_known = matches!(&heard, Ok(heard) if heard.events.is_empty());
            prop_assert_eq!(heard.is_err(), kept >= most && !is_known);
            prop_assert!(life.state.agents.len() <= limits::AGENTS_MAX);
            prop_assert!(life.state.drafts.len() <= limits::DRAFTS_MAX);
            if is_known && number % 2 == 0 {
                life.hears(makes_room, START).unwrap();
            }
        }
    }

    #[test]
    fn time_changes_nothing(turns in turns()) {
        live(&turns, |life, now| {
            assert_eq!(deadline(&life.state), None);
            assert_eq!(life.woken(now).state, life.state);
        });
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_refusal_but_those_of_the_bounds() {
    let (mut facts, mut codes) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 300) {
        let mut before = State::default();
        let life = live(&turns, |life, _| before = life.state.clone());
        facts.extend(life.facts());
        for (state, event) in &life.journal {
            for command in
                [forget("C"), discard("K3"), draft("K1", "autumn"), change("K1", Some(1), vec![label("x")])]
            {
                codes.extend(decide(state, command, event.at).err().map(Refusal::code));
            }
            assert!(!matches!(event.fact, Fact::Changed { ref changes, .. } if changes.is_empty()));
        }
    }
    assert_eq!(facts.len(), Account::FACTS, "{facts:?}");
    assert_eq!(codes.len(), 4, "{codes:?}");
}
