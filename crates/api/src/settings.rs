//! How a deployment is set up, read from its variables. Anything wrong is named; nothing falls back silently.

mod facilitator;
mod ledger;
mod metering;
mod runs;
mod site;
mod till;

use primitives::{BaseUnits, Millis};

pub use facilitator::Facilitator;
pub use ledger::Ledger;
pub use metering::Metering;
pub use runs::{Credential, Observer, PaymentChain, Rpc, RunSettlement, Runs};
pub use site::Site;

use crate::limits;
use crate::paywall::{Offer, posting};

/// Where a variable comes from: its value by its name, if it is set.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The set-up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the posting of a gig costs, and where the money goes.
    pub posting: Offer,
    /// Who settles.
    pub facilitator: Facilitator,
    /// How long the facilitator may take.
    pub facilitator_timeout: Millis,
    /// How long a claim waits for its worker.
    pub claim_timeout: Millis,
    /// How long a delivery waits for the buyer.
    pub review_window: Millis,
    /// What one party may send through a tunnel.
    pub tunnel: TunnelRates,
    /// Where owners sign in, if they can.
    pub site: Option<Site>,
    /// What mandates are kept and signed for, if they are kept here: as nobody owns anything without a site.
    pub ledger: Option<Ledger>,
    /// The contract `Mandates` whose mandates are mirrored, if any are.
    pub contract: Option<Ledger>,
    /// How purchase runs are set up.
    pub runs: Runs,
    /// The chain of the till's token, where bills that a transaction pays are looked at, if there is a node to ask.
    pub bills: Option<PaymentChain>,
    /// How metering is set up, or what it lacks. Without it nothing is metered.
    pub metering: Result<Metering, String>,
    /// Whether money is real here.
    pub environment: Environment,
}

/// Messages and bytes per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TunnelRates {
    /// Messages per second.
    pub messages: u64,
    /// Bytes per second.
    pub bytes: u64,
}

impl Settings {
    /// Reads the set-up.
    ///
    /// # Errors
    /// The first variable that is wrong, and what it must be.
    pub fn read(read: Read<'_>) -> Result<Self, String> {
        let environment = Environment::read(read);
        let facilitator = Facilitator::read(read, environment)?;
        let till = till::read(read, environment)?;
        let site = site::read(read, environment, &till.asset)?;
        let ledger = site.as_ref().map(|site| Ledger::of(site, &till.asset)).transpose()?;
        let contract = match (&ledger, read("MANDATES_CONTRACT")) {
            (Some(ledger), Some(address)) => Some(ledger.contract(&address)?),
            (None, Some(_)) => {
                return Err("MANDATES_CONTRACT needs SITE_ORIGIN, where its owners sign in".to_owned());
            }
            (_, None) => None,
        };
        let maximum = u64::try_from(limits::FEE_MAX).unwrap_or(u64::MAX);
        let fee = number(read, "POSTING_FEE", 10_000, 1, maximum)?;
        let seconds = |name, default| number(read, name, default, 1, 7_200).map(Millis::from_seconds);
        let rate = |name, default| number(read, name, default, 1, 1_000_000_000);
        let runs = runs::read(read, environment)?;
        let bills = runs::bills(read, environment, &runs, &till.asset)?;
        Ok(Self {
            posting: posting(till, BaseUnits(u128::from(fee))),
            facilitator,
            facilitator_timeout: Millis(number(read, "FACILITATOR_TIMEOUT_MS", 3_000, 10, 30_000)?),
            claim_timeout: seconds("CLAIM_TIMEOUT_SECONDS", 300)?,
            review_window: seconds("REVIEW_WINDOW_SECONDS", 600)?,
            tunnel: TunnelRates {
                messages: rate("TUNNEL_MESSAGES_PER_SECOND", 1_000)?,
                bytes: rate("TUNNEL_BYTES_PER_SECOND", 8_388_608)?,
            },
            site,
            ledger,
            contract,
            runs,
            bills,
            metering: metering::read(read, environment)?,
            environment,
        })
    }
}

/// Whether money is real here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// It is not.
    Development,
    /// It is.
    Production,
}

impl Environment {
    /// Anything that does not say that it is production is development.
    fn read(read: Read<'_>) -> Self {
        match read("ENVIRONMENT").as_deref() {
            Some("production") => Self::Production,
            Some(_) | None => Self::Development,
        }
    }
}

/// Whether tests may ask for faults. Never in production.
pub fn hooks_enabled(read: Read<'_>) -> bool {
    Environment::read(read) == Environment::Development && read("TEST_HOOKS").as_deref() == Some("enabled")
}

fn number(read: Read<'_>, name: &str, default: u64, min: u64, max: u64) -> Result<u64, String> {
    let Some(text) = read(name) else { return Ok(default) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| digits && (min..=max).contains(number))
        .ok_or_else(|| format!("{name} must be a whole number from {min} to {max}"))
}

#[cfg(test)]
mod tests;
