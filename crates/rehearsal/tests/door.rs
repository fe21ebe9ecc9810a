//! What a rehearsal says of stories and journals that do not fit a core small enough to see through.

use std::panic::{UnwindSafe, catch_unwind};
use std::{fs, path::Path};

use primitives::{Millis, UnixMillis};
use rehearsal::{Core, endings, every_story};
use serde::{Deserialize, Serialize};

/// A door that closes a second after it was opened.
#[derive(Debug, Clone, PartialEq)]
struct Door;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    /// It has a fault: a journal does not say how much longer it stays open.
    Opened {
        at: UnixMillis,
        #[serde(skip)]
        longer: u64,
    },
    Closed,
}

impl Core for Door {
    /// When it closes.
    type State = Option<UnixMillis>;
    /// Open, so much longer; or what the alarm sends.
    type Command = Option<u64>;
    type Event = Event;
    type Effect = ();
    type Refusal = &'static str;

    fn decide(state: &Self::State, command: Option<u64>, at: UnixMillis) -> Result<Vec<Event>, &'static str> {
        match command {
            Some(_) if state.is_some() => Err("is_open"),
            Some(longer) => Ok(vec![Event::Opened { at, longer }]),
            None => {
                Ok(state.filter(|closes_at| *closes_at <= at).map(|_| Event::Closed).into_iter().collect())
            }
        }
    }
    fn apply(state: Self::State, event: &Event) -> Result<Self::State, String> {
        match event {
            Event::Opened { at, longer } => Ok(Some(at.plus(Millis(1_000)).plus(Millis(*longer)))),
            Event::Closed => state.map(|_| None).ok_or_else(|| "it is closed".to_owned()),
        }
    }
    fn effects(_: &Self::State, event: &Event) -> Vec<()> {
        if *event == Event::Closed { vec![()] } else { Vec::new() }
    }
    fn deadline(state: &Self::State) -> Option<UnixMillis> {
        *state
    }
    fn code(refusal: &&'static str) -> &'static str {
        refusal
    }
    fn wake() -> Option<u64> {
        None
    }

    const FACTS: usize = 2;
    fn name(event: &Event) -> &'static str {
        if *event == Event::Closed { "Closed" } else { "Opened" }
    }
    fn lifecycle(state: &Self::State) -> &'static str {
        if state.is_some() { "OPEN" } else { "SHUT" }
    }
    fn owed((): &()) -> String {
        "+ring".to_owned()
    }
}

/// The words with which `rehearse` fails; none if it does not.
fn fault(rehearse: impl FnOnce() + UnwindSafe) -> String {
    let panic = catch_unwind(rehearse).err();
    panic.map_or_else(String::new, |panic| *panic.downcast::<String>().unwrap_or_default())
}

/// Plays a story, alone in a folder of that name.
fn played(name: &str, at_least: usize, story: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("door.txt"), story));
    assert!(written.is_ok(), "{written:?}");
    fault(move || {
        every_story::<Door, _>(&folder, at_least, || {
            |life, now, words| match *words {
                ["open", longer] => Some(life.hears(Some(longer.parse().ok()?), now)),
                ["wake"] => Some(life.hears(None, now)),
                _ => None,
            }
        });
    })
}

#[test]
fn a_story_that_is_true_passes() {
    let story = "# A door.\n\n0:00.5 open 0 => OPEN   Opened\n0:01 open 0 => refused is_open\n\
                 0:01.499 wake=>OPEN nothing\n0:01.5 wake => SHUT Closed +ring\n1:00.05 wake => SHUT nothing\n";
    assert_eq!(played("true", 1, story), "");
    assert_eq!(played("true", 2, story), "only 1 stories were found");
}

#[test]
fn every_line_that_came_out_otherwise_is_listed_with_its_file_and_number() {
    let story = "# A door.\n0:00 open 0 => OPEN Opened\n0:01 wake => SHUT Closed\n0:02 fly => OPEN\n\
                 0:02.1234 open 0 => OPEN Opened\n0:03 open 5\n0:03 open 0 => OPEN Opened\n";
    let faults = [
        "line 3: 0:01 wake => SHUT Closed\n      came to: SHUT  Closed +ring",
        "line 4: 0:02 fly => OPEN\n      came to: cannot be read",
        "line 5: 0:02.1234 open 0 => OPEN Opened\n      came to: cannot be read",
        "line 6: 0:03 open 5\n      came to: OPEN  Opened",
        "line 7: 0:03 open 0 => OPEN Opened\n      came to: refused is_open",
        "the journal replays to another state",
    ];
    assert_eq!(played("untrue", 1, story), faults.map(|fault| format!("\n  door.txt: {fault}")).concat());
}

#[test]
fn a_journal_of_old_is_held_to_its_words_its_states_and_its_facts() {
    let opened = r#"{"Opened":{"at":1000}}"#;
    let whole = format!("{opened}\n\"Closed\"\n\n{opened}\n");
    assert_eq!(endings::<Door>(&whole, "2000\nnull\n\n2000\n"), ["SHUT", "OPEN"]);
    for (journals, states, words) in [
        (whole.replace(":1000", ": 1000"), "2000\nnull\n\n2000\n", "left == right"),
        (whole.replace("Closed", "Locked"), "2000\nnull\n\n2000\n", "unknown variant `Locked`"),
        ("\"Closed\"\n".to_owned(), "null\n", "it is closed"),
        (whole.clone(), "2000\n2000\n\n2000\n", "left == right"),
        (whole.clone(), "2000\nnull\n", "journals and lives in snapshots"),
        (whole.clone(), "2000\n\n2000\n", "events and snapshots of the life"),
        (format!("{opened}\n"), "2000\n", "{\"Opened\"}"),
    ] {
        let said = fault(move || drop(endings::<Door>(&journals, states)));
        assert!(said.contains(words), "{words}: {said}");
    }
}
