//! The parties, what a ledger says, and one run of the command.

use core::time::Duration;
use std::process::Stdio;

use eip712::{
    Address, B256, Signer,
    mandates::{PaymentRequest, Terms, U48, payment_id},
};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::double::{Asked, Double, Reply};

pub(crate) const OWNER: [u8; 32] = [0x11; 32];
pub(crate) const AGENT: [u8; 32] = [0x22; 32];
pub(crate) const PROVIDER: Address = Address::repeat_byte(0xbb);
pub(crate) const MANDATE: B256 = B256::repeat_byte(0x4d);
pub(crate) const REQUEST: B256 = B256::repeat_byte(0x4e);
pub(crate) const SALT: B256 = B256::repeat_byte(0x5a);
const LEDGER: Address = Address::repeat_byte(0x1e);
const TOKEN: Address = Address::repeat_byte(0x70);

pub(crate) fn address_of(key: [u8; 32]) -> Address {
    Signer::from_bytes(&key).unwrap().address()
}

/// The mandate that the owner makes with [`SALT`].
pub(crate) fn made() -> B256 {
    eip712::mandates::mandate_id(84_532, LEDGER, address_of(OWNER), SALT)
}

pub(crate) fn status(chain: u64) -> Value {
    json!({
        "mode": "simulator", "chainId": chain, "custody": ["ledger"], "ledger": LEDGER, "token": TOKEN,
        "eip712Domain": {
            "name": "Guildhall Mandates", "version": "1", "chainId": chain, "verifyingContract": LEDGER,
        },
        "limits": {
            "entries": 1000, "open": 100, "waiting": 100, "reservations": 100, "approvalWaitSeconds": 86400,
            "labelBytes": 120, "noteBytes": 500, "amountMax": "79228162514264337593543950335",
        },
    })
}

pub(crate) fn mandate(id: B256) -> Value {
    json!({
        "mandate": id, "custody": "ledger", "owner": address_of(OWNER), "agent": address_of(AGENT),
        "token": TOKEN, "chainId": 84532, "ledger": LEDGER, "status": "active", "policyVersion": 1, "version": 2,
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
        "funds": { "balance": "9000000", "reserved": "1500000", "available": "7500000" },
        "spent": { "today": "1500000", "thisMonth": "1500000", "lifetime": "1500000", "countToday": 1 },
        "remaining": { "today": "7500000", "thisMonth": null, "lifetime": null, "countToday": null },
        "open": 1, "waiting": 0, "reservations": 0, "createdAt": "t", "updatedAt": "t", "label": "a\u{1b}[31mb",
    })
}

/// The message of the one payment of these tests: 1.5 USDC to the provider for `api.example.com/translate`.
pub(crate) fn message() -> PaymentRequest {
    let at = |hours: u64| U48::from(client::after(client::Millis::from_minutes(hours * 60)).seconds());
    PaymentRequest {
        mandate: MANDATE,
        policyVersion: 1,
        requestId: REQUEST,
        token: TOKEN,
        maxAmount: 1_500_000,
        recipient: PROVIDER,
        service: client::service_id("api.example.com/translate").unwrap(),
        jobHash: B256::ZERO,
        validAfter: at(0),
        validBefore: at(24),
        deliverBy: at(25),
        captureBy: at(73),
        refundBy: at(241),
        terms: Terms {
            challengePeriod: 86_400,
            resolutionTimeout: 604_800,
            silenceBps: 5_000,
            resolver: Address::ZERO,
        },
    }
}

fn shown(message: &PaymentRequest) -> Value {
    json!({
        "mandate": message.mandate, "policyVersion": message.policyVersion, "requestId": message.requestId,
        "token": message.token, "maxAmount": message.maxAmount.to_string(), "recipient": message.recipient,
        "service": message.service, "jobHash": message.jobHash, "validAfter": message.validAfter.to::<u64>(),
        "validBefore": message.validBefore.to::<u64>(), "deliverBy": message.deliverBy.to::<u64>(),
        "captureBy": message.captureBy.to::<u64>(), "refundBy": message.refundBy.to::<u64>(),
        "terms": {
            "challengePeriod": 86400, "resolutionTimeout": 604800, "silenceBps": 5000, "resolver": Address::ZERO,
        },
    })
}

