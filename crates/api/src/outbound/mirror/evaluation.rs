//! What would come of a request if its agent made it now.

use alloy_primitives::Bytes;
use mandate::Approval;
use mandate::life;
use mandate::mirror::{Command, Filed, Mirror, Progress, Refusal, Signed, State, apply, decide, progress};
use mandate::{Request, Signature};
use primitives::UnixMillis;

use crate::outbound::mandate::{Judged, checks, evaluated, left, unruled};
use crate::settings::Ledger;
use crate::wire::Evaluation;

/// What the mirror would say to `asked` at `now` if its agent had signed it, and its owner approved it where that is needed.
/// `filed` is what is on file under the payment's name or the request's id. Time has done its part before.
///
/// # Errors
/// [`Refusal::Unborn`] when there is no mandate.
pub fn evaluation(
    state: &State,
    asked: &Request,
    filed: Option<&Filed>,
    contract: &Ledger,
    now: UnixMillis,
) -> Result<Evaluation, Refusal> {
    let mirror = state.mirror().ok_or(Refusal::Unborn)?;
    let judged = match judge(state, mirror, asked, filed, now) {
        Ok(approval) => Judged::Passes(approval),
        Err(Refusal::Rules { .. }) => Judged::Broken(None),
        Err(refusal) => Judged::Broken(Some(unruled(refusal.code(), refusal.to_string()))),
    };
    let at = mirror.moment(now.into());
    let (mandate, ceiling) = mirror.ahead(asked.payment, at);
    let rules = checks(&mandate, &ceiling, asked, at);
    let remaining = left(&mandate, &ceiling, (asked.recipient, asked.service), at);
    Ok(evaluated(asked, judged, rules, remaining, contract))
}

/// Whether it would be sent, or first approved.
fn judge(
    state: &State,
    mirror: &Mirror,
    asked: &Request,
    filed: Option<&Filed>,
    now: UnixMillis,
) -> Result<Approval, Refusal> {
    let mandate = &mirror.tip.mandate;
    // Whose it is, not what it is, is judged here.
    let signature = Signed { of: Signature::Of(mandate.agent), bytes: Bytes::from_static(&[0]) };
    let (request, filed_too) = (Box::new(*asked), filed.cloned().map(Box::new));
    let events = decide(state, Command::Request { request, signature, filed: filed_too }, now)?;
    let mut after = state.clone();
    for event in &events {
        after = apply(after, event).map_err(|corrupt| Refusal::Contradiction(corrupt.to_string()))?;
    }
    match progress(&after, asked.payment, filed) {
        Some(Progress::Like(life::Progress::AwaitingApproval)) => Ok(Approval::Needed),
        Some(Progress::Requested) if !events.is_empty() => Ok(Approval::Unneeded),
        Some(stands) => Err(Refusal::Unavailable(stands)),
        None => Ok(mandate.approval_for(asked.max_amount)),
    }
}
