//! Paying: the client's half of the scheme `exact`.

use eip712::{B256, Signer, TransferWithAuthorization, U256};
use primitives::UnixMillis;
use serde_json::{Map, Value};

use crate::{
    Authorization, InvalidReason, PaymentPayload, PaymentRequirements, ResourceInfo, VERSION, terms::Terms,
};

/// A payment of exactly what `requirements` ask for, valid from now on for `maxTimeoutSeconds`.
///
/// `nonce` must be fresh randomness for a new payment: the token takes each nonce of a payer once.
///
/// # Errors
/// When the requirements are not `exact` on an EVM network with EIP-3009, or are malformed.
pub fn sign_exact(
    requirements: &PaymentRequirements,
    signer: &Signer,
    nonce: [u8; 32],
    now: UnixMillis,
    resource: Option<ResourceInfo>,
) -> Result<PaymentPayload, InvalidReason> {
    let terms = Terms::parse(requirements)?;
    let transfer = TransferWithAuthorization {
        from: signer.address(),
        to: terms.pay_to,
        value: U256::from(terms.amount.0),
        // As the official client does: a start in the past would only make clock differences matter.
        valid_after: U256::ZERO,
        valid_before: U256::from(now.seconds().saturating_add(requirements.max_timeout_seconds)),
        nonce: B256::from(nonce),
    };
    let signature = signer.sign(transfer.digest(&terms.domain));
    let authorization = Authorization {
        from: transfer.from.to_string(),
        to: transfer.to.to_string(),
        value: transfer.value.to_string(),
        valid_after: transfer.valid_after.to_string(),
        valid_before: transfer.valid_before.to_string(),
        nonce: transfer.nonce.to_string(),
    };
    Ok(PaymentPayload {
        x402_version: VERSION,
        resource,
        accepted: requirements.clone(),
        payload: object(&format!("0x{}", hex::encode(signature)), &authorization),
        extensions: None,
    })
}

fn object(signature: &str, authorization: &Authorization) -> Map<String, Value> {
    let field = |text: &str| Value::String(text.to_owned());
    let authorization = Map::from_iter([
        ("from".to_owned(), field(&authorization.from)),
        ("to".to_owned(), field(&authorization.to)),
        ("value".to_owned(), field(&authorization.value)),
        ("validAfter".to_owned(), field(&authorization.valid_after)),
        ("validBefore".to_owned(), field(&authorization.valid_before)),
        ("nonce".to_owned(), field(&authorization.nonce)),
    ]);
    Map::from_iter([
        ("signature".to_owned(), field(signature)),
        ("authorization".to_owned(), Value::Object(authorization)),
    ])
}
