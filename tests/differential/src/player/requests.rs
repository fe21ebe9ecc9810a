//! Requests at the edges of the rules: good ones whose amount is what the tightest rule leaves, and ones with a fault.

use alloy_primitives::{Address, B256, U256};
use mandate::{AMOUNT_MAX, Mandate, Request, State, UnixSeconds};
use primitives::BaseUnits;

use super::Player;
use super::policies::service;
use crate::{Action, Actor, Approval, Batch, Dice, Item, Signed, sealed};

const HOUR: u64 = 3_600;
const DAY: u64 = 86_400;
/// How many faults there are to choose from.
const FAULTS: u64 = 17;

impl Player {
    pub(super) fn authorize(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let item = self.item(dice, at);
        self.items.push(item);
        self.ask(dice, at, item)
    }

    /// Asks for what was cancelled a moment ago, which is where another fault may be found first.
    pub(super) fn ask_again(&self, dice: &mut Dice, mut item: Item) -> (Actor, u64, Action) {
        if dice.chance(50) {
            item.approval.signed = Signed::Nothing;
        }
        self.ask(dice, self.now, item)
    }

    fn ask(&self, dice: &mut Dice, at: u64, item: Item) -> (Actor, u64, Action) {
        let agent = self.agent_of(&item);
        let by = match item.agent {
            Signed::Nothing if dice.chance(80) => agent,
            _ => dice.weighted(&[(8, Actor::Stranger), (1, agent), (1, Actor::Owner)]),
        };
        (by, at, Action::Authorize(item))
    }

    pub(super) fn batch(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let length = dice.weighted(&[(1, 0), (12, 3), (6, 5), (2, 16), (1, 17)]);
        let items: Vec<_> = (0..length).map(|_| self.item(dice, at)).collect();
        self.items.extend(&items);
        let by = dice.of(&[Actor::Agent, Actor::Stranger]);
        let mode = dice.of(&[Batch::EachAlone, Batch::EachAlone, Batch::AllOrNothing]);
        (by, at, Action::AuthorizeBatch { items, mode })
    }

    /// One that was asked for before.
    pub(super) fn some_item(&self, dice: &mut Dice) -> Option<Item> {
        let last = self.items.last()?;
        Some(if dice.chance(40) { *last } else { dice.of(&self.items) })
    }

    /// Something to authorize, with its signatures.
    pub(super) fn item(&mut self, dice: &mut Dice, at: u64) -> Item {
        if dice.chance(8)
            && let Some(item) = self.some_item(dice)
        {
            return item;
        }
        let of = self.some_mandate(dice);
        let mut request = self.request(dice, at, &of);
        let mut approver = of.owner;
        let mut approval_ends = at + dice.of(&[1, 60, DAY]);
        if dice.chance(30) {
            let fault = dice.below(FAULTS);
            self.spoil(dice, at, &mut request, fault);
            // Two faults that are found one after the other show in which order.
            if dice.chance(35) {
                let next = fault + 1 + dice.below(2);
                self.spoil(dice, at, &mut request, next);
            }
        }
        let (mut agent, mut approval) = self.signatures(dice, &of, &request);
        if dice.chance(6) {
            agent = self.spoilt(dice, self.actor(of.agent));
        }
        if dice.chance(12) {
            match dice.below(4) {
                0 => approval = Signed::Nothing,
                1 => approval = self.spoilt(dice, self.actor(of.owner)),
                2 => approver = self.address(dice.of(&Actor::ALL)),
                _ => {
                    approval_ends = dice.near(at);
                    if dice.chance(40) {
                        approval = self.spoilt(dice, self.actor(of.owner));
                    }
                }
            }
        }
        let valid_before = UnixSeconds(approval_ends);
        let order = sealed(request);
        Item { order, agent, approval: Approval { approver, valid_before, signed: approval } }
    }

    /// What was asked for last, if it was cancelled.
    pub(super) fn just_cancelled(&self) -> Option<Item> {
        let item = *self.items.last()?;
        let of = self.book.mandates.get(&item.order.mandate)?;
        (of.state_of(item.order.payment) == State::Cancelled).then_some(item)
    }

    fn agent_of(&self, item: &Item) -> Actor {
        let of = self.book.mandates.get(&item.order.mandate);
        of.map_or(Actor::Agent, |of| self.actor(of.agent))
    }

    /// Good signatures: the agent's unless it calls itself, and the owner's where it is needed and now and then elsewhere.
    fn signatures(&self, dice: &mut Dice, of: &Mandate, request: &Request) -> (Signed, Signed) {
        let key = self.actor(of.agent).key_holder();
        let agent = if dice.chance(25) { Signed::Nothing } else { Signed::Well(key) };
        let is_needed = request.max_amount > of.policy.approval_above;
        let key = self.actor(of.owner).key_holder();
        let approval = if is_needed || dice.chance(10) { Signed::Well(key) } else { Signed::Nothing };
        (agent, approval)
    }

