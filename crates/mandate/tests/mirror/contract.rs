//! A contract on a chain whose blocks can leave it, made of the model's own functions with all their guards: the other side
//! that a mirror must come to agree with.

use std::collections::BTreeMap;

use alloy_primitives::{B256, U256};
use mandate::mirror::{Block, Call, Command, News, Told};
use mandate::*;
use primitives::UnixMillis;

use crate::cast::*;

/// What stands after one block.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) block: Block,
    pub(crate) told: Vec<Told>,
    pub(crate) mandate: Option<Mandate>,
    pub(crate) ceiling: Ceiling,
    requests: BTreeMap<B256, Request>,
}

/// The chain.
#[derive(Debug, Clone)]
pub(crate) struct Contract {
    /// The blocks that stand. The first is final.
    pub(crate) nodes: Vec<Node>,
    /// The place of the newest final one.
    pub(crate) sealed: usize,
    branch: u8,
    /// The block before each that ever was.
    parents: BTreeMap<B256, Block>,
}

/// What the owner or anyone does with the mandate itself.
pub(crate) const CHANGES: usize = 13;
/// What is done with one payment; above that, whatever brings it forward.
pub(crate) const ACTS: usize = 11;

impl Default for Contract {
    fn default() -> Self {
        let block = block_of(99, 0, START);
        let node = Node {
            block,
            told: Vec::new(),
            mandate: None,
            ceiling: Ceiling::Unset,
            requests: BTreeMap::new(),
        };
        Self { nodes: vec![node], sealed: 0, branch: 0, parents: BTreeMap::new() }
    }
}

impl Contract {
    pub(crate) fn head(&self) -> &Node {
        self.nodes.last().unwrap()
    }

    pub(crate) fn node(&self, block: Block) -> Option<&Node> {
        self.nodes.iter().find(|node| node.block == block)
    }

    /// One more block, with what `act` says if the contract takes it.
    pub(crate) fn mine(
        &mut self,
        now: UnixMillis,
        act: impl FnOnce(&mut Node, UnixSeconds) -> Option<Vec<News>>,
    ) {
        let head = self.head().clone();
        let moment = now.max(UnixMillis(head.block.at.0 * 1_000));
        let block = block_of(head.block.number + 1, self.branch, moment);
        let mut node = Node { block, told: Vec::new(), ..head.clone() };
        match act(&mut node, block.at) {
            Some(news) => node.told = in_block(block, news),
            None => node = Node { block, told: Vec::new(), ..head.clone() },
        }
        self.parents.insert(block.hash, head.block);
        self.nodes.push(node);
    }

    pub(crate) fn create(&mut self, now: UnixMillis) {
        self.mine(now, |node, at| {
            node.mandate = Mandate::create(None, creation(), Token::Answers, at).ok();
            Some(Vec::new())
        });
    }

    /// Takes so many blocks from the chain, as far as they are not final.
    pub(crate) fn reorganize(&mut self, depth: usize) {
        let stay = self.nodes.len().saturating_sub(depth).max(self.sealed + 1);
        self.nodes.truncate(stay);
        self.branch = self.branch.wrapping_add(1);
    }

    pub(crate) fn seal(&mut self, behind: usize) {
        self.sealed = self.sealed.max(self.nodes.len().saturating_sub(1 + behind));
    }

    /// What a port tells a mirror that stands at `tip`: at most `most` blocks.
    pub(crate) fn observation(&self, tip: Block, most: usize) -> Command {
        let mut after = tip;
        while self.node(after).is_none() {
            after = self.parents[&after.hash];
        }
        let from = self.nodes.iter().position(|node| node.block == after).unwrap();
        let to = if after == tip { (from + most).min(self.nodes.len() - 1) } else { self.nodes.len() - 1 };
        let told = self.nodes[from + 1..=to].iter().flat_map(|node| node.told.clone()).collect();
        let (to, sealed) = (self.nodes[to].block, self.nodes[self.sealed].block);
        let observation = Box::new(mandate::mirror::Observation { after, to, told, sealed });
        if after == tip { Command::Observe(observation) } else { Command::Rewind(observation) }
    }

    /// What a port tells a mirror that knows of no mandate.
    pub(crate) fn adoption(&self) -> Option<Command> {
        let node = self.nodes.iter().find(|node| node.mandate.is_some())?;
        let (creation, label) = (Box::new(creation()), "Research".to_owned());
        Some(Command::Adopt { creation, block: node.block, ceiling: node.ceiling, label })
    }
}

impl Node {
    /// A call that anyone brings.
    pub(crate) fn call(&mut self, call: &Call, at: UnixSeconds) -> Option<Vec<News>> {
        let mandate = self.mandate.as_mut()?;
        match call {
            Call::Authorize { request, approved, .. } => {
                let approval = approved.as_ref().map_or_else(SignedApproval::default, |it| it.approval);
                let agent = By { caller: STRANGER, signature: Signature::Of(AGENT) };
                let proof = Proof { agent, approval };
                mandate.authorize(request, &proof, at, &mut self.ceiling).ok()?;
                self.requests.insert(request.payment, *request);
                Some(vec![authorized(*request)])
            }
            Call::Cancel { request, .. } => {
                let by = mandate.cancel_request(request, By::caller(OWNER), at).ok()?;
                Some(vec![News::Cancelled { payment: request.payment, by }])
            }
        }
    }

