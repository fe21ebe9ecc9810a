//! `guildhall demo`: one whole job on a board, done by a real buyer and a real worker; one budget, spent by a real agent of
//! a real owner; two purchases, one of a buyer and one of an agent; and two bills for what an agent has used. Each step is
//! checked.
//!
//! Unless it is told to pay with the caller's own key, the keys are random and hold no funds: only a board whose payments
//! are simulated takes them, so that the demonstration costs nothing wherever it is pointed.

mod budget;
mod metering;
mod purchase;
mod scene;
mod stage;
mod work;

use client::{CorrelationId, Guildhall, Signer, fresh_message_id, fresh_signer};

use crate::{arguments::Demo, failure::Failure, keeping, output::Output};
use stage::Stage;

/// Does the job, and says how to look at what is left of it.
pub(crate) async fn run(api: &str, who: &Demo, output: &Output) -> Result<(), Failure> {
    let (signer, promise) = payer(who)?;
    let correlation = correlation()?;
    let board = Guildhall::new(api)?.correlated(correlation.clone());
    output.say(format_args!("One job on {api}, from posting to closing. Correlation id: {correlation}"));
    output.say(promise);
    output.say("");
    let mut stage = Stage::new(output);
    let outcome = scene::play(&board, &signer, &mut stage).await?;
    output.say("");
    output.say(format_args!("CLOSED in {} ms: gig {}", stage.elapsed_millis(), outcome.gig_id));
    output.say("Look at it:");
    let base = api.trim_end_matches('/');
    let question = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "get_gig_status", "arguments": { "gig_id": outcome.gig_id } },
    });
    output.say(format_args!("  curl {base}/v1/gigs/{}/status", outcome.gig_id));
    output.say(format_args!("  curl {base}/mcp -H 'content-type: application/json' -d '{question}'"));
    output.say("");
    output.say("One budget, from its owner's first word to its log. The ledger counts it; no money moves.");
    output.say("");
    let mandate = budget::play(&board, who.chain, &mut stage).await?;
    output.say("");
    output.say("Look at it:");
    output.say(format_args!("  curl {base}/v1/mandates/{}", mandate.mandate));
    output.say(format_args!("  curl {base}/v1/mandates/{}/entries", mandate.mandate));
    output.say("");
    output.say("Two purchases, from a wish to a confirmed order. Shops, wallet and payment are made up; no money moves.");
    output.say("");
    let runs = purchase::play(&board, who.chain, &mut stage, output).await?;
    output.say("");
    output.say("Have something bought yourself, line by line:");
    output.say(format_args!(
        "  guildhall --api {base} run start --requirement \"coca-cola 2l\" --max-cents 6000 --simulated-wallet \
         --token-file run.json --watch"
    ));
    output.say("");
    output.say("One meter, from what an agent uses to two bills that are paid.");
    output.say("");
    let operator = match &who.operator_token_file {
        Some(path) => Some(keeping::read(path, "operator's token")?.trim().to_owned()),
        None => None,
    };
    let metered = metering::play(&board, &signer, who.chain, operator.as_deref(), &mut stage).await?;
    output.say("");
    output.say("Look at it:");
    for bill in &metered.bills {
        output.say(format_args!("  curl {base}/v1/settlements/{bill}"));
    }
    output.give(&serde_json::json!({
        "gig_id": outcome.gig_id,
        "mandate": mandate.mandate,
        "runs": runs,
        "tenant": metered.tenant,
        "bills": metered.bills,
        "correlation_id": correlation,
        "journal_head": outcome.head,
        "steps": stage.steps(),
    }))
}

/// Who pays, and what that means for the caller.
fn payer(who: &Demo) -> Result<(Signer, &'static str), Failure> {
    if who.pay {
        let signer = keeping::signer(who.key_file.as_deref())?;
        return Ok((signer, "Your key pays the posting fee, on whatever network the board names."));
    }
    let promise =
        "The keys are made for this run and hold no funds: only a board that simulates payments takes them.";
    Ok((fresh_signer()?, promise))
}

/// `demo-` and 16 random digits, by which everything the run caused can be found.
fn correlation() -> Result<CorrelationId, Failure> {
    let random: String = fresh_message_id()?.as_str().chars().take(16).collect();
    format!("demo-{random}").parse().map_err(|why| Failure::Input(format!("the correlation id {why}")))
}
