//! L12: what the owner's log says of everything that can happen.

use alloy_primitives::{Address, U256};
use mandate::life::{Act, Activity, Change, Command, Effect, Kind, Role};
use mandate::{By, Signature};
use primitives::UnixMillis;

use crate::cast::*;

/// The lines of a life, without what was said before `skip` of them.
fn lines(life: &Life, skip: usize) -> Vec<Activity> {
    let lines = life.owed.iter().filter_map(|effect| match effect {
        Effect::Log(line) => Some((**line).clone()),
        Effect::File(_) | Effect::Close { .. } | Effect::Tell { .. } => None,
    });
    lines.skip(skip).collect()
}

/// Who did what, how it ended, and what moved.
fn told(line: &Activity) -> (Kind, Role, Option<Address>, &str, u128, u128) {
    (line.kind, line.role, line.actor, &line.result, line.paid.0, line.returned.0)
}

/// L12
#[test]
fn a_payment_is_told_from_its_request_to_its_refund() {
    let mut life = alive([]);
    let deeds: [(u64, Command); 8] = [
        (0, ask(request("A", 80))),
        (1, approve("A", at(HOUR))),
        (2, act("A", Act::Submit, AGENT)),
        (3, deliver("A")),
        (4, dispute("A")),
        (5, resolve("A", 30)),
        (6, refund("A", 10)),
        (7, reject("A")),
    ];
    for (second, deed) in deeds {
        let _ = hears(&mut life, deed, at(second));
    }
    let lines = lines(&life, 2);
    let expected = [
        (Kind::Request, Role::Agent, Some(AGENT), "awaiting_approval", 0, 0),
        (Kind::Approve, Role::Owner, Some(OWNER), "approved", 0, 0),
        (Kind::Submit, Role::Agent, Some(AGENT), "escrowed", 0, 0),
        (Kind::Deliver, Role::Provider, Some(PROVIDER), "delivered", 0, 0),
        (Kind::Dispute, Role::Owner, Some(OWNER), "disputed", 0, 0),
        (Kind::Resolve, Role::Resolver, Some(RESOLVER), "settled", 30, 50),
        (Kind::Refund, Role::Provider, Some(PROVIDER), "settled", 0, 10),
    ];
    assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
    for (line, second) in lines.iter().zip(0..) {
        assert_eq!((line.at, line.subject), (at(second), Some(named("A"))));
        assert_eq!((line.amount, line.token, line.provider), (Some(units(80)), Some(TOKEN), Some(PROVIDER)));
    }
    let reasons: Vec<Option<&str>> = lines.iter().map(|line| line.reason.as_deref()).collect();
    assert!(reasons[3].unwrap().starts_with("0xeeee") && reasons[4].unwrap().starts_with("0xdddd"));
}

/// L12
#[test]
fn what_time_does_is_nobodys_deed() {
    let late: UnixMillis = at(3 * DAY);
    let told_of = |commands: Vec<Command>| {
        let mut life = alive(commands);
        let said = lines(&life, 0).len();
        hears(&mut life, Command::Wake, late).unwrap();
        lines(&life, said).iter().map(|line| (line.kind, line.role, line.result.clone())).collect::<Vec<_>>()
    };
    let time = |kind, result: &str| vec![(kind, Role::Time, result.to_owned())];
    assert_eq!(told_of(vec![ask(request("A", 80))]), time(Kind::Expire, "expired"));
    assert_eq!(told_of(vec![ask(request("A", 40))]), time(Kind::Expire, "refunded"));
    assert_eq!(told_of(vec![ask(request("A", 40)), deliver("A")]), time(Kind::Claim, "settled"));
    let disputed = vec![ask(request("A", 40)), deliver("A"), dispute("A")];
    assert_eq!(told_of(disputed), time(Kind::TimeOut, "timed_out"));
    assert_eq!(told_of(vec![reserve("R", hold(50, at(60)))]), time(Kind::Expire, "expired"));
}

/// L12
#[test]
fn the_mandates_own_changes_are_told_with_who_made_them() {
    let amended = || amendment(looser(), 1);
    let life = Life::of([
        create(),
        fund(9),
        change(Change::Withdraw { amount: U256::from(2) }, OWNER),
        change(Change::Amend(amended()), OWNER),
        change(Change::Pause, OWNER),
        change(Change::Renounce, AGENT),
    ]);
    let lines = lines(&life, 0);
    let said: Vec<_> =
        lines.iter().map(|line| (line.kind, line.role, line.actor, line.result.as_str())).collect();
    let expected = [
        (Kind::Create, Role::Owner, Some(OWNER), "done"),
        (Kind::Fund, Role::Owner, Some(OWNER), "done"),
        (Kind::Withdraw, Role::Owner, Some(OWNER), "done"),
        (Kind::Amend, Role::Owner, Some(OWNER), "scheduled"),
        (Kind::Pause, Role::Owner, Some(OWNER), "done"),
        (Kind::Renounce, Role::Agent, Some(AGENT), "done"),
    ];
    assert_eq!(said, expected);
    assert_eq!([lines[1].amount, lines[2].amount], [Some(units(9)), Some(units(2))]);
}

/// L12
#[test]
fn whose_signature_came_along_is_told_and_not_who_carried_it() {
    let by = By { caller: STRANGER, signature: Signature::Of(AGENT) };
    let asked = Command::Request { request: Box::new(request("A", 40)), by, filed: None };
    let cancelled = Command::Cancel {
        request: Box::new(request("B", 40)),
        by: By { caller: STRANGER, signature: Signature::Of(OWNER) },
        filed: None,
    };
    let life = alive([asked, cancelled]);
    let who: Vec<_> = lines(&life, 2).iter().map(|line| (line.role, line.actor)).collect();
    assert_eq!(who, [(Role::Agent, Some(AGENT)), (Role::Owner, Some(OWNER))]);
}

/// L12
#[test]
fn a_reservation_is_told_with_its_asker() {
    let life =
        alive([reserve("R", hold(50, at(60))), commit("R", 20), reserve("S", hold(5, at(60))), release("S")]);
    let said: Vec<_> = lines(&life, 2)
        .into_iter()
        .map(|line| (line.kind, line.result, line.paid.0, line.returned.0, line.reason))
        .collect();
    let run = || Some("run".to_owned());
    let expected = [
        (Kind::Reserve, "reserved".to_owned(), 0, 0, run()),
        (Kind::Commit, "committed".to_owned(), 20, 30, run()),
        (Kind::Reserve, "reserved".to_owned(), 0, 0, run()),
        (Kind::Release, "released".to_owned(), 0, 5, run()),
    ];
    assert_eq!(said, expected);
}
