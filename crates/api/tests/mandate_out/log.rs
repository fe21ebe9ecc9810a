//! The owner's log.

use api::outbound::mandate::activity;
use eip712::B256;
use mandate::life::Act;
use serde_json::{Value, json};

use crate::cast::*;

#[test]
fn every_line_is_told_in_words() {
    let request = request(1, 70);
    let life = Life::after([
        ask(request),
        approve(&request, at(1_800), b"signature"),
        ask(request),
        act(&request, Act::Deliver { receipt: B256::repeat_byte(0xee) }, PROVIDER),
        act(&request, Act::Accept, OWNER),
    ]);
    let lines: Vec<Value> = life.log.iter().map(|line| json!(activity(line, MANDATE, 3))).collect();
    let told = |line: &Value| {
        let word = |key: &str| line[key].as_str().unwrap_or("-").to_owned();
        ["kind", "role", "result", "amount", "paid", "returned"].map(word).join(" ")
    };
    let expected = [
        "create owner done - 0 0",
        "fund owner done 500 0 0",
        "request agent awaiting_approval 70 0 0",
        "approve owner approved 70 0 0",
        "submit agent escrowed 70 0 0",
        "deliver provider delivered 70 0 0",
        "accept owner settled 70 70 0",
    ];
    assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
    let delivered = json!({
        "at": "2026-11-30T14:00:00.000Z",
        "mandate": MANDATE.to_string(),
        "seq": 3,
        "kind": "deliver",
        "role": "provider",
        "actor": PROVIDER.to_checksum(None),
        "payment": request.payment.to_string(),
        "amount": "70",
        "paid": "0",
        "returned": "0",
        "token": TOKEN.to_checksum(None),
        "provider": PROVIDER.to_checksum(None),
        "result": "delivered",
        "reason": format!("0x{}", "ee".repeat(32)),
        "transaction": null,
        "source": "ledger",
    });
    assert_eq!(lines[5], delivered);
    assert_eq!((&lines[0]["payment"], &lines[0]["token"]), (&Value::Null, &Value::Null));
}
