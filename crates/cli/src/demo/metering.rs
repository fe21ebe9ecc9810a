//! Metering: a provider counts what an agent uses, bills it, and is paid, once with x402 and once out of a mandate.

use core::time::Duration;

use client::{
    AgentName, B256, BaseUnits, Budget, Guildhall, ServiceName, SettlementId, Signer, after, fresh_hash,
    fresh_message_id, fresh_signer,
    mandates::Mandates,
    metering::{ApiKey, EventFilter, Metering, Page, Quantity, used},
    wire::{
        CreateMandate, EntryBody, Mandate, PolicyBody, SignerKind, TermsBody, Window,
        metering::{
            NewService, OpenTenant, PricingBody, SettlementStatus, SettlementView, TierBody, UsageBody,
            UsageStatus,
        },
    },
};

use super::stage::Stage;
use crate::{
    failure::{Deviation, Failure},
    money::shown,
    output::{name, printable},
};

/// Who uses what.
const AGENT: &str = "summariser";
const SERVICE: &str = "text.translate";
/// The tiers: the first 100 pages at 100 millionths, and each after that at 50.
const TIER: &str = "100";
const PRICES: [&str; 2] = ["100", "50"];
/// What a bulk brings, and what all comes to then: a page before, so the hundred of the first tier and one of the second.
const BULK: usize = 100;
const FIRST_BILL: &str = "10050";
/// What is used after the first bill, and what that comes to: tiers count anew in each bill.
const MORE: u64 = 40;
const SECOND_BILL: &str = "4000";
/// The most that is paid for a bill: 0.05 USDC.
const MOST: BaseUnits = BaseUnits(50_000);
/// What the mandate holds, in millionths.
const FUNDS: u128 = 1_000_000;
/// How long the mandate is good: longer than a payment may take to be known.
const VALID: client::Millis = client::Millis::from_minutes(10 * 24 * 60);
/// How often what follows is looked at until it is there.
const PAUSE: Duration = Duration::from_millis(100);

/// What is left: the tenant and its two bills.
pub(super) struct Outcome {
    pub(super) tenant: String,
    pub(super) bills: [SettlementId; 2],
}

