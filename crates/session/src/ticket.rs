//! One-time passes: what opens one stream for somebody who cannot send a header, such as a browser's `EventSource`.
//!
//! A third, smallest core, kept beside the state of whatever it opens: [`Tickets`] is all there is, and it moves by two
//! functions. A ticket that is lost costs nothing, so that there is no journal of them.
//!
//! - **T1** A ticket opens once, before its end; it is spent by that.
//! - **T2** What is kept is bounded: beyond [`limits::TICKETS_MAX`] the one that ends first makes room.

use std::collections::BTreeMap;

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::limits;

/// The tickets that were issued and not used, by their digests in hexadecimal, with their ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tickets(BTreeMap<String, UnixMillis>);

impl Tickets {
    /// Keeps the digest of a fresh ticket, and says until when it opens.
    pub fn issue(&mut self, ticket: &Digest, now: UnixMillis) -> UnixMillis {
        self.0.retain(|_, end| now < *end);
        if self.0.len() >= limits::TICKETS_MAX
            && let Some(first) = self.0.iter().min_by_key(|(_, end)| **end).map(|(digest, _)| digest.clone())
        {
            self.0.remove(&first);
        }
        let end = now.plus(limits::TICKET_LIFETIME);
        self.0.insert(ticket.to_string(), end);
        end
    }

    /// Spends a ticket; false when there is none like it, when it was spent, and when its time is over.
    pub fn spend(&mut self, ticket: &Digest, now: UnixMillis) -> bool {
        // A digest of 32 random bytes is found by its value: nothing is learned from how long that takes.
        self.0.remove(&ticket.to_string()).is_some_and(|end| now < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixMillis = UnixMillis(1_000_000);

    fn digest(number: u64) -> Digest {
        Digest::of(&[&number.to_be_bytes()])
    }

    #[test]
    fn t1_a_ticket_opens_once() {
        let mut tickets = Tickets::default();
        let end = tickets.issue(&digest(1), NOW);
        assert_eq!(end, NOW.plus(limits::TICKET_LIFETIME));
        assert!(!tickets.spend(&digest(2), NOW));
        assert!(tickets.spend(&digest(1), NOW));
        assert!(!tickets.spend(&digest(1), NOW));
    }

    #[test]
    fn t1_a_ticket_ends_at_its_end() {
        let mut tickets = Tickets::default();
        let end = tickets.issue(&digest(1), NOW);
        assert!(tickets.clone().spend(&digest(1), end.minus(primitives::Millis(1))));
        assert!(!tickets.spend(&digest(1), end));
    }

    #[test]
    fn t2_the_one_that_ends_first_makes_room() {
        let mut tickets = Tickets::default();
        let most = limits::TICKETS_MAX as u64;
        for number in 0..=most {
            tickets.issue(&digest(number), UnixMillis(NOW.0 + number));
        }
        assert_eq!(tickets.0.len(), limits::TICKETS_MAX);
        let now = UnixMillis(NOW.0 + most);
        assert!(!tickets.spend(&digest(0), now));
        assert!(tickets.spend(&digest(1), now));
    }

    #[test]
    fn t2_those_that_are_over_are_forgotten() {
        let mut tickets = Tickets::default();
        let end = tickets.issue(&digest(1), NOW);
        tickets.issue(&digest(2), end);
        assert_eq!(tickets.0.len(), 1);
    }
}
