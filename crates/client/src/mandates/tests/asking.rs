//! An agent asks for payments.

use core::time::Duration;

use eip712::B256;
use primitives::{BaseUnits, Millis};
use serde_json::json;

use super::super::{Requested, agent::pauses};
use super::cast::*;
use crate::{Error, after, double::Reply};

fn made(requested: Result<Requested, Error>) -> api::wire::Payment {
    match requested.unwrap() {
        Requested::Made(payment) => *payment,
        Requested::Refused(evaluation) => panic!("must be made: {evaluation:?}"),
    }
}

#[tokio::test]
async fn a_payment_is_asked_for_as_it_was_wished_and_signed_as_what_it_is() {
    let (wish, agent) = (wish(), agent());
    let request = completed(&wish);
    let (ledger, double) = ledger(vec![
        yes(&mandate()),
        yes(&evaluation(&request, "allowed")),
        yes(&payment(&request, "escrowed")),
    ])
    .await;
    assert_eq!(made(ledger.agent(&agent).request(&wish).await).amount, "1500000");
    let asked = double.asked();
    assert_eq!(
        body(&asked[2]),
        json!({
            "recipient": PROVIDER.to_string(), "service": wish.service, "amount": "1500000", "requestId": wish.request_id,
            "jobHash": B256::ZERO,
        })
    );
    assert_eq!(line(&asked[3]), format!("POST /v1/mandates/{}/requests", mandate_id()));
    assert_eq!(signed_by(&asked[3]).0, agent.address());
    let sent = body(&asked[3]);
    assert_eq!(sent["request"], request);
    assert_eq!(sealed_by(&signed_form(&request), &sent["signature"]), agent.address());
}

#[tokio::test]
async fn a_message_that_says_something_else_is_not_signed() {
    let other = json!(B256::repeat_byte(0x77));
    let later = json!(after(Millis::from_minutes(60 * 24 * 8)).seconds());
    for (place, value, why) in [
        ("/mandate", other.clone(), "its mandate is"),
        ("/policyVersion", json!(4), "its policy version is 4 and not 3"),
        ("/requestId", other.clone(), "its request id is"),
        ("/token", json!(PROVIDER), "its token is"),
        ("/maxAmount", json!("1500001"), "its amount is 1500001 and not 1500000"),
        ("/recipient", json!(owner().address()), "its recipient is"),
        ("/service", other.clone(), "its service is"),
        ("/jobHash", other, "its job is"),
        ("/validBefore", later.clone(), "longer than a day"),
        ("/deliverBy", later, "longer than a day after"),
        ("/terms/challengePeriod", json!(600), "its challenge period is 600"),
        ("/terms/resolutionTimeout", json!(3600), "its resolution timeout is 3600"),
        ("/terms/silenceBps", json!(10_000), "its share on silence is 10000"),
        ("/terms/resolver", json!(PROVIDER), "its resolver is"),
    ] {
        let wish = wish();
        let mut request = completed(&wish);
        *request.pointer_mut(place).unwrap() = value;
        let script = vec![yes(&mandate()), yes(&evaluation(&request, "allowed"))];
        let (ledger, double) = ledger(script).await;
        is_outside(ledger.agent(&agent()).request(&wish).await, why);
        assert_eq!(double.asked().len(), 3, "{place}: nothing was sent");
    }
}

#[tokio::test]
async fn the_times_that_were_wished_are_the_times_that_are_signed() {
    let mut wish = wish();
    (wish.valid_before, wish.deliver_by) =
        (Some(after(Millis::from_minutes(5))), Some(after(Millis::from_minutes(60 * 24 * 9))));
    let request = completed(&wish);
    let (ledger, _double) = ledger(vec![yes(&mandate()), yes(&evaluation(&request, "allowed"))]).await;
    assert_eq!(ledger.evaluate(&wish).await.unwrap().payment.len(), 66);
    for (place, why) in [("validBefore", "its end is"), ("deliverBy", "its delivery is")] {
        let mut request = completed(&wish);
        request[place] = json!(request[place].as_u64().unwrap() + 1);
        let (ledger, _double) =
            super::cast::ledger(vec![yes(&mandate()), yes(&evaluation(&request, "allowed"))]).await;
        is_outside(ledger.evaluate(&wish).await, why);
    }
}

