//! Where an owner's vault is, before and after it exists.

use alloy_primitives::{Address, hex, keccak256};

/// The vault of an owner: where the contract at `contract` makes, by CREATE2, the minimal proxy (EIP-1167) of
/// `implementation` with the owner's address as the salt. The proxy has the bytes that OpenZeppelin's `Clones` deploys.
pub fn vault_address(contract: Address, implementation: Address, owner: Address) -> Address {
    let creation = [
        hex!("3d602d80600a3d3981f3363d3d373d3d3d363d73").as_slice(),
        implementation.as_slice(),
        &hex!("5af43d82803e903d91602b57fd5bf3"),
    ]
    .concat();
    contract.create2(owner.into_word(), keccak256(creation))
}
