//! A run's hold on a mandate, in the mandate's words, and the mandate's answer in the run's.

use alloy_primitives::keccak256;
use mandate::life::Hold;
use mandate::{Reason, UnixSeconds};
use primitives::{Malformed, RunId};
use run::{Budget, BudgetAnswer};

use crate::problem::Problem;

/// What a run's purchase is called among the services of a mandate.
pub const PURCHASE_SERVICE: &str = "run.purchase";

/// What the mandate is asked to hold.
///
/// # Errors
/// When the recipient is no address, which those of a run are.
pub fn hold(run: &RunId, budget: &Budget) -> Result<Hold, Malformed> {
    let malformed = |_| Malformed { what: "recipient", allowed: "0x and 40 hexadecimal digits" };
    Ok(Hold {
        asker: run.to_string(),
        recipient: budget.recipient.parse().map_err(malformed)?,
        service: keccak256(PURCHASE_SERVICE),
        amount: budget.amount,
        until: UnixSeconds(budget.until.seconds()),
        approved: budget.approved,
    })
}

/// What is missing where the owner's word is: it was not given, and so has no time and no signature either.
const OWNERS_WORD: [Reason; 3] =
    [Reason::ApprovalMissing, Reason::ApprovalExpired, Reason::ApprovalSignature];

/// Why a mandate does not hold it. Only where nothing but the owner's word is missing, the owner is asked.
pub fn not_held(problem: &Problem) -> BudgetAnswer {
    let is_owners = |code: &str| OWNERS_WORD.iter().any(|reason| reason.code() == code);
    match problem.errors.iter().find(|fault| !is_owners(&fault.field)) {
        None if is_owners(&problem.code) => BudgetAnswer::NeedsApproval { reason: problem.detail.clone() },
        None => BudgetAnswer::Refused { code: problem.code.clone(), reason: problem.detail.clone() },
        Some(fault) => BudgetAnswer::Refused { code: fault.field.clone(), reason: fault.message.clone() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FieldFault;

    fn problem(codes: &[&str]) -> Problem {
        let fault = |code: &&str| FieldFault { field: (*code).to_owned(), message: format!("about {code}") };
        let first = codes.first().copied().unwrap_or("mandate_revoked");
        Problem::new(422, first, "in words").with_faults(codes.iter().map(fault).collect())
    }

    #[test]
    fn the_owner_is_asked_where_only_its_word_is_missing() {
        let asked = BudgetAnswer::NeedsApproval { reason: "in words".to_owned() };
        for codes in
            [&["approval_missing"][..], &["approval_missing", "approval_expired", "approval_signature"]]
        {
            assert_eq!(not_held(&problem(codes)), asked);
        }
    }

    #[test]
    fn no_word_of_the_owner_helps_against_another_rule() {
        for codes in [&["approval_missing", "day_cap"][..], &["day_cap", "approval_missing"]] {
            let refused =
                BudgetAnswer::Refused { code: "day_cap".to_owned(), reason: "about day_cap".to_owned() };
            assert_eq!(not_held(&problem(codes)), refused);
        }
        let refused =
            BudgetAnswer::Refused { code: "mandate_revoked".to_owned(), reason: "in words".to_owned() };
        assert_eq!(not_held(&problem(&[])), refused);
    }
}
