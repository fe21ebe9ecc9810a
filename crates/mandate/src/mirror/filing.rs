//! A final block ends what it has ended for good, and what can never come after it.

use alloy_primitives::B256;

use super::line::done;
use super::view::View;
use super::{Ask, Block, Effect, Filed, Ground, Mirror, News, Progress, Refusal, Stage};
use crate::life::{self, Kind, Role, Trail};
use crate::{Payment, State, UnixSeconds};
use primitives::UnixMillis;

const EXPIRED: Progress = Progress::Like(life::Progress::Expired);

impl Ask {
    /// The row of a request for which nothing was reserved.
    pub(super) fn filed(&self, progress: Progress, note: Option<String>) -> Effect {
        let trail = Trail { asked: self.asked, receipt: None, evidence: None, note };
        Effect::File(Box::new(Filed { request: self.request, progress, payment: None, trail }))
    }

    /// What it is once its end is final and nothing was heard of it.
    const fn ending(&self) -> Progress {
        match self.stage {
            Stage::Failed { .. } => Progress::Failed,
            Stage::Waiting { .. } | Stage::Approved | Stage::Underway(_) | Stage::Cancelling { .. } => {
                EXPIRED
            }
        }
    }
}

impl Mirror {
    /// Goes on to the newest final block that is told.
    pub(super) fn seal(&mut self, block: Block, at: UnixMillis) -> Result<Vec<Effect>, Refusal> {
        if block.number < self.sealed.block.number {
            return Ok(Vec::new());
        }
        self.ground = Ground::Final;
        let mut owed = Vec::new();
        let sealed = self.tail.iter().take_while(|told| told.place.block.number <= block.number).count();
        for told in self.tail.drain(..sealed) {
            self.sealed.fold(&told)?;
            if let News::Refunded { payment, total, .. } = told.news
                && !self.sealed.mandate.payments.contains_key(&payment)
            {
                owed.push(Effect::Refunded { payment, total });
            }
        }
        self.sealed.block = block;
        owed.extend(self.file_ended());
        owed.extend(self.expire(at));
        Ok(owed)
    }

    /// What has ended in a final block leaves.
    fn file_ended(&mut self) -> Vec<Effect> {
        let ended =
            |(name, payment): (&B256, &Payment)| payment.state.is_final().then_some((*name, *payment));
        let ended: Vec<_> = self.sealed.mandate.payments.iter().filter_map(ended).collect();
        let mut owed = Vec::new();
        for (name, payment) in ended {
            let ask = self.asks.remove(&name);
            owed.extend(row(&self.sealed, ask.as_ref(), name, payment));
            for view in [&mut self.sealed, &mut self.tip] {
                view.mandate.payments.remove(&name);
                view.escrows.remove(&name);
            }
        }
        owed
    }

    /// What the final block shows that the contract can never take.
    fn expire(&mut self, at: UnixMillis) -> Vec<Effect> {
        let Self { sealed, asks, .. } = self;
        let dead = asks.extract_if(.., |payment, ask| {
            let is_untold = !sealed.mandate.payments.contains_key(payment);
            is_untold && is_past(ask, sealed.block.at, sealed.mandate.policy_version)
        });
        let mut owed = Vec::new();
        for (_, ask) in dead {
            let progress = ask.ending();
            owed.push(ask.filed(progress, None));
            owed.push(done(&ask, Kind::Expire, (Role::Time, None), progress, None, at));
        }
        owed
    }
}

fn is_past(ask: &Ask, now: UnixSeconds, policy_version: u64) -> bool {
    ask.end() <= now || ask.request.policy_version < policy_version
}

/// A payment that has ended, as it is to be kept. What was cancelled without us names no request.
fn row(sealed: &View, ask: Option<&Ask>, name: B256, payment: Payment) -> Option<Effect> {
    let progress = Progress::Like(life::Progress::of(payment.state)?);
    let Some(escrow) = sealed.escrows.get(&name) else {
        return ask.map(|ask| ask.filed(progress, None));
    };
    let asked = ask.map_or(escrow.authorized, |ask| ask.asked);
    let trail = Trail { asked, receipt: escrow.receipt, evidence: escrow.evidence, note: None };
    let payment = (payment.state != State::Cancelled).then_some(payment);
    Some(Effect::File(Box::new(Filed { request: escrow.request, progress, payment, trail })))
}
