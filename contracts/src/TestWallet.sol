// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A smart account whose one owner signs for it (ERC-1271), to test contracts as payers. Tested, not audited.
/// @dev It can pay by signed authorization and do nothing else; for lack of a domain of its own, what its owner signs is
/// valid in every wallet of that owner.
contract TestWallet is IERC1271 {
    bytes4 private constant REFUSED = 0xffffffff;

    /// @notice Whose signature counts as this account's.
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Says whether the owner signed `hash`, with the 65 bytes r, s, v.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool isOwner = fault == ECDSA.RecoverError.NoError && signer == owner;
        return isOwner ? IERC1271.isValidSignature.selector : REFUSED;
    }
}
