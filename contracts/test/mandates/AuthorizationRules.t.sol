// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, Entry, MandateView, PaymentRequest, Policy, Terms, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice What a mandate, its times, its terms and its caps allow: the last value that passes and the first that does
/// not. Preview says the same each time.
contract AuthorizationRulesTest is Outcomes {
    function packed(Terms memory t) private pure returns (uint256) {
        return uint256(t.challengePeriod) + uint256(t.resolutionTimeout) * 2 ** 32 + uint256(t.silenceBps) * 2 ** 64
            + number(t.resolver) * 2 ** 80;
    }

    /// @notice A second mandate of the owner's with this policy and 1,000 dollars.
    function mandateWith(Policy memory p) private returns (PaymentRequest memory r) {
        Creation memory c = creation();
        (c.salt, c.policy) = (keccak256("second"), p);
        r = request();
        r.mandate = createAs(owner, c);
        fundAs(owner, r.mandate, 1_000e6);
    }

    function test_an_authorization_reserves_and_counts() public {
        PaymentRequest memory r = request();
        bytes memory signature = sign(AGENT_KEY, hashRequest(r));
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentAuthorized(hashRequest(r), mandate, provider, r, false);
        vm.prank(stranger);
        vm.assertEq(mandates.authorize(r, signature, noApproval()), hashRequest(r));
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(m.balance, FUNDS);
        vm.assertEq(m.reserved, 20e6);
        vm.assertEq(m.lifetimeSpent, 20e6);
        vm.assertEq(m.spent.day, NOW / 1 days);
        vm.assertEq(m.spent.dayCount, 1);
        vm.assertEq(m.spent.daySum, 20e6);
        vm.assertEq(m.spent.monthSum, 20e6);
        vm.assertEq(mandates.payment(hashRequest(r)).since, NOW);
        vm.assertEq(dollar.balanceOf(provider), 0);
    }

    function test_unknown_mandate_is_UnknownMandate() public {
        PaymentRequest memory r = request();
        r.mandate = keccak256("none");
        assertSaid(ask(agent, r, "", noApproval()), Reason.UnknownMandate, uint256(r.mandate), 0);
    }

    function test_another_version_is_PolicyVersion() public {
        PaymentRequest memory r = request();
        r.policyVersion = 2;
        assertRefused(r, Reason.PolicyVersion, 2, 1);
        r.policyVersion = 0;
        assertRefused(r, Reason.PolicyVersion, 0, 1);
    }

    function test_revoked_by_owner_is_Revoked() public {
        vm.prank(owner);
        mandates.revoke(mandate);
        assertRefused(request(), Reason.Revoked, 0, 0);
    }

    function test_renounced_by_agent_is_Revoked() public {
        vm.prank(agent);
        mandates.renounce(mandate);
        assertRefused(request(), Reason.Revoked, 0, 0);
    }

    function test_paused_is_Paused_until_unpaused() public {
        vm.prank(owner);
        mandates.pause(mandate);
        assertRefused(request(), Reason.Paused, 0, 0);
        vm.prank(owner);
        mandates.unpause(mandate);
        assertAllowed(request());
    }

    function test_before_the_mandate_is_MandateNotStarted() public {
        Policy memory p = policy();
        p.validAfter = NOW + 100;
        assertOpensAt(mandateWith(p), NOW + 100, Reason.MandateNotStarted);
    }

    function test_from_its_end_the_mandate_is_MandateExpired() public {
        Policy memory p = policy();
        p.validBefore = NOW + 100;
        assertClosesAt(mandateWith(p), NOW + 100, Reason.MandateExpired);
    }

    function test_another_token_is_Token() public {
        PaymentRequest memory r = request();
        r.token = stranger;
        assertRefused(r, Reason.Token, number(stranger), number(address(dollar)));
    }

    function test_before_the_request_is_RequestNotStarted() public {
        PaymentRequest memory r = request();
        r.validAfter = NOW + 100;
        assertOpensAt(r, NOW + 100, Reason.RequestNotStarted);
    }

    function test_from_its_end_the_request_is_RequestExpired() public {
        PaymentRequest memory r = request();
        r.validBefore = NOW + 100;
        assertClosesAt(r, NOW + 100, Reason.RequestExpired);
    }

    function test_from_the_end_of_delivery_is_DeliverBy() public {
        PaymentRequest memory r = request();
        r.deliverBy = NOW + 100;
        assertClosesAt(r, NOW + 100, Reason.DeliverBy);
    }

    /// @dev One second must be left after the challenge period of a delivery at the last moment.
    function test_capture_before_the_challenge_ends_is_CaptureBy() public {
        PaymentRequest memory r = request();
        uint48 challengeEnds = r.deliverBy + 1 days;
        r.captureBy = challengeEnds - 1;
        assertRefused(r, Reason.CaptureBy, challengeEnds - 1, challengeEnds);
        r.captureBy = challengeEnds;
        assertRefused(r, Reason.CaptureBy, challengeEnds, challengeEnds);
        r.captureBy = challengeEnds + 1;
        assertAllowed(r);
    }

    function test_largest_times_do_not_overflow() public {
        PaymentRequest memory r = request();
        (r.deliverBy, r.captureBy, r.refundBy) = (type(uint48).max, type(uint48).max, type(uint48).max);
        assertRefused(r, Reason.CaptureBy, type(uint48).max, uint256(type(uint48).max) + 1 days);
        r.deliverBy = type(uint48).max - 1 days - 1;
        assertAllowed(r);
    }

    function test_refunds_that_end_before_captures_is_RefundBy() public {
        PaymentRequest memory r = request();
        r.refundBy = r.captureBy - 1;
        assertRefused(r, Reason.RefundBy, r.captureBy - 1, r.captureBy);
        r.refundBy = r.captureBy;
        assertAllowed(r);
    }

    /// @dev Each field alone, and each number holds all four.
    function test_other_terms_are_Terms() public {
        for (uint256 i = 0; i < 4; ++i) {
            PaymentRequest memory r = request();
            if (i == 0) r.terms.challengePeriod -= 1;
            if (i == 1) r.terms.resolutionTimeout += 1;
            if (i == 2) r.terms.silenceBps += 1;
            if (i == 3) r.terms.resolver = stranger;
            assertRefused(r, Reason.Terms, packed(r.terms), packed(terms()));
        }
    }

    function test_zero_recipient_is_ZeroRecipient() public {
        PaymentRequest memory r = request();
        r.recipient = address(0);
        assertRefused(r, Reason.ZeroRecipient, 0, 0);
    }

    function test_zero_service_is_ZeroService() public {
        PaymentRequest memory r = request();
        r.service = 0;
        assertRefused(r, Reason.ZeroService, 0, 0);
    }

    function test_resolver_as_recipient_is_RecipientIsResolver() public {
        PaymentRequest memory r = request();
        r.recipient = resolver;
        assertRefused(r, Reason.RecipientIsResolver, number(resolver), number(resolver));
    }

    function test_other_recipient_or_service_is_NotAllowed() public {
        PaymentRequest memory r = request();
        r.recipient = stranger;
        assertRefused(r, Reason.NotAllowed, number(stranger), uint256(SERVICE));
        (r.recipient, r.service) = (provider, keccak256("other"));
        assertRefused(r, Reason.NotAllowed, number(provider), uint256(keccak256("other")));
    }

    function test_zero_amount_is_ZeroAmount() public {
        assertRefused(requestOf(0, "zero"), Reason.ZeroAmount, 0, 1);
        assertAllowed(requestOf(1, "one"));
    }

    function test_above_the_cap_of_the_entry_is_EntryPaymentCap() public {
        Policy memory p = policy();
        p.paymentCap = 150e6;
        PaymentRequest memory r = mandateWith(p);
        r.maxAmount = 100e6 + 1;
        assertRefused(r, Reason.EntryPaymentCap, 100e6 + 1, 100e6);
        r.maxAmount = type(uint128).max;
        assertRefused(r, Reason.EntryPaymentCap, type(uint128).max, 100e6);
        r.maxAmount = 100e6;
        assertAllowed(r);
    }

    function test_above_the_cap_of_a_payment_is_PaymentCap() public {
        Policy memory p = policy();
        p.paymentCap = 60e6;
        PaymentRequest memory r = mandateWith(p);
        r.maxAmount = 60e6 + 1;
        assertRefused(r, Reason.PaymentCap, 60e6 + 1, 60e6);
        r.maxAmount = 60e6;
        assertAllowed(r);
    }

    function test_above_the_window_of_the_entry_is_EntryWindowCap() public {
        assertAllowed(requestOf(100e6, "a"));
        assertAllowed(requestOf(60e6, "b"));
        assertRefused(requestOf(40e6 + 1, "c"), Reason.EntryWindowCap, 200e6 + 1, 200e6);
        assertAllowed(requestOf(40e6, "d"));
        assertRefused(requestOf(1, "e"), Reason.EntryWindowCap, 200e6 + 1, 200e6);
    }

    function test_one_payment_too_many_is_DayCount() public {
        for (uint256 i = 0; i < 10; ++i) {
            assertAllowed(requestOf(1, keccak256(abi.encode(i))));
        }
        vm.assertEq(mandates.preview(request(), "", noApproval(), agent).remaining.countToday, 0);
        assertRefused(requestOf(1, "eleventh"), Reason.DayCount, 11, 10);
    }

    /// @notice A mandate whose caps of 90 dollars bind before its entry's.
    function sumOf(Policy memory p, Reason reason) private {
        PaymentRequest memory r = mandateWith(p);
        r.maxAmount = 50e6;
        assertAllowed(r);
        (r.maxAmount, r.requestId) = (40e6 + 1, "above");
        assertRefused(r, reason, 90e6 + 1, 90e6);
        r.maxAmount = 40e6;
        assertAllowed(r);
    }

    function test_above_the_day_is_DayCap() public {
        Policy memory p = policy();
        p.dayCap = 90e6;
        sumOf(p, Reason.DayCap);
    }

    function test_above_the_month_is_MonthCap() public {
        Policy memory p = policy();
        p.monthCap = 90e6;
        sumOf(p, Reason.MonthCap);
    }

    function test_above_the_life_is_LifetimeCap() public {
        Policy memory p = policy();
        p.lifetimeCap = 90e6;
        sumOf(p, Reason.LifetimeCap);
    }

    function test_above_the_ceiling_is_Ceiling() public {
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), 90e6);
        sumOf(policy(), Reason.Ceiling);
    }

    function test_more_than_is_free_is_Funds() public {
        vm.prank(owner);
        mandates.withdraw(mandate, FUNDS - 50e6, owner);
        assertAllowed(requestOf(30e6, "first"));
        assertRefused(requestOf(20e6 + 1, "second"), Reason.Funds, 20e6 + 1, 20e6);
        assertAllowed(requestOf(20e6, "second"));
        assertRefused(requestOf(1, "third"), Reason.Funds, 1, 0);
    }

    /// @dev The largest value of a type is no cap, and sums with it never overflow.
    function test_caps_of_the_largest_values_allow_all_that_is_there() public {
        Policy memory p = policy();
        (p.paymentCap, p.dayCap, p.monthCap) = (type(uint96).max, type(uint96).max, type(uint96).max);
        (p.lifetimeCap, p.approvalAbove, p.dayCount) = (type(uint96).max, type(uint96).max, type(uint32).max);
        Creation memory c = creation();
        (c.salt, c.policy) = (keccak256("uncapped"), p);
        c.entries[0] = Entry(address(0), 0, type(uint96).max, type(uint96).max, Window.UtcMonth);
        PaymentRequest memory r = request();
        r.mandate = createAs(owner, c);
        fundAs(owner, r.mandate, type(uint96).max);
        r.maxAmount = uint128(type(uint96).max) + 1;
        assertRefused(r, Reason.EntryPaymentCap, r.maxAmount, type(uint96).max);
        r.maxAmount = type(uint96).max;
        assertAllowed(r);
        r.requestId = "again";
        assertRefused(r, Reason.EntryWindowCap, 2 * uint256(type(uint96).max), type(uint96).max);
    }
}
