//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::Millis;
use tenant::{Change, Command, Known, Mode, NewKey, limits};

use crate::cast::*;

fn states() -> Vec<(&'static str, Life)> {
    let with = |more: Vec<Command>| Life::of([vec![open()], more].concat());
    let busy = vec![
        create("K2", &["services:write", "usage:write"]),
        register("search", 100),
        follow("W1", &["service.*"]),
    ];
    vec![
        ("UNKNOWN", Life::default()),
        ("ACTIVE, K1", with(vec![])),
        ("ACTIVE, K1, K2, search, W1", with(busy.clone())),
        (
            "ACTIVE, K2 rotated",
            with(vec![create("K2", &["usage:write"]), rotate("K2", "K3", &[], Millis::from_seconds(60))]),
        ),
        ("ACTIVE, K2 revoked", with(vec![create("K2", &["usage:write"]), revoke("K2")])),
        (
            "ACTIVE, search to cost more",
            with(vec![register("search", 100), price("search", 200, Some(after(60)))]),
        ),
        (
            "ACTIVE, search disabled",
            with(vec![register("search", 100), Command::DisableService { service: service("search") }]),
        ),
        ("ACTIVE, search deleted", with(vec![register("search", 100), delete("search")])),
        ("PAUSED", with([busy.clone(), vec![Command::Pause { reason: None }]].concat())),
        ("SUSPENDED", with([busy, vec![Command::Suspend { reason: None }]].concat())),
    ]
}

fn of_keys() -> Vec<(&'static str, Command)> {
    vec![
        ("open", open()),
        ("create K2", create("K2", &["usage:read"])),
        ("create K9", create("K9", &["usage:read"])),
        ("create K9, over", create_until("K9", &["usage:read"], after(5))),
        ("create K9 by K2", Command::CreateKey { key: new_key("K9", &["usage:read"]), by: key_id("K2") }),
        ("create K9, no rate", {
            let rate = Some(tenant::rate::Rate { quota: 0, window: Millis::from_seconds(60) });
            Command::CreateKey { key: NewKey { rate, ..new_key("K9", &[]) }, by: key_id("K1") }
        }),
        ("rotate K1, alike", rotate("K1", "K9", &["admin"], Millis::from_seconds(55))),
        ("rotate K1, lesser", rotate("K1", "K9", &["usage:read"], Millis::from_seconds(55))),
        ("rotate K2", rotate("K2", "K9", &["usage:write"], Millis::from_seconds(55))),
        ("rotate K2 at once", rotate("K2", "K9", &["usage:write"], Millis(0))),
        ("rotate K2, too long", rotate("K2", "K9", &[], Millis(limits::OVERLAP_MAX.0 + 1))),
        ("reissue K2, unused", reissue("K2", "K9", Known::Fresh)),
        ("reissue K2, used", reissue("K2", "K9", Known::Filed)),
        ("revoke K1", revoke("K1")),
        ("revoke K2", revoke("K2")),
        ("revoke K9", revoke("K9")),
        ("reset by K1", Command::Reset { by: key_id("K1") }),
        ("reset by K2", Command::Reset { by: key_id("K2") }),
    ]
}

fn of_services() -> Vec<(&'static str, Command)> {
    let scaled = |word: &str| {
        let Command::RegisterService(mut new) = register(word, 100) else { panic!("another command") };
        new.scale = 3.try_into().unwrap();
        Command::RegisterService(new)
    };
    let sharded = |shards: u8| {
        let Command::RegisterService(mut new) = register("maps", 100) else { panic!("another command") };
        new.shards = shards;
        Command::RegisterService(new)
    };
    let tiers = tariff::Pricing::Volume { tiers: Vec::new() };
    vec![
        ("register search", register("search", 300)),
        ("register search, finer", scaled("search")),
        ("register maps", register("maps", 300)),
        ("register maps, 0 shards", sharded(0)),
        ("register maps, 17 shards", sharded(17)),
        ("price search, as it is", price("search", 100, None)),
        ("price search", price("search", 300, None)),
        ("price search, past", price("search", 300, Some(after(4)))),
        ("price search, later", price("search", 300, Some(after(61)))),
        ("price search, at 60", price("search", 300, Some(after(60)))),
        ("price search, too far", price("search", 300, Some(after(6).plus(limits::AHEAD)))),
        ("price search, no tiers", {
            Command::SetPrice { service: service("search"), pricing: tiers, from: None, revision: None }
        }),
        ("describe search", describe("search", "Finds.", None)),
        ("describe search, seen 1", describe("search", "Finds.", Some(1))),
        ("describe search, seen 7", describe("search", "Finds.", Some(7))),
        ("enable search", Command::EnableService { service: service("search") }),
        ("disable search", Command::DisableService { service: service("search") }),
        ("delete search", delete("search")),
    ]
}

fn of_the_rest() -> Vec<(&'static str, Command)> {
    let account = |mode, mandate: Option<&str>| tenant::Account {
        mode,
        offer: mandate.map(|mandate| tenant::Offer {
            mandate: mandate.into(),
            signer: "0xA".into(),
            at: START,
        }),
        revision: 3,
    };
    let offered = || Some(account(Mode::Postpaid, Some("M1")));
    let late = |late| Change { late: Some(late), ..Change::default() };
    vec![
        ("follow W1 as it is", follow("W1", &["service.*"])),
        ("follow W1 otherwise", follow("W1", &["*"])),
        ("follow W9", follow("W9", &["usage.recorded"])),
        ("types of W1", Command::SetEndpointTypes { id: endpoint("W1"), types: types(&["*"]) }),
        ("remove W1", Command::RemoveEndpoint { id: endpoint("W1") }),
        ("offer M1", offer("bob", "M1", "0xA", None)),
        ("offer M1 again", offer("bob", "M1", "0xA", offered())),
        ("offer M2", offer("bob", "M2", "0xA", offered())),
        ("offer M2 by another", offer("bob", "M2", "0xB", offered())),
        ("withdraw", withdraw("bob", "0xA", offered())),
        ("withdraw by another", withdraw("bob", "0xB", offered())),
        ("withdraw nothing", withdraw("bob", "0xA", None)),
        ("prepaid by M1", mode("bob", Mode::Prepaid, Some("M1"), offered())),
        ("prepaid by M2", mode("bob", Mode::Prepaid, Some("M2"), offered())),
        ("prepaid by what is offered", mode("bob", Mode::Prepaid, None, offered())),
        ("prepaid without an offer", mode("bob", Mode::Prepaid, Some("M1"), None)),
        ("postpaid", mode("bob", Mode::Postpaid, None, offered())),
        ("postpaid as it is", mode("bob", Mode::Postpaid, None, None)),
        ("use a meter", used("bob", Known::Fresh)),
        ("use it again", used("bob", Known::Filed)),
        ("configure, seen 1", configure(late(Millis::from_minutes(1)), 1)),
        ("configure, seen 2", configure(late(Millis::from_minutes(1)), 2)),
        ("configure as it is", configure(late(limits::LATE_MAX), 9)),
        ("configure, too late", configure(late(limits::LATE_MAX.0.checked_add(1).map(Millis).unwrap()), 1)),
        ("pause", Command::Pause { reason: None }),
        ("unpause", Command::Unpause),
        ("suspend", Command::Suspend { reason: None }),
        ("resume", Command::Resume),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in [of_keys(), of_services(), of_the_rest()].concat() {
            picture.push_str(&format!("  {command_name:26} {}\n", life.tried(command, after(5))));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
