//! Mandates, entries and budgets.

use api::outbound::mandate::{Viewer, budget, entries, mandate, status_report};
use api::settings::Facilitator;
use api::wire::MandateStatus;
use eip712::{Address, B256};
use mandate::life::{Change, Command};
use mandate::{AMOUNT_MAX, Amendment, Creation, Policy};
use primitives::{BaseUnits, UnixMillis};
use serde_json::{Value, json};

use crate::cast::*;

fn shown(life: &Life, viewer: Viewer, now: UnixMillis) -> Value {
    json!(mandate(life.book(), 7, viewer, &LEDGER, now))
}

fn change(change: Change) -> Command {
    Command::Change { change, by: OWNER }
}

/// Open and waiting requests, a reservation, and an amendment that waits.
fn busy() -> Life {
    let looser = Policy { day_cap: BaseUnits(300), ..policy() };
    let amendment =
        Amendment { hash: B256::repeat_byte(0xab), expected_version: 1, policy: looser, entries: Vec::new() };
    let mut life = Life::after([ask(request(1, 40)), ask(request(2, 70)), reserve(3, 20, at(HOUR))]);
    life.hears(change(Change::Amend(Box::new(amendment))), at(60)).unwrap();
    life
}

#[test]
fn a_mandate_is_shown_whole() {
    let expected = json!({
        "mandate": format!("0x{}", "13".repeat(32)),
        "custody": "ledger",
        "owner": OWNER.to_checksum(None),
        "agent": AGENT.to_checksum(None),
        "ownerKind": "ecdsa",
        "agentKind": "ecdsa",
        "token": TOKEN.to_checksum(None),
        "chainId": 84_532,
        "ledger": LEDGER.address.to_checksum(None),
        "status": "active",
        "policyVersion": 1,
        "version": 7,
        "policy": {
            "validAfter": "2026-11-30T14:00:00.000Z",
            "validBefore": "2028-01-04T14:00:00.000Z",
            "paymentCap": "100",
            "dayCap": "250",
            "monthCap": "600",
            "lifetimeCap": "3000",
            "dayCount": 5,
            "approvalAbove": "60",
            "terms": {
                "challengePeriodSeconds": 3_600,
                "resolutionTimeoutSeconds": 7_200,
                "silenceBps": 2_500,
                "resolver": RESOLVER.to_checksum(None),
            },
        },
        "amendDelaySeconds": 3_600,
        "pendingAmendment": {
            "hash": format!("0x{}", "ab".repeat(32)),
            "effectiveAt": "2026-11-30T15:01:00.000Z",
        },
        "entryCount": 1,
        "funds": { "balance": "500", "reserved": "60", "available": "440" },
        "spent": { "today": "60", "thisMonth": "60", "lifetime": "60", "countToday": 2 },
        "remaining": { "today": "190", "thisMonth": "540", "lifetime": "2940", "countToday": 3 },
        "open": 1,
        "waiting": 1,
        "reservations": 1,
        "createdAt": "2026-11-30T14:00:00.000Z",
        "updatedAt": "2026-11-30T14:01:00.000Z",
        "label": "Research",
    });
    assert_eq!(shown(&busy(), Viewer::Owner, at(61)), expected);
}

#[test]
fn windows_that_are_over_count_nothing() {
    let life = busy();
    // The next day is in the next month.
    let tomorrow = shown(&life, Viewer::Anyone, at(DAY));
    let nothing = json!({ "today": "0", "thisMonth": "0", "lifetime": "60", "countToday": 0 });
    assert_eq!(tomorrow["spent"], nothing);
    assert_eq!(tomorrow["remaining"]["today"], json!("250"));
    let entry = &entries(life.book(), 0, 1, at(DAY)).entries[0];
    assert_eq!(entry.spent_in_window, "0");
    // The clock of a mandate does not go back.
    assert_eq!(shown(&life, Viewer::Anyone, UnixMillis(0))["spent"]["today"], json!("60"));
}

