// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice The form of ERC-3009's `receiveWithAuthorization` that tokens have which know contract signers. As in the
/// standard's form the caller must be `to`, so that nobody can spend an authorization past the vault.
interface IReceiveWithSignature {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @title One owner's money. Each owner has a minimal proxy of this, so that a token which freezes or empties one vault
/// touches no other owner.
contract Vault {
    using SafeERC20 for IERC20;

    /// @notice Someone other than `Mandates` called.
    error NotMandates(address caller);
    /// @notice The token took another amount than was to be paid.
    error Delta(uint256 got, uint256 limit);

    address private immutable MANDATES;

    /// @dev `Mandates` creates the one that all proxies share; an immutable is in its code and so in theirs.
    constructor() {
        MANDATES = msg.sender;
    }

    modifier onlyMandates() {
        if (msg.sender != MANDATES) revert NotMandates(msg.sender);
        _;
    }

    /// @notice Pays exactly `amount`, or reverts.
    function pay(IERC20 token, address to, uint256 amount) external onlyMandates {
        uint256 before = token.balanceOf(address(this));
        token.safeTransfer(to, amount);
        uint256 left = token.balanceOf(address(this));
        if (left > before || before - left != amount) revert Delta(left, before);
    }

    /// @notice Takes what `from` authorized.
    function take(
        address token,
        address from,
        uint256 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external onlyMandates {
        if (signature.length == 65) {
            bytes32 r = bytes32(signature[0:32]);
            bytes32 s = bytes32(signature[32:64]);
            IERC3009(token)
                .receiveWithAuthorization(
                    from, address(this), amount, validAfter, validBefore, nonce, uint8(signature[64]), r, s
                );
        } else {
            IReceiveWithSignature(token)
                .receiveWithAuthorization(from, address(this), amount, validAfter, validBefore, nonce, signature);
        }
    }
}
