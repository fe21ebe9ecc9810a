//! What the parties do with a request.

use alloy_primitives::{Address, B256, Bytes};
use eip712::Domain;
use eip712::mandates::{Accept, Cancel, Capture, Delivery, Dispute, Refund, Resolution, Signed as _, Void};
use mandate::life::{Act, limits};
use mandate::{By, Request, Signature, SignedApproval, UnixSeconds};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::empty;
use super::request::message;
use super::signed::approval_digest;
use super::{Signed, Verb, by};
use crate::binding::Caller;
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire;

/// What a party says of a request, not yet held against the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// What is to be done.
    pub deed: Deed,
    /// The party's signature, if it came in the body.
    bytes: Option<Bytes>,
}

/// What is to be done with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// Approve it until then.
    Approve {
        /// The approval's end.
        valid_before: UnixSeconds,
    },
    /// Kill it.
    Cancel {
        /// The request, if it was never made here.
        request: Option<Box<Request>>,
    },
    /// Whatever else.
    Act(Act),
}

/// Reads the body of an act; null is an empty one.
///
/// # Errors
/// 400 with every fault.
pub fn said(verb: Verb, body: &Value) -> Result<Said, Problem> {
    let nothing = Value::Object(Default::default());
    let body = if body.is_null() { &nothing } else { body };
    match verb {
        Verb::Approve => {
            let wire::ApproveBody { valid_before, signature } = shape(body)?;
            approve(valid_before, &signature)
        }
        Verb::Reject => shape(body).and_then(|wire::RejectBody { note }| reject(note)),
        Verb::Cancel => cancel(body),
        Verb::Submit => unsigned(body, Act::Submit),
        Verb::Claim => unsigned(body, Act::Claim),
        Verb::Expire => unsigned(body, Act::Expire),
        Verb::TimeOut => unsigned(body, Act::TimeOut),
        Verb::Accept | Verb::Void => {
            let wire::SignatureBody { signature } = shape(body)?;
            let act = if verb == Verb::Accept { Act::Accept } else { Act::Void };
            finish(Faults::default(), Deed::Act(act), signature)
        }
        Verb::Deliver => {
            let wire::DeliverBody { receipt_hash, signature } = shape(body)?;
            let mut faults = Faults::default();
            let receipt = faults.hash("receiptHash", &receipt_hash);
            finish(faults, Deed::Act(Act::Deliver { receipt }), signature)
        }
        Verb::Dispute => {
            let wire::DisputeBody { evidence_hash, signature } = shape(body)?;
            let mut faults = Faults::default();
            let evidence = evidence_hash.map(|text| faults.hash("evidenceHash", &text)).unwrap_or_default();
            finish(faults, Deed::Act(Act::Dispute { evidence }), signature)
        }
        Verb::Capture => total(body, |total| Act::Capture { total }),
        Verb::Refund => total(body, |total| Act::Refund { total }),
        Verb::Resolve => {
            let wire::ResolveBody { to_provider, signature } = shape(body)?;
            let mut faults = Faults::default();
            let to_provider = faults.any_amount("toProvider", &to_provider);
            finish(faults, Deed::Act(Act::Resolve { to_provider }), signature)
        }
    }
}

/// Reads the owner's decision.
///
/// # Errors
/// 400 with every fault.
pub fn decision(body: &Value) -> Result<Said, Problem> {
    match shape(body)? {
        wire::Decide::Approve { valid_before, signature } => approve(valid_before, &signature),
        wire::Decide::Reject { note } => reject(note),
    }
}

fn approve(valid_before: u64, signature: &str) -> Result<Said, Problem> {
    let mut faults = Faults::default();
    let valid_before = faults.seconds("validBefore", valid_before);
    finish(faults, Deed::Approve { valid_before }, Some(signature.to_owned()))
}

fn reject(note: Option<String>) -> Result<Said, Problem> {
    let note = note.unwrap_or_default();
    let mut faults = Faults::default();
    faults.bytes("note", &note, limits::NOTE_BYTES);
    finish(faults, Deed::Act(Act::Reject { note }), None)
}

