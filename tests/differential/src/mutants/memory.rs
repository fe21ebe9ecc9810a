//! Evaluators that check the right rules against a past, a budget or a signature that they remember wrongly.

use mandate::{
    Allowed, Caps, Ceiling, EntryKey, Mandate, Reason, Request, SignerKind, Spent, UnixSeconds, Window,
};
use mandate::{calendar, evaluate};
use primitives::BaseUnits;

use super::{Case, Past, Verdict};
use crate::{Actor, Book, Item, Signed};

/// One request as a mutant sees it.
struct Sight {
    mandate: Mandate,
    ceiling: Ceiling,
    item: Item,
    book: Book,
    by: Actor,
    now: UnixSeconds,
    past: Past,
}

pub(super) struct Mutant {
    pub(super) name: &'static str,
    distort: fn(&mut Sight),
}

impl Mutant {
    pub(super) fn verdict(&self, case: &Case<'_>) -> Verdict {
        let request = &case.item.order;
        let from = if self.name == BATCH { case.before_batch } else { case.book };
        let Some(mandate) = from.mandates.get(&request.mandate) else { return Reason::UnknownMandate };
        let mut sight = Sight {
            mandate: mandate.clone(),
            ceiling: from.ceiling_of(mandate),
            item: *case.item,
            book: case.book.clone(),
            by: case.step.by,
            now: case.step.at,
            past: case.past,
        };
        (self.distort)(&mut sight);
        let proof = sight.book.proof(&sight.item, sight.by);
        let request = &sight.item.order;
        let answer = evaluate(Some(&sight.mandate), request, &proof, sight.now, &sight.ceiling);
        answer.err().map_or(Reason::None, |refused| refused.reason)
    }
}

const BATCH: &str = "a batch's items do not see each other";

macro_rules! mutants {
    ($($name:expr => $distort:expr;)+) => {
        pub(super) fn mutants() -> Vec<Mutant> {
            vec![$(Mutant { name: $name, distort: $distort },)+]
        }
    };
}

