//! A budget: an owner gives an agent a mandate, and the agent pays within it, is stopped at a cap, and waits for an approval.

use core::time::Duration;

use client::{
    B256, BaseUnits, Guildhall, Signer, after, fresh_hash, fresh_message_id, fresh_signer,
    mandates::{ActivityFilter, Mandates, Page, Requested, Standing, Wish},
    service_id,
    wire::{CreateMandate, EntryBody, Mandate, Payment, PolicyBody, Progress, SignerKind, TermsBody, Window},
};

use super::stage::Stage;
use crate::failure::{Deviation, Failure};

/// What the provider does.
const SERVICE: &str = "text.transform";
/// The mandate's money, its cap for one payment, and what needs an approval, in millionths.
const FUNDS: u128 = 20_000_000;
const CAP: u128 = 10_000_000;
const APPROVED: u128 = 5_000_000;
/// How long the mandate and the approval are good.
const DAY: client::Millis = client::Millis::from_minutes(24 * 60);
/// How long the agent waits for its owner.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who takes part. The keys are made for the run.
struct Cast {
    ledger: Mandates,
    owner: Signer,
    agent: Signer,
    provider: Signer,
}

/// Plays a mandate from its creation to its log.
pub(super) async fn play(
    board: &Guildhall,
    chain_id: u64,
    stage: &mut Stage<'_>,
) -> Result<Mandate, Failure> {
    let ledger = board.mandates(chain_id).await?;
    let cast = Cast { ledger, owner: fresh_signer()?, agent: fresh_signer()?, provider: fresh_signer()? };
    let mandate = stage
        .step(
            "An owner gives an agent a mandate: 20 USDC, 10 for a payment, an approval above 5.",
            give(&cast),
        )
        .await?;
    let paid = stage
        .step("The agent asks for 2 USDC for a provider, within the mandate.", pay(&cast, &mandate))
        .await?;
    stage.step("The agent asks for 11 USDC and is stopped at the cap.", stop(&cast, &mandate)).await?;
    let asked =
        stage.step("The agent asks for 6 USDC, which waits for the owner.", wait(&cast, &mandate)).await?;
    stage
        .step("The owner looks at the queue and signs the approval (EIP-712).", approve(&cast, &asked))
        .await?;
    let taken = stage.step("The agent goes on, with the approval.", go_on(&cast, &asked)).await?;
    stage.step("The provider delivers both, and the owner accepts.", settle(&cast, [&paid, &taken])).await?;
    stage.step("The owner revokes the mandate, and takes the rest out.", end(&cast, &mandate)).await?;
    stage.step("The log tells it all.", log(&cast, &mandate)).await
}

fn hash(text: &str) -> Result<B256, Deviation> {
    text.parse().map_err(|_| Deviation::Seen(format!("{text} is no hash")))
}

fn deviates<T>(what: impl Into<String>) -> Result<T, Deviation> {
    Err(Deviation::Seen(what.into()))
}

fn stands(payment: &Payment, wanted: Progress) -> Result<(), Deviation> {
    if payment.progress == wanted {
        Ok(())
    } else {
        deviates(format!("payment {} is {:?} and not {wanted:?}", payment.payment, payment.progress))
    }
}

async fn give(cast: &Cast) -> Result<(Mandate, String), Deviation> {
    let owner = cast.ledger.owner(&cast.owner);
    let creation = CreateMandate {
        salt: None,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        label: Some("demonstration".to_owned()),
        agent: cast.agent.address().to_string(),
        amend_delay_seconds: 86_400,
        policy: PolicyBody {
            valid_after: None,
            valid_before: after(DAY).to_rfc3339(),
            payment_cap: CAP.to_string(),
            day_cap: FUNDS.to_string(),
            month_cap: None,
            lifetime_cap: None,
            day_count: None,
            approval_above: Some(APPROVED.to_string()),
            terms: TermsBody::default(),
        },
        entries: vec![EntryBody {
            recipient: Some(cast.provider.address().to_string()),
            service: Some(SERVICE.to_owned()),
            payment_cap: None,
            window_cap: None,
            window: Window::UtcDay,
        }],
    };
    let made = owner.create(fresh_hash()?, &creation).await?.answer;
    let funded = owner.fund(hash(&made.mandate)?, BaseUnits(FUNDS), &fresh_message_id()?).await?.answer;
    let told = format!("mandate {}, agent {}", funded.mandate, funded.agent);
    Ok((funded, told))
}

