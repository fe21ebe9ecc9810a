//! Journals as they are on disk, one JSON text per line. They must be readable for ever.

use std::collections::BTreeSet;

use serde::{Serialize, de::DeserializeOwned};

use crate::Core;

/// The state that a journal leads to; the text says why it leads nowhere.
pub fn replay<C: Core>(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Result<C::State, String> {
    lines.into_iter().try_fold(C::State::default(), |state, line| {
        let event = serde_json::from_str(line.as_ref()).map_err(|error| error.to_string())?;
        C::apply(state, &event)
    })
}

/// Replays journals of a version, and says in which state each life ends.
///
/// A line is an event in `journals` and the state after it in `snapshots`; an empty line ends a life. Fails unless every
/// event would be written in the same words today, leads to the state of its line, and every fact of the core is there.
pub fn endings<C: Core>(journals: &str, snapshots: &str) -> Vec<&'static str> {
    let (journals, snapshots) = (lives(journals), lives(snapshots));
    assert_eq!(journals.len(), snapshots.len(), "journals and lives in snapshots");
    let mut seen = BTreeSet::new();
    let endings = journals.into_iter().zip(snapshots).map(|(journal, snapshots)| {
        assert_eq!(journal.len(), snapshots.len(), "events and snapshots of the life of {journal:?}");
        let mut state = C::State::default();
        for (line, snapshot) in journal.into_iter().zip(snapshots) {
            let event: C::Event = read(line);
            assert_eq!(written(&event), line);
            seen.insert(C::name(&event));
            state = C::apply(state, &event).unwrap_or_else(|corrupt| panic!("{corrupt}: {line}"));
            assert_eq!(read::<C::State>(snapshot), state, "{snapshot}");
        }
        C::lifecycle(&state)
    });
    let endings = endings.collect();
    assert_eq!(seen.len(), C::FACTS, "{seen:?}");
    endings
}

fn lives(text: &str) -> Vec<Vec<&str>> {
    text.split("\n\n").map(|life| life.lines().collect()).collect()
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn read<T: DeserializeOwned>(line: &str) -> T {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}
