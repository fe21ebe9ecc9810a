//! The job, step by step, with what each step must show.

use client::{
    AgentIdentity, BaseUnits, Budget, Delivery, Digest, Filters, GigId, Guildhall, Order, Parcel, Posted,
    Received, Seat, Signer, Tunnel, fresh_message_id, fresh_signer, identity_of, verify_journal,
    wire::{JournalAnswer, LifecycleState, TaskDelegation, TaskType},
    x402::{PaymentPayload, PaymentRequired},
};
use serde_json::Value;

use super::{
    stage::Stage,
    work::{Instruction, Report, TEXT, count},
};
use crate::{
    failure::{Deviation, Failure},
    output::name,
};

/// The most that any board may ask for a posting: 1 USDC.
const MOST: BaseUnits = BaseUnits(1_000_000);

/// What is left of the job.
pub(super) struct Outcome {
    pub(super) gig_id: GigId,
    pub(super) head: Digest,
}

/// Plays the job from posting to closing.
pub(super) async fn play(
    board: &Guildhall,
    signer: &Signer,
    stage: &mut Stage<'_>,
) -> Result<Outcome, Failure> {
    let order = order(signer)?;
    let worker = identity_of(&fresh_signer()?)?;

    let asked = stage
        .step("The buyer posts a gig without paying and is told the price.", challenge(board, &order))
        .await?;
    let buyer = stage
        .step("The buyer pays, and the gig is on the board.", pay(board, signer, &order, &asked))
        .await?;
    let gig = buyer.gig_id;
    stage.step("A worker finds the gig over MCP.", find(board, gig)).await?;
    let worker = stage.step("The worker claims it.", claim(board, gig, &worker)).await?;
    let (mut buyer_end, mut worker_end) =
        stage.step("Both open the tunnel.", meet(board, &buyer, &worker)).await?;
    let instruction =
        stage.step("The buyer sends its instruction.", instruct(&mut buyer_end, &mut worker_end)).await?;
    let (report, hash) = stage
        .step(
            "The worker does the work and sends the result.",
            work(&instruction, &mut worker_end, &mut buyer_end),
        )
        .await?;
    stage.step("The worker delivers, with the result's hash.", deliver(board, &worker, hash)).await?;
    stage.step("The buyer checks result and hash.", check(board, &buyer, &report)).await?;
    stage
        .step(
            "The buyer accepts, and the gig closes.",
            accept(board, &buyer, &mut buyer_end, &mut worker_end),
        )
        .await?;
    let head =
        stage.step("Both read the journal and verify it offline.", audit(board, &buyer, &worker)).await?;
    Ok(Outcome { gig_id: gig, head })
}

fn order(signer: &Signer) -> Result<Order, Failure> {
    Ok(Order {
        message_id: fresh_message_id()?,
        sender: identity_of(signer)?,
        task: TaskDelegation {
            title: "Count the words of a text".to_owned(),
            description:
                "Words, characters, longest word and SHA-256 of the text that is sent through the tunnel."
                    .to_owned(),
            task_type: TaskType::Computation,
            task_params: serde_json::Map::from_iter([("answer".to_owned(), Value::from("json"))]),
            bounty_sats: 50,
            ttl_minutes: 10,
        },
    })
}

async fn challenge(board: &Guildhall, order: &Order) -> Result<(PaymentRequired, String), Deviation> {
    let asked = board.challenge(order).await?;
    let budget = Budget::usdc_on_base_sepolia(MOST);
    let offer = budget.choose(&asked).map_err(|why| Deviation::Seen(why.to_string()))?;
    let price = offer.amount.parse().map_err(|why| Deviation::Seen(format!("the price {why}")))?;
    let told = format!("402: {} on {}, to {}", usdc(price), offer.network, offer.pay_to);
    Ok((asked, told))
}

