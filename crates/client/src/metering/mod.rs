//! Metering: a tenant counts what agents use of its services, bills it, and is paid.
//!
//! ```no_run
//! # async fn example(signer: client::Signer, key: client::metering::ApiKey) -> Result<(), client::Error> {
//! use client::{AgentName, BaseUnits, Budget, Guildhall, ServiceName, SettlementId, fresh_message_id, metering::{Quantity, used}};
//!
//! # let (agent, service): (AgentName, ServiceName) = ("alice".parse().unwrap(), "translate".parse().unwrap());
//! let board = Guildhall::new("http://127.0.0.1:8787")?;
//! let metering = board.metering(key);
//! metering.record(&used(&agent, &service, Quantity::whole(3))?).await?;
//! let bill = metering.settle(&agent, &service, &fresh_message_id()?).await?.answer;
//! // Whoever knows the bill's id may pay it, here with at most 0.01 USDC.
//! # let id: SettlementId = bill.id.parse().unwrap();
//! board.pay_bill(&signer, &Budget::usdc_on_base_sepolia(BaseUnits(10_000)), &id).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Whoever holds a tenant's key acts for it: [`Metering`]. Bills are shown to and paid by whoever knows their id
//! ([`Guildhall::bill`], [`Guildhall::pay_bill`]), and out of a mandate by its agent
//! ([`crate::mandates::Agent::pay_bill`]).
//!
//! What the SDK promises of metering:
//! - An event has an id before it is sent, and an answer that is lost is asked for again under it: it counts once.
//! - One message id draws up one bill, and makes one reservation.
//! - A key is sent to the board alone, and is shown by nothing here.

mod account;
mod billing;
mod keys;
mod log;
mod payer;
mod reserving;
mod services;
#[cfg(test)]
mod tests;
mod usage;
mod webhooks;

use core::str::FromStr;

use api::wire::{
    EmptyBody,
    metering::{OpenTenant, TenantOpened, TenantView},
};
use primitives::{MessageId, SettlementId};
use reqwest::{Method, Url};
use serde::{Serialize, de::DeserializeOwned};
pub use tariff::{Quantity, UnitPrice};

pub use billing::SettlementFilter;
pub use log::EventFilter;
pub use payer::{BillAsked, BillPaid};
pub use services::ServiceFilter;
pub use usage::{ExportFormat, used};

use crate::{
    Error, Guildhall, Recorded, entropy,
    transport::{Call, Nobody, Transport},
};

/// The key of a tenant. Nothing shows it.
#[derive(Clone)]
pub struct ApiKey(String);

impl FromStr for ApiKey {
    type Err = String;

    /// Only the form of its beginning is checked; what is wrong is said without repeating any of it.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_key = ["gld_test_", "gld_live_"].iter().any(|prefix| text.starts_with(prefix));
        if is_key && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            Ok(Self(text.to_owned()))
        } else {
            Err("is none: it begins with gld_test_ or gld_live_, and letters and digits follow".to_owned())
        }
    }
}

impl core::fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("ApiKey")
    }
}

/// A page of a list.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// How many.
    pub limit: Option<u32>,
    /// Where it begins, as the page before said.
    pub cursor: Option<String>,
}

impl Page {
    fn write_to(&self, url: &mut Url) {
        put(url, "limit", self.limit);
        put(url, "cursor", self.cursor.as_ref());
    }
}

/// The metering of a board, as one tenant. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metering {
    transport: Transport,
    key: ApiKey,
}

impl Guildhall {
    /// Opens a tenant, with the operator's token where the board asks for one. The answer has its first key, which is shown
    /// once. An answer that is lost costs nothing: another tenant is opened.
    ///
    /// # Errors
    /// [`Error::Refused`] with `401` when the board asks for its operator, and what every call can meet.
    pub async fn open_tenant(
        &self,
        operator: Option<&str>,
        wanted: &OpenTenant,
    ) -> Result<TenantOpened, Error> {
        const OPENING: &str = "opening the tenant";
        let mut call = self.transport.post(OPENING, "v1/tenants", wanted)?;
        if let Some(token) = operator {
            call = call.bearing(token)?;
        }
        self.transport.patiently(&call).await?.read(OPENING)
    }

    /// What the holder of a tenant's key does. Nothing is sent yet.
    pub fn metering(&self, key: ApiKey) -> Metering {
        Metering { transport: self.transport.clone(), key }
    }
}

impl Metering {
    /// The tenant whose key this is.
    ///
    /// # Errors
    /// [`Error::Refused`]: `401` for a key that does not open anything (any more); and what every call can meet.
    pub async fn tenant(&self) -> Result<TenantView, Error> {
        self.get("asking which tenant it is", "v1/tenant", |_| {}).await
    }

    async fn get<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
        query: impl FnOnce(&mut Url),
    ) -> Result<T, Error> {
        let mut call = self.transport.get(operation, path)?;
        query(&mut call.url);
        self.transport.patiently(&self.keyed(call)?).await?.read(operation)
    }

    /// Says something that is the same however often it is said.
    async fn say<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Error> {
        let call = self.transport.with_body(operation, method, path, body)?;
        self.transport.patiently(&self.keyed(call)?).await?.read(operation)
    }

    /// Says something once for all its attempts, under an id that nobody has used before.
    async fn say_once<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Error> {
        let call = self.transport.with_body(operation, method, path, body)?;
        let call = self.keyed(call.once_as(&entropy::fresh_message_id()?)?)?;
        self.transport.patiently(&call).await?.read(operation)
    }

    /// Has something done that needs no more words, and that is the same however often it is done.
    async fn act<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        method: Method,
        path: &str,
    ) -> Result<T, Error> {
        if method == Method::POST {
            return self.say(operation, method, path, &EmptyBody {}).await;
        }
        let call = Call { method, ..self.transport.get(operation, path)? };
        self.transport.patiently(&self.keyed(call)?).await?.read(operation)
    }

    /// Does something once under `id`.
    async fn once<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
        body: &impl Serialize,
        id: &MessageId,
    ) -> Result<Recorded<T>, Error> {
        let call = self.keyed(self.transport.post(operation, path, body)?.once_as(id)?)?;
        let (answer, _) = self.transport.until_known(&call, id, &Nobody).await?;
        Ok(Recorded { answer: answer.read(operation)?, replayed: answer.replayed() })
    }

    fn keyed(&self, call: Call) -> Result<Call, Error> {
        call.bearing(&self.key.0)
    }
}

/// A bill's id as the name of what is done with it.
pub(crate) fn name(settlement: &SettlementId) -> Result<MessageId, Error> {
    settlement.as_str().parse().map_err(|why| Error::Address(format!("{settlement} {why}")))
}

fn put(url: &mut Url, name: &str, value: Option<impl ToString>) {
    if let Some(value) = value {
        url.query_pairs_mut().append_pair(name, &value.to_string());
    }
}
