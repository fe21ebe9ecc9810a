// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "../../src/mandates/Reason.sol";
import {Amendment, Creation, Entry, PaymentRequest, Policy, SignedApproval, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice A request that breaks every rule at once is refused with the first. Put right rule by rule, it is refused
/// with each of the others in the order of `Reason`, until it passes.
contract CheckOrderTest is Outcomes {
    PaymentRequest private wrong;
    address private caller;
    SignedApproval private given;
    uint256 private last;

    /// @notice The next refusal is a later reason than the one before.
    function next(Reason reason) private {
        Outcome memory said = ask(caller, wrong, "", given);
        vm.assertEq(uint256(said.reason), uint256(reason));
        vm.assertTrue(uint256(reason) > last);
        last = uint256(reason);
    }

    function amend(Policy memory p) private {
        Amendment memory a = Amendment(mandates.mandate(mandate).policyVersion, p, new Entry[](0));
        vm.prank(owner);
        mandates.amend(mandate, a);
        wrong.policyVersion = a.expectedVersion + 1;
    }

    /// @dev One cap can be seen only where the one before it does not bind, so every cap is below the amount at first.
    function creation() internal view override returns (Creation memory c) {
        c = super.creation();
        c.policy.validAfter = NOW + 10;
        c.entries[0] = Entry(provider, SERVICE, 70, 60, Window.UtcDay);
        (c.policy.paymentCap, c.policy.dayCount, c.policy.dayCap) = (65, 1, 40);
        (c.policy.monthCap, c.policy.lifetimeCap, c.policy.approvalAbove) = (30, 20, 0);
    }

    function breakAll() private {
        caller = stranger;
        given = noApproval();
        wrong = request();
        (wrong.policyVersion, wrong.token, wrong.requestId) = (7, stranger, 0);
        (wrong.recipient, wrong.service, wrong.maxAmount) = (address(0), 0, 0);
        (wrong.validAfter, wrong.validBefore, wrong.deliverBy) = (NOW + 20, NOW + 10, NOW);
        (wrong.captureBy, wrong.refundBy, wrong.terms.silenceBps) = (NOW, NOW - 1, 1);
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), 5);
        vm.prank(owner);
        mandates.withdraw(mandate, FUNDS - 2, owner);
    }

    function test_order_of_what_a_request_says() public {
        breakAll();
        vm.prank(owner);
        mandates.pause(mandate);
        (bytes32 known, uint64 version) = (mandate, 1);
        wrong.mandate = keccak256("none");
        next(Reason.UnknownMandate);
        wrong.mandate = known;
        next(Reason.PolicyVersion);
        wrong.policyVersion = version;
        next(Reason.Paused);
        vm.prank(owner);
        mandates.unpause(mandate);
        next(Reason.MandateNotStarted);
        vm.warp(NOW + 10);
        next(Reason.Token);
        wrong.token = address(dollar);
        next(Reason.RequestNotStarted);
        wrong.validAfter = NOW;
        next(Reason.RequestExpired);
        wrong.validBefore = NOW + 1 days;
        next(Reason.DeliverBy);
        wrong.deliverBy = NOW + 1 days;
        next(Reason.CaptureBy);
        wrong.captureBy = NOW + 10 days;
        next(Reason.RefundBy);
        wrong.refundBy = NOW + 10 days;
        next(Reason.Terms);
        wrong.terms = terms();
        next(Reason.ZeroRecipient);
        wrong.recipient = stranger;
        next(Reason.ZeroService);
        (wrong.service, wrong.recipient) = (SERVICE, resolver);
        next(Reason.RecipientIsResolver);
        wrong.recipient = stranger;
        next(Reason.NotAllowed);
        wrong.recipient = provider;
        next(Reason.ZeroAmount);
        wrong.maxAmount = 71;
        next(Reason.EntryPaymentCap);
        wrong.maxAmount = 70;
        next(Reason.PaymentCap);
        wrong.maxAmount = 65;
        next(Reason.EntryWindowCap);
        wrong.maxAmount = 60;
        next(Reason.DayCap);
        wrong.maxAmount = 40;
        next(Reason.MonthCap);
        wrong.maxAmount = 30;
        next(Reason.LifetimeCap);
        wrong.maxAmount = 20;
        next(Reason.Ceiling);
        wrong.maxAmount = 5;
        next(Reason.Funds);
        wrong.maxAmount = 2;
        next(Reason.ZeroRequestId);
        wrong.requestId = "id";
        next(Reason.ApprovalMissing);
        given = SignedApproval(NOW, hex"00");
        next(Reason.AgentSignature);
        caller = agent;
        next(Reason.ApprovalExpired);
        given.validBefore = NOW + 60;
        next(Reason.ApprovalSignature);
        given = approval(wrong, NOW + 60);
        assertSaid(ask(caller, wrong, "", given), Reason.None, 0, 0);
    }

    /// @dev DayCount lies between caps that are sums, so it takes a day with one payment.
    function test_order_around_the_count_and_a_used_request() public {
        vm.warp(NOW + 10);
        wrong = requestOf(2, "used");
        (wrong.validBefore, wrong.deliverBy) = (NOW + 2 days, NOW + 2 days);
        assertAllowed(wrong);
        caller = stranger;
        wrong.maxAmount = 59;
        next(Reason.EntryWindowCap);
        wrong.maxAmount = 58;
        next(Reason.DayCount);
        wrong.maxAmount = 2;
        last = 0;
        next(Reason.DayCount);
        vm.warp(NOW + 1 days);
        next(Reason.RequestUsed);
    }

    function test_order_of_a_cancelled_request() public {
        vm.warp(NOW + 10);
        wrong = requestOf(2, "cancelled");
        caller = stranger;
        vm.prank(owner);
        mandates.cancelRequest(wrong, "");
        vm.prank(owner);
        mandates.withdraw(mandate, FUNDS - 1, owner);
        next(Reason.Funds);
        fundAs(owner, mandate, 1);
        next(Reason.RequestCancelled);
    }

    function test_order_of_a_revoked_and_expired_mandate() public {
        breakAll();
        wrong.policyVersion = 1;
        vm.warp(NOW + 365 days);
        next(Reason.MandateExpired);
        last = 0;
        vm.prank(owner);
        mandates.pause(mandate);
        next(Reason.Paused);
        last = 0;
        vm.prank(agent);
        mandates.renounce(mandate);
        next(Reason.Revoked);
        last = 0;
        wrong.policyVersion = 2;
        next(Reason.PolicyVersion);
    }
}