fn cancel(body: &Value) -> Result<Said, Problem> {
    let wire::CancelBody { request, signature } = shape(body)?;
    let mut faults = Faults::default();
    let request = request.map(|request| Box::new(message(&mut faults, &request)));
    finish(faults, Deed::Cancel { request }, signature)
}

fn unsigned(body: &Value, act: Act) -> Result<Said, Problem> {
    empty(body).map(|()| Said { deed: Deed::Act(act), bytes: None })
}

fn total(body: &Value, act: fn(BaseUnits) -> Act) -> Result<Said, Problem> {
    let wire::TotalBody { total, signature } = shape(body)?;
    let mut faults = Faults::default();
    let total = faults.any_amount("total", &total);
    finish(faults, Deed::Act(act(total)), signature)
}

fn finish(mut faults: Faults, deed: Deed, signature: Option<String>) -> Result<Said, Problem> {
    let bytes = signature.map(|text| faults.signature(&text));
    faults.finish(Some(Said { deed, bytes }))
}

impl Said {
    /// The signature that came with it, as one for this payment under a mandate of `owner`. None where nothing is signed.
    pub fn signed(&self, payment: B256, owner: Address, domain: &Domain) -> Option<Signed> {
        let digest = match &self.deed {
            Deed::Approve { valid_before } => approval_digest(payment, owner, *valid_before, domain),
            Deed::Cancel { .. } => Cancel { payment }.digest(domain),
            Deed::Act(act) => match act {
                Act::Deliver { receipt } => Delivery { payment, receiptHash: *receipt }.digest(domain),
                Act::Accept => Accept { payment }.digest(domain),
                Act::Dispute { evidence } => Dispute { payment, evidenceHash: *evidence }.digest(domain),
                Act::Capture { total } => Capture { payment, total: total.0 }.digest(domain),
                Act::Void => Void { payment }.digest(domain),
                Act::Resolve { to_provider } => {
                    Resolution { payment, toProvider: to_provider.0 }.digest(domain)
                }
                Act::Refund { total } => Refund { payment, total: total.0 }.digest(domain),
                Act::Approve { .. }
                | Act::Reject { .. }
                | Act::Submit
                | Act::Claim
                | Act::TimeOut
                | Act::Expire => return None,
            },
        };
        self.bytes.clone().map(|bytes| Signed::new(digest, bytes))
    }

    /// Who does it. A session stands for its holder where that is the owner's to do, and a cancellation is the owner's from
    /// the owner alone.
    ///
    /// # Errors
    /// 401 when nobody says who does it, and not just anyone may.
    pub fn by(&self, caller: &Caller, owner: Address, signed: Option<&Signed>) -> Result<By, Problem> {
        match &self.deed {
            Deed::Act(Act::Claim | Act::TimeOut | Act::Expire) => {
                Ok(By::caller(caller.account().unwrap_or_default()))
            }
            Deed::Approve { .. } | Deed::Act(Act::Reject { .. } | Act::Accept | Act::Dispute { .. }) => {
                by(caller.account(), signed)
            }
            Deed::Cancel { .. } if caller.account() == Some(owner) => by(Some(owner), signed),
            Deed::Cancel { .. } | Deed::Act(_) => by(caller.signer(), signed),
        }
    }

    /// The act for the core, with the signature that [`Said::signed`] gave. None for what is no act on a request: a
    /// cancellation is a command of its own.
    pub fn act(self, signed: Option<Signed>) -> Option<Act> {
        match self.deed {
            Deed::Approve { valid_before } => {
                let (signature, bytes) = signed
                    .map_or((Signature::Empty, Bytes::new()), |signed| (signed.signature, signed.bytes));
                Some(Act::Approve { approval: SignedApproval { valid_before, signature }, bytes })
            }
            Deed::Cancel { .. } => None,
            Deed::Act(act) => Some(act),
        }
    }
}
