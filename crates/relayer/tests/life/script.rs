//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state's name with the facts
//! that were recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use std::path::Path;

use primitives::{BaseUnits, Millis, UnixMillis};
use relayer::{Command, Job, Market, Policy, Receipt, State, Verdict, apply};

use crate::cast::{self, Heard, Life, POLICY, START, WINDOW};

/// A receipt such as `5.1` (nonce 5, first attempt), or `5.1!` if it reverted.
fn receipt(life: &Life, word: &str) -> Option<Receipt> {
    let verdict = if word.ends_with('!') { Verdict::Reverted } else { Verdict::Succeeded };
    let (nonce, attempt) = word.trim_end_matches('!').split_once('.')?;
    Some(cast::receipt(life.hash(nonce.parse().ok()?, attempt.parse().ok()?), verdict))
}

fn submit(id: &str, payer: &str, gas_limit: u64, not_after: UnixMillis) -> Command {
    let job = Job { payer: payer.to_owned(), gas_limit, ..cast::job(id, not_after) };
    Command::Submit { job, policy: Policy { daily_gas_per_payer: 150_000, ..POLICY } }
}

/// `12:30` or `12:30.500` after the start.
fn moment(text: &str) -> Option<UnixMillis> {
    let (minutes, rest) = text.split_once(':')?;
    let (seconds, millis) = rest.split_once('.').unwrap_or((rest, "0"));
    let span = minutes.parse::<u64>().ok()? * 60_000 + seconds.parse::<u64>().ok()? * 1_000;
    Some(START.plus(Millis(span + millis.parse::<u64>().ok()?)))
}

/// Plays one line; says what came of it. `None` when it cannot be read.
fn play(life: &mut Life, market: &mut Market, now: UnixMillis, words: &[&str]) -> Option<String> {
    let heard = match *words {
        ["market", base_fee, tip] => {
            let fee = |word: &str| word.parse().ok().map(BaseUnits);
            *market = Market { base_fee: fee(base_fee)?, tip: fee(tip)? };
            Ok(Heard::default())
        }
        ["submit", id] => life.hears(cast::submit(id), now),
        ["submit", id, payer, gas] => life.hears(submit(id, payer, gas.parse().ok()?, now.plus(WINDOW)), now),
        ["sign"] => life.signs(market, now),
        ["look", mined_nonce, ref receipts @ ..] => {
            let receipts: Option<Vec<Receipt>> = receipts.iter().map(|word| receipt(life, word)).collect();
            life.hears(cast::look(mined_nonce.parse().ok()?, receipts?), now)
        }
        ["wake"] => life.hears(Command::Wake, now),
        _ => return None,
    };
    Some(match heard {
        Err(refusal) => format!("refused {}", refusal.code()),
        Ok(heard) => format!("{}  {}", life.state.lifecycle().name(), cast::told(&heard)),
    })
}

/// Plays a story; lists the lines that came out otherwise.
fn faults(text: &str) -> Vec<String> {
    let (mut life, mut market) = (Life::default(), cast::market(10, 2));
    let mut faults = Vec::new();
    for (number, line) in
        (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let (asked, expected) = line.split_once("=>").unwrap_or((line, ""));
        let words: Vec<&str> = asked.split_whitespace().collect();
        let outcome = words
            .split_first()
            .and_then(|(at, words)| play(&mut life, &mut market, moment(at)?, words))
            .unwrap_or_else(|| "cannot be read".to_owned());
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
    assert!(stories.len() >= 12, "only {} stories were found", stories.len());
    let mut told = String::new();
    for path in &stories {
        for fault in faults(&std::fs::read_to_string(path).unwrap()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            told.push_str(&format!("\n  {name}: {fault}"));
        }
    }
    assert!(told.is_empty(), "{told}");
}
