//! Offers, carts and targets, as a careful buyer reads them.

use std::collections::BTreeSet;

use primitives::{ExecutorId, UnixMillis};
use run::{Candidate, Cart, Creation, Event, Fact, Intent, PixTarget, Quote, Task, View, limits};

#[derive(Debug, Clone, Default)]
pub(crate) struct Shops {
    executor: Option<ExecutorId>,
    ranked: Vec<Candidate>,
    rejected: BTreeSet<String>,
    selected: Option<Candidate>,
    quote: Option<Quote>,
    pub(crate) checkout: Option<Quote>,
    pub(crate) pix: Option<PixTarget>,
    invalidations: usize,
    authorized: bool,
}

impl Shops {
    pub(super) fn sees(&mut self, created: &Creation, seq: u64, event: &Event) {
        match &event.fact {
            Fact::IntentCreated(creation) => self.executor = Some(creation.executor.clone()),
            Fact::MarketSearched { candidates, .. } => self.ranks(created, candidates, event.at),
            Fact::CandidateSelected { candidate_id } => {
                let left = self.ranked.iter().find(|kept| !self.rejected.contains(&kept.candidate_id));
                assert_eq!(left.map(|left| &left.candidate_id), Some(candidate_id), "not the cheapest left");
                self.selected = left.cloned();
                self.drops_quotes();
            }
            Fact::RevalidationRequested { command } => {
                let Task::RevalidateCandidate { candidate, requirement, quantity } = &command.task else {
                    panic!("{command:?} does not revalidate");
                };
                assert_eq!(Some(candidate), self.selected.as_ref());
                assert_eq!((requirement, *quantity), (&created.intent.requirement, created.intent.quantity));
            }
            Fact::QuoteValidated { quote } => {
                self.holds(created, quote, event.at);
                self.drops_quotes();
                self.quote = Some(quote.clone());
            }
            Fact::CheckoutReady { quote } => {
                self.holds(created, quote, event.at);
                self.checkout = Some(quote.clone());
                self.pix = None;
            }
            Fact::PixDetected { target } => {
                let expected = self.checkout.as_ref().map(|quote| quote.cart.total);
                assert_eq!(Some(target.amount), expected, "R2: the target is not the checkout's");
                assert!(target.expires_at.is_none_or(|end| event.at < end), "the target is over");
                self.pix = Some(target.clone());
            }
            Fact::CheckoutInvalidated { .. } => {
                self.invalidations += 1;
                assert!(self.invalidations <= 5, "invalidated {} times", self.invalidations);
                assert!(!self.authorized, "invalidated after the authorization");
                (self.checkout, self.pix) = (None, None);
            }
            Fact::CandidateRejected { candidate_id, reasons } => {
                assert!(!self.authorized && !reasons.is_empty());
                assert_eq!(Some(candidate_id), self.selected.as_ref().map(|selected| &selected.candidate_id));
                assert!(self.rejected.insert(candidate_id.clone()), "rejected twice: {candidate_id}");
                self.drops_quotes();
                self.selected = None;
            }
            Fact::ExecutorBound { executor } => {
                assert_ne!(self.executor.as_ref(), Some(executor), "bound to the same one again at {seq}");
                self.executor = Some(executor.clone());
                if !self.authorized {
                    self.drops_quotes();
                }
            }
            Fact::PaymentAuthorized { .. } => self.authorized = true,
            _ => {}
        }
    }

    fn drops_quotes(&mut self) {
        (self.quote, self.checkout, self.pix) = (None, None, None);
    }

    /// Cheapest first, then newest, then by name; nothing that is too dear, too old or malformed.
    fn ranks(&mut self, created: &Creation, candidates: &[Candidate], now: UnixMillis) {
        assert!(self.ranked.is_empty() && candidates.len() <= limits::CANDIDATES);
        let key =
            |it: &Candidate| (it.observed_total, core::cmp::Reverse(it.observed_at), it.candidate_id.clone());
        assert!(candidates.is_sorted_by_key(key), "{candidates:?}");
        let names: BTreeSet<&str> = candidates.iter().map(|it| it.candidate_id.as_str()).collect();
        assert_eq!(names.len(), candidates.len(), "two candidates of one name");
        for candidate in candidates {
            assert!(candidate.observed_total <= created.intent.max_total, "{candidate:?}");
            assert!(now.since(candidate.observed_at) <= limits::OBSERVATION_AGE, "{candidate:?}");
            let texts = [&candidate.candidate_id, &candidate.source, &candidate.merchant];
            assert!(texts.iter().all(|text| (1..=limits::NAME_BYTES).contains(&text.len())), "{candidate:?}");
        }
        self.ranked = candidates.to_vec();
    }

    /// R1, R3: what was read can be paid: by the bound executor, now, without a fault.
    fn holds(&self, created: &Creation, quote: &Quote, now: UnixMillis) {
        assert_eq!(Some(&quote.executor), self.executor.as_ref());
        assert!(now.since(quote.captured_at) <= limits::QUOTE_AGE, "R3: stale");
        assert!(quote.captured_at.since(now) <= limits::CLOCK_SKEW, "R3: from the future");
        let selected = self.selected.as_ref().unwrap();
        assert_eq!(faults_of(&created.intent, selected, &quote.cart), Vec::<&str>::new(), "{quote:?}");
    }

    pub(super) fn agrees_with(&self, shown: &View) {
        assert_eq!(Some(&shown.executor), self.executor.as_ref());
        assert_eq!(shown.selected, self.selected);
        assert_eq!(shown.checkout, self.checkout);
        assert_eq!(shown.pix, self.pix);
        assert_eq!(shown.candidates, self.ranked);
        let out: BTreeSet<&str> = shown.rejected.iter().map(|out| out.candidate_id.as_str()).collect();
        assert!(self.rejected.iter().all(|name| out.contains(name.as_str())), "{out:?}");
    }
}

/// What is wrong with a cart, by the words of the contract and with numbers that cannot overflow.
pub(crate) fn faults_of(intent: &Intent, candidate: &Candidate, cart: &Cart) -> Vec<&'static str> {
    let wide = |cents: run::Cents| i128::from(cents.0);
    let sum = |amounts: &mut dyn Iterator<Item = i128>| amounts.sum::<i128>();
    let of_items = sum(&mut cart.items.iter().map(|item| wide(item.total)));
    let of_fees = sum(&mut cart.fees.iter().map(|line| wide(line.amount)));
    let of_discounts = sum(&mut cart.discounts.iter().map(|line| wide(line.amount)));
    let each =
        cart.items.iter().all(|item| wide(item.unit_price) * i128::from(item.quantity) == wide(item.total));
    let total = wide(cart.total);
    let bought: u64 = cart.items.iter().map(|item| u64::from(item.quantity)).sum();
    let wanted = words(&intent.requirement);
    let is_it = |product: &str| wanted.is_subset(&words(product));
    let checks = [
        ("does_not_reconcile", !each || of_items + of_fees - of_discounts != total || total == 0),
        ("wrong_product", cart.items.is_empty() || !cart.items.iter().all(|item| is_it(&item.product))),
        ("wrong_quantity", bought != u64::from(intent.quantity)),
        ("wrong_merchant", words(&cart.merchant) != words(&candidate.merchant)),
        ("over_budget", cart.total > intent.max_total),
        ("drift_too_high", total * 10_000 > wide(candidate.observed_total) * 11_000),
    ];
    checks.into_iter().filter(|(_, is_wrong)| *is_wrong).map(|(code, _)| code).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
