//! The contract `Mandates`: what is sent to it, what it logs and says, and what its parties sign.
//!
//! The types are those of the contract: amounts in base units of the mandate's token, times in Unix seconds. How they
//! are encoded comes with them: `SolCall::abi_encode` for calldata, `SolEvent::decode_log` for logs,
//! `SolError::abi_decode` for a refusal.

mod interface;
mod names;
mod vault;

pub use alloy_primitives::aliases::{U48, U96};
pub use alloy_sol_types::{SolCall, SolError, SolEvent, SolEventInterface, SolInterface, SolStruct};

pub use interface::{
    Accept, Amendment, Approval, Batch, Cancel, Capture, Creation, CreditWithdrawal, Delivery, Dispute,
    Entry, IMandates, Item, MandateView, Payment, PaymentRequest, Policy, Preview, Reason, Refund, Remaining,
    Resolution, SignedApproval, SignerKind, Spent, State, Status, Terms, Void, Window,
};
pub use names::{SERVICE_BYTES_MAX, ServiceFault, funding_nonce, mandate_id, payment_id, service_id};
pub use vault::vault_address;

use alloy_primitives::{Address, B256};

use crate::Domain;

/// The domain of all signatures for the contract `Mandates` at `contract` on chain `chain_id` (EIP-155).
pub fn domain(chain_id: u64, contract: Address) -> Domain {
    Domain {
        name: String::from("Guildhall Mandates"),
        version: String::from("1"),
        chain_id,
        verifying_contract: contract,
    }
}

/// A struct that a party signs for the contract, and only these: [`Terms`] is hashed like them and signed by nobody.
pub trait Signed: SolStruct {
    /// The digest that the party signs: `keccak256(0x1901 ‖ domain separator ‖ struct hash)` (EIP-712).
    fn digest(&self, domain: &Domain) -> B256 {
        self.eip712_signing_hash(&domain.to_alloy())
    }
}

impl Signed for PaymentRequest {}
impl Signed for Approval {}
impl Signed for Delivery {}
impl Signed for Capture {}
impl Signed for Void {}
impl Signed for Refund {}
impl Signed for Accept {}
impl Signed for Dispute {}
impl Signed for Cancel {}
impl Signed for Resolution {}
impl Signed for CreditWithdrawal {}
