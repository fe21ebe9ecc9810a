// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PaymentRequest, Preview, State} from "../../src/mandates/Types.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {MandateTest} from "./MandateTest.sol";

/// @notice The straight ways through a payment's life.
contract StoryTest is MandateTest {
    function test_a_delivered_payment_is_accepted_and_paid() public {
        bytes32 id = deliver(request());
        vm.prank(owner);
        mandates.accept(request(), "");
        assertState(id, State.Settled);
        vm.assertEq(dollar.balanceOf(provider), 20e6);
        vm.assertEq(uint256(mandates.mandate(mandate).balance), FUNDS - 20e6);
        vm.assertEq(uint256(mandates.mandate(mandate).reserved), 0);
    }

    function test_a_preview_says_what_the_call_would() public view {
        Preview memory p = mandates.preview(request(), "", noApproval(), agent);
        vm.assertEq(uint256(p.reason), uint256(Reason.None));
        vm.assertEq(p.payment, hashRequest(request()));
        vm.assertEq(p.remaining.available, FUNDS);
        vm.assertEq(p.remaining.entryWindow, 200e6);
    }

    function test_an_undelivered_payment_goes_back() public {
        bytes32 id = authorize(request());
        vm.warp(NOW + 1 days);
        mandates.expire(request());
        assertState(id, State.Refunded);
        vm.assertEq(uint256(mandates.mandate(mandate).reserved), 0);
    }

    function test_parts_are_captured_after_the_challenge_period() public {
        bytes32 id = deliver(request());
        vm.warp(NOW + 1 days);
        vm.prank(provider);
        mandates.capture(request(), 5e6, "");
        bytes memory signature = sign(PROVIDER_KEY, hashOf("Capture(bytes32 payment,uint128 total)", id, 20e6));
        mandates.capture(request(), 20e6, signature);
        assertState(id, State.Settled);
        vm.assertEq(dollar.balanceOf(provider), 20e6);
    }

    function test_a_silent_resolver_leaves_the_split_of_the_terms() public {
        bytes32 id = dispute(request());
        vm.warp(NOW + 7 days);
        mandates.timeOut(request());
        assertState(id, State.TimedOut);
        vm.assertEq(dollar.balanceOf(provider), 8e6);
    }
}
