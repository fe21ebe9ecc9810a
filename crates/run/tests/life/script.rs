//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. `stories/README.md` has the words.

use primitives::{BaseUnits, Millis, UnixMillis};
use rehearsal::every_story;
use run::{
    BrowserResult, BudgetAnswer, Candidate, Cart, Cents, Claim, Command, Creation, Effect, Found,
    FundsAnswer, Intent, Mode, PixTarget, Rails, Trace, WalletReport,
};

use crate::answers::*;
use crate::cast::*;
use crate::purchase::Life;
use crate::witness::Witness;

/// The words of a line behind its command: plain ones, and those of the form `key:value`.
struct Words<'a>(&'a [&'a str]);

impl<'a> Words<'a> {
    fn value(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix(':'))
    }

    fn number<T: core::str::FromStr>(&self, key: &str) -> Option<T> {
        self.value(key).and_then(|word| word.parse().ok())
    }

    fn has(&self, wanted: &str) -> bool {
        self.0.contains(&wanted)
    }

    /// `old:3` is three minutes ago, `ahead:3` three minutes from now.
    fn moment(&self, now: UnixMillis) -> UnixMillis {
        let minutes = |key| Millis::from_minutes(self.number(key).unwrap_or(0));
        now.minus(minutes("old")).plus(minutes("ahead"))
    }
}

fn creation_of(words: &Words) -> Creation {
    let plain = intent();
    let intent = Intent {
        requirement: words.value("words").map_or(plain.requirement, |words| words.replace('_', " ")),
        quantity: words.number("quantity").unwrap_or(plain.quantity),
        max_total: words.number("max").map_or(plain.max_total, Cents),
    };
    let rails = if words.has("chain") {
        Rails::Chain { network: "eip155:84532".to_owned() }
    } else {
        Rails::Simulated { wallet: words.has("wallet") }
    };
    Creation {
        intent,
        rails,
        mode: if words.has("real") { Mode::Real } else { Mode::Simulated },
        mandate: words.has("mandate").then(mandate),
        token: digest(&format!("token {}", words.value("token").unwrap_or("1"))),
        ..creation()
    }
}

/// An offer such as `A:1000`, or `A:1000:30` if it was seen 30 minutes ago.
fn offer(word: &str, now: UnixMillis) -> Option<Candidate> {
    let mut parts = word.split(':');
    let (name, observed) = (parts.next()?, parts.next()?.parse().ok()?);
    let old = parts.next().map_or(Some(1), |minutes| minutes.parse().ok())?;
    Some(candidate(name, observed, now.minus(Millis::from_minutes(old))))
}

fn market_of(life: &Life, words: &Words, now: UnixMillis) -> Option<Command> {
    let attempt = words.number("attempt").unwrap_or_else(|| searched(life));
    if words.has("down") {
        let found = Found::Unavailable { reason: "no answer in 5 seconds".to_owned() };
        return Some(Command::Market { attempt, found });
    }
    let offers = words.0.iter().filter(|word| !word.starts_with("attempt:") && **word != "nothing");
    let candidates: Option<Vec<Candidate>> = offers.map(|word| offer(word, now)).collect();
    let found = Found::Candidates { source: "synthetic".to_owned(), candidates: candidates? };
    Some(Command::Market { attempt, found })
}

/// A cart with what is wrong in it.
fn cart_of(life: &Life, total: u64, words: &Words) -> Cart {
    let selected = crate::purchase::view(&life.state).and_then(|view| view.selected);
    let word = selected.map_or_else(|| "A".to_owned(), |selected| selected.candidate_id);
    let mut cart = cart(words.value("shop").unwrap_or(&word), total);
    if let Some(product) = words.value("product") {
        cart.items[0].product = product.replace('_', " ");
    }
    if let Some(quantity) = words.number("count") {
        let item = &mut cart.items[0];
        item.quantity = quantity;
        item.unit_price = Cents(item.total.0 / u64::from(quantity.max(1)));
    }
    if words.has("extra") {
        let mut item = cart.items[0].clone();
        (item.product, item.quantity, item.total) = ("Salgadinho".to_owned(), 1, item.unit_price);
        cart.total = Cents(cart.total.0 + item.total.0);
        cart.items.push(item);
    }
    if let Some(sum) = words.number("sum") {
        cart.total = Cents(sum);
    }
    cart
}