    /// One of the acts, by its number, on one of the payments, by its place.
    pub(crate) fn act(
        &mut self,
        place: usize,
        act: usize,
        total: u128,
        at: UnixSeconds,
    ) -> Option<Vec<News>> {
        let (name, request) = self.requests.iter().nth(place % self.requests.len().max(1))?;
        let (payment, request, total) = (*name, *request, units(total));
        let mandate = self.mandate.as_mut()?;
        let act = if act < ACTS { act } else { onward(mandate.state_of(payment), total.0) };
        let provider = By::caller(PROVIDER);
        let moved = match act {
            0 | 1 => {
                mandate.deliver(&request, provider, at).ok()?;
                return Some(vec![News::Delivered { payment, receipt: B256::repeat_byte(0xee) }]);
            }
            2 => {
                let evidence = if total.0 < 30 { B256::ZERO } else { B256::repeat_byte(0xdd) };
                mandate.dispute(&request, evidence, By::caller(OWNER), at).ok()?;
                return Some(vec![News::Disputed { payment, evidence }]);
            }
            3 => {
                let amount = mandate.refund(&request, total, provider, at, Arrival::Whole).ok()?;
                return Some(vec![News::Refunded { payment, amount, total }]);
            }
            4 => mandate.accept(&request, By::caller(OWNER)).ok()?,
            5 => mandate.capture(&request, total, provider, at).ok()?,
            6 => mandate.claim(&request, at).ok()?,
            7 => mandate.void(&request, provider).ok()?,
            8 => mandate.resolve(&request, total, By::caller(RESOLVER), at).ok()?,
            9 => mandate.time_out(&request, at).ok()?,
            _ => mandate.expire(&request, at).ok()?,
        };
        let paid = mandate.payments[&payment].paid;
        let captured = (act == 5).then_some(News::Captured { payment, total });
        let end = News::Closed { payment, state: moved.state, paid, returned: moved.returned };
        Some(captured.into_iter().chain(moved.state.is_final().then_some(end)).collect())
    }

    /// One of the changes, by its number.
    pub(crate) fn change(&mut self, change: usize, amount: u128, at: UnixSeconds) -> Option<Vec<News>> {
        let mandate = self.mandate.as_mut()?;
        let version = mandate.policy_version;
        let day_cap = units(240 + 10 * u128::from(version % 4));
        let amended = amendment(Policy { day_cap, ..policy() }, version);
        Some(vec![match change {
            0 => match mandate.amend(&amended, OWNER, at).ok()? {
                Amended::AtOnce => News::Amended(amended),
                Amended::Scheduled { effective_at } => {
                    News::AmendmentScheduled { hash: amended.hash, effective_at }
                }
            },
            1 => {
                mandate.apply_amendment(&amended, at).ok()?;
                News::Amended(amended)
            }
            2 => {
                mandate.cancel_amendment(OWNER).ok()?;
                News::AmendmentCancelled
            }
            3 => {
                mandate.pause(OWNER).ok()?;
                News::Paused
            }
            4 | 5 => {
                mandate.unpause(OWNER).ok()?;
                News::Unpaused
            }
            6 | 7 => {
                mandate.fund(U256::from(amount * 10), Arrival::Whole).ok()?;
                funded(amount * 10)
            }
            8 => {
                mandate.withdraw(U256::from(amount), OWNER).ok()?;
                News::Withdrawn { to: OWNER, amount: units(amount) }
            }
            9 => {
                self.ceiling.set(units(150 + amount), at);
                News::CeilingSet { day_cap: units(150 + amount) }
            }
            10 => {
                if let Ceiling::Set(caps) = &mut self.ceiling {
                    caps.day_sum = units(caps.spent_at(at).0 + amount);
                    caps.day = calendar::day(at);
                }
                News::AuthorizedElsewhere { amount: units(amount) }
            }
            // Little happens after these, so they are rare.
            11 if amount < 4 => {
                mandate.revoke(OWNER).ok()?;
                News::Revoked { by: OWNER }
            }
            12 if amount < 2 => {
                mandate.renounce(AGENT).ok()?;
                News::Revoked { by: AGENT }
            }
            _ => return None,
        }])
    }
}

/// The act that brings a payment forward.
const fn onward(state: State, total: u128) -> usize {
    match state {
        State::Escrowed => 0,
        State::Delivered if total < 25 => 2,
        State::Delivered if total < 50 => 5,
        State::Delivered if total < 70 => 6,
        State::Delivered => 4,
        State::Disputed if total > 40 => 9,
        State::Disputed => 8,
        State::None
        | State::Cancelled
        | State::Settled
        | State::Refunded
        | State::Voided
        | State::TimedOut => 3,
    }
}
