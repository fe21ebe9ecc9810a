//! The parties, a ledger in a script, and what it says.

use api::{problem::Problem, wire};
use eip712::{
    Address, B256, Domain, Signer,
    mandates::{PaymentRequest, payment_id},
};
use primitives::{BaseUnits, Millis};
use serde_json::{Value, json};

use super::super::{Mandates, Wish, message};
use crate::{
    Error, Guildhall, after,
    double::{Asked, Double, Reply},
};

pub(super) const CHAIN: u64 = 84_532;
const LEDGER: Address = Address::repeat_byte(0x1e);
const TOKEN: Address = Address::repeat_byte(0x70);
pub(super) const PROVIDER: Address = Address::repeat_byte(0xbb);
pub(super) const SALT: B256 = B256::repeat_byte(0x5a);

pub(crate) fn owner() -> Signer {
    Signer::from_bytes(&[0x11; 32]).unwrap()
}

pub(crate) fn agent() -> Signer {
    Signer::from_bytes(&[0x22; 32]).unwrap()
}

pub(super) fn domain() -> Domain {
    eip712::mandates::domain(CHAIN, LEDGER)
}

pub(super) fn mandate_id() -> B256 {
    eip712::mandates::mandate_id(CHAIN, LEDGER, owner().address(), SALT)
}

pub(super) fn wish() -> Wish {
    Wish::new(mandate_id(), PROVIDER, B256::repeat_byte(0x5e), BaseUnits(1_500_000)).unwrap()
}

pub(super) fn status() -> Value {
    json!({
        "mode": "simulator", "chainId": CHAIN, "custody": ["ledger"], "ledger": LEDGER, "token": TOKEN,
        "eip712Domain": {
            "name": "Guildhall Mandates", "version": "1", "chainId": CHAIN, "verifyingContract": LEDGER,
        },
        "limits": {
            "entries": 1000, "open": 100, "waiting": 100, "reservations": 100, "approvalWaitSeconds": 86400,
            "labelBytes": 120, "noteBytes": 500, "amountMax": "79228162514264337593543950335",
        },
    })
}

pub(super) fn mandate() -> Value {
    json!({
        "mandate": mandate_id(), "custody": "ledger", "owner": owner().address(), "agent": agent().address(),
        "token": TOKEN, "chainId": CHAIN, "ledger": LEDGER, "status": "active", "policyVersion": 3, "version": 7,
        "policy": {
            "validAfter": "2026-01-01T00:00:00.000Z", "validBefore": "2099-01-01T00:00:00.000Z",
            "paymentCap": "5000000", "dayCap": "9000000", "monthCap": null, "lifetimeCap": null, "dayCount": null,
            "approvalAbove": "1000000",
            "terms": {
                "challengePeriodSeconds": 86400, "resolutionTimeoutSeconds": 604800, "silenceBps": 5000,
                "resolver": null,
            },
        },
        "amendDelaySeconds": 86400, "pendingAmendment": null, "entryCount": 1,
        "funds": { "balance": "9000000", "reserved": "0", "available": "9000000" },
        "spent": { "today": "0", "thisMonth": "0", "lifetime": "0", "countToday": 0 },
        "remaining": { "today": "9000000", "thisMonth": null, "lifetime": null, "countToday": null },
        "open": 0, "waiting": 0, "reservations": 0, "createdAt": "t", "updatedAt": "t", "aFieldOfTheFuture": 1,
    })
}

/// The wish as an honest ledger completes it.
pub(super) fn completed(wish: &Wish) -> Value {
    let valid_before = wish.valid_before.unwrap_or_else(|| after(Millis::from_minutes(24 * 60))).seconds();
    let deliver_by = wish.deliver_by.map_or(valid_before + 3_600, |moment| moment.seconds());
    json!({
        "mandate": wish.mandate, "policyVersion": 3, "requestId": wish.request_id, "token": TOKEN,
        "maxAmount": wish.amount, "recipient": wish.recipient, "service": wish.service, "jobHash": wish.job_hash,
        "validAfter": after(Millis(0)).seconds(), "validBefore": valid_before, "deliverBy": deliver_by,
        "captureBy": deliver_by + 172_800, "refundBy": deliver_by + 777_600,
        "terms": {
            "challengePeriod": 86400, "resolutionTimeout": 604800, "silenceBps": 5000, "resolver": Address::ZERO,
        },
    })
}

