//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state and version with the
//! facts that were recorded, or `refused` and the code. `scripts/README.md` has the words.

use gig::{Bearer, Command, Role};
use rehearsal::every_story;

use crate::cast::{self, Life};

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

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 20, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
