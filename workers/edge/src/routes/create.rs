//! `POST /v1/gigs/create`: the paid route.

use std::cell::RefCell;

use api::binding::{GigView, PayForGig, PayReply};
use api::outbound;
use api::paywall::{self, Price};
use api::problem::Problem;
use api::wire::{CreateAnswer, Role};
use primitives::{Secret, SecretKind, UnixMillis};
use x402::{FacilitatorRequest, PaymentPayload, SettleResponse};

use crate::config::config;
use crate::ports::{fresh_secret, now, objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

const PATH: &str = "/v1/gigs/create";

/// How a payment came: under x402's name, or under the older alias, whose answer mirrors it.
struct Presented {
    header: String,
    is_alias: bool,
}

/// Takes the payment first, then reads the body: an unpaid request gets its challenge whatever it says.
pub async fn create(mut incoming: Incoming) -> Result<Outgoing, Rejection> {
    let config = config(&incoming.env)?;
    let price = &config.price;
    let presented = match (incoming.header("payment-signature"), incoming.header("x-payment")) {
        (Some(header), _) => Presented { header, is_alias: false },
        (None, Some(header)) => Presented { header, is_alias: true },
        (None, None) => {
            let detail = format!(
                "Posting a gig costs {} base units of USDC on Base Sepolia. Pay as PAYMENT-REQUIRED says and send the same request again with PAYMENT-SIGNATURE.",
                price.amount
            );
            return Err(challenge(&incoming, price, "payment_required", "Payment required", detail));
        }
    };
    let payment: PaymentPayload = match x402::decode_payment(&presented.header) {
        Ok(payment) => payment,
        Err(fault) => {
            return Err(challenge(
                &incoming,
                price,
                "payment_unreadable",
                "Payment required",
                fault.to_string(),
            ));
        }
    };
    let body = incoming.json().await?;
    let posting = api::inbound::posting(&body)?;
    let requirements = price.requirements();
    let authorized = match x402::verify(&requirements, &payment, now()) {
        Ok(authorized) => authorized,
        Err(reason) => {
            return Err(challenge(&incoming, price, "payment_invalid", reason.code(), reason.to_string()));
        }
    };
    let grant = fresh_secret(SecretKind::Grant)?;
    let request = FacilitatorRequest {
        x402_version: x402::VERSION,
        payment_payload: payment,
        payment_requirements: requirements,
    };
    let pay = PayForGig {
        payment: authorized.payment_id(),
        resource: paywall::resource("POST", PATH, &body),
        authorization: payment::Credential(serde_json::to_string(&request)?),
        valid_before: UnixMillis(authorized.valid_before.saturating_mul(1_000)),
        terms: posting.terms(&authorized.payer.0.0, config.claim_timeout, config.review_window),
        grant: grant.digest(),
        correlation_id: incoming.correlation_id.clone(),
    };
    answer(objects::pay(&incoming.env, &pay).await?, &grant, &presented)
}

fn answer(reply: PayReply, grant: &Secret, presented: &Presented) -> Result<Outgoing, Rejection> {
    match reply {
        PayReply::Fulfilled { gig, receipt, replayed } => {
            let outgoing = created(gig, grant, replayed)?;
            Ok(with_receipt(outgoing, receipt_header(&receipt), presented))
        }
        PayReply::AlreadyFunded { gig } => created(gig, grant, true),
        PayReply::FulfilmentPending { receipt } => {
            let problem = Problem::new(
                503,
                "fulfilment_pending",
                "The payment is settled; the gig will be on the board in a moment. Send the same request again to read it; you will not be charged twice.",
            );
            Err(refused(problem, receipt_header(&receipt), presented, Some("2")))
        }
        PayReply::Refused { reason, receipt } => {
            let detail = format!(
                "The facilitator refused to settle ({reason}). Nothing was charged and nothing was posted."
            );
            Err(refused(
                Problem::new(402, "payment_refused", detail),
                receipt_header(&receipt),
                presented,
                None,
            ))
        }
        PayReply::Unknown { cause, transaction } => {
            let (code, state) = match cause.as_str() {
                "settlement_pending" => ("settlement_pending", "is not final yet"),
                _ => ("settlement_unknown", "is not known"),
            };
            let detail = format!(
                "The outcome of the settlement {state} ({cause}), so nothing is posted yet. Send this very request again; do not sign another payment. It is being looked up, and you are charged at most once."
            );
            let receipt =
                x402::encode(&paywall::unknown_receipt(&cause, transaction.as_deref())).unwrap_or_default();
            Err(refused(Problem::new(402, code, detail).retryable(), receipt, presented, Some("2")))
        }
        PayReply::PaymentRefused(refusal) => Err(outbound::payment_refused(&refusal).into()),
        PayReply::GigRefused(refusal) => Err(outbound::gig_refused(&refusal).into()),
        PayReply::GigUnavailable => Err(Problem::new(
            503,
            "unavailable",
            "The gig could not be reserved. Nothing was charged; send the same request again.",
        )
        .into()),
    }
}

fn created(gig: GigView, grant: &Secret, replayed: bool) -> Result<Outgoing, Rejection> {
    let record = gig
        .record
        .ok_or_else(|| crate::failure::Failure::Corrupt("a funded gig without a record".to_owned()))?;
    let in_force = gig.buyer_grant.is_some_and(|digest| digest.same_as(&grant.digest()));
    let tunnel_grant = in_force.then(|| {
        outbound::tunnel_grant(grant.reveal(), Role::Buyer, &record.buyer_pubkey, &record.expires_at)
    });
    let message = match (replayed, in_force) {
        (false, _) => "Gig created successfully",
        (true, true) => "This gig was created before; here is a fresh grant in place of the unused one",
        (true, false) => {
            "This gig was created before and its grant is in use; POST /v1/gigs/{id}/reconnect rotates it"
        }
    };
    let answer = CreateAnswer { message: message.to_owned(), gig: record, tunnel_grant };
    let outgoing = Outgoing::json(201, &answer)?.with("cache-control", "private, no-store");
    Ok(if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing })
}

