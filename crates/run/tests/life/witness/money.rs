//! Wallet, consent, holds and the one payment, as a careful buyer counts them.

use primitives::{BaseUnits, Digest, Millis, UnixMillis};
use run::{
    Assessment, Authorization, Balances, Basis, Budget, Cents, Confirmation, Consenter, Creation, Effect,
    Event, Fact, Payment, Requirement, View, limits,
};

use super::shops::Shops;

/// What became of a hold.
#[derive(Debug, Clone)]
struct Hold {
    budget: Budget,
    is_held: bool,
    has_lapsed: bool,
    reserved: usize,
    /// Commits and releases.
    ended: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Money {
    wallet: Option<String>,
    check: Option<(u32, String, Cents)>,
    funds: Option<(String, Requirement)>,
    questions: u32,
    asked: Option<Confirmation>,
    confirmed: Option<(Digest, Option<String>)>,
    holds: Vec<Hold>,
    authorized: Option<Authorization>,
    paid: Option<Payment>,
    is_absent: bool,
    is_verified: bool,
    is_abandoned: bool,
}

impl Money {
    pub(super) fn sees(&mut self, created: &Creation, shops: &Shops, event: &Event) {
        self.sees_wallet(event);
        self.sees_consent(created, shops, event);
        self.sees_hold(created, event);
        self.sees_payment(created, shops, event);
        let drops = matches!(
            event.fact,
            Fact::CheckoutInvalidated { .. } | Fact::CandidateRejected { .. } | Fact::ExecutorBound { .. }
        );
        if drops && self.authorized.is_none() {
            self.forgets();
        }
    }

    fn forgets(&mut self) {
        (self.funds, self.asked, self.confirmed, self.check) = (None, None, None, None);
    }

    fn sees_wallet(&mut self, event: &Event) {
        match &event.fact {
            Fact::WalletConnected { report } => {
                assert!(event.at.since(report.checked_at) <= Millis::from_minutes(5), "an old report");
                assert!(report.checked_at.since(event.at) <= limits::CLOCK_SKEW, "a report from the future");
                assert!(report.address.is_some());
                // The same wallet again: what it had is looked at anew.
                if self.funds.as_ref().is_some_and(|(wallet, _)| Some(wallet) == report.address.as_ref()) {
                    self.forgets();
                }
                self.wallet.clone_from(&report.address);
            }
            Fact::WalletDisconnected { .. } => {
                self.wallet = None;
                self.forgets();
            }
            Fact::FundsCheckStarted { number, wallet, amount } => {
                assert_eq!(Some(wallet), self.wallet.as_ref(), "R3: another wallet is checked");
                self.check = Some((*number, wallet.clone(), *amount));
            }
            Fact::FundsChecked { number, balances, requirement, assessment } => {
                let (asked, wallet, _) = self.check.take().unwrap();
                assert_eq!(*number, asked);
                assert_eq!(*assessment, assessed(balances, requirement.gross));
                assert!(event.at < requirement.expires_at, "the off-ramp's word is over");
                self.funds = Some((wallet, requirement.clone()));
                (self.asked, self.confirmed) = (None, None);
            }
            _ => {}
        }
    }

    fn sees_consent(&mut self, created: &Creation, shops: &Shops, event: &Event) {
        match &event.fact {
            Fact::ConfirmationRequested { confirmation } => {
                self.questions += 1;
                let (wallet, requirement) = self.funds.as_ref().unwrap();
                let (quote, pix) = (shops.checkout.as_ref().unwrap(), shops.pix.as_ref().unwrap());
                assert_eq!(confirmation.number, self.questions);
                assert_eq!((confirmation.amount, confirmation.gross), (pix.amount, requirement.gross), "R2");
                assert_eq!((confirmation.amount, &confirmation.wallet), (quote.cart.total, wallet), "R2, R3");
                assert!(event.at < confirmation.expires_at, "asked too late");
                assert!(confirmation.expires_at <= end_of(shops, requirement));
                let by =
                    if created.mandate.is_some() { Consenter::MandateOwner } else { Consenter::RunOwner };
                assert_eq!(confirmation.by, by);
                (self.asked, self.confirmed) = (Some(confirmation.clone()), None);
            }
            Fact::UserConfirmed { digest, amount, signer } => {
                let asked = self.asked.as_ref().unwrap();
                assert_eq!((digest, *amount), (&asked.digest, asked.amount), "another thing was confirmed");
                assert!(event.at < asked.expires_at, "confirmed too late");
                if let Consenter::MandateOwner = asked.by {
                    let owner = created.mandate.as_ref().map(|mandate| &mandate.owner);
                    assert_eq!(signer.as_ref(), owner, "somebody else agreed");
                }
                assert_eq!(self.confirmed.replace((*digest, signer.clone())), None, "confirmed twice");
            }
            _ => {}
        }
    }

