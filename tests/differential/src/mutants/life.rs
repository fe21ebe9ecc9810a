//! Evaluators that are wrong about everything but authorizations: escrows, amendments, creations, money.

use alloy_primitives::Address;
use mandate::{Amendment, Creation, Entry, EntryLimits, Mandate, Payment, Policy, Reason, Request};
use primitives::BaseUnits;

use crate::{Action, Actor, Book, EscrowCall, Outcome, Seen, Signed, Step};

pub(super) struct Mutant {
    pub(super) name: &'static str,
    distort: fn(&mut Book, &mut Step),
}

impl Mutant {
    /// Whether the mutant's answer, or what it makes of the world, is another than the bytecode's. In a world that it has
    /// made impossible the model stops, which is no answer of the bytecode's either.
    pub(super) fn is_killed_by(&self, seen: &Seen<'_>) -> bool {
        let taken = std::panic::catch_unwind(|| {
            let (mut book, mut step) = (seen.before.clone(), seen.step.clone());
            (self.distort)(&mut book, &mut step);
            let outcome = book.take(&step);
            (book, outcome)
        });
        let Ok((book, outcome)) = taken else { return true };
        reason(&outcome) != reason(seen.outcome) || trace(&book, seen.step) != trace(seen.after, seen.step)
    }
}

/// Why nothing was done; [`Reason::None`] when the token was what refused.
fn reason(outcome: &Outcome) -> Option<Reason> {
    match outcome {
        Outcome::Done | Outcome::Batch(_) => None,
        Outcome::Refused(refused) => Some(refused.reason),
        Outcome::TokenRefused => Some(Reason::None),
    }
}

/// What a step leaves, as far as no distortion alone changes it.
fn trace(book: &Book, step: &Step) -> impl PartialEq + use<> {
    let escrow = match &step.action {
        Action::Escrow { order, .. } => {
            let of = book.mandates.get(&order.mandate);
            let left = of.map(|of| (of.state_of(order.payment), of.funds));
            Some((left, book.credits.clone()))
        }
        _ => None,
    };
    let policy = match &step.action {
        Action::Amend { mandate, .. } | Action::ApplyAmendment { mandate, .. } => {
            book.mandates.get(mandate).map(|of| (of.policy_version, of.pending.map(|pending| pending.hash)))
        }
        _ => None,
    };
    (escrow, policy, book.holdings.clone())
}

macro_rules! mutants {
    ($($name:literal => $distort:expr;)+) => {
        pub(super) fn mutants() -> Vec<Mutant> {
            vec![$(Mutant { name: $name, distort: $distort },)+]
        }
    };
}

