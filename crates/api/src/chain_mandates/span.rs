//! Logs as they come, in what a mirror is told.

use mandate::mirror::{Answer, Command, Mirror, Observation, Place, Told};

use super::{Unreadable, Watched, created, news, refused};
use crate::binding::custody::{Creation, Log, Span, Word};

/// The command that has a mandate mirrored.
///
/// # Errors
/// [`Unreadable`], also when the log is of something else than a creation.
pub fn adoption(creation: &Creation, label: String) -> Result<(mandate::Creation, Command), Unreadable> {
    let Creation { log, ceiling } = creation;
    let made = created(&log.topics, &log.data)?;
    let made = made.ok_or_else(|| Unreadable("it is not of a creation".to_owned()))?;
    let command =
        Command::Adopt { creation: Box::new(made.clone()), block: log.block, ceiling: *ceiling, label };
    Ok((made, command))
}

/// What a span of blocks says to a mirror.
///
/// # Errors
/// [`Unreadable`].
pub fn observation(mirror: &Mirror, span: Span) -> Result<Observation, Unreadable> {
    let mandate::Mandate { id, owner, agent, token, .. } = mirror.tip.mandate;
    let Span { after, to, sealed, logs, beside } = span;
    let watched = Watched { mandate: id, owner, agent, token, beside };
    let told = |log: &Log| {
        let place = Place { block: log.block, index: log.index, transaction: log.transaction };
        Ok(news(&watched, &log.topics, &log.data)?.map(|news| Told { place, news }))
    };
    let told = logs.iter().filter_map(|log| told(log).transpose()).collect::<Result<_, _>>()?;
    Ok(Observation { after, to, told, sealed })
}

/// What the chain's side knows of a call, in the mirror's words. A revert that is none of the contract's refusals says nothing
/// of the request: it is tried again.
pub fn answer(word: &Word) -> Answer {
    match word {
        Word::Reverted(bytes) => refused(bytes).map_or(Answer::Unavailable, Answer::Refused),
        Word::Unavailable => Answer::Unavailable,
        Word::Unknown => Answer::Unknown,
        Word::Pending => Answer::Pending,
        Word::Absent => Answer::Absent,
    }
}