pub(super) fn signed_form(request: &Value) -> PaymentRequest {
    message::signable(&serde_json::from_value(request.clone()).unwrap()).unwrap()
}

pub(super) fn evaluation(request: &Value, verdict: &str) -> Value {
    json!({
        "verdict": verdict, "code": null,
        "checks": [
            { "rule": "day_cap", "passes": verdict != "refused", "got": "1", "limit": "1", "message": "Too much." },
        ],
        "remaining": {
            "available": "9000000", "perPayment": "5000000", "today": "9000000", "thisMonth": null,
            "lifetime": null, "countToday": null, "entry": null, "needsApprovalAbove": "1000000",
        },
        "request": request, "payment": payment_id(&signed_form(request)), "typedData": { "forged": true },
    })
}

pub(super) fn payment(request: &Value, progress: &str) -> Value {
    json!({
        "payment": payment_id(&signed_form(request)), "requestId": request["requestId"],
        "mandate": request["mandate"], "owner": owner().address(), "agent": agent().address(),
        "progress": progress, "amount": request["maxAmount"], "token": TOKEN, "recipient": request["recipient"],
        "service": request["service"], "jobHash": request["jobHash"], "paid": "0", "refunded": "0",
        "since": null, "deadline": null, "request": request, "requestedAt": "t", "receipt": null, "evidence": null,
    })
}

pub(super) fn shown(payment: &Value) -> wire::Payment {
    serde_json::from_value(payment.clone()).unwrap()
}

pub(super) fn yes(body: &Value) -> Reply {
    Reply::Http { status: 200, headers: Vec::new(), body: body.to_string() }
}

pub(super) fn no(status: u16, code: &str) -> Reply {
    let problem = Problem::new(status, code, "because");
    let headers = vec![("Retry-After", "0".to_owned())];
    Reply::Http { status, headers, body: serde_json::to_string(&problem).unwrap() }
}

/// A ledger that answers the script, after it has said what it is.
pub(crate) async fn ledger(script: Vec<Reply>) -> (Mandates, Double) {
    let double = Double::start(core::iter::once(yes(&status())).chain(script).collect()).await;
    let ledger = Guildhall::new(&double.url).unwrap().mandates(CHAIN).await.unwrap();
    (ledger, double)
}

/// Who signed a request (RFC 9421), and the key under which that signature is good once.
#[track_caller]
pub(crate) fn signed_by(asked: &Asked) -> (Address, String) {
    let (method, rest) = asked.head.split_once(' ').unwrap();
    let target = rest.split_once(' ').unwrap().0;
    let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
    let header = |name: &str| asked.header(name).map(str::to_owned);
    let authority = header("host").unwrap();
    let body = asked.body.as_bytes();
    let request = httpsig::Request {
        method,
        scheme: "http",
        authority: &authority,
        path,
        query,
        header: &header,
        body,
    };
    let also_covered: &[&str] =
        if asked.header("idempotency-key").is_some() { &["idempotency-key"] } else { &[] };
    let authorities = [authority.as_str()];
    let policy = httpsig::Policy { also_covered, ..httpsig::Policy::new(&authorities, &[CHAIN]) };
    let judgement = httpsig::verify(&request, &policy, after(Millis(0))).unwrap();
    let httpsig::Judgement::Verified(verified) = judgement else {
        panic!("an ordinary account must be verified")
    };
    (verified.signer, format!("{:?}", verified.once_key()))
}

/// The body as JSON.
pub(super) fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

/// The first line without the version.
pub(super) fn line(asked: &Asked) -> String {
    asked.head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned()
}

#[track_caller]
pub(super) fn is_outside<T: core::fmt::Debug>(answer: Result<T, Error>, part: &str) {
    match answer {
        Err(Error::OutsideContract { why, .. }) => assert!(why.contains(part), "{why:?} has no {part:?}"),
        other => panic!("{part}: must be outside the contract: {other:?}"),
    }
}

/// Who made the signature of a struct.
#[track_caller]
pub(super) fn sealed_by(signed: &impl eip712::mandates::Signed, signature: &Value) -> Address {
    let bytes = hex::decode(signature.as_str().unwrap().trim_start_matches("0x")).unwrap();
    eip712::recover(signed.digest(&domain()), &bytes).unwrap()
}