    fn spoilt(&self, dice: &mut Dice, signer: Actor) -> Signed {
        let key = signer.key_holder();
        let anyone = dice.of(&Actor::ALL).key_holder();
        dice.of(&[Signed::HighS(key), Signed::OfAnother(key), Signed::Short(key), Signed::Well(anyone)])
    }

    fn request(&mut self, dice: &mut Dice, at: u64, of: &Mandate) -> Request {
        let (recipient, service) = self.payee_and_service(dice, of);
        let terms = of.policy.terms;
        let deliver_by = at + dice.weighted(&[(1, 1), (4, HOUR), (6, DAY), (8, 20 * DAY)]);
        let challenge_ends = deliver_by + u64::from(terms.challenge_period);
        let capture_by = challenge_ends + dice.of(&[1, 2, HOUR, 5 * DAY]);
        Request {
            payment: B256::ZERO,
            mandate: of.id,
            policy_version: of.policy_version,
            request_id: B256::from(U256::from(self.unique())),
            token: of.token,
            max_amount: BaseUnits(self.amount(dice, at, of, recipient, service)),
            job_hash: B256::from(U256::from(dice.below(9))),
            recipient,
            service,
            valid_after: UnixSeconds(at - dice.of(&[0, 1, HOUR])),
            valid_before: UnixSeconds(at + dice.of(&[1, 2, HOUR, DAY])),
            deliver_by: UnixSeconds(deliver_by),
            capture_by: UnixSeconds(capture_by),
            refund_by: UnixSeconds(capture_by + dice.of(&[0, 1, DAY, 20 * DAY])),
            terms,
        }
    }

    /// Mostly whom and what an entry names, with anything in place of a wildcard.
    fn payee_and_service(&self, dice: &mut Dice, of: &Mandate) -> (Address, B256) {
        let payees = [Actor::Provider, Actor::Rival, Actor::OwnerWallet].map(|actor| self.address(actor));
        let services = [service(1), service(2), service(3)];
        let keys: Vec<_> = of.entries.keys().copied().collect();
        if keys.is_empty() || dice.chance(15) {
            return (dice.of(&payees), dice.of(&services));
        }
        let key = dice.of(&keys);
        let recipient = if key.recipient.is_zero() { dice.of(&payees) } else { key.recipient };
        let service = if key.service.is_zero() { dice.of(&services) } else { key.service };
        (recipient, service)
    }

    /// Mostly what the tightest rule leaves or one beside it, else what another rule leaves, or little.
    fn amount(&self, dice: &mut Dice, at: u64, of: &Mandate, recipient: Address, service: B256) -> u128 {
        let left = of.remaining(recipient, service, UnixSeconds(at), &self.book.ceiling_of(of));
        let mut caps = vec![
            left.available.0,
            left.per_payment.0,
            left.today.0,
            left.this_month.0,
            left.lifetime.0,
            left.entry_per_payment.0,
            left.entry_window.0,
        ];
        caps.extend(left.ceiling.map(|ceiling| ceiling.0));
        let tightest = caps.iter().copied().min().unwrap_or_default();
        match dice.below(100) {
            0..38 => dice.around(tightest),
            38..68 => (u128::from(dice.below(60)) * tightest / 100).max(1),
            68..80 => {
                let cap = dice.of(&caps);
                dice.around(cap)
            }
            80..94 => dice.around(of.policy.approval_above.0),
            _ => dice.of(&[1, AMOUNT_MAX.0, AMOUNT_MAX.0 + 1, u128::MAX]),
        }
    }

    fn spoil(&mut self, dice: &mut Dice, at: u64, request: &mut Request, fault: u64) {
        let challenge_ends = request.deliver_by.0 + u64::from(request.terms.challenge_period);
        let terms = &mut request.terms;
        match fault {
            0 => request.mandate = B256::from(U256::from(self.unique())),
            1 => request.policy_version = request.policy_version.wrapping_add(1),
            2 => request.policy_version = request.policy_version.saturating_sub(1),
            3 => request.token = dice.of(&[self.book.sites.deaf, self.book.sites.dollar, Address::ZERO]),
            4 => request.valid_after = UnixSeconds(at + dice.below(3)),
            5 => request.valid_before = UnixSeconds(dice.near(at)),
            6 => request.deliver_by = UnixSeconds(dice.near(at)),
            7 => request.capture_by = UnixSeconds(dice.near(challenge_ends)),
            8 => request.refund_by = UnixSeconds(dice.near(request.capture_by.0)),
            9 => terms.challenge_period = terms.challenge_period.saturating_sub(1),
            10 => terms.resolution_timeout = terms.resolution_timeout.saturating_sub(1),
            11 => terms.silence_bps ^= 1,
            12 => terms.resolver = self.address(Actor::Rival),
            13 => {
                request.recipient = dice.of(&[Address::ZERO, self.address(Actor::Stranger), terms.resolver])
            }
            14 => request.service = dice.of(&[B256::ZERO, service(9)]),
            15 => request.max_amount = dice.of(&[BaseUnits(0), BaseUnits(u128::MAX)]),
            _ => request.request_id = B256::ZERO,
        }
    }
}
