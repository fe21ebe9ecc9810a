//! What the world does for a run when it is asked, and of its own accord.

use primitives::{BaseUnits, Millis};
use run::{
    Balances, BrowserCommand, BrowserResult, Claim, Command, Effect, Found, FundsAnswer, Payment, RunState,
    Task,
};

use super::ports::{Name, OLD};
use super::world::{Weather, World};
use crate::cast::*;
use crate::purchase::view;

impl World {
    /// One call to a port. Calling twice is calling once, but the answer may be another one.
    pub(super) fn calls(&mut self, effect: &Effect) -> Option<Command> {
        match effect {
            Effect::Search { attempt, .. } => {
                Some(Command::Market { attempt: *attempt, found: self.offers() })
            }
            Effect::Dispatch { .. } | Effect::Withdraw { .. } => {
                self.executors.hears(effect);
                None
            }
            Effect::ConnectWallet => Some(Command::Wallet(wallet("W", None, self.now))),
            Effect::CheckFunds { number, amount, .. } => {
                let answer = Box::new(self.balances(*amount));
                Some(Command::Funds { number: *number, answer })
            }
            Effect::Reserve { budget, .. } => {
                let answer = self.mandate.hears(effect, &mut self.dice)?;
                Some(Command::Budget { reservation: budget.reservation, answer })
            }
            Effect::Commit { .. } | Effect::Release { .. } => {
                self.mandate.hears(effect, &mut self.dice);
                None
            }
            Effect::SignPayment { authorization, requirement } => {
                let payment = self.chain.pay(authorization, requirement, self.now);
                Some(Command::Pay { payment, claim: Claim::Ours })
            }
            Effect::Look { attempt, payment, requirement, .. } => {
                let verdict = self.chain.look(payment, requirement, self.now);
                Some(Command::Settlement { attempt: *attempt, verdict })
            }
            Effect::Trace { attempt, authorization, requirement, .. } => {
                let trace = self.chain.trace(authorization, requirement, self.now);
                Some(Command::Traced { attempt: *attempt, trace })
            }
        }
    }

    fn offers(&mut self) -> Found {
        if self.weather == Weather::Foul && self.dice.percent(10) {
            return Found::Unavailable { reason: "no answer".to_owned() };
        }
        let mut offers: Vec<_> =
            ["A", "B", "C"].iter().map(|word| candidate(word, 1_003, self.now.minus(Millis(1)))).collect();
        offers.rotate_left(self.dice.roll(3));
        Found::Candidates { source: "synthetic".to_owned(), candidates: offers }
    }

    fn balances(&mut self, amount: run::Cents) -> FundsAnswer {
        let asked = requirement(amount, self.now.plus(Millis::from_minutes(self.dice.pick(&[2, 9, 15]))));
        let part = |has| if has { asked.gross } else { BaseUnits(0) };
        let (public, shielded) = match (self.weather, self.dice.roll(10)) {
            (Weather::Foul, 0) => return FundsAnswer::Unavailable { reason: "no node".to_owned() },
            (Weather::Foul, 1) => (part(false), part(false)),
            (Weather::Foul, 2) => (part(true), part(false)),
            (Weather::Foul | Weather::Fair, _) => (part(true), part(true)),
        };
        let balances = Balances { public: Some(public), shielded: Some(shielded) };
        FundsAnswer::Found { balances, requirement: asked }
    }

    /// Some executor takes some command of its queue, whatever the run thinks of it by then.
    pub(super) fn an_executor_works(&mut self) {
        let open: Vec<BrowserCommand> = self.executors.open.values().cloned().collect();
        if open.is_empty() {
            return;
        }
        let command = self.dice.pick(&open);
        let result = Box::new(self.result(&command));
        let letter = Command::Browser { executor: command.executor, command_id: command.command_id, result };
        if self.weather == Weather::Foul && self.dice.percent(20) {
            self.letters.push(letter.clone());
        }
        self.letters.push(letter);
    }

