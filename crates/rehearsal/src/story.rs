//! Stories as text. Each line is `minute:second  command  =>  outcome`; an outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. Lines that begin with `#` are remarks.

use std::fs;
use std::path::{Path, PathBuf};

use primitives::{Millis, UnixMillis};

use crate::{Core, Heard, Life};

/// 2026-11-30T14:00:00Z, when every story begins.
pub const START: UnixMillis = UnixMillis(1_796_047_200_000);

/// Plays every story (`.txt`) of a folder, of which there must be `at_least` so many, and fails with the lines that came
/// out otherwise.
///
/// Each story has a player of its own, who lets the life hear the command that the words of a line ask for, at its
/// moment; `None` when the words cannot be read.
pub fn every_story<C: Core, P>(folder: impl AsRef<Path>, at_least: usize, player: impl Fn() -> P)
where
    P: FnMut(&mut Life<C>, UnixMillis, &[&str]) -> Option<Result<Heard<C>, C::Refusal>>,
{
    let mut stories: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    stories.retain(|path| path.extension().is_some_and(|kind| kind == "txt"));
    stories.sort();
    assert!(stories.len() >= at_least, "only {} stories were found", stories.len());
    let faults = stories.iter().flat_map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let faults = faults(&fs::read_to_string(path).unwrap(), player());
        faults.into_iter().map(move |fault| format!("\n  {name}: {fault}"))
    });
    let faults: String = faults.collect();
    assert!(faults.is_empty(), "{faults}");
}

/// Plays a story; lists the lines that came out otherwise.
fn faults<C: Core, P>(text: &str, mut player: P) -> Vec<String>
where
    P: FnMut(&mut Life<C>, UnixMillis, &[&str]) -> Option<Result<Heard<C>, C::Refusal>>,
{
    let (mut life, mut faults) = (Life::default(), Vec::new());
    for (number, line) in
        (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let (asked, expected) = line.split_once("=>").unwrap_or((line, ""));
        let words: Vec<&str> = asked.split_whitespace().collect();
        let played = words.split_first().and_then(|(at, words)| player(&mut life, moment(at)?, words));
        let outcome = match played {
            None => "cannot be read".to_owned(),
            Some(Err(refusal)) => format!("refused {}", C::code(&refusal)),
            Some(Ok(heard)) => {
                format!("{}{}  {}", C::lifecycle(&life.state), C::mark(&life.state), heard.told())
            }
        };
        if !outcome.split_whitespace().eq(expected.split_whitespace()) {
            faults.push(format!("line {number}: {}\n      came to: {outcome}", line.trim()));
        }
    }
    if life.replayed().as_ref() != Ok(&life.state) {
        faults.push("the journal replays to another state".to_owned());
    }
    faults
}

/// `12:30` or `12:30.500` after the start.
fn moment(text: &str) -> Option<UnixMillis> {
    let (minutes, rest) = text.split_once(':')?;
    let (seconds, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let number = |text: &str| text.parse::<u64>().ok();
    let millis = (fraction.len() <= 3).then(|| number(&format!("{fraction:0<3}")))??;
    Some(
        START
            .plus(Millis::from_minutes(number(minutes)?))
            .plus(Millis::from_seconds(number(seconds)?))
            .plus(Millis(millis)),
    )
}
