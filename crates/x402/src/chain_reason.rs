//! Why a payment is refused that only the chain, or its price, speaks against.

/// What a facilitator learns from the chain about a payment that is well signed.
///
/// The order is the reference facilitator's: the token, then what a failed simulation is traced to, then what became of
/// the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainReason {
    /// There is no contract at the token's address.
    AssetNotContract,
    /// The contract has no `authorizationState`: it does not speak EIP-3009.
    NotEip3009,
    /// The token's `name()` is another than the requirements' `extra.name`.
    TokenName,
    /// The token's `version()` is another than the requirements' `extra.version`.
    TokenVersion,
    /// The payer has less than the amount.
    InsufficientFunds,
    /// The transfer would fail, and none of the known causes is why.
    SimulationFailed,
    /// Sending the transfer would cost more gas than the facilitator pays for one.
    GasCost,
    /// The facilitator has paid as much gas for this payer as it does in one day.
    GasBudget,
    /// The transaction was mined and failed.
    TransactionFailed,
    /// The transaction was mined, and its receipt holds no such transfer of the token.
    TransferEventMismatch,
}

impl ChainReason {
    /// The code of the wire.
    ///
    /// `insufficient_funds` is the specification's (section 9); the reference facilitator's own word for it is
    /// `invalid_exact_evm_insufficient_balance`. One of the two serves, so that a client need not know who settles. The two
    /// codes for gas are ours: neither source has one.
    pub const fn code(self) -> &'static str {
        match self {
            Self::AssetNotContract => "asset_not_deployed_contract",
            Self::NotEip3009 => "invalid_exact_evm_eip3009_not_supported",
            Self::TokenName => "invalid_exact_evm_token_name_mismatch",
            Self::TokenVersion => "invalid_exact_evm_token_version_mismatch",
            Self::InsufficientFunds => "insufficient_funds",
            Self::SimulationFailed => "invalid_exact_evm_transaction_simulation_failed",
            Self::GasCost => "gas_cost_not_allowed",
            Self::GasBudget => "gas_budget_exhausted",
            Self::TransactionFailed => "invalid_exact_evm_transaction_failed",
            Self::TransferEventMismatch => "invalid_exact_evm_transfer_event_mismatch",
        }
    }
}

impl core::fmt::Display for ChainReason {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::AssetNotContract => "The payment's token is not a contract on this network.",
            Self::NotEip3009 => {
                "The payment's token does not take signed authorizations (EIP-3009); pay with one that does."
            }
            Self::TokenName => {
                "The payment is signed for another token name than the token's own; the requirements' `extra.name` \
                 must be corrected."
            }
            Self::TokenVersion => {
                "The payment is signed for another token version than the token's own; the requirements' \
                 `extra.version` must be corrected."
            }
            Self::InsufficientFunds => "The payment is larger than what the payer has of the token.",
            Self::SimulationFailed => "The payment's transfer would fail on the chain.",
            Self::GasCost => {
                "The payment's transfer costs more gas than this facilitator pays for one; try again when gas is \
                 cheaper, or pay from an ordinary account."
            }
            Self::GasBudget => {
                "The payment's payer has used up what this facilitator pays for its gas in one day; try again \
                 tomorrow."
            }
            Self::TransactionFailed => "The payment's transaction failed on the chain; no money has moved.",
            Self::TransferEventMismatch => {
                "The payment's transaction was mined, but did not move this amount from the payer to the recipient."
            }
        })
    }
}

impl core::error::Error for ChainReason {}
