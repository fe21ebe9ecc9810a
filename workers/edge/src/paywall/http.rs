//! The paywall over HTTP: x402's headers, in and out (x402 v2, HTTP transport).

use core::cell::RefCell;

use api::binding::{Fulfilment, Order};
use api::paywall::{Offer, Sold, Unsold, resource};
use api::problem::Problem;
use api::settings::Settings;
use serde_json::Value;
use x402::{PaymentPayload, SettleResponse};

use super::Counter;
use crate::halt::{self, Step};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// A paid request whose payment has been read, and nothing else of it.
pub struct Sale<'a> {
    incoming: &'a Incoming,
    counter: Counter<'a>,
    payment: PaymentPayload,
    /// Whether the payment came under the header's older name, whose answer mirrors it.
    is_alias: bool,
}

impl<'a> Sale<'a> {
    /// Takes the payment first: an unpaid request gets its challenge whatever else it says.
    pub fn open(incoming: &'a Incoming, settings: &'a Settings, offer: &'a Offer) -> Result<Self, Rejection> {
        let (header, is_alias) = match (incoming.header("payment-signature"), incoming.header("x-payment")) {
            (Some(header), _) => (header, false),
            (None, Some(header)) => (header, true),
            (None, None) => return Err(unpaid(incoming, offer)),
        };
        let payment = x402::decode_payment(&header).map_err(|fault| {
            let problem = Problem::new(402, "payment_unreadable", fault.to_string());
            challenge(Box::new(problem), write_challenge(incoming, offer, "Payment required"))
        })?;
        let (env, correlation_id) = (&incoming.env, &incoming.correlation_id);
        Ok(Self { incoming, counter: Counter { env, settings, offer, correlation_id }, payment, is_alias })
    }

    /// Has the payment carried through, and answers with what `show` makes of what was bought. `body` is all that the
    /// request says beside its path; `order` is made once it is known who pays.
    pub async fn close(
        self,
        body: &Value,
        order: impl FnOnce(&[u8; 20]) -> Order,
        show: impl FnOnce(Fulfilment, bool) -> Result<Outgoing, Rejection>,
    ) -> Result<Outgoing, Rejection> {
        let Self { incoming, counter, payment, is_alias } = self;
        let offer = counter.offer;
        let bought = resource(offer.method, &offer.path, body);
        let outcome = counter.buy(payment, bought, order).await?;
        halt::at(Step::Concluded).await;
        match outcome {
            Ok(Sold { fulfilment, receipt, replayed }) => {
                let mut outgoing = show(fulfilment, replayed)?.with("cache-control", "private, no-store");
                if replayed {
                    outgoing = outgoing.with("idempotency-replayed", "true");
                }
                outgoing.headers.extend(receipt.iter().flat_map(|receipt| receipts(receipt, is_alias)));
                Ok(outgoing)
            }
            Err(Unsold::Challenge { problem, error }) => {
                Err(challenge(problem, write_challenge(incoming, offer, &error)))
            }
            Err(Unsold::Unsettled { problem, receipt, retry_after }) => {
                let mut headers: Vec<_> = receipts(&receipt, is_alias).collect();
                headers.extend(retry_after.map(|seconds| ("retry-after", seconds.to_string())));
                Err(Rejection::Problem(problem, headers))
            }
            Err(Unsold::Declined(problem)) => Err(Rejection::Problem(problem, Vec::new())),
        }
    }
}

/// The receipt, under the older name as well if the payment came under its older name.
fn receipts(
    receipt: &SettleResponse,
    is_alias: bool,
) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let header = x402::encode(receipt).unwrap_or_default();
    let alias = is_alias.then(|| ("x-payment-response", header.clone()));
    [("payment-response", header)].into_iter().chain(alias)
}

thread_local! {
    /// The last challenge that was written, with its URL and price: it is the same for every unpaid request.
    static UNPAID: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

fn unpaid(incoming: &Incoming, offer: &Offer) -> Rejection {
    let price = offer.price_in_words();
    let detail = format!(
        "{price} Pay as PAYMENT-REQUIRED says and send the same request again with PAYMENT-SIGNATURE."
    );
    let of = format!("{} {} {}", url(incoming, offer), offer.price, offer.till.pay_to);
    let header = UNPAID.with_borrow_mut(|kept| match kept {
        Some((kept, header)) if *kept == of => header.clone(),
        _ => {
            let header = write_challenge(incoming, offer, "Payment required");
            *kept = Some((of, header.clone()));
            header
        }
    });
    challenge(Box::new(Problem::new(402, "payment_required", detail)), header)
}

fn challenge(problem: Box<Problem>, header: String) -> Rejection {
    Rejection::Problem(problem, vec![("payment-required", header)])
}

fn write_challenge(incoming: &Incoming, offer: &Offer, error: &str) -> String {
    x402::encode(&offer.challenge(&url(incoming, offer), error)).unwrap_or_default()
}

fn url(incoming: &Incoming, offer: &Offer) -> String {
    format!("{}{}", incoming.origin, offer.path)
}
