// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, Entry, PaymentRequest, Remaining, State, Window} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";

/// @notice Known kinds of bugs: budgets by the calendar.
contract BugKindsWindowsTest is HostileTest {
    uint256 private constant CAP = 100e6;

    /// @dev A mandate without an end whose day, month and entry can take one payment of 100 dollars each.
    function openWith(uint96 dayCap, uint96 monthCap, bytes32 salt) private returns (bytes32 id) {
        Creation memory c = creation();
        (c.salt, c.policy.validBefore, c.policy.approvalAbove) = (salt, type(uint48).max, type(uint96).max);
        (c.policy.paymentCap, c.policy.dayCap, c.policy.monthCap) = (type(uint96).max, dayCap, monthCap);
        c.entries[0] = Entry(provider, SERVICE, type(uint96).max, type(uint96).max, Window.UtcDay);
        id = createAs(owner, c);
        fundAs(owner, id, 1_000e6);
    }

    function requestAt(bytes32 id, uint256 time, uint256 amount) private returns (PaymentRequest memory r) {
        vm.warp(time);
        r = requestIn(id);
        uint48 now_ = uint48(time);
        (r.requestId, r.maxAmount) = (bytes32(time), uint128(amount));
        (r.validAfter, r.validBefore) = (now_, now_ + 1);
        (r.deliverBy, r.captureBy, r.refundBy) = (now_ + 1, now_ + 2 days, now_ + 3 days);
    }

    function spend(bytes32 id, uint256 time, uint256 amount) private {
        PaymentRequest memory r = requestAt(id, time, amount);
        vm.prank(agent);
        mandates.authorize(r, "", noApproval());
    }

    function refuse(bytes32 id, uint256 time, uint256 amount, Reason reason) private {
        PaymentRequest memory r = requestAt(id, time, amount);
        r.requestId = "refused";
        assertRefused(agent, abi.encodeCall(IMandates.authorize, (r, "", noApproval())), reason);
    }

    /// @param midnight the first second of a UTC day
    function edge(uint256 midnight, uint96 dayCap, uint96 monthCap, Reason reason) private {
        bytes32 id = openWith(dayCap, monthCap, bytes32(midnight));
        spend(id, midnight - 2, CAP);
        refuse(id, midnight - 1, 1, reason);
        spend(id, midnight, CAP);
        refuse(id, midnight + 1, 1, reason);
    }

    function test_bug_18_the_day_ends_at_midnight() public {
        uint256[4] memory midnights = [uint256(1_800_057_600), 1_835_395_200, 1_835_481_600, 4_107_542_400];
        for (uint256 i = 0; i < midnights.length; ++i) {
            edge(midnights[i], uint96(CAP), type(uint96).max, Reason.DayCap);
        }
    }

    /// @dev 2027-12-31 → 2028-01-01, 2028-02-29 → 03-01 of a leap year, 2100-02-28 → 03-01 of a year that is none.
    function test_bug_18_the_month_ends_with_its_last_day() public {
        uint256[3] memory firsts = [uint256(1_830_297_600), 1_835_481_600, 4_107_542_400];
        for (uint256 i = 0; i < firsts.length; ++i) {
            edge(firsts[i], type(uint96).max, uint96(CAP), Reason.MonthCap);
        }
    }

    /// @dev 2028-02-28 → 02-29 and 2027-01-15 → 01-16 are days, and no months.
    function test_bug_18_the_month_goes_on_over_other_midnights() public {
        uint256[2] memory midnights = [uint256(1_835_395_200), 1_800_057_600];
        for (uint256 i = 0; i < midnights.length; ++i) {
            bytes32 id = openWith(type(uint96).max, uint96(CAP), bytes32(i));
            spend(id, midnights[i] - 1, CAP);
            refuse(id, midnights[i], 1, Reason.MonthCap);
        }
    }

    function test_bug_19_forty_idle_days_leave_one_fresh_window() public {
        bytes32 id = openWith(uint96(CAP), uint96(2 * CAP), "idle");
        spend(id, NOW, CAP);
        uint256 later = NOW + 40 days;
        refuse(id, later, CAP + 1, Reason.DayCap);
        spend(id, later, CAP);
        refuse(id, later + 1, 1, Reason.DayCap);
        spend(id, later + 1 days, CAP);
        refuse(id, later + 2 days, 1, Reason.MonthCap);
    }

    function remaining(PaymentRequest memory r) private view returns (bytes32) {
        Remaining memory left = mandates.preview(r, "", noApproval(), agent).remaining;
        left.available = 0;
        return keccak256(abi.encode(left));
    }

    /// @dev Every way for the money to come back, and none for the allowance.
    function test_bug_20_no_end_restores_an_allowance() public {
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), uint96(CAP));
        PaymentRequest memory r = request();
        bytes32 payment = authorize(r);
        bytes32 left = remaining(r);
        uint256 state = vm.snapshotState();
        vm.prank(provider);
        mandates.void(r, "");
        vm.assertEq(remaining(r), left);
        vm.revertToState(state);
        vm.prank(provider);
        mandates.deliver(r, 0, "");
        state = vm.snapshotState();
        vm.prank(owner);
        mandates.dispute(r, "evidence", "");
        vm.prank(resolver);
        mandates.resolve(r, 0, "");
        assertState(payment, State.Refunded);
        vm.assertEq(remaining(r), left);
        assertRefused(resolver, abi.encodeCall(IMandates.resolve, (r, 1, "")), Reason.State);
        assertRefused(resolver, abi.encodeCall(IMandates.expire, (r)), Reason.State);
        vm.revertToState(state);
        vm.prank(owner);
        mandates.accept(r, "");
        vm.prank(provider);
        dollar.approve(address(mandates), PART);
        vm.prank(provider);
        mandates.refund(r, uint128(PART), "");
        vm.assertEq(balanceOf(mandate), FUNDS);
        vm.assertEq(remaining(r), left);
    }

    /// @dev The same day, since an expiry restores nothing into the window of the authorization either.
    function test_bug_20_an_expiry_restores_no_allowance() public {
        PaymentRequest memory r = request();
        r.deliverBy = NOW + 1;
        authorize(r);
        bytes32 left = remaining(r);
        vm.warp(NOW + 1);
        mandates.expire(r);
        vm.assertEq(balanceOf(mandate), FUNDS);
        vm.assertEq(remaining(r), left);
    }

    function test_bug_21_a_ceiling_holds_over_revoke_and_recreate() public {
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), uint96(CAP));
        bytes32 first = openWith(uint96(CAP), type(uint96).max, "a");
        spend(first, NOW, 60e6);
        vm.prank(owner);
        mandates.revoke(first);
        bytes32 second = openWith(uint96(CAP), type(uint96).max, "b");
        refuse(second, NOW + 1, 40e6 + 1, Reason.Ceiling);
        spend(second, NOW + 1, 40e6);
        refuse(second, NOW + 2, 1, Reason.Ceiling);
        expectRefusal(Reason.MandateExists, uint256(first), 0);
        Creation memory c = creation();
        c.salt = "a";
        createAs(owner, c);
        spend(second, NOW + 1 days, CAP);
    }

    /// @dev Where a later rule refuses, an earlier one has counted nothing.
    function test_bug_20_a_refused_payment_counts_nowhere() public {
        bytes32 id = openWith(uint96(2 * CAP), uint96(CAP), "two");
        spend(id, NOW, 60e6);
        bytes32 before = keccak256(abi.encode(mandates.mandate(id)));
        for (uint256 i = 0; i < 100; ++i) {
            refuse(id, NOW + 1, 60e6, Reason.MonthCap);
        }
        vm.assertEq(keccak256(abi.encode(mandates.mandate(id))), before);
        spend(id, NOW + 1, 40e6);
    }
}
