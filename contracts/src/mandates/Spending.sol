// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Calendar} from "./Calendar.sol";
import {Spent} from "./Types.sol";

/// @title The sums of calendar windows, and the share of a split.
library Spending {
    uint256 internal constant WHOLE_BPS = 10_000;

    /// @notice The same as seen on the UTC day `today`, which is not before its own: a day or month that is over counts
    /// nothing, and days that were missed are lost.
    function seenOn(Spent memory s, uint256 today) internal pure returns (Spent memory) {
        if (s.day != today) {
            if (Calendar.month(s.day) != Calendar.month(today)) s.monthSum = 0;
            (s.day, s.dayCount, s.daySum) = (uint32(today), 0, 0);
        }
        return s;
    }

    /// @notice The same with one more payment of `amount`.
    function plus(Spent memory s, uint96 amount) internal pure returns (Spent memory) {
        s.dayCount += 1;
        s.daySum += amount;
        s.monthSum += amount;
        return s;
    }

    /// @notice What is left of a cap. An amendment can put it below what was spent.
    function left(uint256 cap, uint256 spent) internal pure returns (uint256) {
        return cap > spent ? cap - spent : 0;
    }

    /// @notice A share of an amount of 96 bits, rounded down.
    function share(uint256 amount, uint256 bps) internal pure returns (uint256) {
        return amount * bps / WHOLE_BPS;
    }
}