    fn sees_hold(&mut self, created: &Creation, event: &Event) {
        match &event.fact {
            Fact::BudgetRequested { budget } => {
                let (_, requirement) = self.funds.as_ref().unwrap();
                let (run, number) = (created.run.as_str(), budget.number.to_string());
                let name = Digest::of(&[b"guildhall hold v1\0", run.as_bytes(), number.as_bytes()]);
                assert_eq!(budget.reservation, name);
                assert!(created.mandate.is_some());
                assert!(self.holds.iter().all(|hold| hold.budget.reservation != budget.reservation));
                assert_eq!(budget.amount, requirement.gross);
                assert_eq!(budget.recipient, requirement.recipient);
                assert_eq!(budget.until, event.at.plus(Millis::from_minutes(9 * 24 * 60)));
                assert_eq!(budget.approved, self.confirmed.is_some());
                let budget = budget.clone();
                self.holds.push(Hold { budget, is_held: false, has_lapsed: false, reserved: 0, ended: 0 });
            }
            Fact::BudgetHeld { reservation } => self.hold(reservation).is_held = true,
            Fact::BudgetLapsed { reservation } => self.hold(reservation).has_lapsed = true,
            Fact::BudgetNeedsApproval { reservation, .. } | Fact::BudgetRefused { reservation, .. } => {
                assert!(!self.hold(reservation).is_held);
            }
            _ => {}
        }
    }

    fn hold(&mut self, reservation: &Digest) -> &mut Hold {
        self.holds.iter_mut().find(|hold| hold.budget.reservation == *reservation).unwrap()
    }

    fn sees_payment(&mut self, created: &Creation, shops: &Shops, event: &Event) {
        match &event.fact {
            Fact::PaymentAuthorized { authorization } => {
                self.authorizes(created, shops, authorization, event.at)
            }
            Fact::PaymentSubmitted { payment } | Fact::PaymentFound { payment } => {
                assert!(self.authorized.is_some() && !self.is_absent, "R4: nothing was authorized");
                assert_eq!(self.paid.replace(payment.clone()), None, "R4: paid twice");
            }
            Fact::PaymentAbsent => {
                assert!(self.authorized.is_some() && self.paid.is_none());
                self.is_absent = true;
            }
            Fact::SettlementVerified { signature, .. } | Fact::SettlementFailed { signature, .. } => {
                assert_eq!(self.paid.as_ref().map(|paid| &paid.signature), Some(signature));
                assert!(!self.is_verified);
                self.is_verified = matches!(event.fact, Fact::SettlementVerified { .. });
            }
            Fact::SettlementAbandoned => {
                assert!(self.authorized.is_some() && !self.is_verified && !self.is_absent);
                self.is_abandoned = true;
            }
            Fact::OrderConfirmed { .. } | Fact::OrderAbandoned { .. } | Fact::OrderRequested { .. } => {
                assert!(self.is_verified, "an order that nobody has paid");
            }
            // Nothing was charged, it says.
            Fact::Cancelled | Fact::RunFailed { .. } | Fact::NoOptionLeft | Fact::UserRejected => {
                assert!(self.paid.is_none(), "R6: it was paid");
                assert!(self.authorized.is_none() || self.is_absent, "R6: it may have been paid");
            }
            _ => {}
        }
    }

