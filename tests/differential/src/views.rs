//! What the contract shows of its state, held against the model's.

use alloy_primitives::{B256, U256};
use eip712::mandates::{self as sol, IMandates};
use mandate::{Ceiling, Mandate, Payment, Remaining, SignerKind, State, Status, UnixSeconds};

use crate::{Book, Item, World, words};

/// Compares all that both keep: mandates with their entries, the given payments, ceilings, credits and holdings.
///
/// # Errors
/// What differs, in words.
pub(crate) fn compare(
    world: &mut World,
    book: &Book,
    payments: &[B256],
    now: UnixSeconds,
) -> Result<(), String> {
    world.chain.warp(now.0);
    for mandate in book.mandates.values() {
        let expected = view(book, mandate);
        same("the mandate", &world.read(IMandates::mandateCall { id: mandate.id }), &expected)?;
        entries(world, mandate)?;
        let pending = world.read(IMandates::pendingAmendmentCall { mandate: mandate.id });
        let waits = mandate.pending.map_or((B256::ZERO, words::seconds(UnixSeconds(0))), |pending| {
            (pending.hash, words::seconds(pending.effective_at))
        });
        same("the waiting amendment", &(pending.hash, pending.effectiveAt), &waits)?;
        for payment in payments.iter().filter_map(|id| mandate.payments.get_key_value(id)) {
            same("the payment", &world.read(IMandates::paymentCall { id: *payment.0 }), &paid(payment.1))?;
        }
        let vault = book.sites.vault(mandate.owner);
        let held = book.holdings.get(&vault).copied().unwrap_or_default();
        same("the vault", &world.holds(vault), &U256::from(held))?;
    }
    for (&(owner, agent, token), ceiling) in &book.ceilings {
        let shown = world.read(IMandates::ceilingCall { owner, agent, token });
        let expected = match ceiling {
            Ceiling::Unset => (false, words::cap(mandate::AMOUNT_MAX), words::cap(primitives::BaseUnits(0))),
            Ceiling::Set(caps) => (true, words::cap(caps.cap_at(now)), words::cap(caps.spent_at(now))),
        };
        same("the ceiling", &(shown.isSet, shown.dayCap, shown.spentToday), &expected)?;
    }
    for (key, credit) in &book.credits {
        let (owner, token, recipient) = (key.owner, key.token, key.recipient);
        let shown = world.read(IMandates::creditCall { owner, token, recipient });
        same("the credit", &(shown.earned, shown.withdrawn), &(credit.earned.0, credit.withdrawn.0))?;
    }
    Ok(())
}

/// Compares the preview of an authorization with what the model says of it.
///
/// # Errors
/// What differs, in words.
pub(crate) fn compare_preview(
    book: &Book,
    item: &Item,
    shown: &sol::Preview,
    now: UnixSeconds,
) -> Result<(), String> {
    let request = &item.order;
    let of = book.mandates.get(&request.mandate);
    let needs_approval =
        of.is_some_and(|of| of.approval_for(request.max_amount) == mandate::Approval::Needed);
    same("needsApproval", &shown.needsApproval, &needs_approval)?;
    same("the payment's name", &shown.payment, &request.payment)?;
    let expected = of.map_or_else(sol_nothing, |of| {
        left(&of.remaining(request.recipient, request.service, now, &book.ceiling_of(of)))
    });
    same("what remains", &shown.remaining, &expected)
}

fn entries(world: &mut World, mandate: &Mandate) -> Result<(), String> {
    for (key, allowed) in &mandate.entries {
        let (recipient, service) = (key.recipient, key.service);
        let shown = world.read(IMandates::entryCall { mandate: mandate.id, recipient, service });
        let entry = mandate::Entry { key: *key, limits: allowed.limits };
        same("the entry", &(shown.exists, shown._1), &(true, words::entry(&entry)))?;
    }
    Ok(())
}

fn view(book: &Book, mandate: &Mandate) -> sol::MandateView {
    sol::MandateView {
        status: match mandate.status {
            Status::Active => sol::Status::Active,
            Status::Paused => sol::Status::Paused,
            Status::Revoked => sol::Status::Revoked,
        },
        ownerKind: kind(mandate.owner_kind),
        agentKind: kind(mandate.agent_kind),
        owner: mandate.owner,
        agent: mandate.agent,
        token: mandate.token,
        vault: book.sites.vault(mandate.owner),
        policyVersion: mandate.policy_version,
        amendDelay: mandate.amend_delay,
        policy: words::policy(&mandate.policy),
        balance: words::cap(mandate.funds.balance),
        reserved: words::cap(mandate.funds.reserved),
        lifetimeSpent: words::cap(mandate.lifetime_spent),
        spent: sol::Spent {
            day: u32::try_from(mandate.spent.day).expect("a day of 32 bits"),
            dayCount: mandate.spent.day_count,
            daySum: words::cap(mandate.spent.day_sum),
            monthSum: words::cap(mandate.spent.month_sum),
        },
    }
}

const fn kind(kind: SignerKind) -> sol::SignerKind {
    words::kind(kind)
}

fn paid(payment: &Payment) -> sol::Payment {
    sol::Payment {
        state: match payment.state {
            State::None => sol::State::None,
            State::Cancelled => sol::State::Cancelled,
            State::Escrowed => sol::State::Escrowed,
            State::Delivered => sol::State::Delivered,
            State::Disputed => sol::State::Disputed,
            State::Settled => sol::State::Settled,
            State::Refunded => sol::State::Refunded,
            State::Voided => sol::State::Voided,
            State::TimedOut => sol::State::TimedOut,
        },
        hasEvidence: payment.has_evidence,
        since: words::seconds(payment.since),
        paid: words::cap(payment.paid),
        refunded: words::cap(payment.refunded),
    }
}

fn left(remaining: &Remaining) -> sol::Remaining {
    sol::Remaining {
        available: words::amount(remaining.available),
        perPayment: words::amount(remaining.per_payment),
        today: words::amount(remaining.today),
        thisMonth: words::amount(remaining.this_month),
        lifetime: words::amount(remaining.lifetime),
        countToday: U256::from(remaining.count_today),
        entryPerPayment: words::amount(remaining.entry_per_payment),
        entryWindow: words::amount(remaining.entry_window),
        ceiling: remaining.ceiling.map_or(U256::MAX, words::amount),
    }
}

/// What remains of a mandate that does not exist.
const fn sol_nothing() -> sol::Remaining {
    sol::Remaining {
        available: U256::ZERO,
        perPayment: U256::ZERO,
        today: U256::ZERO,
        thisMonth: U256::ZERO,
        lifetime: U256::ZERO,
        countToday: U256::ZERO,
        entryPerPayment: U256::ZERO,
        entryWindow: U256::ZERO,
        ceiling: U256::ZERO,
    }
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, contract: &T, model: &T) -> Result<(), String> {
    if contract == model {
        Ok(())
    } else {
        Err(format!("{what} differs\n  contract: {contract:?}\n  model:    {model:?}"))
    }
}
