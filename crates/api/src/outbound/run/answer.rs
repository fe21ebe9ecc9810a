//! Answers, whole: what objects of runs hand out as text, and what the edge adds to it.

use alloy_primitives::Address;
use primitives::{JournalRow, RunId, UnixMillis};
use run::{Event, Mandate, State};
use serde::Serialize;
use serde_json::Value;

use super::{event, next_action, run as as_run};
use crate::problem::Problem;
use crate::wire::{
    self, JournalEntry, ResultAccepted, RunAnswer, RunCreated, RunEvent, RunEventsAnswer, RunFrame,
    RunHistory, RunJournalAnswer, StreamTicket,
};

/// A run as it stands: [`RunAnswer`]. `null` when there is none.
pub fn snapshot(state: &State) -> String {
    text(&answer(state))
}

/// A run with some of its events: [`RunHistory`].
pub fn shown(state: &State, events: &[(u64, Event)]) -> String {
    let history = answer(state).map(|RunAnswer { run, next_action }| {
        let events = listed(state, events);
        RunHistory { run, events, next_action }
    });
    text(&history)
}

/// Some of a run's events: [`RunEventsAnswer`].
pub fn page(state: &State, events: &[(u64, Event)]) -> String {
    let head = state.run().map_or(0, |run| run.view().version);
    let next_after = events.last().map(|(seq, _)| *seq).filter(|seq| *seq < head);
    text(&RunEventsAnswer { events: listed(state, events), next_after })
}

/// What watchers are told of an event, which has led to `state`: [`RunFrame`].
pub fn frame(seq: u64, happened: &Event, state: &State) -> String {
    let frame = answer(state).map(|RunAnswer { run, .. }| {
        let event = state.run().map(|run| event(run.id(), seq, happened));
        event.map(|event| {
            let message = event.message.clone();
            RunFrame::Event { event: Box::new(event), run: Box::new(run), message }
        })
    });
    text(&frame.flatten())
}

/// What watchers are told whose place is none: [`RunFrame`].
pub fn reset(state: &State) -> String {
    text(&answer(state).map(|RunAnswer { run, .. }| RunFrame::Reset { run: Box::new(run) }))
}

fn answer(state: &State) -> Option<RunAnswer> {
    let kept = state.run()?;
    let view = kept.view();
    // Whoever answers has let time take effect, so nothing has become due since the last event.
    let next_action = next_action(&run::next_action(kept, view.updated_at));
    Some(RunAnswer { run: as_run(&view), next_action })
}

fn listed(state: &State, events: &[(u64, Event)]) -> Vec<RunEvent> {
    let Some(run) = state.run() else { return Vec::new() };
    events.iter().map(|(seq, happened)| event(run.id(), *seq, happened)).collect()
}

/// JSON. The wire's types always have some.
fn text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// A run that was made, with its token: [`RunCreated`].
///
/// # Errors
/// When `answer` is no [`RunAnswer`].
pub fn created(answer: &str, token: &str) -> Result<String, serde_json::Error> {
    let RunAnswer { run, next_action } = serde_json::from_str(answer)?;
    serde_json::to_string(&RunCreated { run, run_token: token.to_owned(), next_action })
}

/// A run's journal.
///
/// # Errors
/// When a row is not JSON.
pub fn journal(run: &RunId, rows: Vec<JournalRow>) -> Result<RunJournalAnswer, serde_json::Error> {
    let entries = rows.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    let head = entries.last().map_or_else(String::new, |entry| entry.hash.clone());
    Ok(RunJournalAnswer { run_id: run.to_string(), entries, head })
}

fn entry(row: JournalRow) -> Result<JournalEntry, serde_json::Error> {
    let mut body: Value = serde_json::from_str(&row.body)?;
    let mut take = |name: &str| body.get_mut(name).map(Value::take).unwrap_or_default();
    let words = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let (at, correlation_id) = (words(take("at")), words(take("correlation_id")));
    Ok(JournalEntry { seq: row.seq, at, correlation_id, event: take("event"), hash: row.hash })
}

/// A ticket to a stream.
pub fn ticket(ticket: &str, until: UnixMillis) -> StreamTicket {
    StreamTicket { ticket: ticket.to_owned(), expires_at: until.to_rfc3339() }
}

/// A result was taken. An executor sees no more of a run than what it is asked.
pub fn accepted(run: &RunId) -> ResultAccepted {
    ResultAccepted { run_id: run.to_string(), accepted: true }
}

/// The mandate as a run keeps it, if the account that has signed may spend from it in runs.
///
/// # Errors
/// 403 for an account that is neither agent nor owner; 422 for a mandate that the contract keeps.
pub fn spendable(mandate: &wire::Mandate, account: Address) -> Result<Mandate, Problem> {
    let account = account.to_string();
    if account != mandate.owner && account != mandate.agent {
        let detail = "Only the mandate's agent and its owner start runs under it, and this request is signed by another.";
        return Err(Problem::new(403, "not_party", detail));
    }
    if mandate.custody != "ledger" {
        let detail = "The contract keeps this mandate's money, and holds none of it for runs. Name a mandate in custody of \
                      the ledger.";
        return Err(Problem::new(422, "custody_unsupported", detail));
    }
    let wire::Mandate { mandate, owner, agent, .. } = mandate;
    Ok(Mandate { mandate: mandate.clone(), owner: owner.clone(), agent: agent.clone() })
}
