//! Everything that is sent to the contract in the story of the vectors, and what it returns, refuses and logs.

use std::collections::BTreeSet;

use alloy_primitives::{B256, Bytes, IntoLogData as _, U256, keccak256};
use eip712::mandates::IMandates::{self, IMandatesCalls, IMandatesEvents};
use eip712::mandates::{
    Approval, Capture, CreditWithdrawal, Delivery, Reason, Signed, SignedApproval, SolCall, SolError,
    SolEventInterface, SolInterface, State, Status, U96, payment_id,
};
use serde_json::Value;

use super::{bytes, domain, list, parsed, signer, text, values, vectors};

/// What the story sends to the contract and not to its token.
fn story() -> Vec<Value> {
    list("calls").into_iter().filter(|row| !text(row, "call").starts_with("token.")).collect()
}

/// The story's first call of a function that succeeds.
fn told(function: &str) -> Value {
    story().into_iter().find(|row| text(row, "call") == function && row["succeeds"] == true).unwrap()
}

/// What the story's first call of a function returns.
fn returned<C: SolCall>(function: &str) -> C::Return {
    C::abi_decode_returns_validate(&bytes(&told(function), "returns")).unwrap()
}

/// A party's signature of a struct, by our own means.
fn signature(party: &str, content: &impl Signed) -> Bytes {
    signer(party).sign(content.digest(&domain())).to_vec().into()
}

#[test]
fn create() {
    let call = IMandates::createCall { creation: values::creation(&vectors()["creation"]) };
    assert_eq!(call.abi_encode(), bytes(&told("create"), "data"));
    assert_eq!(returned::<IMandates::createCall>("create"), parsed::<B256>(&list("mandates")[0], "id"));
}

#[test]
fn authorize_and_deliver() {
    let request = values::request(&list("structs")[1]["message"]);
    let payment = payment_id(&request);
    let (approver, until) = (signer("owner").address(), request.validBefore);
    let approval = Approval { request: request.clone(), approver, validBefore: until };
    let authorize = IMandates::authorizeCall {
        request: request.clone(),
        agentSignature: signature("agent", &request),
        approval: SignedApproval { validBefore: until, signature: signature("owner", &approval) },
    };
    assert_eq!(authorize.abi_encode(), bytes(&told("authorize"), "data"));
    let receipt = keccak256("receipt");
    let signature = signature("provider", &Delivery { payment, receiptHash: receipt });
    let deliver = IMandates::deliverCall { request, receiptHash: receipt, signature };
    assert_eq!(deliver.abi_encode(), bytes(&told("deliver"), "data"));
}

/// Relayed, so that the signature is of what the arguments say.
#[test]
fn capture_and_withdraw_a_credit() {
    let told_capture = bytes(&told("capture"), "data");
    let request = IMandates::captureCall::abi_decode_validate(&told_capture).unwrap().request;
    let total = 12_000_000;
    let signed = signature("provider", &Capture { payment: payment_id(&request), total });
    let capture = IMandates::captureCall { request, total, signature: signed };
    assert_eq!(capture.abi_encode(), told_capture);

    let [owner, recipient, to] = ["owner", "provider", "relayer"].map(|party| signer(party).address());
    let (token, total) = (parsed(&vectors(), "token"), 7_000_000);
    let signed = signature("provider", &CreditWithdrawal { owner, token, recipient, to, total });
    let withdraw = IMandates::withdrawCreditCall { owner, token, recipient, to, total, signature: signed };
    assert_eq!(withdraw.abi_encode(), bytes(&told("withdrawCredit"), "data"));
}

#[test]
fn every_call_reads_and_writes_the_same() {
    for row in story() {
        let data = bytes(&row, "data");
        let call = IMandatesCalls::abi_decode_validate(&data).unwrap();
        assert_eq!(call.abi_encode(), data, "{}", text(&row, "call"));
    }
}

