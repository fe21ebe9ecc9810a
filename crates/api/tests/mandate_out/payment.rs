//! A payment on its way.

use api::outbound::mandate::{Standing, Viewer, approval, message, payment, typed_data};
use api::wire::ApprovalItem;
use eip712::B256;
use eip712::mandates::{Approval, U48};
use mandate::life::{Act, Command};
use mandate::{By, Request};
use primitives::BaseUnits;
use serde_json::{Value, json};

use crate::cast::*;

const RECEIPT: B256 = B256::repeat_byte(0xee);
const EVIDENCE: B256 = B256::repeat_byte(0xdd);

fn shown(life: &Life, request: &Request, viewer: Viewer) -> Value {
    let standing = Standing::find(life.book(), request.payment, life.files.get(&request.payment)).unwrap();
    json!(payment(life.book(), standing, viewer))
}

fn item(life: &Life, request: &Request, viewer: Viewer) -> ApprovalItem {
    let standing = Standing::find(life.book(), request.payment, life.files.get(&request.payment)).unwrap();
    approval(life.book(), standing, viewer, &LEDGER)
}

/// Where it stands, what was paid and given back, since when and until when.
fn line(life: &Life, request: &Request) -> String {
    let shown = shown(life, request, Viewer::Anyone);
    let word = |key: &str| shown[key].as_str().unwrap_or("-").to_owned();
    let time = |key: &str| word(key).get(11..16).unwrap_or("-").to_owned();
    let sums = format!("{}-{}", word("paid"), word("refunded"));
    format!("{} {sums} {} {}", word("progress"), time("since"), time("deadline"))
}

#[test]
fn a_payment_is_shown_whole() {
    let request = request(1, 40);
    let life = Life::after([ask(request)]);
    let expected = json!({
        "payment": request.payment.to_string(),
        "requestId": format!("0x{}", "01".repeat(32)),
        "mandate": format!("0x{}", "13".repeat(32)),
        "owner": OWNER.to_checksum(None),
        "agent": AGENT.to_checksum(None),
        "progress": "escrowed",
        "amount": "40",
        "token": TOKEN.to_checksum(None),
        "recipient": PROVIDER.to_checksum(None),
        "service": format!("0x{}", "11".repeat(32)),
        "jobHash": format!("0x{}", "77".repeat(32)),
        "paid": "0",
        "refunded": "0",
        "since": null,
        "deadline": "2026-11-30T16:00:00.000Z",
        "request": {
            "mandate": format!("0x{}", "13".repeat(32)),
            "policyVersion": 1,
            "requestId": format!("0x{}", "01".repeat(32)),
            "token": TOKEN.to_checksum(None),
            "maxAmount": "40",
            "recipient": PROVIDER.to_checksum(None),
            "service": format!("0x{}", "11".repeat(32)),
            "jobHash": format!("0x{}", "77".repeat(32)),
            "validAfter": 1_796_047_200_u64,
            "validBefore": 1_796_050_800_u64,
            "deliverBy": 1_796_054_400_u64,
            "captureBy": 1_796_133_600_u64,
            "refundBy": 1_796_220_000_u64,
            "terms": {
                "challengePeriod": 3_600,
                "resolutionTimeout": 7_200,
                "silenceBps": 2_500,
                "resolver": RESOLVER.to_checksum(None),
            },
        },
        "requestedAt": "2026-11-30T14:00:00.000Z",
        "receipt": null,
        "evidence": null,
    });
    assert_eq!(shown(&life, &request, Viewer::Owner), expected);
}

/// What is done, and when in seconds.
type Step = (u64, Act, eip712::Address);

#[track_caller]
fn goes(amount: u128, steps: &[Step], lines: &[&str]) -> (Life, Request) {
    let request = request(1, amount);
    let mut life = Life::after([ask(request)]);
    let mut seen = vec![line(&life, &request)];
    for (seconds, done, by) in steps {
        life.hears(act(&request, done.clone(), *by), at(*seconds)).unwrap();
        seen.push(line(&life, &request));
    }
    assert_eq!(seen, lines);
    (life, request)
}

#[test]
fn a_delivered_payment_is_captured_and_refunded() {
    let total = |total| BaseUnits(total);
    let (life, request) = goes(
        40,
        &[
            (60, Act::Deliver { receipt: RECEIPT }, PROVIDER),
            (2 * HOUR, Act::Capture { total: total(30) }, PROVIDER),
            (3 * HOUR, Act::Capture { total: total(40) }, PROVIDER),
            (4 * HOUR, Act::Refund { total: total(15) }, PROVIDER),
        ],
        &[
            "escrowed 0-0 - 16:00",
            // A minute before captures end the object claims.
            "delivered 0-0 14:01 13:59",
            "delivered 30-0 14:01 14:00",
            "settled 40-0 - -",
            "settled 40-15 - -",
        ],
    );
    let shown = shown(&life, &request, Viewer::Anyone);
    assert_eq!((&shown["receipt"], &shown["evidence"]), (&json!(RECEIPT.to_string()), &Value::Null));
}

