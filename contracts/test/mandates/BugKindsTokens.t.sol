// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, PaymentRequest, State} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {Oddity, OddToken} from "./hostile/OddToken.sol";
import {PlainToken} from "./hostile/PlainToken.sol";
import {RebasingToken} from "./hostile/RebasingToken.sol";

/// @notice Known kinds of bugs: tokens that do other things than move an amount.
contract BugKindsTokensTest is HostileTest {
    OddToken private odd;
    bytes32 private id;

    function setUp() public override {
        super.setUp();
        odd = new OddToken();
        id = filledIn(owner, odd, 100e6);
    }

    function refuseFunding(Oddity oddity, uint256 arrived) private {
        odd.set(oddity);
        allow(odd, owner, 50e6);
        expectRefusal(Reason.TokenDelta, arrived, 50e6);
        vm.prank(owner);
        mandates.fund(id, 50e6);
        vm.assertEq(balanceOf(id), 100e6);
        vm.assertEq(odd.balanceOf(mandates.vaultOf(owner)), 100e6);
    }

    /// @dev The payment is over, and its amount waits for the provider; the owner cannot have it.
    function creditInstead(Oddity oddity) private {
        PaymentRequest memory r = requestIn(id);
        bytes32 payment = deliver(r);
        odd.set(oddity);
        vm.prank(owner);
        mandates.accept(r, "");
        assertState(payment, State.Settled);
        vm.assertEq(creditOf(address(odd), provider), PART);
        vm.assertEq(odd.balanceOf(provider), 0);
        vm.assertEq(balanceOf(id), 80e6);
        vm.assertEq(reservedOf(id), 0);
        vm.assertEq(odd.balanceOf(mandates.vaultOf(owner)), 100e6);
        odd.set(Oddity.None);
        assertRefused(owner, abi.encodeCall(IMandates.withdraw, (id, 80e6 + 1, owner)), Reason.Withdrawal);
        vm.prank(provider);
        mandates.withdrawCredit(owner, address(odd), provider, stranger, uint128(PART), "");
        vm.assertEq(odd.balanceOf(stranger), PART);
    }

    function refuseWithdrawal(Oddity oddity) private {
        odd.set(oddity);
        (bool isDone,) = tryAs(owner, abi.encodeCall(IMandates.withdraw, (id, 50e6, owner)));
        vm.assertFalse(isDone);
        vm.assertEq(balanceOf(id), 100e6);
        vm.assertEq(odd.balanceOf(mandates.vaultOf(owner)), 100e6);
    }

    function test_bug_01_fee_on_transfer_is_not_funded() public {
        refuseFunding(Oddity.FeeFromReceiver, 49.5e6);
    }

    function test_bug_01_a_fee_that_begins_later_is_never_taken_from_others() public {
        refuseWithdrawal(Oddity.FeeFromSender);
        creditInstead(Oddity.FeeFromSender);
    }

    /// @dev What the issuer takes from the provider on the way is between those two: exactly the amount left the vault.
    function test_bug_01_a_fee_from_the_provider_leaves_the_vault_exact() public {
        PaymentRequest memory r = requestIn(id);
        deliver(r);
        odd.set(Oddity.FeeFromReceiver);
        vm.prank(owner);
        mandates.accept(r, "");
        vm.assertEq(odd.balanceOf(provider), PART - PART / 100);
        vm.assertEq(odd.balanceOf(mandates.vaultOf(owner)), 80e6);
        vm.assertEq(creditOf(address(odd), provider), 0);
    }

    function test_bug_02_rebasing_down_hurts_its_own_vault_alone() public {
        RebasingToken shrinking = new RebasingToken();
        bytes32 mine = filledIn(owner, shrinking, 100e6);
        bytes32 others = filledIn(stranger, shrinking, 100e6);
        shrinking.rebase(99);
        uint256 healthy = shrinking.balanceOf(mandates.vaultOf(owner));
        vm.assertEq(healthy, 99e6);
        (bool isDone,) = tryAs(owner, abi.encodeCall(IMandates.withdraw, (mine, 100e6, owner)));
        vm.assertFalse(isDone);
        vm.prank(owner);
        mandates.withdraw(mine, 99e6, owner);
        vm.assertEq(shrinking.balanceOf(owner), 99e6);
        vm.assertEq(shrinking.balanceOf(mandates.vaultOf(stranger)), 99e6);
        vm.prank(stranger);
        mandates.withdraw(others, 99e6, stranger);
        vm.assertEq(shrinking.balanceOf(stranger), 99e6);
    }

    function test_bug_13_blocked_recipient_gets_a_credit() public {
        PaymentRequest memory r = request();
        bytes32 payment = deliver(r);
        dollar.freeze(provider);
        vm.warp(NOW + 1 days);
        mandates.claim(r);
        assertState(payment, State.Settled);
        vm.assertEq(reservedOf(mandate), 0);
        vm.assertEq(balanceOf(mandate), FUNDS - PART);
        vm.assertEq(creditOf(address(dollar), provider), PART);
        uint256 tooMuch = FUNDS - PART + 1;
        assertRefused(owner, abi.encodeCall(IMandates.withdraw, (mandate, tooMuch, owner)), Reason.Withdrawal);
        bytes memory take =
            abi.encodeCall(IMandates.withdrawCredit, (owner, address(dollar), provider, owner, uint128(PART), ""));
        assertRefused(owner, take, Reason.NotPermitted);
        bytes memory more = abi.encodeCall(
            IMandates.withdrawCredit, (owner, address(dollar), provider, stranger, uint128(PART) + 1, "")
        );
        assertRefused(provider, more, Reason.Withdrawal);
        vm.prank(owner);
        mandates.withdraw(mandate, FUNDS - PART, owner);
        dollar.unfreeze(provider);
        vm.prank(provider);
        mandates.withdrawCredit(owner, address(dollar), provider, provider, uint128(PART), "");
        vm.assertEq(dollar.balanceOf(provider), PART);
    }

    /// @dev Still blocked, the recipient sends a relayer with a signature that names another address.
    function test_bug_13_a_credit_goes_once_where_its_recipient_signed() public {
        PaymentRequest memory r = request();
        deliver(r);
        dollar.freeze(provider);
        vm.prank(owner);
        mandates.accept(r, "");
        bytes32 typeHash =
            keccak256("CreditWithdrawal(address owner,address token,address recipient,address to,uint128 total)");
        bytes32 content = keccak256(abi.encode(typeHash, owner, dollar, provider, stranger, PART));
        bytes memory signature = sign(PROVIDER_KEY, content);
        bytes memory elsewhere = abi.encodeCall(
            IMandates.withdrawCredit, (owner, address(dollar), provider, owner, uint128(PART), signature)
        );
        assertRefused(owner, elsewhere, Reason.Signature);
        mandates.withdrawCredit(owner, address(dollar), provider, stranger, uint128(PART), signature);
        vm.assertEq(dollar.balanceOf(stranger), PART);
        expectRefusal(Reason.NothingNew, PART, PART);
        mandates.withdrawCredit(owner, address(dollar), provider, stranger, uint128(PART), signature);
    }

    function test_bug_14_frozen_vault_of_one_owner_leaves_the_others() public {
        Creation memory c = creation();
        bytes32 others = createAs(stranger, c);
        fundAs(stranger, others, 100e6);
        vm.assertTrue(mandates.vaultOf(owner) != mandates.vaultOf(stranger));
        PaymentRequest memory mine = request();
        bytes32 payment = deliver(mine);
        PaymentRequest memory theirs = requestIn(others);
        deliver(theirs);
        dollar.freeze(mandates.vaultOf(owner));
        vm.prank(stranger);
        mandates.accept(theirs, "");
        vm.assertEq(dollar.balanceOf(provider), PART);
        vm.prank(owner);
        mandates.accept(mine, "");
        assertState(payment, State.Settled);
        vm.assertEq(creditOf(address(dollar), provider), PART);
    }

    function test_bug_14_wiped_vault_of_one_owner_leaves_the_others() public {
        PlainToken plain = new PlainToken();
        bytes32 mine = filledIn(owner, plain, 100e6);
        bytes32 others = filledIn(stranger, plain, 100e6);
        PaymentRequest memory r = requestIn(mine);
        bytes32 payment = deliver(r);
        plain.wipe(mandates.vaultOf(owner));
        vm.prank(owner);
        mandates.accept(r, "");
        assertState(payment, State.Settled);
        vm.assertEq(creditOf(address(plain), provider), PART);
        vm.assertEq(plain.balanceOf(mandates.vaultOf(stranger)), 100e6);
        vm.prank(stranger);
        mandates.withdraw(others, 100e6, stranger);
    }

    function test_bug_15_a_token_without_answers_works() public {
        odd.set(Oddity.NoAnswer);
        allow(odd, owner, 50e6);
        vm.prank(owner);
        mandates.fund(id, 50e6);
        PaymentRequest memory r = requestIn(id);
        deliver(r);
        vm.prank(owner);
        mandates.accept(r, "");
        vm.assertEq(odd.balanceOf(provider), PART);
        vm.prank(provider);
        odd.approve(address(mandates), PART);
        vm.prank(provider);
        mandates.refund(r, uint128(PART), "");
        vm.prank(owner);
        mandates.withdraw(id, 150e6, owner);
        vm.assertEq(odd.balanceOf(owner), 150e6);
    }

    function test_bug_15_a_token_that_answers_false_moves_nothing() public {
        refuseWithdrawal(Oddity.AnswersFalse);
        creditInstead(Oddity.AnswersFalse);
        odd.set(Oddity.AnswersFalse);
        allow(odd, owner, 50e6);
        (bool isDone,) = tryAs(owner, abi.encodeCall(IMandates.fund, (id, 50e6)));
        vm.assertFalse(isDone);
    }

    function test_bug_15_a_token_with_a_long_answer_works() public {
        odd.set(Oddity.LongAnswer);
        vm.prank(owner);
        mandates.withdraw(id, 100e6, owner);
        vm.assertEq(odd.balanceOf(owner), 100e6);
    }

    function test_bug_16_an_address_without_code_is_no_token() public {
        Creation memory c = creation();
        c.salt = keccak256("second");
        address[2] memory wrong = [stranger, address(mandates)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            c.token = wrong[i];
            expectRefusal(Reason.NoToken, number(wrong[i]), 0);
            vm.prank(owner);
            mandates.create(c);
        }
    }

    function test_bug_16_a_token_that_is_upgraded_to_move_nothing() public {
        refuseFunding(Oddity.MovesNothing, 0);
        refuseWithdrawal(Oddity.MovesNothing);
        creditInstead(Oddity.MovesNothing);
    }

    function test_bug_16_a_token_that_is_upgraded_to_move_half() public {
        refuseFunding(Oddity.MovesHalf, 25e6);
        refuseWithdrawal(Oddity.MovesHalf);
        creditInstead(Oddity.MovesHalf);
    }

    function test_bug_16_a_token_that_is_upgraded_to_revert() public {
        refuseWithdrawal(Oddity.Reverts);
        creditInstead(Oddity.Reverts);
    }

    function test_bug_16_a_token_that_is_upgraded_to_burn_gas() public {
        creditInstead(Oddity.BurnsGas);
    }

    function test_bug_16_a_token_that_is_upgraded_to_revert_at_length() public {
        creditInstead(Oddity.LongRevert);
    }

    function test_bug_16_a_token_that_vanishes_pays_when_it_is_back() public {
        PaymentRequest memory r = requestIn(id);
        bytes32 payment = deliver(r);
        bytes memory code = address(odd).code;
        vm.etch(address(odd), "");
        vm.prank(owner);
        mandates.accept(r, "");
        assertState(payment, State.Settled);
        vm.assertEq(creditOf(address(odd), provider), PART);
        bytes[2] memory calls =
            [abi.encodeCall(IMandates.withdraw, (id, 80e6, owner)), abi.encodeCall(IMandates.fund, (id, 1))];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone,) = tryAs(owner, calls[i]);
            vm.assertFalse(isDone);
        }
        vm.etch(address(odd), code);
        vm.prank(provider);
        mandates.withdrawCredit(owner, address(odd), provider, provider, uint128(PART), "");
        vm.assertEq(odd.balanceOf(provider), PART);
    }
}
