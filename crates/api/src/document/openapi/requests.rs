//! Requests for payments, and what the parties do with them.

use mandate::Reason;
use mandate::life::Bound;
use serde_json::{Map, Value};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema};
use super::refusals::{
    authorization, beyond, by_contract, decided, elsewhere, long_signature, malformed, no_mandate,
    no_request, no_such_path, reused, rules, unknown_request, unsigned,
};
use crate::inbound::mandate::{Verb, ambiguous, nothing_to_record};
use crate::problem::Problem;

const TAG: &str = "payments";

pub(super) fn paths() -> Map<String, Value> {
    let of_one = |path: &str| format!("/v1/mandates/{{mandate}}/requests{path}");
    let again = || [("payments", "requestPaymentAsAgent"), ("approvals", "requestApprovalAsAgent")];
    let mut all: Vec<(String, Map<String, Value>)> = vec![
        (of_one(""), list().item().into_iter().chain(request().item()).collect()),
        (of_one("/{reference}"), show().item()),
        ("/v1/agent/payments/record".to_owned(), record().item()),
        ("/api/agent/payments/record".to_owned(), record().older()),
    ];
    for (path, id) in again() {
        all.push((format!("/v1/agent/{path}"), agent_request(id).item()));
        all.push((format!("/api/agent/{path}"), agent_request(id).older()));
    }
    all.extend(
        Verb::ALL.iter().map(|verb| (of_one(&format!("/{{reference}}/{}", verb.name())), act(*verb).item())),
    );
    all.into_iter().map(|(path, item)| (path, Value::Object(item))).collect()
}

fn payment(description: &str) -> Value {
    answer(description, schema("Payment"), &["Idempotency-Replayed"])
}

fn list() -> Operation {
    Operation::new("get", TAG, "listRequests", "List a mandate's requests, newest first", Access::Account)
        .about(super::PAGES)
        .named(&["MandateId"])
        .filter("progress", "Only those that stand so.", schema("Progress"))
        .named(&["PageLimit", "PageCursor"])
        .answers(
            "200",
            answer(
                "A page; an empty one for who is neither its owner nor its agent.",
                schema("RequestsAnswer"),
                &[],
            ),
        )
        .refuses([malformed(), no_such_path()])
}

fn show() -> Operation {
    Operation::new("get", TAG, "getRequest", "Look at a payment under its mandate", Access::Seen)
        .about("The owner's words are shown to owner and agent alone.")
        .named(&["MandateId", "Reference"])
        .answers("200", answer("As it stands.", schema("Payment"), &[]))
        .refuses(no_mandate())
        .refuses(no_request())
}

/// A payment is asked for.
fn asked(operation: Operation) -> Operation {
    operation
        .body(Body::Needed("RequestBody"))
        .answers("201", payment("Every rule allows it: the amount is reserved, and the provider may begin."))
        .answers("202", payment("It waits for the owner, being above the threshold, or for the chain, where the contract keeps the mandate."))
        .answers("200", payment("The same request was made before, and stands here."))
        .refuses(authorization())
        .refuses(rules(&[Reason::UnknownMandate]))
        .refuses(beyond(&[Bound::Open, Bound::Waiting]))
        .refuses([reused(), long_signature()])
}

fn request() -> Operation {
    let operation = Operation::new("post", TAG, "requestPayment", "Ask for a payment, as the agent", Access::Party)
        .about(
            "The agent signs the HTTP request, or the message (EIP-712) as `signature`, which anyone may bring. A request is \
             authorized at most once: sending it again changes nothing, but that what the owner has approved is submitted. \
             A refusal names every broken rule in `errors`, and its code is that of the first.",
        )
        .named(&["MandateId"]);
    asked(operation).refuses([no_such_path()])
}

fn agent_request(id: &str) -> Operation {
    let summary = "Ask for a payment, with the mandate in the body";
    let operation = Operation::new("post", "agents", id, summary, Access::Party);
    asked(operation.about("As requestPayment; `request.mandate` names the mandate."))
}

fn record() -> Operation {
    let summary = "Say which transaction you sent for a request, as the agent";
    Operation::new("post", "agents", "recordPayment", summary, Access::Signature)
        .about(
            "For mandates that the contract keeps. The ledger authorizes by itself and has no transactions.",
        )
        .body(Body::Needed("RecordBody"))
        .answers("200", payment("It is looked for, and decides."))
        .refuses([unknown_request(), nothing_to_record(), ambiguous(), elsewhere()])
        .refuses(rules(&[Reason::NotPermitted]))
}

