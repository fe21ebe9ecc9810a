// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";
import {ITestDollar} from "./ITestDollar.sol";

contract PermitTest is DollarTest {
    address private constant SPENDER = address(0x5E4D);

    function signed(uint256 key, uint256 value, uint256 nonce, uint256 deadline) private view returns (bytes memory) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        return sign(key, digest(keccak256(abi.encode(typeHash, payer, SPENDER, value, nonce, deadline))));
    }

    function send(Form form, uint256 value, uint256 deadline, bytes memory signature) private {
        if (form == Form.Whole) {
            dollar.permit(payer, SPENDER, value, deadline, signature);
        } else {
            (uint8 v, bytes32 r, bytes32 s) = split(signature);
            dollar.permit(payer, SPENDER, value, deadline, v, r, s);
        }
    }

    function expectRefused() private {
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.PermitInvalidSignature.selector));
    }

    function permitted(Form form) private {
        bytes memory signature = signed(PAYER_KEY, 500, 0, NOW);
        vm.expectEmit(address(dollar));
        emit ITestDollar.Approval(payer, SPENDER, 500);
        send(form, 500, NOW, signature);
        vm.assertEq(dollar.allowance(payer, SPENDER), 500);
        vm.assertEq(dollar.nonces(payer), 1);
        expectRefused();
        send(form, 500, NOW, signature);
        vm.prank(SPENDER);
        dollar.transferFrom(payer, PAYEE, 500);
        vm.assertEq(dollar.balanceOf(PAYEE), 500);
    }

    function test_permits_once_split() public {
        permitted(Form.Split);
    }

    function test_permits_once_whole() public {
        permitted(Form.Whole);
    }

    /// @dev The deadline itself is inside.
    function test_deadline_at_the_second() public {
        for (uint256 i = 0; i < 3; ++i) {
            uint256 deadline = NOW - 1 + i;
            bytes memory signature = signed(PAYER_KEY, i, dollar.nonces(payer), deadline);
            if (i == 0) vm.expectRevert(abi.encodeWithSelector(ITestDollar.PermitExpired.selector, deadline));
            send(Form.Split, i, deadline, signature);
        }
        vm.assertEq(dollar.nonces(payer), 2);
    }

    function test_wrong_permit_is_refused_and_keeps_the_nonce() public {
        bytes memory right = signed(PAYER_KEY, 500, 0, NOW);
        bytes[5] memory wrong = [
            signed(OTHER_KEY, 500, 0, NOW),
            signed(PAYER_KEY, 501, 0, NOW),
            signed(PAYER_KEY, 500, 1, NOW),
            signed(PAYER_KEY, 500, 0, NOW + 1),
            twin(right)
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            expectRefused();
            send(i % 2 == 0 ? Form.Split : Form.Whole, 500, NOW, wrong[i]);
        }
        vm.assertEq(dollar.nonces(payer), 0);
        vm.assertEq(dollar.allowance(payer, SPENDER), 0);
        send(Form.Split, 500, NOW, right);
    }
}
