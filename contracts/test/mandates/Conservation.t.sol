// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {
    Creation,
    Entry,
    MandateView,
    Payment,
    PaymentRequest,
    Policy,
    State,
    Window
} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Whatever amounts, times and ids come, money is neither made nor lost.
contract ConservationTest is Outcomes {
    /// @dev Caps that only the money of the mandate limits.
    function creation() internal view override returns (Creation memory c) {
        c = super.creation();
        c.entries[0] = Entry(address(0), 0, type(uint96).max, type(uint96).max, Window.UtcDay);
    }

    function policy() internal view override returns (Policy memory p) {
        p = super.policy();
        (p.paymentCap, p.dayCap, p.monthCap) = (type(uint96).max, type(uint96).max, type(uint96).max);
        (p.lifetimeCap, p.approvalAbove) = (type(uint96).max, type(uint96).max);
    }

    function requestFor(uint256 amount, bytes32 requestId) private view returns (PaymentRequest memory r) {
        r = requestOf(uint128(bound(amount, 1, FUNDS)), requestId);
        vm.assume(requestId != 0);
    }

    /// @notice All money is in the vault or with the provider, and what is reserved is what this payment holds.
    function assertConserved(PaymentRequest memory r) private view {
        MandateView memory m = mandates.mandate(mandate);
        Payment memory p = mandates.payment(hashRequest(r));
        bool isOpen = p.state == State.Escrowed || p.state == State.Delivered || p.state == State.Disputed;
        vm.assertEq(m.reserved, isOpen ? r.maxAmount - p.paid : 0);
        vm.assertEq(m.balance, FUNDS - p.paid + p.refunded);
        vm.assertEq(dollar.balanceOf(m.vault), m.balance);
        vm.assertEq(dollar.balanceOf(provider), p.paid - p.refunded);
        vm.assertTrue(p.paid <= r.maxAmount && p.refunded <= p.paid);
        vm.assertEq(m.lifetimeSpent, p.state == State.None ? 0 : r.maxAmount);
        vm.assertEq(m.spent.daySum, m.lifetimeSpent);
    }

    function end(PaymentRequest memory r, bytes memory data, address caller) private {
        assertPasses(caller, data);
        assertConserved(r);
        vm.assertEq(mandates.mandate(mandate).reserved, 0);
    }

    /// @dev All of it, and every time as it comes: refused with a reason or reserved, and never a panic.
    function test_fuzz_an_authorization_of_anything(PaymentRequest memory r, uint256 moment) public {
        vm.warp(bound(moment, NOW, NOW + 400 days));
        ask(agent, r, "", noApproval());
        (r.mandate, r.policyVersion, r.token, r.terms) = (mandate, 1, address(dollar), terms());
        Outcome memory said = ask(agent, r, "", noApproval());
        if (said.reason == Reason.None) vm.assertEq(mandates.mandate(mandate).reserved, r.maxAmount);
        else vm.assertEq(mandates.mandate(mandate).reserved, 0);
    }

    function test_fuzz_an_authorization_passes_within_its_window(
        uint256 amount,
        bytes32 requestId,
        uint256 start,
        uint256 length,
        uint256 moment
    ) public {
        PaymentRequest memory r = requestFor(amount, requestId);
        r.validAfter = uint48(bound(start, NOW, NOW + 100 days));
        r.validBefore = r.validAfter + uint48(bound(length, 1, 100 days));
        r.deliverBy = r.validBefore;
        (r.captureBy, r.refundBy) = (r.deliverBy + 2 days, r.deliverBy + 2 days);
        moment = bound(moment, NOW, NOW + 300 days);
        vm.warp(moment);
        Outcome memory said = ask(r);
        if (moment < r.validAfter) assertSaid(said, Reason.RequestNotStarted, moment, r.validAfter);
        else if (moment >= r.validBefore) assertSaid(said, Reason.RequestExpired, moment, r.validBefore);
        else assertSaid(said, Reason.None, 0, 0);
        assertConserved(r);
    }

    function test_fuzz_a_delivery(uint256 amount, bytes32 requestId, uint256 moment) public {
        PaymentRequest memory r = requestFor(amount, requestId);
        assertAllowed(r);
        moment = bound(moment, NOW, NOW + 2 days);
        vm.warp(moment);
        Outcome memory said = tell(provider, abi.encodeCall(IMandates.deliver, (r, requestId, "")));
        if (moment < r.deliverBy) assertSaid(said, Reason.None, 0, 0);
        else assertSaid(said, Reason.DeliveryClosed, moment, r.deliverBy);
        assertConserved(r);
    }

    function test_fuzz_captures(uint256 amount, bytes32 requestId, uint256[4] memory totals, uint256 moment) public {
        PaymentRequest memory r = requestFor(amount, requestId);
        deliverAs(r);
        vm.warp(bound(moment, NOW + 1 days, NOW + 10 days - 1));
        uint256 paid;
        for (uint256 i = 0; i < 4; ++i) {
            uint128 total = uint128(bound(totals[i], 0, uint256(r.maxAmount) + 1));
            bytes memory data = abi.encodeCall(IMandates.capture, (r, total, ""));
            if (paid == r.maxAmount) {
                assertRefused(provider, data, Reason.State, uint256(State.Settled), uint256(State.Delivered));
            } else if (total > r.maxAmount) {
                assertRefused(provider, data, Reason.AboveTotal, total, r.maxAmount);
            } else if (total <= paid) {
                assertRefused(provider, data, Reason.NothingNew, total, paid);
            } else {
                assertPasses(provider, data);
                paid = total;
            }
            vm.assertEq(mandates.payment(hashRequest(r)).paid, paid);
            assertConserved(r);
        }
        if (paid == r.maxAmount) return;
        vm.warp(NOW + 10 days);
        end(r, abi.encodeCall(IMandates.expire, (r)), stranger);
    }

    function test_fuzz_a_resolution_and_refunds(uint256 amount, bytes32 requestId, uint256 share, uint256 refunded)
        public
    {
        PaymentRequest memory r = requestFor(amount, requestId);
        disputeAs(r, "evidence");
        uint128 toProvider = uint128(bound(share, 0, r.maxAmount));
        end(r, abi.encodeCall(IMandates.resolve, (r, toProvider, "")), resolver);
        if (toProvider == 0) return;
        refunded = bound(refunded, 1, toProvider);
        vm.prank(provider);
        dollar.approve(address(mandates), toProvider);
        end(r, abi.encodeCall(IMandates.refund, (r, uint128(refunded), "")), provider);
        if (refunded == toProvider) return;
        end(r, abi.encodeCall(IMandates.refund, (r, toProvider, "")), provider);
    }

    function test_fuzz_a_silent_resolver(uint256 amount, bytes32 requestId, bytes32 evidence, uint256 late) public {
        PaymentRequest memory r = requestFor(amount, requestId);
        disputeAs(r, evidence);
        vm.warp(NOW + 7 days + bound(late, 0, 1000 days));
        end(r, abi.encodeCall(IMandates.timeOut, (r)), stranger);
        uint256 paid = mandates.payment(hashRequest(r)).paid;
        vm.assertEq(paid, evidence == 0 ? r.maxAmount : uint256(r.maxAmount) * 4_000 / 10_000);
    }

    function test_fuzz_an_expiry(uint256 amount, bytes32 requestId, uint256 late) public {
        PaymentRequest memory r = requestFor(amount, requestId);
        assertAllowed(r);
        vm.warp(r.deliverBy + bound(late, 0, 1000 days));
        end(r, abi.encodeCall(IMandates.expire, (r)), stranger);
    }

    function deliverAs(PaymentRequest memory r) private {
        assertAllowed(r);
        assertPasses(provider, abi.encodeCall(IMandates.deliver, (r, "receipt", "")));
        assertConserved(r);
    }

    function disputeAs(PaymentRequest memory r, bytes32 evidence) private {
        deliverAs(r);
        assertPasses(owner, abi.encodeCall(IMandates.dispute, (r, evidence, "")));
        assertConserved(r);
    }
}
