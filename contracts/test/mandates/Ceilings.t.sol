// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, PaymentRequest} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice One ceiling over all mandates that an owner gave one agent in one token.
contract CeilingsTest is Outcomes {
    function set(uint96 dayCap, uint48 effectiveAt) private {
        vm.expectEmit(address(mandates));
        emit IMandates.CeilingSet(owner, agent, address(dollar), dayCap, effectiveAt);
        assertPasses(owner, abi.encodeCall(IMandates.setCeiling, (agent, address(dollar), dayCap)));
    }

    function assertCeiling(uint96 dayCap, uint96 spentToday) private view {
        (bool isSet, uint96 cap, uint96 spent) = mandates.ceiling(owner, agent, address(dollar));
        vm.assertTrue(isSet);
        vm.assertEq(cap, dayCap);
        vm.assertEq(spent, spentToday);
    }

    function second(address who, address its) private returns (bytes32 id) {
        Creation memory c = creation();
        (c.salt, c.agent) = (keccak256("second"), its);
        id = createAs(who, c);
        fundAs(who, id, 1_000e6);
    }

    function remaining(PaymentRequest memory r) private view returns (uint256) {
        return mandates.preview(r, "", noApproval(), agent).remaining.ceiling;
    }

    function test_none_was_set() public view {
        (bool isSet, uint96 cap, uint96 spent) = mandates.ceiling(owner, agent, address(dollar));
        vm.assertFalse(isSet);
        vm.assertEq(cap, type(uint96).max);
        vm.assertEq(spent, 0);
        vm.assertEq(remaining(request()), type(uint256).max);
    }

    function test_two_mandates_share_one_ceiling() public {
        set(50e6, NOW);
        PaymentRequest memory r = requestOf(30e6, "first");
        assertAllowed(r);
        (r.mandate, r.maxAmount) = (second(owner, agent), 20e6 + 1);
        vm.assertEq(remaining(r), 20e6);
        assertRefused(r, Reason.Ceiling, 50e6 + 1, 50e6);
        r.maxAmount = 20e6;
        assertAllowed(r);
        assertCeiling(50e6, 50e6);
        assertRefused(requestOf(1, "one more"), Reason.Ceiling, 50e6 + 1, 50e6);
    }

    /// @dev Another owner's, another agent's and another token's money is not counted.
    function test_it_is_one_owners_for_one_agent_in_one_token() public {
        set(10e6, NOW);
        PaymentRequest memory r = request();
        r.mandate = second(stranger, agent);
        vm.prank(agent);
        mandates.authorize(r, "", noApproval());
        r.mandate = second(owner, stranger);
        vm.prank(stranger);
        mandates.authorize(r, "", noApproval());
        assertCeiling(10e6, 0);
        (bool isSet,,) = mandates.ceiling(owner, agent, stranger);
        vm.assertFalse(isSet);
        assertRefused(request(), Reason.Ceiling, 20e6, 10e6);
    }

    function test_a_revoked_mandate_and_a_new_one_share_the_day() public {
        set(50e6, NOW);
        assertAllowed(requestOf(50e6, "first"));
        vm.prank(owner);
        mandates.revoke(mandate);
        PaymentRequest memory r = request();
        r.mandate = second(owner, agent);
        assertRefused(r, Reason.Ceiling, 70e6, 50e6);
    }

    function test_it_counts_from_when_it_is_first_set() public {
        assertAllowed(requestOf(40e6, "before"));
        set(30e6, NOW);
        assertCeiling(30e6, 0);
        assertRefused(requestOf(30e6 + 1, "after"), Reason.Ceiling, 30e6 + 1, 30e6);
        assertAllowed(requestOf(30e6, "after"));
    }

    function test_each_day_is_new() public {
        set(20e6, NOW);
        uint256 midnight = (NOW / 1 days + 1) * 1 days;
        PaymentRequest memory r = request();
        (r.validBefore, r.deliverBy) = (NOW + 1 days, NOW + 1 days);
        vm.warp(midnight - 1);
        assertAllowed(r);
        r.requestId = "next";
        assertRefused(r, Reason.Ceiling, 40e6, 20e6);
        vm.warp(midnight);
        assertCeiling(20e6, 0);
        assertAllowed(r);
        assertCeiling(20e6, 20e6);
    }

    function test_a_lower_ceiling_works_at_once() public {
        set(50e6, NOW);
        assertAllowed(requestOf(30e6, "first"));
        set(10e6, NOW);
        assertCeiling(10e6, 30e6);
        vm.assertEq(remaining(request()), 0);
        assertRefused(requestOf(1, "second"), Reason.Ceiling, 30e6 + 1, 10e6);
        set(0, NOW);
        assertCeiling(0, 30e6);
    }

    function test_a_raised_ceiling_waits_a_day() public {
        set(10e6, NOW);
        set(40e6, NOW + 1 days);
        PaymentRequest memory r = requestOf(40e6, "raised");
        (r.validBefore, r.deliverBy) = (NOW + 2 days, NOW + 2 days);
        vm.warp(NOW + 1 days - 1);
        assertCeiling(10e6, 0);
        assertRefused(r, Reason.Ceiling, 40e6, 10e6);
        vm.warp(NOW + 1 days);
        assertCeiling(40e6, 0);
        assertAllowed(r);
        set(50e6, NOW + 2 days);
        assertCeiling(40e6, 40e6);
    }

    /// @dev A raise to what is the ceiling already is none, and takes back a raise that waits.
    function test_a_second_word_replaces_a_raise_that_waits() public {
        set(10e6, NOW);
        set(40e6, NOW + 1 days);
        set(10e6, NOW);
        vm.warp(NOW + 1 days);
        assertCeiling(10e6, 0);
        set(40e6, NOW + 2 days);
        vm.warp(NOW + 1 days + 1);
        set(30e6, NOW + 2 days + 1);
        vm.warp(NOW + 2 days);
        assertCeiling(10e6, 0);
        vm.warp(NOW + 2 days + 1);
        assertCeiling(30e6, 0);
    }

    function test_the_largest_number_is_no_ceiling_and_takes_a_day() public {
        set(type(uint96).max, NOW);
        assertAllowed(request());
        assertCeiling(type(uint96).max, 20e6);
        set(1, NOW);
        set(type(uint96).max, NOW + 1 days);
        assertCeiling(1, 20e6);
        vm.warp(NOW + 1 days);
        assertCeiling(type(uint96).max, 0);
    }
}
