//! Money in and out, ceilings, and frozen accounts.

use alloy_primitives::{Address, B256, U256};
use mandate::{AMOUNT_MAX, Ceiling, UnixSeconds};
use primitives::BaseUnits;

use super::Player;
use crate::{Action, Actor, Authorization, Dice, Signed};

impl Player {
    pub(super) fn first_fund(&mut self, dice: &mut Dice, at: u64, mandate: B256) -> (Actor, u64, Action) {
        let amount = BaseUnits(dice.of(&[150, 300, 800, 2_000]));
        let owners = [Actor::Owner, Actor::OwnerWallet];
        (dice.of(&owners), at, Action::Fund { mandate, amount })
    }

    pub(super) fn funds(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        match dice.below(8) {
            0 => {
                let (mandate, amount) = self.funding(dice);
                (self.mostly(dice, self.address(Actor::Owner)), at, Action::Fund { mandate, amount })
            }
            1 => {
                let (mandate, amount) = self.funding(dice);
                (dice.of(&Actor::ALL), at, Action::FundWithPermit { mandate, amount })
            }
            2..4 => self.fund_with_authorization(dice, at),
            _ => self.withdraw(dice, at),
        }
    }

    fn funding(&mut self, dice: &mut Dice) -> (B256, BaseUnits) {
        let of = self.some_mandate(dice);
        let room = AMOUNT_MAX.0 - of.funds.balance.0;
        let amount = dice.weighted(&[(2, 0), (3, 1), (6, 200), (6, 1_000), (2, room), (2, room + 1)]);
        (of.id, BaseUnits(amount))
    }

    fn fund_with_authorization(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let (mandate, amount) = self.funding(dice);
        let from = dice.of(&[Actor::Owner, Actor::OwnerWallet, Actor::Stranger]);
        let owner = self.book.mandates.get(&mandate).map_or(Address::ZERO, |of| of.owner);
        let key = from.key_holder();
        let authorization = Authorization {
            owner,
            from,
            amount,
            valid_after: UnixSeconds(at - dice.weighted(&[(9, 1), (1, 0)])),
            valid_before: UnixSeconds(at + dice.weighted(&[(9, 1), (1, 0)])),
            // Few, so that some are used twice.
            salt: B256::from(U256::from(dice.below(6))),
            signed: dice.weighted(&[
                (9, Signed::Well(key)),
                (1, Signed::Well(Actor::Rival)),
                (1, Signed::HighS(key)),
                (1, Signed::OfAnother(key)),
                (1, Signed::Short(key)),
            ]),
        };
        (dice.of(&Actor::ALL), at, Action::FundWithAuthorization { mandate, authorization })
    }

    fn withdraw(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let of = self.some_mandate(dice);
        let available = of.funds.available().0;
        let edge = dice.weighted(&[(3, available), (4, available / 4), (1, 0), (1, of.funds.balance.0)]);
        let to = self.payee(dice, of.owner);
        let action = Action::Withdraw { mandate: of.id, amount: BaseUnits(dice.around(edge)), to };
        (self.mostly(dice, of.owner), at, action)
    }

    pub(super) fn withdraw_credit(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let all: Vec<_> = self.book.credits.iter().map(|(key, credit)| (*key, *credit)).collect();
        let (key, credit) = dice.of(&all);
        let edge = dice.of(&[credit.withdrawn.0, credit.earned.0, credit.earned.0]);
        let (by, signed) = self.speaker(dice, key.recipient);
        let to = self.payee(dice, key.owner);
        let total = BaseUnits(dice.around(edge));
        (by, at, Action::WithdrawCredit { credit: key, to, total, signed })
    }

    /// Where money goes: mostly to someone, seldom to where no money can go.
    fn payee(&self, dice: &mut Dice, owner: Address) -> Address {
        let vault = self.book.sites.vault(owner);
        let anyone = self.address(dice.of(&Actor::ALL));
        dice.weighted(&[(16, anyone), (1, vault), (1, Address::ZERO)])
    }

    pub(super) fn ceiling(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let of = self.some_mandate(dice);
        let ceiling = self.book.ceiling_of(&of);
        let (current, spent) = match ceiling {
            Ceiling::Unset => (AMOUNT_MAX.0, of.spent.seen_at(UnixSeconds(at)).day_sum.0),
            Ceiling::Set(caps) => (caps.cap_at(UnixSeconds(at)).0, caps.spent_at(UnixSeconds(at)).0),
        };
        let edge = dice.weighted(&[(3, current), (3, spent), (6, 120), (4, 300), (1, 0)]);
        let day_cap = BaseUnits(dice.around(edge).min(AMOUNT_MAX.0));
        (self.actor(of.owner), at, Action::SetCeiling { agent: of.agent, token: of.token, day_cap })
    }

    pub(super) fn freeze(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let frozen: Vec<_> = self.book.frozen.iter().copied().collect();
        if !frozen.is_empty() && dice.chance(60) {
            return (Actor::Stranger, at, Action::Unfreeze(dice.of(&frozen)));
        }
        let vault = self.book.sites.vault(self.address(Actor::Owner));
        let account = dice.weighted(&[
            (6, self.address(Actor::Provider)),
            (3, self.address(Actor::Rival)),
            (1, vault),
            (1, self.address(Actor::Owner)),
        ]);
        (Actor::Stranger, at, Action::Freeze(account))
    }
}
