//! The mandate as it will stand if all that is on its way passes, and the rules by which the next request is judged.

use alloy_primitives::{Address, B256};

use super::view::count;
use super::{Ask, Mirror, Refusal, Stage};
use crate::amount::plus;
use crate::evaluate::judge;
use crate::refusal::require;
use crate::{
    Approval, By, Ceiling, Mandate, Proof, Reason, Refused, Relation, Request, Signature, SignedApproval,
    State, UnixSeconds,
};

impl Ask {
    /// Whether the contract may yet take it from us.
    const fn is_on_its_way(&self) -> bool {
        match self.stage {
            Stage::Underway(_) => true,
            Stage::Cancelling { .. } => !self.signature.0.is_empty(),
            Stage::Waiting { .. } | Stage::Approved | Stage::Failed { .. } => false,
        }
    }
}

impl Mirror {
    /// The contract judges by its block's clock, which may be ahead of ours.
    pub fn moment(&self, now: UnixSeconds) -> UnixSeconds {
        now.max(self.tip.block.at)
    }

    /// The mandate and the ceiling with everything counted that is on its way, but for one payment.
    pub fn ahead(&self, but: B256, now: UnixSeconds) -> (Mandate, Ceiling) {
        let (mut mandate, mut ceiling) = (self.tip.mandate.clone(), self.tip.ceiling);
        let on_their_way = self.asks.values().filter(|ask| {
            let Request { payment, .. } = ask.request;
            ask.is_on_its_way() && payment != but && self.tip.mandate.state_of(payment) == State::None
        });
        for Ask { request, .. } in on_their_way {
            let Some((key, _)) = mandate.entry_for(request.recipient, request.service) else { continue };
            // What has left the range of the type in the meantime is not authorized any more.
            if count(&mut mandate, &mut ceiling, key, request.max_amount, now).is_ok() {
                let reserved = plus(mandate.funds.reserved, request.max_amount);
                mandate.funds.reserved = reserved.min(mandate.funds.balance);
            }
        }
        (mandate, ceiling)
    }

    /// Judges a request as the contract would if all that is on its way were in: by the signatures, whoever brings them.
    ///
    /// # Errors
    /// Every rule that is broken, the first of them first.
    pub(super) fn judge(
        &self,
        request: &Request,
        agent: Signature,
        approval: SignedApproval,
        now: UnixSeconds,
    ) -> Result<Approval, Refusal> {
        let now = self.moment(now);
        let (mandate, ceiling) = self.ahead(request.payment, now);
        let proof = Proof { agent: By { caller: Address::ZERO, signature: agent }, approval };
        judge(&mandate, request, &proof, now, &ceiling)
            .map_err(|(first, more)| Refusal::Rules { first, more })
    }

    pub(super) fn check_approval(&self, approval: &SignedApproval, now: UnixSeconds) -> Result<(), Refused> {
        require(self.moment(now), Relation::Below, approval.valid_before, Reason::ApprovalExpired)?;
        if approval.signature == Signature::Of(self.tip.mandate.owner) {
            Ok(())
        } else {
            Err(Refused::new(Reason::ApprovalSignature, 0, self.tip.mandate.owner))
        }
    }
}
