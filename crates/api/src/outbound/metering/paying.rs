//! Who may pay a bill with what, and what whoever may not is told.

use eip712::Address;
use primitives::SettlementId;

use crate::problem::Problem;
use crate::wire;

/// Whether the account that has signed may have bills paid from the mandate.
///
/// # Errors
/// 403 for an account that is not its agent; 422 for a mandate that the contract keeps.
pub fn spendable(mandate: &wire::Mandate, account: Address) -> Result<(), Problem> {
    if mandate.agent.parse() != Ok(account) {
        let detail =
            "Only the mandate's agent has bills paid from it, and this request is signed by another account.";
        return Err(Problem::new(403, "not_party", detail));
    }
    if mandate.custody != "ledger" {
        let detail = "The contract keeps this mandate's money, and holds none of it for bills. Name a mandate in custody of \
                      the ledger.";
        return Err(Problem::new(422, "custody_unsupported", detail));
    }
    Ok(())
}

/// Whether the account that has signed is the one that has sent the money: else a stranger's transfer, which everybody can
/// see, would pay for whoever names it first.
///
/// # Errors
/// 403 for another account.
pub fn sent_by(payer: &str, account: Address) -> Result<(), Problem> {
    let detail = "The request is signed by another account than `payer`. Whoever has sent the money signs.";
    if payer.parse() == Ok(account) { Ok(()) } else { Err(Problem::new(403, "not_party", detail)) }
}

/// The refusal of a transaction that has paid for something else.
pub fn transaction_used() -> Problem {
    let detail = "This transaction has paid for something else. Name the one that was made for this bill.";
    Problem::new(409, "transaction_used", detail)
}

/// The refusal of a transaction where no chain is looked at.
pub fn transaction_unsupported(bill: &SettlementId) -> Problem {
    let detail = format!(
        "This deployment looks at no chain, so it cannot see a transaction. Pay the bill with x402 at \
         /v1/settlements/{bill}/pay, or from a mandate."
    );
    Problem::new(422, "transaction_unsupported", detail)
}

/// The refusal of a payment of a bill whose tenant is paid nowhere yet.
pub fn payee_missing() -> Problem {
    let detail =
        "The tenant has not said whom its bills pay. It sets `payTo` with PATCH /v1/config; the bill waits.";
    Problem::new(409, "payee_missing", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S6: everybody sees the chain, so that only the sender's own word ties a transfer to a bill.
    #[test]
    fn only_who_has_sent_the_money_names_it() {
        let account = Address::repeat_byte(0xaa);
        assert!(sent_by("0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", account).is_ok());
        for payer in ["0xabaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "0x", ""] {
            assert_eq!(sent_by(payer, account).unwrap_err().status, 403, "{payer}");
        }
    }
}