#[test]
fn a_disputed_payment_is_resolved() {
    let (life, request) = goes(
        40,
        &[
            (60, Act::Deliver { receipt: RECEIPT }, PROVIDER),
            (120, Act::Dispute { evidence: EVIDENCE }, OWNER),
            (180, Act::Resolve { to_provider: BaseUnits(0) }, RESOLVER),
        ],
        &[
            "escrowed 0-0 - 16:00",
            "delivered 0-0 14:01 13:59",
            "disputed 0-0 14:02 16:02",
            "refunded 0-0 - -",
        ],
    );
    assert_eq!(shown(&life, &request, Viewer::Anyone)["evidence"], json!(EVIDENCE.to_string()));
}

#[test]
fn a_dispute_without_evidence_shows_none() {
    let steps = [
        (60, Act::Deliver { receipt: RECEIPT }, PROVIDER),
        (120, Act::Dispute { evidence: B256::ZERO }, OWNER),
    ];
    let lines = ["escrowed 0-0 - 16:00", "delivered 0-0 14:01 13:59", "disputed 0-0 14:02 16:02"];
    let (life, request) = goes(40, &steps, &lines);
    assert_eq!(shown(&life, &request, Viewer::Owner)["evidence"], Value::Null);
}

#[test]
fn a_payment_is_voided_or_expires() {
    goes(40, &[(60, Act::Void, PROVIDER)], &["escrowed 0-0 - 16:00", "voided 0-0 - -"]);
    let request = request(1, 40);
    let mut life = Life::after([ask(request)]);
    life.hears(Command::Wake, at(2 * HOUR)).unwrap();
    assert_eq!(line(&life, &request), "refunded 0-0 - -");
}

#[test]
fn a_deadline_is_the_payments_own() {
    let (early, late) = (request(1, 10), request_at(2, 10, at(HOUR)));
    let mut life = Life::after([ask(early), reserve(3, 10, at(HOUR + 60))]);
    life.hears(ask(late), at(HOUR)).unwrap();
    assert_eq!(line(&life, &early), "escrowed 0-0 - 16:00");
    assert_eq!(line(&life, &late), "escrowed 0-0 - 17:00");
}

#[test]
fn an_approval_waits_and_is_given() {
    let request = request(1, 70);
    let mut life = Life::after([ask(request)]);
    assert_eq!(line(&life, &request), "awaiting_approval 0-0 - 15:00");
    let waits = json!({ "waitsUntil": "2026-11-30T15:00:00.000Z" });
    assert_eq!(shown(&life, &request, Viewer::Owner)["approval"], waits);
    assert_eq!(shown(&life, &request, Viewer::Agent)["approval"], waits);
    life.hears(approve(&request, at(1_800), &[0xab; 65]), at(60)).unwrap();
    assert_eq!(line(&life, &request), "approved 0-0 - 14:30");
    let given = json!({ "validBefore": 1_796_049_000_u64, "signature": format!("0x{}", "ab".repeat(65)) });
    assert_eq!(shown(&life, &request, Viewer::Agent)["approval"], given);
    let submitted = Command::Request { request: Box::new(request), by: By::caller(AGENT), filed: None };
    life.hears(submitted, at(120)).unwrap();
    assert_eq!(line(&life, &request), "escrowed 0-0 - 16:00");
    assert_eq!(shown(&life, &request, Viewer::Agent).get("approval"), None);
}

#[test]
fn only_the_owner_is_shown_what_to_sign_and_only_while_it_waits() {
    let request = request(1, 70);
    let mut life = Life::after([ask(request)]);
    let asked =
        Approval { request: message(&request), approver: OWNER, validBefore: U48::from(1_796_050_800_u64) };
    let owners = item(&life, &request, Viewer::Owner);
    assert_eq!(owners.typed_data, Some(typed_data(&asked, &LEDGER.domain())));
    assert_eq!(item(&life, &request, Viewer::Agent).typed_data, None);
    assert_eq!(item(&life, &request, Viewer::Anyone).typed_data, None);
    life.hears(approve(&request, at(1_800), &[0xab; 65]), at(60)).unwrap();
    assert_eq!(item(&life, &request, Viewer::Owner).typed_data, None);
}

#[test]
fn a_rejection_has_its_note() {
    let request = request(1, 70);
    let life = Life::after([ask(request), reject(&request, "Not this week.")]);
    assert_eq!(line(&life, &request), "rejected 0-0 - -");
    assert_eq!(shown(&life, &request, Viewer::Agent)["note"], json!("Not this week."));
    assert_eq!(shown(&life, &request, Viewer::Anyone).get("note"), None);
}

#[test]
fn what_was_never_made_is_not_there_and_what_is_open_is_not_taken_from_the_file() {
    let request = request(1, 40);
    let life = Life::after([ask(request)]);
    assert!(Standing::find(life.book(), B256::ZERO, None).is_none());
    let over = Life::after([ask(request), act(&request, Act::Void, PROVIDER)]);
    let filed = over.files.get(&request.payment);
    assert!(Standing::find(Life::new().book(), request.payment, filed).is_some());
    assert!(Standing::find(Life::new().book(), B256::ZERO, filed).is_none(), "another's row");
    let standing = Standing::find(life.book(), request.payment, filed).unwrap();
    assert_eq!(json!(payment(life.book(), standing, Viewer::Anyone))["progress"], json!("escrowed"));
}
