//! A step of the contract as a command of the object.

use alloy_primitives::{Address, B256, U256};
use differential::{Action, Book, EscrowCall, Step};
use mandate::By;
use mandate::life::{Act, Change, Command};
use mandate::{Request, Signature};

use crate::shell::Asked;

/// The step in the object's words.
///
/// # Errors
/// Why it has none.
pub(crate) fn express(book: &Book, step: &Step) -> Result<Asked, &'static str> {
    let caller = book.sites.cast.address(step.by);
    let change = |mandate: &B256, change| Ok(asked(*mandate, Command::Change { change, by: caller }));
    // Whoever pays, in the ledger it is the owner who says so.
    let fund = |mandate: &B256, amount: u128, payer| {
        let by = book.mandates.get(mandate).map_or(payer, |of| of.owner);
        Ok(asked(*mandate, Command::Change { change: Change::Fund { amount: U256::from(amount) }, by }))
    };
    match &step.action {
        Action::Create { creation, .. } => {
            let token = book.token(creation.token);
            let label = "A mandate".to_owned();
            let command = Command::Create { creation: Box::new(creation.clone()), token, label };
            Ok(asked(creation.id, command))
        }
        Action::Amend { mandate, amendment } => change(mandate, Change::Amend(Box::new(amendment.clone()))),
        Action::ApplyAmendment { mandate, amendment } => {
            change(mandate, Change::ApplyAmendment(Box::new(amendment.clone())))
        }
        Action::CancelAmendment { mandate } => change(mandate, Change::CancelAmendment),
        Action::Pause { mandate } => change(mandate, Change::Pause),
        Action::Unpause { mandate } => change(mandate, Change::Unpause),
        Action::Revoke { mandate } => change(mandate, Change::Revoke),
        Action::Renounce { mandate } => change(mandate, Change::Renounce),
        Action::Fund { mandate, amount } | Action::FundWithPermit { mandate, amount } => {
            fund(mandate, amount.0, caller)
        }
        Action::FundWithAuthorization { mandate, authorization } => {
            fund(mandate, authorization.amount.0, book.sites.cast.address(authorization.from))
        }
        Action::Withdraw { mandate, amount, .. } => {
            change(mandate, Change::Withdraw { amount: U256::from(amount.0) })
        }
        Action::Authorize(item) => {
            let proof = book.proof(item, step.by);
            let approval = Some(proof.approval).filter(|yes| yes.signature != Signature::Empty);
            let command = Command::Request { request: Box::new(item.order), by: proof.agent, filed: None };
            Ok(Asked { approval, ..asked(item.order.mandate, command) })
        }
        Action::CancelRequest { order, signed } => {
            let by = book.canceller(order, *signed, caller).unwrap_or(By::caller(caller));
            Ok(cancel(order, by))
        }
        Action::Escrow { order, call, signed } => {
            let by = book.mover(order, *call, *signed, caller).unwrap_or(By::caller(caller));
            let command = Command::Act { payment: order.payment, act: act(*call), by, filed: None };
            Ok(asked(order.mandate, command))
        }
        Action::AuthorizeBatch { .. } => Err("a batch that is refused as a whole"),
        Action::SetCeiling { .. } => Err("a ceiling over several mandates"),
        Action::WithdrawCredit { .. } => Err("a credit of a recipient that could not be paid"),
        Action::Freeze(_) | Action::Unfreeze(_) => Err("what the token does with an account"),
        Action::Delegate(_) => Err("how an account signs"),
    }
}

pub(crate) fn request(order: &Request, agent: Address) -> Asked {
    let command = Command::Request { request: Box::new(*order), by: By::caller(agent), filed: None };
    asked(order.mandate, command)
}

pub(crate) fn cancel(order: &Request, by: By) -> Asked {
    asked(order.mandate, Command::Cancel { request: Box::new(*order), by, filed: None })
}

const fn asked(mandate: B256, command: Command) -> Asked {
    Asked { mandate, command, approval: None }
}

const fn act(call: EscrowCall) -> Act {
    match call {
        EscrowCall::Deliver { receipt } => Act::Deliver { receipt },
        EscrowCall::Accept => Act::Accept,
        EscrowCall::Dispute { evidence } => Act::Dispute { evidence },
        EscrowCall::Capture { total } => Act::Capture { total },
        EscrowCall::Claim => Act::Claim,
        EscrowCall::Void => Act::Void,
        EscrowCall::Resolve { to_provider } => Act::Resolve { to_provider },
        EscrowCall::TimeOut => Act::TimeOut,
        EscrowCall::Expire => Act::Expire,
        EscrowCall::Refund { total } => Act::Refund { total },
    }
}
