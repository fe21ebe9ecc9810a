//! Bills, settlements and how they are paid, and money that is held before work.

use meter::Refusal as M;
use serde_json::json;
use tenant::{Refusal as R, Scope};

use super::usage::{meter_refuses, of_event};
use super::{Path, both, counted, keyed, ours, placed, refuses};
use crate::document::openapi::operation::{Access, Body, Operation};
use crate::document::openapi::parts::{answer, problem, schema};
use crate::document::openapi::refusals::malformed;
use crate::inbound::mandate::idempotency_key;
use crate::outbound::metering::key_reused;
use crate::problem::Problem;

const TAG: &str = "billing";
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Vec<Path> {
    vec![
        both("/billing/total", [total()]),
        both("/billing/{agent}/{serviceId}", [bill()]),
        both("/settle", [settle()]),
        both("/settle/bulk", [settle_many()]),
        ours("/settlements/{settlement}", [show()]),
        ours("/settlements/{settlement}/void", [void()]),
        ours("/settlements/{settlement}/pay", [pay()]),
        ours("/settlements/{settlement}/mandate", [from_mandate()]),
        ours("/settlements/{settlement}/transaction", [by_transaction()]),
        ours("/reservations", [reserve()]),
        ours("/reservations/{reservation}", [reservation()]),
        ours("/reservations/{reservation}/commit", [commit()]),
        ours("/reservations/{reservation}/release", [release()]),
    ]
}

/// What keeps what is open from being drawn up.
pub(super) fn drawing() -> Vec<Problem> {
    let mut all = meter_refuses(&[M::NothingToSettle, M::SettlementOpen, M::AmountTooLarge]);
    all.extend([key_reused()]);
    all.extend(idempotency_key(Some("")).err());
    all
}

fn total() -> Operation {
    keyed("get", TAG, "getBillingTotal", "See what is due in total", Some(Scope::UsageRead))
        .about("The sum of the bills of all meters, or of those of one agent, each asked as it stands.")
        .filter("agent", "Only of this agent.", schema("AgentName"))
        .answers("200", counted("What is due.", schema("TotalView"), &[]))
        .refuses([malformed()])
        .refuses([Problem::new(422, "too_many_meters", "")])
        .refuses(meter_refuses(&[M::AmountTooLarge]))
}

fn bill() -> Operation {
    placed(
        keyed("get", TAG, "getBill", "See what a bill would be now", Some(Scope::UsageRead)),
        &["MeteredAgent", "ServiceId"],
    )
    .about("Read from the meter itself. A bill that is drawn up now is exactly this.")
    .answers("200", counted("The bill.", schema("BillView"), &[]))
    .refuses(refuses(&[R::UnknownService]))
    .refuses(meter_refuses(&[M::NothingUsed, M::AmountTooLarge]))
}

fn settle() -> Operation {
    keyed("post", TAG, "settle", "Draw up a bill of all that is open", Some(Scope::BillingWrite))
        .about(
            "It waits to be paid, and is closed only once it is; a bill that comes to nothing is closed at once. While one \
             waits there is no other.",
        )
        .named(&["IdempotencyKey"])
        .body(Body::Needed("PairBody"))
        .answers("201", counted("The settlement.", schema("SettlementView"), &[]))
        .answers("200", counted("The same request drew it up before.", schema("SettlementView"), REPLAYED))
        .refuses(drawing())
        .refuses(refuses(&[R::UnknownService]))
        .refuses(meter_refuses(&[M::NothingUsed]))
}

fn settle_many() -> Operation {
    keyed("post", TAG, "settleBulk", "Draw up the bills of up to 100 pairs", Some(Scope::BillingWrite))
        .about("Each as if it were alone; `results` says what came of it, in their order.")
        .named(&["IdempotencyKey"])
        .body(Body::Needed("PairsBody"))
        .answers("200", counted("What came of each.", schema("SettleManyAnswer"), &[]))
        .refuses([Problem::new(422, "bulk_too_large", "")])
        .refuses(idempotency_key(Some("")).err())
}

fn of_settlement(operation: Operation) -> Operation {
    placed(operation, &["SettlementId"]).refuses(meter_refuses(&[M::UnknownSettlement]))
}

fn open(method: &'static str, id: &'static str, summary: &'static str, access: Access) -> Operation {
    of_settlement(Operation::new(method, TAG, id, summary, access))
}

fn show() -> Operation {
    open("get", "getSettlement", "Look at a settlement", Access::Open)
        .about("Its id is a secret of tenant and payer: whoever knows it may look at it and pay it.")
        .answers(
            "200",
            answer("As it stands.", schema("SettlementView"), &["ETag", "RateLimit", "RateLimit-Policy"]),
        )
}

fn void() -> Operation {
    of_settlement(keyed(
        "post",
        TAG,
        "voidSettlement",
        "Take back a bill that nobody has begun to pay",
        Some(Scope::BillingWrite),
    ))
    .about("What it billed is open again.")
    .body(Body::Optional("EmptyBody"))
    .answers("200", counted("It is taken back.", schema("SettlementView"), REPLAYED))
    .refuses(meter_refuses(&[M::NotDrafted]))
}

