//! The tokens of this world, in their own words.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::SolStruct as _;
use eip712::Domain;

#[allow(missing_docs, reason = "written by the macro; TestDollar.sol documents each")]
mod typed {
    alloy_sol_types::sol! {
        interface Dollar {
            function mint(address to, uint256 value) external;
            function freeze(address account) external;
            function unfreeze(address account) external;
            function approve(address spender, uint256 value) external returns (bool);
            function balanceOf(address account) external view returns (uint256);
        }

        struct ReceiveWithAuthorization {
            address from;
            address to;
            uint256 value;
            uint256 validAfter;
            uint256 validBefore;
            bytes32 nonce;
        }
    }
}

pub(crate) use typed::{Dollar, ReceiveWithAuthorization};

/// Code that answers 1 to every question: a token with one decimal that says yes to each transfer and moves nothing.
pub(crate) const DEAF: [u8; 10] = [0x60, 1, 0x5f, 0x52, 0x60, 32, 0x5f, 0xf3, 0, 0];

/// The name and version in the test dollar's signing domain.
pub(crate) const DOLLAR: (&str, &str) = ("Test Dollar", "2");

/// What the payer of an ERC-3009 authorization signs.
pub(crate) fn receipt_digest(
    authorization: &ReceiveWithAuthorization,
    dollar: Address,
    chain_id: u64,
) -> B256 {
    let domain =
        Domain { name: DOLLAR.0.into(), version: DOLLAR.1.into(), chain_id, verifying_contract: dollar };
    let content = authorization.eip712_hash_struct();
    alloy_primitives::keccak256([&[0x19, 0x01], domain.separator().as_slice(), content.as_slice()].concat())
}

/// The most that a holder can allow.
pub(crate) const WITHOUT_END: U256 = U256::MAX;
