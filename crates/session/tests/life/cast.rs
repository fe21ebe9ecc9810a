//! The same accounts, nonces and names in every test.

use primitives::{Digest, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use session::{Account, Command, Effect, End, Event, Fact, State};

/// The digest of a nonce or a secret.
pub(crate) fn digest(word: &str) -> Digest {
    Digest::of(&[word.as_bytes()])
}

/// `A` and `B` are two addresses; `A2` is the first of them on another chain.
pub(crate) fn account(word: &str) -> Option<Account> {
    Some(match word {
        "A" => Account { chain_id: 8453, address: [0xa; 20] },
        "A2" => Account { chain_id: 1, address: [0xa; 20] },
        "B" => Account { chain_id: 8453, address: [0xb; 20] },
        _ => return None,
    })
}

pub(crate) const A: Account = Account { chain_id: 8453, address: [0xa; 20] };

pub(crate) fn challenge(nonce: &str) -> Command {
    Command::Challenge { nonce: digest(nonce) }
}

pub(crate) fn present(nonce: &str) -> Command {
    Command::Present { nonce: digest(nonce) }
}

pub(crate) fn sign_in(nonce: &str, account: Account, successor: &str) -> Command {
    Command::SignIn { nonce: digest(nonce), account, successor: digest(successor) }
}

pub(crate) const fn begin(account: Account, since: UnixMillis) -> Command {
    Command::Begin { account, since }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name;

pub(crate) type Life = rehearsal::Life<Name>;

impl Core for Name {
    core_of!(session);

    const FACTS: usize = 8;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Challenged { .. } => "Challenged",
            Fact::Presented => "Presented",
            Fact::SignedIn { .. } => "SignedIn",
            Fact::Begun { .. } => "Begun",
            Fact::Visited => "Visited",
            Fact::SignedOut => "SignedOut",
            Fact::Revoked => "Revoked",
            Fact::Expired => "Expired",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().name()
    }

    fn mark(state: &State) -> String {
        match state {
            State::Unused | State::SignedIn(_) => String::new(),
            State::Challenged(challenge) | State::Presented(challenge) => format!("({})", challenge.number),
            State::Ended { end: End::SignedOut, .. } => "(signed_out)".to_owned(),
            State::Ended { end: End::Revoked, .. } => "(revoked)".to_owned(),
            State::Ended { end: End::Expired, .. } => "(expired)".to_owned(),
            State::Ended { end: End::Rotated { .. }, .. } => "(rotated)".to_owned(),
        }
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Begin { .. } => "+begin".to_owned(),
        }
    }
}
