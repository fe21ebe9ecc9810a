//! One payer, one price, and the payments that are made of them.

use eip712::{B256, Domain, Signer, TransferWithAuthorization, U256};
use primitives::UnixMillis;
use serde_json::{Value, json};
use x402::{PaymentPayload, PaymentRequirements, sign_exact};

pub(crate) const NOW: UnixMillis = UnixMillis(1_764_513_008_000);
pub(crate) const NOW_SECONDS: u64 = 1_764_513_008;

pub(crate) fn signer() -> Signer {
    Signer::from_bytes(&[0x11; 32]).unwrap()
}

pub(crate) fn requirements_of(amount: u64) -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": amount.to_string(),
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        "maxTimeoutSeconds": 300,
        "extra": { "name": "USDC", "version": "2" },
    }))
    .unwrap()
}

pub(crate) fn requirements() -> PaymentRequirements {
    requirements_of(10_000)
}

pub(crate) fn payment() -> PaymentPayload {
    sign_exact(&requirements(), &signer(), [0xab; 32], NOW, None).unwrap()
}

/// The payment with one place of its JSON replaced; the signature stays what it was.
pub(crate) fn edited(pointer: &str, value: Value) -> PaymentPayload {
    let mut json = serde_json::to_value(payment()).unwrap();
    *json.pointer_mut(pointer).unwrap() = value;
    serde_json::from_value(json).unwrap()
}

/// The payment with other bytes for a signature.
pub(crate) fn signed_with(signature: &[u8]) -> PaymentPayload {
    edited("/payload/signature", json!(format!("0x{}", hex::encode(signature))))
}

/// A payment over changed values, properly signed by the payer.
pub(crate) fn resigned(change: impl FnOnce(&mut TransferWithAuthorization)) -> PaymentPayload {
    let mut transfer = TransferWithAuthorization {
        from: signer().address(),
        to: requirements().pay_to.parse().unwrap(),
        value: U256::from(10_000),
        valid_after: U256::ZERO,
        valid_before: U256::from(NOW_SECONDS + 300),
        nonce: B256::repeat_byte(0xab),
    };
    change(&mut transfer);
    let domain = Domain {
        name: "USDC".to_owned(),
        version: "2".to_owned(),
        chain_id: 84532,
        verifying_contract: requirements().asset.parse().unwrap(),
    };
    let signature = format!("0x{}", hex::encode(signer().sign(transfer.digest(&domain))));
    let mut payment = payment();
    let payload = json!({
        "signature": signature,
        "authorization": {
            "from": transfer.from.to_string(),
            "to": transfer.to.to_string(),
            "value": transfer.value.to_string(),
            "validAfter": transfer.valid_after.to_string(),
            "validBefore": transfer.valid_before.to_string(),
            "nonce": transfer.nonce.to_string(),
        },
    });
    payment.payload = serde_json::from_value(payload).unwrap();
    payment
}

/// `signature` as a contract account sends it whose factory has not made it yet (ERC-6492).
pub(crate) fn wrapped(signature: &[u8]) -> Vec<u8> {
    let word = |number: usize| U256::from(number).to_be_bytes::<32>();
    let mut bytes = vec![0; 12];
    bytes.extend([0xfa; 20]);
    bytes.extend(word(96));
    bytes.extend(word(160));
    // The calldata of the factory: two bytes, padded.
    bytes.extend(word(2));
    bytes.extend([0xca; 2]);
    bytes.extend([0; 30]);
    bytes.extend(word(signature.len()));
    bytes.extend(signature);
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes.extend([0x64, 0x92].repeat(16));
    bytes
}
