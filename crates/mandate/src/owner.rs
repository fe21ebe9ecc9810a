//! A mandate is made, changed and stopped.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256};
use serde::{Deserialize, Serialize};

use crate::amount::ZERO;
use crate::policy::check_delay;
use crate::refusal::require;
use crate::request::permit;
use crate::{
    Amendment, Entry, Funds, Mandate, Pending, Policy, Reason, Refused, Relation, SignerKind, Spent, Status,
    UnixSeconds,
};

/// What is known of the token of a new mandate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Token {
    /// There is code at its address that states its decimals.
    Answers,
    /// There is none.
    Missing,
}

/// What the creation of a mandate takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The id that the contract gives it: keccak-256 of (chain, contract, owner, salt).
    pub id: B256,
    /// The caller.
    pub owner: Address,
    /// The agent.
    pub agent: Address,
    /// The token.
    pub token: Address,
    /// How the owner signs.
    pub owner_kind: SignerKind,
    /// How the agent signs.
    pub agent_kind: SignerKind,
    /// Seconds before a loosening amendment takes effect: 1 hour to 30 days.
    pub amend_delay: u32,
    /// The first policy.
    pub policy: Policy,
    /// The first entries; of two with one key the later stands.
    pub entries: Vec<Entry>,
}

/// What became of an amendment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amended {
    /// Nothing became looser, and it works.
    AtOnce,
    /// It waits.
    Scheduled {
        /// From when on it may be applied.
        effective_at: UnixSeconds,
    },
}

impl Mandate {
    /// Makes a mandate. `existing` is the one that has this id, if one has.
    ///
    /// # Errors
    /// The first rule that the creation breaks.
    pub fn create(
        existing: Option<&Self>,
        creation: Creation,
        token: Token,
        now: UnixSeconds,
    ) -> Result<Self, Refused> {
        let Creation { id, owner, agent, .. } = creation;
        if existing.is_some() {
            return Err(Refused::new(Reason::MandateExists, id, 0));
        }
        if agent.is_zero() {
            return Err(Refused::new(Reason::ZeroAgent, 0, 0));
        }
        if agent == owner {
            return Err(Refused::new(Reason::AgentIsOwner, agent, owner));
        }
        match token {
            Token::Answers => {}
            Token::Missing => return Err(Refused::new(Reason::NoToken, creation.token, 0)),
        }
        check_delay(creation.amend_delay)?;
        creation.policy.check(owner, agent, now)?;
        let mut mandate = Self {
            id,
            owner,
            agent,
            token: creation.token,
            owner_kind: creation.owner_kind,
            agent_kind: creation.agent_kind,
            amend_delay: creation.amend_delay,
            status: Status::Active,
            policy_version: 1,
            policy: creation.policy,
            entries: BTreeMap::new(),
            funds: Funds { balance: ZERO, reserved: ZERO },
            spent: Spent::NOTHING,
            lifetime_spent: ZERO,
            pending: None,
            payments: BTreeMap::new(),
        };
        mandate.write_entries(&creation.entries);
        Ok(mandate)
    }

    /// Changes the policy, by the owner: at once when nothing becomes looser, else after the mandate's delay and in
    /// place of any amendment that waited.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Revoked`], [`Reason::PolicyVersion`], or what [`Policy::check`] says.
    pub fn amend(
        &mut self,
        amendment: &Amendment,
        caller: Address,
        now: UnixSeconds,
    ) -> Result<Amended, Refused> {
        permit(caller, self.owner)?;
        self.check_amendment(amendment, now)?;
        if self.would_tighten(amendment) {
            self.write(amendment);
            return Ok(Amended::AtOnce);
        }
        let effective_at = now.plus(self.amend_delay);
        self.pending = Some(Pending { hash: amendment.hash, effective_at });
        Ok(Amended::Scheduled { effective_at })
    }

