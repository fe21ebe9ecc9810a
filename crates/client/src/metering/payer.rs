//! What whoever pays a bill does. The bill's id is all that it takes to look and to pay.

use api::wire::metering::{SettlementStatus, SettlementView};
use eip712::Signer;
use primitives::SettlementId;
use x402::{PaymentPayload, PaymentRequired, SettleResponse};

use super::name;
use crate::{Budget, Error, Guildhall, transport::Nobody};

const PAYING: &str = "paying the bill";

/// A bill that was paid with x402.
#[derive(Debug, Clone)]
pub struct BillPaid {
    /// The bill.
    pub bill: SettlementView,
    /// What became of the payment; none when the bill had been paid before, which charges nobody.
    pub receipt: Option<SettleResponse>,
    /// How often the payment was sent: never, when the bill had been paid before.
    pub attempts: u32,
}

/// What a bill asks of whoever would pay it with x402.
#[derive(Debug, Clone)]
pub enum BillAsked {
    /// A payment, like this.
    Due(Box<PaymentRequired>),
    /// Nothing: it is paid.
    Paid(Box<SettlementView>),
}

impl Guildhall {
    /// A bill.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404`, and what every call can meet.
    pub async fn bill(&self, settlement: &SettlementId) -> Result<SettlementView, Error> {
        let call = self.transport.get("reading the bill", &format!("v1/settlements/{settlement}"))?;
        self.transport.patiently(&call).await?.read(call.operation)
    }

    /// Asks how a bill is paid with x402, by paying nothing.
    ///
    /// # Errors
    /// [`Error::Refused`] with `409` when the bill can no longer be paid, [`Error::OutsideContract`] when the board names
    /// no price for one that is not paid, and what every call can meet.
    pub async fn challenge_bill(&self, settlement: &SettlementId) -> Result<BillAsked, Error> {
        const ASKING: &str = "asking what the bill comes to";
        let outside = |why: String| Error::OutsideContract { operation: ASKING, why };
        let call = self.transport.post(ASKING, &path(settlement), &api::wire::EmptyBody {})?;
        match self.transport.patiently(&call).await {
            Err(Error::Refused(refused)) if refused.status == 402 => {
                let unreadable = || outside("402 without a readable PAYMENT-REQUIRED header".to_owned());
                let asked = refused.asked.ok_or_else(unreadable)?;
                Ok(BillAsked::Due(Box::new(asked)))
            }
            Err(error) => Err(error),
            Ok(answer) => {
                let bill: SettlementView = answer.read(ASKING)?;
                if bill.status == SettlementStatus::Verified {
                    return Ok(BillAsked::Paid(Box::new(bill)));
                }
                Err(outside("a bill that is not paid, and no price; it must be 402".to_owned()))
            }
        }
    }

    /// Pays a bill: asks for its price, checks it against the budget, signs, and sends the same payment as long as its
    /// outcome is not known. A bill that is paid already is given back as it is, and nothing is signed.
    ///
    /// # Errors
    /// [`Error::Terms`] when the price is not within the budget (nothing was signed); [`Error::Refused`] when the board
    /// says no for good; [`Error::Unresolved`] when the outcome is still not known at the end.
    pub async fn pay_bill(
        &self,
        signer: &Signer,
        budget: &Budget,
        settlement: &SettlementId,
    ) -> Result<BillPaid, Error> {
        let asked = match self.challenge_bill(settlement).await? {
            BillAsked::Due(asked) => asked,
            BillAsked::Paid(bill) => return Ok(BillPaid { bill: *bill, receipt: None, attempts: 0 }),
        };
        let payment = self.sign(signer, budget, &asked)?;
        self.pay_bill_with(settlement, &payment).await
    }

    /// Pays a bill with a payment that was signed before, and repeats it as long as its outcome is not known.
    ///
    /// # Errors
    /// As [`Guildhall::pay_bill`].
    pub async fn pay_bill_with(
        &self,
        settlement: &SettlementId,
        payment: &PaymentPayload,
    ) -> Result<BillPaid, Error> {
        let call = self.transport.post(PAYING, &path(settlement), &api::wire::EmptyBody {})?;
        let (answer, attempts) =
            self.transport.until_known(&call.paying(payment)?, &name(settlement)?, &Nobody).await?;
        Ok(BillPaid { bill: answer.read(PAYING)?, receipt: answer.receipt(), attempts })
    }
}

fn path(settlement: &SettlementId) -> String {
    format!("v1/settlements/{settlement}/pay")
}
