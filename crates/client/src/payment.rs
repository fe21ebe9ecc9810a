//! Paying a board: what we agree to pay, and posting until the outcome is known.

use api::wire::{CreateAnswer, Envelope, TaskDelegation};
use eip712::{Address, Signer};
use primitives::{AgentIdentity, BaseUnits, MessageId};
use reqwest::header::HeaderValue;
use x402::{PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse};

use crate::{
    Error, Guildhall,
    answer::Answer,
    entropy,
    transport::{Call, Nobody},
};

const POSTING: &str = "posting the gig";
const CREATE: &str = "v1/gigs/create";

/// A gig to be posted. Posting the same order again, with the same or with another payment, is asking for the same
/// gig: keep it, or at least its message id, until it is answered.
#[derive(Debug, Clone)]
pub struct Order {
    /// The sender's own name for this order; never used for another one.
    pub message_id: MessageId,
    /// How the buyer names itself.
    pub sender: AgentIdentity,
    /// The gig.
    pub task: TaskDelegation,
}

/// What a buyer is willing to pay for a posting.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The chain (CAIP-2).
    pub network: String,
    /// The token's contract on that chain.
    pub asset: Address,
    /// The most, in base units of the token.
    pub at_most: BaseUnits,
    /// Who may be paid; `None` for whomever the board names.
    pub pay_to: Option<Address>,
}

impl Budget {
    /// The longest time, in seconds, for which we sign a payment: a board that sits on one can use it until then.
    pub const LONGEST_WINDOW_SECONDS: u64 = 3_600;

    /// A budget in USDC on Base Sepolia, the network that the board publishes. 10,000 base units are 0.01 USDC.
    pub fn usdc_on_base_sepolia(at_most: BaseUnits) -> Self {
        Self {
            network: "eip155:84532".to_owned(),
            asset: Address::new([
                0x03, 0x6c, 0xbd, 0x53, 0x84, 0x2c, 0x54, 0x26, 0x63, 0x4e, 0x79, 0x29, 0x54, 0x1e, 0xc2,
                0x31, 0x8f, 0x3d, 0xcf, 0x7e,
            ]),
            at_most,
            pay_to: None,
        }
    }

    /// The cheapest of the offers that we accept.
    ///
    /// # Errors
    /// [`TermsRefused`], which says of each offer why not.
    pub fn choose<'a>(&self, asked: &'a PaymentRequired) -> Result<&'a PaymentRequirements, TermsRefused> {
        if asked.x402_version != 2 {
            return Err(TermsRefused {
                objections: vec![format!("the board speaks x402 version {}, we speak 2", asked.x402_version)],
            });
        }
        let mut objections = Vec::new();
        let mut cheapest: Option<(BaseUnits, &PaymentRequirements)> = None;
        for offer in &asked.accepts {
            match self.price_of(offer) {
                Ok(price) if cheapest.is_none_or(|(lowest, _)| price < lowest) => {
                    cheapest = Some((price, offer))
                }
                Ok(_) => {}
                Err(objection) => objections.push(objection),
            }
        }
        if asked.accepts.is_empty() {
            objections.push("the board offers no way to pay".to_owned());
        }
        cheapest.map(|(_, offer)| offer).ok_or(TermsRefused { objections })
    }

    /// The price of an offer that we accept, or why we do not.
    fn price_of(&self, offer: &PaymentRequirements) -> Result<BaseUnits, String> {
        if offer.scheme != "exact" {
            return Err(format!("scheme {:?} is not \"exact\"", offer.scheme));
        }
        if offer.network != self.network {
            return Err(format!("network {:?} is not {:?}", offer.network, self.network));
        }
        if offer.asset.parse() != Ok(self.asset) {
            return Err(format!("asset {} is not {}", offer.asset, self.asset));
        }
        if let Some(payee) = self.pay_to
            && offer.pay_to.parse() != Ok(payee)
        {
            return Err(format!("payee {} is not {payee}", offer.pay_to));
        }
        // A flow or a transfer method that we do not know may charge at another moment or in another way.
        for (key, known) in [("paymentFlow", "authorization"), ("assetTransferMethod", "eip3009")] {
            let stated = offer.extra.as_ref().and_then(|extra| extra.get(key));
            if stated.is_some_and(|value| value != known) {
                return Err(format!("it demands {key} other than {known}"));
            }
        }
        if !(1..=Self::LONGEST_WINDOW_SECONDS).contains(&offer.max_timeout_seconds) {
            return Err(format!("its payment would stay valid for {} seconds", offer.max_timeout_seconds));
        }
        let price: BaseUnits =
            offer.amount.parse().map_err(|why| format!("amount {:?} {why}", offer.amount))?;
        if price > self.at_most {
            return Err(format!("it asks {price} base units, the limit is {}", self.at_most));
        }
        Ok(price)
    }
}

