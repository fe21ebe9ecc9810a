//! A run that has everything, with what is easy to find in a text.

use primitives::{BaseUnits, Digest, ExecutorId, Millis, RunId, UnixMillis};
use run::{
    Assessment, Authorization, Balances, Basis, BrowserCommand, Budget, BudgetState, Candidate, Cart, Cents,
    Confirmation, Consenter, Creation, Ending, Evidence, Intent, Item, Line, Mandate, Mode, OrderEvidence,
    Payment, PixTarget, Quote, Rails, RejectedCandidate, Requirement, RunState, Task, View, WalletReport,
};

/// 2027-01-01T00:00:00Z.
pub(crate) const START: UnixMillis = UnixMillis(1_798_761_600_000);
pub(crate) const WALLET: &str = "0x1111111111111111111111111111111111111111";
pub(crate) const SIGNATURE: &str = "0x2222222222222222222222222222222222222222222222222222222222222222";

/// So many seconds after the start.
pub(crate) fn at(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

pub(crate) fn id() -> RunId {
    RunId::derive(&[b"a run"])
}

pub(crate) fn executor() -> ExecutorId {
    ExecutorId::derive(&[b"an executor"])
}

/// The digest of the run's token.
pub(crate) fn token() -> Digest {
    Digest::of(&[b"the token of the run"])
}

pub(crate) fn intent() -> Intent {
    Intent { requirement: "coca-cola 2l".to_owned(), quantity: 2, max_total: Cents(2_500) }
}

pub(crate) fn mandate() -> Mandate {
    Mandate {
        mandate: format!("0x{}", "5a".repeat(32)),
        owner: format!("0x{}", "33".repeat(20)),
        agent: format!("0x{}", "44".repeat(20)),
    }
}

pub(crate) fn creation() -> Creation {
    Creation {
        run: id(),
        intent: intent(),
        executor: executor(),
        mode: Mode::Simulated,
        rails: Rails::Chain { network: "eip155:84532".to_owned() },
        mandate: Some(mandate()),
        user: Some("customer 7".to_owned()),
        token: token(),
    }
}

pub(crate) fn candidate() -> Candidate {
    Candidate {
        candidate_id: "offer 1".to_owned(),
        observation_id: "obs_1".to_owned(),
        source: "ifood".to_owned(),
        merchant: "Mercado Azul".to_owned(),
        observed_total: Cents(2_200),
        observed_at: at(1),
    }
}

pub(crate) fn rejected() -> RejectedCandidate {
    RejectedCandidate { candidate_id: "offer 0".to_owned(), reasons: vec!["drift_too_high".to_owned()] }
}

pub(crate) fn quote() -> Quote {
    let line = |name: &str, amount| Line { name: name.to_owned(), amount: Cents(amount) };
    Quote {
        cart: Cart {
            merchant: "Mercado Azul".to_owned(),
            items: vec![Item {
                product: "Coca-Cola 2L".to_owned(),
                quantity: 2,
                unit_price: Cents(899),
                total: Cents(1_798),
            }],
            fees: vec![line("delivery", 500)],
            discounts: vec![line("coupon", 100)],
            total: Cents(2_198),
            eta_minutes: Some(35),
        },
        captured_at: at(2),
        executor: executor(),
        page: "ifood/cart".to_owned(),
    }
}

pub(crate) fn target() -> PixTarget {
    PixTarget {
        amount: Cents(2_198),
        evidence: Evidence::PixCode,
        expires_at: Some(at(900)),
        payload_digest: Some(Digest::of(&[b"a code"])),
    }
}

pub(crate) fn command(task: Task) -> BrowserCommand {
    BrowserCommand { command_id: "cmd_5".to_owned(), executor: executor(), task, until: at(600) }
}

pub(crate) fn revalidation() -> BrowserCommand {
    command(Task::RevalidateCandidate {
        candidate: candidate(),
        requirement: "coca-cola 2l".to_owned(),
        quantity: 2,
    })
}

pub(crate) fn wallet() -> WalletReport {
    WalletReport { address: Some(WALLET.to_owned()), shielded: Some(BaseUnits(5_000_000)), checked_at: at(3) }
}

pub(crate) fn balances() -> Balances {
    Balances { public: Some(BaseUnits(7_000_000)), shielded: Some(BaseUnits(5_000_000)) }
}

pub(crate) fn requirement() -> Requirement {
    Requirement {
        gross: BaseUnits(4_123_456),
        asset: "eip155:84532/0x036CbD53842c5426634e7929541eC2318f3dCF7e".to_owned(),
        pay_to: format!("0x{}", "77".repeat(20)),
        reference: Some("ref-1".to_owned()),
        recipient: format!("0x{}", "88".repeat(20)),
        expires_at: at(900),
        simulated: true,
    }
}

pub(crate) fn confirmation() -> Confirmation {
    Confirmation {
        number: 1,
        amount: Cents(2_198),
        gross: BaseUnits(4_123_456),
        wallet: WALLET.to_owned(),
        digest: Digest::of(&[b"what is agreed to"]),
        by: Consenter::MandateOwner,
        expires_at: at(602),
    }
}

pub(crate) fn budget() -> Budget {
    Budget {
        reservation: Digest::of(&[b"a hold"]),
        number: 1,
        amount: BaseUnits(4_123_456),
        recipient: format!("0x{}", "88".repeat(20)),
        until: at(777_600),
        approved: true,
        state: BudgetState::Held,
    }
}

pub(crate) fn authorization() -> Authorization {
    Authorization {
        amount: Cents(2_198),
        gross: BaseUnits(4_123_456),
        wallet: WALLET.to_owned(),
        basis: Basis::Mandate {
            mandate: mandate().mandate,
            reservation: budget().reservation,
            confirmation: Some(confirmation().digest),
        },
        at: at(10),
        submit_by: at(600),
    }
}

pub(crate) fn payment() -> Payment {
    Payment { signature: SIGNATURE.to_owned(), last_valid_block_height: Some(250_000_000) }
}

pub(crate) fn order() -> OrderEvidence {
    OrderEvidence { confirmed: true, evidence: "Pedido 4711".to_owned() }
}

/// A run with something at every place, as none is at any moment.
pub(crate) fn view() -> View {
    let Creation { run, intent, executor, mode, rails, mandate, user, token: _ } = creation();
    View {
        run,
        user,
        executor,
        mode,
        rails,
        mandate,
        state: RunState::UserConfirmation,
        intent,
        candidates: vec![candidate()],
        rejected: vec![rejected()],
        selected: Some(candidate()),
        validated_quote: Some(quote()),
        checkout: Some(quote()),
        pix: Some(target()),
        wallet: Some(wallet()),
        balances: Some(balances()),
        requirement: Some(requirement()),
        assessment: Some(Assessment::ShieldRequired { missing: BaseUnits(123_456) }),
        confirmation: Some(confirmation()),
        budget: Some(budget()),
        authorization: Some(authorization()),
        payment: Some(payment()),
        settlement: Some("block 9".to_owned()),
        order: Some(order()),
        pending: Some(revalidation()),
        ending: Some(Ending { code: "run_expired".to_owned(), reason: "A day is over.".to_owned() }),
        created_at: START,
        updated_at: at(11),
        version: 42,
    }
}