/// Plays it, from the opening of a tenant to the log of what happened.
pub(super) async fn play(
    board: &Guildhall,
    payer: &Signer,
    chain_id: u64,
    operator: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<Outcome, Failure> {
    let provider = fresh_signer()?;
    let (tenant, key) = stage
        .step("A provider becomes a tenant, which has an API key.", open(board, operator, &provider))
        .await?;
    let name = |what: &str, why: client::Malformed| Failure::Input(format!("{what} {why}"));
    let desk = Desk {
        metering: board.metering(key),
        agent: AGENT.parse().map_err(|why| name(AGENT, why))?,
        service: SERVICE.parse().map_err(|why| name(SERVICE, why))?,
    };
    stage
        .step("It registers a service: 100 pages at 100 each, every further one at 50.", desk.register())
        .await?;
    let event =
        stage.step("An agent uses a page, and then a hundred, which come in one bulk.", desk.count()).await?;
    stage.step("The first event comes again, and counts once.", desk.repeat(&event)).await?;
    stage.step("The bill that is open includes all of it.", desk.quote()).await?;
    let first = stage.step("The bill is drawn up.", desk.draw(FIRST_BILL)).await?;
    stage
        .step("Whoever knows the bill's id pays it, with x402.", desk.paid_with_x402(board, payer, &first))
        .await?;
    stage.step("The agent uses 40 more.", desk.use_more()).await?;
    let second = stage.step("The next bill is for those alone.", desk.draw(SECOND_BILL)).await?;
    let cast =
        Cast { ledger: board.mandates(chain_id).await?, owner: fresh_signer()?, agent: fresh_signer()? };
    let mandate = stage
        .step("An owner gives the agent a mandate for bills of this provider: 1 USDC.", cast.give(&provider))
        .await?;
    stage
        .step(
            "The agent pays the bill out of the mandate.",
            desk.paid_by_mandate(board, &cast, &mandate, &second),
        )
        .await?;
    stage.step("The tenant's log tells it all.", desk.log([&first, &second])).await?;
    Ok(Outcome { tenant, bills: [first, second] })
}

fn deviates<T>(what: impl Into<String>) -> Result<T, Deviation> {
    Err(Deviation::Seen(what.into()))
}

fn parsed<T: core::str::FromStr<Err = impl core::fmt::Display>>(text: &str) -> Result<T, Deviation> {
    text.parse().map_err(|why| Deviation::Seen(format!("{text} {why}")))
}

async fn open(
    board: &Guildhall,
    operator: Option<&str>,
    provider: &Signer,
) -> Result<((String, ApiKey), String), Deviation> {
    let pay_to = Some(provider.address().to_string());
    let opened =
        board.open_tenant(operator, &OpenTenant { name: "Demonstration".to_owned(), pay_to }).await?;
    let told = format!("tenant {}, key {}…", opened.tenant.tenant, opened.key.prefix);
    Ok(((opened.tenant.tenant, parsed(&opened.api_key)?), told))
}

/// Where the provider works.
struct Desk {
    metering: Metering,
    agent: AgentName,
    service: ServiceName,
}

impl Desk {
    async fn register(&self) -> Result<((), String), Deviation> {
        let [first, then] = PRICES.map(str::to_owned);
        let tiers = vec![
            TierBody { up_to: Some(TIER.to_owned()), price: first },
            TierBody { up_to: None, price: then },
        ];
        let wanted = NewService {
            service_id: SERVICE.to_owned(),
            pricing: Some(PricingBody::Graduated { tiers }),
            unit: Some("page".to_owned()),
            ..NewService::default()
        };
        let service = self.metering.register(&wanted).await?;
        Ok(((), format!("{}, price version {}", service.service_id, service.price.version)))
    }

    async fn count(&self) -> Result<(UsageBody, String), Deviation> {
        let one = || used(&self.agent, &self.service, Quantity::whole(1));
        let event = one()?;
        self.metering.record(&event).await?;
        let bulk: Vec<_> = core::iter::repeat_with(one).take(BULK).collect::<Result<_, _>>()?;
        let answer = self.metering.record_many(&bulk).await?;
        if usize::try_from(answer.recorded) != Ok(BULK) {
            return deviates(format!("{} of {BULK} events count", answer.recorded));
        }
        Ok((event, format!("{} recorded in one bulk", answer.recorded)))
    }

    async fn repeat(&self, event: &UsageBody) -> Result<((), String), Deviation> {
        let answer = self.metering.record(event).await?;
        if answer.status != UsageStatus::Duplicate {
            return deviates(format!("it is {}", name(answer.status)));
        }
        Ok(((), format!("{}, {} pages are open", name(answer.status), answer.total)))
    }

    async fn quote(&self) -> Result<((), String), Deviation> {
        let bill = self.metering.bill(&self.agent, &self.service).await?;
        due(&bill.amount, FIRST_BILL)?;
        Ok(((), format!("{} pages, {}", bill.quantity, shown(&bill.amount))))
    }

    async fn draw(&self, amount: &str) -> Result<(SettlementId, String), Deviation> {
        let bill = self.metering.settle(&self.agent, &self.service, &fresh_message_id()?).await?.answer;
        due(&bill.amount, amount)?;
        let told = format!("number {}: {}, bill {}", bill.number, shown(&bill.amount), bill.id);
        Ok((parsed(&bill.id)?, told))
    }

    async fn paid_with_x402(
        &self,
        board: &Guildhall,
        payer: &Signer,
        bill: &SettlementId,
    ) -> Result<((), String), Deviation> {
        let paid = board.pay_bill(payer, &Budget::usdc_on_base_sepolia(MOST), bill).await?;
        let verified = verified(board, paid.bill).await?;
        let transaction = paid.receipt.map(|receipt| receipt.transaction).unwrap_or_default();
        Ok(((), format!("{}, transaction {}", name(verified.status), printable(&transaction))))
    }

    async fn use_more(&self) -> Result<((), String), Deviation> {
        let answer = self.metering.record(&used(&self.agent, &self.service, Quantity::whole(MORE))?).await?;
        Ok(((), format!("{} pages are open", answer.total)))
    }

    async fn paid_by_mandate(
        &self,
        board: &Guildhall,
        cast: &Cast,
        mandate: &Mandate,
        bill: &SettlementId,
    ) -> Result<((), String), Deviation> {
        let agent = cast.ledger.agent(&cast.agent);
        let verified = verified(board, agent.pay_bill(hash(&mandate.mandate)?, bill).await?).await?;
        let left = cast.ledger.mandate(hash(&mandate.mandate)?).await?;
        if left.spent.lifetime != verified.amount || left.reservations != 0 {
            return deviates(format!("the mandate has spent {}", left.spent.lifetime));
        }
        Ok(((), format!("{}, {} are left in the mandate", name(verified.status), shown(&left.funds.balance))))
    }

    /// The log follows the meters; it is looked at until both payments stand there.
    async fn log(&self, bills: [&SettlementId; 2]) -> Result<((), String), Deviation> {
        let filter = EventFilter { kind: Some("usage.settled".to_owned()), ..EventFilter::default() };
        loop {
            let lines = self.metering.events(&filter, &Page::default()).await?.events;
            if lines.len() == bills.len() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let summary = self.metering.event_summary().await?;
        let words: Vec<_> = summary.by_type.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        Ok(((), printable(&words.join(", "))))
    }
}

fn due(amount: &str, expected: &str) -> Result<(), Deviation> {
    if amount == expected {
        Ok(())
    } else {
        deviates(format!("it comes to {amount}, and {expected} is right"))
    }
}

/// A bill that is being paid, once it is.
async fn verified(board: &Guildhall, mut bill: SettlementView) -> Result<SettlementView, Deviation> {
    loop {
        match bill.status {
            SettlementStatus::Verified => return Ok(bill),
            SettlementStatus::Drafted | SettlementStatus::Submitted => {
                tokio::time::sleep(PAUSE).await;
                bill = board.bill(&parsed(&bill.id)?).await?;
            }
            SettlementStatus::Failed | SettlementStatus::WrittenOff => {
                let reason = bill.failure.map(|failure| printable(&failure.reason)).unwrap_or_default();
                return deviates(format!("the bill is {}: {reason}", name(bill.status)));
            }
        }
    }
}

/// The mandate's parties. The keys are made for the run.
struct Cast {
    ledger: Mandates,
    owner: Signer,
    agent: Signer,
}

impl Cast {
    async fn give(&self, provider: &Signer) -> Result<(Mandate, String), Deviation> {
        let creation = CreateMandate {
            salt: None,
            owner_kind: SignerKind::Ecdsa,
            agent_kind: SignerKind::Ecdsa,
            label: Some("demonstration of metering".to_owned()),
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
                approval_above: None,
                terms: TermsBody::default(),
            },
            // Bills of this provider alone.
            entries: vec![EntryBody {
                recipient: Some(provider.address().to_string()),
                service: Some("meter.usage".to_owned()),
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
}

fn hash(text: &str) -> Result<B256, Deviation> {
    text.parse().map_err(|_| Deviation::Seen(format!("{text} is no hash")))
}