fn result_of(life: &Life, words: &[&str], now: UnixMillis) -> Option<BrowserResult> {
    let reason = |reason: &str| reason.to_owned();
    let options = Words(words);
    Some(match *words {
        ["started", ..] => BrowserResult::Started,
        ["needs-user", ..] => BrowserResult::NeedsUser { reason: reason("log in") },
        ["unavailable", ..] => BrowserResult::Unavailable { reason: reason("closed") },
        ["error", ..] => BrowserResult::Error { reason: reason("the page did not load") },
        ["quote", total, ..] => {
            let cart = cart_of(life, total.parse().ok()?, &options);
            BrowserResult::Quote { cart, captured_at: options.moment(now), page: reason("cart") }
        }
        ["pix", amount, ..] => {
            let expires_at = options.number("minutes").map(|minutes| now.plus(Millis::from_minutes(minutes)));
            BrowserResult::Pix(PixTarget { expires_at, ..target(amount.parse().ok()?) })
        }
        ["order", word, ..] => BrowserResult::Order(order(word == "yes")),
        _ => return None,
    })
}

/// What an executor comes back with: to the last command as its executor, unless `for:` and `by:` say otherwise.
fn browser_of(life: &Life, words: &[&str], now: UnixMillis) -> Option<Command> {
    let options = Words(words);
    let mut answer = if words == ["lost"] || words.first() == Some(&"lost") {
        let command = given(life)?;
        Command::ExecutorLost { executor: command.executor, command_id: command.command_id }
    } else {
        browser(life, result_of(life, words, now)?)
    };
    if let Command::Browser { executor: by, command_id, .. }
    | Command::ExecutorLost { executor: by, command_id } = &mut answer
    {
        if let Some(word) = options.value("by") {
            *by = executor(word);
        }
        if let Some(word) = options.value("for") {
            *command_id = word.to_owned();
        }
    }
    Some(answer)
}

fn wallet_of(words: &[&str], now: UnixMillis) -> Option<Command> {
    let options = Words(words);
    Some(Command::Wallet(match *words {
        ["off", ..] => no_wallet(options.moment(now)),
        [address, ..] => WalletReport {
            shielded: options.number("shielded").map(BaseUnits),
            ..wallet(address, None, options.moment(now))
        },
        [] => return None,
    }))
}

fn funds_of(life: &Life, words: &[&str], now: UnixMillis) -> Option<Command> {
    let options = Words(words);
    let minutes = options.number("minutes").unwrap_or(15);
    let (number, _, amount) = check(life);
    let mut asked = requirement(amount, now.plus(Millis::from_minutes(minutes)));
    asked.simulated = !options.has("real");
    let reason = "no quote today".to_owned();
    let answer = match *words {
        ["full", ..] => funds_as(life, Purse::Full, asked),
        ["public", ..] => funds_as(life, Purse::Public, asked),
        ["short", ..] => funds_as(life, Purse::Short, asked),
        ["down", ..] => funds_answer(life, FundsAnswer::Unavailable { reason }),
        ["refused", ..] => funds_answer(life, FundsAnswer::Refused { reason }),
        _ => return None,
    };
    let number = options.number("check").unwrap_or(number);
    let Command::Funds { answer, .. } = answer else { return None };
    Some(Command::Funds { number, answer })
}

fn confirm_of(life: &Life, words: &[&str]) -> Option<Command> {
    let options = Words(words);
    let signer = match options.value("by") {
        Some("owner") => Some(OWNER),
        Some("agent") => Some(AGENT),
        Some(_) => return None,
        None => None,
    };
    let mut yes = confirm(life, signer);
    if let Command::Confirm { digest: asked, amount, .. } = &mut yes {
        *amount = options.number("amount").map_or(*amount, Cents);
        *asked = options.value("digest").map_or(*asked, digest);
    }
    Some(yes)
}

