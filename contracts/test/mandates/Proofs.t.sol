// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Calendar} from "../../src/mandates/Calendar.sol";
import {Spending} from "../../src/mandates/Spending.sol";
import {Spent} from "../../src/mandates/Types.sol";

/// @notice What Halmos proves: each of these holds for all inputs. A timestamp has 48 bits wherever one is stored.
contract Proofs {
    function check_every_moment_is_in_its_day(uint48 moment) public pure {
        uint256 day = Calendar.day(moment);
        assert(day * 1 days <= moment);
        assert(moment < (day + 1) * 1 days);
    }

    function check_the_same_time_tomorrow_is_in_the_next_day(uint48 moment) public pure {
        assert(Calendar.day(uint256(moment) + 1 days) == Calendar.day(moment) + 1);
    }

    function check_what_is_left_is_within_the_cap(uint96 cap, uint96 spent) public pure {
        uint256 left = Spending.left(cap, spent);
        assert(left <= cap);
        assert(spent >= cap ? left == 0 : left + spent == cap);
    }

    function check_a_share_is_within_the_amount(uint96 amount, uint16 bps) public pure {
        if (bps > Spending.WHOLE_BPS) return;
        assert(Spending.share(amount, bps) <= amount);
    }

    function check_the_whole_share_is_the_amount(uint96 amount) public pure {
        assert(Spending.share(amount, Spending.WHOLE_BPS) == amount);
    }

    /// @dev What `authorize` makes sure of before it counts a payment: each sum with it is within a cap of its type.
    function check_a_payment_within_the_caps_counts_exactly(Spent memory s, uint96 amount, uint96 cap, uint32 most)
        public
        pure
    {
        if (uint256(s.daySum) + amount > cap || uint256(s.monthSum) + amount > cap) return;
        if (uint256(s.dayCount) + 1 > most) return;
        (uint256 daySum, uint256 monthSum, uint256 dayCount) = (s.daySum, s.monthSum, s.dayCount);
        Spent memory next = Spending.plus(s, amount);
        assert(next.daySum == daySum + amount && next.daySum <= cap);
        assert(next.monthSum == monthSum + amount && next.monthSum <= cap);
        assert(next.dayCount == dayCount + 1 && next.dayCount <= most);
    }
}
