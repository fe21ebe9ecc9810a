//! Payments on EVM chains.

use api::settings::PaymentChain;
use chain::rpc::{Block, block, call, logs, receipt};
use chain::transfer::{self, Expected, Finality};
use chain::{Filter, Receipt, Verdict as Seen, Why, Window, token};
use eip712::{Address, B256};
use meter::Outcome;
use primitives::{BaseUnits, UnixMillis};
use run::{Authorization, Payment, Requirement, Trace, Verdict};
use shell::Failure;

use super::super::funding::Held;
use super::Paid;
use super::rpc::{ask, missing, no_name, not_paid, one, parsed, read, still_open, traced, verdict, window};

/// How far back a payment is looked for: hosted nodes refuse longer ranges, and a payment's time is shorter.
const BLOCKS: u64 = 9_000;

fn finality(chain: &PaymentChain) -> Finality {
    chain.confirmations.map_or(Finality::Finalized, Finality::Confirmations)
}

/// Looks at a transfer.
pub(super) async fn look(
    chain: &PaymentChain,
    payment: &Payment,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Verdict {
    let Ok(transaction) = payment.signature.parse() else { return no_name(chain.network()) };
    verdict(seen(chain, transaction, authorization, requirement).await, "block")
}

async fn seen(
    chain: &PaymentChain,
    transaction: B256,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Result<Seen, Failure> {
    let expected = Expected {
        transaction,
        token: parsed(&chain.asset, "the token")?,
        payer: parsed(&authorization.wallet, "the wallet")?,
        receiver: parsed(&requirement.pay_to, "the address to pay")?,
        amount: authorization.gross,
        window: window(authorization),
        finality: finality(chain),
    };
    judged(chain, &expected).await.map(|(seen, _)| seen)
}

/// Has the chain judge a transfer; with the transaction's receipt, once there is one.
async fn judged(chain: &PaymentChain, expected: &Expected) -> Result<(Seen, Option<Receipt>), Failure> {
    let (asked, head) = (receipt(expected.transaction), expected.finality.head());
    let said = ask(&chain.rpc, &[&asked.question, &head.question]).await?;
    let [receipt, head] = said.as_slice() else { return Err(missing()) };
    let included = receipt.as_ref().ok().and_then(|result| asked.read(result).ok()).flatten();
    let Some(included) = included else {
        // Without a receipt there is no block to ask for; its answer is not looked at.
        return Ok((transfer::verify(receipt, head, receipt, expected), None));
    };
    let its_block = block(Block::Number(included.block_number));
    let said = ask(&chain.rpc, &[&its_block.question]).await?;
    let [its_block] = said.as_slice() else { return Ok((Seen::Unknown(Why::Unreadable), None)) };
    Ok((transfer::verify(receipt, head, its_block, expected), Some(included)))
}

/// Looks at a transfer that is to pay a bill: of exactly the bill's amount, since the bill was drawn up. One that an
/// authorization has made (EIP-3009) has paid for what that was given for, such as another bill by x402.
pub(super) async fn look_at_bill(chain: &PaymentChain, paid: &Paid<'_>) -> Result<Outcome, Failure> {
    let Ok(transaction) = paid.transaction.parse() else { return Ok(not_paid(no_name(chain.network()))) };
    let expected = Expected {
        transaction,
        token: parsed(&chain.asset, "the token")?,
        payer: parsed(paid.payer, "the payer")?,
        receiver: parsed(paid.recipient, "the address to pay")?,
        amount: paid.amount,
        window: Window { not_before: paid.since, deadline: UnixMillis(u64::MAX) },
        finality: finality(chain),
    };
    let (seen, receipt) = match judged(chain, &expected).await {
        Ok((seen, receipt)) => (Ok(seen), receipt),
        Err(failure) => (Err(failure), None),
    };
    let failed = |code: &str, reason: String| Outcome::Failed { code: code.to_owned(), reason };
    Ok(match seen {
        Ok(Seen::Verified { received, .. }) if received != paid.amount => failed(
            "amount_not_exact",
            format!("The transaction pays {received} base units; the bill asks for exactly {}.", paid.amount),
        ),
        Ok(Seen::Verified { .. })
            if receipt.is_some_and(|receipt| receipt.uses_authorization(expected.token, expected.payer)) =>
        {
            let reason = "The transaction was made by an authorization, as those of x402 are, and has paid for what that was given for.";
            failed("authorized_elsewhere", reason.to_owned())
        }
        Ok(Seen::Verified { .. }) => Outcome::Paid { proof: transaction.to_string() },
        seen => not_paid(verdict(seen, "block")),
    })
}

/// Looks for a transfer. There is none for certain once a final block is later than its time.
pub(super) async fn trace(
    chain: &PaymentChain,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Trace {
    traced(found(chain, authorization, requirement).await)
}

async fn found(
    chain: &PaymentChain,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Result<Trace, Failure> {
    let Some(newest) = one(&chain.rpc, &finality(chain).head()).await? else { return Ok(still_open()) };
    let filter = Filter::transfers(
        parsed::<Address>(&chain.asset, "the token")?,
        parsed(&authorization.wallet, "the wallet")?,
        parsed(&requirement.pay_to, "the address to pay")?,
        newest.number.saturating_sub(BLOCKS),
    );
    let transfers = one(&chain.rpc, &logs(&filter)).await?;
    // Anybody can have a token say that nothing was moved between the two; more than that only the payer can.
    let mut moved = transfers.iter().rev().filter(|log| log.data.iter().any(|byte| *byte != 0));
    Ok(match moved.find_map(|log| log.transaction_hash) {
        Some(hash) => Trace::Found(Payment { signature: hash.to_string(), last_valid_block_height: None }),
        None if newest.timestamp >= authorization.lands_by() => Trace::Absent,
        None => still_open(),
    })
}

/// What an address has.
pub(super) async fn held(chain: &PaymentChain, address: &str) -> Result<Held, Failure> {
    let account: Address = parsed(address, "the address")?;
    let token: Address = parsed(&chain.asset, "the token")?;
    let (asked, native) = (call(None, token, &token::balance_of(account)), chain::rpc::balance(account));
    let said = ask(&chain.rpc, &[&asked.question, &native.question]).await?;
    let [held, wei] = said.as_slice() else { return Err(missing()) };
    let held = token::read_uint(&read(&asked, held)?)
        .map_err(|fault| Failure::Runtime(format!("a node's answer {fault}")))?;
    Ok(Held { token: BaseUnits(held.saturating_to()), native: read(&native, wei)? })
}
