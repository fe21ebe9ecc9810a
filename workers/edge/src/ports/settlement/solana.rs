//! Payments on Solana.

use api::settings::PaymentChain;
use chain::solana::{self, Address, Expected, Signature, Token};
use chain::{Verdict as Seen, Why};
use primitives::BaseUnits;
use run::{Authorization, Payment, Requirement, Trace, Verdict};
use shell::Failure;

use super::super::funding::Held;
use super::rpc::{ask, missing, no_name, one, parsed, read, still_open, traced, verdict, window};

/// How many transactions that name an address are looked at, newest first. Each costs a question.
const LOOKED_AT: usize = 20;

fn token(chain: &PaymentChain) -> Result<Token, Failure> {
    Ok(Token { mint: parsed(&chain.asset, "the token")?, ..Token::USDC })
}

/// Looks at a transfer. One that is in no block when its time is over has failed: it would be too late for this run.
pub(super) async fn look(
    chain: &PaymentChain,
    payment: &Payment,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Verdict {
    let Ok(signature) = payment.signature.parse() else { return no_name(chain.network()) };
    let seen = seen(chain, signature, authorization, requirement).await;
    if let Ok(Seen::Unknown(Why::NotFound)) = &seen
        && never_landed(chain, &signature, payment, authorization).await.unwrap_or(false)
    {
        return Verdict::Failed {
            code: "never_landed".to_owned(),
            reason: "The transaction is in no block, and its time is over.".to_owned(),
        };
    }
    verdict(seen, "slot")
}

async fn seen(
    chain: &PaymentChain,
    signature: Signature,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Result<Seen, Failure> {
    let expected = Expected {
        signature,
        token: token(chain)?,
        payer: parsed(&authorization.wallet, "the wallet")?,
        receiver: parsed(&requirement.pay_to, "the address to pay")?,
        amount: authorization.gross,
        reference: reference(requirement)?,
        window: window(authorization),
    };
    let said = ask(&chain.rpc, &[&solana::transaction(&signature).question]).await?;
    let [answer] = said.as_slice() else { return Err(missing()) };
    Ok(solana::verify_transfer(answer, &expected))
}

fn reference(requirement: &Requirement) -> Result<Option<Address>, Failure> {
    requirement.reference.as_deref().map(|key| parsed(key, "the reference")).transpose()
}

/// What the wallet says of the last block that takes its transaction can only make this later: it is nobody's proof. The
/// epoch is asked before the status: see [`solana::never_landed`].
async fn never_landed(
    chain: &PaymentChain,
    signature: &Signature,
    payment: &Payment,
    authorization: &Authorization,
) -> Result<bool, Failure> {
    let asked = solana::epoch();
    let epoch = ask(&chain.rpc, &[&asked.question]).await?;
    let [epoch] = epoch.as_slice() else { return Ok(false) };
    let time = one(&chain.rpc, &solana::block_time(read(&asked, epoch)?.slot)).await?;
    if time.is_none_or(|time| time < authorization.lands_by()) {
        return Ok(false);
    }
    let status = ask(&chain.rpc, &[&solana::status(signature).question]).await?;
    let [status] = status.as_slice() else { return Ok(false) };
    Ok(solana::never_landed(epoch, status, payment.last_valid_block_height.unwrap_or(0)))
}

/// Looks for a transfer among what names the reference, or the run's own address. There is none for certain once a final
/// block is later than its time, and the address has nothing.
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
    let receiver: Address = parsed(&requirement.pay_to, "the address to pay")?;
    let named = reference(requirement)?.unwrap_or(receiver);
    // The clock first: what it has passed, the later answers have seen.
    let epoch = one(&chain.rpc, &solana::epoch()).await?;
    let time = one(&chain.rpc, &solana::block_time(epoch.slot)).await?;
    let held = one(&chain.rpc, &solana::token_balance(&receiver, &token(chain)?.mint)).await?;
    let signatures = one(&chain.rpc, &solana::signatures(&named)).await?;
    for signature in signatures.into_iter().take(LOOKED_AT) {
        // Anybody can name an address; a transaction that has paid is the one.
        if let Seen::Verified { .. } = seen(chain, signature, authorization, requirement).await? {
            let signature = signature.to_string();
            return Ok(Trace::Found(Payment { signature, last_valid_block_height: None }));
        }
    }
    let is_over = time.is_some_and(|time| time >= authorization.lands_by());
    Ok(if is_over && held.0 == 0 { Trace::Absent } else { still_open() })
}

/// What an address has.
pub(super) async fn held(chain: &PaymentChain, address: &str) -> Result<Held, Failure> {
    let account: Address = parsed(address, "the address")?;
    let token = one(&chain.rpc, &solana::token_balance(&account, &token(chain)?.mint)).await?;
    let native = one(&chain.rpc, &solana::lamports(&account)).await?;
    Ok(Held { token, native: BaseUnits(native.into()) })
}