    fn result(&mut self, command: &BrowserCommand) -> BrowserResult {
        let reason = || "why".to_owned();
        if self.weather == Weather::Foul {
            match self.dice.roll(12) {
                0 => return BrowserResult::Started,
                1 => return BrowserResult::NeedsUser { reason: reason() },
                2 => return BrowserResult::Unavailable { reason: reason() },
                3 => return BrowserResult::Error { reason: reason() },
                _ => {}
            }
        }
        match &command.task {
            Task::ReadPix { expected } => {
                let is_wrong = self.weather == Weather::Foul && self.dice.percent(5);
                let amount = expected.0 + u64::from(is_wrong);
                let end = self.dice.percent(30).then(|| self.now.plus(Millis::from_minutes(4)));
                BrowserResult::Pix(run::PixTarget { expires_at: end, ..target(amount) })
            }
            Task::VerifyOrder => BrowserResult::Order(order(self.dice.percent(80))),
            Task::RevalidateCandidate { .. } | Task::PrepareCheckout | Task::ReadCheckout => {
                let shop = view(&self.life.state).and_then(|view| view.selected);
                let shop = shop.map_or_else(|| "A".to_owned(), |shop| shop.candidate_id);
                let total = self.dice.pick(&[1_000, 1_002, 1_050, 1_098]);
                let age = Millis::from_minutes(self.dice.pick(&[0, 0, 0, 3]));
                BrowserResult::Quote {
                    cart: cart(&shop, total),
                    captured_at: self.now.minus(age),
                    page: "cart".to_owned(),
                }
            }
        }
    }

    /// The buyer looks at its page, which it does not always load again.
    pub(super) fn the_buyer_acts(&mut self) {
        if self.page.is_none() || self.weather == Weather::Fair || self.dice.percent(50) {
            self.page = view(&self.life.state);
        }
        let Some(page) = self.page.clone() else { return };
        if self.wants_to_stop && self.dice.percent(3) {
            return self.letters.push(Command::Cancel);
        }
        if self.weather == Weather::Foul && self.dice.percent(3) {
            let other = self.dice.pick(&["V", "W"]);
            return self.letters.push(Command::Wallet(wallet(other, None, self.now)));
        }
        if self.weather == Weather::Foul && self.dice.percent(2) {
            let other = self.dice.pick(&["E", "F"]);
            return self.letters.push(Command::Rebind { executor: executor(other) });
        }
        if self.weather == Weather::Foul && self.dice.percent(1) {
            return self.names(payment(OLD));
        }
        match page.state {
            RunState::WalletRequired | RunState::FundsChecked | RunState::ShieldRequired => {
                self.letters.push(Command::Wallet(wallet("W", None, self.now)));
            }
            RunState::UserConfirmation => {
                let Some(asked) = page.confirmation else { return };
                let signer = self.creation.mandate.as_ref().map(|mandate| mandate.owner.clone());
                self.letters.push(Command::Confirm { digest: asked.digest, amount: asked.amount, signer });
            }
            RunState::PaymentAuthorized => self.the_wallet_pays(&page),
            _ => {}
        }
    }

    /// An honest wallet signs once for a run, and not when it is told that its time is over.
    fn the_wallet_pays(&mut self, page: &run::View) {
        let (Some(given), Some(asked)) = (&page.authorization, &page.requirement) else { return };
        if self.has_signed || self.now >= given.submit_by {
            return;
        }
        self.has_signed = true;
        let payment = self.chain.pay(given, asked, self.now);
        // A page that is closed too early tells nobody.
        if self.dice.percent(70) {
            self.names(payment);
        }
    }

    /// What is named is claimed for this run first.
    fn names(&mut self, payment: Payment) {
        let claim = self.receipts.claim(&payment.signature, &self.creation.run);
        self.letters.push(Command::Pay { payment, claim });
    }

    /// In the end everybody's books agree.
    pub(super) fn adds_up(&self) -> RunState {
        let shown = view(&self.life.state).unwrap();
        let landed = self.chain.landed();
        assert!(landed.len() <= 1, "R4: paid {} times", landed.len());
        let is_paid = matches!(shown.state, RunState::OrderConfirmed | RunState::OrderUnknown);
        let is_unknown = shown.state == RunState::SettlementUnknown;
        assert_eq!(is_paid, !landed.is_empty() && !is_unknown, "{:?} with {landed:?}", shown.state);
        assert!(!is_unknown || self.chain.is_dark, "nobody knows, and somebody could have");
        assert!(self.executors.open.is_empty(), "an executor works for nothing: {:?}", self.executors.open);
        for held in self.mandate.names.values() {
            assert!(!matches!(held, Name::Held(_)), "R8: {held:?} in {:?}", shown.state);
            let is_committed = matches!(held, Name::Committed(_));
            assert!(!is_committed || is_paid || is_unknown, "R8: committed in {:?}", shown.state);
        }
        let is_spent = self.mandate.names.values().any(|held| matches!(held, Name::Committed(_)));
        let spends = self.creation.mandate.is_some();
        assert!(!(spends && is_paid) || is_spent, "R8: paid, and not counted");
        shown.state
    }
}