#[test]
fn the_status_says_when_the_time_is_over() {
    let end = at(400 * DAY);
    let status = |life: &Life, now| mandate(life.book(), 1, Viewer::Anyone, &LEDGER, now).status;
    let mut life = Life::new();
    assert_eq!(status(&life, UnixMillis(end.0 - 1)), MandateStatus::Active);
    assert_eq!(status(&life, end), MandateStatus::Expired);
    life.hears(change(Change::Pause), START).unwrap();
    assert_eq!(status(&life, START), MandateStatus::Paused);
    assert_eq!(status(&life, end), MandateStatus::Expired);
    life.hears(change(Change::Revoke), START).unwrap();
    assert_eq!(status(&life, START), MandateStatus::Revoked);
    assert_eq!(status(&life, end), MandateStatus::Revoked);
}

#[test]
fn no_cap_is_null() {
    let mut policy =
        Policy { month_cap: AMOUNT_MAX, lifetime_cap: AMOUNT_MAX, day_count: u32::MAX, ..policy() };
    (policy.approval_above, policy.terms.resolver) = (policy.payment_cap, Address::ZERO);
    let entries_of = vec![entry(PROVIDER, SERVICE, 90, AMOUNT_MAX)];
    let mut life = Life::labelled("", Creation { policy, entries: entries_of, ..creation() });
    life.hears(ask(request_of(&life)), START).unwrap();
    let shown = shown(&life, Viewer::Anyone, START);
    for place in [
        "/policy/monthCap",
        "/policy/lifetimeCap",
        "/policy/dayCount",
        "/policy/terms/resolver",
        "/remaining/thisMonth",
        "/remaining/lifetime",
        "/remaining/countToday",
        "/pendingAmendment",
    ] {
        assert_eq!(shown.pointer(place), Some(&Value::Null), "{place}");
    }
    assert_eq!(json!(entries(life.book(), 0, 1, START).entries[0])["windowCap"], Value::Null);
    let left = json!(budget(life.book(), PROVIDER, SERVICE, START));
    for place in ["/thisMonth", "/lifetime", "/countToday", "/entry/window", "/needsApprovalAbove"] {
        assert_eq!(left.pointer(place), Some(&Value::Null), "{place}");
    }
}

#[test]
fn each_cap_is_none_by_itself() {
    let caps = [
        ("monthCap", Policy { month_cap: AMOUNT_MAX, ..policy() }),
        ("lifetimeCap", Policy { lifetime_cap: AMOUNT_MAX, ..policy() }),
        ("dayCount", Policy { day_count: u32::MAX, ..policy() }),
    ];
    for (none, policy) in caps {
        let life = Life::labelled("", Creation { policy, ..creation() });
        let (shown, left) =
            (shown(&life, Viewer::Anyone, START), budget(life.book(), PROVIDER, SERVICE, START));
        let names = [("monthCap", "thisMonth"), ("lifetimeCap", "lifetime"), ("dayCount", "countToday")];
        for (cap, rest) in names {
            for value in [&shown["policy"][cap], &shown["remaining"][rest], &json!(left)[rest]] {
                assert_eq!(value.is_null(), cap == none, "{cap} without {none}");
            }
        }
    }
}

/// A request with the terms of the mandate.
fn request_of(life: &Life) -> mandate::Request {
    named(mandate::Request { terms: life.book().mandate.policy.terms, ..request(1, 40) })
}

