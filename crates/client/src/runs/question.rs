//! What somebody is asked to agree to, held against its digest.

use api::wire::{ConfirmBody, ExecutorQuote, FundingRequirement, PixTarget, Run, RunConfirmation, RunState};
use primitives::Digest;
use run::{Agreement, confirmation_digest};

use super::{CONFIRMING, outside};
use crate::Error;

/// What a run asks somebody to agree to. The digest in [`Question::confirmation`] is the one of everything here that
/// money depends on: to agree is to agree to this.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The run.
    pub run: &'a Run,
    /// Who is asked, for which amounts, until when.
    pub confirmation: &'a RunConfirmation,
    /// What leaves the wallet, and where to.
    pub requirement: &'a FundingRequirement,
    /// The cart that is paid.
    pub quote: &'a ExecutorQuote,
    /// What the shop has to be paid.
    pub pix: &'a PixTarget,
}

impl<'a> Question<'a> {
    /// The question that a run asks now; `None` when it asks none.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when it shows amounts that differ, or anything else than what its digest is made of.
    pub fn of(run: &'a Run) -> Result<Option<Self>, Error> {
        if run.state != RunState::UserConfirmation {
            return Ok(None);
        }
        let question = Self::shown(run).ok_or_else(|| untrue("a part of it is missing"))?;
        let Self { confirmation, requirement, quote, pix, .. } = question;
        let amounts = [&pix.amount_cents, &quote.cart.total_cents];
        if amounts.iter().any(|amount| **amount != confirmation.amount_cents)
            || confirmation.gross != requirement.gross
        {
            return Err(untrue("cart, payment target and confirmation have different amounts"));
        }
        match question.digest() {
            Some(digest) if digest.to_string() == confirmation.digest => Ok(Some(question)),
            Some(_) => Err(untrue("its digest is of something else")),
            None => Err(untrue("a part of it is no such thing")),
        }
    }

    fn shown(run: &'a Run) -> Option<Self> {
        let (checkout, payment) = (run.checkout.as_ref()?, run.payment.as_ref()?);
        Some(Self {
            run,
            confirmation: payment.confirmation.as_ref()?,
            requirement: payment.requirement.as_ref()?,
            quote: &checkout.quote,
            pix: checkout.pix.as_ref()?,
        })
    }

    /// The digest of what is shown. `None` when a part of it is no such thing.
    fn digest(&self) -> Option<Digest> {
        let Self { run, confirmation, requirement, quote, pix } = self;
        let mut code = Digest::ZERO;
        if let Some(text) = &pix.payload_digest {
            hex::decode_to_slice(text, &mut code.0).ok()?;
        }
        Some(confirmation_digest(&Agreement {
            run: &run.id.parse().ok()?,
            number: confirmation.number,
            amount: confirmation.amount_cents.parse().ok()?,
            gross: confirmation.gross.parse().ok()?,
            asset: &requirement.asset,
            wallet: &confirmation.wallet,
            pay_to: &requirement.pay_to,
            candidate_id: &run.selected_candidate.as_ref()?.candidate_id,
            captured_at: quote.captured_at.parse::<signin::Timestamp>().ok()?.at(),
            pix: pix.payload_digest.as_ref().map(|_| &code),
        }))
    }

    /// The yes.
    pub(crate) fn yes(&self) -> ConfirmBody {
        ConfirmBody {
            digest: Some(self.confirmation.digest.clone()),
            amount_cents: Some(self.confirmation.amount_cents.clone()),
            reject: None,
        }
    }
}

fn untrue(why: &str) -> Error {
    outside(CONFIRMING)(format!("what is to be agreed to cannot be trusted: {why}"))
}
