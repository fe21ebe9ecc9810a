//! The same names, prices and words in every test.

use meter::{
    Effect, Event, EventKey, Fact, Item, Known, Means, News, Place, ReservationState, Row, SettlementState,
    State, Subject, Window, limits,
};
use primitives::{Digest, MeterId, Millis, PaymentId, ReservationId, SettlementId, TenantId, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use tariff::{Pricing, Quantity, Scale, Tier, UnitPrice, Version};

/// So many minutes after the start.
pub(crate) const fn after(minutes: u64) -> UnixMillis {
    START.plus(Millis::from_minutes(minutes))
}

pub(crate) const WINDOW: Window = Window { late: limits::LATE_MAX };

pub(crate) fn subject(shard: u8, shards: u8) -> Subject {
    Subject {
        tenant: TenantId::derive(&[b"tenant"]),
        era: 0,
        agent: "agent".parse().unwrap(),
        service: "search".parse().unwrap(),
        scale: Scale::try_from(3).unwrap(),
        shard,
        shards,
    }
}

fn meter() -> MeterId {
    let Subject { tenant, agent, service, .. } = subject(0, 1);
    MeterId::of(&tenant, 0, &agent, &service)
}

pub(crate) fn bill(word: &str) -> SettlementId {
    SettlementId::derive(&meter(), &[word.as_bytes()])
}

pub(crate) fn hold(word: &str) -> ReservationId {
    ReservationId::derive(&meter(), &[word.as_bytes()])
}

pub(crate) fn key(word: &str) -> EventKey {
    EventKey { source: "/api".parse().unwrap(), id: word.parse().unwrap() }
}

pub(crate) fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

fn tiers(tiers: [(Option<&str>, &str); 3]) -> Vec<Tier> {
    let tier = |(up_to, unit): (Option<&str>, &str)| Tier {
        up_to: up_to.map(quantity),
        unit: unit.parse::<UnitPrice>().unwrap(),
    };
    tiers.into_iter().map(tier).collect()
}

/// Version 1 is flat, 2 has tiers by parts, 3 tiers by the whole that fall and rise again, and 4 is free.
pub(crate) fn price(number: u32) -> Version {
    let pricing = match number {
        1 => Pricing::Flat { unit: "0.4".parse().unwrap() },
        2 => Pricing::Graduated { tiers: tiers([(Some("10"), "1"), (Some("100"), "0.5"), (None, "0.25")]) },
        3 => Pricing::Volume { tiers: tiers([(Some("10"), "1"), (Some("100"), "0.7"), (None, "1.3")]) },
        _ => Pricing::Flat { unit: "0".parse().unwrap() },
    };
    Version { number, from: START.minus(limits::LATE_MAX), pricing }
}

/// An event of which nothing is on file.
pub(crate) fn item(word: &str, amount: &str, version: u32, at: UnixMillis) -> Item {
    let quantity = quantity(amount);
    let fingerprint = Digest::of(&[word.as_bytes(), amount.as_bytes()]);
    Item { key: key(word), fingerprint, at, quantity, price: Some(price(version)), known: Known::Fresh }
}

pub(crate) fn mandate() -> String {
    format!("0x{}", "ab".repeat(32))
}

pub(crate) fn recipient() -> String {
    format!("0x{}", "cd".repeat(20))
}

/// Ways to pay a bill, by name.
pub(crate) fn means(word: &str) -> Means {
    match word {
        "x402" => Means::X402 {
            payment: PaymentId::derive("eip155:84532", &[1; 20], &[2; 20], &[3; 32]),
            claimed_at: START,
        },
        "mandate" => Means::Mandate { mandate: mandate(), recipient: recipient() },
        "transaction" => Means::Transaction {
            network: "eip155:84532".to_owned(),
            transaction: format!("0x{}", "ef".repeat(32)),
            payer: recipient(),
            recipient: recipient(),
        },
        other => Means::Reservation { reservation: hold(other), mandate: mandate() },
    }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Meter;

pub(crate) type Life = rehearsal::Life<Meter>;

impl Core for Meter {
    core_of!(meter);

    const FACTS: usize = 19;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Begun { .. } => "Begun",
            Fact::Recorded { .. } => "Recorded",
            Fact::Reversed { .. } => "Reversed",
            Fact::Credited { .. } => "Credited",
            Fact::HandedOver { .. } => "HandedOver",
            Fact::RoundPassed => "RoundPassed",
            Fact::Drafted { .. } => "Drafted",
            Fact::WrittenOff { .. } => "WrittenOff",
            Fact::Submitted { .. } => "Submitted",
            Fact::Looked { .. } => "Looked",
            Fact::Reported { .. } => "Reported",
            Fact::Voided { .. } => "Voided",
            Fact::DraftExpired { .. } => "DraftExpired",
            Fact::Reserved { .. } => "Reserved",
            Fact::Held { .. } => "Held",
            Fact::HoldRefused { .. } => "HoldRefused",
            Fact::Committed { .. } => "Committed",
            Fact::Released { .. } => "Released",
            Fact::ReservationExpired { .. } => "ReservationExpired",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    /// What is open, what is carried, what waits, and what is held.
    fn mark(state: &State) -> String {
        let Some(book) = state.book() else { return String::new() };
        let open = book.open.values().map(|open| format!("{}@{}", open.quantity, open.version));
        let carry = (book.carry != tariff::Exact::ZERO).then(|| format!("carry {}", book.carry));
        let credits = book.adjustments.iter().map(|it| format!("credit {} of #{}", it.exact, it.settlement));
        let bills = book.pending.values().map(|settlement| {
            let state = match settlement.state {
                SettlementState::Drafted { .. } => "drafted",
                SettlementState::Submitted { .. } => "submitted",
                _ => "over",
            };
            format!("#{} {state}: {}", settlement.number, settlement.amount)
        });
        let holds = book.reservations.values().map(|reservation| {
            let state = if reservation.state == ReservationState::Held { "held" } else { "asked" };
            format!("{state}: {}", reservation.amount)
        });
        let marks: Vec<_> = open.chain(carry).chain(credits).chain(bills).chain(holds).collect();
        format!("({})", marks.join(", "))
    }

    fn told(event: &Event) -> String {
        let about = match &event.fact {
            Fact::Recorded { items, .. } => items.len().to_string(),
            Fact::Reversed { place, .. } | Fact::Credited { place, .. } => match place {
                Place::Open => "open".to_owned(),
                Place::HandedOver { round } => format!("of round {round}"),
                Place::Untaken => "untaken".to_owned(),
                Place::Settled { settlement, .. } => format!("of #{}", settlement.number),
            },
            Fact::Drafted { settlement, .. }
            | Fact::WrittenOff { settlement, .. }
            | Fact::Committed { settlement, .. } => format!("#{}: {}", settlement.number, settlement.amount),
            _ => return Self::name(event).to_owned(),
        };
        format!("{}({about})", Self::name(event))
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Keep(row) => match row {
                Row::Events { .. } => "+events".to_owned(),
                Row::Reversal { .. } => "+reversal".to_owned(),
                Row::Credit { .. } => "+credited".to_owned(),
                Row::Round { round } => format!("+round {round}"),
                Row::Settlement(settlement) => format!("+#{}", settlement.number),
                Row::Reservation(_) => "+reservation".to_owned(),
                Row::Hour { .. } => "+hour".to_owned(),
                Row::Forget { .. } => "+forget".to_owned(),
            },
            Effect::Tell(news) => format!("+tell:{}", told(news)),
            // The same is told and announced.
            Effect::Announce(_) => "+announce".to_owned(),
            Effect::Register => "+register".to_owned(),
            Effect::Credit { .. } => "+credit".to_owned(),
            Effect::Hold { .. } => "+hold".to_owned(),
            Effect::Unhold { .. } => "+unhold".to_owned(),
            Effect::Pay { amount, .. } => format!("+pay {amount}"),
            Effect::Look { amount, .. } => format!("+look {amount}"),
        }
    }
}

fn told(news: &News) -> String {
    match news {
        News::Recorded { .. } => "recorded",
        News::Reversed { .. } => "reversed",
        News::WrittenOff(_) => "written-off",
        News::Drafted(_) => "drafted",
        News::Submitted(_) => "submitted",
        News::Settled(_) => "settled",
        News::Failed(_) => "failed",
        News::Reservation(reservation) => match reservation.state {
            ReservationState::Asked => "asked",
            ReservationState::Held => "held",
            ReservationState::Refused { .. } => "refused",
            ReservationState::Committed { .. } => "committed",
            ReservationState::Released => "released",
            ReservationState::Expired => "expired",
        },
    }
    .to_owned()
}
