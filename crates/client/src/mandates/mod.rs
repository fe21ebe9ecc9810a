//! Mandates: an owner gives an agent a budget, the agent pays out of it, providers are paid.
//!
//! ```no_run
//! # async fn example(key: client::Signer, mandate: client::B256, provider: client::Address) -> Result<(), client::Error> {
//! use core::time::Duration;
//!
//! use client::{BaseUnits, Guildhall, mandates::{Requested, Wish}};
//!
//! let ledger = Guildhall::new("http://127.0.0.1:8787")?.mandates(84_532).await?;
//! let agent = ledger.agent(&key);
//! let service = client::service_id("api.example.com/translate").unwrap_or_default();
//! let wish = Wish::new(mandate, provider, service, BaseUnits(1_500_000))?;
//! if let Requested::Made(payment) = agent.request(&wish).await? {
//!     // Above the threshold the owner approves it; then it is submitted.
//!     let payment = agent.wait_for_approval(&payment, Duration::from_secs(600)).await?;
//!     println!("{:?}", payment.progress);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Each seat has its own type: [`Owner`], [`Agent`], [`Provider`] and [`Resolver`]. What is public needs none. All that a
//! seat sends carries a fresh HTTP message signature (RFC 9421 with ERC-8128); requests and approvals are signed besides
//! as what they are (EIP-712), in a domain whose chain the caller names and not the board.

mod account;
mod agent;
mod list;
mod message;
mod metering;
mod owner;
mod provider;
mod run;
mod wish;

#[cfg(test)]
pub(crate) mod tests;

use api::wire::{BudgetAnswer, EntriesAnswer, Mandate, Payment, StatusReport};
use eip712::{Address, B256, Domain, Signer};

pub use agent::{Agent, Requested};
pub use list::{ActivityFilter, Page, Standing};
pub use owner::Owner;
pub use provider::{Provider, Resolver};
pub use wish::Wish;

use crate::{Error, Guildhall, transport::Transport};
use account::Account;

/// The ledger of a board, on the chain that the caller named. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mandates {
    transport: Transport,
    domain: Domain,
    token: Address,
}

impl Guildhall {
    /// The board's mandates. Asks once what they are signed for, and signs for nothing but `chain_id` (EIP-155) from then
    /// on.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the board is on another chain or its ledger has another domain; and what every call
    /// can meet.
    pub async fn mandates(&self, chain_id: u64) -> Result<Mandates, Error> {
        const ASKING: &str = "asking what the board's mandates are signed for";
        let call = self.transport.get(ASKING, "v1/status")?;
        let status: StatusReport = self.transport.patiently(&call).await?.read(ASKING)?;
        let ledger = message::address(&status.ledger).map_err(outside(ASKING))?;
        let token = message::address(&status.token).map_err(outside(ASKING))?;
        let domain = eip712::mandates::domain(chain_id, ledger);
        let shown = &status.eip712_domain;
        let contract = message::address(&shown.verifying_contract).map_err(outside(ASKING))?;
        if status.chain_id != chain_id || shown.chain_id != chain_id {
            let why = format!("the board is on chain {}, and chain {chain_id} is asked for", status.chain_id);
            return Err(outside(ASKING)(why));
        }
        if (shown.name.as_str(), shown.version.as_str()) != (&domain.name, &domain.version)
            || contract != ledger
        {
            let why =
                format!("{:?} {:?} at {contract} is not the domain of a ledger", shown.name, shown.version);
            return Err(outside(ASKING)(why));
        }
        Ok(Mandates { transport: self.transport.clone(), domain, token })
    }
}

impl Mandates {
    /// What an owner does, with the owner's key.
    pub const fn owner<'a>(&'a self, signer: &'a Signer) -> Owner<'a> {
        Owner(Account { ledger: self, signer })
    }

    /// What an agent does, with the agent's key.
    pub const fn agent<'a>(&'a self, signer: &'a Signer) -> Agent<'a> {
        Agent(Account { ledger: self, signer })
    }

    /// What a provider does, with the key of the address that is paid.
    pub const fn provider<'a>(&'a self, signer: &'a Signer) -> Provider<'a> {
        Provider(Account { ledger: self, signer })
    }

    /// What a resolver of disputes does, with its key.
    pub const fn resolver<'a>(&'a self, signer: &'a Signer) -> Resolver<'a> {
        Resolver(Account { ledger: self, signer })
    }

    /// What is signed for: the chain, and the address in the contract's place.
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The token of every mandate here.
    pub const fn token(&self) -> Address {
        self.token
    }

    /// A mandate as everybody sees it.
    ///
    /// # Errors
    /// [`Error::Refused`] with `unknown_mandate`; [`Error::OutsideContract`] when it is of another ledger; and what every
    /// call can meet.
    pub async fn mandate(&self, mandate: B256) -> Result<Mandate, Error> {
        let call = self.transport.get(READING, &format!("v1/mandates/{mandate}"))?;
        self.ours(READING, self.transport.patiently(&call).await?.read(READING)?)
    }

    /// A page of whom a mandate's agent may pay for what.
    ///
    /// # Errors
    /// As [`Mandates::mandate`].
    pub async fn entries(&self, mandate: B256, page: &Page) -> Result<EntriesAnswer, Error> {
        let mut call = self.transport.get(READING, &format!("v1/mandates/{mandate}/entries"))?;
        page.write_to(&mut call.url);
        self.transport.patiently(&call).await?.read(READING)
    }

    /// What could still be authorized: over all, or for one provider and service (see [`crate::service_id`]).
    ///
    /// # Errors
    /// As [`Mandates::mandate`].
    pub async fn budget(&self, mandate: B256, of: Option<(Address, B256)>) -> Result<BudgetAnswer, Error> {
        let mut call = self.transport.get(READING, &format!("v1/mandates/{mandate}/budget"))?;
        if let Some((recipient, service)) = of {
            let (recipient, service) = (recipient.to_string(), service.to_string());
            call.url.query_pairs_mut().append_pair("recipient", &recipient).append_pair("service", &service);
        }
        self.transport.patiently(&call).await?.read(READING)
    }

    /// A payment as everybody sees it.
    ///
    /// # Errors
    /// [`Error::Refused`] with `unknown_request`; [`Error::OutsideContract`] when it is another payment; and what every
    /// call can meet.
    pub async fn payment(&self, payment: B256) -> Result<Payment, Error> {
        let call = self.transport.get(READING, &format!("v1/payments/{payment}"))?;
        let answer = self.transport.patiently(&call).await?.read(READING)?;
        message::is_of(&answer, payment).map_err(outside(READING))?;
        Ok(answer)
    }

    /// The mandate, if it is one that is signed for as we sign.
    fn ours(&self, operation: &'static str, mandate: Mandate) -> Result<Mandate, Error> {
        let ledger = message::address(&mandate.ledger).map_err(outside(operation))?;
        let token = message::address(&mandate.token).map_err(outside(operation))?;
        let found = (mandate.chain_id, ledger, token);
        if found != (self.domain.chain_id, self.domain.verifying_contract, self.token) {
            let why =
                format!("it is a mandate of chain {}, ledger {ledger} and token {token}", mandate.chain_id);
            return Err(outside(operation)(why));
        }
        Ok(mandate)
    }
}

const READING: &str = "reading from the ledger";

/// What an answer that is not as it must be becomes.
fn outside(operation: &'static str) -> impl Fn(String) -> Error {
    move |why| Error::OutsideContract { operation, why }
}