mutants! {
    BATCH => |_| {};
    // Windows of the calendar.
    "the day's sum lives on at midnight" => |s| {
        let old = s.mandate.spent;
        s.mandate.spent = Spent { day_sum: old.day_sum, ..old.seen_at(s.now) };
    };
    "the day's count lives on at midnight" => |s| {
        let old = s.mandate.spent;
        s.mandate.spent = Spent { day_count: old.day_count, ..old.seen_at(s.now) };
    };
    "the month's sum lives on in the next month" => |s| {
        let old = s.mandate.spent;
        s.mandate.spent = Spent { month_sum: old.month_sum, ..old.seen_at(s.now) };
    };
    "the month's sum is cleared at midnight" => |s| {
        if s.mandate.spent.day != calendar::day(s.now) {
            s.mandate.spent = Spent { month_sum: BaseUnits(0), ..s.mandate.spent.seen_at(s.now) };
        }
    };
    "windows turn a second early" => |s| {
        let early = s.mandate.spent.seen_at(UnixSeconds(s.now.0 + 1));
        s.mandate.spent = Spent { day: calendar::day(s.now), ..early };
    };
    "windows turn a second late" => |s| {
        let late = s.mandate.spent.seen_at(UnixSeconds(s.now.0 - 1));
        s.mandate.spent = Spent { day: calendar::day(s.now), ..late };
    };
    "an entry's sums live on at midnight" => |s| {
        let now = s.now;
        each_entry(s, |allowed| {
            let old = allowed.spent;
            allowed.spent = Spent { day_sum: old.day_sum, ..old.seen_at(now) };
        });
    };
    "an entry's sums live on in the next month" => |s| {
        let now = s.now;
        each_entry(s, |allowed| {
            let old = allowed.spent;
            allowed.spent = Spent { month_sum: old.month_sum, ..old.seen_at(now) };
        });
    };
    "what an entry allowed is not counted" => |s| each_entry(s, |allowed| allowed.spent = Spent::NOTHING);
    "an entry counts days for months and months for days" => |s| each_entry(s, |allowed| {
        allowed.limits.window = match allowed.limits.window {
            Window::UtcDay => Window::UtcMonth,
            Window::UtcMonth => Window::UtcDay,
        };
    });
    // The ceiling.
    "the ceiling's sum is not counted" => |s| on_caps(s, |caps, _| caps.day_sum = BaseUnits(0));
    "the ceiling's sum lives on at midnight" => |s| on_caps(s, |caps, now| caps.day = calendar::day(now));
    "a raised ceiling works at once" => |s| on_caps(s, |caps, _| caps.cap = caps.next_cap);
    "a raised ceiling never works" => |s| on_caps(s, |caps, _| caps.next_cap = caps.cap);
    "a raised ceiling works a second early" => |s| on_caps(s, |caps, _| caps.next_from.0 -= 1);
    "a raised ceiling works a second late" => |s| on_caps(s, |caps, _| caps.next_from.0 += 1);
    "the ceiling counts one mandate alone" => |s| {
        let own = s.mandate.spent.seen_at(s.now).day_sum;
        on_caps(s, |caps, now| (caps.day, caps.day_sum) = (calendar::day(now), own));
    };
    // What comes back.
    "what escrows return restores the day's budget" => |s| {
        s.mandate.spent.day_sum = less(s.mandate.spent.day_sum, s.past.returned);
    };
    "what escrows return restores the month's budget" => |s| {
        s.mandate.spent.month_sum = less(s.mandate.spent.month_sum, s.past.returned);
    };
    "what escrows return restores the lifetime's budget" => |s| {
        s.mandate.lifetime_spent = less(s.mandate.lifetime_spent, s.past.returned);
    };
    "what escrows return stays reserved" => |s| {
        let funds = &mut s.mandate.funds;
        funds.reserved = BaseUnits((funds.reserved.0 + s.past.returned).min(funds.balance.0));
    };
    "what is paid is not taken from the balance" => |s| {
        s.mandate.funds.balance.0 += s.past.freed - s.past.returned;
    };
    "what is reserved can be spent again" => |s| s.mandate.funds.reserved = BaseUnits(0);
    // Entries.
    "the widest entry decides" => |s| order_entries(s, [3, 2, 1, 0]);
    "an entry for a service comes before one for a recipient" => |s| order_entries(s, [0, 2, 1, 3]);
    "no entry is for any recipient" => |s| keep_entries(s, |key, _| !key.recipient.is_zero());
    "no entry is for any service" => |s| keep_entries(s, |key, _| !key.service.is_zero());
    "an entry that forbids is not there" => |s| keep_entries(s, |_, allowed| allowed.limits.payment_cap.0 > 0);
    // Terms and amounts.
    "the challenge period is not compared" => |s| agree(s, |asked, terms| asked.terms.challenge_period = terms.terms.challenge_period);
    "the resolution timeout is not compared" => |s| agree(s, |asked, terms| asked.terms.resolution_timeout = terms.terms.resolution_timeout);
    "the share on silence is not compared" => |s| agree(s, |asked, terms| asked.terms.silence_bps = terms.terms.silence_bps);
    "the resolver is not compared" => |s| agree(s, |asked, terms| asked.terms.resolver = terms.terms.resolver);
    "the amount is cut to 96 bits" => |s| s.item.order.max_amount.0 &= (1 << 96) - 1;
    // Signatures.
    "an approval may name anyone as the approver" => |s| s.item.approval.approver = s.mandate.owner;
    "the altered twin of an approval is good" => |s| s.item.approval.signed = forgive_high_s(s.item.approval.signed);
    "the altered twin of the agent's signature is good" => |s| s.item.agent = forgive_high_s(s.item.agent);
    "an approval of something else is good" => |s| s.item.approval.signed = forgive_other(s.item.approval.signed);
    "the agent's signature of something else is good" => |s| s.item.agent = forgive_other(s.item.agent);
    "64 bytes are an approval" => |s| s.item.approval.signed = forgive_short(s.item.approval.signed);
    "64 bytes are the agent's signature" => |s| s.item.agent = forgive_short(s.item.agent);
    "an agent with a key may sign by code" => |s| either_kind(s, SignerKind::Ecdsa);
    "an agent with code may sign by key" => |s| either_kind(s, SignerKind::Erc1271);
    "code at its address takes an agent's key from it" => |s| {
        let agent = s.book.sites.cast.actor(s.mandate.agent);
        let is_delegated = agent.is_some_and(|agent| s.book.delegated.contains(&agent));
        if is_delegated && s.mandate.agent_kind == SignerKind::Ecdsa {
            s.item.agent = Signed::Nothing;
        }
    };
    "the owner may sign for the agent" => |s| {
        let owner = s.book.sites.cast.actor(s.mandate.owner).map(Actor::key_holder);
        let agent = s.book.sites.cast.actor(s.mandate.agent).map(Actor::key_holder);
        if let (Some(owner), Some(agent)) = (owner, agent) && s.item.agent == Signed::Well(owner) {
            s.item.agent = Signed::Well(agent);
        }
    };
    "the owner's call is as good as the agent's" => |s| {
        if s.book.sites.cast.address(s.by) == s.mandate.owner {
            s.by = s.book.sites.cast.actor(s.mandate.agent).unwrap_or(s.by);
        }
    };
    "the owner need not approve what it sends itself" => |s| {
        if s.book.sites.cast.address(s.by) == s.mandate.owner {
            s.mandate.policy.approval_above = BaseUnits(u128::MAX);
        }
    };
}

