//! What an agent does with the tenants that meter what it uses: pays their bills with its own signature, and lets them reserve.

use api::wire::metering::{AccountView, OfferBody, PayFromMandateBody, SettlementView, TransactionBody};
use eip712::B256;
use primitives::{AgentName, SettlementId, TenantId};
use reqwest::Method;

use super::Agent;
use crate::{Error, metering};

impl Agent<'_> {
    /// Pays a bill out of a mandate of this agent, which has to allow the tenant's address as recipient of `meter.usage`.
    /// The same again is the same.
    ///
    /// # Errors
    /// [`Error::Refused`]: `not_party` when the key is not the mandate's agent's, a mandate that does not allow it, a bill
    /// that is paid otherwise; [`Error::Unresolved`] when it is not known whether it was paid: ask again; and what every
    /// call can meet.
    pub async fn pay_bill(&self, mandate: B256, settlement: &SettlementId) -> Result<SettlementView, Error> {
        let path = format!("v1/settlements/{settlement}/mandate");
        let body = PayFromMandateBody { mandate: mandate.to_string() };
        let call = self.0.ledger.transport.post("paying the bill out of the mandate", &path, &body)?;
        Ok(self.0.move_money(&call, &metering::name(settlement)?).await?.answer)
    }

    /// Says that a transaction of this account's has paid a bill. It is looked for on the chain; until it is final there, the
    /// bill is `submitted`. Nobody else's word is taken, for everybody sees the chain.
    ///
    /// # Errors
    /// [`Error::Refused`]: `transaction_unsupported` where the board reads no chain, `transaction_used` for one that has paid
    /// something else, a bill that is paid otherwise; and what every call can meet.
    pub async fn report_transaction(
        &self,
        settlement: &SettlementId,
        transaction: B256,
    ) -> Result<SettlementView, Error> {
        const SAYING: &str = "saying which transaction has paid the bill";
        let path = format!("v1/settlements/{settlement}/transaction");
        let payer = self.0.signer.address().to_string();
        let body = TransactionBody { transaction: transaction.to_string(), payer };
        let call = self.0.ledger.transport.post(SAYING, &path, &body)?;
        self.0.ledger.transport.patiently_as(&call, &self.0).await?.read(SAYING)
    }

    /// Offers a mandate of this agent to a tenant, which may from then on have it hold money for what the tenant knows as
    /// `name`.
    ///
    /// # Errors
    /// [`Error::Refused`]: `not_party` when the key is not the mandate's agent's, an agent that another account has offered
    /// for; and what every call can meet.
    pub async fn offer_mandate(
        &self,
        tenant: &TenantId,
        name: &AgentName,
        mandate: B256,
    ) -> Result<AccountView, Error> {
        const OFFERING: &str = "offering the mandate";
        let path = format!("v1/tenants/{tenant}/agents/{name}/mandate");
        let body = OfferBody { mandate: mandate.to_string() };
        let call = self.0.ledger.transport.with_body(OFFERING, Method::PUT, &path, &body)?;
        self.0.ledger.transport.patiently_as(&call, &self.0).await?.read(OFFERING)
    }
}
