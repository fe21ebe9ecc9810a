// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {PaymentRequest, State} from "../../src/mandates/Types.sol";
import {ITestDollar} from "../ITestDollar.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice A payment that its recipient cannot receive is over, and waits as a credit of the recipient's.
contract CreditsTest is Outcomes {
    function setUp() public override {
        super.setUp();
        dollar.freeze(provider);
        PaymentRequest memory r = requestOf(30e6, "frozen");
        deliver(r);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentClosed(hashRequest(r), mandate, State.Settled, 30e6, 0);
        vm.expectEmit(address(mandates));
        emit IMandates.CreditBooked(owner, address(dollar), provider, 30e6);
        vm.prank(owner);
        mandates.accept(r, "");
        assertState(hashRequest(r), State.Settled);
    }

    function withdrawal(address to, uint128 total, bytes memory signature) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.withdrawCredit, (owner, address(dollar), provider, to, total, signature));
    }

    function signed(uint256 key, address to, uint128 total) private view returns (bytes memory) {
        bytes32 typeHash =
            keccak256("CreditWithdrawal(address owner,address token,address recipient,address to,uint128 total)");
        return sign(key, keccak256(abi.encode(typeHash, owner, address(dollar), provider, to, total)));
    }

    function assertCredit(uint256 earned, uint256 withdrawn) private view {
        (uint128 has, uint128 took) = mandates.credit(owner, address(dollar), provider);
        vm.assertEq(has, earned);
        vm.assertEq(took, withdrawn);
    }

    function test_a_credit_is_out_of_the_mandate() public {
        assertCredit(30e6, 0);
        vm.assertEq(mandates.mandate(mandate).balance, FUNDS - 30e6);
        vm.assertEq(mandates.mandate(mandate).reserved, 0);
        bytes memory data = abi.encodeCall(IMandates.withdraw, (mandate, FUNDS - 30e6 + 1, owner));
        assertRefused(owner, data, Reason.Withdrawal, FUNDS - 30e6 + 1, FUNDS - 30e6);
    }

    function test_the_recipient_takes_it_elsewhere_in_parts() public {
        vm.expectEmit(address(mandates));
        emit IMandates.CreditWithdrawn(owner, address(dollar), provider, stranger, 10e6);
        assertPasses(provider, withdrawal(stranger, 10e6, ""));
        assertCredit(30e6, 10e6);
        assertRefused(provider, withdrawal(stranger, 10e6, ""), Reason.NothingNew, 10e6, 10e6);
        assertRefused(provider, withdrawal(stranger, 9e6, ""), Reason.NothingNew, 9e6, 10e6);
        assertRefused(provider, withdrawal(stranger, 30e6 + 1, ""), Reason.Withdrawal, 30e6 + 1, 30e6);
        assertPasses(provider, withdrawal(resolver, 30e6, ""));
        assertCredit(30e6, 30e6);
        vm.assertEq(dollar.balanceOf(stranger), 10e6);
        vm.assertEq(dollar.balanceOf(resolver), 20e6);
        assertRefused(provider, withdrawal(stranger, 30e6, ""), Reason.NothingNew, 30e6, 30e6);
    }

    function test_anyone_relays_the_recipients_signature_once() public {
        bytes memory signature = signed(PROVIDER_KEY, resolver, 30e6);
        assertRefused(stranger, withdrawal(stranger, 30e6, signature), Reason.Signature, 0, number(provider));
        assertRefused(stranger, withdrawal(resolver, 29e6, signature), Reason.Signature, 0, number(provider));
        assertPasses(stranger, withdrawal(resolver, 30e6, signature));
        vm.assertEq(dollar.balanceOf(resolver), 30e6);
        assertRefused(stranger, withdrawal(resolver, 30e6, signature), Reason.NothingNew, 30e6, 30e6);
    }

    function test_others_are_refused() public {
        assertRefused(owner, withdrawal(owner, 1, ""), Reason.NotPermitted, number(owner), number(provider));
        bytes memory signature = signed(OWNER_KEY, owner, 1);
        assertRefused(owner, withdrawal(owner, 1, signature), Reason.Signature, 0, number(provider));
    }

    /// @dev The recipient chooses another address then; its credit stays.
    function test_a_withdrawal_to_a_frozen_address_is_refused_by_the_token() public {
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.AccountFrozen.selector, provider));
        vm.prank(provider);
        mandates.withdrawCredit(owner, address(dollar), provider, provider, 1, "");
        assertCredit(30e6, 0);
    }

    function test_credits_of_several_payments_add_up() public {
        PaymentRequest memory r = requestOf(10e6, "second");
        deliver(r);
        vm.warp(NOW + 1 days);
        vm.prank(provider);
        mandates.capture(r, 4e6, "");
        assertCredit(34e6, 0);
        dollar.unfreeze(provider);
        vm.prank(provider);
        mandates.capture(r, 10e6, "");
        assertCredit(34e6, 0);
        vm.assertEq(dollar.balanceOf(provider), 6e6);
        assertPasses(provider, withdrawal(provider, 34e6, ""));
        vm.assertEq(dollar.balanceOf(provider), 40e6);
    }

    /// @dev Somebody who sends a payment with too little gas for its token does not make a credit of it.
    function test_too_little_gas_for_a_token_is_Gas() public {
        dollar.unfreeze(provider);
        PaymentRequest memory r = requestOf(10e6, "starved");
        deliver(r);
        vm.prank(owner);
        (bool isDone, bytes memory why) =
            address(mandates).call{gas: 300_000}(abi.encodeCall(IMandates.accept, (r, "")));
        vm.assertFalse(isDone);
        (uint256 reason, uint256 got, uint256 limit) = (0, 0, 0);
        assembly {
            reason := mload(add(why, 36))
            got := mload(add(why, 68))
            limit := mload(add(why, 100))
        }
        vm.assertEq(reason, uint256(Reason.Gas));
        vm.assertTrue(got < limit && limit < 400_000);
        assertState(hashRequest(r), State.Delivered);
        assertPasses(owner, abi.encodeCall(IMandates.accept, (r, "")));
        vm.assertEq(dollar.balanceOf(provider), 10e6);
        assertCredit(30e6, 0);
    }
}
