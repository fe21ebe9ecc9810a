//! Settlements and reservations, as documents.

use meter::{Means, Reservation, ReservationState, Settlement, SettlementState, Subject};
use primitives::{SettlementId, UnixMillis};
use tariff::Quantity;

use super::bill::{adjustments, lines};
use super::usage::item_error;
use crate::problem::Problem;
use crate::wire::metering::{
    AssetView, CommitAnswer, MeterFailure, ReservationStatus, ReservationView, SettleManyAnswer,
    SettleResult, SettlementLinks, SettlementPayment, SettlementStatus, SettlementView,
};

/// A bill, as a document. `pay_to` is left out of what is written down, for the tenant may change it.
pub fn settlement(
    subject: &Subject,
    bill: &Settlement,
    version: u64,
    asset: &AssetView,
    pay_to: Option<&str>,
) -> SettlementView {
    let Standing { status, pay_until, payment, unknown, proof, failure } = standing(&bill.state);
    let links = matches!(bill.state, SettlementState::Drafted { .. }).then(|| links(&bill.id));
    SettlementView {
        id: bill.id.to_string(),
        number: bill.number,
        agent: subject.agent.to_string(),
        service_id: subject.service.to_string(),
        tenant: subject.tenant.to_string(),
        status,
        amount: bill.amount.to_string(),
        asset: asset.clone(),
        pay_to: pay_to.map(str::to_owned),
        quantity: quantity(bill).to_string(),
        lines: lines(&bill.lines),
        adjustments: adjustments(&bill.adjustments),
        carried_in: bill.carried_in.to_string(),
        carried_out: bill.carried_out.to_string(),
        created_at: bill.at.to_rfc3339(),
        pay_until: pay_until.map(UnixMillis::to_rfc3339),
        payment,
        unknown,
        proof,
        failure,
        links,
        version,
    }
}

/// All that a bill has in its lines. They came together out of one count, which held them all.
pub(super) fn quantity(bill: &Settlement) -> Quantity {
    bill.lines.iter().fold(Quantity::ZERO, |sum, line| Quantity(sum.0.saturating_add(line.quantity.0)))
}

fn links(id: &SettlementId) -> SettlementLinks {
    let link = |way: &str| format!("/v1/settlements/{id}/{way}");
    SettlementLinks { pay: link("pay"), mandate: link("mandate"), transaction: link("transaction") }
}

struct Standing {
    status: SettlementStatus,
    pay_until: Option<UnixMillis>,
    payment: Option<SettlementPayment>,
    unknown: Option<String>,
    proof: Option<String>,
    failure: Option<MeterFailure>,
}

fn standing(state: &SettlementState) -> Standing {
    let only = |status| Standing {
        status,
        pay_until: None,
        payment: None,
        unknown: None,
        proof: None,
        failure: None,
    };
    match state {
        SettlementState::Drafted { until } => {
            Standing { pay_until: Some(*until), ..only(SettlementStatus::Drafted) }
        }
        SettlementState::Submitted { means, until, reason, .. } => Standing {
            pay_until: Some(*until),
            payment: Some(payment(means)),
            unknown: reason.clone(),
            ..only(SettlementStatus::Submitted)
        },
        SettlementState::Verified { means, proof, .. } => Standing {
            payment: means.as_ref().map(payment),
            // Where nothing had to be paid, nothing is proven.
            proof: Some(proof.clone()).filter(|proof| !proof.is_empty()),
            ..only(SettlementStatus::Verified)
        },
        SettlementState::Failed { means, code, reason, .. } => Standing {
            payment: means.as_ref().map(payment),
            failure: Some(failure(code, reason)),
            ..only(SettlementStatus::Failed)
        },
        SettlementState::WrittenOff { .. } => only(SettlementStatus::WrittenOff),
    }
}

/// The word for where a settlement stands.
pub fn settlement_status(state: &SettlementState) -> SettlementStatus {
    standing(state).status
}

fn failure(code: &str, reason: &str) -> MeterFailure {
    MeterFailure { code: code.to_owned(), reason: reason.to_owned() }
}

fn payment(means: &Means) -> SettlementPayment {
    match means {
        Means::X402 { payment, .. } => SettlementPayment::X402 { payment: payment.to_string() },
        Means::Mandate { mandate, recipient } => {
            SettlementPayment::Mandate { mandate: mandate.clone(), recipient: recipient.clone() }
        }
        Means::Reservation { reservation, mandate } => {
            SettlementPayment::Reservation { reservation: reservation.to_string(), mandate: mandate.clone() }
        }
        Means::Transaction { network, transaction, payer, .. } => SettlementPayment::Transaction {
            network: network.clone(),
            transaction: transaction.clone(),
            payer: payer.clone(),
        },
    }
}

/// What came of many pairs, in their order.
pub fn settled_many(results: Vec<Result<SettlementView, Problem>>) -> SettleManyAnswer {
    let result = |(index, result): (u32, Result<SettlementView, Problem>)| match result {
        Ok(settlement) => SettleResult { index, settlement: Some(settlement), error: None },
        Err(problem) => SettleResult { index, settlement: None, error: Some(item_error(&problem)) },
    };
    SettleManyAnswer { results: (0_u32..).zip(results).map(result).collect() }
}

/// Money that is held before work.
pub fn reservation(subject: &Subject, reservation: &Reservation) -> ReservationView {
    let only = |status| (status, None, None);
    let (status, settlement, refusal) = match &reservation.state {
        ReservationState::Asked => only(ReservationStatus::Asked),
        ReservationState::Held => only(ReservationStatus::Held),
        ReservationState::Refused { code, reason } => {
            (ReservationStatus::Refused, None, Some(failure(code, reason)))
        }
        ReservationState::Committed { settlement } => {
            (ReservationStatus::Committed, Some(settlement.to_string()), None)
        }
        ReservationState::Released => only(ReservationStatus::Released),
        ReservationState::Expired => only(ReservationStatus::Expired),
    };
    ReservationView {
        id: reservation.id.to_string(),
        agent: subject.agent.to_string(),
        service_id: subject.service.to_string(),
        quantity: reservation.quantity.to_string(),
        amount: reservation.amount.to_string(),
        mandate: reservation.mandate.clone(),
        price_version: reservation.price.number,
        status,
        created_at: reservation.at.to_rfc3339(),
        until: reservation.until.to_rfc3339(),
        settlement,
        refusal,
    }
}

/// The answer to a commit.
pub const fn committed(reservation: ReservationView, settlement: SettlementView) -> CommitAnswer {
    CommitAnswer { reservation, settlement }
}

/// The refusal of a reservation that its mandate does not hold.
pub fn hold_refused(code: &str, reason: &str) -> Problem {
    let detail = format!("The mandate does not hold the money: {reason}");
    let fault = crate::problem::FieldFault { field: code.to_owned(), message: reason.to_owned() };
    Problem::new(422, "hold_refused", detail).with_faults(vec![fault])
}
