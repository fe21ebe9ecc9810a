//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use alloy_primitives::Bytes;
use expect_test::expect_file;
use mandate::life::Hold;
use mandate::mirror::{Answer, Command, News};
use mandate::{Ceiling, Reason, State};
use primitives::{Millis, UnixMillis};

use crate::cast::*;

fn after(mut life: Life, told: impl IntoIterator<Item = News>, seconds: u64) -> (Life, UnixMillis) {
    let command = next(&life, at(seconds), told);
    hears(&mut life, command, at(seconds)).unwrap();
    (life, at(seconds))
}

fn and(mut life: Life, command: impl FnOnce(&Life) -> Command) -> Life {
    let command = command(&life);
    hears(&mut life, command, START).unwrap();
    life
}

/// One state of every kind, with a moment before any of its deadlines.
fn states() -> Vec<(&'static str, Life, UnixMillis)> {
    let small = || request("A", 40);
    let waiting = || alive([ask(request("A", 80))]);
    let approved = || and(waiting(), |_| approve("A", at(HOUR)));
    let requested = || alive([ask(small())]);
    let submitted = || and(requested(), |_| sent("A", 1));
    let failed = || and(submitted(), |life| answer(life, "A", refusing(Reason::Funds)));
    let told = |news: Vec<News>| after(submitted(), news, 1);
    let delivered = || News::Delivered { payment: named("A"), receipt: named("receipt") };
    let disputed = || News::Disputed { payment: named("A"), evidence: named("evidence") };
    let settled = || vec![authorized(small()), delivered(), closed("A", State::Settled, 40, 0)];
    let mut states = vec![
        ("unborn", Life::default(), START),
        ("funded", alive([]), START),
        ("sealed", and(alive([]), seal), START),
        ("A awaits approval", waiting(), START),
        ("A is approved", approved(), START),
        ("A is rejected", and(waiting(), |_| reject("A", OWNER)), START),
        ("A is requested", requested(), START),
        ("A is submitted", submitted(), START),
        ("A is unavailable", and(requested(), |life| answer(life, "A", Answer::Unavailable)), START),
        ("A has failed", failed(), START),
        ("A is being cancelled", and(submitted(), |_| cancel(small(), OWNER)), START),
    ];
    let mut push = |name, (life, now)| states.push((name, life, now));
    push("paused", after(alive([]), [News::Paused], 1));
    push("revoked", after(alive([]), [News::Revoked { by: OWNER }], 1));
    push("A is escrowed", told(vec![authorized(small())]));
    push("A is escrowed, unasked", after(alive([]), [authorized(small())], 1));
    push("A is delivered", told(vec![authorized(small()), delivered()]));
    push("A is disputed", told(vec![authorized(small()), delivered(), disputed()]));
    push("A is settled", told(settled()));
    push("A is cancelled", told(vec![News::Cancelled { payment: named("A"), by: OWNER }]));
    let (life, now) = told(settled());
    push("A is settled for good", (and(life, seal), now));
    let (life, now) = after(submitted(), [], HOUR);
    push("A is expired", (and(life, seal), now));
    states
}

