//! The same buyer, shops, wallet and off-ramp in every test.

use primitives::{BaseUnits, Digest, ExecutorId, RunId, UnixMillis};
pub(crate) use rehearsal::START;
use run::{
    Candidate, Cart, Cents, Creation, Evidence, Intent, Item, Line, Mandate, Mode, OrderEvidence, Payment,
    PixTarget, Rails, Requirement, WalletReport,
};

/// The most that the purchase of every test may cost, in cents.
pub(crate) const BUDGET: u64 = 5_000;
/// What every wallet has publicly, in base units: enough for anything that is bought here.
pub(crate) const PUBLIC: u128 = 1_000_000_000;

pub(crate) const OWNER: &str = "0x0101010101010101010101010101010101010101";
pub(crate) const AGENT: &str = "0x0202020202020202020202020202020202020202";
/// Whom the off-ramp names as the one who is paid, under a mandate.
pub(crate) const DESK: &str = "0x0404040404040404040404040404040404040404";

pub(crate) fn digest(word: &str) -> Digest {
    Digest::of(&[word.as_bytes()])
}

/// The executor that tests call by a word; `E` is the one that the run is made with.
pub(crate) fn executor(word: &str) -> ExecutorId {
    ExecutorId::derive(&[b"executor ", word.as_bytes()])
}

pub(crate) fn run_id() -> RunId {
    RunId::derive(&[b"the run of the tests"])
}

pub(crate) fn intent() -> Intent {
    Intent { requirement: "coca-cola 2l".to_owned(), quantity: 2, max_total: Cents(BUDGET) }
}

pub(crate) fn creation() -> Creation {
    Creation {
        run: run_id(),
        intent: intent(),
        executor: executor("E"),
        mode: Mode::Simulated,
        rails: Rails::Simulated { wallet: false },
        mandate: None,
        user: Some("user 7".to_owned()),
        token: digest("token 1"),
    }
}

pub(crate) fn mandate() -> Mandate {
    Mandate { mandate: format!("0x{}", "13".repeat(32)), owner: OWNER.to_owned(), agent: AGENT.to_owned() }
}

/// What the market shows of the shop that tests call by a word.
pub(crate) fn candidate(word: &str, observed: u64, observed_at: UnixMillis) -> Candidate {
    Candidate {
        candidate_id: word.to_owned(),
        observation_id: format!("observation of {word}"),
        source: "ifood".to_owned(),
        merchant: shop(word),
        observed_total: Cents(observed),
        observed_at,
    }
}

pub(crate) fn shop(word: &str) -> String {
    format!("Shop {word}")
}

/// Two bottles, delivered for 300 less a coupon of 100, that cost `total` in all, which has to be even and above 200.
pub(crate) fn cart(word: &str, total: u64) -> Cart {
    let unit = (total - 200) / 2;
    let item = Item {
        product: "Refrigerante Coca-Cola Zero 2L".to_owned(),
        quantity: 2,
        unit_price: Cents(unit),
        total: Cents(2 * unit),
    };
    let line = |name: &str, amount| Line { name: name.to_owned(), amount: Cents(amount) };
    Cart {
        merchant: shop(word),
        items: vec![item],
        fees: vec![line("delivery", 300)],
        discounts: vec![line("coupon", 100)],
        total: Cents(total),
        eta_minutes: Some(35),
    }
}

/// A target whose code is shown, without an end of its own.
pub(crate) fn target(amount: u64) -> PixTarget {
    PixTarget {
        amount: Cents(amount),
        evidence: Evidence::PixCode,
        expires_at: None,
        payload_digest: Some(digest("the code")),
    }
}

pub(crate) fn order(confirmed: bool) -> OrderEvidence {
    OrderEvidence { confirmed, evidence: "order 4711".to_owned() }
}

/// What the off-ramp wants for an amount: 2,000 base units for a cent, and 7 for itself.
pub(crate) fn gross(amount: Cents) -> BaseUnits {
    BaseUnits(u128::from(amount.0) * 2_000 + 7)
}

/// What the off-ramp asks for, and holds to until `expires_at`.
pub(crate) fn requirement(amount: Cents, expires_at: UnixMillis) -> Requirement {
    Requirement {
        gross: gross(amount),
        asset: "simulated/usdc".to_owned(),
        pay_to: "desk-1".to_owned(),
        reference: None,
        recipient: DESK.to_owned(),
        expires_at,
        simulated: true,
    }
}

/// A wallet that says it can spend so much privately.
pub(crate) fn wallet(address: &str, shielded: Option<u128>, checked_at: UnixMillis) -> WalletReport {
    WalletReport { address: Some(address.to_owned()), shielded: shielded.map(BaseUnits), checked_at }
}

pub(crate) const fn no_wallet(checked_at: UnixMillis) -> WalletReport {
    WalletReport { address: None, shielded: None, checked_at }
}

pub(crate) fn payment(signature: &str) -> Payment {
    Payment { signature: signature.to_owned(), last_valid_block_height: None }
}
