//! Chooses the next step from what the model knows of the present: amounts and times at the edges of whatever rule binds,
//! parties that may and that may not, and things done twice, too early, too late or never allowed.

mod escrow;
mod funds;
mod moments;
mod policies;
mod requests;

use alloy_primitives::{Address, B256, U256};
use mandate::{Amendment, Mandate, Status, UnixSeconds};

use crate::{Action, Actor, Book, Dice, Item, Sites, Step};

/// The model, and what was done so far that can be done again.
pub struct Player {
    /// The model.
    pub book: Book,
    now: u64,
    serial: u64,
    items: Vec<Item>,
    amendments: Vec<(B256, Amendment)>,
}

/// What kind of step comes next.
#[derive(Clone, Copy)]
enum Kind {
    Authorize,
    Batch,
    Escrow,
    CancelRequest,
    Amend,
    Rule,
    Ceiling,
    Funds,
    Freeze,
    Create,
    Delegate,
}

const KINDS: [(u64, Kind); 11] = [
    (42, Kind::Authorize),
    (4, Kind::Batch),
    (26, Kind::Escrow),
    (4, Kind::CancelRequest),
    (8, Kind::Amend),
    (3, Kind::Rule),
    (3, Kind::Ceiling),
    (7, Kind::Funds),
    (3, Kind::Freeze),
    (3, Kind::Create),
    (1, Kind::Delegate),
];

impl Player {
    /// A player in a new world at a time in Unix seconds.
    pub fn new(sites: Sites, now: u64) -> Self {
        Self { book: Book::new(sites), now, serial: 0, items: Vec::new(), amendments: Vec::new() }
    }

    /// The next step. Time never goes back.
    pub fn next(&mut self, dice: &mut Dice) -> Step {
        let at = self.moment(dice);
        let (by, at, action) = self.choose(dice, at);
        self.now = at;
        Step { at: UnixSeconds(at), by, action }
    }

    fn choose(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        if self.book.mandates.is_empty() {
            return self.first_create(dice, at);
        }
        let dollar = self.book.sites.dollar;
        let is_empty =
            |of: &&Mandate| of.token == dollar && of.funds.balance.0 == 0 && of.lifetime_spent.0 == 0;
        if let Some(of) = self.book.mandates.values().find(is_empty)
            && dice.chance(60)
        {
            return self.first_fund(dice, at, of.id);
        }
        let is_paused = |of: &Mandate| of.status == Status::Paused;
        if self.book.mandates.values().any(is_paused) && dice.chance(12) {
            return self.rule(dice, at);
        }
        if let Some(item) = self.just_cancelled()
            && dice.chance(40)
        {
            return self.ask_again(dice, item);
        }
        if !self.book.credits.is_empty() && dice.chance(6) {
            return self.withdraw_credit(dice, at);
        }
        match dice.weighted(&KINDS) {
            Kind::Authorize => self.authorize(dice, at),
            Kind::Batch => self.batch(dice, at),
            Kind::Escrow => self.escrow(dice, at),
            Kind::CancelRequest => self.cancel_request(dice, at),
            Kind::Amend => self.amend(dice, at),
            Kind::Rule => self.rule(dice, at),
            Kind::Ceiling => self.ceiling(dice, at),
            Kind::Funds => self.funds(dice, at),
            Kind::Freeze => self.freeze(dice, at),
            Kind::Create => self.create(dice, at),
            Kind::Delegate => (Actor::Stranger, at, Action::Delegate(dice.of(&[Actor::Agent, Actor::Owner]))),
        }
    }

    fn address(&self, actor: Actor) -> Address {
        self.book.sites.cast.address(actor)
    }

    /// The actor at an address; the stranger where there is none.
    fn actor(&self, address: Address) -> Actor {
        self.book.sites.cast.actor(address).unwrap_or(Actor::Stranger)
    }

    /// A mandate that exists, and seldom one that does not.
    fn some_mandate(&mut self, dice: &mut Dice) -> Mandate {
        let all: Vec<_> = self.book.mandates.values().cloned().collect();
        let live: Vec<_> = all.iter().filter(|of| of.status != Status::Revoked).cloned().collect();
        let from = if live.is_empty() || dice.chance(8) { all } else { live };
        let mut of = dice.of(&from);
        if dice.chance(2) {
            of.id = B256::from(U256::from(self.unique()));
        }
        of
    }

    /// Mostly this party, else anyone.
    fn mostly(&self, dice: &mut Dice, party: Address) -> Actor {
        if dice.chance(85) { self.actor(party) } else { dice.of(&Actor::ALL) }
    }

    fn unique(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}