async fn pay(
    board: &Guildhall,
    signer: &Signer,
    order: &Order,
    asked: &PaymentRequired,
) -> Result<(Seat, String), Deviation> {
    let payment: PaymentPayload = board.sign(signer, &Budget::usdc_on_base_sepolia(MOST), asked)?;
    let Posted { answer, receipt, .. } = board.post_paid(order, &payment).await?;
    must_be(answer.gig.lifecycle_state, LifecycleState::Discoverable)?;
    let receipt =
        receipt.ok_or_else(|| Deviation::Seen("the answer carries no PAYMENT-RESPONSE".to_owned()))?;
    if !receipt.success {
        return Err(Deviation::Seen(
            "the gig is there, but its receipt says that the payment failed".to_owned(),
        ));
    }
    let seat =
        Seat::of_buyer(&answer)?.ok_or_else(|| Deviation::Seen("the answer carries no grant".to_owned()))?;
    let simulated =
        receipt.extra.as_ref().and_then(|extra| extra.get("simulated")) == Some(&Value::Bool(true));
    let kind = if simulated { "simulated settlement" } else { "settlement" };
    Ok((seat, format!("201: gig {} is DISCOVERABLE, {kind} {}", answer.gig.gig_id, receipt.transaction)))
}

async fn find(board: &Guildhall, gig: GigId) -> Result<((), String), Deviation> {
    let page = board.discover_mcp(&Filters::default()).await?;
    let wanted = gig.to_string();
    let found = page.gigs.iter().find(|record| record.gig_id == wanted);
    let record = found.ok_or_else(|| {
        Deviation::Seen(format!("get_active_gigs lists {} gigs, but not this one", page.gigs.len()))
    })?;
    Ok(((), format!("get_active_gigs: \"{}\" for {} sats", record.title, record.bounty_sats)))
}

async fn claim(board: &Guildhall, gig: GigId, worker: &AgentIdentity) -> Result<(Seat, String), Deviation> {
    let claimed = board.claim(gig, worker, &fresh_message_id()?).await?;
    let seat = Seat::of_worker(&claimed.answer)?;
    let told = must_stand(board, gig, LifecycleState::TunnelGranted).await?;
    Ok((seat, format!("{told}, worker {worker}")))
}

async fn meet(
    board: &Guildhall,
    buyer: &Seat,
    worker: &Seat,
) -> Result<((Tunnel, Tunnel), String), Deviation> {
    let worker_end = board.open_tunnel(worker).await?;
    let buyer_end = board.open_tunnel(buyer).await?;
    let told = must_stand(board, buyer.gig_id, LifecycleState::InProgress).await?;
    Ok(((buyer_end, worker_end), told))
}

async fn instruct(buyer: &mut Tunnel, worker: &mut Tunnel) -> Result<(Instruction, String), Deviation> {
    let instruction = Instruction { kind: "instruction".to_owned(), text: TEXT.to_owned() };
    buyer.send(Parcel::Text(json(&instruction)?)).await?;
    let arrived: Instruction = parsed(&text(worker).await?)?;
    if arrived != instruction {
        return Err(Deviation::Seen("the instruction arrived altered".to_owned()));
    }
    let told = format!("{} bytes arrived as they were sent", arrived.text.len());
    Ok((arrived, told))
}

/// The worker counts what it was sent; the buyer has the text of the result, as it arrived.
async fn work(
    instruction: &Instruction,
    worker: &mut Tunnel,
    buyer: &mut Tunnel,
) -> Result<((String, Digest), String), Deviation> {
    let report = count(&instruction.text);
    let told = format!("{} words, longest \"{}\"", report.words, report.longest_word);
    let result = json(&report)?;
    let hash = Digest::of(&[result.as_bytes()]);
    worker.send(Parcel::Text(result)).await?;
    Ok(((text(buyer).await?, hash), told))
}

async fn deliver(board: &Guildhall, worker: &Seat, hash: Digest) -> Result<((), String), Deviation> {
    let delivery = Delivery {
        remark: Some("The result went through the tunnel.".to_owned()),
        result_hash: Some(hash),
        ..Delivery::default()
    };
    let delivered = board.deliver(worker, &fresh_message_id()?, delivery).await?;
    must_be(delivered.answer.lifecycle_state, LifecycleState::Delivered)?;
    Ok(((), format!("DELIVERED, SHA-256 {hash}")))
}

/// The buyer trusts neither the worker nor the tunnel: it counts again, and compares what it received with the hash
/// that the board recorded.
async fn check(board: &Guildhall, buyer: &Seat, received: &str) -> Result<((), String), Deviation> {
    let report: Report = parsed(received)?;
    if report != count(TEXT) {
        return Err(Deviation::Seen("the worker counted wrongly".to_owned()));
    }
    let hash = Digest::of(&[received.as_bytes()]).to_string();
    let journal = board.journal(buyer).await?;
    let mut recorded = Vec::new();
    for entry in &journal.entries {
        collect_hashes(&entry.event, &mut recorded);
    }
    if recorded != [hash.as_str()] {
        return Err(Deviation::Seen(format!(
            "the journal records the result hashes {recorded:?}; the result received has {hash}"
        )));
    }
    Ok(((), "counted again, same result; its hash is the one in the journal".to_owned()))
}

