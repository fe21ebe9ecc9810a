//! The demo executor: it looks at the synthetic shops and at nothing else.

use primitives::{Digest, ExecutorId, Millis, RunId, UnixMillis};
use run::{BrowserResult, Evidence, OrderEvidence, PixTarget, Task, View};

use crate::shop::Shop;
use crate::{SOURCE, Story};

/// How much dearer [`Story::Drift`] makes a cart, in percent.
const RISE: u64 = 20;
/// How long a payment target can be paid.
const PIX_HOLDS: Millis = Millis::from_minutes(30);
/// Where everything is read.
const PAGE: &str = "synthetic:cart";

/// Its id. It has no secret, so that nobody can pass for it.
pub fn demo_executor() -> ExecutorId {
    ExecutorId::derive(&[b"guildhall demo executor v1"])
}

/// What an executor has to keep in mind from one command of a run to the next: what lies in the cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errand {
    /// The candidate's name.
    pub candidate_id: String,
    /// Its platform.
    pub source: String,
    /// The product in words.
    pub requirement: String,
    /// How many.
    pub quantity: u32,
}

impl Errand {
    /// What lies in the cart once the task is done; none when the task says nothing of that.
    pub fn begun_by(task: &Task) -> Option<Self> {
        match task {
            Task::RevalidateCandidate { candidate, requirement, quantity } => Some(Self {
                candidate_id: candidate.candidate_id.clone(),
                source: candidate.source.clone(),
                requirement: requirement.clone(),
                quantity: *quantity,
            }),
            Task::PrepareCheckout | Task::ReadCheckout | Task::ReadPix { .. } | Task::VerifyOrder => None,
        }
    }

    /// What lies in the cart by what the run shows; none before it has selected a candidate.
    pub fn of(view: &View) -> Option<Self> {
        view.selected.as_ref().map(|candidate| Self {
            candidate_id: candidate.candidate_id.clone(),
            source: candidate.source.clone(),
            requirement: view.intent.requirement.clone(),
            quantity: view.intent.quantity,
        })
    }

    /// The cart, read now; `rise` percent dearer than the market showed.
    fn read(&self, now: UnixMillis, rise: u64) -> BrowserResult {
        match self.shop() {
            Some(shop) => BrowserResult::Quote {
                cart: shop.cart(&self.requirement, self.quantity, rise),
                captured_at: now,
                page: PAGE.to_owned(),
            },
            None => unavailable("the demo executor looks at synthetic shops only"),
        }
    }

    fn shop(&self) -> Option<&'static Shop> {
        Some(self.source.as_str()).filter(|source| *source == SOURCE)?;
        Shop::of(&self.candidate_id)
    }
}

/// What the executor says to a task of a run, one after the other; the last of it is the result. `errand` is what an
/// earlier task has begun, if the executor knows.
pub fn executor(run: &RunId, task: &Task, errand: Option<&Errand>, now: UnixMillis) -> Vec<BrowserResult> {
    match task {
        Task::RevalidateCandidate { .. } => {
            Errand::begun_by(task).map_or(Vec::new(), |begun| look(&begun, now))
        }
        Task::PrepareCheckout | Task::ReadCheckout => vec![errand.map_or_else(
            || BrowserResult::Error {
                reason: "the synthetic cart is empty: look at the shop again".to_owned(),
            },
            |errand| errand.read(now, 0),
        )],
        Task::ReadPix { expected } => vec![BrowserResult::Pix(PixTarget {
            amount: *expected,
            evidence: Evidence::PixCode,
            expires_at: Some(now.plus(PIX_HOLDS)),
            // Of a text that no bank takes.
            payload_digest: Some(Digest::of(&[
                b"guildhall synthetic pix v1\0",
                run.as_str().as_bytes(),
                b"\0",
                expected.to_string().as_bytes(),
            ])),
        })],
        Task::VerifyOrder => vec![BrowserResult::Order(OrderEvidence {
            confirmed: true,
            evidence: format!("simulated order of {run}"),
        })],
    }
}

/// Looks at a shop for the first time, which is where stories are told.
fn look(errand: &Errand, now: UnixMillis) -> Vec<BrowserResult> {
    let is_told = |story: Story| story.is_told_by(&errand.requirement);
    let is_cheapest = errand.shop().is_some_and(Shop::is_cheapest);
    let mut said = vec![BrowserResult::Started];
    if is_told(Story::Login) {
        said.push(BrowserResult::NeedsUser { reason: "log in to the synthetic shop".to_owned() });
    }
    said.push(if is_cheapest && is_told(Story::Gone) {
        unavailable("the synthetic shop is sold out")
    } else {
        errand.read(now, if is_cheapest && is_told(Story::Drift) { RISE } else { 0 })
    });
    said
}

fn unavailable(reason: &str) -> BrowserResult {
    BrowserResult::Unavailable { reason: reason.to_owned() }
}
