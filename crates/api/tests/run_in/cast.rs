//! Bodies that are right, and what is wrong with others.

use api::problem::Problem;
use api::settings::{Runs, Settings};
use primitives::{ExecutorId, UnixMillis};
use serde_json::{Value, json};

pub(crate) const NOW: UnixMillis = UnixMillis(1_798_761_600_000);
pub(crate) const MANDATE: &str = "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";
/// A static code of 19.90, whose checksum is published beside it.
pub(crate) const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865405\
                               19.905802BR5913Fulano de Tal6008BRASILIA62070503***63048677";

pub(crate) fn executor() -> ExecutorId {
    ExecutorId::derive(&[b"an executor"])
}

/// The set-up of runs with these variables.
pub(crate) fn runs(set: &[(&str, &str)]) -> Runs {
    let read = |name: &str| {
        let pay_to = ("X402_PAY_TO", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
        let all = set.iter().copied().chain([pay_to]);
        all.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    };
    Settings::read(&read).unwrap().runs
}

pub(crate) fn purchase() -> Value {
    json!({
        "request": { "requirement": "coca-cola 2l", "quantity": 2, "maxBudgetCents": "2500" },
        "executorId": executor(),
        "userId": "customer 7",
        "mandate": MANDATE,
        "executionMode": "simulated",
        "wallet": "external",
    })
}

pub(crate) fn quote() -> Value {
    json!({
        "type": "QUOTE",
        "commandId": "cmd_5",
        "quote": {
            "merchantName": "Mercado Azul",
            "items": [{ "product": "Coca-Cola 2L", "quantity": 2, "unitPriceCents": "899", "totalCents": "1798" }],
            "fees": [{ "name": "delivery", "amountCents": "500" }],
            "discounts": [{ "name": "coupon", "amountCents": "100" }],
            "totalCents": "2198",
            "etaMinutes": 35,
        },
        "capturedAt": "2027-01-01T00:00:00.000Z",
        "pageRef": "ifood/cart",
    })
}

pub(crate) fn pix() -> Value {
    json!({
        "type": "PIX",
        "commandId": "cmd_9",
        "amountCents": "1990",
        "evidence": "pix-code",
        "expiresAt": "2027-01-01T00:15:00Z",
        "payload": CODE,
    })
}

/// The same with another value at `pointer`.
pub(crate) fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap();
    match parent.as_array_mut() {
        Some(items) => items[name.parse::<usize>().unwrap()] = value,
        None => parent[name] = value,
    }
    body
}

/// The same without what is at `pointer`.
pub(crate) fn without(body: &Value, pointer: &str) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).unwrap();
    body
}

/// The places of the faults.
pub(crate) fn places<T: core::fmt::Debug>(read: Result<T, Problem>) -> Vec<String> {
    let problem = read.unwrap_err();
    assert_eq!(problem.status, 400, "{problem:?}");
    for fault in &problem.errors {
        assert!(!fault.message.is_empty() && fault.message.len() < 400, "{fault:?}");
    }
    problem.errors.into_iter().map(|fault| fault.field).collect()
}

/// The status and the code of a refusal.
pub(crate) fn refusal<T: core::fmt::Debug>(read: Result<T, Problem>) -> (u16, String) {
    let problem = read.unwrap_err();
    (problem.status, problem.code)
}
