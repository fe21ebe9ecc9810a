//! Whole purchases: the core of a run, to which everything here answers.
#![cfg(test)]

use std::collections::VecDeque;

use primitives::{Digest, RunId, UnixMillis};
use run::{
    Cents, Claim, Command, Creation, Effect, FundsAnswer, Intent, Mode, Rails, RunState, State, apply,
    decide, effects,
};
use synthetic::{ASSET, Errand, Story, demo_executor};

const NOW: UnixMillis = UnixMillis(1_800_000_000_000);

/// A run with what it owes.
struct World {
    id: RunId,
    state: State,
    owed: VecDeque<Effect>,
    facts: Vec<String>,
}

impl World {
    fn of(requirement: &str, wallet: bool) -> Self {
        let id = RunId::derive(&[requirement.as_bytes()]);
        let intent = Intent { requirement: requirement.to_owned(), quantity: 2, max_total: Cents(8_000) };
        let creation = Creation {
            run: id.clone(),
            intent,
            executor: demo_executor(),
            mode: Mode::Simulated,
            rails: Rails::Simulated { wallet },
            mandate: None,
            user: None,
            token: Digest::ZERO,
        };
        let mut world = Self { id, state: State::default(), owed: VecDeque::new(), facts: Vec::new() };
        world.hear(Command::Create(Box::new(creation)));
        world
    }

    fn hear(&mut self, command: Command) {
        for event in decide(&self.state, command, NOW).unwrap() {
            self.owed.extend(effects(&self.state, &event));
            let fact = serde_json::to_value(&event.fact).unwrap();
            self.facts.push(fact["type"].as_str().unwrap().to_owned());
            self.state = apply(std::mem::take(&mut self.state), &event).unwrap();
        }
    }

    /// Answers whatever is owed, until nothing is.
    fn go_on(&mut self) {
        while let Some(effect) = self.owed.pop_front() {
            for command in self.answers(effect) {
                self.hear(command);
            }
        }
    }

    fn answers(&self, effect: Effect) -> Vec<Command> {
        let run = &self.id;
        match effect {
            Effect::Search { attempt, intent } => {
                vec![Command::Market { attempt, found: synthetic::market(&intent, NOW) }]
            }
            Effect::Dispatch { command } => {
                let errand = self.state.view().as_ref().and_then(Errand::of);
                let said = synthetic::executor(run, &command.task, errand.as_ref(), NOW);
                let answer = |result| Command::Browser {
                    executor: demo_executor(),
                    command_id: command.command_id.clone(),
                    result: Box::new(result),
                };
                said.into_iter().map(answer).collect()
            }
            Effect::ConnectWallet => vec![Command::Wallet(synthetic::wallet(run, NOW))],
            Effect::CheckFunds { number, report, amount, .. } => {
                let balances = synthetic::balances(&report);
                let requirement = synthetic::off_ramp(run, amount, ASSET, NOW).unwrap();
                let answer = Box::new(FundsAnswer::Found { balances, requirement });
                vec![Command::Funds { number, answer }]
            }
            Effect::SignPayment { authorization, requirement } => {
                let payment = synthetic::sign(run, &authorization, &requirement);
                vec![Command::Pay { payment, claim: Claim::Ours }]
            }
            Effect::Look { attempt, payment, authorization, requirement, .. } => {
                let verdict = synthetic::settle(run, &payment, &authorization, &requirement);
                vec![Command::Settlement { attempt, verdict }]
            }
            Effect::Withdraw { .. } => Vec::new(),
            Effect::Reserve { .. }
            | Effect::Commit { .. }
            | Effect::Release { .. }
            | Effect::Trace { .. } => {
                panic!("owed without a mandate and without a doubt: {effect:?}")
            }
        }
    }

    /// The owner says yes to what is shown.
    fn confirm(&mut self) {
        let asked = self.state.view().unwrap().confirmation.unwrap();
        self.hear(Command::Confirm { digest: asked.digest, amount: asked.amount, signer: None });
        self.go_on();
    }

    fn stands(&self) -> RunState {
        self.state.view().unwrap().state
    }

    fn count(&self, fact: &str) -> usize {
        self.facts.iter().filter(|name| *name == fact).count()
    }
}

#[test]
fn a_purchase_needs_one_word_of_its_owner() {
    let mut world = World::of("coca-cola 2l", true);
    world.go_on();
    assert_eq!(world.stands(), RunState::UserConfirmation);
    world.confirm();
    assert_eq!(world.stands(), RunState::OrderConfirmed);
    let view = world.state.view().unwrap();
    assert_eq!((view.candidates.len(), view.rejected.len()), (3, 0));
    assert_eq!(view.selected.unwrap().candidate_id, "synthetic-1");
    assert_eq!(view.authorization.unwrap().amount, Cents(4_364));
}

#[test]
fn a_wallet_of_the_owners_own_pays_by_the_documented_name() {
    let mut world = World::of("coca-cola 2l", false);
    world.go_on();
    assert_eq!(world.stands(), RunState::WalletRequired);
    let mut report = synthetic::wallet(&world.id, NOW);
    report.address = Some("the-owners-own".to_owned());
    world.hear(Command::Wallet(report));
    world.go_on();
    world.confirm();
    assert_eq!(world.stands(), RunState::PaymentAuthorized);
    let view = world.state.view().unwrap();
    let (gross, pay_to) = (view.authorization.unwrap().gross, view.requirement.unwrap().pay_to);
    let signature = synthetic::signature(&world.id, gross, "the-owners-own", &pay_to);
    let payment = run::Payment { signature, last_valid_block_height: None };
    world.hear(Command::Pay { payment, claim: Claim::Ours });
    world.go_on();
    assert_eq!(world.stands(), RunState::OrderConfirmed);
}

/// What each story says happens, the core of a run makes happen.
#[test]
fn every_story_ends_as_it_says() {
    for story in Story::ALL {
        let mut world = World::of(&format!("coca-cola {}", story.word()), true);
        world.go_on();
        let goes_on = match story {
            Story::Gone | Story::Drift => {
                let view = world.state.view().unwrap();
                assert_eq!(view.rejected.first().unwrap().candidate_id, "synthetic-1", "{}", story.plot());
                assert_eq!(view.selected.unwrap().candidate_id, "synthetic-2", "{}", story.plot());
                true
            }
            Story::Login => {
                assert_eq!(world.count("BROWSER_NEEDS_USER"), 1);
                true
            }
            Story::Dear | Story::Nothing => false,
        };
        if goes_on {
            world.confirm();
            assert_eq!(world.stands(), RunState::OrderConfirmed, "{}", story.plot());
        } else {
            assert_eq!(world.stands(), RunState::NoValidOption, "{}", story.plot());
        }
    }
}