/// The answers of mandate, wallet and chain.
fn money_of(life: &Life, words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["budget", "held", ..] => numbered(life, BudgetAnswer::Held, words)?,
        ["budget", "approval", ..] => numbered(life, needs_approval(), words)?,
        ["budget", "refused", ..] => numbered(life, refused(), words)?,
        ["lapsed"] => Command::BudgetLapsed { reservation: reservation(life) },
        ["pay", signature] => pay(signature),
        ["pay", signature, "elsewhere"] => {
            Command::Pay { payment: payment(signature), claim: Claim::Elsewhere }
        }
        ["look", "verified", ..] => settlement(life, verified(life)),
        ["look", "failed", ..] => settlement(life, reverted()),
        ["look", "unknown", ..] => settlement(life, not_seen()),
        ["trace", "absent"] => traced(life, Trace::Absent),
        ["trace", "unknown"] => traced(life, not_found()),
        ["trace", "found", signature] => traced(life, Trace::Found(payment(signature))),
        _ => return None,
    })
}

/// The answer to the last hold, or to the one whose number `hold:` says.
fn numbered(life: &Life, answer: BudgetAnswer, words: &[&str]) -> Option<Command> {
    let Some(number) = Words(words).number::<u32>("hold") else { return Some(budget(life, answer)) };
    let reservation = last(life, |effect| match effect {
        Effect::Reserve { budget, .. } if budget.number == number => Some(budget.reservation),
        Effect::Reserve { .. }
        | Effect::Search { .. }
        | Effect::Dispatch { .. }
        | Effect::Withdraw { .. }
        | Effect::ConnectWallet
        | Effect::CheckFunds { .. }
        | Effect::Commit { .. }
        | Effect::Release { .. }
        | Effect::SignPayment { .. }
        | Effect::Look { .. }
        | Effect::Trace { .. } => None,
    })?;
    Some(Command::Budget { reservation, answer })
}

/// The command that the words of a line ask for.
pub(crate) fn command(life: &Life, words: &[&str], now: UnixMillis) -> Option<Command> {
    Some(match *words {
        ["create", ref rest @ ..] => create(creation_of(&Words(rest))),
        ["market", ref rest @ ..] => market_of(life, &Words(rest), now)?,
        ["wallet", ref rest @ ..] => wallet_of(rest, now)?,
        ["funds", ref rest @ ..] => funds_of(life, rest, now)?,
        ["rebind", word] => Command::Rebind { executor: executor(word) },
        ["confirm", ref rest @ ..] => confirm_of(life, rest)?,
        ["reject"] => Command::Reject,
        ["cancel"] => Command::Cancel,
        ["wake"] => Command::Wake,
        _ => money_of(life, words).or_else(|| browser_of(life, words, now))?,
    })
}

/// A life along commands in the words of stories, with a `;` and a second between two of them; `+700` lets so many seconds
/// pass. The moment is the one after the last.
pub(crate) fn walk_seen(path: &str) -> (Life, Witness, UnixMillis) {
    let (mut life, mut witness, mut now) = (Life::default(), Witness::default(), START);
    for phrase in path.split(';').filter(|phrase| !phrase.is_empty()) {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        if let Some(seconds) = words[0].strip_prefix('+') {
            now = now.plus(Millis::from_seconds(seconds.parse().unwrap()));
            continue;
        }
        let asked = command(&life, &words, now).unwrap_or_else(|| panic!("{phrase} cannot be read"));
        let heard = witness.hears(&mut life, asked, now);
        heard.unwrap_or_else(|refusal| panic!("{phrase}: {refusal:?}"));
        now = now.plus(Millis::from_seconds(1));
    }
    (life, witness, now)
}

/// The same without the witness.
pub(crate) fn walk(path: &str) -> (Life, UnixMillis) {
    let (life, _, now) = walk_seen(path);
    (life, now)
}

/// R1 to R13, as they are told.
#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories"), 40, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(life, words, now)?, now))
    });
}
