//! Every fact, with something at every place.

use primitives::{BaseUnits, Digest};
use run::{Assessment, Cents, Fact, Refusal, Signal, Task, WalletReport};

use crate::cast::*;

/// Of the journal's version 1, in the order of the crate `run`.
pub(crate) fn facts() -> Vec<Fact> {
    let (reason, again_at) = (|| "It was late.".to_owned(), at(20));
    let reservation = budget().reservation;
    let [search, funds, trace] = [1, 2, 3];
    let shops = vec![
        Fact::IntentCreated(Box::new(creation())),
        Fact::TokenReissued { token: token() },
        Fact::TokenUsed,
        Fact::MarketSearchStarted { attempt: search },
        Fact::MarketSearchFailed { attempt: search, reason: reason(), again_at: Some(again_at) },
        Fact::MarketSearched {
            source: "synthetic".to_owned(),
            candidates: vec![candidate()],
            rejected: vec![rejected()],
        },
        Fact::CandidateSelected { candidate_id: "offer 1".to_owned() },
        Fact::RevalidationRequested { command: revalidation() },
        Fact::RevalidationStarted { command_id: "cmd_5".to_owned() },
        Fact::CommandStarted { command_id: "cmd_5".to_owned() },
        Fact::BrowserNeedsUser { command_id: "cmd_5".to_owned(), reason: reason(), until: at(30) },
        Fact::CommandFailed { command_id: "cmd_5".to_owned(), reason: reason(), attempt: 1 },
        Fact::CommandTimedOut { command_id: "cmd_5".to_owned(), attempt: 2 },
        Fact::ExecutorOffline { executor: executor() },
        Fact::ExecutorBound { executor: executor() },
        Fact::QuoteValidated { quote: quote() },
        Fact::CandidateRejected {
            candidate_id: "offer 1".to_owned(),
            reasons: vec!["drift_too_high".to_owned()],
        },
        Fact::CheckoutRequested { command: command(Task::PrepareCheckout) },
        Fact::CheckoutReady { quote: quote() },
        Fact::CheckoutInvalidated { reason: "quote_stale".to_owned() },
        Fact::PixRequested { command: command(Task::ReadPix { expected: Cents(2_198) }) },
        Fact::PixDetected { target: target() },
    ];
    let wallets = vec![
        Fact::WalletRequired,
        Fact::WalletConnected { report: wallet() },
        Fact::WalletDisconnected {
            report: WalletReport { address: None, shielded: None, checked_at: at(4) },
        },
        Fact::WalletIgnored { address: Some(WALLET.to_owned()) },
        Fact::FundsCheckStarted { number: funds, wallet: WALLET.to_owned(), amount: Cents(2_198) },
        Fact::FundsCheckFailed { number: funds, reason: reason(), again_at: None },
        Fact::FundsChecked {
            number: funds,
            balances: balances(),
            requirement: requirement(),
            assessment: Assessment::Insufficient { missing: BaseUnits(9) },
        },
        Fact::ShieldRequired { missing: BaseUnits(123_456) },
        Fact::PaymentReady,
    ];
    let consent = vec![
        Fact::ConfirmationRequested { confirmation: confirmation() },
        Fact::SignalHeld {
            signal: Signal::Confirm {
                digest: confirmation().digest,
                amount: Cents(2_198),
                signer: Some(mandate().owner),
            },
        },
        Fact::SignalHeld { signal: Signal::Pay { payment: payment() } },
        Fact::SignalRefused { signal: "confirm".to_owned(), refusal: Refusal::ConfirmationMismatch },
        Fact::UserConfirmed {
            digest: confirmation().digest,
            amount: Cents(2_198),
            signer: Some(mandate().owner),
        },
        Fact::UserRejected,
        Fact::BudgetRequested { budget: budget() },
        Fact::BudgetHeld { reservation },
        Fact::BudgetNeedsApproval { reservation, reason: reason() },
        Fact::BudgetRefused { reservation, code: "day_cap".to_owned(), reason: reason() },
        Fact::BudgetReturned { reservation },
        Fact::BudgetLapsed { reservation: Digest::of(&[b"another hold"]) },
    ];
    let paying = vec![
        Fact::PaymentAuthorized { authorization: authorization() },
        Fact::PaymentSubmitted { payment: payment() },
        Fact::PaymentWindowClosed,
        Fact::PaymentTraceStarted { attempt: trace },
        Fact::PaymentTraceFailed { attempt: trace, reason: reason(), again_at },
        Fact::PaymentFound { payment: payment() },
        Fact::PaymentAbsent,
        Fact::SettlementLookStarted { attempt: 1 },
        Fact::SettlementUnresolved { attempt: 1, reason: reason(), again_at },
        Fact::SettlementVerified {
            signature: SIGNATURE.to_owned(),
            reference: "block 9".to_owned(),
            received: BaseUnits(4_123_456),
        },
        Fact::SettlementFailed {
            signature: SIGNATURE.to_owned(),
            code: "reverted".to_owned(),
            reason: reason(),
        },
        Fact::SettlementAbandoned,
        Fact::OrderRequested { command: command(Task::VerifyOrder) },
        Fact::OrderPending { evidence: "Not yet.".to_owned(), again_at },
        Fact::OrderConfirmed { evidence: order() },
        Fact::OrderAbandoned { evidence: "Not yet.".to_owned() },
        Fact::CancelRequested,
        Fact::Cancelled,
        Fact::CancelLost,
        Fact::NoOptionLeft,
        Fact::RunFailed { code: "run_expired".to_owned(), reason: reason() },
    ];
    [shops, wallets, consent, paying].concat()
}
