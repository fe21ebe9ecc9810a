//! What the rows hold: what is private is in no record that anyone sees.

use api::listing::{ActivityRow, MandateRow, Moments, Projection, RequestRow, party};
use api::wire::{ActivityLine, Mandate, Payment};
use primitives::UnixMillis;
use serde_json::{Value, json};

const OWNER: &str = "0xA11CEa11cEA11cea11CEa11CEa11cEA11ceA11Ce";
const AGENT: &str = "0xB0B0000000000000000000000000000000000b0B";

fn hash(digits: &str) -> String {
    format!("0x{digits:0>64}")
}

fn mandate() -> Mandate {
    serde_json::from_value(json!({
        "mandate": hash("aa"), "custody": "ledger", "owner": OWNER, "agent": AGENT, "token": AGENT, "chainId": 84532,
        "ledger": AGENT, "status": "paused", "policyVersion": 1, "version": 9,
        "policy": {
            "validAfter": "1970-01-01T00:00:00.000Z", "validBefore": "2027-01-01T00:00:00.000Z", "paymentCap": "10",
            "dayCap": "100", "monthCap": null, "lifetimeCap": null, "dayCount": null, "approvalAbove": "10",
            "terms": {
                "challengePeriodSeconds": 1, "resolutionTimeoutSeconds": 1, "silenceBps": 5000, "resolver": null,
            },
        },
        "amendDelaySeconds": 86400, "pendingAmendment": null, "entryCount": 1,
        "funds": { "balance": "5", "reserved": "0", "available": "5" },
        "spent": { "today": "0", "thisMonth": "0", "lifetime": "0", "countToday": 0 },
        "remaining": { "today": "100", "thisMonth": null, "lifetime": null, "countToday": null },
        "open": 0, "waiting": 0, "reservations": 0,
        "createdAt": "2026-11-01T00:00:00.000Z", "updatedAt": "2026-11-01T00:00:00.000Z", "label": "secret plans",
    }))
    .unwrap()
}

fn payment(private: &Value) -> Payment {
    let mut payment = json!({
        "payment": hash("bb"), "requestId": hash("cc"), "mandate": hash("aa"), "owner": OWNER, "agent": AGENT,
        "progress": "awaiting_approval", "amount": "5", "token": AGENT, "recipient": AGENT, "service": hash("dd"),
        "jobHash": hash("0"), "paid": "0", "refunded": "0", "since": null, "deadline": null,
        "request": {
            "mandate": hash("aa"), "policyVersion": 1, "requestId": hash("cc"), "token": AGENT, "maxAmount": "5",
            "recipient": AGENT, "service": hash("dd"), "jobHash": hash("0"), "validAfter": 0, "validBefore": 1,
            "deliverBy": 2, "captureBy": 3, "refundBy": 4,
            "terms": { "challengePeriod": 1, "resolutionTimeout": 1, "silenceBps": 5000, "resolver": AGENT },
        },
        "requestedAt": "2026-11-01T00:00:00.000Z", "receipt": null, "evidence": null,
    });
    let object = payment.as_object_mut().unwrap();
    object.extend(private.as_object().unwrap().clone());
    serde_json::from_value(payment).unwrap()
}

fn fields(row: &impl serde::Serialize) -> Value {
    serde_json::to_value(row).unwrap()
}

fn parsed(field: &Value) -> Value {
    serde_json::from_str(field.as_str().unwrap()).unwrap()
}

fn moments() -> Moments {
    Moments {
        created_at: UnixMillis(1),
        expires_at: UnixMillis(2),
        deadline: Some(UnixMillis(3)),
        as_of: UnixMillis(4),
    }
}

#[test]
fn a_mandates_row_keeps_the_label_out_of_the_record() {
    let mut row = fields(&MandateRow::new(mandate(), moments()).unwrap());
    let record = parsed(&row["record"].take());
    assert_eq!(record.get("label"), None);
    assert_eq!(serde_json::from_value::<Mandate>(record).unwrap(), Mandate { label: None, ..mandate() });
    assert_eq!(
        row,
        json!({
            "mandate_id": hash("aa"), "version": 9, "owner": party(OWNER), "agent": party(AGENT), "status": "paused",
            "created_at": 1, "expires_at": 2, "deadline": 3, "as_of": 4, "record": null, "label": "secret plans",
        })
    );
    assert_eq!(party(OWNER), "0xa11cea11cea11cea11cea11cea11cea11cea11ce");
    let unnamed = Mandate { label: None, ..mandate() };
    let row = fields(&MandateRow::new(unnamed, Moments { deadline: None, ..moments() }).unwrap());
    assert_eq!((&row["label"], &row["deadline"]), (&json!(""), &Value::Null));
}

#[test]
fn a_requests_row_keeps_the_owners_word_out_of_the_record() {
    for private in [
        json!({}),
        json!({ "approval": { "waitsUntil": "2026-11-02T00:00:00.000Z" } }),
        json!({ "approval": { "validBefore": 7, "signature": "0x51" } }),
        json!({ "note": "not this one" }),
    ] {
        let mut row = fields(&RequestRow::new(payment(&private), 9, UnixMillis(1)).unwrap());
        let record = parsed(&row["record"].take());
        assert_eq!(record, serde_json::to_value(payment(&json!({}))).unwrap());
        // Laid over the record, it adds what is private and takes nothing away.
        assert_eq!(parsed(&row["private"].take()), private);
        assert_eq!(
            row,
            json!({
                "payment": hash("bb"), "version": 9, "mandate_id": hash("aa"), "request_id": hash("cc"),
                "owner": party(OWNER), "agent": party(AGENT), "progress": "awaiting_approval", "requested_at": 1,
                "record": null, "private": null,
            })
        );
    }
}

#[test]
fn an_activitys_row_is_named_by_its_place_in_the_journal() {
    let shown = json!({
        "at": "2026-11-01T00:00:00.000Z", "mandate": hash("aa"), "seq": 41, "kind": "fund", "role": "owner",
        "actor": OWNER, "payment": null, "amount": "5", "paid": "0", "returned": "0", "token": AGENT, "provider": null,
        "result": "done", "reason": null, "transaction": null, "source": "ledger",
    });
    let line: ActivityLine = serde_json::from_value(shown.clone()).unwrap();
    let activity = ActivityRow::new(line, 2, UnixMillis(1), OWNER).unwrap();
    let mut row = fields(&activity);
    assert_eq!(parsed(&row["record"].take()), shown);
    assert_eq!(
        row,
        json!({
            "mandate_id": hash("aa"), "at": 1, "line": format!("{}.000000000041.0002", hash("aa")),
            "owner": party(OWNER), "kind": "fund", "result": "done", "record": null,
        })
    );
    let projection = Projection {
        mandate: MandateRow::new(mandate(), moments()).unwrap(),
        requests: vec![RequestRow::new(payment(&json!({})), 9, UnixMillis(1)).unwrap()],
        activity: vec![activity],
        gone: Vec::new(),
    };
    assert_eq!(serde_json::from_value::<Projection>(fields(&projection)).unwrap(), projection);
}
