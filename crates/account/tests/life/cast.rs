//! The same agents and drafts in every test.

use account::{Change, Command, Content, DraftId, Effect, Event, Fact, State};
use alloy_primitives::{Address, B256};
use primitives::Digest;
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

fn digest(word: &str) -> Digest {
    Digest::of(&[word.as_bytes()])
}

pub(crate) fn agent(word: &str) -> Address {
    Address::from_slice(&digest(word).0[..20])
}

pub(crate) fn id(word: &str) -> DraftId {
    DraftId::derive(&[7; 20], word)
}

/// The hash of a transaction; `none` for none.
pub(crate) fn transaction(word: &str) -> Option<B256> {
    (word != "none").then(|| B256::from(digest(word).0))
}

/// A draft with this label and a mandate of that name.
pub(crate) fn content(label: &str) -> Content {
    Content {
        label: label.parse().unwrap(),
        plan: plan(label).parse().unwrap(),
        transaction: None,
        note: "".parse().unwrap(),
    }
}

pub(crate) fn plan(word: &str) -> String {
    format!("{{\"mandate\":\"{word}\"}}")
}

pub(crate) fn name(who: &str, called: &str) -> Command {
    Command::Name { agent: agent(who), name: called.parse().unwrap() }
}

pub(crate) fn forget(who: &str) -> Command {
    Command::Forget { agent: agent(who) }
}

pub(crate) fn draft(which: &str, label: &str) -> Command {
    Command::Draft { id: id(which), fingerprint: digest(label), content: content(label) }
}

pub(crate) fn change(which: &str, seen: Option<u32>, changes: Vec<Change>) -> Command {
    Command::Change { id: id(which), seen, changes }
}

pub(crate) fn label(word: &str) -> Change {
    Change::Label(word.parse().unwrap())
}

pub(crate) fn discard(which: &str) -> Command {
    Command::Discard { id: id(which) }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Account;

pub(crate) type Life = rehearsal::Life<Account>;

impl Core for Account {
    core_of!(account);

    const FACTS: usize = 5;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Named { .. } => "Named",
            Fact::Forgotten { .. } => "Forgotten",
            Fact::Drafted { .. } => "Drafted",
            Fact::Changed { .. } => "Changed",
            Fact::Discarded { .. } => "Discarded",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    fn mark(state: &State) -> String {
        let agents = state.agents.values().map(|agent| agent.name.as_str().to_owned());
        let drafts = state.drafts.values().map(|draft| {
            let Content { label, transaction, .. } = &draft.content;
            let sent = if transaction.is_some() { "!" } else { "" };
            format!("{}@{}{sent}", label.as_str(), draft.version)
        });
        let mut words: Vec<_> = agents.chain(drafts).collect();
        words.sort();
        format!("({})", words.join(","))
    }

    fn owed(effect: &Effect) -> String {
        match *effect {}
    }
}
