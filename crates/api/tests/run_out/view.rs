//! A run as it stands.

use api::outbound::run::{command, next_action, run};
use api::wire::Run;
use run::{Actor, Assessment, Basis, Consenter, Evidence, NextAction, Rails, RunState, Task, View};
use serde_json::{Value, json};

use crate::cast::*;

fn shown(view: &View) -> Value {
    json!(run(view))
}

#[test]
fn a_run_that_has_everything() {
    let mandate = mandate();
    let quote = json!({
        "cart": {
            "merchantName": "Mercado Azul",
            "items": [{ "product": "Coca-Cola 2L", "quantity": 2, "unitPriceCents": "899", "totalCents": "1798" }],
            "fees": [{ "name": "delivery", "amountCents": "500" }],
            "discounts": [{ "name": "coupon", "amountCents": "100" }],
            "totalCents": "2198",
            "etaMinutes": 35,
        },
        "capturedAt": "2027-01-01T00:00:02.000Z",
        "executorId": executor(),
        "pageRef": "ifood/cart",
    });
    let candidate = json!({
        "candidateId": "offer 1",
        "observationId": "obs_1",
        "source": "ifood",
        "merchantName": "Mercado Azul",
        "observedTotalCents": "2200",
        "observedAt": "2027-01-01T00:00:01.000Z",
    });
    let expected = json!({
        "id": id(),
        "userId": "customer 7",
        "executorId": executor(),
        "executionMode": "simulated",
        "settlement": { "kind": "chain", "network": "eip155:84532" },
        "state": "USER_CONFIRMATION",
        "isTerminal": false,
        "intent": { "requirement": "coca-cola 2l", "quantity": 2, "maxBudgetCents": "2500" },
        "candidates": [candidate],
        "rejectedCandidates": [{ "candidateId": "offer 0", "reasons": ["drift_too_high"] }],
        "selectedCandidate": candidate,
        "validatedQuote": quote,
        "checkout": {
            "quote": quote,
            "pix": {
                "amountCents": "2198",
                "evidence": "pix-code",
                "expiresAt": "2027-01-01T00:15:00.000Z",
                "payloadDigest": target().payload_digest,
            },
        },
        "payment": {
            "wallet": { "address": WALLET, "shieldedUsdc": "5000000", "checkedAt": "2027-01-01T00:00:03.000Z" },
            "balances": { "publicUsdc": "7000000", "shieldedUsdc": "5000000" },
            "requirement": {
                "gross": "4123456",
                "asset": requirement().asset,
                "payTo": requirement().pay_to,
                "reference": "ref-1",
                "recipient": requirement().recipient,
                "expiresAt": "2027-01-01T00:15:00.000Z",
                "simulated": true,
            },
            "assessment": { "status": "shield_required", "missing": "123456" },
            "confirmation": {
                "number": 1,
                "amountCents": "2198",
                "gross": "4123456",
                "wallet": WALLET,
                "digest": confirmation().digest,
                "by": "mandate_owner",
                "expiresAt": "2027-01-01T00:10:02.000Z",
            },
            "budget": {
                "reservation": budget().reservation,
                "number": 1,
                "amount": "4123456",
                "recipient": budget().recipient,
                "until": "2027-01-10T00:00:00.000Z",
                "approved": true,
                "state": "held",
            },
            "authorization": {
                "amountCents": "2198",
                "gross": "4123456",
                "wallet": WALLET,
                "basis": {
                    "kind": "mandate",
                    "mandateId": mandate.mandate,
                    "reservation": budget().reservation,
                    "confirmation": confirmation().digest,
                },
                "at": "2027-01-01T00:00:10.000Z",
                "submitBy": "2027-01-01T00:10:00.000Z",
            },
            "signature": SIGNATURE,
            "settlement": "block 9",
        },
        "order": { "confirmed": true, "evidence": "Pedido 4711" },
        "pendingCommand": {
            "type": "REVALIDATE_CANDIDATE",
            "commandId": "cmd_5",
            "runId": id(),
            "executorId": executor(),
            "expiresAt": "2027-01-01T00:10:00.000Z",
            "protocolVersion": "1",
            "candidate": {
                "candidateId": "offer 1",
                "source": "ifood",
                "merchantName": "Mercado Azul",
                "requirement": "coca-cola 2l",
                "quantity": 2,
                "observedTotalCents": "2200",
            },
        },
        "mandate": { "mandate": mandate.mandate, "owner": mandate.owner, "agent": mandate.agent },
        "failure": { "code": "run_expired", "reason": "A day is over." },
        "createdAt": "2027-01-01T00:00:00.000Z",
        "updatedAt": "2027-01-01T00:00:11.000Z",
        "version": 42,
    });
    assert_eq!(shown(&view()), expected);
    let read: Run = serde_json::from_value(expected.clone()).unwrap();
    assert_eq!(json!(read), expected);
}

/// A run that has only begun says of everything else that it is not there.
#[test]
fn what_is_not_there_is_null() {
    let View { run, executor, mode, intent, .. } = view();
    let begun = View {
        run,
        executor,
        mode,
        intent,
        user: None,
        rails: Rails::Simulated { wallet: true },
        mandate: None,
        state: RunState::IntentCaptured,
        candidates: Vec::new(),
        rejected: Vec::new(),
        selected: None,
        validated_quote: None,
        checkout: None,
        pix: None,
        wallet: None,
        balances: None,
        requirement: None,
        assessment: None,
        confirmation: None,
        budget: None,
        authorization: None,
        payment: None,
        settlement: None,
        order: None,
        pending: None,
        ending: None,
        ..view()
    };
    let shown = shown(&begun);
    for field in [
        "userId",
        "selectedCandidate",
        "validatedQuote",
        "checkout",
        "payment",
        "order",
        "pendingCommand",
        "mandate",
        "failure",
    ] {
        assert_eq!(shown.get(field), Some(&Value::Null), "{field}");
    }
    assert_eq!(shown["settlement"], json!({ "kind": "simulated", "wallet": true }));
    assert_eq!((&shown["candidates"], &shown["rejectedCandidates"]), (&json!([]), &json!([])));
}

