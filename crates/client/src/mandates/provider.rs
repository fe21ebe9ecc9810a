//! What those do who are paid, and who decide: providers and resolvers.

use api::wire::{DeliverBody, EmptyBody, Payment, ResolveBody, SignatureBody, TotalBody};
use eip712::B256;
use primitives::BaseUnits;

use super::account::Account;
use crate::Error;

/// A provider, by the key of the address that is paid.
#[derive(Debug, Clone, Copy)]
pub struct Provider<'a>(pub(super) Account<'a>);

/// A resolver of disputes, by its key.
#[derive(Debug, Clone, Copy)]
pub struct Resolver<'a>(pub(super) Account<'a>);

impl Provider<'_> {
    /// Says that the work is done. The owner may dispute it within the terms' challenge period. `receipt` is a hash that
    /// means something to the parties.
    ///
    /// # Errors
    /// [`Error::Refused`] when where the payment stands or the time does not allow it, and what every call can meet.
    pub async fn deliver(&self, payment: &Payment, receipt: B256) -> Result<Payment, Error> {
        let body = DeliverBody { receipt_hash: receipt.to_string(), signature: None };
        self.0.act("delivering", payment, "deliver", &body).await
    }

    /// Takes a part after the challenge period: `total` is what was taken in all, then.
    ///
    /// # Errors
    /// As [`Provider::deliver`].
    pub async fn capture(&self, payment: &Payment, total: BaseUnits) -> Result<Payment, Error> {
        self.0.act("capturing", payment, "capture", &total_of(total)).await
    }

    /// Takes all that is held, after the challenge period.
    ///
    /// # Errors
    /// As [`Provider::deliver`].
    pub async fn claim(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("claiming the payment", payment, "claim", &EmptyBody {}).await
    }

    /// Gives back all that is held.
    ///
    /// # Errors
    /// As [`Provider::deliver`].
    pub async fn void(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("voiding the payment", payment, "void", &SignatureBody { signature: None }).await
    }

    /// Gives back what was paid: `total` is what was given back in all, then.
    ///
    /// # Errors
    /// As [`Provider::deliver`].
    pub async fn refund(&self, payment: &Payment, total: BaseUnits) -> Result<Payment, Error> {
        self.0.act("refunding", payment, "refund", &total_of(total)).await
    }
}

impl Resolver<'_> {
    /// Decides a dispute: `to_provider` to the provider, the rest back.
    ///
    /// # Errors
    /// [`Error::Refused`] when this is not the resolver or the time is over, and what every call can meet.
    pub async fn resolve(&self, payment: &Payment, to_provider: BaseUnits) -> Result<Payment, Error> {
        let body = ResolveBody { to_provider: to_provider.to_string(), signature: None };
        self.0.act("resolving the dispute", payment, "resolve", &body).await
    }
}

fn total_of(total: BaseUnits) -> TotalBody {
    TotalBody { total: total.to_string(), signature: None }
}
