//! A chain that does what it likes: it drops what it was sent, mines any transaction under a nonce, lets a stranger use
//! the key, serves its count from a node that lags and its receipts late, and takes back what it has mined.

use std::collections::BTreeMap;

use primitives::UnixMillis;
use relayer::{Bytes, Fees, Fixed, Hash, Observation, Purpose, Receipt, Verdict};

use crate::cast;

/// Who signed a transaction, and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Ours(Purpose),
    Strange,
}

#[derive(Debug, Clone)]
pub(crate) struct Transaction {
    pub(crate) nonce: u64,
    act: Act,
    max_fee: u128,
    hash: Hash,
}

/// Whether the chain tells of what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receipts {
    Served,
    Withheld,
}

/// What becomes of transactions whose block is taken back.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Orphans {
    Pending,
    Forgotten,
}

/// One account's part of a chain.
#[derive(Debug)]
pub(crate) struct Chain {
    /// The account's count when the story begins.
    start: u64,
    /// What was mined since, by nonce.
    mined: Vec<(Transaction, Verdict)>,
    pool: Vec<Transaction>,
    pub(crate) base_fee: u128,
    pub(crate) receipts: Receipts,
    /// How many transactions the node that answers with the count is behind.
    pub(crate) lag: u64,
    /// The end of each job's authorization.
    windows: BTreeMap<String, UnixMillis>,
}

impl Chain {
    pub(crate) fn new(start: u64) -> Self {
        let (mined, pool, windows) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { start, mined, pool, base_fee: 10, receipts: Receipts::Served, lag: 0, windows }
    }

    fn next(&self) -> u64 {
        self.start + self.mined.len() as u64
    }

    /// Lets the job be executed before `end`.
    pub(crate) fn authorize(&mut self, id: &str, end: UnixMillis) {
        self.windows.insert(id.to_owned(), end);
    }

    /// Takes signed bytes, as every node would that knows neither them nor better ones.
    pub(crate) fn send(&mut self, raw: &Bytes) {
        let (nonce, input, fees): (u64, Option<Bytes>, Fees) = serde_json::from_slice(&raw.0).unwrap();
        let job = input.map(|input| Purpose::Job(String::from_utf8(input.0).unwrap()));
        let act = Act::Ours(job.unwrap_or(Purpose::Void));
        let hash = Fixed(primitives::Digest::of(&[&raw.0]).0);
        if nonce >= self.next() && self.pool.iter().all(|known| known.hash != hash) {
            self.pool.push(Transaction { nonce, act, max_fee: fees.max_fee.0, hash });
        }
    }

    /// A stranger's transaction under the next nonce waits to be mined.
    pub(crate) fn intrude(&mut self) {
        let (nonce, hash) = (self.next(), Fixed([0x5a; 32]));
        self.pool.push(Transaction { nonce, act: Act::Strange, max_fee: u128::MAX, hash });
    }

    /// Forgets a pending transaction, if there is one.
    pub(crate) fn forget(&mut self, pick: usize) {
        if !self.pool.is_empty() {
            self.pool.remove(pick % self.pool.len());
        }
    }

    /// Mines one of the transactions under the next nonce that pay enough. Whether there was one.
    pub(crate) fn mine(&mut self, pick: usize, now: UnixMillis) -> bool {
        let next = self.next();
        let can = |it: &&Transaction| it.nonce == next && it.max_fee >= self.base_fee;
        let able: Vec<&Transaction> = self.pool.iter().filter(can).collect();
        if able.is_empty() {
            return false;
        }
        let transaction = able[pick % able.len()].clone();
        let verdict = match &transaction.act {
            Act::Ours(Purpose::Job(id)) if self.executed(id) || now >= self.windows[id] => Verdict::Reverted,
            Act::Ours(_) | Act::Strange => Verdict::Succeeded,
        };
        self.pool.retain(|other| other.nonce != next);
        self.mined.push((transaction, verdict));
        true
    }

    /// Takes the last transactions back.
    pub(crate) fn reorganize(&mut self, depth: usize, orphans: Orphans) {
        for _ in 0..depth.min(self.mined.len()) {
            let (transaction, _) = self.mined.pop().unwrap();
            match orphans {
                Orphans::Pending => self.pool.push(transaction),
                Orphans::Forgotten => {}
            }
        }
    }

    /// Whether the job was executed with success.
    pub(crate) fn executed(&self, id: &str) -> bool {
        self.mined.iter().any(|(transaction, verdict)| {
            *verdict == Verdict::Succeeded && transaction.act == Act::Ours(Purpose::Job(id.to_owned()))
        })
    }

    /// Whether the chain holds the transaction, with this verdict, for this job.
    pub(crate) fn holds(&self, receipt: &Receipt, id: &str) -> bool {
        self.mined.iter().any(|(transaction, verdict)| {
            let is_it = transaction.hash == receipt.hash && *verdict == receipt.verdict;
            is_it && transaction.act == Act::Ours(Purpose::Job(id.to_owned()))
        })
    }

    /// The count first, then the receipts of `hashes`.
    pub(crate) fn answer(&self, hashes: &[Hash]) -> Observation {
        let mined_nonce = self.next().saturating_sub(self.lag).max(self.start);
        let asked = self.mined.iter().filter(|(transaction, _)| hashes.contains(&transaction.hash));
        let receipts = match self.receipts {
            Receipts::Served => {
                asked.map(|(transaction, verdict)| cast::receipt(transaction.hash, *verdict)).collect()
            }
            Receipts::Withheld => Vec::new(),
        };
        Observation { mined_nonce, receipts }
    }
}