/// The facilitator's answer as a header, in our own writing: what a peer added stays out.
fn receipt_header(receipt: &str) -> String {
    serde_json::from_str::<SettleResponse>(receipt)
        .ok()
        .and_then(|answer| x402::encode(&answer).ok())
        .unwrap_or_default()
}

fn with_receipt(outgoing: Outgoing, receipt: String, presented: &Presented) -> Outgoing {
    let outgoing = outgoing.with("payment-response", receipt.clone());
    if presented.is_alias { outgoing.with("x-payment-response", receipt) } else { outgoing }
}

/// A payment that did not lead to a gig: no challenge, so that no client signs again by itself.
fn refused(problem: Problem, receipt: String, presented: &Presented, retry_after: Option<&str>) -> Rejection {
    let mut headers = vec![("payment-response", receipt.clone())];
    if presented.is_alias {
        headers.push(("x-payment-response", receipt));
    }
    if let Some(seconds) = retry_after {
        headers.push(("retry-after", seconds.to_owned()));
    }
    Rejection::Problem(Box::new(problem), headers)
}

thread_local! {
    /// The last challenge that was written, for its origin: it is the same for every unpaid request.
    static CHALLENGE: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

fn challenge(incoming: &Incoming, price: &Price, code: &str, error: &str, detail: String) -> Rejection {
    let write = || {
        let url = format!("{}{PATH}", incoming.origin);
        x402::encode(&price.challenge(&url, error)).unwrap_or_default()
    };
    let header = if code == "payment_required" {
        CHALLENGE.with_borrow_mut(|kept| match kept {
            Some((origin, header)) if *origin == incoming.origin => header.clone(),
            _ => {
                let header = write();
                *kept = Some((incoming.origin.clone(), header.clone()));
                header
            }
        })
    } else {
        write()
    };
    Rejection::Problem(Box::new(Problem::new(402, code, detail)), vec![("payment-required", header)])
}
