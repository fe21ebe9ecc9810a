//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state and version with the
//! facts that were recorded, or `refused` and the code. `scripts/README.md` has the words.

use std::path::Path;

use gig::{Bearer, Command, Completion, Expiry, Fact, Lifecycle, Role, apply};
use primitives::{Millis, UnixMillis};

use crate::cast::{self, Life, START};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["reserve", payment, grant] => cast::reserve(payer(payment)?, grant),
        ["reserve", payment, grant, "other-terms"] => Command::Reserve {
            terms: cast::other_terms(),
            payer: payer(payment)?,
            grant: cast::secret(grant),
        },
        ["release", payment] => Command::Release { payer: payer(payment)?, reason: "refused".to_owned() },
        ["fund", payment] => cast::fund(payer(payment)?),
        ["claim", by, message, grant] => cast::claim(by, message, grant),
        ["ticket", by, grant, ticket] => Command::IssueTicket {
            by: cast::who(by),
            grant: cast::secret(grant),
            ticket: cast::secret(ticket),
        },
        ["join", ticket] => Command::Join { bearer: Bearer::Ticket { ticket: cast::secret(ticket) } },
        ["join", by, grant] => cast::join(by, grant),
        ["reconnect", by, role, grant, message, replacement] => {
            cast::reconnect(by, self::role(role)?, grant, message, replacement)
        }
        ["deliver", by, grant] => cast::deliver(by, grant),
        ["accept", by, grant] => cast::accept(by, grant),
        ["revise", by, grant] => cast::revise(by, grant),
        ["cancel", by, grant] => cast::cancel(by, grant),
        ["abandon", by, grant] => cast::abandon(by, grant),
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

/// `P1`, or `P1@2` for its second try.
fn payer(text: &str) -> Option<gig::Payer> {
    match text.split_once('@') {
        Some((name, attempt)) => Some(cast::payer(name, attempt.parse().ok()?)),
        None => Some(cast::payer(text, 1)),
    }
}

fn role(text: &str) -> Option<Role> {
    match text {
        "buyer" => Some(Role::Buyer),
        "worker" => Some(Role::Worker),
        _ => None,
    }
}

/// `12:30` or `12:30.500` after the start.
fn moment(text: &str) -> Option<UnixMillis> {
    let (minutes, rest) = text.split_once(':')?;
    let (seconds, millis) = rest.split_once('.').unwrap_or((rest, "0"));
    let span = minutes.parse::<u64>().ok()? * 60_000 + seconds.parse::<u64>().ok()? * 1_000;
    Some(START.plus(Millis(span + millis.parse::<u64>().ok()?)))
}

/// A fact, with what tells two of its kind apart.
fn told(fact: &Fact) -> String {
    let name = cast::name(fact);
    if let Fact::Expired { why } = fact {
        return match why {
            Expiry::NotClaimed => format!("{name}(not_claimed)"),
            Expiry::NotDelivered => format!("{name}(not_delivered)"),
            Expiry::NotReviewed => format!("{name}(not_reviewed)"),
        };
    }
    let silent = matches!(fact, Fact::Completed { completion: Completion::ReviewWindowPassed, .. });
    if silent { format!("{name}(silence)") } else { name.to_owned() }
}

/// Plays one line; says what came of it.
fn play(life: &mut Life, now: UnixMillis, command: Command) -> String {
    match life.hears(command, now) {
        Err(refusal) => format!("refused {}", refusal.code()),
        Ok(events) => {
            let lifecycle = life.state.lifecycle().map_or("UNPOSTED", Lifecycle::name);
            let facts: Vec<String> = events.iter().map(|event| told(&event.fact)).collect();
            format!(
                "{lifecycle} {}  {}",
                life.version(),
                if facts.is_empty() { "nothing".to_owned() } else { facts.join(" ") }
            )
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
        let parsed = words.split_first().and_then(|(at, words)| Some((moment(at)?, command(words)?)));
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
    let replayed =
        life.journal.iter().try_fold(gig::State::default(), |state, (_, event)| apply(state, event));
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
    assert!(stories.len() >= 20, "only {} stories were found", stories.len());
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