pub(crate) fn budget() -> Value {
    json!({
        "available": "7500000", "perPayment": "5000000", "today": "7500000", "thisMonth": null, "lifetime": null,
        "countToday": 4, "entry": { "perPayment": "2000000", "window": null }, "needsApprovalAbove": "1000000",
    })
}

/// An evaluation of the message; each of the broken rules is against it.
pub(crate) fn evaluation(message: &PaymentRequest, verdict: &str, broken: &[&str]) -> Value {
    let check = |rule: &str, passes| json!({ "rule": rule, "passes": passes, "got": "2", "limit": "1", "message": format!("About {rule}.") });
    let mut checks = vec![check("paused", true)];
    checks.extend(broken.iter().map(|rule| check(rule, false)));
    json!({
        "verdict": verdict, "code": broken.first(), "checks": checks, "remaining": budget(),
        "request": shown(message), "payment": payment_id(message), "typedData": {},
    })
}

pub(crate) fn payment(message: &PaymentRequest, progress: &str) -> Value {
    json!({
        "payment": payment_id(message), "requestId": message.requestId, "mandate": message.mandate,
        "owner": address_of(OWNER), "agent": address_of(AGENT), "progress": progress,
        "amount": message.maxAmount.to_string(), "token": TOKEN, "recipient": message.recipient,
        "service": message.service, "jobHash": message.jobHash, "paid": "0", "refunded": "0", "since": null,
        "deadline": null, "request": shown(message), "requestedAt": "t", "receipt": null, "evidence": null,
    })
}

pub(crate) fn yes(body: &Value) -> Reply {
    Reply::Http { status: 200, headers: Vec::new(), body: body.to_string() }
}

pub(crate) fn no(status: u16, code: &str) -> Reply {
    let body = json!({
        "type": "t", "title": "t", "status": status, "detail": "Because.", "code": code, "requestId": "r-1",
        "retryable": false, "error": true, "message": "Because.",
    });
    Reply::Http { status, headers: Vec::new(), body: body.to_string() }
}

/// What one run has left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What was asked after the first question, what is signed for.
    pub(crate) asked: Vec<Asked>,
    pub(crate) url: String,
}

impl Run {
    /// The one line of JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "one line: {:?}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// The body of a request, by its number.
    #[track_caller]
    pub(crate) fn body(&self, number: usize) -> Value {
        serde_json::from_str(&self.asked[number].body).unwrap()
    }

    #[track_caller]
    pub(crate) fn says(&self, part: &str) {
        assert!(self.stderr.contains(part), "{part:?} is not said: {}", self.stderr);
    }
}

/// Runs `guildhall --json mandate …` with a key, against a ledger that says what it is and then answers the script.
pub(crate) async fn run(key: Option<[u8; 32]>, line: &str, script: Vec<Reply>) -> Run {
    run_on(84_532, "--json", key, line, script).await
}

pub(crate) async fn run_on(
    chain: u64,
    mode: &str,
    key: Option<[u8; 32]>,
    line: &str,
    script: Vec<Reply>,
) -> Run {
    let double = Double::start(core::iter::once(yes(&status(chain))).chain(script).collect()).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
    command
        .args(mode.split_whitespace())
        .args(["--api", &double.url, "mandate"])
        .args(line.split_whitespace());
    command.env_remove("GUILDHALL_KEY").env_remove("GUILDHALL_API").stdin(Stdio::null()).kill_on_drop(true);
    if let Some(key) = key {
        command.env("GUILDHALL_KEY", hex::encode(key));
    }
    let output = tokio::time::timeout(Duration::from_secs(30), command.output()).await.unwrap().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        asked: double.asked().into_iter().skip(1).collect(),
        url: double.url,
    }
}
