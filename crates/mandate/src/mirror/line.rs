//! The log of a mirrored mandate, as its owner reads it: what was done here, and what the chain tells.

use alloy_primitives::Address;
use primitives::{BaseUnits, UnixMillis};

use super::clock::millis;
use super::{Ask, Block, Effect, News, Progress, Told, View};
use crate::amount::ZERO;
use crate::life::{self, Activity, Kind, Role};
use crate::{Mandate, Request, State};

fn blank(at: UnixMillis, kind: Kind, role: Role, actor: Option<Address>) -> Activity {
    Activity {
        at,
        kind,
        role,
        actor,
        subject: None,
        amount: None,
        paid: ZERO,
        returned: ZERO,
        token: None,
        provider: None,
        result: "done".to_owned(),
        reason: None,
    }
}

fn about(line: Activity, request: &Request) -> Activity {
    Activity {
        subject: Some(request.payment),
        amount: Some(request.max_amount),
        token: Some(request.token),
        provider: Some(request.recipient),
        ..line
    }
}

/// What was done here with a request.
pub(super) fn done(
    ask: &Ask,
    kind: Kind,
    (role, actor): (Role, Option<Address>),
    progress: Progress,
    reason: Option<String>,
    at: UnixMillis,
) -> Effect {
    let line = about(blank(at, kind, role, actor), &ask.request);
    let line = Activity { result: progress.name().to_owned(), reason, ..line };
    Effect::Log { line: Box::new(line), place: None }
}

/// The contract tells of the mandate for the first time.
pub(super) fn adopted(owner: Address, block: Block, at: UnixMillis) -> Effect {
    let line = blank(at, Kind::Create, Role::Owner, Some(owner));
    let result = format!("block {}", block.number);
    Effect::Log { line: Box::new(Activity { reason: Some(result), ..line }), place: None }
}

/// What an event adds to the log; `after` is the view with it. The ceiling is not the mandate's.
pub(super) fn told(after: &View, told: &Told) -> Option<Effect> {
    let line = happened(after, told)?;
    Some(Effect::Log { line: Box::new(line), place: Some(told.place) })
}

fn happened(after: &View, told: &Told) -> Option<Activity> {
    let Mandate { owner, agent, .. } = after.mandate;
    let at = millis(told.place.block.at);
    let line = |kind, role, actor| blank(at, kind, role, Some(actor));
    let by = |actor| if actor == agent { Role::Agent } else { Role::Owner };
    let money =
        |line, amount: BaseUnits| Activity { amount: Some(amount), token: Some(after.mandate.token), ..line };
    let moved = |kind, role, payment, state| {
        let line = blank(at, kind, role, None);
        let line = after.escrows.get(payment).map_or(line.clone(), |escrow| about(line, &escrow.request));
        let result = life::Progress::of(state).map_or("unknown", life::Progress::name);
        Activity { subject: Some(*payment), result: result.to_owned(), ..line }
    };
    Some(match &told.news {
        News::CeilingSet { .. } | News::AuthorizedElsewhere { .. } => return None,
        News::Amended(_) => line(Kind::Amend, Role::Owner, owner),
        News::AmendmentScheduled { .. } => {
            Activity { result: "scheduled".to_owned(), ..line(Kind::Amend, Role::Owner, owner) }
        }
        News::AmendmentCancelled => line(Kind::CancelAmendment, Role::Owner, owner),
        News::Paused => line(Kind::Pause, Role::Owner, owner),
        News::Unpaused => line(Kind::Unpause, Role::Owner, owner),
        News::Revoked { by: actor } => {
            let kind = if *actor == agent { Kind::Renounce } else { Kind::Revoke };
            line(kind, by(*actor), *actor)
        }
        News::Funded { from, amount } => {
            let role = if *from == owner { Role::Owner } else { Role::Anyone };
            money(line(Kind::Fund, role, *from), *amount)
        }
        News::Withdrawn { to, amount } => {
            let line = money(line(Kind::Withdraw, Role::Owner, owner), *amount);
            Activity { reason: Some(to.to_string()), ..line }
        }
        News::Authorized(request) => moved(Kind::Authorize, Role::Anyone, &request.payment, State::Escrowed),
        News::Cancelled { payment, by: actor } => {
            let line = moved(Kind::Cancel, by(*actor), payment, State::Cancelled);
            Activity { actor: Some(*actor), ..line }
        }
        News::Delivered { payment, receipt } => {
            let line = moved(Kind::Deliver, Role::Provider, payment, State::Delivered);
            Activity { reason: Some(receipt.to_string()), ..line }
        }
        News::Disputed { payment, evidence } => {
            let line = moved(Kind::Dispute, Role::Owner, payment, State::Disputed);
            Activity { reason: Some(evidence.to_string()), ..line }
        }
        News::Captured { payment, total } => {
            let line = moved(Kind::Capture, Role::Provider, payment, State::Delivered);
            Activity { paid: *total, ..line }
        }
        News::Closed { payment, state, paid, returned } => {
            let line = moved(Kind::Close, Role::Anyone, payment, *state);
            Activity { paid: *paid, returned: *returned, ..line }
        }
        News::Refunded { payment, amount, .. } => {
            let state = after.mandate.payments.get(payment).map_or(State::Settled, |payment| payment.state);
            let line = moved(Kind::Refund, Role::Provider, payment, state);
            Activity { returned: *amount, ..line }
        }
    })
}