#[test]
fn every_event_reads_and_writes_the_same() {
    let mut kinds = BTreeSet::new();
    for log in story().iter().flat_map(|row| row["logs"].as_array().unwrap().clone()) {
        let topics: Vec<B256> = log["topics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|topic| topic.as_str().unwrap().parse().unwrap())
            .collect();
        let event = IMandatesEvents::decode_raw_log(&topics, &bytes(&log, "data")).unwrap();
        let written = event.to_log_data();
        assert_eq!((written.topics(), written.data.to_vec()), (topics.as_slice(), bytes(&log, "data")));
        kinds.insert(text(&log, "event").to_owned());
    }
    // All but the change of a domain that never changes.
    assert_eq!(kinds.len() + 1, IMandatesEvents::COUNT);
}

#[test]
fn every_refusal_says_why() {
    let refusals: Vec<(Reason, U256, U256)> = story()
        .iter()
        .filter(|row| row["succeeds"] == false)
        .map(|row| {
            let refused = IMandates::Refused::abi_decode_validate(&bytes(row, "returns")).unwrap();
            assert_eq!(refused.abi_encode(), bytes(row, "returns"));
            (refused.reason, refused.got, refused.limit)
        })
        .collect();
    let id = U256::from_be_bytes(parsed::<B256>(&list("mandates")[0], "id").0);
    let early = list("calls").into_iter().find(|row| text(row, "call") == "applyAmendment").unwrap();
    let now = U256::from(early["at"].as_u64().unwrap());
    assert_eq!(
        refusals,
        [
            (Reason::MandateExists, id, U256::ZERO),
            (Reason::RequestUsed, U256::from(State::Escrowed as u8), U256::ZERO),
            (Reason::AmendmentEarly, now, now + U256::ONE),
        ]
    );
}

macro_rules! reads_and_writes_the_same {
    ($($call:ident $name:literal,)*) => {{
        let names = [$($name),*];
        $(for row in story().iter().filter(|row| row["succeeds"] == true && text(row, "call") == $name) {
            let returned = IMandates::$call::abi_decode_returns_validate(&bytes(row, "returns")).unwrap();
            assert_eq!(IMandates::$call::abi_encode_returns(&returned), bytes(row, "returns"), "{}", $name);
        })*
        names
    }};
}

#[test]
fn every_answer_reads_and_writes_the_same() {
    let names = reads_and_writes_the_same! {
        createCall "create", authorizeCall "authorize", authorizeBatchCall "authorizeBatch",
        previewCall "preview", mandateOfCall "mandateOf", vaultOfCall "vaultOf",
        fundingNonceCall "fundingNonce", mandateCall "mandate", entryCall "entry",
        pendingAmendmentCall "pendingAmendment", ceilingCall "ceiling", creditCall "credit",
        paymentOfCall "paymentOf", paymentCall "payment", eip712DomainCall "eip712Domain",
    };
    for row in story().iter().filter(|row| row["succeeds"] == true && text(row, "returns") != "0x") {
        assert!(names.contains(&text(row, "call")), "{} returns something", text(row, "call"));
    }
}

#[test]
fn what_is_read_from_the_contract() {
    let batch = returned::<IMandates::authorizeBatchCall>("authorizeBatch");
    assert_eq!(batch, [Reason::None, Reason::EntryPaymentCap]);
    let preview = returned::<IMandates::previewCall>("preview");
    assert_eq!((preview.reason, preview.needsApproval), (Reason::None, true));
    assert_eq!(preview.remaining.available, U256::from(440_000_000));
    let view = returned::<IMandates::mandateCall>("mandate");
    assert_eq!((view.status, view.policyVersion, view.spent.dayCount), (Status::Active, 3, 6));
    assert_eq!(view.balance, U96::from(345_000_000));
    let payment = returned::<IMandates::paymentCall>("payment");
    assert_eq!((payment.state, payment.hasEvidence), (State::Escrowed, false));
}