async fn accept(
    board: &Guildhall,
    buyer: &Seat,
    buyer_end: &mut Tunnel,
    worker_end: &mut Tunnel,
) -> Result<((), String), Deviation> {
    board.accept(buyer, &fresh_message_id()?, Some("Counted again: correct.".to_owned())).await?;
    let told = must_stand(board, buyer.gig_id, LifecycleState::Closed).await?;
    for (whose, end) in [("buyer", buyer_end), ("worker", worker_end)] {
        match end.receive().await? {
            Received::Closed(_) => {}
            Received::Parcel(_) => {
                return Err(Deviation::Seen(format!("the {whose}'s tunnel went on after the gig closed")));
            }
        }
    }
    Ok(((), format!("{told}, both sockets closed by the board")))
}

async fn audit(board: &Guildhall, buyer: &Seat, worker: &Seat) -> Result<(Digest, String), Deviation> {
    let (buyers, workers) =
        (verified(&board.journal(buyer).await?)?, verified(&board.journal(worker).await?)?);
    if buyers != workers {
        return Err(Deviation::Seen("the two parties were shown different journals".to_owned()));
    }
    let told = format!("{} entries, every hash holds, both have the head {}", buyers.entries, buyers.head);
    Ok((buyers.head, told))
}

fn verified(journal: &JournalAnswer) -> Result<client::Verified, Deviation> {
    verify_journal(journal).map_err(|broken| Deviation::Seen(broken.to_string()))
}

/// Every `result_hash` in an event, however deep it lies.
fn collect_hashes<'a>(event: &'a Value, found: &mut Vec<&'a str>) {
    match event {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(hash) if name == "result_hash" => found.push(hash),
                    Some(_) | None => collect_hashes(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect_hashes(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

async fn must_stand(board: &Guildhall, gig: GigId, expected: LifecycleState) -> Result<String, Deviation> {
    let status = board.status(gig).await?;
    must_be(status.lifecycle_state, expected)?;
    Ok(format!("{} (version {})", name(expected), status.lifecycle_version))
}

fn must_be(found: LifecycleState, expected: LifecycleState) -> Result<(), Deviation> {
    if found == expected {
        return Ok(());
    }
    Err(Deviation::Seen(format!("the gig is {}; it must be {}", name(found), name(expected))))
}

async fn text(tunnel: &mut Tunnel) -> Result<String, Deviation> {
    match tunnel.receive().await? {
        Received::Parcel(Parcel::Text(text)) => Ok(text),
        Received::Parcel(Parcel::Binary(_)) => {
            Err(Deviation::Seen("text was sent and bytes arrived".to_owned()))
        }
        Received::Closed(closing) => {
            Err(Deviation::Seen(format!("the tunnel was closed ({}): {}", closing.code, closing.reason)))
        }
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, Deviation> {
    serde_json::to_string(value).map_err(|why| Deviation::Seen(why.to_string()))
}

fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Deviation> {
    serde_json::from_str(text).map_err(|why| Deviation::Seen(format!("what arrived cannot be read: {why}")))
}

/// An amount of USDC in whole coins, exactly.
fn usdc(amount: BaseUnits) -> String {
    let digits = format!("{:0>7}", amount.to_string());
    let (whole, parts) = digits.split_at(digits.len().saturating_sub(6));
    let parts = parts.trim_end_matches('0');
    if parts.is_empty() { format!("{whole} USDC") } else { format!("{whole}.{parts} USDC") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_exactly() {
        for (units, text) in
            [(0, "0 USDC"), (1, "0.000001 USDC"), (10_000, "0.01 USDC"), (12_500_000, "12.5 USDC")]
        {
            assert_eq!(usdc(BaseUnits(units)), text);
        }
    }

    #[test]
    fn a_result_hash_is_found_wherever_the_event_keeps_it() {
        let event = serde_json::json!({ "fact": { "Delivered": { "delivery": { "result_hash": "aa", "result": null } } } });
        let mut found = Vec::new();
        collect_hashes(&event, &mut found);
        assert_eq!(found, ["aa"]);
    }
}
