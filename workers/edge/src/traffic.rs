//! What this isolate has answered since it began, for whoever reads its figures.

use std::cell::RefCell;
use std::collections::BTreeMap;

use api::outbound::metering::Answered;

/// Answers by method and the pattern of the route.
pub type Traffic = BTreeMap<(String, &'static str), Answered>;

thread_local! {
    static TRAFFIC: RefCell<Traffic> = const { RefCell::new(BTreeMap::new()) };
}

/// Counts an answer. There are as many counters as routes have methods, whatever is asked.
pub fn count(method: &str, pattern: &'static str, status: u16, took_ms: u64) {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].contains(&method);
    let method = if known { method } else { "OTHER" };
    TRAFFIC.with_borrow_mut(|traffic| {
        traffic.entry((method.to_owned(), pattern)).or_default().count(status, took_ms);
    });
}

/// What was counted so far.
pub fn counted() -> Traffic {
    TRAFFIC.with_borrow(Clone::clone)
}