    /// R2, R3, R4
    fn authorizes(&mut self, created: &Creation, shops: &Shops, given: &Authorization, now: UnixMillis) {
        let (wallet, requirement) = self.funds.as_ref().unwrap();
        let (quote, pix) = (shops.checkout.as_ref().unwrap(), shops.pix.as_ref().unwrap());
        assert_eq!((given.amount, given.amount), (quote.cart.total, pix.amount), "R2");
        assert_eq!((given.gross, &given.wallet), (requirement.gross, wallet), "R2, R3");
        assert_eq!(Some(wallet), self.wallet.as_ref(), "R3");
        assert!(given.amount <= created.intent.max_total, "R1");
        assert_eq!(given.at, now);
        let end = end_of(shops, requirement).min(now.plus(Millis::from_minutes(10)));
        assert!(now < given.submit_by, "R3: what was read does not hold any more");
        assert_eq!(given.submit_by, end);
        let confirmed = self.confirmed.as_ref().map(|(digest, _)| *digest);
        match &given.basis {
            Basis::UserConfirmation { digest } => {
                assert!(created.mandate.is_none());
                assert_eq!(Some(*digest), confirmed);
            }
            Basis::Mandate { mandate, reservation, confirmation } => {
                assert_eq!(created.mandate.as_ref().map(|of| &of.mandate), Some(mandate));
                let hold = self.holds.last().unwrap();
                assert_eq!(hold.budget.reservation, *reservation);
                assert!(hold.is_held && !hold.has_lapsed && hold.ended == 0);
                assert_eq!(*confirmation, confirmed);
            }
        }
        assert_eq!(self.authorized.replace(given.clone()), None, "R4: authorized twice");
    }

    pub(super) fn owes(&mut self, effect: &Effect) {
        match effect {
            Effect::Reserve { budget, .. } => {
                let hold = self.hold(&budget.reservation);
                assert_eq!(hold.budget, *budget);
                hold.reserved += 1;
                assert_eq!(hold.reserved, 1);
            }
            Effect::Commit { reservation, amount, .. } => {
                let paid = self.is_verified || self.is_abandoned;
                let gross = self.authorized.as_ref().map_or(BaseUnits(0), |given| given.gross);
                assert!(paid && *amount == gross, "R8: committed without a payment");
                self.ends(reservation);
            }
            Effect::Release { reservation, .. } => {
                let may = self.authorized.is_none() || self.is_absent || self.is_failed();
                assert!(may, "R8: given back while a payment may be on its way");
                self.ends(reservation);
            }
            _ => {}
        }
    }

    /// The chain says that the one payment can never arrive.
    fn is_failed(&self) -> bool {
        self.paid.is_some() && !self.is_verified && !self.is_abandoned
    }

    fn ends(&mut self, reservation: &Digest) {
        let hold = self.hold(reservation);
        hold.ended += 1;
        assert_eq!(hold.ended, 1, "R8: a hold ends once");
    }

    pub(super) fn agrees_with(&self, shown: &View) {
        assert_eq!(shown.authorization, self.authorized);
        assert_eq!(shown.payment, self.paid);
        assert_eq!(shown.settlement.is_some(), self.is_verified);
        assert_eq!(shown.confirmation, self.asked);
        assert_eq!(shown.requirement.as_ref(), self.funds.as_ref().map(|(_, requirement)| requirement));
    }

    pub(super) fn rests(&self, is_over: bool, _: &View) {
        for hold in &self.holds {
            let is_last = core::ptr::eq(hold, self.holds.last().unwrap());
            assert_eq!(hold.reserved, 1, "asked for and never sent");
            if hold.is_held && (is_over || !is_last) && !hold.has_lapsed {
                assert_eq!(hold.ended, 1, "R8: a hold that never ends: {hold:?}");
            }
        }
    }
}

/// When the first of quote, target and off-ramp's word ends.
fn end_of(shops: &Shops, requirement: &Requirement) -> UnixMillis {
    let quote = shops.checkout.as_ref().unwrap().captured_at.plus(limits::QUOTE_AGE);
    let pix = shops.pix.as_ref().and_then(|target| target.expires_at);
    quote.min(pix.unwrap_or(quote)).min(requirement.expires_at)
}

/// Whether balances are enough: privately at once, with the public ones after shielding, or not at all.
fn assessed(balances: &Balances, gross: BaseUnits) -> Assessment {
    let of = |part: Option<BaseUnits>| part.map_or(0, |units| units.0);
    let (public, shielded) = (of(balances.public), of(balances.shielded));
    if shielded >= gross.0 {
        return Assessment::Ready;
    }
    if public + shielded >= gross.0 {
        return Assessment::ShieldRequired { missing: BaseUnits(gross.0 - shielded) };
    }
    Assessment::Insufficient { missing: BaseUnits(gross.0 - public - shielded) }
}
