//! A request, a payment, and calls as clients of both eras make them.

use std::sync::LazyLock;

use api::document::server;
use api::inbound::mandate::requested;
use api::settings::Ledger;
use api::wire::{Payment, PaymentRequest, Progress};
use data_encoding::HEXLOWER;
use eip712::{Address, Signer};
use mcp::{Dispatch, Request, ToolCall, dispatch};
use serde_json::{Value, json};

pub(crate) const APPROVAL_URL: &str = "https://guildhall.example/v1/approvals/0x66";

pub(crate) fn hash(digit: char) -> String {
    format!("0x{}", digit.to_string().repeat(64))
}

pub(crate) fn address(digit: char) -> String {
    format!("0x{}", digit.to_string().repeat(40))
}

/// The message as evaluate_payment answers it.
pub(crate) fn request() -> Value {
    json!({
        "mandate": hash('1'),
        "policyVersion": 1,
        "requestId": hash('2'),
        "token": address('3'),
        "maxAmount": "2500000",
        "recipient": address('4'),
        "service": hash('5'),
        "jobHash": hash('0'),
        "validAfter": 1_800_000_000,
        "validBefore": 1_800_086_400,
        "deliverBy": 1_800_090_000,
        "captureBy": 1_800_262_800,
        "refundBy": 1_800_867_600,
        "terms": {
            "challengePeriod": 86_400,
            "resolutionTimeout": 604_800,
            "silenceBps": 5_000,
            "resolver": address('0'),
        },
    })
}

/// The key of the agent.
pub(crate) fn agent() -> Signer {
    Signer::from_bytes(&[8; 32]).unwrap()
}

pub(crate) fn ledger() -> Ledger {
    Ledger { chain_id: 84_532, address: Address::repeat_byte(0x9a), token: Address::repeat_byte(0x33) }
}

/// The arguments of request_payment, signed by the agent.
pub(crate) fn arguments() -> Value {
    static ARGUMENTS: LazyLock<Value> = LazyLock::new(|| {
        let unsigned = json!({ "request": request(), "signature": "0x00" });
        let digest = requested(&unsigned, &ledger()).unwrap().signed.unwrap().digest;
        let signature = agent().sign(digest);
        json!({ "request": request(), "signature": format!("0x{}", HEXLOWER.encode(&signature)) })
    });
    ARGUMENTS.clone()
}

pub(crate) fn payment(progress: Progress) -> Payment {
    let request: PaymentRequest = serde_json::from_value(request()).unwrap();
    Payment {
        payment: hash('6'),
        request_id: request.request_id.clone(),
        mandate: request.mandate.clone(),
        owner: address('7'),
        agent: address('8'),
        progress,
        amount: request.max_amount.clone(),
        token: request.token.clone(),
        recipient: request.recipient.clone(),
        service: request.service.clone(),
        job_hash: request.job_hash.clone(),
        paid: "0".to_owned(),
        refunded: "0".to_owned(),
        since: None,
        deadline: None,
        request,
        requested_at: "2027-01-15T08:00:00.000Z".to_owned(),
        approval: None,
        note: None,
        receipt: None,
        evidence: None,
        transactions: Vec::new(),
        reason: None,
    }
}

/// How a client calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    /// It opened with `initialize`.
    Legacy,
    /// It declares everything with each request, and no elicitation.
    Plain,
    /// It shows addresses to a person.
    OpensUrls,
}

/// A call of `tool`, with `more` in its parameters.
pub(crate) fn call(client: Client, tool: &str, arguments: &Value, more: &Value) -> ToolCall {
    let capabilities = match client {
        Client::Legacy => None,
        Client::Plain => Some(json!({})),
        Client::OpensUrls => Some(json!({ "elicitation": { "url": {} } })),
    };
    let mut params = more.clone();
    params["name"] = json!(tool);
    params["arguments"] = arguments.clone();
    let version = if let Some(capabilities) = capabilities {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": mcp::MODERN_VERSION,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        mcp::MODERN_VERSION
    } else {
        let [newest, ..] = mcp::LEGACY_VERSIONS;
        newest
    };
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let request = Request {
        protocol_version: Some(version),
        mcp_method: Some("tools/call"),
        mcp_name: Some(tool),
        body: &body,
    };
    let dispatched = dispatch(&request, server());
    let Dispatch::Call(call) = dispatched else { panic!("no call: {dispatched:?}") };
    call
}
