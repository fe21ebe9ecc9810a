// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";

/// @notice Where a token hands control to somebody.
enum Hook {
    /// ERC-777's tokensToSend.
    BeforeMove,
    /// ERC-777's tokensReceived.
    AfterMove,
    Permit,
    Authorization
}

interface IListener {
    function onToken(Hook hook) external;
}

/// @notice Tells its listener of everything, at once.
contract HookedToken is PlainToken {
    IListener private listener;

    function listen(IListener listener_) external {
        listener = listener_;
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {
        _tell(Hook.Permit);
    }

    /// @dev Nobody has to sign: this is a hostile token.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        _tell(Hook.Authorization);
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 amount) internal override {
        _tell(Hook.BeforeMove);
        super._move(from, to, amount);
        _tell(Hook.AfterMove);
    }

    function _tell(Hook hook) private {
        if (address(listener) != address(0)) listener.onToken(hook);
    }
}
