//! What an owner keeps for itself, as it is shown: newest first.

use core::cmp::Reverse;

use account::{Agent, Content, Draft, DraftId, Refusal, State};
use eip712::Address;

use crate::problem::Problem;
use crate::wire::{AgentAnswer, AgentsAnswer, DraftAnswer, DraftsAnswer};

/// Every agent with a name.
pub fn agents(state: &State) -> AgentsAnswer {
    let mut agents: Vec<_> = state.agents.iter().collect();
    agents.sort_by_key(|(address, agent)| (Reverse(agent.since), **address));
    AgentsAnswer { agents: agents.into_iter().map(|(address, known)| agent(*address, known)).collect() }
}

/// An agent with a name.
pub fn agent(address: Address, agent: &Agent) -> AgentAnswer {
    AgentAnswer {
        agent: address.to_string(),
        name: agent.name.as_str().to_owned(),
        created_at: agent.since.to_rfc3339(),
    }
}

/// Every draft.
///
/// # Errors
/// When one of them was not kept as JSON.
pub fn drafts(state: &State) -> Result<DraftsAnswer, serde_json::Error> {
    let mut drafts: Vec<_> = state.drafts.iter().collect();
    drafts.sort_by_key(|(id, draft)| (Reverse(draft.drafted_at), **id));
    let drafts = drafts.into_iter().map(|(id, kept)| draft(*id, kept)).collect::<Result<_, _>>()?;
    Ok(DraftsAnswer { drafts })
}

/// A draft.
///
/// # Errors
/// When it was not kept as JSON.
pub fn draft(id: DraftId, draft: &Draft) -> Result<DraftAnswer, serde_json::Error> {
    let Content { label, plan, transaction, note } = &draft.content;
    let given = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(DraftAnswer {
        draft: id.to_string(),
        label: given(label.as_str()),
        mandate: serde_json::from_str(plan.as_str())?,
        transaction: transaction.map(|hash| hash.to_string()),
        note: given(note.as_str()),
        created_at: draft.drafted_at.to_rfc3339(),
        updated_at: draft.changed_at.to_rfc3339(),
    })
}

/// The `ETag` of a draft: its version.
pub fn etag(draft: &Draft) -> String {
    format!("\"{}\"", draft.version)
}

/// The problem document of an account's refusal.
pub fn refused(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::UnknownAgent | Refusal::UnknownDraft => 404,
        Refusal::KeyReused => 422,
        Refusal::TooManyAgents | Refusal::TooManyDrafts | Refusal::VersionConflict { .. } => 409,
    };
    Problem::new(status, refusal.code(), refusal.to_string())
}
