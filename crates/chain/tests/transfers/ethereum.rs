//! ERC-20 transfers, by the answers of a real node.

use std::sync::LazyLock;

use chain::rpc::{Answer, Block};
use chain::transfer::{Expected, Finality, verify};
use chain::{Verdict, Window};
use eip712::Address;
use primitives::{BaseUnits, UnixMillis};
use serde_json::{Value, json};

use crate::{fault, with, without, word};

/// What is asked about one transaction.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) receipt: Answer,
    pub(crate) head: Answer,
    pub(crate) block: Answer,
    pub(crate) expected: Expected,
}

impl Seen {
    pub(crate) fn verdict(&self) -> Verdict {
        verify(&self.receipt, &self.head, &self.block, &self.expected)
    }

    fn receipt(&self) -> &Value {
        self.receipt.as_ref().unwrap()
    }
}

static VECTORS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../tests/vectors/transfers.json")).unwrap());

/// What a node answered in one of the recorded stories, with the window that its block just fits in.
pub(crate) fn story(name: &str) -> Seen {
    let address = |name: &str| VECTORS[name].as_str().unwrap().parse::<Address>().unwrap();
    let stories = VECTORS["stories"].as_array().unwrap();
    let story = stories.iter().find(|story| story["name"] == name).unwrap();
    let seconds =
        story["block"]["timestamp"].as_str().map(|text| u64::from_str_radix(&text[2..], 16).unwrap());
    let block_time = UnixMillis(seconds.unwrap_or_default() * 1_000);
    Seen {
        receipt: Ok(story["receipt"].clone()),
        head: Ok(story["finalized"].clone()),
        block: Ok(story["block"].clone()),
        expected: Expected {
            transaction: story["transaction"].as_str().unwrap().parse().unwrap(),
            token: address("token"),
            payer: address("payer"),
            receiver: address("receiver"),
            amount: BaseUnits(VECTORS["amount"].as_str().unwrap().parse().unwrap()),
            window: Window { not_before: block_time, deadline: UnixMillis(block_time.0 + 1) },
            finality: Finality::Finalized,
        },
    }
}

/// C6, C7
#[test]
fn what_a_node_says_has_its_verdict() {
    for (name, verdict) in [
        ("paid just now", "not_final"),
        ("paid one block ago", "not_final"),
        ("paid", "verified"),
        ("paid more", "verified"),
        ("paid less", "amount_too_small"),
        ("paid nothing", "amount_too_small"),
        ("paid to a stranger", "wrong_receiver"),
        ("paid by a stranger", "wrong_payer"),
        ("paid between strangers", "not_transferred"),
        ("reverted", "reverted"),
        ("coins", "not_transferred"),
        ("unknown", "not_found"),
        ("waiting", "not_found"),
    ] {
        assert_eq!(word(story(name).verdict()), verdict, "{name}");
    }
    assert_eq!(VECTORS["stories"].as_array().unwrap().len(), 13);
}

/// C6
#[test]
fn a_verified_transfer_says_where_when_and_how_much() {
    let seen = story("paid more");
    let Verdict::Verified { slot, block_time, received } = seen.verdict() else { panic!() };
    assert_eq!(json!(format!("{slot:#x}")), seen.receipt()["blockNumber"]);
    assert_eq!((block_time, received), (seen.expected.window.not_before, BaseUnits(10_001)));
}

/// C6
#[test]
fn what_is_expected_otherwise_is_another_transfer() {
    let good = story("paid");
    let other = Address::repeat_byte(7);
    let judge = |change: fn(&mut Expected, Address)| {
        let mut seen = good.clone();
        change(&mut seen.expected, other);
        word(seen.verdict())
    };
    assert_eq!(judge(|expected, other| expected.token = other), "wrong_mint");
    assert_eq!(judge(|expected, other| expected.payer = other), "wrong_payer");
    assert_eq!(judge(|expected, other| expected.receiver = other), "wrong_receiver");
    assert_eq!(judge(|expected, _| expected.amount.0 += 1), "amount_too_small");
    assert_eq!(judge(|expected, _| expected.amount.0 -= 1), "verified");
    // The node's answer is then about another transaction.
    assert_eq!(judge(|expected, _| expected.transaction.0[0] ^= 1), "unreadable");
}

/// C6: nothing is paid by moving nothing, even if nothing was to be paid.
#[test]
fn a_transfer_of_nothing_pays_nothing() {
    let mut seen = story("paid nothing");
    seen.expected.amount = BaseUnits(0);
    assert_eq!(word(seen.verdict()), "amount_too_small");
    seen = story("paid");
    seen.expected.amount = BaseUnits(0);
    assert_eq!(word(seen.verdict()), "verified");
}