/// Why we do not pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsRefused {
    /// One objection for each offer.
    pub objections: Vec<String>,
}

impl core::fmt::Display for TermsRefused {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "no offer of the board is within the budget: {}", self.objections.join("; "))
    }
}

impl core::error::Error for TermsRefused {}

/// A posted gig.
#[derive(Debug, Clone)]
pub struct Posted {
    /// The board's answer, with the gig and the buyer's grant.
    pub answer: CreateAnswer,
    /// What became of the payment; none when a replay was answered without charging.
    pub receipt: Option<SettleResponse>,
    /// Whether the board had posted this order before.
    pub replayed: bool,
    /// How often the payment was sent.
    pub attempts: u32,
}

impl Guildhall {
    /// Posts a gig and pays for it: asks for the price, checks it against the budget, signs, posts, and repeats the
    /// same order with the same payment as long as its outcome is not known.
    ///
    /// # Errors
    /// [`Error::Terms`] when the price is not within the budget (nothing was signed); [`Error::Unresolved`] when the
    /// outcome is still not known at the end; else as [`Guildhall::challenge`] and [`Guildhall::post_paid`].
    pub async fn post_gig(&self, signer: &Signer, budget: &Budget, order: &Order) -> Result<Posted, Error> {
        let asked = self.challenge(order).await?;
        let payment = self.sign(signer, budget, &asked)?;
        self.post_paid(order, &payment).await
    }

    /// Asks what posting a gig costs, by posting it without paying.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the board does not answer with its price; [`Error::Unreachable`].
    pub async fn challenge(&self, order: &Order) -> Result<PaymentRequired, Error> {
        const ASKING: &str = "asking for the price";
        let call = self.transport.post(ASKING, CREATE, &envelope(order))?;
        let answer = match self.transport.patiently(&call).await {
            Err(Error::Refused(refused)) if refused.status == 402 => refused,
            Err(error) => return Err(error),
            Ok(answer) => {
                let why = format!("status {} to a post without payment; it must be 402", answer.status);
                return Err(Error::OutsideContract { operation: ASKING, why });
            }
        };
        answer.asked.ok_or_else(|| Error::OutsideContract {
            operation: ASKING,
            why: "402 without a readable PAYMENT-REQUIRED header".to_owned(),
        })
    }

    /// Signs a payment for one of the offers, if one is within the budget. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Terms`] when no offer is; [`Error::NoRandomness`] when there is no fresh nonce to be had.
    pub fn sign(
        &self,
        signer: &Signer,
        budget: &Budget,
        asked: &PaymentRequired,
    ) -> Result<PaymentPayload, Error> {
        let offer = budget.choose(asked).map_err(Error::Terms)?;
        x402::sign_exact(offer, signer, entropy::random()?, entropy::now(), Some(asked.resource.clone()))
            .map_err(|why| Error::Terms(TermsRefused { objections: vec![why.to_string()] }))
    }

    /// Posts an order with a payment that was signed before, and repeats it as long as its outcome is not known.
    ///
    /// # Errors
    /// [`Error::Refused`] when the board says no for good: nothing was charged, unless the code says otherwise;
    /// [`Error::Unresolved`] when the outcome is still not known at the end.
    pub async fn post_paid(&self, order: &Order, payment: &PaymentPayload) -> Result<Posted, Error> {
        let call = self.transport.post(POSTING, CREATE, &envelope(order))?.paying(payment)?;
        let (answer, attempts) = self.transport.until_known(&call, &order.message_id, &Nobody).await?;
        posted(&answer, attempts)
    }
}

impl Call {
    /// Pays for the call.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when no header can carry the payment.
    pub(crate) fn paying(mut self, payment: &PaymentPayload) -> Result<Self, Error> {
        let mut credential = x402::encode(payment)
            .ok()
            .and_then(|text| HeaderValue::from_str(&text).ok())
            .ok_or_else(|| Error::OutsideContract {
                operation: self.operation,
                why: "the payment has no header form".to_owned(),
            })?;
        credential.set_sensitive(true);
        self.headers.insert("payment-signature", credential);
        Ok(self)
    }
}

fn envelope(order: &Order) -> Envelope<&TaskDelegation> {
    crate::board::envelope("TaskDelegation", &order.sender, &order.message_id, &order.task)
}

fn posted(answer: &Answer, attempts: u32) -> Result<Posted, Error> {
    let body = answer.read(POSTING)?;
    Ok(Posted { answer: body, receipt: answer.receipt(), replayed: answer.replayed(), attempts })
}

#[cfg(test)]
#[path = "payment_tests.rs"]
mod tests;
