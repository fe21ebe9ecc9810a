// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";
import {ITestDollar} from "./ITestDollar.sol";

contract TokenTest is DollarTest {
    function test_words_are_those_of_construction() public view {
        vm.assertEq(dollar.name(), "USDC");
        vm.assertEq(dollar.symbol(), "USDC");
        vm.assertEq(dollar.version(), "2");
        vm.assertEq(dollar.decimals(), 6);
        vm.assertEq(dollar.DOMAIN_SEPARATOR(), separator());
    }

    function test_domain_follows_the_chain() public {
        bytes32 before = dollar.DOMAIN_SEPARATOR();
        vm.chainId(1);
        vm.assertEq(dollar.DOMAIN_SEPARATOR(), separator());
        vm.assertTrue(dollar.DOMAIN_SEPARATOR() != before);
    }

    function test_anyone_mints() public {
        vm.expectEmit(address(dollar));
        emit ITestDollar.Transfer(address(0), PAYEE, 5);
        vm.prank(address(0xF00));
        dollar.mint(PAYEE, 5);
        vm.assertEq(dollar.balanceOf(PAYEE), 5);
        vm.assertEq(dollar.totalSupply(), BALANCE + 5);
    }

    function test_allowance_is_spent() public {
        vm.prank(payer);
        dollar.approve(address(this), 7);
        dollar.transferFrom(payer, PAYEE, 7);
        vm.assertEq(dollar.balanceOf(PAYEE), 7);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC20InsufficientAllowance.selector, address(this), 0, 1));
        dollar.transferFrom(payer, PAYEE, 1);
    }

    function test_frozen_account_neither_sends_nor_receives_until_unfrozen() public {
        vm.expectEmit(address(dollar));
        emit ITestDollar.Frozen(payer);
        dollar.freeze(payer);
        vm.assertTrue(dollar.isFrozen(payer));
        expectFrozen(payer);
        vm.prank(payer);
        dollar.transfer(PAYEE, 1);
        expectFrozen(payer);
        dollar.mint(payer, 1);

        vm.expectEmit(address(dollar));
        emit ITestDollar.Unfrozen(payer);
        dollar.unfreeze(payer);
        vm.prank(payer);
        dollar.transfer(PAYEE, 1);
        vm.assertEq(dollar.balanceOf(PAYEE), 1);
    }

    function testFuzz_transfer_moves_what_is_there_and_nothing_else(uint256 value) public {
        vm.prank(payer);
        if (value > BALANCE) {
            vm.expectRevert(
                abi.encodeWithSelector(ITestDollar.ERC20InsufficientBalance.selector, payer, BALANCE, value)
            );
            dollar.transfer(PAYEE, value);
            value = 0;
        } else {
            dollar.transfer(PAYEE, value);
        }
        vm.assertEq(dollar.balanceOf(PAYEE), value);
        vm.assertEq(dollar.balanceOf(payer), BALANCE - value);
        vm.assertEq(dollar.totalSupply(), BALANCE);
    }
}
