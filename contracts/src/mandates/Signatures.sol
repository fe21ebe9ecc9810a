// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignerKind} from "./Types.sol";

/// @title Whether a signature is of a signer. Never reverts, whatever a signing contract does.
library Signatures {
    /// @dev Enough for a P-256 check in Solidity; a contract that takes more has not signed.
    uint256 private constant ERC1271_GAS = 500_000;

    function isOf(SignerKind kind, address signer, bytes32 digest, bytes calldata signature)
        internal
        view
        returns (bool)
    {
        return kind == SignerKind.Ecdsa ? _isByKey(signer, digest, signature) : _isByCode(signer, digest, signature);
    }

    /// @notice For a provider or resolver, which no mandate describes: its key signs, or its code does.
    function isOfEither(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        return _isByKey(signer, digest, signature) || _isByCode(signer, digest, signature);
    }

    /// @dev 65 bytes with low s alone, so that nobody can make a second signature out of one. `tryRecover` answers zero
    /// with its error, and zero never signs.
    function _isByKey(address signer, bytes32 digest, bytes calldata signature) private pure returns (bool) {
        (address recovered, ECDSA.RecoverError fault,) = ECDSA.tryRecoverCalldata(digest, signature);
        return fault == ECDSA.RecoverError.NoError && recovered == signer;
    }

    /// @dev Reads one word of the answer, so that a long one costs nothing. The word must be the magic value and zeros.
    function _isByCode(address signer, bytes32 digest, bytes calldata signature) private view returns (bool isValid) {
        if (signer.code.length == 0) return false;
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (digest, signature));
        bytes32 magic = IERC1271.isValidSignature.selector;
        assembly ("memory-safe") {
            let hasAnswered := staticcall(ERC1271_GAS, signer, add(question, 32), mload(question), 0, 32)
            isValid := and(hasAnswered, and(eq(returndatasize(), 32), eq(mload(0), magic)))
        }
    }
}
