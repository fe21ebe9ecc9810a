//! Between the contract `Mandates` and the mirror of one of its mandates: what an event of the chain says in the model's words,
//! what the contract's refusals are, and the calldata of what is sent to it.
//!
//! Whoever reads the chain hands in the topics and data of logs that the contract itself wrote. One event can concern several
//! mirrors: a ceiling is that of an owner for an agent and a token, and what one mandate authorizes counts under it for all.

mod span;
mod words;

pub use span::{adoption, answer, observation};

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256, Bytes, U256};
use eip712::mandates::{IMandates, SignedApproval, SolCall as _, SolError as _, SolEventInterface as _};
use mandate::mirror::{Approved, Call, News};
use mandate::{Creation, Reason, Refused};
use primitives::BaseUnits;

use crate::outbound::mandate::message;
use words::{amended, amendment, entries, policy, request, seconds, signer, state, units};

/// The mandate of a mirror, and those whose payments count under the same ceiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its id.
    pub mandate: B256,
    /// Its owner.
    pub owner: Address,
    /// Its agent.
    pub agent: Address,
    /// Its token.
    pub token: Address,
    /// The other mandates of this owner, agent and token.
    pub beside: BTreeSet<B256>,
}

/// A log that the contract's interface does not explain: it is another contract's, or of another version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(String);

impl core::fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "the log is none of the contract's interface: {}", self.0)
    }
}

impl core::error::Error for Unreadable {}

fn event(topics: &[B256], data: &[u8]) -> Result<IMandates::IMandatesEvents, Unreadable> {
    IMandates::IMandatesEvents::decode_raw_log(topics, data).map_err(|error| Unreadable(error.to_string()))
}

/// The creation of a mandate; `None` when the log is of something else.
///
/// # Errors
/// [`Unreadable`].
pub fn created(topics: &[B256], data: &[u8]) -> Result<Option<Creation>, Unreadable> {
    let IMandates::IMandatesEvents::MandateCreated(made) = event(topics, data)? else { return Ok(None) };
    Ok(Some(Creation {
        id: made.mandate,
        owner: made.owner,
        agent: made.agent,
        token: made.token,
        owner_kind: signer(made.ownerKind)?,
        agent_kind: signer(made.agentKind)?,
        amend_delay: made.amendDelay,
        policy: policy(&made.policy),
        entries: entries(&made.entries)?,
    }))
}

/// What a log says to the mirror of a mandate; `None` when it changes nothing for it.
///
/// # Errors
/// [`Unreadable`].
pub fn news(watched: &Watched, topics: &[B256], data: &[u8]) -> Result<Option<News>, Unreadable> {
    use IMandates::IMandatesEvents as Event;
    let event = event(topics, data)?;
    if let Event::CeilingSet(set) = &event {
        let is_its = (set.owner, set.agent, set.token) == (watched.owner, watched.agent, watched.token);
        return Ok(is_its.then(|| News::CeilingSet { day_cap: units(set.dayCap) }));
    }
    let Some(id) = mandate_of(&event) else { return Ok(None) };
    if id == watched.mandate {
        return said(event);
    }
    if let Event::PaymentAuthorized(made) = event
        && watched.beside.contains(&id)
    {
        return Ok(Some(News::AuthorizedElsewhere { amount: BaseUnits(made.request.maxAmount) }));
    }
    Ok(None)
}

/// The mandate that an event names.
const fn mandate_of(event: &IMandates::IMandatesEvents) -> Option<B256> {
    use IMandates::IMandatesEvents as Event;
    Some(match event {
        Event::MandateCreated(event) => event.mandate,
        Event::MandateAmended(event) => event.mandate,
        Event::AmendmentScheduled(event) => event.mandate,
        Event::AmendmentCancelled(event) => event.mandate,
        Event::MandatePaused(event) => event.mandate,
        Event::MandateUnpaused(event) => event.mandate,
        Event::MandateRevoked(event) => event.mandate,
        Event::MandateFunded(event) => event.mandate,
        Event::MandateWithdrawn(event) => event.mandate,
        Event::PaymentAuthorized(event) => event.mandate,
        Event::PaymentRefused(event) => event.mandate,
        Event::RequestCancelled(event) => event.mandate,
        Event::PaymentDelivered(event) => event.mandate,
        Event::PaymentDisputed(event) => event.mandate,
        Event::PaymentCaptured(event) => event.mandate,
        Event::PaymentClosed(event) => event.mandate,
        Event::PaymentRefunded(event) => event.mandate,
        Event::CeilingSet(_)
        | Event::CreditBooked(_)
        | Event::CreditWithdrawn(_)
        | Event::EIP712DomainChanged(_) => return None,
    })
}

