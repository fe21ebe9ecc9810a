//! Steps of escrows: the ones that come next, at the edges of their windows, and the ones that may not come.

use alloy_primitives::{Address, B256};
use mandate::{Payment, State};
use primitives::BaseUnits;

use super::Player;
use mandate::Request;

use crate::{Action, Actor, Dice, EscrowCall, Signed};

/// A kind of call, without its numbers.
#[derive(Clone, Copy)]
enum Call {
    Deliver,
    Accept,
    Dispute,
    Capture,
    Claim,
    Void,
    Resolve,
    TimeOut,
    Expire,
    Refund,
}

const CALLS: [Call; 10] = [
    Call::Deliver,
    Call::Accept,
    Call::Dispute,
    Call::Capture,
    Call::Claim,
    Call::Void,
    Call::Resolve,
    Call::TimeOut,
    Call::Expire,
    Call::Refund,
];

impl Player {
    pub(super) fn escrow(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let Some((order, payment)) = self.some_payment(dice) else {
            return self.authorize(dice, at);
        };
        let call = if dice.chance(12) { dice.of(&CALLS) } else { next_call(dice, at, &order, &payment) };
        let at = if dice.chance(35) { self.at_edge(dice, &edges(call, &order, &payment)) } else { at };
        let (party, call) = self.with_numbers(dice, call, &order, &payment);
        let (by, signed) = self.speaker(dice, party);
        (by, at, Action::Escrow { order, call, signed })
    }

    pub(super) fn cancel_request(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let earlier = if dice.chance(60) { None } else { self.some_item(dice) };
        let item = earlier.unwrap_or_else(|| self.item(dice, at));
        self.items.push(item);
        let order = item.order;
        let of = self.book.mandates.get(&order.mandate);
        let party = of.map(|of| if dice.chance(50) { of.owner } else { of.agent });
        let (by, signed) = self.speaker(dice, party.unwrap_or(Address::ZERO));
        (by, at, Action::CancelRequest { order, signed })
    }

    /// The party itself or anyone with the party's signature, and now and then someone else or a bad signature.
    pub(super) fn speaker(&self, dice: &mut Dice, party: Address) -> (Actor, Signed) {
        let party = self.actor(party);
        let anyone = dice.of(&Actor::ALL);
        let key = party.key_holder();
        match dice.below(100) {
            0..40 => (party, Signed::Nothing),
            40..75 => (anyone, Signed::Well(key)),
            75..82 => (anyone, Signed::Nothing),
            82..88 => (anyone, Signed::Well(anyone.key_holder())),
            88..92 => (anyone, Signed::HighS(key)),
            92..96 => (anyone, Signed::OfAnother(key)),
            _ => (anyone, Signed::Short(key)),
        }
    }

    /// A payment, mostly one that is open.
    fn some_payment(&self, dice: &mut Dice) -> Option<(Request, Payment)> {
        let all: Vec<_> = self
            .items
            .iter()
            .filter_map(|item| {
                let of = self.book.mandates.get(&item.order.mandate)?;
                Some((item.order, *of.payments.get(&item.order.payment)?))
            })
            .collect();
        let open: Vec<_> = all.iter().filter(|(_, payment)| payment.state.is_open()).copied().collect();
        let from = if open.is_empty() || dice.chance(18) { all } else { open };
        (!from.is_empty()).then(|| dice.of(&from))
    }

    fn with_numbers(
        &self,
        dice: &mut Dice,
        call: Call,
        order: &Request,
        payment: &Payment,
    ) -> (Address, EscrowCall) {
        let request = &order;
        let owner = self.book.mandates.get(&request.mandate).map_or(Address::ZERO, |of| of.owner);
        let max = request.max_amount.0;
        let part = |dice: &mut Dice, done: u128, most: u128| {
            let edges = [done, most, most / 2 + done / 2, u128::MAX];
            let edge = if dice.chance(97) { dice.of(&edges[..3]) } else { edges[3] };
            BaseUnits(dice.around(edge))
        };
        match call {
            Call::Deliver => (request.recipient, EscrowCall::Deliver { receipt: B256::repeat_byte(7) }),
            Call::Accept => (owner, EscrowCall::Accept),
            Call::Dispute => {
                let evidence = if dice.chance(60) { B256::repeat_byte(9) } else { B256::ZERO };
                (owner, EscrowCall::Dispute { evidence })
            }
            Call::Capture => {
                (request.recipient, EscrowCall::Capture { total: part(dice, payment.paid.0, max) })
            }
            Call::Claim => (Address::ZERO, EscrowCall::Claim),
            Call::Void => (request.recipient, EscrowCall::Void),
            Call::Resolve => {
                (request.terms.resolver, EscrowCall::Resolve { to_provider: part(dice, 0, max) })
            }
            Call::TimeOut => (Address::ZERO, EscrowCall::TimeOut),
            Call::Expire => (Address::ZERO, EscrowCall::Expire),
            Call::Refund => {
                let total = part(dice, payment.refunded.0, payment.paid.0);
                (request.recipient, EscrowCall::Refund { total })
            }
        }
    }
}

fn next_call(dice: &mut Dice, at: u64, order: &Request, payment: &Payment) -> Call {
    let request = &order;
    match payment.state {
        State::None | State::Cancelled => dice.of(&CALLS),
        State::Escrowed if at >= request.deliver_by.0 => dice.of(&[Call::Deliver, Call::Void, Call::Expire]),
        State::Escrowed => dice.weighted(&[(12, Call::Deliver), (1, Call::Void), (1, Call::Expire)]),
        State::Delivered if at < payment.since.plus(request.terms.challenge_period).0 => {
            dice.weighted(&[(8, Call::Dispute), (2, Call::Capture), (2, Call::Claim), (1, Call::Accept)])
        }
        State::Delivered if at < request.capture_by.0 => dice.weighted(&[
            (8, Call::Capture),
            (3, Call::Claim),
            (1, Call::Dispute),
            (1, Call::Void),
            (1, Call::Expire),
        ]),
        State::Delivered => dice.of(&[Call::Expire, Call::Capture, Call::Claim]),
        State::Disputed => {
            dice.weighted(&[(4, Call::Resolve), (4, Call::TimeOut), (1, Call::Accept), (1, Call::Void)])
        }
        State::Settled | State::Refunded | State::Voided | State::TimedOut => {
            dice.weighted(&[(6, Call::Refund), (1, Call::Expire), (1, Call::Claim)])
        }
    }
}

/// The moments at which the contract's answer to a call changes.
fn edges(call: Call, order: &Request, payment: &Payment) -> Vec<u64> {
    let request = &order;
    let challenge_ends = payment.since.plus(request.terms.challenge_period).0;
    let resolution_ends = payment.since.plus(request.terms.resolution_timeout).0;
    match call {
        Call::Deliver => vec![request.deliver_by.0],
        Call::Dispute => vec![challenge_ends],
        Call::Capture | Call::Claim => vec![challenge_ends, challenge_ends, request.capture_by.0],
        Call::Resolve | Call::TimeOut => vec![resolution_ends],
        Call::Expire if payment.state == State::Delivered => vec![request.capture_by.0],
        Call::Expire => vec![request.deliver_by.0],
        Call::Refund => vec![request.refund_by.0],
        Call::Accept | Call::Void => Vec::new(),
    }
}
