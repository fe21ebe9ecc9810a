// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "../../src/mandates/Reason.sol";
import {
    Amendment,
    Entry,
    MandateView,
    PaymentRequest,
    SignedApproval,
    State,
    Window
} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice An amendment changes the rules for what comes, and nothing of what was.
contract CarriedOverTest is Outcomes {
    function amend(Amendment memory a) private {
        vm.prank(owner);
        mandates.amend(mandate, a);
    }

    /// @notice The owner's terms and caps are other ones, at once for the caps and a day later for the terms.
    function amendAll() private {
        Amendment memory a = Amendment(1, policy(), new Entry[](1));
        a.policy.terms.challengePeriod = 2 days;
        a.policy.terms.resolver = address(0);
        (a.policy.dayCap, a.policy.monthCap) = (1, 1);
        a.entries[0] = Entry(provider, SERVICE, 0, 0, Window.UtcDay);
        amend(a);
        vm.warp(NOW + 1 days);
        mandates.applyAmendment(mandate, a);
    }

    function test_counters_are_carried_over() public {
        authorize(requestOf(60e6, "a"));
        authorize(requestOf(40e6, "b"));
        Amendment memory a = Amendment(1, policy(), new Entry[](1));
        (a.policy.dayCap, a.policy.monthCap, a.policy.lifetimeCap, a.policy.dayCount) = (130e6, 120e6, 110e6, 3);
        a.entries[0] = Entry(provider, SERVICE, 100e6, 105e6, Window.UtcDay);
        amend(a);
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(m.spent.daySum, 100e6);
        vm.assertEq(m.spent.monthSum, 100e6);
        vm.assertEq(m.spent.dayCount, 2);
        vm.assertEq(m.lifetimeSpent, 100e6);
        vm.assertEq(m.reserved, 100e6);
        PaymentRequest memory r = requestOf(5e6 + 1, "c");
        r.policyVersion = 2;
        assertRefused(r, Reason.EntryWindowCap, 105e6 + 1, 105e6);
        r.maxAmount = 5e6;
        assertAllowed(r);
        r.requestId = "d";
        r.maxAmount = 1;
        assertRefused(r, Reason.EntryWindowCap, 105e6 + 1, 105e6);
    }

    /// @dev Nothing is left then, and nothing underflows.
    function test_a_cap_below_what_was_spent_leaves_nothing() public {
        authorize(requestOf(60e6, "a"));
        Amendment memory a = Amendment(1, policy(), new Entry[](1));
        (a.policy.dayCap, a.policy.monthCap, a.policy.lifetimeCap, a.policy.dayCount) = (50e6, 40e6, 30e6, 1);
        a.entries[0] = Entry(provider, SERVICE, 20e6, 20e6, Window.UtcDay);
        amend(a);
        PaymentRequest memory r = requestOf(1, "b");
        r.policyVersion = 2;
        bytes32 left = keccak256(abi.encode(mandates.preview(r, "", noApproval(), agent).remaining));
        vm.assertEq(left, keccak256(abi.encode(FUNDS - 60e6, 100e6, 0, 0, 0, 0, 20e6, 0, type(uint256).max)));
        assertRefused(r, Reason.EntryWindowCap, 60e6 + 1, 20e6);
    }

    function test_requests_of_the_old_version_are_refused() public {
        PaymentRequest memory r = request();
        amend(Amendment(1, policy(), new Entry[](0)));
        assertRefused(r, Reason.PolicyVersion, 1, 2);
        r.policyVersion = 2;
        assertAllowed(r);
    }

    function test_approvals_of_the_old_version_are_refused() public {
        PaymentRequest memory r = requestOf(60e6, "large");
        SignedApproval memory old = approval(r, type(uint48).max);
        amend(Amendment(1, policy(), new Entry[](0)));
        r.policyVersion = 2;
        assertSaid(ask(agent, r, "", old), Reason.ApprovalSignature, 0, number(owner));
        assertSaid(ask(agent, r, "", approval(r, type(uint48).max)), Reason.None, 0, 0);
    }

    /// @dev An escrow lives by the terms that were signed with it.
    function test_open_escrows_keep_their_terms() public {
        PaymentRequest memory delivered = requestOf(10e6, "delivered");
        PaymentRequest memory disputed = requestOf(20e6, "disputed");
        deliver(delivered);
        dispute(disputed);
        amendAll();
        vm.prank(resolver);
        mandates.resolve(disputed, 5e6, "");
        mandates.claim(delivered);
        assertState(hashRequest(delivered), State.Settled);
        vm.assertEq(dollar.balanceOf(provider), 15e6);
        vm.assertEq(mandates.mandate(mandate).reserved, 0);
    }

    function test_a_refund_restores_no_budget() public {
        PaymentRequest memory r = requestOf(30e6, "refunded");
        authorize(r);
        vm.prank(provider);
        mandates.void(r, "");
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(m.balance, FUNDS);
        vm.assertEq(m.reserved, 0);
        vm.assertEq(m.spent.daySum, 30e6);
        vm.assertEq(m.spent.dayCount, 1);
        vm.assertEq(m.lifetimeSpent, 30e6);
    }
}
