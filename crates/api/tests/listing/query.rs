//! What a query may ask for. Nonsense is refused with its place.

use api::limits;
use api::listing::{
    Format, Page, Place, Standing, activity, agent_mandates, approvals, mandates, payments, requests,
};
use api::problem::Problem;
use api::wire::{MandateStatus, Progress};
use mandate::life::Kind;
use primitives::UnixMillis;

const HASH: &str = "0x00000000000000000000000000000000000000000000000000000000000000aa";

fn pairs<'a>(pairs: &[(&'a str, &str)]) -> impl Iterator<Item = (&'a str, String)> {
    let owned: Vec<_> = pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    owned.into_iter()
}

fn cursor(at: u64, id: &str) -> Place {
    Place { at: UnixMillis(at), id: id.to_owned() }
}

#[test]
fn an_empty_query_is_the_newest_page_without_filters() {
    let page = Page { limit: 50, after: None };
    assert_eq!(agent_mandates(pairs(&[])).unwrap(), page);
    let read = mandates(pairs(&[])).unwrap();
    assert_eq!((read.page, read.status), (page.clone(), None));
    let read = requests(pairs(&[])).unwrap();
    assert_eq!((read.page, read.progress), (page.clone(), None));
    let read = payments(pairs(&[])).unwrap();
    assert_eq!((read.page, read.mandate, read.progress), (page.clone(), None, None));
    let read = approvals(pairs(&[])).unwrap();
    assert_eq!((read.page, read.standing), (page.clone(), Standing::Waiting));
    let read = activity(pairs(&[])).unwrap();
    assert!(!read.is_filtered());
    assert_eq!((read.page, read.from, read.kind, read.result), (page, UnixMillis(0), None, None));
    assert_eq!((read.mandate, read.format), (None, Format::Json));
}

#[test]
fn every_filter_is_read() {
    let after = cursor(7, HASH);
    let read =
        mandates(pairs(&[("status", "expired"), ("limit", "100"), ("cursor", &after.encode())])).unwrap();
    assert_eq!(read.page, Page { limit: 100, after: Some(after) });
    assert_eq!(read.status, Some(MandateStatus::Expired));
    let read = requests(pairs(&[("progress", "timed_out"), ("limit", "1")])).unwrap();
    assert_eq!((read.page.limit, read.progress), (1, Some(Progress::TimedOut)));
    let upper = HASH.to_uppercase();
    let read = payments(pairs(&[("mandate", &upper), ("progress", "settled")])).unwrap();
    assert_eq!((read.mandate.as_deref(), read.progress), (Some(HASH), Some(Progress::Settled)));
    for (text, standing, progress) in [
        ("waiting", Standing::Waiting, Some(Progress::AwaitingApproval)),
        ("approved", Standing::Approved, Some(Progress::Approved)),
        ("rejected", Standing::Rejected, Some(Progress::Rejected)),
        ("expired", Standing::Expired, Some(Progress::Expired)),
        ("all", Standing::All, None),
    ] {
        let read = approvals(pairs(&[("status", text)])).unwrap();
        assert_eq!((read.standing, read.standing.progress()), (standing, progress));
    }
    let read = activity(pairs(&[("kind", "apply_amendment"), ("mandate", HASH)])).unwrap();
    assert!(read.is_filtered());
    assert_eq!((read.kind, read.mandate.as_deref()), (Some(Kind::ApplyAmendment), Some(HASH)));
    for result in ["done", "scheduled", "reserved", "undone", "escrowed", "submitted", "committed", "expired"]
    {
        let read = activity(pairs(&[("result", result)])).unwrap();
        assert!(read.is_filtered());
        assert_eq!(read.result.as_deref(), Some(result));
    }
    assert_eq!(activity(pairs(&[("format", "csv")])).unwrap().format, Format::Csv);
}

