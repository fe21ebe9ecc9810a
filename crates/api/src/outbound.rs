//! From the domain to the wire: views, answers and problem documents.

pub mod account;
pub mod mandate;
pub mod metering;
pub mod mirror;
pub mod run;
pub mod webhook;

use gig::{Completion, Ending, Expiry, Lifecycle, Refusal, State};
use primitives::UnixMillis;

use crate::binding::GigView;
use crate::problem::Problem;
use crate::wire::{
    GigRecord, LegacyStatus, LifecycleAnswer, LifecycleState, Role, StatusAnswer, TaskType, TunnelGrant,
};

/// The published name of a gig's state.
pub const fn lifecycle_state(lifecycle: Lifecycle) -> LifecycleState {
    match lifecycle {
        Lifecycle::Posted => LifecycleState::Posted,
        Lifecycle::Discoverable => LifecycleState::Discoverable,
        Lifecycle::Claimed => LifecycleState::Claimed,
        Lifecycle::TunnelGranted => LifecycleState::TunnelGranted,
        Lifecycle::InProgress => LifecycleState::InProgress,
        Lifecycle::Delivered => LifecycleState::Delivered,
        Lifecycle::Completed => LifecycleState::Completed,
        Lifecycle::Closed => LifecycleState::Closed,
        Lifecycle::Cancelled => LifecycleState::Cancelled,
        Lifecycle::Expired => LifecycleState::Expired,
        Lifecycle::Failed => LifecycleState::Failed,
    }
}

/// The coarse status that contract 1.0 began with.
pub const fn legacy_status(state: LifecycleState) -> LegacyStatus {
    match state {
        LifecycleState::Posted => LegacyStatus::PendingPayment,
        LifecycleState::Discoverable => LegacyStatus::Active,
        LifecycleState::Claimed
        | LifecycleState::TunnelGranted
        | LifecycleState::InProgress
        | LifecycleState::Delivered => LegacyStatus::InProgress,
        LifecycleState::Completed | LifecycleState::Closed => LegacyStatus::Completed,
        LifecycleState::Cancelled | LifecycleState::Expired | LifecycleState::Failed => LegacyStatus::Expired,
    }
}

/// Why a gig is over, in a word; `None` while it is not.
const fn ended_reason(state: &State) -> Option<&'static str> {
    match state {
        State::NeverFunded { .. } => Some("never_funded"),
        State::Ended { ending, .. } => Some(match ending {
            Ending::Closed { completion: Completion::Accepted, .. } => "accepted",
            Ending::Closed { completion: Completion::ReviewWindowPassed, .. } => "accepted_by_timeout",
            Ending::Cancelled => "cancelled",
            Ending::Abandoned => "abandoned",
            Ending::Expired(Expiry::NotClaimed) => "not_claimed",
            Ending::Expired(Expiry::NotDelivered) => "not_delivered",
            Ending::Expired(Expiry::NotReviewed) => "not_reviewed",
        }),
        State::Unposted
        | State::Posted { .. }
        | State::Discoverable(_)
        | State::Claimed { .. }
        | State::TunnelGranted { .. }
        | State::InProgress { .. }
        | State::Delivered { .. }
        | State::Completed { .. } => None,
    }
}

/// A gig as its object shows it; `None` before its funding (S1).
pub fn view(state: &State) -> Option<GigView> {
    let record = record(state)?;
    let unused = |role| state.seat(role).filter(|seat| seat.is_unused()).map(|seat| seat.grant);
    Some(GigView {
        status: status(state, &record),
        record: Some(record),
        buyer_grant: unused(gig::Role::Buyer),
        worker_grant: unused(gig::Role::Worker),
    })
}

/// What the object answers while there is nothing to show: that it took note.
pub fn reserved() -> GigView {
    let status = StatusAnswer {
        message: "Reserved".to_owned(),
        gig_id: String::new(),
        lifecycle_state: LifecycleState::Posted,
        lifecycle_version: 0,
        duplicate: false,
        expires_at: String::new(),
        claim_expires_at: None,
        review_until: None,
        revisions: 0,
        ended_reason: None,
    };
    GigView { record: None, status, buyer_grant: None, worker_grant: None }
}

