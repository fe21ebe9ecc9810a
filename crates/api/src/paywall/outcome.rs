//! What came of a payment, in the words for whoever presented it.

use x402::{HEADER_BYTES, SettleResponse};

use crate::binding::{Decline, Fulfilment, PayReply};
use crate::limits;
use crate::outbound;
use crate::problem::Problem;

/// Seconds until it is worth asking again about an outcome that is not known yet.
const ASK_AGAIN_SECONDS: u32 = 2;

/// What was bought is the buyer's.
#[derive(Debug, Clone)]
pub struct Sold {
    /// What was bought.
    pub fulfilment: Fulfilment,
    /// The receipt; `None` when an earlier payment had paid for it and this one was not charged.
    pub receipt: Option<SettleResponse>,
    /// Whether it was the buyer's before.
    pub replayed: bool,
}

/// Nothing was delivered now.
#[derive(Debug, Clone)]
pub enum Unsold {
    /// Nothing was charged: pay, or pay again. The offer's challenge goes with this.
    Challenge {
        /// For people and logs.
        problem: Box<Problem>,
        /// The challenge's `error`: a code, or a sentence.
        error: String,
    },
    /// A payment was taken to the facilitator. There is no challenge, so that no client signs again by itself.
    Unsettled {
        /// For people and logs.
        problem: Box<Problem>,
        /// What is known of the settlement.
        receipt: Box<SettleResponse>,
        /// Seconds until it is worth sending the same request again; `None` when it is not.
        retry_after: Option<u32>,
    },
    /// Nothing was charged, and another payment would not help.
    Declined(Box<Problem>),
}

/// What a payment's own object answered, for the caller. `network` is the offer's.
///
/// # Errors
/// [`Unsold`], when nothing was delivered.
pub fn concluded(reply: PayReply, network: &str) -> Result<Sold, Unsold> {
    let declined = |problem| Err(Unsold::Declined(Box::new(problem)));
    match reply {
        PayReply::Fulfilled { fulfilment, receipt, replayed } => {
            Ok(Sold { fulfilment, receipt: Some(own_receipt(&receipt, network)), replayed })
        }
        PayReply::AlreadyFulfilled { fulfilment } => Ok(Sold { fulfilment, receipt: None, replayed: true }),
        PayReply::FulfilmentPending { receipt } => {
            let detail = "The payment is settled; what it pays for follows in a moment. Send the same request again to read it; you will not be charged twice.";
            let problem = Problem::new(503, "fulfilment_pending", detail);
            Err(unsettled(problem, own_receipt(&receipt, network)))
        }
        PayReply::Refused { reason, receipt } => {
            let detail = match reason.as_str() {
                "duplicate_settlement" => "This payment was settled before at the request of somebody else, in the transaction that the receipt names; it pays for nothing here. Sign a new payment.".to_owned(),
                _ => format!(
                    "The facilitator refused to settle ({reason}). Nothing was charged and nothing was delivered."
                ),
            };
            let problem = Problem::new(402, "payment_refused", detail);
            Err(unsettled(problem, own_receipt(&receipt, network)))
        }
        PayReply::Unknown { cause, transaction } => Err(unknown(&cause, transaction, network)),
        PayReply::Invalid { reason, message } => Err(Unsold::Challenge {
            problem: Box::new(Problem::new(402, "payment_invalid", message)),
            error: reason,
        }),
        PayReply::Unverified { cause } => {
            let detail = format!(
                "The facilitator could not say whether the payer's contract account vouches for the signature ({cause}). Nothing was charged; send the same request again in a moment."
            );
            declined(Problem::new(503, "verification_unavailable", detail))
        }
        PayReply::PaymentRefused(refusal) => declined(outbound::payment_refused(&refusal)),
        PayReply::Declined(Decline::Gig(refusal)) => declined(outbound::gig_refused(&refusal)),
        PayReply::Declined(Decline::Settlement(refusal)) => {
            declined(outbound::metering::meter_problem(&refusal))
        }
        PayReply::Unavailable => {
            let detail = "What is to be paid for could not be reserved. Nothing was charged; send the same request again.";
            declined(Problem::new(503, "unavailable", detail))
        }
    }
}

fn unknown(cause: &str, transaction: Option<String>, network: &str) -> Unsold {
    let (code, state) = match cause {
        "settlement_pending" => ("settlement_pending", "is not final yet"),
        _ => ("settlement_unknown", "is not known"),
    };
    let detail = format!(
        "The outcome of the settlement {state} ({cause}), so nothing is delivered yet. Send this very request again; do not sign another payment. It is being looked up, and you are charged at most once."
    );
    let receipt = SettleResponse {
        error_reason: Some(code.to_owned()),
        transaction: transaction.unwrap_or_default(),
        network: network.to_owned(),
        ..SettleResponse::default()
    };
    unsettled(Problem::new(402, code, detail).retryable(), receipt)
}

fn unsettled(problem: Problem, receipt: SettleResponse) -> Unsold {
    let retry_after = problem.retryable.then_some(ASK_AGAIN_SECONDS);
    Unsold::Unsettled { problem: Box::new(problem), receipt: Box::new(receipt), retry_after }
}

/// The facilitator's answer in our own writing: what a peer added stays out, and so does what would make a header that
/// clients do not read.
fn own_receipt(text: &str, network: &str) -> SettleResponse {
    let Ok(receipt) = serde_json::from_str::<SettleResponse>(text) else {
        return SettleResponse { network: network.to_owned(), ..SettleResponse::default() };
    };
    if x402::encode(&receipt).is_ok_and(|header| header.len() < HEADER_BYTES) {
        return receipt;
    }
    let SettleResponse { success, error_reason, transaction, .. } = receipt;
    let error_reason = error_reason.filter(|reason| reason.len() <= limits::WORD_BYTES);
    SettleResponse {
        success,
        error_reason,
        transaction,
        network: network.to_owned(),
        ..SettleResponse::default()
    }
}
