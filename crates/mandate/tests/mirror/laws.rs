//! What holds in every life, whatever the chain and the port do, and when.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::B256;
use mandate::mirror::{Answer, Command, Effect, Fact, Ground, Progress, Stage, State, View, apply, effects};
use mandate::{By, Mandate, Payment, Proof, Signature, SignedApproval, UnixSeconds, evaluate, life};
use proptest::prelude::*;
use rehearsal::by_chance;

use crate::cast::*;
use crate::chance::{World, live, turns};
use crate::contract::{Contract, Node};

/// Fails unless a view is what the contract has at that block. What has ended for good has left the view.
fn agrees(view: &View, node: &Node) {
    let theirs = node.mandate.as_ref().unwrap();
    let payments: BTreeMap<B256, Payment> = view.mandate.payments.clone();
    assert_eq!(Mandate { payments: theirs.payments.clone(), ..view.mandate.clone() }, *theirs);
    assert_eq!(view.ceiling, node.ceiling);
    for (name, payment) in &theirs.payments {
        assert!(payments.get(name).map_or(payment.state.is_final(), |ours| ours == payment), "{payment:?}");
    }
    assert!(payments.keys().all(|name| theirs.payments.contains_key(name)));
}

/// A mirror that is told the chain as it stands, from the creation on.
fn retold(contract: &Contract) -> Life {
    let mut life = Life::default();
    life.hears(contract.adoption().unwrap(), START).unwrap();
    for _ in 0..40 {
        let command = contract.observation(mirror(&life).tip.block, 20);
        life.hears(command, START).unwrap();
    }
    life
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).life.replays();
    }

    // MR1, MR2: at every block that still stands, and at every final one.
    #[test]
    fn the_mirror_is_what_the_contract_is(turns in turns()) {
        live(&turns, |world, _| {
            let Some(mirror) = world.life.state.mirror() else { return };
            if let Some(node) = world.contract.node(mirror.tip.block) {
                agrees(&mirror.tip, node);
            }
            if mirror.ground == Ground::Final {
                agrees(&mirror.sealed, world.contract.node(mirror.sealed.block).unwrap());
            }
        });
    }

    // MR2
    #[test]
    fn after_all_reorganizations_it_is_as_if_there_had_been_none(turns in turns()) {
        let mut world = live(&turns, |_, _| {});
        if world.contract.adoption().is_none() {
            return Ok(());
        }
        world.catch_up();
        let clean = retold(&world.contract);
        let (ours, theirs) = (mirror(&world.life), mirror(&clean));
        prop_assert_eq!(&ours.tip, &theirs.tip);
        prop_assert_eq!((&ours.sealed, &ours.tail), (&theirs.sealed, &theirs.tail));
        prop_assert_eq!(&ours.tip, &ours.sealed);
    }

    // MR3
    #[test]
    fn only_an_event_of_the_chain_brings_a_request_further_than_submitted(turns in turns()) {
        let world = live(&turns, |_, _| {});
        for (before, event) in &world.life.journal {
            let after = apply(before.clone(), event).unwrap();
            let told = |state: &State| state.mirror().map(|mirror| mirror.tip.mandate.payments.clone());
            let by_chain = matches!(
                event.fact,
                Fact::Adopted { .. } | Fact::Observed(_) | Fact::Rewound(_) | Fact::Orphaned { .. }
            );
            prop_assert!(by_chain || told(before) == told(&after), "{:?}", event);
        }
    }

    // MR4: by the contract's own authorize, for all that is on its way and may pass.
    #[test]
    fn what_is_sent_passes_beside_all_that_is_on_its_way(turns in turns()) {
        let world = live(&turns, |_, _| {});
        for (before, event) in &world.life.journal {
            let sends = effects(before, event).iter().any(|owed| matches!(owed, Effect::Send { .. }));
            let Some(mirror) = before.mirror() else { continue };
            let (name, request) = if let Fact::Requested { request, .. } = &event.fact {
                (request.payment, **request)
            } else if let Fact::Submitted { payment, .. } = &event.fact {
                (*payment, mirror.asks[payment].request)
            } else {
                continue;
            };
            if !sends {
                continue;
            }
            let now = UnixSeconds::from(event.at).max(mirror.tip.block.at);
            let (mut ahead, mut ceiling) = (mirror.tip.mandate.clone(), mirror.tip.ceiling);
            let approval = |ask: Option<&mandate::mirror::Ask>| {
                ask.and_then(|ask| ask.approved.as_ref()).map_or_else(SignedApproval::default, |it| it.approval)
            };
            let agent = By { caller: STRANGER, signature: Signature::Of(AGENT) };
            for ask in mirror.asks.values().filter(|ask| ask.errand().is_some() && !ask.signature.is_empty()) {
                if ask.request.payment != name {
                    let proof = Proof { agent, approval: approval(Some(ask)) };
                    let _ = ahead.authorize(&ask.request, &proof, now, &mut ceiling);
                }
            }
            let proof = Proof { agent, approval: approval(mirror.asks.get(&name)) };
            let verdict = evaluate(Some(&ahead), &request, &proof, now, &ceiling);
            prop_assert!(verdict.is_ok(), "{:?}", verdict);
        }
    }

    // MR5
    #[test]
    fn the_owner_is_heard_once(turns in turns()) {
        let world = live(&turns, |_, _| {});
        let mut decided = BTreeSet::new();
        for (_, event) in &world.life.journal {
            if let Fact::Approved { payment, .. } | Fact::Rejected { payment, .. } = &event.fact {
                prop_assert!(decided.insert(*payment));
            } else if let Fact::Orphaned { .. } = event.fact {
                // The mandate begins anew, and so do its requests.
                decided.clear();
            }
        }
    }

    // MR6: between two calls of one kind for one payment, the port has said that the first came to nothing.
    #[test]
    fn nothing_is_sent_again_blindly(turns in turns()) {
        let world = live(&turns, |_, _| {});
        let mut out: BTreeSet<(B256, bool)> = BTreeSet::new();
        for (before, event) in &world.life.journal {
            let nothing_came =
                |answer| matches!(answer, Answer::Absent | Answer::Unavailable | Answer::Refused(_));
            if let Fact::Answered { payment, answer } = &event.fact
                && nothing_came(*answer)
            {
                out.retain(|(name, _)| name != payment);
            } else if let Fact::Orphaned { .. } = event.fact {
                out.clear();
            }
            for effect in effects(before, event) {
                if let Effect::Send { payment, call, .. } = effect {
                    let is_cancel = matches!(*call, mandate::mirror::Call::Cancel { .. });
                    prop_assert!(out.insert((payment, is_cancel)), "{:?}", event);
                }
            }
        }
    }

    // MR7: what was said to be over without the chain's word is never authorized.
    #[test]
    fn what_expires_by_a_final_block_is_never_authorized(turns in turns()) {
        let world = live(&turns, |_, _| {});
        let standing = world.contract.head().mandate.clone();
        for (before, event) in &world.life.journal {
            if !matches!(event.fact, Fact::Observed(_) | Fact::Rewound(_)) {
                continue;
            }
            for effect in effects(before, event) {
                let Effect::File(filed) = effect else { continue };
                let is_untold = filed.payment.is_none()
                    && filed.progress != Progress::Like(life::Progress::Cancelled);
                if is_untold && let Some(mandate) = &standing {
                    let state = mandate.state_of(filed.request.payment);
                    prop_assert!(!state.is_open() && state.number() < 2, "{:?} is {}", filed, state);
                }
            }
        }
    }

    // MR7
    #[test]
    fn what_the_contract_could_take_is_ended_by_the_chain_alone(turns in turns()) {
        let world = live(&turns, |_, _| {});
        for (before, event) in &world.life.journal {
            let (Some(was), after) = (before.mirror(), apply(before.clone(), event).unwrap()) else { continue };
            let by_chain =
                matches!(event.fact, Fact::Observed(_) | Fact::Rewound(_) | Fact::Orphaned { .. });
            for (name, ask) in &was.asks {
                let stays = after.mirror().is_some_and(|mirror| mirror.asks.contains_key(name));
                let could = !matches!(ask.stage, Stage::Waiting { .. }) && !ask.signature.is_empty();
                prop_assert!(stays || by_chain || !could, "{:?} ended by {:?}", ask, event.fact);
            }
        }
    }

    // MR8
    #[test]
    fn what_ended_on_the_chain_is_filed_once_and_is_as_it_stands_there(turns in turns()) {
        let world = live(&turns, |_, _| {});
        let (mut rows, mut refunded) = (BTreeMap::new(), BTreeMap::new());
        for effect in &world.life.owed {
            match effect {
                Effect::File(filed) if filed.payment.is_some() => {
                    prop_assert!(rows.insert(filed.request.payment, filed.payment.unwrap()).is_none());
                }
                Effect::Refunded { payment, total } => {
                    let before = refunded.insert(*payment, *total);
                    prop_assert!(before.is_none_or(|before| before < *total));
                }
                Effect::File(_)
                | Effect::Send { .. }
                | Effect::Look { .. }
                | Effect::Log { .. }
                | Effect::Undo { .. } => {}
            }
        }
        let Some(mandate) = &world.contract.head().mandate else { return Ok(()) };
        for (name, row) in rows {
            let stands = mandate.payments[&name];
            prop_assert_eq!(Payment { refunded: row.refunded, ..stands }, row);
            prop_assert!(refunded.get(&name).is_none_or(|total| *total > row.refunded));
            prop_assert!(refunded.get(&name).copied().unwrap_or(row.refunded) <= stands.refunded);
        }
    }

    // A wake does what is due, once.
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |world, now| drop(world.life.woken(now)));
    }

    // MR6, MR10
    #[test]
    fn what_is_said_twice_is_heard_once(turns in turns()) {
        live(&turns, |world, now| {
            let Some(last) = world.life.granted.last() else { return };
            let mut life = world.life.clone();
            let again = matches!(
                last,
                Command::Adopt { .. }
                    | Command::Observe(_)
                    | Command::Rewind(_)
                    | Command::Sent { .. }
                    | Command::Answered { answer: Answer::Absent | Answer::Unknown, .. }
            );
            if again && life.state.mirror().is_some() {
                assert_eq!(life.hears(last.clone(), now).unwrap(), Heard::default(), "{last:?}");
            }
        });
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_ending() {
    let (mut facts, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 800) {
        let World { life, .. } = live(&turns, |_, _| {});
        facts.extend(life.facts());
        endings.extend(life.owed.iter().filter_map(|effect| match effect {
            Effect::File(filed) => Some(filed.progress.name()),
            Effect::Refunded { .. } => Some("refunded after that"),
            Effect::Send { .. } | Effect::Look { .. } | Effect::Log { .. } | Effect::Undo { .. } => None,
        }));
    }
    assert_eq!(facts.len(), <Object as rehearsal::Core>::FACTS, "{facts:?}");
    let all = [
        "cancelled",
        "expired",
        "failed",
        "refunded",
        "refunded after that",
        "rejected",
        "settled",
        "timed_out",
        "voided",
    ];
    assert_eq!(Vec::from_iter(endings), all);
}

/// A journal that was changed on disk is found out.
#[test]
fn an_event_that_does_not_follow_is_corrupt() {
    let mut life = alive([ask(request("A", 40)), sent("A", 1)]);
    let told = next(&life, START, [authorized(request("A", 40))]);
    life.hears(told, START).unwrap();
    let (before, observed) = life.journal.last().unwrap();
    assert!(apply(before.clone(), observed).is_ok());
    assert!(apply(life.state.clone(), observed).unwrap_err().to_string().contains("102"));
    assert!(apply(State::Unborn, observed).is_err());
    assert!(apply(life.state.clone(), &life.journal[0].1).is_err());
    let unknown = mandate::mirror::Event { at: START, fact: Fact::Elapsed { payment: named("B") } };
    assert!(apply(life.state.clone(), &unknown).is_err());
    let early = mandate::mirror::Event { at: START, fact: Fact::Elapsed { payment: named("A") } };
    assert!(apply(before.clone(), &early).is_err());
}
