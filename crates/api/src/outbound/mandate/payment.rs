//! A payment, and the owner's word on it.

use alloy_primitives::{B256, Bytes};
use eip712::mandates::Approval;
use mandate::life::{Book, Filed, Stage, Trail};
use mandate::{Request, SignedApproval, State, UnixSeconds};
use primitives::{BaseUnits, UnixMillis};

use super::message::{message, request, seconds};
use super::{Kept, Viewer, time, typed_data};
use crate::settings::Ledger;
use crate::wire::{self, ApprovalItem, ApprovalPart, Progress};

/// A request as it stands: open, or on file.
#[derive(Debug, Clone)]
pub struct Standing<'a> {
    pub(in crate::outbound) request: &'a Request,
    pub(in crate::outbound) progress: Progress,
    pub(in crate::outbound) payment: Option<mandate::Payment>,
    pub(in crate::outbound) trail: Trail,
    pub(in crate::outbound) word: Word<'a>,
    pub(in crate::outbound) transactions: &'a [B256],
    pub(in crate::outbound) reason: Option<String>,
}

/// The owner's word on a request.
#[derive(Debug, Clone, Copy)]
pub(in crate::outbound) enum Word<'a> {
    /// It is waited for until then.
    Awaited(UnixSeconds),
    /// It is yes, and its signature as it came.
    Given(&'a SignedApproval, &'a Bytes),
    /// There is none, or it is of no use any more.
    None,
}

impl<'a> Standing<'a> {
    /// The request whose payment has this name: by the book if it is open, else by what is on file. None when it was never
    /// made.
    pub fn find(book: &'a Book, payment: B256, filed: Option<&'a Filed>) -> Option<Self> {
        let filed = filed.filter(|filed| filed.request.payment == payment);
        Self::open(book, payment).or(filed.map(Self::filed))
    }

    fn open(book: &'a Book, payment: B256) -> Option<Self> {
        let ask = book.requests.get(&payment)?;
        Some(Self {
            request: &ask.request,
            progress: book.progress(payment)?.into(),
            payment: book.mandate.payments.get(&payment).copied(),
            trail: ask.trail.clone(),
            word: match &ask.stage {
                Stage::Waiting { until } => Word::Awaited(*until),
                Stage::Approved { approval, bytes, .. } => Word::Given(approval, bytes),
                Stage::Open => Word::None,
            },
            transactions: &[],
            reason: None,
        })
    }

    fn filed(filed: &'a Filed) -> Self {
        let Filed { request, progress, payment, trail } = filed;
        Self::over(request, (*progress).into(), *payment, trail)
    }

    /// What is on file.
    pub(in crate::outbound) fn over(
        request: &'a Request,
        progress: Progress,
        payment: Option<mandate::Payment>,
        trail: &Trail,
    ) -> Self {
        let (trail, word) = (trail.clone(), Word::None);
        Self { request, progress, payment, trail, word, transactions: &[], reason: None }
    }

    /// When it was asked for.
    pub const fn asked(&self) -> UnixMillis {
        self.trail.asked
    }

    fn amount(&self, part: impl Fn(mandate::Payment) -> BaseUnits) -> String {
        self.payment.map_or(BaseUnits(0), part).to_string()
    }

    /// When it was delivered or disputed, while it stands there.
    fn since(&self) -> Option<UnixSeconds> {
        let stands = |payment: &mandate::Payment| matches!(payment.state, State::Delivered | State::Disputed);
        self.payment.filter(stands).map(|payment| payment.since)
    }

    fn approval(&self) -> Option<ApprovalPart> {
        match self.word {
            Word::Awaited(until) => Some(ApprovalPart::Waits { waits_until: time(until) }),
            Word::Given(approval, bytes) => Some(ApprovalPart::Given {
                valid_before: approval.valid_before.0,
                signature: bytes.to_string(),
            }),
            Word::None => None,
        }
    }
}

/// A payment under a mandate.
pub fn payment(kept: &impl Kept, standing: Standing<'_>, viewer: Viewer) -> wire::Payment {
    let asked = standing.request;
    let evidence = standing.trail.evidence.filter(|evidence| !evidence.is_zero());
    wire::Payment {
        payment: asked.payment.to_string(),
        request_id: asked.request_id.to_string(),
        mandate: asked.mandate.to_string(),
        owner: kept.mandate().owner.to_string(),
        agent: kept.mandate().agent.to_string(),
        progress: standing.progress,
        amount: asked.max_amount.to_string(),
        token: asked.token.to_string(),
        recipient: asked.recipient.to_string(),
        service: asked.service.to_string(),
        job_hash: asked.job_hash.to_string(),
        paid: standing.amount(|payment| payment.paid),
        refunded: standing.amount(|payment| payment.refunded),
        since: standing.since().map(time),
        deadline: kept.deadline(asked.payment).map(UnixMillis::to_rfc3339),
        request: request(&message(asked)),
        requested_at: standing.trail.asked.to_rfc3339(),
        approval: standing.approval().filter(|_| viewer.is_party()),
        note: standing.trail.note.clone().filter(|_| viewer.is_party()),
        receipt: standing.trail.receipt.map(|receipt| receipt.to_string()),
        evidence: evidence.map(|evidence| evidence.to_string()),
        transactions: standing.transactions.iter().map(B256::to_string).collect(),
        reason: standing.reason,
    }
}

/// A payment with what its owner signs to approve it: until its wait would end.
pub fn approval(kept: &impl Kept, standing: Standing<'_>, viewer: Viewer, ledger: &Ledger) -> ApprovalItem {
    let typed_data = match (standing.word, viewer) {
        (Word::Awaited(until), Viewer::Owner) => {
            let (request, approver) = (message(standing.request), kept.mandate().owner);
            let approval = Approval { request, approver, validBefore: seconds(until) };
            Some(typed_data(&approval, &ledger.domain()))
        }
        (Word::Awaited(_) | Word::Given(..) | Word::None, Viewer::Owner | Viewer::Agent | Viewer::Anyone) => {
            None
        }
    };
    ApprovalItem { payment: payment(kept, standing, viewer), typed_data }
}