#[test]
fn a_span_begins_at_its_first_moment_and_ends_before_its_last() {
    let span = [("from", "2026-11-01T00:00:00Z"), ("to", "2026-11-02T01:00:00.000+01:00")];
    let (first, last) = (1_793_491_200_000, 1_793_577_600_000);
    let read = activity(pairs(&span)).unwrap();
    assert_eq!((read.from, read.page.after), (UnixMillis(first), Some(cursor(last, ""))));

    // A cursor goes on within the span, and never leads out of it.
    let line = format!("{HASH}.000000000001.0000");
    let inside = cursor(last - 1, &line);
    let read = activity(pairs(&[span[0], span[1], ("cursor", &inside.encode())])).unwrap();
    assert_eq!(read.page.after, Some(inside));
    let outside = cursor(last, &line).encode();
    let read = activity(pairs(&[span[0], span[1], ("cursor", &outside)])).unwrap();
    assert_eq!(read.page.after, Some(cursor(last, "")));
}

type Outcome = Result<(), Problem>;

fn refused(outcome: Outcome, fields: &[&str]) {
    let problem = outcome.unwrap_err();
    assert_eq!(problem.status, 400);
    let places: Vec<_> = problem.errors.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(places, fields, "{problem:?}");
}

#[test]
fn nonsense_is_refused_by_name() {
    let hash_cursor = cursor(7, HASH).encode();
    let line_cursor = cursor(7, &format!("{HASH}.000000000001.0000")).encode();
    let short = HASH.replace("aa", "a");
    for pair in [
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "+1"),
        ("limit", "1.0"),
        ("limit", ""),
        ("cursor", "!"),
        ("cursor", ""),
        ("cursor", &line_cursor),
        ("status", "Active"),
        ("status", ""),
        ("color", "red"),
    ] {
        refused(mandates(pairs(&[pair])).map(drop), &[pair.0]);
    }
    for pair in [("progress", "open"), ("status", "active"), ("mandate", HASH)] {
        refused(requests(pairs(&[pair])).map(drop), &[pair.0]);
    }
    for pair in [("mandate", short.as_str()), ("mandate", ""), ("progress", "Settled"), ("owner", "0x1")] {
        refused(payments(pairs(&[pair])).map(drop), &[pair.0]);
    }
    for pair in [("status", "awaiting_approval"), ("status", "escrowed")] {
        refused(approvals(pairs(&[pair])).map(drop), &[pair.0]);
    }
    refused(agent_mandates(pairs(&[("status", "active")])).map(drop), &["status"]);
    for pair in [
        ("from", "yesterday"),
        ("from", "2026-11-01"),
        ("to", "1793491200000"),
        ("to", "1969-12-31T23:59:59Z"),
        ("to", "1970-01-01T00:00:00Z"),
        ("kind", "Fund"),
        ("result", "fine"),
        ("mandate", "1"),
        ("format", "xlsx"),
        ("cursor", &hash_cursor),
    ] {
        refused(activity(pairs(&[pair])).map(drop), &[pair.0]);
    }
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let all = pairs(&[("limit", "x"), ("kind", "x"), ("from", "x"), ("color", "x")]);
    refused(activity(all).map(drop), &["limit", "from", "kind", "color"]);
    let moment = "2026-11-01T00:00:00Z";
    refused(activity(pairs(&[("from", moment), ("to", moment)])).map(drop), &["to"]);
    refused(mandates(pairs(&[("limit", "1"), ("limit", "1")])).map(drop), &["limit"]);
    // A file has all that it can take.
    refused(activity(pairs(&[("format", "csv"), ("limit", "10")])).map(drop), &["limit"]);
    let problem = mandates(pairs(&[("status", "on")])).unwrap_err();
    assert!(problem.errors[0].message.contains("`active`, `paused`, `revoked`, `expired`"), "{problem:?}");
    let problem = mandates(pairs(&[("color", "red")])).unwrap_err();
    assert!(problem.errors[0].message.ends_with("limit, cursor, status"), "{problem:?}");
    assert_eq!(limits::PAGE_MAX, 100);
}
