//! Two purchases: one that its buyer agrees to, and one that an agent makes within a mandate.

use core::time::Duration;

use client::{
    B256, BaseUnits, Guildhall, Signer, after, fresh_hash, fresh_message_id, fresh_signer,
    mandates::Mandates,
    runs::{Purchase, Question, Runs, Watch},
    verify_journal,
    wire::{
        CreateMandate, CreateRun, EntryBody, ExecutionMode, Mandate, PolicyBody, PurchaseBody, Run, RunFact,
        RunFrame, RunState, SignerKind, TermsBody, WalletKind, Window,
    },
};

use super::stage::Stage;
use crate::{
    failure::{Deviation, Failure},
    money::{reais, shown},
    output::{Output, name, printable},
};

/// What is bought, and the most that it may cost, in cents.
const WANTED: &str = "coca-cola 2l";
const MOST: u64 = 6_000;
/// What the mandate holds, and what needs an approval, in millionths.
const FUNDS: u128 = 30_000_000;
const APPROVED: u128 = 20_000_000;
/// How long the mandate is good: longer than a run's payment may take to be known.
const VALID: client::Millis = client::Millis::from_minutes(10 * 24 * 60);
/// How often the mandate is looked at until the payment is written down there.
const PAUSE: Duration = Duration::from_millis(100);

/// What is left of the purchases: their runs.
pub(super) type Outcome = [String; 2];

/// Plays both.
pub(super) async fn play(
    board: &Guildhall,
    chain_id: u64,
    stage: &mut Stage<'_>,
    output: &Output,
) -> Result<Outcome, Failure> {
    let market = Market { runs: board.runs(), output };
    let bought = stage
        .step("A buyer wants a bottle of cola for at most R$ 60,00.", market.start(&market.wanted(None)))
        .await?;
    let mut watch = market.runs.watch(&bought, 0)?;
    let asked = stage
        .step("The run searches, reads the cart and the wallet, and asks.", market.until_asked(&mut watch))
        .await?;
    stage.step("The buyer sees what is to be paid, and agrees.", market.agree(&bought, &asked)).await?;
    stage.step("The run pays, and has the order confirmed.", market.until_bought(&mut watch)).await?;
    stage.step("The journal is read and verified offline.", market.audit(&bought)).await?;

    let cast =
        Cast { ledger: board.mandates(chain_id).await?, owner: fresh_signer()?, agent: fresh_signer()? };
    let mandate = stage
        .step("An owner gives an agent a mandate for purchases: 30 USDC, an approval above 20.", cast.give())
        .await?;
    let spent =
        stage.step("The agent wants the same, out of the mandate.", cast.start(&market, &mandate)).await?;
    let mut watch = market.runs.watch(&spent, 0)?;
    let run = stage.step("Nobody has to agree: the mandate does.", market.until_bought(&mut watch)).await?;
    stage.step("The mandate has paid, once.", cast.paid(&mandate, &run)).await?;
    stage.step("That journal is verified, too.", market.audit(&spent)).await?;
    Ok([bought.run.to_string(), spent.run.to_string()])
}

fn deviates<T>(what: impl Into<String>) -> Result<T, Deviation> {
    Err(Deviation::Seen(what.into()))
}

/// Where runs are made, and where their lines go.
struct Market<'a> {
    runs: Runs,
    output: &'a Output,
}