fn record(state: &State) -> Option<GigRecord> {
    let gig = state.gig()?;
    let lifecycle_state = lifecycle_state(state.lifecycle()?);
    Some(GigRecord {
        gig_id: gig.terms.gig_id.to_string(),
        buyer_pubkey: gig.terms.buyer.to_string(),
        worker_pubkey: state.work().map(|work| work.worker.identity.to_string()),
        title: gig.terms.title.clone(),
        description: gig.terms.description.clone(),
        task_type: task_type(&gig.terms.task_type),
        payload_json: gig.terms.task_params.clone(),
        bounty_sats: gig.terms.bounty_sats,
        status: legacy_status(lifecycle_state),
        lifecycle_state,
        lifecycle_version: gig.version,
        created_at: gig.posted_at.to_rfc3339(),
        updated_at: gig.updated_at.to_rfc3339(),
        expires_at: gig.expires_at.to_rfc3339(),
    })
}

/// The wire's kind of work for the word that the gig keeps.
pub fn task_type(word: &str) -> TaskType {
    match word {
        "web_scrape" => TaskType::WebScrape,
        "data_extraction" => TaskType::DataExtraction,
        "computation" => TaskType::Computation,
        "api_relay" => TaskType::ApiRelay,
        _ => TaskType::Custom,
    }
}

fn status(state: &State, record: &GigRecord) -> StatusAnswer {
    let (claim_expires_at, review_until) = match state {
        State::TunnelGranted { claim_expires_at, .. } => (Some(*claim_expires_at), None),
        State::Delivered { gig, review_until, .. } => {
            (None, Some(*review_until).filter(|at| *at <= gig.expires_at))
        }
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Discoverable(_)
        | State::Claimed { .. }
        | State::InProgress { .. }
        | State::Completed { .. }
        | State::Ended { .. } => (None, None),
    };
    StatusAnswer {
        message: "Lifecycle status".to_owned(),
        gig_id: record.gig_id.clone(),
        lifecycle_state: record.lifecycle_state,
        lifecycle_version: record.lifecycle_version,
        duplicate: false,
        expires_at: record.expires_at.clone(),
        claim_expires_at: claim_expires_at.map(UnixMillis::to_rfc3339),
        review_until: review_until.map(UnixMillis::to_rfc3339),
        revisions: state.work().map_or(0, |work| u32::try_from(work.revisions.len()).unwrap_or(u32::MAX)),
        ended_reason: ended_reason(state).map(str::to_owned),
    }
}

/// The answer to a lifecycle message.
pub fn lifecycle_answer(view: GigView, replayed: bool) -> LifecycleAnswer {
    LifecycleAnswer {
        message: if replayed { "Already done" } else { "Lifecycle updated" }.to_owned(),
        gig_id: view.status.gig_id,
        lifecycle_state: view.status.lifecycle_state,
        lifecycle_version: view.status.lifecycle_version,
        duplicate: replayed,
        accepted: true,
    }
}

/// A freshly issued grant.
pub fn tunnel_grant(token: &str, role: Role, identity: &str, expires_at: &str) -> TunnelGrant {
    TunnelGrant {
        token: token.to_owned(),
        role,
        agent_identity: identity.to_owned(),
        expires_at: expires_at.to_owned(),
    }
}

/// The problem document of a gig's refusal.
pub fn gig_refused(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::UnknownGig => 404,
        Refusal::InvalidGrant
        | Refusal::IdentityMismatch
        | Refusal::GrantExpired
        | Refusal::GrantUsed
        | Refusal::TunnelInactive => 401,
        Refusal::OwnGig => 403,
        Refusal::MessageReused => 422,
        Refusal::PaymentInProgress
        | Refusal::NotReserved
        | Refusal::AlreadyClaimed
        | Refusal::Ended(_)
        | Refusal::Unavailable(_)
        | Refusal::RevisionsUsedUp
        | Refusal::RotationsUsedUp => 409,
    };
    let problem = Problem::new(status, refusal.code(), refusal.to_string());
    if refusal.may_retry() { problem.retryable() } else { problem }
}

/// The problem document of a payment's refusal.
pub fn payment_refused(refusal: &payment::Refusal) -> Problem {
    let problem = Problem::new(409, refusal.code(), refusal.to_string());
    if refusal.may_retry() { problem.retryable() } else { problem }
}
