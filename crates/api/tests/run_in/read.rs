//! What readers, watchers and polls ask for.

use api::inbound::run::{
    From, Poll, Reading, balances, offers, poll, reading, registration, socket, watching,
};
use executor::Occasion;
use primitives::{Digest, Millis, Secret, SecretKind};
use serde_json::{Value, json};

use crate::cast::*;

fn pairs<'a>(pairs: &[(&'a str, &str)]) -> impl Iterator<Item = (&'a str, String)> + use<'a> {
    pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect::<Vec<_>>().into_iter()
}

fn ticket() -> Secret {
    Secret::from_random(SecretKind::Ticket, [7; 32])
}

#[test]
fn a_page_of_events() {
    assert_eq!(reading(pairs(&[])).unwrap(), Reading { after: None, limit: 100 });
    let asked = reading(pairs(&[("after", "0"), ("limit", "7")])).unwrap();
    assert_eq!(asked, Reading { after: Some(0), limit: 7 });
    for (name, value) in [
        ("after", ""),
        ("after", "-1"),
        ("after", "+1"),
        ("after", "01"),
        ("after", "1.0"),
        ("after", "18446744073709551616"),
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "all"),
        ("ticket", "gld_ticket_x"),
        ("token", "gld_run_x"),
    ] {
        assert_eq!(places(reading(pairs(&[(name, value)]))), [name], "{name}={value}");
    }
}

/// A reader that names a place which is none is told so in the stream; it could not read a refusal.
#[test]
fn a_watcher_goes_on_where_it_says() {
    let from = |after: Option<&str>, last: Option<&str>| {
        let query: Vec<_> = after.map(|after| ("after", after)).into_iter().collect();
        watching(pairs(&query), last).unwrap().from
    };
    for (after, last, expected) in [
        (None, None, From::After(0)),
        (Some("4"), None, From::After(4)),
        (None, Some("9"), From::After(9)),
        (Some("4"), Some("9"), From::After(9)),
        (Some("4"), Some(""), From::After(4)),
        (Some(""), None, From::Nowhere),
        (Some("x"), None, From::Nowhere),
        (Some("4"), Some("x"), From::Nowhere),
        (None, Some("-1"), From::Nowhere),
        (None, Some("007"), From::Nowhere),
    ] {
        assert_eq!(from(after, last), expected, "{after:?} {last:?}");
    }
    let opened = watching(pairs(&[("ticket", ticket().reveal())]), None).unwrap();
    assert_eq!(opened.ticket, Some(ticket().digest()));
    assert_eq!(watching(pairs(&[]), None).unwrap().ticket, None);
    assert_eq!(places(watching(pairs(&[("token", "x")]), None)), ["token"]);
    for bad in ["", "x", "gld_run_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        let refused = refusal(watching(pairs(&[("ticket", bad)]), None));
        assert_eq!(refused, (401, "ticket_used".to_owned()), "{bad:?}");
    }
}

#[test]
fn a_socket_is_opened_by_a_header_or_by_a_ticket_of_its_executor() {
    let id = executor().to_string();
    assert_eq!(socket(pairs(&[])).unwrap(), None);
    let opened = socket(pairs(&[("executor", &id), ("ticket", ticket().reveal())])).unwrap();
    assert_eq!(opened, Some((executor(), ticket().digest())));
    assert_eq!(places(socket(pairs(&[("executor", &id)]))), ["ticket"]);
    assert_eq!(places(socket(pairs(&[("ticket", ticket().reveal())]))), ["ticket"]);
    assert_eq!(places(socket(pairs(&[("executor", "me"), ("ticket", ticket().reveal())]))), ["executor"]);
    let refused = refusal(socket(pairs(&[("executor", &id), ("ticket", "x")])));
    assert_eq!(refused, (401, "ticket_used".to_owned()));
}

#[test]
fn a_poll_waits_as_long_as_it_says() {
    let usual = Poll { wait: Millis(0), limit: 16, occasion: Occasion::Poll };
    assert_eq!(poll(pairs(&[])).unwrap(), usual);
    let asked = poll(pairs(&[("wait", "25"), ("limit", "1"), ("parked", "true")])).unwrap();
    assert_eq!(asked, Poll { wait: Millis(25_000), limit: 1, occasion: Occasion::PollAll });
    assert_eq!(poll(pairs(&[("parked", "false")])).unwrap(), usual);
    for (name, value) in [
        ("wait", "26"),
        ("wait", ""),
        ("wait", "-1"),
        ("limit", "0"),
        ("limit", "17"),
        ("parked", "yes"),
        ("after", "1"),
    ] {
        assert_eq!(places(poll(pairs(&[(name, value)]))), [name], "{name}={value}");
    }
}

#[test]
fn an_executor_may_have_a_label() {
    assert_eq!(registration(&Value::Null).unwrap(), None);
    assert_eq!(registration(&json!({})).unwrap(), None);
    let label = registration(&json!({ "label": "laptop" })).unwrap().unwrap();
    assert_eq!(label.as_str(), "laptop");
    for bad in ["", " a", "a\nb", &"x".repeat(81)] {
        assert_eq!(places(registration(&json!({ "label": bad }))), ["label"], "{bad:?}");
    }
    assert_eq!(places(registration(&json!({ "secret": "x" }))), ["secret"]);
    assert_eq!(places(registration(&json!([]))), ["body"]);
}

#[test]
fn balances_are_of_an_address() {
    let account = "0x036cbd53842c5426634e7929541ec2318f3dcf7e";
    let read = balances(pairs(&[("address", account)])).unwrap();
    assert_eq!(read, "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
    assert_eq!(places(balances(pairs(&[]))), ["address"]);
    assert_eq!(places(balances(pairs(&[("address", "0x12")]))), ["address"]);
    assert_eq!(places(balances(pairs(&[("address", account), ("chain", "1")]))), ["chain"]);
}

/// Readers that take the first of two and those that take the last would see different questions.
#[test]
fn a_query_says_each_thing_once() {
    let twice = |name: &'static str, value: &str| pairs(&[(name, value), (name, value)]);
    assert_eq!(places(reading(twice("after", "1"))), ["after"]);
    assert_eq!(places(watching(twice("after", "1"), None)), ["after"]);
    assert_eq!(places(watching(twice("ticket", ticket().reveal()), None)), ["ticket"]);
    assert_eq!(places(poll(twice("wait", "1"))), ["wait"]);
    assert_eq!(places(balances(twice("address", "abc"))), ["address"]);
    assert_eq!(places(socket(twice("executor", executor().as_str()))), ["executor"]);
}

#[test]
fn a_subprotocol_is_selected_if_it_is_offered() {
    for (header, is_offered) in [
        (None, false),
        (Some(""), false),
        (Some("guildhall.run.v1"), true),
        (Some("other, guildhall.run.v1"), true),
        (Some("guildhall.run.v10"), false),
        (Some("GUILDHALL.RUN.V1"), false),
    ] {
        assert_eq!(offers(header, "guildhall.run.v1").is_some(), is_offered, "{header:?}");
    }
}

#[test]
fn a_ticket_is_kept_as_its_digest_only() {
    let text = format!("{:?}", watching(pairs(&[("ticket", ticket().reveal())]), None).unwrap());
    assert!(!text.contains(ticket().reveal()));
    assert!(text.contains(&Digest::of(&[ticket().reveal().as_bytes()]).to_string()));
}