/// What is done with a request.
fn act(verb: Verb) -> Operation {
    let (id, summary, access) = said(verb);
    let description = match verb {
        Verb::Submit => "requestPayment with the same request does the same.",
        Verb::Cancel => {
            "A request that was never made here is cancelled by its message in `request`, and is refused from then on."
        }
        Verb::Capture => "After a delivery's challenge period. `total` counts what was captured before.",
        Verb::Refund => "`total` counts what was refunded before.",
        Verb::Expire => "Before the end of the time for it the refusal says until when.",
        Verb::Approve
        | Verb::Reject
        | Verb::Deliver
        | Verb::Accept
        | Verb::Dispute
        | Verb::Claim
        | Verb::Void
        | Verb::Resolve
        | Verb::TimeOut => "",
    };
    Operation::new("post", TAG, id, summary, access)
        .about(description)
        .named(&["MandateId", "Reference"])
        .body(body(verb))
        .answers("200", payment("Done, now or before."))
        .refuses(no_mandate())
        .refuses(no_request())
        .refuses([elsewhere()])
        .refuses(refused(verb))
        .refuses(is_of_escrow(verb).then(by_contract))
}

/// Whether it is done with a payment, and so by whoever keeps the money.
const fn is_of_escrow(verb: Verb) -> bool {
    match verb {
        Verb::Approve | Verb::Reject | Verb::Submit | Verb::Cancel => false,
        Verb::Deliver
        | Verb::Accept
        | Verb::Dispute
        | Verb::Capture
        | Verb::Claim
        | Verb::Void
        | Verb::Resolve
        | Verb::Expire
        | Verb::TimeOut
        | Verb::Refund => true,
    }
}

const fn said(verb: Verb) -> (&'static str, &'static str, Access) {
    match verb {
        Verb::Approve => ("approveRequest", "Approve a request, by the owner's signature", Access::Anyhow),
        Verb::Reject => ("rejectRequest", "Reject a request, as the owner", Access::Account),
        Verb::Submit => {
            ("submitRequest", "Have an approved request authorized, as the agent", Access::Signature)
        }
        Verb::Cancel => ("cancelRequest", "Cancel a request, as the owner or the agent", Access::Anyhow),
        Verb::Deliver => ("deliver", "Deliver, as the provider", Access::Party),
        Verb::Accept => {
            ("acceptDelivery", "Accept a delivery, as the owner: the provider is paid", Access::Anyhow)
        }
        Verb::Dispute => ("disputeDelivery", "Dispute a delivery, as the owner", Access::Anyhow),
        Verb::Capture => ("capture", "Take a part or all, as the provider", Access::Party),
        Verb::Claim => ("claimPayment", "Have the provider paid after the challenge period", Access::Seen),
        Verb::Void => ("voidPayment", "Give back what is held, as the provider", Access::Party),
        Verb::Resolve => ("resolveDispute", "Decide a dispute, as the resolver", Access::Party),
        Verb::Expire => ("expirePayment", "End what was not delivered or captured in time", Access::Seen),
        Verb::TimeOut => ("timeOutDispute", "End a dispute that was not decided in time", Access::Seen),
        Verb::Refund => ("refund", "Give back what was paid, as the provider", Access::Party),
    }
}

const fn body(verb: Verb) -> Body {
    match verb {
        Verb::Approve => Body::Needed("ApproveBody"),
        Verb::Reject => Body::Optional("RejectBody"),
        Verb::Submit | Verb::Claim | Verb::Expire | Verb::TimeOut => Body::Optional("EmptyBody"),
        Verb::Cancel => Body::Optional("CancelBody"),
        Verb::Deliver => Body::Needed("DeliverBody"),
        Verb::Accept | Verb::Void => Body::Optional("SignatureBody"),
        Verb::Dispute => Body::Optional("DisputeBody"),
        Verb::Capture | Verb::Refund => Body::Needed("TotalBody"),
        Verb::Resolve => Body::Needed("ResolveBody"),
    }
}

/// What the rules say to an act beyond that there is such a request, and where it stands.
pub(super) fn refused(verb: Verb) -> Vec<Problem> {
    use Reason as R;
    let of_party = |others: &[Reason]| rules(&[&[R::NotPermitted, R::Signature, R::State], others].concat());
    match verb {
        Verb::Approve => {
            [rules(&[R::ApprovalExpired, R::ApprovalSignature]), vec![decided(), long_signature()]].concat()
        }
        Verb::Reject => [rules(&[R::NotPermitted]), vec![decided()]].concat(),
        Verb::Submit => [authorization(), beyond(&[Bound::Open])].concat(),
        Verb::Cancel => [of_party(&[]), vec![reused(), unsigned(), long_signature()]].concat(),
        Verb::Deliver => of_party(&[R::DeliveryClosed]),
        Verb::Accept | Verb::Void => of_party(&[]),
        Verb::Dispute => of_party(&[R::ChallengeClosed]),
        Verb::Capture => of_party(&[R::ChallengeOpen, R::CaptureClosed, R::AboveTotal, R::NothingNew]),
        Verb::Claim => rules(&[R::State, R::ChallengeOpen, R::CaptureClosed]),
        Verb::Resolve => of_party(&[R::ResolutionClosed, R::AboveTotal]),
        Verb::Expire => rules(&[R::State, R::CaptureOpen, R::DeliveryOpen]),
        Verb::TimeOut => rules(&[R::State, R::ResolutionOpen]),
        Verb::Refund => of_party(&[R::RefundClosed, R::AboveTotal, R::NothingNew, R::AmountTooLarge]),
    }
}