/// What keeps a bill from being paid.
fn paying(operation: Operation) -> Operation {
    operation.refuses(meter_refuses(&[M::NotDrafted, M::PaidOtherwise])).refuses([Problem::new(
        409,
        "payee_missing",
        "",
    )])
}

fn pay() -> Operation {
    let paid = answer(
        "It is paid, now or before.",
        schema("SettlementView"),
        &["PAYMENT-RESPONSE", "Idempotency-Replayed"],
    );
    let unpaid = "With PAYMENT-REQUIRED: pay, or pay again; nothing was charged. With PAYMENT-RESPONSE instead: \
                  payment_refused was not charged; settlement_pending and settlement_unknown may yet be, so send the same \
                  payment again after Retry-After.";
    let plain = |status: &str| json!({ "$ref": format!("#/components/responses/Problem{status}") });
    open("post", "paySettlement", "Pay a settlement by x402", Access::Open)
        .about(
            "Without a payment the answer is 402 with what to pay; any x402 v2 client pays it. Only once the payment is \
             settled is the settlement closed; one that fails leaves its usage open again.",
        )
        .named(&["PaymentSignature", "XPayment"])
        .body(Body::Optional("EmptyBody"))
        .answers("200", paid)
        .answers("402", problem(unpaid, &["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Retry-After"]))
        .answers("409", plain("409"))
        .answers("422", plain("422"))
}

fn from_mandate() -> Operation {
    let summary = "Have a settlement paid from a mandate, as the mandate's agent";
    paying(open("post", "paySettlementFromMandate", summary, Access::Signature))
        .about("The mandate holds the amount and then pays it; its rules are those of every purchase.")
        .body(Body::Needed("PayFromMandateBody"))
        .answers("200", answer("As it stands now.", schema("SettlementView"), REPLAYED))
        .refuses([
            Problem::new(403, "not_party", ""),
            Problem::new(404, "unknown_mandate", ""),
            Problem::new(422, "custody_unsupported", ""),
        ])
}

fn by_transaction() -> Operation {
    let summary = "Name the transaction that has paid a settlement, as whoever sent it";
    paying(open("post", "paySettlementByTransaction", summary, Access::Signature))
        .about("It is looked for on the chain, and decides; it pays one thing once.")
        .body(Body::Needed("TransactionBody"))
        .answers("200", answer("As it stands now.", schema("SettlementView"), REPLAYED))
        .refuses([
            Problem::new(403, "not_party", ""),
            Problem::new(409, "transaction_used", ""),
            Problem::new(422, "transaction_unsupported", ""),
        ])
}

fn reserving(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    keyed(method, TAG, id, summary, Some(Scope::UsageWrite))
}

fn reserve() -> Operation {
    reserving("post", "reserve", "Have money held before work begins")
        .about(
            "From the mandate that the prepaid agent has offered: the most that the quantity can cost. The same key again is \
             the same reservation.",
        )
        .named(&["NeededIdempotencyKey"])
        .body(Body::Needed("ReserveBody"))
        .answers("201", counted("What is held.", schema("ReservationView"), &[]))
        .answers("200", counted("The same request reserved it before.", schema("ReservationView"), REPLAYED))
        .refuses(refuses(&[R::UnknownService, R::ServiceDisabled, R::NoMandateOffered]))
        .refuses(meter_refuses(&[
            M::QuantityZero,
            M::QuantityTooLarge,
            M::QuantityTooFine { digits: 0 },
            M::AmountTooLarge,
            M::TooManyReservations,
            M::ReservationTooLong,
            M::ReservationReused,
            M::NotPrepaid,
            M::BeforeService,
        ]))
        .refuses([Problem::new(422, "hold_refused", ""), Problem::new(409, "payee_missing", "")])
        .refuses(idempotency_key(None).err())
}

fn of_reservation(operation: Operation) -> Operation {
    placed(operation, &["ReservationId"]).refuses(meter_refuses(&[M::UnknownReservation]))
}

fn reservation() -> Operation {
    of_reservation(reserving("get", "getReservation", "Look at a reservation"))
        .answers("200", counted("As it stands.", schema("ReservationView"), &["ETag"]))
}

fn commit() -> Operation {
    of_reservation(reserving("post", "commitReservation", "Record what the work came to, and have it paid"))
        .about("The usage and its settlement are one; what is held beyond it goes back to the mandate.")
        .body(Body::Needed("CommitBody"))
        .answers("200", counted("The reservation and its settlement.", schema("CommitAnswer"), REPLAYED))
        .refuses(of_event())
        .refuses(meter_refuses(&[
            M::ReservationNotHeld,
            M::ReservationExpired,
            M::AboveReservation { reserved: tariff::Quantity::ZERO },
        ]))
}

fn release() -> Operation {
    of_reservation(reserving(
        "post",
        "releaseReservation",
        "Give back what is held, because the work is not done",
    ))
    .body(Body::Optional("EmptyBody"))
    .answers("200", counted("It is given back.", schema("ReservationView"), REPLAYED))
    .refuses(meter_refuses(&[M::ReservationNotHeld, M::ReservationExpired]))
}
