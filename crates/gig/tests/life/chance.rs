//! Lives by chance: people who mostly do what they may, at moments that lie on, just before and far behind deadlines.

use gig::{Bearer, Command, Door, Lifecycle, Payer, Role, State};
use primitives::{AgentIdentity, Digest, UnixMillis};
use proptest::prelude::*;
use rehearsal::Wait;

use crate::cast::*;

/// What is tried next.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    /// Whatever brings the gig forward; without it few lives would come far.
    Next,
    /// Whatever someone might gain by: take the work and leave, or ask for it without end.
    Cheat,
    Reserve {
        payment: usize,
        attempt: u64,
        other_terms: bool,
    },
    Release {
        payment: usize,
        attempt: u64,
    },
    Fund {
        payment: usize,
        attempt: u64,
    },
    Claim {
        by: usize,
        message: usize,
    },
    Ticket(Role),
    Join(Role),
    JoinByTicket(Role),
    Reconnect(Role, usize),
    Deliver,
    Accept,
    Revise,
    Cancel,
    Abandon,
    Wake,
}

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) deed: Deed,
    /// Whether the right party does it with the grant in force.
    pub(crate) honest: bool,
}

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        12 => (0_u64..3_000).prop_map(Wait::For),
        3 => (0_u64..700_000).prop_map(Wait::For),
        1 => (0_u64..100_000_000).prop_map(Wait::For),
        2 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ]
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![Just(Role::Buyer), Just(Role::Worker)]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        12 => Just(Deed::Next),
        3 => Just(Deed::Cheat),
        3 => (0_usize..2, 0_u64..3, prop::bool::weighted(0.1))
            .prop_map(|(payment, attempt, other_terms)| Deed::Reserve { payment, attempt, other_terms }),
        1 => (0_usize..2, 0_u64..3).prop_map(|(payment, attempt)| Deed::Release { payment, attempt }),
        4 => (0_usize..2, 0_u64..3).prop_map(|(payment, attempt)| Deed::Fund { payment, attempt }),
        5 => (0_usize..3, 0_usize..2).prop_map(|(by, message)| Deed::Claim { by, message }),
        2 => role().prop_map(Deed::Ticket),
        5 => role().prop_map(Deed::Join),
        2 => role().prop_map(Deed::JoinByTicket),
        2 => (role(), 0_usize..2).prop_map(|(role, message)| Deed::Reconnect(role, message)),
        5 => Just(Deed::Deliver),
        2 => Just(Deed::Accept),
        4 => Just(Deed::Revise),
        1 => Just(Deed::Cancel),
        1 => Just(Deed::Abandon),
        3 => Just(Deed::Wake),
    ]
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let turn = (wait(), deed(), prop::bool::weighted(0.85));
    prop::collection::vec(turn.prop_map(|(wait, deed, honest)| (wait, Turn { deed, honest })), 1..50)
}

fn by_chance(payment: usize, attempt: u64) -> Payer {
    payer(["P1", "P2"][payment], attempt)
}

/// The command of the `number`th turn. Secrets are fresh each time, as a shell makes them.
pub(crate) fn command(state: &State, turn: &Turn, number: usize) -> Command {
    let fresh = secret(&format!("fresh {number}"));
    let party = |role: Role| -> (AgentIdentity, Digest) {
        let seat = state.seat(role).filter(|_| turn.honest);
        seat.map_or_else(|| (who("V"), secret("stolen")), |seat| (seat.identity.clone(), seat.grant))
    };
    let ((buyer, buyers), (worker, workers)) = (party(Role::Buyer), party(Role::Worker));
    match turn.deed {
        Deed::Next => match state.lifecycle() {
            None => reserve(by_chance(0, 1), "b1"),
            Some(Lifecycle::Posted) => fund(by_chance(0, 1)),
            Some(Lifecycle::Discoverable) => {
                Command::Claim { by: who("W"), message_id: message("m1"), grant: fresh }
            }
            Some(Lifecycle::TunnelGranted) => {
                Command::Join { bearer: Bearer::Grant { by: worker, grant: workers } }
            }
            Some(Lifecycle::InProgress) => {
                Command::Deliver { by: worker, grant: workers, delivery: gig::Delivery::default() }
            }
            Some(_) => Command::Revise { by: buyer, grant: buyers, reason: "again".to_owned() },
        },
        Deed::Cheat => match state.work() {
            Some(work) if !work.revisions.is_empty() => {
                Command::Cancel { by: buyer, grant: buyers, reason: None }
            }
            Some(_) | None => Command::Revise { by: buyer, grant: buyers, reason: "more".to_owned() },
        },
        Deed::Reserve { payment, attempt, other_terms: other } => Command::Reserve {
            terms: if other { other_terms() } else { terms() },
            payer: by_chance(payment, attempt),
            grant: fresh,
        },
        Deed::Release { payment, attempt } => {
            Command::Release { payer: by_chance(payment, attempt), reason: "refused".to_owned() }
        }
        Deed::Fund { payment, attempt } => fund(by_chance(payment, attempt)),
        Deed::Claim { by, message: id } => Command::Claim {
            by: who(["W", "V", "B"][by]),
            message_id: message(["m1", "m2"][id]),
            grant: fresh,
        },
        Deed::Ticket(role) => {
            let (by, grant) = party(role);
            Command::IssueTicket { by, grant, ticket: fresh }
        }
        Deed::Join(role) => {
            let (by, grant) = party(role);
            Command::Join { bearer: Bearer::Grant { by, grant } }
        }
        Deed::JoinByTicket(role) => {
            let ticket = match state.seat(role).map(|seat| &seat.door) {
                Some(Door::Ticketed(kept)) => kept.digest,
                Some(Door::Unused | Door::Used) | None => secret("stolen"),
            };
            Command::Join { bearer: Bearer::Ticket { ticket } }
        }
        Deed::Reconnect(role, id) => {
            let (by, grant) = party(role);
            let repeated = state.seat(role).and_then(|seat| seat.rotation.clone()).filter(|_| id == 1);
            let (grant, message_id) =
                repeated.map_or((grant, message("r")), |rotation| (rotation.from, rotation.message_id));
            Command::Reconnect { by, role, grant, message_id, replacement: fresh }
        }
        Deed::Deliver => Command::Deliver { by: worker, grant: workers, delivery: gig::Delivery::default() },
        Deed::Accept => Command::Accept { by: buyer, grant: buyers, reason: None },
        Deed::Revise => Command::Revise { by: buyer, grant: buyers, reason: "again".to_owned() },
        Deed::Cancel => Command::Cancel { by: buyer, grant: buyers, reason: None },
        Deed::Abandon => Command::Abandon { by: worker, grant: workers, reason: None },
        Deed::Wake => Command::Wake,
    }
}

/// Lives through the turns; `see` is shown the life after each, and the moment.
pub(crate) fn live(turns: &[(Wait, Turn)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    let mut numbers = 0..;
    Life::live(turns, |life, turn| command(&life.state, turn, numbers.next().unwrap_or_default()), see)
}
