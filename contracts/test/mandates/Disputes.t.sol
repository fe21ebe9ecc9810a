// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, MandateView, Payment, PaymentRequest, State, Terms} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Who gets what when the owner disputes, and what a provider gives back later.
contract DisputesTest is Outcomes {
    function resolve(uint128 toProvider) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.resolve, (request(), toProvider, ""));
    }

    function refund(uint128 total) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.refund, (request(), total, ""));
    }

    function expectClosed(State state, uint256 paid) private {
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentClosed(hashRequest(request()), mandate, state, paid, 20e6 - paid);
    }

    function assertMoney(uint256 paid) private view {
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(m.balance, FUNDS - paid);
        vm.assertEq(m.reserved, 0);
        vm.assertEq(dollar.balanceOf(provider), paid);
        vm.assertEq(mandates.payment(hashRequest(request())).paid, paid);
    }

    function test_a_dispute_says_when_the_resolution_ends() public {
        bytes32 id = deliver(request());
        vm.warp(NOW + 5);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentDisputed(id, mandate, "evidence", NOW + 5 + 7 days);
        assertPasses(owner, abi.encodeCall(IMandates.dispute, (request(), "evidence", "")));
        Payment memory p = mandates.payment(id);
        vm.assertTrue(p.hasEvidence);
        vm.assertEq(p.since, NOW + 5);
    }

    function test_a_resolver_gives_none_some_or_all() public {
        bytes32 id = dispute(request());
        uint128[4] memory shares = [uint128(0), 1, 20e6 - 1, 20e6];
        for (uint256 i = 0; i < 4; ++i) {
            uint256 before = vm.snapshotState();
            expectClosed(i == 0 ? State.Refunded : State.Settled, shares[i]);
            assertPasses(resolver, resolve(shares[i]));
            assertMoney(shares[i]);
            assertState(id, i == 0 ? State.Refunded : State.Settled);
            vm.assertTrue(vm.revertToState(before));
        }
        assertRefused(resolver, resolve(20e6 + 1), Reason.AboveTotal, 20e6 + 1, 20e6);
        assertRefused(resolver, resolve(type(uint128).max), Reason.AboveTotal, type(uint128).max, 20e6);
    }

    function test_an_owner_accepts_after_all() public {
        dispute(request());
        expectClosed(State.Settled, 20e6);
        assertPasses(owner, abi.encodeCall(IMandates.accept, (request(), "")));
        assertMoney(20e6);
    }

    function test_a_provider_gives_in() public {
        dispute(request());
        expectClosed(State.Voided, 0);
        assertPasses(provider, abi.encodeCall(IMandates.void, (request(), "")));
        assertMoney(0);
    }

    function test_silence_splits_as_the_terms_say() public {
        dispute(request());
        vm.warp(NOW + 7 days);
        expectClosed(State.TimedOut, 8e6);
        assertPasses(stranger, abi.encodeCall(IMandates.timeOut, (request())));
        assertMoney(8e6);
    }

    /// @dev An owner that names no reason gains nothing by the resolver's silence.
    function test_silence_without_evidence_pays_all() public {
        bytes32 id = deliver(request());
        assertPasses(owner, abi.encodeCall(IMandates.dispute, (request(), 0, "")));
        vm.assertFalse(mandates.payment(id).hasEvidence);
        vm.warp(NOW + 7 days);
        expectClosed(State.TimedOut, 20e6);
        assertPasses(stranger, abi.encodeCall(IMandates.timeOut, (request())));
        assertMoney(20e6);
    }

    /// @dev The provider's part is rounded down, and none is lost.
    function test_silence_rounds_down_to_the_provider() public {
        PaymentRequest memory r = requestOf(9_999, "odd");
        bytes32 id = dispute(r);
        vm.warp(NOW + 7 days);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentClosed(id, mandate, State.TimedOut, 3_999, 6_000);
        assertPasses(stranger, abi.encodeCall(IMandates.timeOut, (r)));
        vm.assertEq(mandates.mandate(mandate).balance, FUNDS - 3_999);
    }

    function test_without_a_resolver_the_terms_decide() public {
        Creation memory c = creation();
        (c.salt, c.policy.terms) = (keccak256("second"), Terms(1 days, 7 days, 0, address(0)));
        PaymentRequest memory r = request();
        (r.mandate, r.terms) = (createAs(owner, c), c.policy.terms);
        fundAs(owner, r.mandate, 20e6);
        bytes32 id = dispute(r);
        bytes memory data = abi.encodeCall(IMandates.resolve, (r, 20e6, ""));
        assertRefused(resolver, data, Reason.NotPermitted, number(resolver), 0);
        data = abi.encodeCall(IMandates.resolve, (r, 20e6, new bytes(65)));
        assertRefused(resolver, data, Reason.Signature, 0, 0);
        vm.warp(NOW + 7 days);
        mandates.timeOut(r);
        assertState(id, State.TimedOut);
        vm.assertEq(dollar.balanceOf(provider), 0);
        vm.assertEq(mandates.mandate(r.mandate).balance, 20e6);
    }

    function settle(uint128 toProvider) private {
        dispute(request());
        assertPasses(resolver, resolve(toProvider));
        vm.prank(provider);
        dollar.approve(address(mandates), 20e6);
    }

    function test_a_provider_refunds_in_parts_what_it_was_paid() public {
        settle(15e6);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentRefunded(hashRequest(request()), mandate, 4e6, 4e6);
        assertPasses(provider, refund(4e6));
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentRefunded(hashRequest(request()), mandate, 11e6, 15e6);
        assertPasses(provider, refund(15e6));
        Payment memory p = mandates.payment(hashRequest(request()));
        vm.assertEq(p.paid, 15e6);
        vm.assertEq(p.refunded, 15e6);
        vm.assertEq(mandates.mandate(mandate).balance, FUNDS);
        vm.assertEq(mandates.mandate(mandate).spent.daySum, 20e6);
        vm.assertEq(dollar.balanceOf(mandates.vaultOf(owner)), FUNDS);
    }

    function test_a_refund_of_nothing_more_is_NothingNew_and_of_more_is_AboveTotal() public {
        settle(15e6);
        assertRefused(provider, refund(0), Reason.NothingNew, 0, 0);
        assertRefused(provider, refund(15e6 + 1), Reason.AboveTotal, 15e6 + 1, 15e6);
        assertPasses(provider, refund(4e6));
        assertRefused(provider, refund(4e6), Reason.NothingNew, 4e6, 4e6);
        assertRefused(provider, refund(3e6), Reason.NothingNew, 3e6, 4e6);
    }

    function test_nothing_was_paid_so_nothing_is_refunded() public {
        settle(0);
        assertRefused(provider, refund(1), Reason.State, uint256(State.Refunded), uint256(State.Settled));
        PaymentRequest memory r = requestOf(20e6, "voided");
        authorize(r);
        assertPasses(provider, abi.encodeCall(IMandates.void, (r, "")));
        assertRefused(provider, abi.encodeCall(IMandates.refund, (r, 1, "")), Reason.AboveTotal, 1, 0);
    }
}