#[tokio::test]
async fn an_evaluation_of_another_payment_is_not_one() {
    let wish = wish();
    let mut said = evaluation(&completed(&wish), "allowed");
    said["payment"] = json!(B256::repeat_byte(0x77));
    let (ledger, _double) = ledger(vec![yes(&mandate()), yes(&said)]).await;
    is_outside(ledger.evaluate(&wish).await, "not the one of its message");
}

#[tokio::test]
async fn what_a_rule_is_against_is_neither_signed_nor_sent() {
    let wish = wish();
    let request = completed(&wish);
    let (ledger, double) = ledger(vec![yes(&mandate()), yes(&evaluation(&request, "refused"))]).await;
    let requested = ledger.agent(&agent()).request(&wish).await.unwrap();
    assert!(matches!(requested, Requested::Refused(evaluation) if evaluation.checks[0].rule == "day_cap"));
    assert!(double.asked().iter().all(|asked| asked.header("signature").is_none()));
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_with_the_same_request_and_a_fresh_signature() {
    let wish = wish();
    let request = completed(&wish);
    let (ledger, double) = ledger(vec![
        yes(&mandate()),
        yes(&evaluation(&request, "allowed")),
        Reply::Silence,
        Reply::Http {
            status: 502,
            headers: vec![("Retry-After", "0".to_owned())],
            body: "<html>".to_owned(),
        },
        yes(&payment(&request, "escrowed")),
    ])
    .await;
    made(ledger.agent(&agent()).request(&wish).await);
    let asked = double.asked();
    assert_eq!((&asked[3].body, &asked[4].body), (&asked[4].body, &asked[5].body));
    let keys: std::collections::BTreeSet<_> = asked[3..].iter().map(|asked| signed_by(asked).1).collect();
    assert_eq!(keys.len(), 3, "no signature is sent twice");
}

#[tokio::test]
async fn an_outcome_that_stays_unknown_is_said_to_be_and_names_the_request() {
    let wish = wish();
    let request = completed(&wish);
    let mut script = vec![yes(&mandate()), yes(&evaluation(&request, "allowed"))];
    script.extend((0..8).map(|_| no(503, "unavailable")));
    let (ledger, _double) = ledger(script).await;
    match ledger.agent(&agent()).request(&wish).await {
        Err(Error::Unresolved(unresolved)) => {
            assert_eq!(unresolved.message_id.as_str(), wish.request_id.to_string());
            assert_eq!(unresolved.attempts, 8);
        }
        other => panic!("must be unresolved: {other:?}"),
    }
}

#[tokio::test]
async fn a_lasting_no_is_handed_on_at_once() {
    let wish = wish();
    let script =
        vec![yes(&mandate()), yes(&evaluation(&completed(&wish), "allowed")), no(422, "request_id_reused")];
    let (ledger, double) = ledger(script).await;
    let refused = ledger.agent(&agent()).request(&wish).await.unwrap_err();
    assert_eq!(refused.code(), Some("request_id_reused"));
    assert_eq!(double.asked().len(), 4);
}

#[tokio::test]
async fn a_repeated_wish_sends_what_was_signed_before() {
    let wish = wish();
    let request = completed(&wish);
    let (ledger, double) =
        ledger(vec![yes(&payment(&request, "approved")), yes(&payment(&request, "escrowed"))]).await;
    made(ledger.agent(&agent()).repeat(&wish).await);
    let asked = double.asked();
    assert_eq!(line(&asked[1]), format!("GET /v1/mandates/{}/requests/{}", mandate_id(), wish.request_id));
    assert_eq!(body(&asked[2])["request"], request);
}

#[tokio::test]
async fn a_repeated_wish_that_is_another_one_is_not_sent() {
    let wish = wish();
    let earlier = super::super::Wish { amount: BaseUnits(9), ..wish.clone() };
    let (ledger, double) = ledger(vec![yes(&payment(&completed(&earlier), "approved"))]).await;
    is_outside(ledger.agent(&agent()).repeat(&wish).await, "its amount is 9 and not 1500000");
    assert_eq!(double.asked().len(), 2);
}

#[tokio::test]
async fn a_repeated_wish_that_nobody_knows_is_asked_for() {
    let wish = wish();
    let request = completed(&wish);
    let (ledger, _double) = ledger(vec![
        no(404, "unknown_request"),
        yes(&mandate()),
        yes(&evaluation(&request, "allowed")),
        yes(&payment(&request, "escrowed")),
    ])
    .await;
    made(ledger.agent(&agent()).repeat(&wish).await);
}

#[tokio::test]
async fn another_payment_in_the_answer_is_refused() {
    let wish = wish();
    let other = completed(&super::super::Wish { amount: BaseUnits(9), ..wish.clone() });
    let mut script = vec![yes(&mandate()), yes(&evaluation(&completed(&wish), "allowed"))];
    script.push(yes(&payment(&other, "escrowed")));
    let (ledger, _double) = ledger(script).await;
    is_outside(ledger.agent(&agent()).request(&wish).await, "was meant");
}

#[tokio::test]
async fn an_approved_request_is_submitted_by_sending_it_again() {
    let request = completed(&wish());
    let (ledger, double) = ledger(vec![
        yes(&payment(&request, "awaiting_approval")),
        yes(&payment(&request, "approved")),
        yes(&payment(&request, "escrowed")),
    ])
    .await;
    let waiting = shown(&payment(&request, "awaiting_approval"));
    // Whose patience ends before the approval comes is told that the request still waits.
    let first = ledger.agent(&agent()).wait_for_approval(&waiting, Duration::from_millis(20)).await.unwrap();
    assert_eq!(first.progress, api::wire::Progress::AwaitingApproval);
    let agent = agent();
    let last = ledger.agent(&agent).wait_for_approval(&first, Duration::from_millis(20)).await.unwrap();
    assert_eq!(last.progress, api::wire::Progress::Escrowed);
    let asked = double.asked();
    assert_eq!(asked[1..].iter().map(|asked| signed_by(asked).0).collect::<Vec<_>>(), [agent.address(); 3]);
    assert_eq!(sealed_by(&signed_form(&request), &body(&asked[3])["signature"]), agent.address());
}

#[tokio::test]
async fn a_rejected_request_is_not_sent_again() {
    let request = completed(&wish());
    let (ledger, double) = ledger(vec![yes(&payment(&request, "rejected"))]).await;
    let waiting = shown(&payment(&request, "awaiting_approval"));
    let seen = ledger.agent(&agent()).wait_for_approval(&waiting, Duration::from_millis(20)).await.unwrap();
    assert_eq!((seen.progress, double.asked().len()), (api::wire::Progress::Rejected, 2));
}

#[test]
fn looks_come_at_growing_distances_within_the_patience() {
    let seconds =
        |patience| pauses(Duration::from_secs(patience)).map(|pause| pause.as_secs()).collect::<Vec<_>>();
    assert_eq!(seconds(0), [0; 0]);
    assert_eq!(seconds(10), [1, 2, 4, 3]);
    assert_eq!(seconds(60), [1, 2, 4, 8, 15, 15, 15]);
    assert!(pauses(Duration::MAX).take(1_000).all(|pause| pause <= Duration::from_secs(15)));
}

#[tokio::test]
async fn what_the_seats_do_can_run_anywhere() {
    fn is_send<T: Send>(_: &T) {}
    let (ledger, _double) = ledger(Vec::new()).await;
    let (key, wish) = (agent(), wish());
    let seat = ledger.agent(&key);
    is_send(&seat.request(&wish));
    is_send(&seat.repeat(&wish));
}
