//! The only place where an account says no.

use primitives::UnixMillis;

use crate::{Command, Draft, DraftId, Event, Fact, Refusal, State, limits};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let fact = match command {
        Command::Name { agent, name } => match state.agents.get(&agent) {
            Some(known) if known.name == name => None,
            None if state.agents.len() >= limits::AGENTS_MAX => return Err(Refusal::TooManyAgents),
            Some(_) | None => Some(Fact::Named { agent, name }),
        },
        Command::Forget { agent } => {
            state.agents.get(&agent).ok_or(Refusal::UnknownAgent)?;
            Some(Fact::Forgotten { agent })
        }
        Command::Draft { id, fingerprint, content } => match state.drafts.get(&id) {
            Some(draft) if draft.fingerprint == fingerprint => None,
            Some(_) => return Err(Refusal::KeyReused),
            None if state.drafts.len() >= limits::DRAFTS_MAX => return Err(Refusal::TooManyDrafts),
            None => Some(Fact::Drafted { id, fingerprint, content }),
        },
        Command::Change { id, seen, changes } => {
            let draft = find(state, &id)?;
            let is_so = draft.content.clone().with(&changes) == draft.content;
            match seen {
                _ if is_so => None,
                Some(seen) if seen != draft.version => {
                    return Err(Refusal::VersionConflict { version: draft.version });
                }
                Some(_) | None => Some(Fact::Changed { id, changes }),
            }
        }
        Command::Discard { id } => {
            find(state, &id)?;
            Some(Fact::Discarded { id })
        }
        Command::Wake => None,
    };
    Ok(fact.into_iter().map(|fact| Event { at: now, fact }).collect())
}

fn find<'a>(state: &'a State, id: &DraftId) -> Result<&'a Draft, Refusal> {
    state.drafts.get(id).ok_or(Refusal::UnknownDraft)
}