/// What an event that names the mandate says of it.
fn said(event: IMandates::IMandatesEvents) -> Result<Option<News>, Unreadable> {
    use IMandates::IMandatesEvents as Event;
    let whole = |amount: U256| BaseUnits(amount.saturating_to());
    Ok(Some(match event {
        Event::MandateAmended(event) => News::Amended(Box::new(amended(&event)?)),
        Event::AmendmentScheduled(event) => News::AmendmentScheduled {
            hash: amendment(&event.amendment)?.hash,
            effective_at: seconds(event.effectiveAt),
        },
        Event::AmendmentCancelled(_) => News::AmendmentCancelled,
        Event::MandatePaused(_) => News::Paused,
        Event::MandateUnpaused(_) => News::Unpaused,
        Event::MandateRevoked(event) => News::Revoked { by: event.by },
        Event::MandateFunded(event) => News::Funded { from: event.from, amount: whole(event.amount) },
        Event::MandateWithdrawn(event) => News::Withdrawn { to: event.to, amount: whole(event.amount) },
        Event::PaymentAuthorized(event) => News::Authorized(Box::new(request(&event.request))),
        Event::RequestCancelled(event) => News::Cancelled { payment: event.payment, by: event.by },
        Event::PaymentDelivered(event) => {
            News::Delivered { payment: event.payment, receipt: event.receiptHash }
        }
        Event::PaymentDisputed(event) => {
            News::Disputed { payment: event.payment, evidence: event.evidenceHash }
        }
        Event::PaymentCaptured(event) => News::Captured { payment: event.payment, total: whole(event.total) },
        Event::PaymentClosed(event) => News::Closed {
            payment: event.payment,
            state: state(event.state)?,
            paid: whole(event.paid),
            returned: whole(event.returned),
        },
        Event::PaymentRefunded(event) => {
            News::Refunded { payment: event.payment, amount: whole(event.amount), total: whole(event.total) }
        }
        Event::MandateCreated(_)
        | Event::PaymentRefused(_)
        | Event::CeilingSet(_)
        | Event::CreditBooked(_)
        | Event::CreditWithdrawn(_)
        | Event::EIP712DomainChanged(_) => return Ok(None),
    }))
}

/// What the contract's revert says; `None` when it is none of its refusals.
pub fn refused(revert: &[u8]) -> Option<Refused> {
    let IMandates::Refused { reason, got, limit } = IMandates::Refused::abi_decode(revert).ok()?;
    Some(Refused { reason: Reason::from_number(reason as u8)?, got, limit })
}

/// The calldata of a call, for anyone to send to the contract.
pub fn calldata(call: &Call) -> Bytes {
    match call {
        Call::Authorize { request, signature, approved } => IMandates::authorizeCall {
            request: message(request),
            agentSignature: signature.clone(),
            approval: approval(approved.as_ref()),
        }
        .abi_encode(),
        Call::Cancel { request, signature } => {
            IMandates::cancelRequestCall { request: message(request), signature: signature.clone() }
                .abi_encode()
        }
    }
    .into()
}

fn approval(approved: Option<&Approved>) -> SignedApproval {
    let (valid_before, signature) = approved
        .map_or((0, Bytes::new()), |approved| (approved.approval.valid_before.0, approved.bytes.clone()));
    SignedApproval { validBefore: eip712::mandates::U48::saturating_from(valid_before), signature }
}
