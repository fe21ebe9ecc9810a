// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";

/// @notice Every balance is a share of the whole, which can shrink.
contract RebasingToken is PlainToken {
    /// @dev What 100 shares are worth.
    uint256 private worth = 100;

    function rebase(uint256 worth_) external {
        worth = worth_;
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _held[account] * worth / 100;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount * 100 / worth);
    }
}
