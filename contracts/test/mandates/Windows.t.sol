// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, Entry, PaymentRequest, Policy, Spent, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Budgets by UTC day and by UTC month, at the edges of both. The instants are those of `date -u`.
contract WindowsTest is Outcomes {
    uint48 private constant MAR_1_2028 = 1_835_481_600;
    uint48 private constant FEB_29_2028 = MAR_1_2028 - 1 days;
    uint48 private constant JAN_1_2029 = 1_861_920_000;
    uint48 private constant MAR_1_2100 = 4_107_542_400;
    uint48 private constant FEB_28_2100 = MAR_1_2100 - 1 days;

    /// @dev An entry by month, and caps that the tests fill exactly: 30 a day, 50 a month.
    function creation() internal view override returns (Creation memory c) {
        c = super.creation();
        c.entries[0] = Entry(provider, SERVICE, 30e6, 50e6, Window.UtcMonth);
    }

    function policy() internal view override returns (Policy memory p) {
        p = super.policy();
        (p.validAfter, p.validBefore) = (0, type(uint48).max);
        (p.dayCap, p.monthCap) = (30e6, 50e6);
    }

    function requestAt(uint256 moment, uint128 amount) private returns (PaymentRequest memory r) {
        vm.warp(moment);
        r = requestOf(amount, keccak256(abi.encode(moment, amount, gasleft())));
        (r.validAfter, r.validBefore) = (0, type(uint48).max);
        r.deliverBy = uint48(moment + 1 days);
        (r.captureBy, r.refundBy) = (r.deliverBy + 2 days, r.deliverBy + 3 days);
    }

    function assertSpent(uint256 day, uint256 count, uint256 daySum, uint256 monthSum) private view {
        Spent memory s = mandates.mandate(mandate).spent;
        vm.assertEq(s.day, day);
        vm.assertEq(s.dayCount, count);
        vm.assertEq(s.daySum, daySum);
        vm.assertEq(s.monthSum, monthSum);
    }

    /// @notice Fills a day at its last second; the next second is a day with a budget of its own in the same month.
    function sameMonth(uint256 midnight) private {
        assertAllowed(requestAt(midnight - 1, 30e6));
        assertRefused(requestAt(midnight - 1, 1), Reason.DayCap, 30e6 + 1, 30e6);
        assertRefused(requestAt(midnight, 20e6 + 1), Reason.EntryWindowCap, 50e6 + 1, 50e6);
        assertAllowed(requestAt(midnight, 20e6));
        assertSpent(midnight / 1 days, 1, 20e6, 50e6);
    }

    /// @notice Fills a month up to its last second; the next second is a month with a budget of its own.
    function nextMonth(uint256 midnight) private {
        assertAllowed(requestAt(midnight - 1 days - 1, 30e6));
        assertAllowed(requestAt(midnight - 1, 20e6));
        assertRefused(requestAt(midnight - 1, 1), Reason.EntryWindowCap, 50e6 + 1, 50e6);
        assertAllowed(requestAt(midnight, 30e6));
        assertSpent(midnight / 1 days, 1, 30e6, 30e6);
        assertAllowed(requestAt(midnight + 1 days, 20e6));
        assertRefused(requestAt(midnight + 1 days, 1), Reason.EntryWindowCap, 50e6 + 1, 50e6);
        assertSpent(midnight / 1 days + 1, 1, 20e6, 50e6);
    }

    function test_midnight_within_a_month() public {
        sameMonth((NOW / 1 days + 1) * 1 days);
    }

    function test_29_february_2028_is_february() public {
        sameMonth(FEB_29_2028);
    }

    function test_1_march_2028_is_march() public {
        nextMonth(MAR_1_2028);
    }

    function test_new_year_2029() public {
        nextMonth(JAN_1_2029);
    }

    function test_28_february_2100_is_february() public {
        sameMonth(FEB_28_2100);
    }

    function test_1_march_2100_is_march() public {
        nextMonth(MAR_1_2100);
    }

    /// @dev The first days of the twelve months of 2027 and of the leap year 2028, by their lengths.
    function test_every_month_of_two_years() public {
        uint8[12] memory lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        uint256 midnight = 1_798_761_600;
        for (uint256 i = 0; i < 24; ++i) {
            uint256 length = lengths[i % 12];
            if (i == 13) length += 1;
            assertAllowed(requestAt(midnight, 30e6));
            assertSpent(midnight / 1 days, 1, 30e6, 30e6);
            midnight += length * 1 days;
            assertAllowed(requestAt(midnight - 1, 20e6));
            assertSpent(midnight / 1 days - 1, 1, 20e6, 50e6);
        }
    }

    /// @dev The same day of the month a month or a year later is not the same window, and what was missed is lost.
    function test_40_idle_days_and_a_year_leave_one_budget() public {
        assertAllowed(requestAt(NOW, 30e6));
        assertAllowed(requestAt(NOW + 40 days, 30e6));
        assertRefused(requestAt(NOW + 40 days, 1), Reason.DayCap, 30e6 + 1, 30e6);
        assertSpent(NOW / 1 days + 40, 1, 30e6, 30e6);
        assertAllowed(requestAt(NOW + 405 days, 30e6));
        assertRefused(requestAt(NOW + 405 days, 1), Reason.DayCap, 30e6 + 1, 30e6);
        assertSpent(NOW / 1 days + 405, 1, 30e6, 30e6);
    }

    function test_an_entry_by_day_is_new_each_day() public {
        Creation memory c = creation();
        c.salt = keccak256("by day");
        c.policy.dayCap = 100e6;
        c.policy.monthCap = 100e6;
        c.entries[0] = Entry(provider, SERVICE, 30e6, 40e6, Window.UtcDay);
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        mandate = id;
        uint256 midnight = (NOW / 1 days + 1) * 1 days;
        assertAllowed(requestAt(midnight - 1, 30e6));
        assertRefused(requestAt(midnight - 1, 10e6 + 1), Reason.EntryWindowCap, 40e6 + 1, 40e6);
        PaymentRequest memory r = requestAt(midnight, 30e6);
        vm.assertEq(mandates.preview(r, "", noApproval(), agent).remaining.entryWindow, 40e6);
        assertAllowed(r);
        assertAllowed(requestAt(midnight, 10e6));
        assertRefused(requestAt(midnight, 1), Reason.EntryWindowCap, 40e6 + 1, 40e6);
    }

    function test_preview_tells_what_is_left() public {
        assertAllowed(requestAt(NOW, 12e6));
        PaymentRequest memory r = requestAt(NOW, 1);
        bytes32 left = keccak256(abi.encode(mandates.preview(r, "", noApproval(), agent).remaining));
        uint256 lifetime = 5_000e6 - 12e6;
        vm.assertEq(
            left, keccak256(abi.encode(FUNDS - 12e6, 100e6, 18e6, 38e6, lifetime, 9, 30e6, 38e6, type(uint256).max))
        );
    }
}
