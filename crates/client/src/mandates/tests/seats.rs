//! Every act: where it goes, what it says, and who signs it.

use api::wire::{Mandate, Payment};
use eip712::B256;
use primitives::BaseUnits;
use serde_json::{Value, json};

use super::super::message;
use super::cast::*;
use crate::Error;

/// What was sent for one act of one key.
async fn sent<'a, T, F>(
    answer: &Value,
    act: impl FnOnce(super::super::Mandates) -> F,
) -> (String, Value, eip712::Address)
where
    F: Future<Output = Result<T, Error>> + 'a,
    T: core::fmt::Debug,
{
    let (ledger, double) = ledger(vec![yes(answer)]).await;
    act(ledger).await.unwrap();
    let asked = double.asked();
    let [_, asked] = &asked[..] else { panic!("one request must be enough") };
    assert!(asked.header("idempotency-key").is_some(), "an act is done once");
    (line(asked), body(asked), signed_by(asked).0)
}

macro_rules! acts {
    ($answer:expr, $id:expr, $base:literal: $($seat:ident.$act:ident($($argument:expr),*) => $path:literal, $body:tt;)+) => {
        $(
            let key = owner();
            let (line, body, signer) =
                sent(&$answer, async |ledger| ledger.$seat(&key).$act($($argument),*).await).await;
            assert_eq!(line, format!($base, $id, $path));
            assert_eq!(body, json!($body), "{}", $path);
            assert_eq!(signer, key.address(), "{}", $path);
        )+
    };
}

#[tokio::test]
async fn each_act_on_a_payment_goes_to_its_route_with_its_body() {
    let answer = payment(&completed(&wish()), "delivered");
    let shown: Payment = shown(&answer);
    let id = message::hash(&shown.payment).unwrap();
    let place = format!("{}/requests/{id}", mandate_id());
    let hash = B256::repeat_byte(0xab);
    acts! { answer, place, "POST /v1/mandates/{}/{}":
        provider.deliver(&shown, hash) => "deliver", { "receiptHash": hash };
        provider.capture(&shown, BaseUnits(7)) => "capture", { "total": "7" };
        provider.claim(&shown) => "claim", {};
        provider.void(&shown) => "void", {};
        provider.refund(&shown, BaseUnits(8)) => "refund", { "total": "8" };
        resolver.resolve(&shown, BaseUnits(9)) => "resolve", { "toProvider": "9" };
        owner.accept(&shown) => "accept", {};
        owner.dispute(&shown, Some(hash)) => "dispute", { "evidenceHash": hash };
        owner.dispute(&shown, None) => "dispute", {};
        owner.cancel(&shown) => "cancel", {};
        owner.expire(&shown) => "expire", {};
        owner.time_out(&shown) => "time-out", {};
        agent.cancel(&shown) => "cancel", {};
    }
    acts! { answer, id, "POST /v1/approvals/{}/{}":
        owner.reject(id, Some("no".to_owned())) => "decide", { "decision": "reject", "note": "no" };
    }
}

#[tokio::test]
async fn each_change_of_a_mandate_goes_to_its_route() {
    let shown: Mandate = serde_json::from_value(mandate()).unwrap();
    let amendment: api::wire::Amend = serde_json::from_value(json!({
        "expectedVersion": shown.policy_version,
        "policy": { "validBefore": "2099-01-01T00:00:00.000Z", "paymentCap": "1", "dayCap": "1" },
    }))
    .unwrap();
    let written = serde_json::to_value(&amendment).unwrap();
    acts! { mandate(), mandate_id(), "POST /v1/mandates/{}/{}":
        owner.pause(mandate_id()) => "pause", {};
        owner.unpause(mandate_id()) => "unpause", {};
        owner.revoke(mandate_id()) => "revoke", {};
        owner.amend(mandate_id(), &amendment) => "amend", written;
        owner.apply_amendment(mandate_id(), &amendment) => "apply-amendment", written;
        owner.cancel_amendment(mandate_id()) => "cancel-amendment", {};
        agent.renounce(mandate_id()) => "renounce", {};
    }
}
