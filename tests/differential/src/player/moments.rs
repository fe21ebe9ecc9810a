//! When the next step happens: now, soon, or at the edge of something.

use mandate::{Ceiling, State, UnixSeconds, calendar};

use super::Player;
use crate::Dice;

const HOUR: u64 = 3_600;
const DAY: u64 = 86_400;
/// A jump past all of a sequence's windows would end it.
const JUMP_MAX: u64 = 40 * DAY;

impl Player {
    pub(super) fn moment(&self, dice: &mut Dice) -> u64 {
        match dice.below(100) {
            0..58 => self.now,
            58..70 => self.now + dice.below(600),
            70..75 => self.now + dice.below(30) * HOUR,
            75..87 => self.at_edge(dice, &self.calendar_edges()),
            _ => self.at_edge(dice, &self.edges()),
        }
    }

    /// A second before, at or after one of the moments that are not over, or now.
    pub(super) fn at_edge(&self, dice: &mut Dice, edges: &[u64]) -> u64 {
        let coming: Vec<_> =
            edges.iter().copied().filter(|edge| (self.now..self.now + JUMP_MAX).contains(edge)).collect();
        if coming.is_empty() {
            return self.now;
        }
        let edge = dice.of(&coming);
        dice.near(edge).max(self.now)
    }

    /// The next midnight, twice since days are what is counted most, and the first of the next month, UTC.
    fn calendar_edges(&self) -> [u64; 3] {
        let today = calendar::day(UnixSeconds(self.now));
        let month = calendar::month(today);
        let first = (today..).find(|day| calendar::month(*day) != month).unwrap_or(today);
        [(today + 1) * DAY, (today + 1) * DAY, first * DAY]
    }

    /// Where windows of policies, amendments, ceilings, requests and escrows begin and end.
    fn edges(&self) -> Vec<u64> {
        let mut edges = Vec::new();
        for of in self.book.mandates.values() {
            edges.extend([of.policy.valid_after.0, of.policy.valid_before.0]);
            edges.extend(of.pending.map(|pending| pending.effective_at.0));
        }
        for ceiling in self.book.ceilings.values() {
            match ceiling {
                Ceiling::Unset => {}
                // Often, since a sum has to stand at the old cap just then.
                Ceiling::Set(caps) => edges.extend([caps.next_from.0; 4]),
            }
        }
        for item in self.items.iter().rev().take(12) {
            let request = &item.order;
            let Some(of) = self.book.mandates.get(&request.mandate) else { continue };
            let Some(payment) = of.payments.get(&request.payment) else {
                edges.extend([request.valid_after.0, request.valid_before.0, item.approval.valid_before.0]);
                continue;
            };
            match payment.state {
                State::Escrowed => edges.push(request.deliver_by.0),
                State::Delivered => {
                    edges.push(payment.since.plus(request.terms.challenge_period).0);
                    edges.push(request.capture_by.0);
                }
                State::Disputed => edges.push(payment.since.plus(request.terms.resolution_timeout).0),
                State::Settled | State::Voided | State::TimedOut => edges.push(request.refund_by.0),
                State::None | State::Cancelled | State::Refunded => {}
            }
        }
        edges
    }
}
