//! The market's offers as the run takes them up: those that can be bought at all, in the order in which they are tried.

use core::cmp::Reverse;
use std::collections::BTreeSet;

use primitives::UnixMillis;

use crate::rules::{Fault, is_line, line};
use crate::{Candidate, Cents, Intent, RejectedCandidate, limits};

/// The cheapest offers, the newest first where they cost the same, then by name; and those with a fault. Of both, the first
/// so many.
pub(crate) fn ranked(
    intent: &Intent,
    mut offers: Vec<Candidate>,
    now: UnixMillis,
) -> (Vec<Candidate>, Vec<RejectedCandidate>) {
    offers.truncate(limits::OBSERVATIONS);
    offers.sort_by(|one, other| order(one).cmp(&order(other)));
    let (mut candidates, mut rejected, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
    for offer in offers {
        let fault = fault(intent, &offer, now)
            .or_else(|| (!names.insert(offer.candidate_id.clone())).then_some(Fault::Duplicate));
        match fault {
            None => candidates.push(offer),
            Some(fault) => rejected.push(RejectedCandidate {
                candidate_id: line(&offer.candidate_id, limits::NAME_BYTES),
                reasons: vec![fault.code().to_owned()],
            }),
        }
    }
    candidates.truncate(limits::CANDIDATES);
    rejected.truncate(limits::REJECTED);
    (candidates, rejected)
}

fn order(offer: &Candidate) -> (Cents, Reverse<UnixMillis>, &str) {
    (offer.observed_total, Reverse(offer.observed_at), &offer.candidate_id)
}

fn fault(intent: &Intent, offer: &Candidate, now: UnixMillis) -> Option<Fault> {
    let names = [&offer.candidate_id, &offer.observation_id, &offer.source, &offer.merchant];
    if !names.into_iter().all(|name| is_line(name, limits::NAME_BYTES)) || offer.observed_total == Cents(0) {
        Some(Fault::Malformed)
    } else if offer.observed_at > now.plus(limits::CLOCK_SKEW) {
        Some(Fault::FromTheFuture)
    } else if now >= offer.observed_at.plus(limits::OBSERVATION_AGE) {
        Some(Fault::TooOld)
    } else if offer.observed_total > intent.max_total {
        Some(Fault::OverBudget)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use primitives::Millis;

    use super::*;

    const NOW: UnixMillis = UnixMillis(1_796_047_200_000);

    fn offer(name: &str, total: u64, age: u64) -> Candidate {
        Candidate {
            candidate_id: name.to_owned(),
            observation_id: "seen".to_owned(),
            source: "ifood".to_owned(),
            merchant: "shop".to_owned(),
            observed_total: Cents(total),
            observed_at: NOW.minus(Millis(age)),
        }
    }

    fn names(offers: Vec<Candidate>) -> (Vec<String>, Vec<String>) {
        let intent = Intent { requirement: "cola".to_owned(), quantity: 1, max_total: Cents(1_000) };
        let (candidates, rejected) = ranked(&intent, offers, NOW);
        let kept = candidates.into_iter().map(|kept| kept.candidate_id).collect();
        let said = |out: RejectedCandidate| format!("{}:{}", out.candidate_id, out.reasons.join("+"));
        (kept, rejected.into_iter().map(said).collect())
    }

    /// R1
    #[test]
    fn the_cheapest_comes_first_then_the_newest_then_by_name() {
        let offers = vec![offer("d", 7, 1), offer("c", 5, 9), offer("b", 5, 8), offer("a", 5, 9)];
        assert_eq!(names(offers), (["b", "a", "c", "d"].map(str::to_owned).to_vec(), Vec::new()));
    }

    /// R1
    #[test]
    fn what_cannot_be_bought_is_named_with_its_fault() {
        let day = limits::OBSERVATION_AGE.0;
        let ahead =
            Candidate { observed_at: NOW.plus(limits::CLOCK_SKEW).plus(Millis(1)), ..offer("ahead", 4, 0) };
        let offers = vec![
            offer("dear", 1_001, 0),
            offer("old", 3, day),
            offer("kept", 1_000, day - 1),
            ahead,
            offer("free", 0, 0),
            offer("\n", 2, 0),
            offer("kept", 1_000, day - 1),
        ];
        let faults = [
            "free:malformed",
            " :malformed",
            "old:too_old",
            "ahead:from_the_future",
            "kept:duplicate",
            "dear:over_budget",
        ];
        assert_eq!(names(offers), (vec!["kept".to_owned()], faults.map(str::to_owned).to_vec()));
    }

    /// R12
    #[test]
    fn only_so_many_are_kept_and_named() {
        let offers = |total| (0..300).map(move |place| offer(&format!("{place:03}"), total, 0)).collect();
        let (kept, none) = names(offers(5));
        assert_eq!((kept.len(), kept.last().map(String::as_str), none.len()), (10, Some("009"), 0));
        assert_eq!(names(offers(5_000)).1.len(), limits::REJECTED);
    }
}