fn commands(life: &Life, now: UnixMillis) -> Vec<(&'static str, Command)> {
    let hold = Hold {
        asker: "run".to_owned(),
        recipient: PROVIDER,
        service: SERVICE,
        amount: units(1),
        until: now.plus(Millis::from_minutes(1)).into(),
        approved: false,
    };
    let small = request("A", if life.state.mirror().is_some_and(is_large) { 80 } else { 40 });
    let born = life.state.mirror().map(|mirror| (mirror.sealed.block, mirror.tip.block));
    let (sealed, tip) = born.unwrap_or((born_in(), born_in()));
    let above = block_of(tip.number + 1, 0, now);
    let branch = block_of(tip.number + 1, 1, now);
    let other = block_of(tip.number, 1, now);
    let observe = |after, to, news: Vec<News>| Command::Observe(observation(after, to, genesis(), news));
    let rewind = |after, to, news: Vec<News>| Command::Rewind(observation(after, to, genesis(), news));
    let (creation, label) = (creation(), "Again".to_owned());
    let elsewhere = mandate::Creation { id: named("other"), ..creation.clone() };
    let adopt_as = |creation| Command::Adopt {
        creation: Box::new(creation),
        block: born_in(),
        ceiling: Ceiling::Unset,
        label: label.clone(),
    };
    let reused = mandate::Request { payment: named("Z"), ..small };
    vec![
        ("adopt", adopt_as(creation)),
        ("adopt another", adopt_as(elsewhere)),
        ("observe the next block", observe(tip, above, Vec::new())),
        ("observe A authorized", observe(tip, above, vec![authorized(small)])),
        (
            "observe A cancelled",
            observe(tip, above, vec![News::Cancelled { payment: named("A"), by: AGENT }]),
        ),
        ("observe A settled", observe(tip, above, vec![closed("A", State::Settled, 40, 0)])),
        ("observe what was told", observe(sealed, tip, Vec::new())),
        ("observe with a gap", observe(above, block_of(tip.number + 2, 0, now), Vec::new())),
        ("observe another history", observe(other, branch, Vec::new())),
        ("observe that all is final", Command::Observe(observation(tip, tip, tip, []))),
        ("rewind to what is sealed", rewind(sealed, branch, Vec::new())),
        ("rewind below that", rewind(genesis(), branch, Vec::new())),
        ("rewind to another history", rewind(other, branch, Vec::new())),
        ("request A", ask(small)),
        ("request B", ask(request("B", 40))),
        ("request B, above the threshold", ask(request("B", 61))),
        ("request B, above the cap", ask(request("B", 101))),
        ("request under A's id", ask(reused)),
        ("approve A", approve("A", now.plus(Millis::from_minutes(1)))),
        ("approve A, by another", approve_as("A", at(DAY), AGENT)),
        ("reject A", reject("A", OWNER)),
        ("submit A", submit("A", AGENT)),
        ("submit A, by another", submit("A", OWNER)),
        ("cancel A", cancel(small, AGENT)),
        ("cancel A, unsigned", cancel_unsigned(small, AGENT)),
        ("cancel A, by another", cancel(small, PROVIDER)),
        ("cancel B", cancel(request("B", 40), OWNER)),
        ("reserve", Command::Reserve { reservation: named("R"), hold }),
        ("A is sent", sent("A", 2)),
        ("A is refused", answer(life, "A", refusing(Reason::DayCap))),
        ("A is refused, for it is used", answer(life, "A", refusing(Reason::RequestUsed))),
        ("A is unavailable", answer(life, "A", Answer::Unavailable)),
        ("A is unknown", answer(life, "A", Answer::Unknown)),
        ("A is pending", answer(life, "A", Answer::Pending)),
        ("A is absent", answer(life, "A", Answer::Absent)),
        (
            "A is absent, to no question",
            Command::Answered { payment: named("A"), turn: 99, answer: Answer::Absent },
        ),
        ("wake", Command::Wake),
    ]
}

fn is_large(mirror: &mandate::mirror::Mirror) -> bool {
    let escrowed = mirror.tip.escrows.get(&named("A")).map(|escrow| escrow.request);
    mirror
        .asks
        .get(&named("A"))
        .map(|ask| ask.request)
        .or(escrowed)
        .is_some_and(|request| request.max_amount > units(60))
}

/// MR3, MR5, MR6, MR10, MR11
#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state, life, now) in states() {
        picture.push_str(&format!("{state}\n"));
        for (name, command) in commands(&life, now) {
            let outcome = life.tried(informed(&life, command), now.plus(Millis(1)));
            picture.push_str(&format!("  {name:32} {outcome}\n"));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}

/// The agent's signature is the only one that the contract takes from whoever brings a request.
#[test]
fn a_request_needs_the_agents_signature_and_its_bytes() {
    let mut life = alive([]);
    for (of, bytes) in [
        (mandate::Signature::Of(OWNER), Bytes::from_static(b"x")),
        (mandate::Signature::Of(AGENT), Bytes::new()),
        (mandate::Signature::Empty, Bytes::from_static(b"x")),
        (mandate::Signature::Bad, Bytes::from_static(b"x")),
    ] {
        let signature = mandate::mirror::Signed { of, bytes };
        let command = Command::Request { request: Box::new(request("A", 40)), signature, filed: None };
        assert_eq!(code(&life.hears(command, START)), "agent_signature");
    }
}

/// What the contract would take for no approval is none.
#[test]
fn an_approval_needs_its_bytes() {
    let mut life = alive([ask(request("A", 80))]);
    let mut command = approve("A", at(HOUR));
    if let Command::Approve { bytes, .. } = &mut command {
        *bytes = Bytes::new();
    }
    assert_eq!(code(&life.hears(command, START)), "approval_signature");
    assert_eq!(code(&life.hears(approve("A", at(0)), START)), "approval_expired");
    assert_eq!(code(&life.hears(approve("A", at(1)), START)), "none");
}
