//! What `eth_signTypedData_v4` takes (EIP-712; the JSON of EIP-712's section "eth_signTypedData").

use eip712::Domain;
use eip712::mandates::{Approval, PaymentRequest, Signed};
use serde_json::{Map, Value, json};

use super::message::request;

/// A struct that is shown to whoever is to sign it.
pub trait Shown: Signed {
    /// Its fields: numbers of up to 64 bits as JSON integers, greater ones as decimal texts.
    fn shown(&self) -> Value;
}

impl Shown for PaymentRequest {
    fn shown(&self) -> Value {
        json!(request(self))
    }
}

impl Shown for Approval {
    fn shown(&self) -> Value {
        json!({
            "request": request(&self.request),
            "approver": self.approver.to_string(),
            "validBefore": self.validBefore.to::<u64>(),
        })
    }
}

/// The second argument of `eth_signTypedData_v4`, whose digest is [`Signed::digest`]. JavaScript reads numbers beyond
/// 2^53 − 1 wrongly; no version of a policy comes near it, and no moment can.
pub fn typed_data<S: Shown>(signed: &S, domain: &Domain) -> Value {
    let mut types = declarations(&S::eip712_encode_type());
    types.insert("EIP712Domain".to_owned(), fields(DOMAIN));
    json!({
        "types": types,
        "primaryType": S::NAME,
        "domain": {
            "name": domain.name,
            "version": domain.version,
            "chainId": domain.chain_id,
            "verifyingContract": domain.verifying_contract.to_string(),
        },
        "message": signed.shown(),
    })
}

const DOMAIN: &str = "string name,string version,uint256 chainId,address verifyingContract";

/// The declarations of an encoded type, `Outer(Inner name,…)Inner(…)`, so that what is shown is what is hashed.
fn declarations(encoded: &str) -> Map<String, Value> {
    encoded
        .split_terminator(')')
        .filter_map(|declaration| declaration.split_once('('))
        .map(|(name, declared)| (name.to_owned(), fields(declared)))
        .collect()
}

fn fields(declared: &str) -> Value {
    let fields = declared.split(',').filter_map(|field| field.split_once(' '));
    fields.map(|(kind, name)| json!({ "name": name, "type": kind })).collect()
}
