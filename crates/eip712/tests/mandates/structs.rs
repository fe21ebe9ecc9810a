//! Hashes, digests and signatures of everything that is signed.

use std::collections::BTreeSet;

use eip712::mandates::{
    Accept, Approval, Cancel, Capture, CreditWithdrawal, Delivery, Dispute, PaymentRequest, Refund,
    Resolution, Signed, SolStruct, Terms, Void, payment_id,
};
use eip712::{B256, recover};
use serde_json::Value;

use super::{bytes, domain, list, number, parsed, signer, text, values, vectors};

fn hashes_like<S: SolStruct>(vector: &Value, ours: &S) {
    assert_eq!(S::eip712_encode_type(), text(vector, "encodeType"));
    assert_eq!(ours.eip712_type_hash(), parsed::<B256>(vector, "typeHash"));
    assert_eq!(ours.eip712_hash_struct(), parsed::<B256>(vector, "structHash"), "{}", S::NAME);
}

fn signs_like<S: Signed>(vector: &Value, ours: S) {
    hashes_like(vector, &ours);
    let digest = ours.digest(&domain());
    assert_eq!(digest, parsed::<B256>(vector, "digest"), "{}", S::NAME);
    let signer = signer(text(vector, "signer"));
    assert_eq!(signer.sign(digest).to_vec(), bytes(vector, "signature"));
    assert_eq!(recover(digest, &bytes(vector, "signature")), Ok(signer.address()));
}

#[test]
fn every_struct() {
    let mut seen = BTreeSet::new();
    for vector in list("structs") {
        let message = &vector["message"];
        let payment = || parsed(message, "payment");
        let total = || number(message, "total");
        match text(&vector, "type") {
            Terms::NAME => hashes_like(&vector, &values::terms(message)),
            PaymentRequest::NAME => {
                let request = values::request(message);
                assert_eq!(payment_id(&request), parsed::<B256>(&vector, "structHash"));
                signs_like(&vector, request);
            }
            Approval::NAME => signs_like(
                &vector,
                Approval {
                    request: values::request(&message["request"]),
                    approver: parsed(message, "approver"),
                    validBefore: number(message, "validBefore"),
                },
            ),
            Delivery::NAME => {
                signs_like(
                    &vector,
                    Delivery { payment: payment(), receiptHash: parsed(message, "receiptHash") },
                );
            }
            Capture::NAME => signs_like(&vector, Capture { payment: payment(), total: total() }),
            Void::NAME => signs_like(&vector, Void { payment: payment() }),
            Refund::NAME => signs_like(&vector, Refund { payment: payment(), total: total() }),
            Accept::NAME => signs_like(&vector, Accept { payment: payment() }),
            Dispute::NAME => {
                signs_like(
                    &vector,
                    Dispute { payment: payment(), evidenceHash: parsed(message, "evidenceHash") },
                );
            }
            Cancel::NAME => signs_like(&vector, Cancel { payment: payment() }),
            Resolution::NAME => {
                signs_like(
                    &vector,
                    Resolution { payment: payment(), toProvider: number(message, "toProvider") },
                );
            }
            CreditWithdrawal::NAME => signs_like(
                &vector,
                CreditWithdrawal {
                    owner: parsed(message, "owner"),
                    token: parsed(message, "token"),
                    recipient: parsed(message, "recipient"),
                    to: parsed(message, "to"),
                    total: total(),
                },
            ),
            other => panic!("{other} is not known here"),
        }
        seen.insert(text(&vector, "type").to_owned());
    }
    assert_eq!(seen.len(), 12, "Terms and the eleven that are signed");
}

#[test]
fn domain_separator() {
    assert_eq!(domain().separator(), parsed::<B256>(&vectors()["domain"], "separator"));
    assert_eq!(domain().name, text(&vectors()["domain"], "name"));
    assert_eq!(domain().version, text(&vectors()["domain"], "version"));
}