fn each_entry(sight: &mut Sight, change: impl Fn(&mut Allowed)) {
    sight.mandate.entries.values_mut().for_each(change);
}

fn keep_entries(sight: &mut Sight, keep: impl Fn(&EntryKey, &Allowed) -> bool) {
    sight.mandate.entries.retain(|key, allowed| keep(key, allowed));
}

/// Leaves of the entries that fit only the first in this order of widths.
fn order_entries(sight: &mut Sight, order: [usize; 4]) {
    let Request { recipient, service, .. } = sight.item.order;
    let widths = EntryKey::widening(recipient, service);
    let found =
        order.into_iter().map(|width| widths[width]).find(|key| sight.mandate.entries.contains_key(key));
    keep_entries(sight, |key, _| found == Some(*key));
}

fn on_caps(sight: &mut Sight, change: impl Fn(&mut Caps, UnixSeconds)) {
    match &mut sight.ceiling {
        Ceiling::Unset => {}
        Ceiling::Set(caps) => change(caps, sight.now),
    }
}

fn less(amount: BaseUnits, part: u128) -> BaseUnits {
    BaseUnits(amount.0.saturating_sub(part))
}

/// Makes one field of the request's terms the policy's, while the payment keeps its name.
fn agree(sight: &mut Sight, change: impl Fn(&mut Request, &mandate::Policy)) {
    let request = &mut sight.item.order;
    change(request, &sight.mandate.policy);
}

const fn forgive_high_s(signed: Signed) -> Signed {
    match signed {
        Signed::HighS(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::OfAnother(_) | Signed::Short(_) => signed,
    }
}

const fn forgive_other(signed: Signed) -> Signed {
    match signed {
        Signed::OfAnother(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::HighS(_) | Signed::Short(_) => signed,
    }
}

const fn forgive_short(signed: Signed) -> Signed {
    match signed {
        Signed::Short(by) => Signed::Well(by),
        Signed::Nothing | Signed::Well(_) | Signed::HighS(_) | Signed::OfAnother(_) => signed,
    }
}

/// Lets an agent of `kind` sign as one of the other kind does, where that makes a difference.
fn either_kind(sight: &mut Sight, kind: SignerKind) {
    let Some(actor) = sight.book.sites.cast.actor(sight.mandate.agent) else { return };
    let by_code = sight.item.agent == Signed::Well(actor.key_holder())
        && (actor.is_contract() || sight.book.delegated.contains(&actor));
    let is_good = match kind {
        SignerKind::Ecdsa => by_code,
        SignerKind::Erc1271 => sight.item.agent.is_of_key(actor),
    };
    if sight.mandate.agent_kind == kind && is_good {
        sight.by = actor;
    }
}
