//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state's name with the facts
//! that were recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use primitives::{BaseUnits, UnixMillis};
use rehearsal::every_story;
use relayer::{Command, Job, Market, Policy, Receipt, Refusal, Verdict};

use crate::cast::{self, Heard, Life, POLICY, WINDOW};

/// A receipt such as `5.1` (nonce 5, first attempt), or `5.1!` if it reverted.
fn receipt(life: &Life, word: &str) -> Option<Receipt> {
    let verdict = if word.ends_with('!') { Verdict::Reverted } else { Verdict::Succeeded };
    let (nonce, attempt) = word.trim_end_matches('!').split_once('.')?;
    Some(cast::receipt(cast::hash(life, nonce.parse().ok()?, attempt.parse().ok()?), verdict))
}

fn submit(id: &str, payer: &str, gas_limit: u64, not_after: UnixMillis) -> Command {
    let job = Job { payer: payer.to_owned(), gas_limit, ..cast::job(id, not_after) };
    Command::Submit { job, policy: Policy { daily_gas_per_payer: 150_000, ..POLICY } }
}

/// Lets `life` hear what `words` ask for.
fn play(
    life: &mut Life,
    market: &mut Market,
    now: UnixMillis,
    words: &[&str],
) -> Option<Result<Heard, Refusal>> {
    Some(match *words {
        ["market", base_fee, tip] => {
            let fee = |word: &str| word.parse().ok().map(BaseUnits);
            *market = Market { base_fee: fee(base_fee)?, tip: fee(tip)? };
            Ok(Heard::default())
        }
        ["submit", id] => life.hears(cast::submit(id), now),
        ["submit", id, payer, gas] => life.hears(submit(id, payer, gas.parse().ok()?, now.plus(WINDOW)), now),
        ["sign"] => cast::signs(life, market, now),
        ["look", mined_nonce, ref receipts @ ..] => {
            let receipts: Option<Vec<Receipt>> = receipts.iter().map(|word| receipt(life, word)).collect();
            life.hears(cast::look(mined_nonce.parse().ok()?, receipts?), now)
        }
        ["wake"] => life.hears(Command::Wake, now),
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 12, || {
        let mut market = cast::market(10, 2);
        move |life: &mut Life, now, words: &[&str]| play(life, &mut market, now, words)
    });
}
