//! Money in and out of a mandate, and money that waits because its recipient could not be paid.

use alloy_primitives::{Address, U256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::amount::{ZERO, minus, plus};
use crate::refusal::require;
use crate::request::permit;
use crate::{AMOUNT_MAX, By, Mandate, Reason, Refused, Relation};

/// What came of a transfer into the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// All of it.
    Whole,
    /// Another amount.
    Other(U256),
}

impl Mandate {
    /// Adds money that was moved into the vault.
    ///
    /// # Errors
    /// [`Reason::ZeroAmount`], [`Reason::TokenDelta`] or [`Reason::AmountTooLarge`].
    pub fn fund(&mut self, amount: U256, arrival: Arrival) -> Result<(), Refused> {
        require(amount, Relation::AtLeast, 1, Reason::ZeroAmount)?;
        self.add(amount, arrival)
    }

    pub(crate) fn add(&mut self, amount: U256, arrival: Arrival) -> Result<(), Refused> {
        match arrival {
            Arrival::Whole => {}
            Arrival::Other(arrived) => require(arrived, Relation::Equal, amount, Reason::TokenDelta)?,
        }
        let room = minus(AMOUNT_MAX, self.funds.balance);
        require(amount, Relation::AtMost, room, Reason::AmountTooLarge)?;
        self.funds.balance = plus(self.funds.balance, BaseUnits(amount.saturating_to()));
        Ok(())
    }

    /// Takes money that is not reserved out of the mandate, by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::ZeroAmount`] or [`Reason::Withdrawal`].
    pub fn withdraw(&mut self, amount: U256, caller: Address) -> Result<(), Refused> {
        permit(caller, self.owner)?;
        require(amount, Relation::AtLeast, 1, Reason::ZeroAmount)?;
        require(amount, Relation::AtMost, self.funds.available(), Reason::Withdrawal)?;
        self.funds.balance = minus(self.funds.balance, BaseUnits(amount.saturating_to()));
        Ok(())
    }
}

/// What waits for one recipient in one owner's vault, in one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credit {
    /// All that was ever booked.
    pub earned: BaseUnits,
    /// What of it was withdrawn.
    pub withdrawn: BaseUnits,
}

impl Credit {
    /// Nothing yet.
    pub const NOTHING: Self = Self { earned: ZERO, withdrawn: ZERO };

    /// Books a payment that failed.
    pub const fn book(&mut self, amount: BaseUnits) {
        self.earned = plus(self.earned, amount);
    }

    /// Pays out until `total` was withdrawn in all, by the recipient. Answers what is to be paid now.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::Withdrawal`] or [`Reason::NothingNew`].
    pub fn withdraw(&mut self, total: BaseUnits, recipient: Address, by: By) -> Result<BaseUnits, Refused> {
        by.require(recipient)?;
        require(total, Relation::AtMost, self.earned, Reason::Withdrawal)?;
        require(total, Relation::Above, self.withdrawn, Reason::NothingNew)?;
        let amount = minus(total, self.withdrawn);
        self.withdrawn = total;
        Ok(amount)
    }
}
