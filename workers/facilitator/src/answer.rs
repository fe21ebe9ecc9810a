//! The protocol's words for what was decided. F4: the fields that official peers demand are always there.

use primitives::{Digest, PaymentId};
use serde_json::{Map, Value};
use x402::{
    EXACT, FacilitatorRequest, SettleResponse, SupportedKind, SupportedResponse, VERSION, VerifyResponse,
};

use crate::{
    judge::Refusal,
    request::{NETWORK, NotRequest, payer},
    rule::Outcome,
};

const MALFORMED: &str = "invalid_payload";
const MALFORMED_MESSAGE: &str =
    "The body must be JSON with `x402Version`, `paymentPayload` and `paymentRequirements` of x402 version 2.";

/// No money moves here, and every answer says so.
fn simulated() -> Option<Map<String, Value>> {
    Some(Map::from_iter([("simulated".to_owned(), Value::Bool(true))]))
}

/// The hash of the transaction that the simulator would have sent: the same for every copy of an authorization.
pub(crate) fn transaction(payment: &PaymentId) -> String {
    format!("0x{}", Digest::of(&[b"guildhall simulated transaction v1\0", payment.as_str().as_bytes()]))
}

/// `GET /supported`.
pub(crate) fn supported() -> SupportedResponse {
    let kind = SupportedKind {
        x402_version: VERSION,
        scheme: EXACT.to_owned(),
        network: NETWORK.to_owned(),
        extra: simulated(),
    };
    SupportedResponse { kinds: vec![kind], ..SupportedResponse::default() }
}

/// `POST /verify` of a request.
pub(crate) fn verified(request: &FacilitatorRequest, outcome: &Result<(), Refusal>) -> VerifyResponse {
    let refusal = outcome.as_ref().err();
    VerifyResponse {
        is_valid: refusal.is_none(),
        invalid_reason: refusal.map(|refusal| refusal.code().to_owned()),
        invalid_message: refusal.map(Refusal::to_string),
        payer: payer(request),
        extensions: None,
        extra: simulated(),
    }
}

/// `POST /verify` of something else.
pub(crate) fn not_verified(_: &NotRequest) -> VerifyResponse {
    VerifyResponse {
        is_valid: false,
        invalid_reason: Some(MALFORMED.to_owned()),
        invalid_message: Some(MALFORMED_MESSAGE.to_owned()),
        extra: simulated(),
        ..VerifyResponse::default()
    }
}

/// `POST /settle` of a request whose authorization is `payment`. `None` where there is nothing to say.
pub(crate) fn settled(
    request: &FacilitatorRequest,
    payment: &PaymentId,
    outcome: &Outcome,
) -> Option<SettleResponse> {
    let answer = SettleResponse {
        success: false,
        payer: payer(request),
        network: request.payment_requirements.network.clone(),
        extra: simulated(),
        ..SettleResponse::default()
    };
    match outcome {
        Outcome::Settled => {
            let amount = Some(request.payment_requirements.amount.clone());
            Some(SettleResponse { success: true, transaction: transaction(payment), amount, ..answer })
        }
        Outcome::Pending => Some(SettleResponse {
            error_reason: Some("settlement_pending".to_owned()),
            error_message: Some("The transaction was sent; whether it lands is not known yet.".to_owned()),
            transaction: transaction(payment),
            ..answer
        }),
        Outcome::Refused(refusal) => Some(refused(request, refusal)),
        Outcome::Nothing => None,
    }
}

/// `POST /settle` of a request that is refused.
pub(crate) fn refused(request: &FacilitatorRequest, refusal: &Refusal) -> SettleResponse {
    SettleResponse {
        success: false,
        error_reason: Some(refusal.code().to_owned()),
        error_message: Some(refusal.to_string()),
        payer: payer(request),
        network: request.payment_requirements.network.clone(),
        extra: simulated(),
        ..SettleResponse::default()
    }
}

/// `POST /settle` of something else.
pub(crate) fn not_settled(fault: &NotRequest) -> SettleResponse {
    SettleResponse {
        success: false,
        error_reason: Some(MALFORMED.to_owned()),
        error_message: Some(MALFORMED_MESSAGE.to_owned()),
        network: fault.network.clone(),
        extra: simulated(),
        ..SettleResponse::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn f4_an_answer_to_nonsense_still_has_every_demanded_field() {
        let fault = crate::request::parse(r#"{"paymentRequirements":{"network":"eip155:1"}}"#).unwrap_err();
        let settled = serde_json::to_value(not_settled(&fault)).unwrap();
        assert_eq!(settled["success"], json!(false));
        assert_eq!(settled["transaction"], json!(""));
        assert_eq!(settled["network"], json!("eip155:1"));
        let verified = serde_json::to_value(not_verified(&fault)).unwrap();
        assert_eq!(verified["isValid"], json!(false));
        assert_eq!(crate::request::parse("nonsense").unwrap_err().network, NETWORK);
    }
}