impl Market<'_> {
    fn wanted(&self, mandate: Option<&Mandate>) -> CreateRun {
        let request =
            PurchaseBody { requirement: WANTED.to_owned(), quantity: 1, max_budget_cents: MOST.to_string() };
        CreateRun {
            request,
            executor_id: None,
            user_id: None,
            mandate: mandate.map(|mandate| mandate.mandate.clone()),
            execution_mode: ExecutionMode::Simulated,
            wallet: WalletKind::Simulated,
        }
    }

    async fn start(&self, wanted: &CreateRun) -> Result<(Purchase, String), Deviation> {
        let purchase = Purchase::of(&self.runs.start(&fresh_message_id()?, wanted).await?.answer)?;
        let told = format!("run {}", purchase.run);
        Ok((purchase, told))
    }

    /// Tells a run's events as they come, until somebody is asked or it is over.
    async fn follow(&self, watch: &mut Watch) -> Result<Run, Deviation> {
        loop {
            match watch.next().await? {
                Some(RunFrame::Event { event, run, .. }) => {
                    self.output.say(format_args!("    {:>3}  {}", event.seq, printable(&event.message)));
                    if matches!(event.fact, RunFact::ConfirmationRequested { .. }) || run.is_terminal {
                        return Ok(*run);
                    }
                }
                Some(RunFrame::Reset { .. }) => return deviates("the stream began anew"),
                None => return deviates("the stream ended before the run"),
            }
        }
    }

    async fn until_asked(&self, watch: &mut Watch) -> Result<(Run, String), Deviation> {
        let run = self.follow(watch).await?;
        let Some(question) = Question::of(&run)? else {
            return deviates(format!("it is {}", name(run.state)));
        };
        let told = format!("asks until {}", question.confirmation.expires_at);
        Ok((run, told))
    }

    async fn agree(&self, purchase: &Purchase, asked: &Run) -> Result<((), String), Deviation> {
        let Some(question) = Question::of(asked)? else { return deviates("it asks nothing any more") };
        self.runs.confirm(purchase, &question).await?;
        let (confirmation, shop) = (question.confirmation, &question.quote.cart.merchant_name);
        Ok((
            (),
            format!(
                "{} to {}, {} out of the wallet, digest {}",
                reais(&confirmation.amount_cents),
                printable(shop),
                shown(&confirmation.gross),
                confirmation.digest
            ),
        ))
    }

    /// To the end of a run in which nobody is asked from now on.
    async fn until_bought(&self, watch: &mut Watch) -> Result<(Run, String), Deviation> {
        let run = self.follow(watch).await?;
        if run.state != RunState::OrderConfirmed {
            return deviates(format!("it is {}", name(run.state)));
        }
        let order = run.order.as_ref().map(|order| printable(&order.evidence)).unwrap_or_default();
        let told = format!("ORDER_CONFIRMED: {order}");
        Ok((run, told))
    }

    async fn audit(&self, purchase: &Purchase) -> Result<((), String), Deviation> {
        let journal = self.runs.journal(purchase).await?;
        let verified = verify_journal(&journal).map_err(|broken| Deviation::Seen(broken.to_string()))?;
        Ok(((), format!("{} entries, every hash holds, head {}", verified.entries, verified.head)))
    }
}

/// The mandate's parties. The keys are made for the run.
struct Cast {
    ledger: Mandates,
    owner: Signer,
    agent: Signer,
}

impl Cast {
    async fn give(&self) -> Result<(Mandate, String), Deviation> {
        let creation = CreateMandate {
            salt: None,
            owner_kind: SignerKind::Ecdsa,
            agent_kind: SignerKind::Ecdsa,
            label: Some("demonstration of runs".to_owned()),
            agent: self.agent.address().to_string(),
            amend_delay_seconds: 86_400,
            policy: PolicyBody {
                valid_after: None,
                valid_before: after(VALID).to_rfc3339(),
                payment_cap: FUNDS.to_string(),
                day_cap: FUNDS.to_string(),
                month_cap: None,
                lifetime_cap: None,
                day_count: None,
                approval_above: Some(APPROVED.to_string()),
                terms: TermsBody::default(),
            },
            // Purchases alone, whoever pays the shop.
            entries: vec![EntryBody {
                recipient: None,
                service: Some("run.purchase".to_owned()),
                payment_cap: None,
                window_cap: None,
                window: Window::UtcDay,
            }],
        };
        let owner = self.ledger.owner(&self.owner);
        let made = owner.create(fresh_hash()?, &creation).await?.answer;
        let funded = owner.fund(hash(&made.mandate)?, BaseUnits(FUNDS), &fresh_message_id()?).await?.answer;
        let told = format!("mandate {}, agent {}", funded.mandate, funded.agent);
        Ok((funded, told))
    }

    async fn start(&self, market: &Market<'_>, mandate: &Mandate) -> Result<(Purchase, String), Deviation> {
        let agent = self.ledger.agent(&self.agent);
        let wanted = market.wanted(Some(mandate));
        let purchase = Purchase::of(&agent.start_run(&fresh_message_id()?, &wanted).await?.answer)?;
        let told = format!("run {}", purchase.run);
        Ok((purchase, told))
    }

    /// What left the mandate is what the run was authorized to pay; nothing is held any more.
    async fn paid(&self, mandate: &Mandate, run: &Run) -> Result<((), String), Deviation> {
        let gross =
            run.payment.as_ref().and_then(|payment| Some(payment.authorization.as_ref()?.gross.as_str()));
        let Some(BaseUnits(gross)) = gross.and_then(|gross| gross.parse().ok()) else {
            return deviates("the run shows no authorization");
        };
        let seen = loop {
            let seen = self.ledger.mandate(hash(&mandate.mandate)?).await?;
            if seen.reservations == 0 {
                break seen;
            }
            tokio::time::sleep(PAUSE).await;
        };
        let left = FUNDS.saturating_sub(gross).to_string();
        if seen.funds.balance != left || seen.spent.lifetime != gross.to_string() {
            return deviates(format!("it holds {} after a payment of {gross}", seen.funds.balance));
        }
        Ok(((), format!("{} spent, {} left, nothing reserved", shown(&seen.spent.lifetime), shown(&left))))
    }
}

fn hash(text: &str) -> Result<B256, Deviation> {
    text.parse().map_err(|_| Deviation::Seen(format!("{text} is no hash")))
}
