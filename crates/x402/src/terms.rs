//! The text of the wire, parsed: what we ask for, and what was signed.

use eip712::{Address, B256, Domain, TransferWithAuthorization, U256};
use primitives::BaseUnits;
use serde_json::Value;

use crate::{
    Authorization, EXACT, Exact, InvalidReason, PaymentPayload, PaymentRequirements,
    limits::{ADDRESS_CHARACTERS, DECIMAL_DIGITS},
};

/// Requirements of `exact` on an EVM network with EIP-3009, in types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) pay_to: Address,
    pub(crate) amount: BaseUnits,
    pub(crate) domain: Domain,
}

impl Terms {
    /// # Errors
    /// In the reference's order: the scheme, then the domain, then every other field.
    pub(crate) fn parse(requirements: &PaymentRequirements) -> Result<Self, InvalidReason> {
        let malformed = |field| InvalidReason::Requirements { field };
        if requirements.scheme != EXACT {
            return Err(InvalidReason::Scheme);
        }
        let (name, version) = (signing_text(requirements, "name")?, signing_text(requirements, "version")?);
        refuse_other_methods(requirements)?;
        let chain_id = chain_id(&requirements.network).ok_or(malformed("network"))?;
        let asset = address(&requirements.asset).ok_or(malformed("asset"))?;
        if requirements.max_timeout_seconds == 0 {
            return Err(malformed("maxTimeoutSeconds"));
        }
        Ok(Self {
            pay_to: address(&requirements.pay_to).ok_or(malformed("payTo"))?,
            amount: requirements.amount.parse().map_err(|_| malformed("amount"))?,
            domain: Domain { name, version, chain_id, verifying_contract: asset },
        })
    }

    /// The token.
    pub(crate) fn asset(&self) -> Address {
        self.domain.verifying_contract
    }
}

/// One of the two texts of the token's signing domain.
fn signing_text(requirements: &PaymentRequirements, key: &str) -> Result<String, InvalidReason> {
    let text = requirements.extra.as_ref().and_then(|extra| extra.get(key)).and_then(Value::as_str);
    text.filter(|text| !text.is_empty()).map(str::to_owned).ok_or(InvalidReason::MissingDomain)
}

/// Keys that the specification reserves in `extra` and that change what is signed, who is paid, or when.
fn refuse_other_methods(requirements: &PaymentRequirements) -> Result<(), InvalidReason> {
    let reserved = |key| requirements.extra.as_ref().and_then(|extra| extra.get(key));
    let unless = |allowed, field| if allowed { Ok(()) } else { Err(InvalidReason::Requirements { field }) };
    let method = reserved("assetTransferMethod");
    unless(method.is_none_or(|method| method == "eip3009"), "extra.assetTransferMethod")?;
    let flow = reserved("paymentFlow");
    unless(flow.is_none_or(|flow| flow == "authorization" || flow == "upfront"), "extra.paymentFlow")?;
    let splits = reserved("splits").unwrap_or(&Value::Null);
    unless(splits.is_null() || splits.as_array().is_some_and(Vec::is_empty), "extra.splits")
}

/// The payload of `exact` as the client sent it.
///
/// # Errors
/// When a field is missing or is not text.
pub(crate) fn exact(payment: &PaymentPayload) -> Result<Exact, InvalidReason> {
    let missing = |field| InvalidReason::Payload { field };
    let text =
        |value: Option<&Value>, field| value.and_then(Value::as_str).map(str::to_owned).ok_or(missing(field));
    let authorization = payment.payload.get("authorization").and_then(Value::as_object);
    let authorization = authorization.ok_or(missing("payload.authorization"))?;
    Ok(Exact {
        signature: text(payment.payload.get("signature"), "payload.signature")?,
        authorization: Authorization {
            from: text(authorization.get("from"), "payload.authorization.from")?,
            to: text(authorization.get("to"), "payload.authorization.to")?,
            value: text(authorization.get("value"), "payload.authorization.value")?,
            valid_after: text(authorization.get("validAfter"), "payload.authorization.validAfter")?,
            valid_before: text(authorization.get("validBefore"), "payload.authorization.validBefore")?,
            nonce: text(authorization.get("nonce"), "payload.authorization.nonce")?,
        },
    })
}

/// The signed values in types.
///
/// # Errors
/// When a text is not an address, a decimal integer below 2^256, or 32 bytes.
pub(crate) fn transfer(signed: &Authorization) -> Result<TransferWithAuthorization, InvalidReason> {
    let malformed = |field| InvalidReason::Payload { field };
    Ok(TransferWithAuthorization {
        from: address(&signed.from).ok_or(malformed("payload.authorization.from"))?,
        to: address(&signed.to).ok_or(malformed("payload.authorization.to"))?,
        value: decimal(&signed.value).ok_or(malformed("payload.authorization.value"))?,
        valid_after: decimal(&signed.valid_after).ok_or(malformed("payload.authorization.validAfter"))?,
        valid_before: decimal(&signed.valid_before).ok_or(malformed("payload.authorization.validBefore"))?,
        nonce: word(&signed.nonce).ok_or(malformed("payload.authorization.nonce"))?,
    })
}

/// `0x` and 40 hexadecimal digits in any case: clients differ in whether they write the checksum of EIP-55.
pub(crate) fn address(text: &str) -> Option<Address> {
    (text.len() == ADDRESS_CHARACTERS)
        .then(|| hexadecimal(text))?
        .and_then(|bytes| bytes.as_slice().try_into().ok())
}

/// `0x` and 64 hexadecimal digits.
fn word(text: &str) -> Option<B256> {
    hexadecimal(text).and_then(|bytes| bytes.as_slice().try_into().ok())
}

/// The bytes of `0x…`.
pub(crate) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    hex::decode(text.strip_prefix("0x")?).ok()
}

/// A decimal integer below 2^256 without sign and without leading zeros: one number has one text.
pub(crate) fn decimal(text: &str) -> Option<U256> {
    let digits =
        !text.is_empty() && text.len() <= DECIMAL_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits && (text == "0" || !text.starts_with('0'));
    canonical.then(|| U256::from_str_radix(text, 10).ok()).flatten()
}

/// The number in an EVM network's CAIP-2 name.
fn chain_id(network: &str) -> Option<u64> {
    let digits = network.strip_prefix("eip155:")?;
    decimal(digits)?.try_into().ok()
}
