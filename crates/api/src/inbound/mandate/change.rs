//! A mandate as a whole is changed.

use alloy_primitives::U256;
use mandate::life::Change;
use serde_json::Value;

use super::{amendment, amount, empty};
use crate::problem::Problem;
use crate::route;

/// Reads the body of a change.
///
/// # Errors
/// 400 with every fault.
pub fn change(wanted: route::Change, body: &Value) -> Result<Change, Problem> {
    match wanted {
        route::Change::Fund => amount(body).map(|amount| Change::Fund { amount: U256::from(amount.0) }),
        route::Change::Withdraw => {
            amount(body).map(|amount| Change::Withdraw { amount: U256::from(amount.0) })
        }
        route::Change::Amend => amendment(body).map(|amendment| Change::Amend(Box::new(amendment))),
        route::Change::ApplyAmendment => {
            amendment(body).map(|amendment| Change::ApplyAmendment(Box::new(amendment)))
        }
        route::Change::CancelAmendment => empty(body).map(|()| Change::CancelAmendment),
        route::Change::Pause => empty(body).map(|()| Change::Pause),
        route::Change::Unpause => empty(body).map(|()| Change::Unpause),
        route::Change::Revoke => empty(body).map(|()| Change::Revoke),
        route::Change::Renounce => empty(body).map(|()| Change::Renounce),
    }
}
