// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation} from "../../src/mandates/Types.sol";
import {ITestDollar} from "../ITestDollar.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Money into a mandate by allowance, by permit and by authorization, and the owner's way out.
contract FundingTest is Outcomes {
    uint256 private constant FUNDER_KEY = 0x0666;
    bytes32 private constant SALT = keccak256("salt");
    uint256 private constant AMOUNT = 70e6;

    address private funder;
    address private vault;

    function setUp() public override {
        super.setUp();
        funder = vm.addr(FUNDER_KEY);
        vault = mandates.vaultOf(owner);
        dollar.mint(funder, 100e6);
    }

    function signed(bytes32 content) private view returns (uint8 v, bytes32 r, bytes32 s) {
        return vm.sign(FUNDER_KEY, keccak256(abi.encodePacked(hex"1901", dollar.DOMAIN_SEPARATOR(), content)));
    }

    function assertHeld(bytes32 id, uint256 balance) private view {
        vm.assertEq(mandates.mandate(id).balance, balance);
    }

    function expectFunded(address from, uint256 amount) private {
        vm.expectEmit(address(mandates));
        emit IMandates.MandateFunded(mandate, from, amount);
    }

    function test_anyone_funds_from_its_allowance() public {
        vm.prank(funder);
        dollar.approve(address(mandates), 100e6);
        expectFunded(funder, AMOUNT);
        vm.prank(funder);
        mandates.fund(mandate, AMOUNT);
        assertHeld(mandate, FUNDS + AMOUNT);
        vm.assertEq(dollar.balanceOf(vault), FUNDS + AMOUNT);
        vm.assertEq(dollar.balanceOf(funder), 30e6);
        vm.assertEq(dollar.balanceOf(address(mandates)), 0);
    }

    function test_nothing_is_ZeroAmount() public {
        assertRefused(funder, abi.encodeCall(IMandates.fund, (mandate, 0)), Reason.ZeroAmount, 0, 1);
        bytes memory data = abi.encodeCall(IMandates.withdraw, (mandate, 0, owner));
        assertRefused(owner, data, Reason.ZeroAmount, 0, 1);
    }

    function test_more_than_the_ledger_holds_is_AmountTooLarge() public {
        uint256 room = type(uint96).max - FUNDS;
        dollar.mint(funder, 2 ** 96);
        vm.prank(funder);
        dollar.approve(address(mandates), type(uint256).max);
        bytes memory data = abi.encodeCall(IMandates.fund, (mandate, room + 1));
        assertRefused(funder, data, Reason.AmountTooLarge, room + 1, room);
        data = abi.encodeCall(IMandates.fund, (mandate, 2 ** 96));
        assertRefused(funder, data, Reason.AmountTooLarge, 2 ** 96, room);
        assertPasses(funder, abi.encodeCall(IMandates.fund, (mandate, room)));
        assertHeld(mandate, type(uint96).max);
        assertRefused(funder, abi.encodeCall(IMandates.fund, (mandate, 1)), Reason.AmountTooLarge, 1, 0);
    }

    /// @dev The vault is the source and the target: nothing arrives.
    function test_money_that_does_not_move_is_TokenDelta() public {
        vm.prank(vault);
        dollar.approve(address(mandates), 5);
        assertRefused(vault, abi.encodeCall(IMandates.fund, (mandate, 5)), Reason.TokenDelta, 0, 5);
    }

    /// @dev What the token says passes through.
    function test_without_allowance_the_token_refuses() public {
        vm.expectRevert(
            abi.encodeWithSelector(ITestDollar.ERC20InsufficientAllowance.selector, address(mandates), 0, 1)
        );
        vm.prank(funder);
        mandates.fund(mandate, 1);
    }

    function permit(uint256 amount) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        return signed(keccak256(abi.encode(typeHash, funder, address(mandates), amount, 0, NOW)));
    }

    function test_funds_with_a_permit() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(AMOUNT);
        expectFunded(funder, AMOUNT);
        vm.prank(funder);
        mandates.fundWithPermit(mandate, AMOUNT, NOW, v, r, s);
        assertHeld(mandate, FUNDS + AMOUNT);
        vm.assertEq(dollar.allowance(funder, address(mandates)), 0);
    }

    function test_a_permit_that_someone_submitted_first_funds_too() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(AMOUNT);
        vm.prank(stranger);
        dollar.permit(funder, address(mandates), AMOUNT, NOW, v, r, s);
        vm.prank(funder);
        mandates.fundWithPermit(mandate, AMOUNT, NOW, v, r, s);
        assertHeld(mandate, FUNDS + AMOUNT);
    }

    /// @dev A permit gives its amount and not more, and a stranger cannot use it for itself.
    function test_a_permit_is_its_signers_alone() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(AMOUNT);
        vm.expectRevert(
            abi.encodeWithSelector(ITestDollar.ERC20InsufficientAllowance.selector, address(mandates), 0, AMOUNT)
        );
        vm.prank(stranger);
        mandates.fundWithPermit(mandate, AMOUNT, NOW, v, r, s);
    }

    function authorization(bytes32 nonce) private view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        (uint8 v, bytes32 r, bytes32 s) =
            signed(keccak256(abi.encode(typeHash, funder, vault, AMOUNT, NOW - 1, NOW + 1, nonce)));
        return abi.encodePacked(r, s, v);
    }

    function fundBy(bytes32 id, bytes32 salt, bytes memory signature) private {
        vm.prank(stranger);
        mandates.fundWithAuthorization(id, funder, AMOUNT, NOW - 1, NOW + 1, salt, signature);
    }

    function test_anyone_sends_an_authorization_once() public {
        vm.assertEq(mandates.fundingNonce(mandate, SALT), keccak256(abi.encode(mandate, SALT)));
        bytes memory signature = authorization(mandates.fundingNonce(mandate, SALT));
        expectFunded(funder, AMOUNT);
        fundBy(mandate, SALT, signature);
        assertHeld(mandate, FUNDS + AMOUNT);
        vm.assertEq(dollar.balanceOf(funder), 30e6);
        vm.expectRevert(
            abi.encodeWithSelector(
                ITestDollar.ERC3009UsedAuthorization.selector, funder, mandates.fundingNonce(mandate, SALT)
            )
        );
        fundBy(mandate, SALT, signature);
    }

    /// @dev Not to another mandate of the same owner, nor under another salt.
    function test_an_authorization_reaches_its_mandate_alone() public {
        Creation memory c = creation();
        c.salt = keccak256("second");
        bytes32 second = createAs(owner, c);
        bytes memory signature = authorization(mandates.fundingNonce(mandate, SALT));
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009InvalidSignature.selector));
        fundBy(second, SALT, signature);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009InvalidSignature.selector));
        fundBy(mandate, keccak256("another"), signature);
        assertHeld(second, 0);
    }

    /// @dev The token gives the money to the vault alone, so that nobody can submit it there past the ledger.
    function test_an_authorization_cannot_be_submitted_to_the_token() public {
        bytes32 nonce = mandates.fundingNonce(mandate, SALT);
        bytes memory signature = authorization(nonce);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC20InvalidReceiver.selector, vault));
        vm.prank(stranger);
        dollar.receiveWithAuthorization(funder, vault, AMOUNT, NOW - 1, NOW + 1, nonce, signature);
        fundBy(mandate, SALT, signature);
        assertHeld(mandate, FUNDS + AMOUNT);
    }

    /// @dev The vault exists from the first money on, by whichever way it comes.
    function test_an_authorization_makes_the_vault() public {
        Creation memory c = creation();
        c.agent = agent;
        bytes32 id = createAs(stranger, c);
        vault = mandates.vaultOf(stranger);
        vm.assertEq(vault.code.length, 0);
        fundBy(id, SALT, authorization(mandates.fundingNonce(id, SALT)));
        vm.assertTrue(vault.code.length > 0);
        assertHeld(id, AMOUNT);
    }

    function test_an_owner_withdraws_what_is_not_reserved() public {
        authorize(requestOf(30e6, "reserved"));
        uint256 free = FUNDS - 30e6;
        bytes memory data = abi.encodeCall(IMandates.withdraw, (mandate, free + 1, stranger));
        assertRefused(owner, data, Reason.Withdrawal, free + 1, free);
        vm.expectEmit(address(mandates));
        emit IMandates.MandateWithdrawn(mandate, stranger, free);
        assertPasses(owner, abi.encodeCall(IMandates.withdraw, (mandate, free, stranger)));
        vm.assertEq(dollar.balanceOf(stranger), free);
        assertHeld(mandate, 30e6);
        data = abi.encodeCall(IMandates.withdraw, (mandate, 1, owner));
        assertRefused(owner, data, Reason.Withdrawal, 1, 0);
    }

    /// @dev Not a credit: the owner chooses another address.
    function test_a_withdrawal_to_a_frozen_address_is_refused_by_the_token() public {
        dollar.freeze(stranger);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.AccountFrozen.selector, stranger));
        vm.prank(owner);
        mandates.withdraw(mandate, 1, stranger);
        assertHeld(mandate, FUNDS);
    }

    /// @dev Two mandates of one owner share a vault and not a balance.
    function test_a_mandate_cannot_take_from_another_in_one_vault() public {
        Creation memory c = creation();
        c.salt = keccak256("second");
        bytes32 second = createAs(owner, c);
        bytes memory data = abi.encodeCall(IMandates.withdraw, (second, 1, owner));
        assertRefused(owner, data, Reason.Withdrawal, 1, 0);
        vm.prank(funder);
        dollar.transfer(vault, 5e6);
        assertRefused(owner, data, Reason.Withdrawal, 1, 0);
        assertHeld(mandate, FUNDS);
    }
}