    /// Puts the waiting amendment to work once its time has come. Anyone may.
    ///
    /// # Errors
    /// [`Reason::NoAmendment`], [`Reason::AmendmentEarly`], or what [`amend`](Self::amend) says of one that it checks.
    pub fn apply_amendment(&mut self, amendment: &Amendment, now: UnixSeconds) -> Result<(), Refused> {
        let waits = self.pending.map_or(B256::ZERO, |pending| pending.hash);
        require(amendment.hash, Relation::Equal, waits, Reason::NoAmendment)?;
        let effective_at = self.pending.map_or(UnixSeconds(0), |pending| pending.effective_at);
        require(now, Relation::AtLeast, effective_at, Reason::AmendmentEarly)?;
        self.check_amendment(amendment, now)?;
        self.pending = None;
        self.write(amendment);
        Ok(())
    }

    /// Forgets the waiting amendment, by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`] or [`Reason::NoAmendment`].
    pub fn cancel_amendment(&mut self, caller: Address) -> Result<(), Refused> {
        permit(caller, self.owner)?;
        self.pending.take().map(drop).ok_or_else(|| Refused::new(Reason::NoAmendment, 0, 0))
    }

    /// Stops authorizations until [`unpause`](Self::unpause), by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Revoked`] or [`Reason::Paused`].
    pub fn pause(&mut self, caller: Address) -> Result<(), Refused> {
        permit(caller, self.owner)?;
        match self.status {
            Status::Active => self.status = Status::Paused,
            Status::Paused => return Err(Refused::new(Reason::Paused, 0, 0)),
            Status::Revoked => return Err(Refused::new(Reason::Revoked, 0, 0)),
        }
        Ok(())
    }

    /// Lets authorizations go on, by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Revoked`] or [`Reason::NotPaused`].
    pub fn unpause(&mut self, caller: Address) -> Result<(), Refused> {
        permit(caller, self.owner)?;
        match self.status {
            Status::Active => return Err(Refused::new(Reason::NotPaused, Status::Active, Status::Paused)),
            Status::Paused => self.status = Status::Active,
            Status::Revoked => return Err(Refused::new(Reason::Revoked, 0, 0)),
        }
        Ok(())
    }

    /// Stops authorizations for ever, by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`] or [`Reason::Revoked`].
    pub fn revoke(&mut self, caller: Address) -> Result<(), Refused> {
        permit(caller, self.owner)?;
        self.stop()
    }

    /// Stops authorizations for ever, by the agent.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`] or [`Reason::Revoked`].
    pub fn renounce(&mut self, caller: Address) -> Result<(), Refused> {
        permit(caller, self.agent)?;
        self.stop()
    }

    fn stop(&mut self) -> Result<(), Refused> {
        self.check_not_revoked()?;
        self.status = Status::Revoked;
        Ok(())
    }

    fn check_not_revoked(&self) -> Result<(), Refused> {
        match self.status {
            Status::Active | Status::Paused => Ok(()),
            Status::Revoked => Err(Refused::new(Reason::Revoked, 0, 0)),
        }
    }

    fn check_amendment(&self, amendment: &Amendment, now: UnixSeconds) -> Result<(), Refused> {
        self.check_not_revoked()?;
        require(amendment.expected_version, Relation::Equal, self.policy_version, Reason::PolicyVersion)?;
        amendment.policy.check(self.owner, self.agent, now)
    }

    fn would_tighten(&self, amendment: &Amendment) -> bool {
        amendment.policy.is_within(&self.policy)
            && amendment.entries.iter().all(|entry| {
                let current = self.entries.get(&entry.key).map(|allowed| &allowed.limits);
                entry.limits.is_within(current)
            })
    }

    /// What was spent, and so every open escrow, stays as it is.
    fn write(&mut self, amendment: &Amendment) {
        self.policy_version = self.policy_version.saturating_add(1);
        self.policy = amendment.policy;
        self.write_entries(&amendment.entries);
    }
}
