// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Amendment, Creation, Entry, PaymentRequest, SignedApproval} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";

/// @notice Known kinds of bugs: the second on which something begins or is over.
contract BugKindsBoundariesTest is HostileTest {
    /// @dev Whether the call would work at that time; the state stays as it is.
    function works(address who, bytes memory data, uint256 time) private returns (bool isDone) {
        uint256 state = vm.snapshotState();
        vm.warp(time);
        bytes memory answer;
        (isDone, answer) = tryAs(who, data);
        if (!isDone) reasonIn(answer);
        vm.revertToState(state);
    }

    /// @dev Works from `start` on, and not a second before.
    function begins(address who, bytes memory data, uint256 start) private {
        vm.assertFalse(works(who, data, start - 1));
        vm.assertTrue(works(who, data, start));
        vm.assertTrue(works(who, data, start + 1));
    }

    /// @dev Works up to the second before `end`.
    function ends(address who, bytes memory data, uint256 end) private {
        vm.assertTrue(works(who, data, end - 1));
        vm.assertFalse(works(who, data, end));
        vm.assertFalse(works(who, data, end + 1));
    }

    function authorizing(PaymentRequest memory r) private pure returns (bytes memory) {
        return abi.encodeCall(IMandates.authorize, (r, "", noApproval()));
    }

    function test_bug_17_the_mandates_window() public {
        Creation memory c = creation();
        c.salt = "second";
        (c.policy.validAfter, c.policy.validBefore) = (NOW + 100, NOW + 200);
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        begins(agent, authorizing(requestIn(id)), NOW + 100);
        ends(agent, authorizing(requestIn(id)), NOW + 200);
    }

    function test_bug_17_the_requests_window() public {
        PaymentRequest memory r = request();
        (r.validAfter, r.validBefore) = (NOW + 100, NOW + 200);
        begins(agent, authorizing(r), NOW + 100);
        ends(agent, authorizing(r), NOW + 200);
        (r.validBefore, r.deliverBy) = (NOW + 200, NOW + 150);
        ends(agent, authorizing(r), NOW + 150);
    }

    function test_bug_17_the_approvals_window() public {
        PaymentRequest memory r = requestOf(60e6, "large");
        SignedApproval memory a = approval(r, NOW + 100);
        ends(agent, abi.encodeCall(IMandates.authorize, (r, "", a)), NOW + 100);
    }

    /// @dev The latest delivery leaves at least one second to claim, and refunds never end before captures.
    function test_bug_17_the_order_of_a_requests_times() public {
        PaymentRequest memory r = request();
        uint48 challengeEnds = r.deliverBy + r.terms.challengePeriod;
        for (uint48 k = 0; k < 3; ++k) {
            (r.captureBy, r.refundBy) = (challengeEnds - 1 + k, challengeEnds + 10);
            vm.assertTrue(works(agent, authorizing(r), NOW) == (k == 2));
        }
        for (uint48 k = 0; k < 3; ++k) {
            r.refundBy = r.captureBy - 1 + k;
            vm.assertTrue(works(agent, authorizing(r), NOW) == (k > 0));
        }
    }

    function test_bug_17_delivery_or_expiry() public {
        PaymentRequest memory r = request();
        authorize(r);
        ends(provider, abi.encodeCall(IMandates.deliver, (r, 0, "")), r.deliverBy);
        begins(stranger, abi.encodeCall(IMandates.expire, (r)), r.deliverBy);
    }

    /// @dev At no moment both, and none without either, up to captureBy.
    function test_bug_17_dispute_or_claim() public {
        PaymentRequest memory r = request();
        vm.warp(NOW + 77);
        deliver(r);
        uint256 end = NOW + 77 + 1 days;
        ends(owner, abi.encodeCall(IMandates.dispute, (r, 0, "")), end);
        begins(stranger, abi.encodeCall(IMandates.claim, (r)), end);
        begins(provider, abi.encodeCall(IMandates.capture, (r, 1, "")), end);
    }

    function test_bug_17_capture_or_expiry() public {
        PaymentRequest memory r = request();
        deliver(r);
        ends(stranger, abi.encodeCall(IMandates.claim, (r)), r.captureBy);
        ends(provider, abi.encodeCall(IMandates.capture, (r, 1, "")), r.captureBy);
        begins(stranger, abi.encodeCall(IMandates.expire, (r)), r.captureBy);
    }

    function test_bug_17_resolution_or_timeout() public {
        PaymentRequest memory r = request();
        dispute(r);
        ends(resolver, abi.encodeCall(IMandates.resolve, (r, 1, "")), NOW + 7 days);
        begins(stranger, abi.encodeCall(IMandates.timeOut, (r)), NOW + 7 days);
    }

    function test_bug_17_the_refunds_window() public {
        PaymentRequest memory r = request();
        deliver(r);
        vm.prank(owner);
        mandates.accept(r, "");
        vm.prank(provider);
        dollar.approve(address(mandates), PART);
        ends(provider, abi.encodeCall(IMandates.refund, (r, 1, "")), r.refundBy);
    }

    function test_bug_17_the_wait_of_an_amendment() public {
        Amendment memory a = Amendment(1, policy(), new Entry[](0));
        a.policy.dayCap += 1;
        vm.prank(owner);
        mandates.amend(mandate, a);
        begins(stranger, abi.encodeCall(IMandates.applyAmendment, (mandate, a)), NOW + 1 days);
    }

    function test_bug_17_the_wait_of_a_raised_ceiling() public {
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), 10e6);
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), 20e6);
        PaymentRequest memory r = request();
        (r.validBefore, r.deliverBy) = (NOW + 2 days, NOW + 2 days);
        begins(agent, authorizing(r), NOW + 24 hours);
        vm.assertEq(uint256(mandates.preview(r, "", noApproval(), agent).reason), uint256(Reason.Ceiling));
    }
}