fn wish(cast: &Cast, mandate: &Mandate, amount: u128) -> Result<Wish, Deviation> {
    let service = service_id(SERVICE).map_err(|fault| Deviation::Seen(fault.to_string()))?;
    Ok(Wish::new(hash(&mandate.mandate)?, cast.provider.address(), service, BaseUnits(amount))?)
}

async fn made(cast: &Cast, mandate: &Mandate, amount: u128) -> Result<Payment, Deviation> {
    match cast.ledger.agent(&cast.agent).request(&wish(cast, mandate, amount)?).await? {
        Requested::Made(payment) => Ok(*payment),
        Requested::Refused(evaluation) => {
            deviates(format!("it is refused: {}", evaluation.code.unwrap_or_default()))
        }
    }
}

async fn pay(cast: &Cast, mandate: &Mandate) -> Result<(Payment, String), Deviation> {
    let payment = made(cast, mandate, 2_000_000).await?;
    stands(&payment, Progress::Escrowed)?;
    let told = format!("escrowed until {}", payment.deadline.as_deref().unwrap_or("its end"));
    Ok((payment, told))
}

async fn stop(cast: &Cast, mandate: &Mandate) -> Result<((), String), Deviation> {
    match cast.ledger.agent(&cast.agent).request(&wish(cast, mandate, 11_000_000)?).await? {
        Requested::Refused(evaluation) => {
            let broken = evaluation.checks.iter().filter(|check| !check.passes);
            let words: Vec<_> = broken.map(|check| check.message.clone()).collect();
            Ok(((), words.join(" ")))
        }
        Requested::Made(payment) => deviates(format!("payment {} was made", payment.payment)),
    }
}

async fn wait(cast: &Cast, mandate: &Mandate) -> Result<(Payment, String), Deviation> {
    let payment = made(cast, mandate, 6_000_000).await?;
    stands(&payment, Progress::AwaitingApproval)?;
    let told = format!("payment {}", payment.payment);
    Ok((payment, told))
}

async fn approve(cast: &Cast, asked: &Payment) -> Result<((), String), Deviation> {
    let owner = cast.ledger.owner(&cast.owner);
    let queue = owner.approvals(Standing::Waiting, &Page::default()).await?.approvals;
    if !queue.iter().any(|item| item.payment.payment == asked.payment) {
        return deviates("the request is not in the queue");
    }
    let payment = owner.approval(hash(&asked.payment)?).await?;
    let approved = owner.approve(&payment, after(DAY).seconds()).await?;
    stands(&approved, Progress::Approved)?;
    Ok(((), format!("{} waiting, approved {}", queue.len(), approved.amount)))
}

async fn go_on(cast: &Cast, asked: &Payment) -> Result<(Payment, String), Deviation> {
    let payment = cast.ledger.agent(&cast.agent).wait_for_approval(asked, PATIENCE).await?;
    stands(&payment, Progress::Escrowed)?;
    let told = format!("escrowed {}", payment.amount);
    Ok((payment, told))
}

async fn settle(cast: &Cast, payments: [&Payment; 2]) -> Result<((), String), Deviation> {
    for payment in payments {
        let delivered = cast.ledger.provider(&cast.provider).deliver(payment, fresh_hash()?).await?;
        let settled = cast.ledger.owner(&cast.owner).accept(&delivered).await?;
        stands(&settled, Progress::Settled)?;
    }
    Ok(((), "8 USDC are the provider's in the ledger, which counts and moves no money".to_owned()))
}

async fn end(cast: &Cast, mandate: &Mandate) -> Result<((), String), Deviation> {
    let (owner, id) = (cast.ledger.owner(&cast.owner), hash(&mandate.mandate)?);
    let revoked = owner.revoke(id).await?;
    let rest: BaseUnits = revoked
        .funds
        .available
        .parse()
        .map_err(|_| Deviation::Seen(format!("{} is no amount", revoked.funds.available)))?;
    let emptied = owner.withdraw(id, rest, &fresh_message_id()?).await?.answer;
    if emptied.funds.balance == "0" {
        Ok(((), format!("{rest} withdrawn")))
    } else {
        deviates(format!("{} are left", emptied.funds.balance))
    }
}

async fn log(cast: &Cast, mandate: &Mandate) -> Result<(Mandate, String), Deviation> {
    let owner = cast.ledger.owner(&cast.owner);
    let filter = ActivityFilter { mandate: Some(hash(&mandate.mandate)?), ..ActivityFilter::default() };
    let lines = owner.activity(&filter, &Page::default()).await?.activity;
    let words: Vec<_> = lines.iter().rev().map(|line| line.kind.as_str()).collect();
    let seen = owner.mandate(hash(&mandate.mandate)?).await?;
    Ok((seen, words.join(", ")))
}
