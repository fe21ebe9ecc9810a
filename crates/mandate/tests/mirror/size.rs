//! MR9: the state is bounded, and its bounds fit into one row.

use alloy_primitives::{Address, B256, Bytes};
use mandate::mirror::{Command, News, Observation, Signed, limits};
use mandate::{Entry, EntryKey, EntryLimits, Policy, Request, Signature, Window};

use crate::cast::*;

/// What one row of an object's storage holds.
const ROW: usize = 2_000_000;

fn many(word: u8, number: u32) -> B256 {
    let mut bytes = [word; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    B256::new(bytes)
}

fn entries(count: usize) -> Vec<Entry> {
    let limits = EntryLimits {
        payment_cap: mandate::AMOUNT_MAX,
        window_cap: mandate::AMOUNT_MAX,
        window: Window::UtcMonth,
    };
    let key = |service| EntryKey { recipient: Address::repeat_byte(0xff), service };
    (0..u32::try_from(count).unwrap()).map(|number| Entry { key: key(many(7, number)), limits }).collect()
}

fn wide() -> Policy {
    let most = mandate::AMOUNT_MAX;
    Policy {
        payment_cap: most,
        day_cap: most,
        month_cap: most,
        lifetime_cap: most,
        day_count: u32::MAX,
        ..policy()
    }
}

/// A mirror with that many entries and rules that allow nearly all.
fn roomy(count: usize) -> Result<Life, mandate::mirror::Refusal> {
    let mut creation = creation();
    creation.policy = wide();
    let limits = EntryLimits {
        payment_cap: mandate::AMOUNT_MAX,
        window_cap: mandate::AMOUNT_MAX,
        window: Window::UtcDay,
    };
    creation.entries = entries(count - 1);
    creation.entries.push(Entry { key: EntryKey { recipient: PROVIDER, service: SERVICE }, limits });
    let mut life = Life::default();
    let adopt = Command::Adopt {
        creation: Box::new(creation),
        block: born_in(),
        ceiling: mandate::Ceiling::Unset,
        label: "x".repeat(limits::LABEL_BYTES),
    };
    life.hears(adopt, START)?;
    let fund = next(&life, START, [funded(1 << 90)]);
    life.hears(fund, START)?;
    Ok(life)
}

fn large(number: u32) -> Request {
    let name = many(9, number);
    let amount = if number.is_multiple_of(2) { 60 } else { 1 << 70 };
    Request { payment: name, request_id: name, ..request("", amount) }
}

fn asks(request: Request) -> Command {
    let bytes = Bytes::from(vec![0xff; limits::SIGNATURE_BYTES]);
    let signature = Signed { of: Signature::Of(AGENT), bytes };
    Command::Request { request: Box::new(request), signature, filed: None }
}

#[test]
fn at_all_bounds_the_state_fits_into_a_row() {
    let mut life = roomy(limits::ENTRIES).unwrap();
    for number in 0..u32::try_from(limits::ASKS).unwrap() {
        life.hears(asks(large(number)), START).unwrap();
        life.hears(Command::Sent { payment: many(9, number), transaction: many(1, number) }, START).unwrap();
    }
    assert_eq!(code(&life.hears(asks(large(1_000)), START)), "too_many_waiting_requests");

    let total = u32::try_from(limits::PAYMENTS).unwrap();
    for number in 0..total {
        let told = next(&life, START, [authorized(large(2_000 + number))]);
        life.hears(told, START).unwrap();
    }
    let told = next(&life, START, [authorized(large(5_000))]);
    assert_eq!(code(&life.hears(told, START)), "too_many_open_payments");
    let mut refused = "none";
    while refused == "none" {
        let told = next(&life, START, vec![funded(1); 20]);
        refused = code(&life.hears(told, START));
    }
    assert_eq!(refused, "too_many_unsealed_events");
    assert!(mirror(&life).tail.len() > 500, "{}", mirror(&life).tail.len());

    let unsealed = serde_json::to_vec(&life.state).unwrap().len();
    let sealed = seal(&life);
    life.hears(sealed, START).unwrap();
    let size = serde_json::to_vec(&life.state).unwrap().len();
    assert!(unsealed.max(size) < ROW, "{unsealed} and {size} bytes");
}

#[test]
fn what_is_beyond_a_bound_is_refused() {
    assert_eq!(code(&roomy(limits::ENTRIES + 1).map(|_| Heard::default())), "too_many_entries");
    let mut life = roomy(limits::ENTRIES).unwrap();
    let amendment = mandate::Amendment { entries: entries(limits::ENTRIES - 1), ..*amendment(wide(), 1) };
    let told = next(&life, START, [News::Amended(Box::new(amendment.clone()))]);
    assert_eq!(code(&life.hears(told, START)), "none");
    let more = mandate::Amendment { entries: entries(limits::ENTRIES), expected_version: 2, ..amendment };
    let told = next(&life, START, [News::Amended(Box::new(more))]);
    assert_eq!(code(&life.hears(told, START)), "too_many_entries");

    let mut observation: Observation = *observation(born_in(), block_of(200, 0, START), genesis(), []);
    observation.told = in_block(observation.to, vec![funded(1); limits::TOLD + 1]);
    assert_eq!(code(&life.hears(Command::Observe(Box::new(observation)), START)), "too_many_events");

    let mut request = asks(large(1));
    if let Command::Request { signature, .. } = &mut request {
        signature.bytes = vec![1; limits::SIGNATURE_BYTES + 1].into();
    }
    assert_eq!(code(&life.hears(request, START)), "signature_too_long");
    let note = "x".repeat(limits::NOTE_BYTES + 1);
    let reject = Command::Reject { payment: named("A"), by: mandate::By::caller(OWNER), note };
    assert_eq!(code(&life.hears(reject, START)), "note_too_long");
}

#[test]
fn only_so_many_transactions_of_one_job_are_remembered() {
    let mut life = alive([ask(request("A", 40))]);
    for transaction in 0..20 {
        life.hears(sent("A", transaction), START).unwrap();
    }
    let kept = mirror(&life).asks[&named("A")].errand().unwrap().transactions.clone();
    assert_eq!(kept.len(), limits::TRANSACTIONS);
    assert_eq!(kept.last(), Some(&B256::repeat_byte(19)));
}