/// C6
#[test]
fn a_window_begins_a_minute_early_and_ends_before_its_deadline() {
    let mut seen = story("paid");
    let block_time = seen.expected.window.not_before.0;
    for (not_before, deadline, verdict) in [
        (block_time + 60_000, block_time + 60_001, "verified"),
        (block_time + 60_001, block_time + 60_002, "outside_window"),
        (block_time, block_time, "outside_window"),
        (0, u64::MAX, "verified"),
    ] {
        seen.expected.window = Window { not_before: UnixMillis(not_before), deadline: UnixMillis(deadline) };
        assert_eq!(word(seen.verdict()), verdict, "{not_before} {deadline}");
    }
}

/// C7
#[test]
fn a_block_is_final_when_the_node_says_so_or_enough_are_above_it() {
    let mut seen = story("paid");
    // The recorded head is one above the transaction's block.
    for (depth, verdict) in [(0, "verified"), (1, "verified"), (2, "not_final"), (u64::MAX, "not_final")] {
        seen.expected.finality = Finality::Confirmations(depth);
        assert_eq!(word(seen.verdict()), verdict, "{depth}");
    }
    let asked = |finality: Finality| finality.head().question;
    assert_eq!(asked(Finality::Finalized), chain::rpc::block(Block::Finalized).question);
    assert_eq!(asked(Finality::Confirmations(3)), chain::rpc::block(Block::Latest).question);
}

/// C7: a revert in a block that can be taken back may still become a transfer.
#[test]
fn nothing_fails_before_it_is_final() {
    for name in ["reverted", "paid to a stranger", "paid less"] {
        let mut seen = story(name);
        seen.head = Ok(with(seen.head.as_ref().unwrap(), "/number", "0x1"));
        assert_eq!(word(seen.verdict()), "not_final", "{name}");
    }
}

/// C7
#[test]
fn what_a_node_does_not_say_or_says_wrongly_is_unknown() {
    let good = story("paid");
    let head = good.head.clone().unwrap();
    let block = good.block.clone().unwrap();
    let other_hash = json!(format!("0x{}", "11".repeat(32)));
    for (why, seen, verdict) in [
        ("a fault", Seen { receipt: Err(fault()), ..good.clone() }, "node_fault"),
        ("a faulty head", Seen { head: Err(fault()), ..good.clone() }, "node_fault"),
        ("a faulty block", Seen { block: Err(fault()), ..good.clone() }, "node_fault"),
        ("no head", Seen { head: Ok(Value::Null), ..good.clone() }, "not_final"),
        ("no block", Seen { block: Ok(Value::Null), ..good.clone() }, "not_final"),
        ("another block", Seen { block: Ok(head.clone()), ..good.clone() }, "unreadable"),
        (
            "another history",
            Seen { block: Ok(with(&block, "/hash", other_hash)), ..good.clone() },
            "not_final",
        ),
        ("no status", Seen { receipt: Ok(without(good.receipt(), "/status")), ..good.clone() }, "unreadable"),
        ("a text", Seen { receipt: Ok(json!("0x1")), ..good.clone() }, "unreadable"),
        ("nothing", Seen { receipt: Ok(json!({})), ..good.clone() }, "unreadable"),
        ("no time", Seen { block: Ok(without(&block, "/timestamp")), ..good.clone() }, "unreadable"),
    ] {
        assert_eq!(word(seen.verdict()), verdict, "{why}");
    }
}

/// C5, C6
#[test]
fn one_log_is_the_payment_and_others_do_not_count() {
    let good = story("paid");
    let log = good.receipt()["logs"][0].clone();
    let amount = |amount: u64| with(&log, "/data", format!("0x{amount:064x}"));
    let dirty = format!("0x01{}", &log["topics"][1].as_str().unwrap()[4..]);
    let huge = format!("0x{}", "ff".repeat(32));
    let judge =
        |logs: Value| Seen { receipt: Ok(with(good.receipt(), "/logs", logs)), ..good.clone() }.verdict();
    for (why, logs, verdict) in [
        ("two halves", json!([amount(5_000), amount(5_000)]), "amount_too_small"),
        (
            "another token's before",
            json!([with(&log, "/address", good.expected.payer.to_string()), log]),
            "verified",
        ),
        ("taken back", json!([with(&log, "/removed", true)]), "not_transferred"),
        ("a dirty address", json!([with(&log, "/topics/1", dirty)]), "not_transferred"),
        ("another event", json!([with(&log, "/topics/0", log["topics"][1].clone())]), "not_transferred"),
        ("two values", json!([with(&log, "/data", format!("0x{:0128x}", 10_000))]), "not_transferred"),
        (
            "exchanged",
            json!([with(&log, "/topics", json!([log["topics"][0], log["topics"][2], log["topics"][1]]))]),
            "not_transferred",
        ),
        ("more than is told", json!([with(&log, "/data", huge)]), "verified"),
    ] {
        assert_eq!(word(judge(logs)), verdict, "{why}");
    }
    let Verdict::Verified { received, .. } = judge(json!([amount(10_000), amount(10_002), amount(10_001)]))
    else {
        panic!()
    };
    assert_eq!(received, BaseUnits(10_002), "the largest alone");
}