#[test]
fn a_budget_is_for_what_is_named() {
    let life = busy();
    let expected = json!({
        "available": "440",
        "perPayment": "100",
        "today": "190",
        "thisMonth": "540",
        "lifetime": "2940",
        "countToday": 3,
        "entry": { "perPayment": "90", "window": "140" },
        "needsApprovalAbove": "60",
    });
    assert_eq!(json!(budget(life.book(), PROVIDER, SERVICE, START)), expected);
    for (recipient, service) in
        [(Address::ZERO, B256::ZERO), (AGENT, SERVICE), (PROVIDER, B256::ZERO), (Address::ZERO, SERVICE)]
    {
        let left = json!(budget(life.book(), recipient, service, START));
        assert_eq!((&left["entry"], &left["today"]), (&Value::Null, &json!("190")));
    }
    let any = vec![entry(Address::ZERO, B256::ZERO, 10, BaseUnits(50))];
    let wide = Life::labelled("", Creation { entries: any, ..creation() });
    let entry = |recipient, service| json!(budget(wide.book(), recipient, service, START))["entry"].clone();
    assert_eq!(entry(PROVIDER, B256::ZERO), json!({ "perPayment": "10", "window": "50" }));
    assert_eq!(entry(Address::ZERO, B256::ZERO), Value::Null, "nothing is named");
}

#[test]
fn pages_of_entries_are_all_entries_once() {
    let recipients: Vec<Address> = (1..=7).map(Address::with_last_byte).collect();
    let mut all: Vec<_> = recipients.iter().map(|to| entry(*to, B256::ZERO, 9, AMOUNT_MAX)).collect();
    all.push(entry(Address::ZERO, SERVICE, 0, AMOUNT_MAX));
    let life = Life::labelled("", Creation { entries: all, ..creation() });
    for limit in 1..=9 {
        let (mut seen, mut from) = (Vec::new(), 0);
        loop {
            let page = entries(life.book(), from, limit, START);
            assert!(page.entries.len() <= limit as usize && !page.entries.is_empty());
            seen.extend(page.entries.into_iter().map(|entry| entry.recipient));
            let Some(next) = page.next_cursor else { break };
            from = next.parse().unwrap();
        }
        let anyone = [None].into_iter().chain(recipients.iter().map(|to| Some(to.to_string())));
        assert_eq!(seen, anyone.collect::<Vec<_>>(), "{limit}");
    }
    assert_eq!(entries(life.book(), u32::MAX, u32::MAX, START).entries, []);
    let banned = json!(entries(life.book(), 0, 1, START).entries[0]);
    let expected = json!({
        "recipient": null,
        "service": SERVICE.to_string(),
        "paymentCap": "0",
        "windowCap": null,
        "window": "utc_day",
        "spentInWindow": "0",
    });
    assert_eq!(banned, expected);
}

#[test]
fn the_status_report_names_what_is_signed_for() {
    let report = json!(status_report(&Facilitator::Simulator, &LEDGER, None));
    let address = LEDGER.address.to_checksum(None);
    let domain = json!({
        "name": "Guildhall Mandates",
        "version": "1",
        "chainId": 84_532,
        "verifyingContract": address,
    });
    assert_eq!(report["eip712Domain"], domain);
    assert_eq!((&report["mode"], &report["custody"]), (&json!("simulator"), &json!(["ledger"])));
    assert_eq!((&report["ledger"], &report["token"]), (&json!(address), &json!(TOKEN.to_checksum(None))));
    let limits = json!({
        "entries": 1_000,
        "open": 200,
        "waiting": 64,
        "reservations": 200,
        "approvalWaitSeconds": 604_800,
        "labelBytes": 120,
        "noteBytes": 500,
        "amountMax": "79228162514264337593543950335",
    });
    assert_eq!(report["limits"], limits);
    assert_eq!(report.get("contract"), None);
    let contract = api::settings::Ledger { address: Address::repeat_byte(0x1c), ..LEDGER };
    let both = json!(status_report(&Facilitator::Simulator, &LEDGER, Some(&contract)));
    assert_eq!(both["custody"], json!(["ledger", "contract"]));
    assert_eq!(both["contract"], json!(contract.address.to_checksum(None)));
    assert_eq!(both["eip712Domain"], domain);
}
