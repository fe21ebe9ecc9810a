// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";

/// @notice What a token may do with a transfer instead of it.
enum Oddity {
    None,
    /// One hundredth is lost on the way.
    FeeFromReceiver,
    /// One hundredth more is taken.
    FeeFromSender,
    /// Moves all and returns nothing, as USDT does.
    NoAnswer,
    /// Moves nothing and says so.
    AnswersFalse,
    /// Moves nothing and says that it did.
    MovesNothing,
    MovesHalf,
    Reverts,
    BurnsGas,
    /// Reverts with as many bytes as the gas allows.
    LongRevert,
    /// Moves all and returns two words.
    LongAnswer,
    /// Moves all, and takes 200,000 gas for it.
    Heavy
}

/// @notice A token whose transfers go wrong from the moment that `set` says, as after an upgrade of a proxy.
contract OddToken is PlainToken {
    Oddity public oddity;

    function set(Oddity oddity_) external {
        oddity = oddity_;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        _answer();
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        _answer();
        return true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        Oddity o = oddity;
        if (o == Oddity.AnswersFalse || o == Oddity.MovesNothing) return;
        if (o == Oddity.Reverts) revert Short(0, amount);
        if (o == Oddity.BurnsGas) {
            assembly {
                invalid()
            }
        }
        if (o == Oddity.LongRevert) {
            assembly {
                revert(0, 170000)
            }
        }
        if (o == Oddity.Heavy) {
            uint256 end = gasleft() - 200_000;
            while (gasleft() > end) {}
        }
        super._move(from, to, o == Oddity.MovesHalf ? amount / 2 : amount);
        if (o == Oddity.FeeFromReceiver) _held[to] -= amount / 100;
        if (o == Oddity.FeeFromSender) _held[from] -= amount / 100;
    }

    function _answer() private view {
        Oddity o = oddity;
        if (o == Oddity.NoAnswer) {
            assembly {
                return(0, 0)
            }
        }
        if (o == Oddity.AnswersFalse) {
            assembly {
                mstore(0, 0)
                return(0, 32)
            }
        }
        if (o == Oddity.LongAnswer) {
            assembly {
                mstore(0, 1)
                mstore(32, 0)
                return(0, 64)
            }
        }
    }
}