mutants! {
    // Edges of escrows.
    "the challenge period is a second longer" => |_, s| request(s, |r| r.terms.challenge_period += 1);
    "the challenge period is a second shorter" => |_, s| request(s, |r| r.terms.challenge_period -= 1);
    "the resolver has a second more" => |_, s| request(s, |r| r.terms.resolution_timeout += 1);
    "the resolver has a second less" => |_, s| request(s, |r| r.terms.resolution_timeout -= 1);
    "deliveries are taken a second longer" => |_, s| request(s, |r| r.deliver_by.0 += 1);
    "deliveries are taken a second less" => |_, s| request(s, |r| r.deliver_by.0 -= 1);
    "captures are taken a second longer" => |_, s| request(s, |r| r.capture_by.0 += 1);
    "captures are taken a second less" => |_, s| request(s, |r| r.capture_by.0 -= 1);
    "refunds are taken a second longer" => |_, s| request(s, |r| r.refund_by.0 += 1);
    "refunds are taken a second less" => |_, s| request(s, |r| r.refund_by.0 -= 1);
    // What is paid.
    "the share on silence is a basis point more" => |_, s| request(s, |r| r.terms.silence_bps += 1);
    "the share on silence is a basis point less" => |_, s| request(s, |r| {
        r.terms.silence_bps = r.terms.silence_bps.saturating_sub(1);
    });
    "every dispute has evidence" => |b, s| payment(b, s, |p| p.has_evidence = true);
    "evidence counts for nothing" => |b, s| payment(b, s, |p| p.has_evidence = false);
    "earlier captures are paid again" => |b, s| payment(b, s, |p| p.paid = BaseUnits(0));
    "earlier refunds are given again" => |b, s| payment(b, s, |p| p.refunded = BaseUnits(0));
    "a total one above the most is cut" => |b, s| cut_total(b, s);
    "a total that adds nothing is taken" => |b, s| raise_total(b, s);
    "a frozen account is paid" => |b, _| b.frozen.clear();
    "money that is reserved can be withdrawn" => |b, s| withdrawn(b, s, |of| of.funds.reserved.0 = 0);
    "the last unit cannot be withdrawn" => |b, s| withdrawn(b, s, |of| of.funds.reserved.0 += 1);
    "a credit can be withdrawn twice" => |b, _| b.credits.values_mut().for_each(|c| c.withdrawn.0 = 0);
    "one unit more of a credit can be withdrawn" => |b, s| {
        if matches!(s.action, Action::WithdrawCredit { .. }) {
            b.credits.values_mut().for_each(|c| c.earned.0 += 1);
        }
    };
    "one unit more fits the ledger" => |b, s| if matches!(s.action, Action::Fund { .. }) {
        b.mandates.values_mut().for_each(|of| of.funds.balance.0 = of.funds.balance.0.saturating_sub(1));
    };
    // Who may.
    "anyone delivers" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Deliver { .. }));
    "anyone accepts" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Accept));
    "anyone disputes" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Dispute { .. }));
    "anyone captures" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Capture { .. }));
    "anyone voids" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Void));
    "anyone resolves" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Resolve { .. }));
    "anyone refunds" => |b, s| anyone(b, s, |call| matches!(call, EscrowCall::Refund { .. }));
    "anyone amends" => |b, s| by_owner(b, s, |action| matches!(action, Action::Amend { .. }));
    "anyone cancels an amendment" => |b, s| by_owner(b, s, |action| matches!(action, Action::CancelAmendment { .. }));
    "anyone pauses" => |b, s| by_owner(b, s, |action| matches!(action, Action::Pause { .. }));
    "anyone unpauses" => |b, s| by_owner(b, s, |action| matches!(action, Action::Unpause { .. }));
    "anyone revokes" => |b, s| by_owner(b, s, |action| matches!(action, Action::Revoke { .. }));
    "the owner renounces for the agent" => |_, s| if let Action::Renounce { mandate } = s.action {
        s.action = Action::Revoke { mandate };
    };
    "anyone withdraws" => |b, s| by_owner(b, s, |action| matches!(action, Action::Withdraw { .. }));
    "the altered twin of a signature is good" => |_, s| signature(s, |signed| match signed {
        Signed::HighS(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::OfAnother(_) | Signed::Short(_) => signed,
    });
    "a signature of something else is good" => |_, s| signature(s, |signed| match signed {
        Signed::OfAnother(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::HighS(_) | Signed::Short(_) => signed,
    });
    "64 bytes are a signature" => |_, s| signature(s, |signed| match signed {
        Signed::Short(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::HighS(_) | Signed::OfAnother(_) => signed,
    });
    "code cannot sign for a provider" => |b, s| code_is_mute(b, s);
    "the agent cannot cancel a request" => |b, s| cancelled(b, s, |of| of.agent = of.owner);
    "the owner cannot cancel a request" => |b, s| cancelled(b, s, |of| of.owner = of.agent);
    // What loosens.
    "an earlier start is not looser" => |b, s| policy(b, s, |new, old| new.valid_after = new.valid_after.max(old.valid_after));
    "a later end is not looser" => |b, s| policy(b, s, |new, old| new.valid_before = new.valid_before.min(old.valid_before));
    "a higher payment cap is not looser" => |b, s| policy(b, s, |new, old| new.payment_cap = new.payment_cap.min(old.payment_cap));
    "a higher day cap is not looser" => |b, s| policy(b, s, |new, old| new.day_cap = new.day_cap.min(old.day_cap));
    "a higher month cap is not looser" => |b, s| policy(b, s, |new, old| new.month_cap = new.month_cap.min(old.month_cap));
    "a higher lifetime cap is not looser" => |b, s| policy(b, s, |new, old| new.lifetime_cap = new.lifetime_cap.min(old.lifetime_cap));
    "more payments a day are not looser" => |b, s| policy(b, s, |new, old| new.day_count = new.day_count.min(old.day_count));
    "a higher threshold is not looser" => |b, s| policy(b, s, |new, old| new.approval_above = new.approval_above.min(old.approval_above));
    "other terms are not looser" => |b, s| policy(b, s, |new, old| new.terms = old.terms);
    "the same start is looser" => |b, s| policy(b, s, |new, _| new.valid_after.0 = new.valid_after.0.saturating_sub(1));
    "the same end is looser" => |b, s| policy(b, s, |new, _| new.valid_before.0 += 1);
    "the same payment cap is looser" => |b, s| policy(b, s, |new, _| new.payment_cap.0 += 1);
    "the same day cap is looser" => |b, s| policy(b, s, |new, _| new.day_cap.0 += 1);
    "the same month cap is looser" => |b, s| policy(b, s, |new, _| new.month_cap.0 += 1);
    "the same lifetime cap is looser" => |b, s| policy(b, s, |new, _| new.lifetime_cap.0 += 1);
    "the same count is looser" => |b, s| policy(b, s, |new, _| new.day_count = new.day_count.saturating_add(1));
    "the same threshold is looser" => |b, s| policy(b, s, |new, _| new.approval_above.0 += 1);
    "a higher cap of an entry is not looser" => |b, s| entries(b, s, |new, old| new.payment_cap = new.payment_cap.min(old.payment_cap));
    "a higher window cap of an entry is not looser" => |b, s| entries(b, s, |new, old| new.window_cap = new.window_cap.min(old.window_cap));
    "another window of an entry is not looser" => |b, s| entries(b, s, |new, old| new.window = old.window);
    "the same cap of an entry is looser" => |b, s| entries(b, s, |new, _| if new.payment_cap.0 > 0 { new.payment_cap.0 += 1 });
    "the same window cap of an entry is looser" => |b, s| entries(b, s, |new, _| new.window_cap.0 += 1);
    "a new entry is not looser" => |b, s| amend(b, s, |amendment, of| {
        amendment.entries.retain(|entry| of.entries.contains_key(&entry.key));
    });
    "a ban is looser" => |b, s| amend(b, s, |amendment, _| amendment.entries.iter_mut().for_each(allow));
    "the expected version is not compared" => |b, s| amend(b, s, |amendment, of| amendment.expected_version = of.policy_version);
    "an amendment works a second early" => |b, s| applied(b, s, |of| if let Some(pending) = &mut of.pending { pending.effective_at.0 -= 1 });
    "an amendment works a second late" => |b, s| applied(b, s, |of| if let Some(pending) = &mut of.pending { pending.effective_at.0 += 1 });
    // What is never allowed.
    "a period may be a second longer" => |_, s| create(s, |c| c.policy.terms.challenge_period = c.policy.terms.challenge_period.saturating_sub(1));
    "a period may be a second shorter" => |_, s| create(s, |c| c.policy.terms.challenge_period += 1);
    "a timeout may be a second longer" => |_, s| create(s, |c| c.policy.terms.resolution_timeout = c.policy.terms.resolution_timeout.saturating_sub(1));
    "a timeout may be a second shorter" => |_, s| create(s, |c| c.policy.terms.resolution_timeout += 1);
    "a delay may be a second longer" => |_, s| create(s, |c| c.amend_delay = c.amend_delay.saturating_sub(1));
    "a delay may be a second shorter" => |_, s| create(s, |c| c.amend_delay = c.amend_delay.saturating_add(1));
    "a share may be a basis point more" => |_, s| create(s, |c| c.policy.terms.silence_bps = c.policy.terms.silence_bps.saturating_sub(1));
    "a window may be empty" => |_, s| create(s, |c| c.policy.valid_before.0 += 1);
    "a window must be two seconds long" => |_, s| create(s, |c| c.policy.valid_before.0 = c.policy.valid_before.0.saturating_sub(1));
    "a payment cap may be zero" => |_, s| create(s, |c| c.policy.payment_cap.0 = c.policy.payment_cap.0.max(1));
    "a day cap may be zero" => |_, s| create(s, |c| c.policy.day_cap.0 = c.policy.day_cap.0.max(1));
    "a month cap may be zero" => |_, s| create(s, |c| c.policy.month_cap.0 = c.policy.month_cap.0.max(1));
    "a lifetime cap may be zero" => |_, s| create(s, |c| c.policy.lifetime_cap.0 = c.policy.lifetime_cap.0.max(1));
    "a count may be zero" => |_, s| create(s, |c| c.policy.day_count = c.policy.day_count.max(1));
    "an owner may resolve" => |_, s| create(s, |c| if c.policy.terms.resolver == c.owner { c.policy.terms.resolver = Address::ZERO });
    "an agent may resolve" => |_, s| create(s, |c| if c.policy.terms.resolver == c.agent { c.policy.terms.resolver = Address::ZERO });
}

fn request(step: &mut Step, change: impl Fn(&mut Request)) {
    if let Action::Escrow { order, .. } = &mut step.action {
        change(order);
    }
}

fn payment(book: &mut Book, step: &Step, change: impl Fn(&mut Payment)) {
    if let Action::Escrow { order, .. } = &step.action {
        let of = book.mandates.get_mut(&order.mandate);
        of.and_then(|of| of.payments.get_mut(&order.payment)).into_iter().for_each(change);
    }
}

/// The total of a call, what was done of it, and the most that it may be.
fn total<'a>(book: &Book, step: &'a mut Step) -> Option<(&'a mut BaseUnits, u128, u128)> {
    let Action::Escrow { order, call, .. } = &mut step.action else { return None };
    let request = &order;
    let payment = *book.mandates.get(&request.mandate)?.payments.get(&request.payment)?;
    match call {
        EscrowCall::Capture { total } => Some((total, payment.paid.0, request.max_amount.0)),
        EscrowCall::Resolve { to_provider } => Some((to_provider, 0, request.max_amount.0)),
        EscrowCall::Refund { total } => Some((total, payment.refunded.0, payment.paid.0)),
        EscrowCall::Deliver { .. }
        | EscrowCall::Accept
        | EscrowCall::Dispute { .. }
        | EscrowCall::Claim
        | EscrowCall::Void
        | EscrowCall::TimeOut
        | EscrowCall::Expire => None,
    }
}

fn cut_total(book: &Book, step: &mut Step) {
    if let Some((total, _, most)) = total(book, step)
        && Some(total.0) == most.checked_add(1)
    {
        total.0 = most;
    }
}

fn raise_total(book: &Book, step: &mut Step) {
    if let Some((total, done, _)) = total(book, step)
        && total.0 == done
    {
        total.0 = total.0.saturating_add(1);
    }
}

fn withdrawn(book: &mut Book, step: &Step, change: impl Fn(&mut Mandate)) {
    if matches!(step.action, Action::Withdraw { .. }) {
        book.mandates.values_mut().for_each(change);
    }
}

fn cancelled(book: &mut Book, step: &Step, change: impl Fn(&mut Mandate)) {
    if matches!(step.action, Action::CancelRequest { .. }) {
        book.mandates.values_mut().for_each(change);
    }
}

fn applied(book: &mut Book, step: &Step, change: impl Fn(&mut Mandate)) {
    if matches!(step.action, Action::ApplyAmendment { .. }) {
        book.mandates.values_mut().for_each(change);
    }
}

/// Lets the right party call in the place of whoever does.
fn anyone(book: &Book, step: &mut Step, is_meant: impl Fn(&EscrowCall) -> bool) {
    if let Action::Escrow { order, call, signed } = &mut step.action
        && is_meant(call)
        && let Ok((party, _)) = book.party(order, *call)
        && let Some(actor) = book.sites.cast.actor(party)
    {
        (step.by, *signed) = (actor, Signed::Nothing);
    }
}

fn code_is_mute(book: &Book, step: &mut Step) {
    if let Action::Escrow { order, call, signed } = &mut step.action
        && let Ok((party, None)) = book.party(order, *call)
        && book.sites.cast.actor(party).is_some_and(|actor| signed.is_of_code(actor))
    {
        *signed = Signed::OfAnother(Actor::Stranger);
    }
}

fn by_owner(book: &Book, step: &mut Step, is_meant: impl Fn(&Action) -> bool) {
    let mandate = match &step.action {
        Action::Amend { mandate, .. }
        | Action::CancelAmendment { mandate }
        | Action::Pause { mandate }
        | Action::Unpause { mandate }
        | Action::Revoke { mandate }
        | Action::Withdraw { mandate, .. } => book.mandates.get(mandate),
        _ => None,
    };
    if let Some(actor) = mandate.and_then(|of| book.sites.cast.actor(of.owner))
        && is_meant(&step.action)
    {
        step.by = actor;
    }
}

fn signature(step: &mut Step, change: impl Fn(Signed) -> Signed) {
    match &mut step.action {
        Action::Escrow { signed, .. }
        | Action::CancelRequest { signed, .. }
        | Action::WithdrawCredit { signed, .. } => *signed = change(*signed),
        _ => {}
    }
}

fn amend(book: &Book, step: &mut Step, change: impl Fn(&mut Amendment, &Mandate)) {
    if let Action::Amend { mandate, amendment } = &mut step.action
        && let Some(of) = book.mandates.get(mandate)
    {
        change(amendment, of);
    }
}

fn policy(book: &Book, step: &mut Step, change: impl Fn(&mut Policy, &Policy)) {
    amend(book, step, |amendment, of| change(&mut amendment.policy, &of.policy));
}

/// Changes the entries of an amendment that stand already, beside what they are now.
fn entries(book: &Book, step: &mut Step, change: impl Fn(&mut EntryLimits, &EntryLimits)) {
    amend(book, step, |amendment, of| {
        for Entry { key, limits } in &mut amendment.entries {
            of.entries.get(key).into_iter().for_each(|allowed| change(limits, &allowed.limits));
        }
    });
}

fn allow(entry: &mut Entry) {
    if entry.limits.payment_cap.0 == 0 {
        entry.limits.payment_cap = mandate::AMOUNT_MAX;
    }
}

fn create(step: &mut Step, change: impl Fn(&mut Creation)) {
    if let Action::Create { creation, .. } = &mut step.action {
        change(creation);
    }
}
