// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";
import {ITestDollar} from "./ITestDollar.sol";

/// @notice transferWithAuthorization, each case in both forms of the signature.
contract TransferTest is DollarTest {
    function pays(Form form) private {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        vm.assertFalse(dollar.authorizationState(payer, a.nonce));
        vm.expectEmit(address(dollar));
        emit ITestDollar.AuthorizationUsed(payer, a.nonce);
        vm.expectEmit(address(dollar));
        emit ITestDollar.Transfer(payer, PAYEE, a.value);
        sendTransfer(form, a, signature);
        vm.assertEq(dollar.balanceOf(PAYEE), a.value);
        vm.assertEq(dollar.balanceOf(payer), BALANCE - a.value);
        vm.assertTrue(dollar.authorizationState(payer, a.nonce));
        vm.assertFalse(dollar.authorizationState(PAYEE, a.nonce));
        for (uint8 again = 0; again < 2; ++again) {
            expectUsed(payer, a.nonce);
            sendTransfer(Form(again), a, signature);
        }
    }

    function test_pays_once_split() public {
        pays(Form.Split);
    }

    function test_pays_once_whole() public {
        pays(Form.Whole);
    }

    /// @dev Every field changed after signing, one at a time.
    function edited(Form form) private {
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, authorization()));
        for (uint256 field = 0; field < 6; ++field) {
            Authorization memory a = authorization();
            if (field == 0) a.from = vm.addr(OTHER_KEY);
            if (field == 1) a.to = vm.addr(OTHER_KEY);
            if (field == 2) a.value += 1;
            if (field == 3) a.validAfter -= 1;
            if (field == 4) a.validBefore += 1;
            if (field == 5) a.nonce = keccak256("another");
            expectInvalidSignature();
            sendTransfer(form, a, signature);
        }
    }

    function test_edited_field_is_refused_split() public {
        edited(Form.Split);
    }

    function test_edited_field_is_refused_whole() public {
        edited(Form.Whole);
    }

    function badlySigned(Form form) private {
        Authorization memory a = authorization();
        bytes32 right = digest(TRANSFER, a);
        bytes memory signature = sign(PAYER_KEY, right);
        (, bytes32 r, bytes32 s) = split(signature);
        bytes[5] memory wrong = [
            sign(OTHER_KEY, right),
            sign(PAYER_KEY, digest(RECEIVE, a)),
            twin(signature),
            abi.encodePacked(r, s, uint8(0)),
            new bytes(65)
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            expectInvalidSignature();
            sendTransfer(form, a, wrong[i]);
        }
        vm.chainId(block.chainid + 1);
        expectInvalidSignature();
        sendTransfer(form, a, signature);
    }

    function test_wrong_signature_is_refused_split() public {
        badlySigned(Form.Split);
    }

    function test_wrong_signature_is_refused_whole() public {
        badlySigned(Form.Whole);
    }

    function test_wrong_length_is_refused() public {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        bytes32 compact = bytes32(uint256(s) | (v == 28 ? 1 << 255 : 0));
        bytes[4] memory wrong =
            [bytes(""), abi.encodePacked(r, compact), abi.encodePacked(signature, uint8(0)), abi.encodePacked(r, s)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            expectInvalidSignature();
            sendTransfer(Form.Whole, a, wrong[i]);
        }
    }

    /// @dev validAfter and validBefore themselves are outside the window.
    function test_window_at_the_second() public {
        Authorization memory a = authorization();
        uint256[6] memory moments =
            [a.validAfter - 1, a.validAfter, a.validAfter + 1, a.validBefore - 1, a.validBefore, a.validBefore + 1];
        for (uint256 i = 0; i < moments.length; ++i) {
            vm.warp(moments[i]);
            a.nonce = bytes32(i);
            bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
            bool inside = i == 2 || i == 3;
            if (!inside) expectOutsideWindow(a);
            sendTransfer(i % 2 == 0 ? Form.Split : Form.Whole, a, signature);
            vm.assertTrue(dollar.authorizationState(payer, a.nonce) == inside);
        }
    }

    /// @dev The base would read this window as block numbers, and the current block is inside of it.
    function test_window_is_always_seconds() public {
        Authorization memory a = authorization();
        a.validAfter = 1 << 47;
        a.validBefore = (1 << 47) + 1_000_000;
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        expectOutsideWindow(a);
        sendTransfer(Form.Whole, a, signature);
    }

    function expectOutsideWindow(Authorization memory a) private {
        vm.expectRevert(
            abi.encodeWithSelector(ITestDollar.ERC3009InvalidAuthorizationTime.selector, a.validAfter, a.validBefore)
        );
    }

    function test_frozen_payer_or_payee_keeps_the_nonce() public {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        dollar.freeze(payer);
        expectFrozen(payer);
        sendTransfer(Form.Whole, a, signature);
        dollar.unfreeze(payer);
        dollar.freeze(PAYEE);
        expectFrozen(PAYEE);
        sendTransfer(Form.Split, a, signature);
        dollar.unfreeze(PAYEE);
        sendTransfer(Form.Split, a, signature);
        vm.assertEq(dollar.balanceOf(PAYEE), a.value);
    }

    function testFuzz_pays_what_is_there_and_keeps_the_nonce_otherwise(uint256 value, bytes32 nonce, bool whole)
        public
    {
        Authorization memory a = authorization();
        a.value = value;
        a.nonce = nonce;
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        bool covered = value <= BALANCE;
        if (!covered) {
            vm.expectRevert(
                abi.encodeWithSelector(ITestDollar.ERC20InsufficientBalance.selector, payer, BALANCE, value)
            );
        }
        sendTransfer(whole ? Form.Whole : Form.Split, a, signature);
        vm.assertTrue(dollar.authorizationState(payer, nonce) == covered);
        vm.assertEq(dollar.balanceOf(PAYEE), covered ? value : 0);
        vm.assertEq(dollar.totalSupply(), BALANCE);
    }
}
