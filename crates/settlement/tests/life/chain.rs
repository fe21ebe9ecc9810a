//! A chain of blocks, as far as one authorization can tell: a pool of transactions, blocks, and branches that lose.

use primitives::UnixMillis;
use settlement::{Inclusion, Look, Sighting, Tier, Window};

use crate::cast::{self, START, WINDOW};

/// How many blocks above it make a block safe, and final.
const SAFE: usize = 2;
const FINAL: usize = 4;

/// What a transaction tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The call that makes the transfer.
    Transfer,
    /// To make the authorization unusable.
    Cancel,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Transaction {
    hash: String,
    aim: Aim,
    /// Whether it is the relayer's: of these only one can be mined, because they have the same nonce.
    sender: Sender,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sender {
    Relayer,
    Stranger,
}

#[derive(Debug, Clone)]
struct Block {
    hash: String,
    time: UnixMillis,
    /// What was mined in it, and whether it did what it tried.
    mined: Vec<(Transaction, bool)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Chain {
    blocks: Vec<Block>,
    pool: Vec<Transaction>,
    /// Below this height nothing is undone.
    finalized: usize,
    branch: u8,
    /// Whether the payer lacks the money at the moment, so that a transfer moves nothing.
    pub(crate) payer_is_broke: bool,
}

impl Default for Chain {
    fn default() -> Self {
        let mut chain =
            Self { blocks: Vec::new(), pool: Vec::new(), finalized: 0, branch: b'a', payer_is_broke: false };
        for _ in 0..=FINAL {
            chain.mine(0, START);
        }
        chain
    }
}

impl Chain {
    /// Takes a transaction into the pool, unless it is there or is mined.
    pub(crate) fn broadcast(&mut self, hash: &str, aim: Aim, sender: Sender) {
        let transaction = Transaction { hash: hash.to_owned(), aim, sender };
        let is_mined = self.mined().any(|(_, mined, _)| {
            mined.hash == transaction.hash || (sender == Sender::Relayer && mined.sender == sender)
        });
        if !is_mined && !self.pool.contains(&transaction) {
            self.pool.push(transaction);
        }
    }

    /// A block with those transactions of the pool that `chosen` has a bit for.
    pub(crate) fn mine(&mut self, chosen: u8, time: UnixMillis) {
        let time = self.blocks.last().map_or(time, |last| last.time.max(time));
        let hash = format!("{}{}", char::from(self.branch), self.blocks.len());
        let mut block = Block { hash, time, mined: Vec::new() };
        let mut is_used = self.used().is_some();
        for (place, transaction) in core::mem::take(&mut self.pool).into_iter().enumerate() {
            let is_outdone = transaction.sender == Sender::Relayer
                && block.mined.iter().any(|(other, _)| other.sender == Sender::Relayer);
            if is_outdone {
                continue;
            }
            if chosen & (1 << (place % 8)) == 0 {
                self.pool.push(transaction);
                continue;
            }
            let works = !is_used
                && match transaction.aim {
                    Aim::Transfer => time < START.plus(WINDOW) && !self.payer_is_broke,
                    Aim::Cancel => true,
                };
            is_used |= works;
            block.mined.push((transaction, works));
        }
        self.blocks.push(block);
        self.finalized = self.finalized.max(self.blocks.len().saturating_sub(FINAL));
    }

    /// The last `depth` blocks leave the chain, as far as they are not final; their transactions return to the pool if
    /// `returns`, and are forgotten otherwise.
    pub(crate) fn reorganise(&mut self, depth: usize, returns: Return) {
        self.branch += 1;
        for _ in 0..depth {
            if self.blocks.len() > self.finalized
                && let Some(block) = self.blocks.pop()
                && returns == Return::ToThePool
            {
                self.pool.extend(block.mined.into_iter().map(|(transaction, _)| transaction));
            }
        }
    }

    /// Full pools forget.
    pub(crate) fn forget_pool(&mut self) {
        self.pool.clear();
    }

    fn mined(&self) -> impl Iterator<Item = (usize, &Transaction, bool)> {
        self.blocks.iter().enumerate().flat_map(|(number, block)| {
            block.mined.iter().map(move |(transaction, works)| (number, transaction, *works))
        })
    }

    fn used(&self) -> Option<(usize, &Transaction)> {
        self.mined().find(|(_, _, works)| *works).map(|(number, transaction, _)| (number, transaction))
    }

    fn tier(&self, number: usize) -> Tier {
        if number < self.finalized {
            Tier::Final
        } else if number + SAFE < self.blocks.len() {
            Tier::Safe
        } else {
            Tier::Included
        }
    }

    /// Where the transfer stands, and how firmly.
    pub(crate) fn transfer(&self) -> Option<(Inclusion, Tier)> {
        let (number, transaction) = self.used().filter(|(_, by)| by.aim == Aim::Transfer)?;
        let inclusion = Inclusion {
            transaction: transaction.hash.clone(),
            block_number: u64::try_from(number).unwrap(),
            block_hash: self.blocks[number].hash.clone(),
        };
        Some((inclusion, self.tier(number)))
    }

    /// Whether no chain that can still come holds the transfer.
    pub(crate) fn never_transfers(&self) -> bool {
        let last_final = &self.blocks[self.finalized - 1];
        match self.used() {
            Some((number, by)) if number < self.finalized => by.aim == Aim::Cancel,
            Some(_) | None => last_final.time >= START.plus(WINDOW),
        }
    }

    pub(crate) fn is_mined(&self, hash: &str) -> bool {
        self.mined().any(|(_, transaction, _)| transaction.hash == hash)
    }

    /// What a look sees; sends the call again where the look asks for that.
    pub(crate) fn see(&mut self, look: &Look) -> Sighting {
        if let Some((inclusion, tier)) = self.transfer() {
            return Sighting::Transferred { inclusion, tier };
        }
        if let Some((number, by)) = self.used() {
            return Sighting::UsedOtherwise { transaction: by.hash.clone(), tier: self.tier(number) };
        }
        let mined = look.transactions.iter().find(|hash| self.is_mined(hash)).cloned();
        let is_closed = self.blocks[self.finalized - 1].time >= look.terms.valid_before;
        if let (None, Some(raw)) = (&mined, &look.raw) {
            let hash = raw.0.strip_suffix("02f8").unwrap().to_owned();
            self.broadcast(&hash, Aim::Transfer, Sender::Relayer);
        }
        let window = if is_closed { Window::Closed } else { Window::Open };
        cast::unused(mined.as_deref(), window)
    }
}

/// What becomes of the transactions of a block that left the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    ToThePool,
    Nowhere,
}