#[test]
fn a_checkout_without_its_target_is_shown() {
    let shown = shown(&View { pix: None, ..view() });
    assert_eq!(shown["checkout"]["pix"], Value::Null);
    assert_eq!(shown["checkout"]["quote"]["cart"]["totalCents"], "2198");
}

#[test]
fn every_state_has_its_published_name_and_says_whether_it_stays() {
    use RunState as S;
    let states = [
        S::IntentCaptured,
        S::CandidatesNormalized,
        S::BestOptionSelected,
        S::RevalidationRequested,
        S::Revalidating,
        S::QuoteValidated,
        S::CheckoutPrepared,
        S::PixDetected,
        S::WalletRequired,
        S::WalletConnected,
        S::FundsChecked,
        S::ShieldRequired,
        S::PaymentReady,
        S::UserConfirmation,
        S::PaymentAuthorized,
        S::Settling,
        S::Settled,
        S::OrderConfirmed,
        S::NoValidOption,
        S::Cancelled,
        S::SettlementFailed,
        S::Failed,
        S::SettlementUnknown,
        S::OrderUnknown,
    ];
    for state in states {
        let shown = shown(&View { state, ..view() });
        assert_eq!(shown["state"], json!(state), "the name of the journal");
        assert_eq!(shown["isTerminal"], json!(state.is_terminal()));
    }
    let over = states.iter().filter(|state| state.is_terminal()).count();
    assert_eq!((states.len(), over), (24, 7));
}

#[test]
fn words_of_money_are_those_that_are_published() {
    let of = |view: View, pointer: &str| shown(&view).pointer(pointer).cloned().unwrap();
    let ready = View { assessment: Some(Assessment::Ready), ..view() };
    assert_eq!(of(ready, "/payment/assessment"), json!({ "status": "ready" }));
    let lacking =
        View { assessment: Some(Assessment::Insufficient { missing: primitives::BaseUnits(9) }), ..view() };
    assert_eq!(of(lacking, "/payment/assessment"), json!({ "status": "insufficient", "missing": "9" }));
    let mut owner = view();
    owner.confirmation.as_mut().unwrap().by = Consenter::RunOwner;
    assert_eq!(of(owner, "/payment/confirmation/by"), "run_owner");
    let mut confirmed = view();
    let digest = confirmation().digest;
    confirmed.authorization.as_mut().unwrap().basis = Basis::UserConfirmation { digest };
    let basis = json!({ "kind": "user-confirmation", "digest": digest });
    assert_eq!(of(confirmed, "/payment/authorization/basis"), basis);
    let mut selected = view();
    selected.pix.as_mut().unwrap().evidence = Evidence::PixSelected;
    assert_eq!(of(selected, "/checkout/pix/evidence"), "pix-selected");
    use run::BudgetState as B;
    for (state, word) in [
        (B::Requested, "requested"),
        (B::Held, "held"),
        (B::Committed, "committed"),
        (B::Released, "released"),
    ] {
        let mut view = view();
        view.budget.as_mut().unwrap().state = state;
        assert_eq!(of(view, "/payment/budget/state"), word);
    }
}

#[test]
fn a_command_says_what_its_task_needs_and_no_more() {
    for (task, fields) in [
        (Task::PrepareCheckout, json!({ "type": "PREPARE_CHECKOUT" })),
        (Task::ReadCheckout, json!({ "type": "READ_CHECKOUT" })),
        (
            Task::ReadPix { expected: run::Cents(2_198) },
            json!({ "type": "READ_PIX", "expectedAmountCents": "2198" }),
        ),
        (Task::VerifyOrder, json!({ "type": "VERIFY_ORDER" })),
    ] {
        let name = task.name();
        let shown = json!(command(&id(), &crate::cast::command(task)));
        let mut expected = json!({
            "commandId": "cmd_5",
            "runId": id(),
            "executorId": executor(),
            "expiresAt": "2027-01-01T00:10:00.000Z",
            "protocolVersion": "1",
        });
        expected.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        assert_eq!(shown, expected);
        assert_eq!(shown["type"], name);
    }
}

#[test]
fn whose_turn_it_is() {
    let next = |actor| NextAction { actor, action: "pay", message: "Pay.".to_owned(), until: Some(at(600)) };
    for (actor, word) in [
        (Actor::User, "user"),
        (Actor::Agent, "agent"),
        (Actor::Browser, "browser"),
        (Actor::Wallet, "wallet"),
        (Actor::Chain, "chain"),
        (Actor::System, "system"),
    ] {
        let shown = json!(next_action(&next(actor)));
        let expected =
            json!({ "actor": word, "action": "pay", "message": "Pay.", "until": "2027-01-01T00:10:00.000Z" });
        assert_eq!(shown, expected);
    }
    let open = NextAction { until: None, ..next(Actor::User) };
    assert_eq!(json!(next_action(&open))["until"], Value::Null);
}
