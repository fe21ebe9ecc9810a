// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {MandateView, Payment, PaymentRequest, State} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice From delivery to the provider's money, whole or in parts, and what goes back.
contract CapturesTest is Outcomes {
    string private constant CAPTURE = "Capture(bytes32 payment,uint128 total)";

    function capture(PaymentRequest memory r, uint128 total) private pure returns (bytes memory) {
        return abi.encodeCall(IMandates.capture, (r, total, ""));
    }

    function expectClosed(State state, uint256 paid, uint256 returned) private {
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentClosed(hashRequest(request()), mandate, state, paid, returned);
    }

    function expectCaptured(uint256 amount, uint256 total) private {
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentCaptured(hashRequest(request()), mandate, amount, total);
    }

    function assertMoney(uint256 paid, uint256 reserved) private view {
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(m.balance, FUNDS - paid);
        vm.assertEq(m.reserved, reserved);
        vm.assertEq(dollar.balanceOf(provider), paid);
        vm.assertEq(dollar.balanceOf(m.vault), FUNDS - paid);
    }

    function test_a_delivery_says_when_the_challenge_ends() public {
        authorize(request());
        vm.warp(NOW + 5);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentDelivered(hashRequest(request()), mandate, "receipt", NOW + 5 + 1 days);
        assertPasses(provider, abi.encodeCall(IMandates.deliver, (request(), "receipt", "")));
        vm.assertEq(mandates.payment(hashRequest(request())).since, NOW + 5);
        assertMoney(0, 20e6);
    }

    function test_an_acceptance_pays_all() public {
        deliver(request());
        expectClosed(State.Settled, 20e6, 0);
        assertPasses(owner, abi.encodeCall(IMandates.accept, (request(), "")));
        assertMoney(20e6, 0);
    }

    function test_a_claim_by_a_stranger_pays_the_provider() public {
        deliver(request());
        vm.warp(NOW + 1 days);
        expectClosed(State.Settled, 20e6, 0);
        assertPasses(stranger, abi.encodeCall(IMandates.claim, (request())));
        assertMoney(20e6, 0);
    }

    function test_parts_add_up_to_the_whole() public {
        bytes32 id = deliver(request());
        vm.warp(NOW + 1 days);
        expectCaptured(1, 1);
        assertPasses(provider, capture(request(), 1));
        assertMoney(1, 20e6 - 1);
        assertState(id, State.Delivered);
        expectCaptured(7e6 - 1, 7e6);
        assertPasses(provider, capture(request(), 7e6));
        assertMoney(7e6, 13e6);
        expectCaptured(13e6, 20e6);
        expectClosed(State.Settled, 20e6, 0);
        assertPasses(provider, capture(request(), 20e6));
        assertMoney(20e6, 0);
        vm.assertEq(mandates.payment(id).paid, 20e6);
    }

    function test_a_total_that_is_no_more_is_NothingNew_and_above_all_is_AboveTotal() public {
        deliver(request());
        vm.warp(NOW + 1 days);
        assertRefused(provider, capture(request(), 0), Reason.NothingNew, 0, 0);
        assertPasses(provider, capture(request(), 7e6));
        assertRefused(provider, capture(request(), 7e6), Reason.NothingNew, 7e6, 7e6);
        assertRefused(provider, capture(request(), 7e6 - 1), Reason.NothingNew, 7e6 - 1, 7e6);
        assertRefused(provider, capture(request(), 20e6 + 1), Reason.AboveTotal, 20e6 + 1, 20e6);
        uint128 largest = type(uint128).max;
        assertRefused(provider, capture(request(), largest), Reason.AboveTotal, largest, 20e6);
    }

    /// @dev Who, then the state, then the time, then the amount.
    function test_what_is_wrong_first_is_said_first() public {
        authorize(request());
        uint128 above = 20e6 + 1;
        assertRefused(stranger, capture(request(), above), Reason.NotPermitted, number(stranger), number(provider));
        bytes memory data = capture(request(), above);
        assertRefused(provider, data, Reason.State, uint256(State.Escrowed), uint256(State.Delivered));
        assertPasses(provider, abi.encodeCall(IMandates.deliver, (request(), "receipt", "")));
        assertRefused(provider, data, Reason.ChallengeOpen, NOW, NOW + 1 days);
        vm.warp(NOW + 10 days);
        assertRefused(provider, data, Reason.CaptureClosed, NOW + 10 days, NOW + 10 days);
        vm.warp(NOW + 2 days);
        assertRefused(provider, data, Reason.AboveTotal, above, 20e6);
    }

    /// @dev The total is cumulative, so the same signature again takes nothing more.
    function test_a_relayed_capture_is_good_once_and_for_its_total() public {
        bytes32 id = deliver(request());
        vm.warp(NOW + 1 days);
        bytes memory signature = sign(PROVIDER_KEY, hashOf(CAPTURE, id, 7e6));
        bytes memory data = abi.encodeCall(IMandates.capture, (request(), 7e6, signature));
        bytes memory other = abi.encodeCall(IMandates.capture, (request(), 8e6, signature));
        assertRefused(stranger, other, Reason.Signature, 0, number(provider));
        assertPasses(stranger, data);
        assertRefused(stranger, data, Reason.NothingNew, 7e6, 7e6);
        PaymentRequest memory twin = requestOf(20e6, "twin");
        (twin.validBefore, twin.deliverBy) = (NOW + 2 days, NOW + 2 days);
        deliver(twin);
        vm.warp(NOW + 2 days);
        other = abi.encodeCall(IMandates.capture, (twin, 7e6, signature));
        assertRefused(stranger, other, Reason.Signature, 0, number(provider));
    }

    function test_after_a_part_the_rest_is_claimed_accepted_voided_or_expires() public {
        bytes[4] memory ends = [
            abi.encodeCall(IMandates.claim, (request())),
            abi.encodeCall(IMandates.accept, (request(), "")),
            abi.encodeCall(IMandates.void, (request(), "")),
            abi.encodeCall(IMandates.expire, (request()))
        ];
        address[4] memory callers = [stranger, owner, provider, stranger];
        State[4] memory states = [State.Settled, State.Settled, State.Voided, State.Settled];
        deliver(request());
        vm.warp(NOW + 1 days);
        assertPasses(provider, capture(request(), 7e6));
        for (uint256 i = 0; i < 4; ++i) {
            uint256 before = vm.snapshotState();
            if (i == 3) vm.warp(NOW + 10 days);
            uint256 paid = i < 2 ? 20e6 : 7e6;
            expectClosed(states[i], paid, 20e6 - paid);
            assertPasses(callers[i], ends[i]);
            assertMoney(paid, 0);
            vm.assertEq(mandates.payment(hashRequest(request())).paid, paid);
            vm.assertTrue(vm.revertToState(before));
        }
    }

    function test_what_was_not_delivered_goes_back() public {
        authorize(request());
        vm.warp(NOW + 1 days);
        expectClosed(State.Refunded, 0, 20e6);
        assertPasses(stranger, abi.encodeCall(IMandates.expire, (request())));
        assertMoney(0, 0);
    }

    function test_what_was_not_captured_goes_back() public {
        deliver(request());
        vm.warp(NOW + 10 days);
        expectClosed(State.Refunded, 0, 20e6);
        assertPasses(stranger, abi.encodeCall(IMandates.expire, (request())));
        assertMoney(0, 0);
    }

    function test_a_provider_gives_back_what_is_held() public {
        authorize(request());
        expectClosed(State.Voided, 0, 20e6);
        assertPasses(provider, abi.encodeCall(IMandates.void, (request(), "")));
        assertMoney(0, 0);
    }

    /// @dev Any other field, and no payment has this name.
    function test_another_request_names_no_payment() public {
        deliver(request());
        PaymentRequest memory r = request();
        r.captureBy += 1;
        bytes memory data = abi.encodeCall(IMandates.accept, (r, ""));
        assertRefused(owner, data, Reason.State, uint256(State.None), uint256(State.Delivered));
        r = request();
        r.mandate = keccak256("none");
        data = abi.encodeCall(IMandates.accept, (r, ""));
        assertRefused(owner, data, Reason.NotPermitted, number(owner), 0);
        Payment memory p = mandates.payment(hashRequest(r));
        vm.assertEq(uint256(p.state), uint256(State.None));
    }
}
