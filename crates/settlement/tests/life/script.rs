//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the transaction that
//! a caller is told, the facts that were recorded and what they owe, or `refused` and the code. `scripts/README.md` has
//! the words.

use std::path::Path;

use primitives::{Millis, UnixMillis};
use settlement::{Answer, Asker, Command, Sighting, State, Tier, Window, answer, apply};

use crate::cast::{self, Life, START};

fn tier(word: &str) -> Option<Tier> {
    Some(match word {
        "included" => Tier::Included,
        "safe" => Tier::Safe,
        "final" => Tier::Final,
        _ => return None,
    })
}

fn sighting(words: &[&str]) -> Option<Sighting> {
    Some(match *words {
        ["transfer", transaction, block, at] => {
            let (branch, number) = block.split_at_checked(1)?;
            cast::transferred(transaction, number.parse().ok()?, branch, tier(at)?)
        }
        ["used", transaction, at] => cast::used_otherwise(transaction, tier(at)?),
        ["unused"] => cast::unused(None, Window::Open),
        ["unused", "closed"] => cast::unused(None, Window::Closed),
        ["mined", transaction] => cast::unused(Some(transaction), Window::Open),
        ["mined", transaction, "closed"] => cast::unused(Some(transaction), Window::Closed),
        _ => return None,
    })
}

/// The command that `words` ask of `life`.
fn command(life: &Life, words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["start", request, at] => cast::start(request, tier(at)?),
        ["start", request, at, key] => cast::start_by(cast::key(key), request, tier(at)?),
        ["collect", request] => cast::collect(Asker::Anonymous, request),
        ["collect", request, key] => cast::collect(cast::key(key), request),
        ["announce", hash] => cast::announce(hash),
        ["decline", reason] => cast::decline(reason),
        ["look"] => Command::LookNow,
        ["see", ref seen @ ..] => {
            let look = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
            Command::See { look, sighting: sighting(seen)? }
        }
        ["late", look, ref seen @ ..] => Command::See { look: look.parse().ok()?, sighting: sighting(seen)? },
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

/// `12:30` or `12:30.500` after the start.
fn moment(text: &str) -> Option<UnixMillis> {
    let (minutes, rest) = text.split_once(':')?;
    let (seconds, millis) = rest.split_once('.').unwrap_or((rest, "0"));
    let span = minutes.parse::<u64>().ok()? * 60_000 + seconds.parse::<u64>().ok()? * 1_000;
    Some(START.plus(Millis(span + millis.parse::<u64>().ok()?)))
}

/// Plays one line; says what came of it.
fn play(life: &mut Life, now: UnixMillis, command: Command) -> String {
    match life.hears(command, now) {
        Err(refusal) => format!("refused {}", refusal.code()),
        Ok(heard) => {
            let transaction = match answer(&life.state) {
                Answer::Settled { transaction, .. }
                | Answer::Pending { transaction: Some(transaction) }
                | Answer::Failed { transaction: Some(transaction), .. } => format!("({transaction})"),
                Answer::None
                | Answer::Declined { .. }
                | Answer::Pending { transaction: None }
                | Answer::Failed { transaction: None, .. } => String::new(),
            };
            format!("{}{transaction}  {}", life.state.lifecycle().name(), cast::told(&heard))
        }
    }
}

/// Plays a story; lists the lines that came out otherwise.
fn faults(text: &str) -> Vec<String> {
    let mut life = Life::default();
    let mut faults = Vec::new();
    for (number, line) in
        (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let (asked, expected) = line.split_once("=>").unwrap_or((line, ""));
        let words: Vec<&str> = asked.split_whitespace().collect();
        let parsed = words.split_first().and_then(|(at, words)| Some((moment(at)?, command(&life, words)?)));
        let Some((now, command)) = parsed else {
            faults.push(format!("line {number} cannot be read: {line}"));
            continue;
        };
        let outcome = play(&mut life, now, command);
        let even = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if even(&outcome) != even(expected) {
            faults.push(format!("line {number}: {}\n      came to: {outcome}", line.trim()));
        }
    }
    let replayed = life.journal.iter().try_fold(State::default(), |state, (_, event)| apply(state, event));
    if replayed.as_ref() != Ok(&life.state) {
        faults.push("the journal replays to another state".to_owned());
    }
    faults
}

#[test]
fn every_story_goes_as_it_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut stories: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    stories.retain(|path| path.extension().is_some_and(|kind| kind == "txt"));
    stories.sort();
    assert!(stories.len() >= 14, "only {} stories were found", stories.len());
    let mut told = String::new();
    for path in &stories {
        for fault in faults(&std::fs::read_to_string(path).unwrap()) {
            told.push_str(&format!(
                "\n  {}: {fault}",
                path.file_name().unwrap_or_default().to_string_lossy()
            ));
        }
    }
    assert!(told.is_empty(), "{told}");
}
