// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";
import {ITestDollar} from "./ITestDollar.sol";

/// @notice receiveWithAuthorization and cancelAuthorization.
contract AuthorizationTest is DollarTest {
    function received(Form form) private {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(RECEIVE, a));
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC20InvalidReceiver.selector, PAYEE));
        sendReceive(form, a, signature);
        vm.prank(PAYEE);
        sendReceive(form, a, signature);
        vm.assertEq(dollar.balanceOf(PAYEE), a.value);
        expectUsed(payer, a.nonce);
        vm.prank(PAYEE);
        sendReceive(form, a, signature);
    }

    function test_only_the_recipient_receives_and_once_split() public {
        received(Form.Split);
    }

    function test_only_the_recipient_receives_and_once_whole() public {
        received(Form.Whole);
    }

    function test_receive_has_a_window_and_a_signature_of_its_own() public {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(RECEIVE, a));
        bytes memory forTransfer = sign(PAYER_KEY, digest(TRANSFER, a));
        expectInvalidSignature();
        vm.prank(PAYEE);
        sendReceive(Form.Split, a, forTransfer);
        vm.warp(a.validBefore);
        vm.expectRevert(
            abi.encodeWithSelector(ITestDollar.ERC3009InvalidAuthorizationTime.selector, a.validAfter, a.validBefore)
        );
        vm.prank(PAYEE);
        sendReceive(Form.Whole, a, signature);
    }

    function cancelled(Form form) private {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        bytes memory cancel = cancellation(PAYER_KEY, payer, a.nonce);
        bytes memory strange = cancellation(OTHER_KEY, payer, a.nonce);
        expectInvalidSignature();
        sendCancel(form, payer, a.nonce, strange);
        vm.expectEmit(address(dollar));
        emit ITestDollar.AuthorizationCanceled(payer, a.nonce);
        sendCancel(form, payer, a.nonce, cancel);
        vm.assertTrue(dollar.authorizationState(payer, a.nonce));
        expectUsed(payer, a.nonce);
        sendTransfer(form, a, signature);
        expectUsed(payer, a.nonce);
        sendCancel(form, payer, a.nonce, cancel);
        vm.assertEq(dollar.balanceOf(payer), BALANCE);
    }

    function test_cancelled_nonce_never_pays_split() public {
        cancelled(Form.Split);
    }

    function test_cancelled_nonce_never_pays_whole() public {
        cancelled(Form.Whole);
    }

    function test_used_nonce_is_not_cancelled() public {
        Authorization memory a = authorization();
        sendTransfer(Form.Whole, a, sign(PAYER_KEY, digest(TRANSFER, a)));
        bytes memory cancel = cancellation(PAYER_KEY, payer, a.nonce);
        expectUsed(payer, a.nonce);
        sendCancel(Form.Whole, payer, a.nonce, cancel);
    }
}
