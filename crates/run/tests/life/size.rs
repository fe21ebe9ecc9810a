//! What a run costs, however long it lasts and whatever it is told: its state is written whole with each command.

use primitives::{Millis, UnixMillis};
use run::{
    BrowserResult, Candidate, Cart, Cents, Claim, Command, Creation, Found, Intent, Item, Line,
    OrderEvidence, Payment, Rails, limits,
};

use crate::answers::*;
use crate::cast::*;
use crate::purchase::*;
use crate::script::{command, walk};
use crate::witness::STATE_BYTES;

fn bytes(life: &Life) -> usize {
    serde_json::to_string(&life.state).unwrap().len()
}

/// Lets a life hear these in turn, `count` times. No journal is kept. Answers how many events there were.
fn repeats(path: &str, phrases: &[&str], count: usize) -> usize {
    let (mut life, mut now) = walk(path);
    let mut events = 0;
    for turn in 0..count {
        let words: Vec<&str> = phrases[turn % phrases.len()].split_whitespace().collect();
        let asked = command(&life, &words, now).unwrap();
        // Refused or not: what counts is what is kept of it.
        events += life.hears(asked, now).map_or(0, |heard| heard.events.len());
        life.journal.clear();
        life.granted.clear();
        let old = life.owed.len().saturating_sub(8);
        life.owed.drain(..old);
        now = now.plus(Millis(20));
        assert!(
            turn % 500 > 0 || bytes(&life) < STATE_BYTES / 4,
            "{} bytes after {turn} turns",
            bytes(&life)
        );
    }
    events
}

const PIX: &str = "create; market A:1003 B:1049; quote 1000; quote 1000; pix 1000";

/// R12: a loop of one party does not fill the state, nor what it writes without any effect the journal.
#[test]
fn no_loop_makes_a_run_larger() {
    let asked = format!("{PIX}; wallet W; funds full");
    let authorized = format!("{asked}; confirm");
    let loops: [(&str, &[&str], usize); 9] = [
        ("create; market A:1003", &["wallet V", "wallet W"], 10_000),
        ("create; market A:1003", &["wallet W", "wallet off"], 2_000),
        ("create; market A:1003 B:1049", &["rebind F", "rebind E"], 2_000),
        ("create; market A:1003 B:1049", &["confirm amount:1", "confirm amount:2"], 2_000),
        ("create; market A:1003 B:1049", &["quote 1000 for:cmd_99", "order no", "pix 1000"], 2_000),
        (PIX, &["wallet W", "funds short", "wallet W", "funds public"], 2_000),
        (&asked, &["wallet V", "wallet W", "quote 1000", "pix 1000", "funds full"], 2_000),
        (&asked, &["confirm amount:1", "confirm digest:x", "pay S elsewhere", "lost by:F"], 2_000),
        (&authorized, &["wallet V", "wallet off", "confirm amount:1"], 2_000),
    ];
    let most = loops.map(|(path, phrases, count)| repeats(path, phrases, count));
    assert!(most[0] >= 10_000, "{} events are no long run", most[0]);
    for place in [2, 3, 4, 6, 7, 8] {
        assert!(most[place] <= 250, "{} events of {:?}", most[place], loops[place].1);
    }
}

/// Text of so many bytes that is written with an escape for each, which is the longest that JSON makes of it.
fn long(bytes: usize, first: char) -> String {
    format!("{first}{}", "\"".repeat(bytes - 1))
}

fn longest_candidate(letter: char, now: UnixMillis) -> Candidate {
    let name = || long(limits::NAME_BYTES, letter);
    Candidate {
        candidate_id: name(),
        observation_id: name(),
        source: name(),
        merchant: name(),
        observed_total: Cents(BUDGET),
        observed_at: now,
    }
}

/// A life in which every text is as long as it may be, or as long as is taken.
#[test]
fn the_longest_run_fits() {
    let created = Creation {
        intent: Intent {
            requirement: format!("{}{}", "cola ", "\"".repeat(limits::REQUIREMENT_BYTES - 5)),
            quantity: 20,
            max_total: Cents(BUDGET),
        },
        mandate: Some(mandate()),
        user: Some(long(limits::USER_BYTES, 'u')),
        rails: Rails::Simulated { wallet: false },
        ..creation()
    };
    let mut life = Life::of([create(created)]);
    let now = START;
    let candidates: Vec<Candidate> =
        ('a'..='z').chain('A'..='Z').map(|letter| longest_candidate(letter, now)).collect();
    let source = long(limits::NAME_BYTES, 's');
    let found_all = Command::Market { attempt: 1, found: Found::Candidates { source, candidates } };
    life.hears(found_all, now).unwrap();
    for reason in 0..9 {
        let reason = long(limits::REASON_BYTES, char::from(b'a' + reason));
        life.hears(browser(&life, BrowserResult::Unavailable { reason }), now).unwrap();
    }
    let merchant = shown(&life).selected.unwrap().merchant;
    let item = Item {
        product: format!("cola {}", "\"".repeat(25)),
        quantity: 1,
        unit_price: Cents(50),
        total: Cents(50),
    };
    let line = Line { name: "\"".repeat(30), amount: Cents(1) };
    let (items, lines) = (vec![item; limits::ITEMS], vec![line; limits::LINES]);
    let cart = Cart { merchant, items, fees: lines.clone(), discounts: lines, ..cart("A", 1_000) };
    let quoted = |life: &Life| cart_read(life, cart.clone(), now);
    for _ in 0..2 {
        let heard = life.hears(quoted(&life), now).unwrap();
        assert!(heard.events.len() > 1, "{heard:?}");
    }
    life.hears(browser(&life, BrowserResult::Pix(target(1_000))), now).unwrap();
    let address = long(limits::ADDRESS_BYTES, 'w');
    life.hears(Command::Wallet(wallet(&address, Some(u128::MAX), now)), now).unwrap();
    life.hears(funds(&life, Purse::Full, now), now).unwrap();
    for turn in 0..100 {
        let signature = long(limits::SIGNATURE_BYTES, char::from(b'A' + turn % 50));
        let payment = Payment { signature, last_valid_block_height: Some(u64::MAX) };
        let _ = life.hears(Command::Pay { payment, claim: Claim::Elsewhere }, now);
    }
    life.hears(budget(&life, needs_approval()), now).unwrap();
    life.hears(confirm(&life, Some(OWNER)), now).unwrap();
    life.hears(budget(&life, run::BudgetAnswer::Held), now).unwrap();
    life.hears(pay(&long(limits::SIGNATURE_BYTES, 'z')), now).unwrap();
    life.hears(settlement(&life, verified(&life)), now).unwrap();
    let evidence = OrderEvidence { confirmed: true, evidence: long(limits::EVIDENCE_BYTES, 'e') };
    life.hears(browser(&life, BrowserResult::Order(evidence)), now).unwrap();
    assert_eq!(shown(&life).state, run::RunState::OrderConfirmed);
    let most =
        life.journal.iter().map(|(before, _)| serde_json::to_string(before).unwrap().len()).max().unwrap();
    assert!(most.max(bytes(&life)) < STATE_BYTES, "{most} bytes");
    assert!(most > 20_000, "{most} bytes are not long");
}
