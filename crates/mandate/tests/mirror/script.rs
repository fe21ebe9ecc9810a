//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the mandate's status with its
//! balance, what of it is reserved and where each request stands, then the facts that were recorded and what they owe, or
//! `refused` and the code. What the log gains by the chain is marked with a star. `scripts/README.md` has the words.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256};
use mandate::life::Hold;
use mandate::mirror::{Answer, Command, News};
use mandate::{Reason, Request, State};
use primitives::{Millis, UnixMillis};
use rehearsal::every_story;

use crate::cast::*;

fn who(word: &str) -> Option<Address> {
    Some(match word {
        "owner" => OWNER,
        "agent" => AGENT,
        "provider" => PROVIDER,
        "resolver" => RESOLVER,
        "stranger" => STRANGER,
        _ => return None,
    })
}

/// The requests of one story, by their words.
#[derive(Default)]
struct Made(BTreeMap<String, Request>);

impl Made {
    fn request(&mut self, life: &Life, word: &str, amount: &str, now: UnixMillis) -> Option<Request> {
        let policy_version = life.state.mirror().map_or(1, |mirror| mirror.tip.mandate.policy_version);
        let fresh = Request { policy_version, ..request_at(word, amount.parse().ok()?, now) };
        Some(*self.0.entry(word.to_owned()).or_insert(fresh))
    }

    /// One event of the chain, by its words.
    fn news(&mut self, life: &Life, words: &str, now: UnixMillis) -> Option<News> {
        let number = |word: &str| word.parse().ok().map(units);
        let words: Vec<&str> = words.split_whitespace().collect();
        Some(match *words {
            ["funded", amount] => funded(amount.parse().ok()?),
            ["withdrawn", amount] => News::Withdrawn { to: OWNER, amount: number(amount)? },
            ["paused"] => News::Paused,
            ["unpaused"] => News::Unpaused,
            ["revoked", by] => News::Revoked { by: who(by)? },
            ["tightened"] => News::Amended(amendment(tighter(), 1)),
            ["ceiling", cap] => News::CeilingSet { day_cap: number(cap)? },
            ["elsewhere", amount] => News::AuthorizedElsewhere { amount: number(amount)? },
            ["authorized", word] => authorized(self.request(life, word, "40", now)?),
            ["authorized", word, amount] => authorized(self.request(life, word, amount, now)?),
            ["cancelled", word, by] => News::Cancelled { payment: named(word), by: who(by)? },
            ["delivered", word] => News::Delivered { payment: named(word), receipt: B256::repeat_byte(0xee) },
            ["disputed", word] => News::Disputed { payment: named(word), evidence: B256::repeat_byte(0xdd) },
            ["captured", word, total] => News::Captured { payment: named(word), total: number(total)? },
            ["settled", word, paid, back] => {
                closed(word, State::Settled, paid.parse().ok()?, back.parse().ok()?)
            }
            ["refunded", word, back] => closed(word, State::Refunded, 0, back.parse().ok()?),
            ["returned", word, amount, total] => {
                News::Refunded { payment: named(word), amount: number(amount)?, total: number(total)? }
            }
            _ => return None,
        })
    }

    /// A block with events that are parted by `+`.
    fn block(&mut self, life: &Life, words: &[&str], now: UnixMillis) -> Option<Vec<News>> {
        let line = words.join(" ");
        line.split('+')
            .filter(|part| !part.trim().is_empty())
            .map(|part| self.news(life, part, now))
            .collect()
    }

    fn command(&mut self, life: &Life, words: &[&str], now: UnixMillis) -> Option<Command> {
        let in_minutes = |word: &str| Some(now.plus(Millis::from_minutes(word.parse().ok()?)));
        Some(match *words {
            ["adopt"] => adopt(),
            ["seal"] => seal(life),
            ["block", ref news @ ..] => next(life, now, self.block(life, news, now)?),
            ["reorg", depth, ref news @ ..] => {
                let tip = mirror(life).tip.block.number;
                let after = tip - depth.parse::<u64>().ok()?;
                // Who told the blocks knows them; any that told nothing is as good as another.
                let known = mirror(life).tail.iter().map(|told| told.place.block);
                let mut known = known.chain([mirror(life).sealed.block, mirror(life).tip.block]);
                let after =
                    known.find(|block| block.number == after).unwrap_or_else(|| block_of(after, 0, START));
                let to = block_of(after.number + 1, 1, now);
                Command::Rewind(observation(after, to, genesis(), self.block(life, news, now)?))
            }
            ["request", word, amount] => ask(self.request(life, word, amount, now)?),
            ["cancel", word, by] => cancel(self.request(life, word, "40", now)?, who(by)?),
            ["cancel", word, by, "unsigned"] => {
                cancel_unsigned(self.request(life, word, "40", now)?, who(by)?)
            }
            ["approve", word, minutes] => approve(word, in_minutes(minutes)?),
            ["forge", word] => approve_as(word, at(DAY), AGENT),
            ["reject", word, by] => reject(word, who(by)?),
            ["submit", word, by] => submit(word, who(by)?),
            ["sent", word, transaction] => sent(word, transaction.parse().ok()?),
            ["answer", word, "refused"] => answer(life, word, refusing(Reason::Funds)),
            ["answer", word, "used"] => answer(life, word, refusing(Reason::RequestUsed)),
            ["answer", word, "unavailable"] => answer(life, word, Answer::Unavailable),
            ["answer", word, "unknown"] => answer(life, word, Answer::Unknown),
            ["answer", word, "pending"] => answer(life, word, Answer::Pending),
            ["answer", word, "absent"] => answer(life, word, Answer::Absent),
            ["late", word, turn] => {
                let turn = turn.parse().ok()?;
                Command::Answered { payment: named(word), turn, answer: Answer::Absent }
            }
            ["reserve", amount] => {
                let (asker, recipient, service) = ("run".to_owned(), PROVIDER, SERVICE);
                let amount = units(amount.parse().ok()?);
                let hold = Hold {
                    asker,
                    recipient,
                    service,
                    amount,
                    until: now.plus(Millis(1)).into(),
                    approved: false,
                };
                Command::Reserve { reservation: named("R"), hold }
            }
            ["wake"] => Command::Wake,
            _ => return None,
        })
    }
}

/// MR1 to MR8, MR10 and MR11, as they are told.
#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mirror/scripts"), 14, || {
        let mut made = Made::default();
        move |life: &mut Life, now, words: &[&str]| {
            let command = made.command(life, words, now)?;
            Some(hears(life, command, now))
        }
    });
}
