//! The protocol's words for what was decided. F4: the fields that official peers demand are always there.

use serde_json::{Map, Value};
use x402::{FacilitatorRequest, InvalidReason, SettleResponse, VerifyResponse};

use crate::request::{NotRequest, payer};

const MALFORMED: &str = "invalid_payload";
const MALFORMED_MESSAGE: &str =
    "The body must be JSON with `x402Version`, `paymentPayload` and `paymentRequirements` of x402 version 2.";

/// What an answer says of where it comes from, in its `extra`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// No money moves.
    Simulator,
    /// A chain.
    Chain,
}

impl Source {
    pub(crate) fn extra(self) -> Option<Map<String, Value>> {
        match self {
            Self::Simulator => Some(Map::from_iter([("simulated".to_owned(), Value::Bool(true))])),
            Self::Chain => None,
        }
    }
}

/// A no: the protocol's code, and the same for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// How a settlement ends for its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The money has moved in this transaction.
    Settled { transaction: String },
    /// This transaction was sent; whether it lands is not known yet.
    Pending { transaction: String },
    /// The money has moved in this transaction, and not for this asker.
    Duplicate { transaction: String },
    /// The money has not moved. A transaction that was sent and failed is named; else the text is empty.
    Refused { words: Words, transaction: String },
}

/// `POST /verify` of a request.
pub(crate) fn verified(
    request: &FacilitatorRequest,
    outcome: Result<(), Words>,
    source: Source,
) -> VerifyResponse {
    let refusal = outcome.err();
    VerifyResponse {
        is_valid: refusal.is_none(),
        invalid_reason: refusal.as_ref().map(|words| words.code.clone()),
        invalid_message: refusal.map(|words| words.message),
        payer: payer(request),
        extensions: None,
        extra: source.extra(),
    }
}

/// Why a body is no request.
fn malformed(fault: &NotRequest) -> Words {
    match fault.other_version.map(InvalidReason::Version) {
        Some(reason) => Words { code: reason.code().to_owned(), message: reason.to_string() },
        None => Words { code: MALFORMED.to_owned(), message: MALFORMED_MESSAGE.to_owned() },
    }
}

/// `POST /verify` of something else.
pub(crate) fn not_verified(fault: &NotRequest, source: Source) -> VerifyResponse {
    let Words { code, message } = malformed(fault);
    VerifyResponse {
        is_valid: false,
        invalid_reason: Some(code),
        invalid_message: Some(message),
        extra: source.extra(),
        ..VerifyResponse::default()
    }
}

/// `POST /settle` of a request.
pub(crate) fn settled(request: &FacilitatorRequest, ending: Ending, source: Source) -> SettleResponse {
    let answer = SettleResponse {
        success: false,
        payer: payer(request),
        network: request.payment_requirements.network.clone(),
        extra: source.extra(),
        ..SettleResponse::default()
    };
    match ending {
        Ending::Settled { transaction } => {
            let amount = Some(request.payment_requirements.amount.clone());
            SettleResponse { success: true, transaction, amount, ..answer }
        }
        Ending::Pending { transaction } => SettleResponse {
            error_reason: Some("settlement_pending".to_owned()),
            error_message: Some("The transaction was sent; whether it lands is not known yet.".to_owned()),
            transaction,
            ..answer
        },
        Ending::Duplicate { transaction } => SettleResponse {
            error_reason: Some("duplicate_settlement".to_owned()),
            error_message: Some(
                "This payment is settled already, and its settlement was told to whoever asked for it first."
                    .to_owned(),
            ),
            transaction,
            ..answer
        },
        Ending::Refused { words, transaction } => SettleResponse {
            error_reason: Some(words.code),
            error_message: Some(words.message),
            transaction,
            ..answer
        },
    }
}

/// `POST /settle` of something else.
pub(crate) fn not_settled(fault: &NotRequest, source: Source) -> SettleResponse {
    let Words { code, message } = malformed(fault);
    SettleResponse {
        success: false,
        error_reason: Some(code),
        error_message: Some(message),
        network: fault.network.clone(),
        extra: source.extra(),
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
        let settled = serde_json::to_value(not_settled(&fault, Source::Simulator)).unwrap();
        assert_eq!(settled["success"], json!(false));
        assert_eq!(settled["transaction"], json!(""));
        assert_eq!(settled["network"], json!("eip155:1"));
        let verified = serde_json::to_value(not_verified(&fault, Source::Chain)).unwrap();
        assert_eq!(verified["isValid"], json!(false));
        let older = crate::request::parse(r#"{"x402Version":1}"#).unwrap_err();
        let refused = serde_json::to_value(not_settled(&older, Source::Chain)).unwrap();
        assert_eq!(refused["errorReason"], json!("invalid_x402_version"));
        assert_eq!(crate::request::parse("nonsense").unwrap_err().network, "eip155:84532");
    }
}
