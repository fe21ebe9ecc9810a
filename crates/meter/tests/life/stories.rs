//! Stories as text, in `scripts`. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts
//! that were recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use meter::{Gate, Outcome};
use primitives::UnixMillis;
use rehearsal::{Heard, every_story};

use crate::cast::*;
use crate::desk::{Ask, Desk};

/// What `words` ask for.
fn asked(words: &[&str], now: UnixMillis) -> Option<Ask> {
    Some(match *words {
        ["use", quantity, "at", version, "as", word] => {
            Ask::Record(vec![item(word, quantity, version.parse().ok()?, now)], Gate::Postpaid)
        }
        ["use", quantity, "prepaid", "as", word] => {
            Ask::Record(vec![item(word, quantity, 1, now)], Gate::Prepaid)
        }
        ["reverse", of, "as", word] => Ask::Reverse { word: word.to_owned(), of: of.to_owned() },
        ["draft", word] => Ask::Draft(word.to_owned(), vec![]),
        ["write-off", word] => Ask::WriteOff(word.to_owned(), vec![]),
        ["void", word] => Ask::Void(word.to_owned()),
        ["pay", word, "by", way] => Ask::Submit(word.to_owned(), means(way)),
        [word, "by", way, "is", how] => Ask::Report(word.to_owned(), means(way), outcome(how)?),
        ["reserve", quantity, "at", version, "for", minutes, "minutes", "as", word] => Ask::Reserve {
            word: word.to_owned(),
            quantity: quantity.to_owned(),
            version: version.parse().ok()?,
            minutes: minutes.parse().ok()?,
            gate: Gate::Prepaid,
        },
        [word, "is", "held"] => Ask::Answer { word: word.to_owned(), refused: false },
        [word, "is", "refused"] => Ask::Answer { word: word.to_owned(), refused: true },
        ["commit", quantity, "to", word, "as", event] => {
            Ask::Commit { word: word.to_owned(), item: item(event, quantity, 1, now) }
        }
        ["release", word] => Ask::Release(word.to_owned()),
        ["wake"] => Ask::Wake,
        _ => return None,
    })
}

fn outcome(how: &str) -> Option<Outcome> {
    let reason = "why".to_owned();
    Some(match how {
        "paid" => Outcome::Paid { proof: "proof".to_owned() },
        "failed" => Outcome::Failed { code: "no".to_owned(), reason },
        "unknown" => Outcome::Unknown { reason },
        _ => return None,
    })
}

#[test]
fn stories() {
    let player = || {
        let mut desk = Desk::new(0, 1);
        move |life: &mut Life, now: UnixMillis, words: &[&str]| {
            let ask = asked(words, now)?;
            let owed = desk.life.owed.len();
            let heard = desk.hears(&ask, now);
            *life = desk.life.clone();
            Some(heard.map(|events| Heard { events, owed: life.owed[owed..].to_vec() }))
        }
    };
    every_story::<Meter, _>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 6, player);
}
