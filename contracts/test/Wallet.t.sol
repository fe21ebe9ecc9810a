// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";

interface ITestWallet {
    function owner() external view returns (address);
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// @notice Answers every question with the bytes that it was made with.
contract Oddity {
    bytes private answer;

    constructor(bytes memory answer_) {
        answer = answer_;
    }

    fallback() external {
        bytes memory words = answer;
        assembly {
            return(add(words, 32), mload(words))
        }
    }
}

/// @notice Contracts as payers.
contract WalletTest is DollarTest {
    bytes4 private constant VALID = 0x1626ba7e;

    ITestWallet private wallet;

    function setUp() public override {
        super.setUp();
        wallet = ITestWallet(vm.deployCode("TestWallet.sol:TestWallet", abi.encode(payer)));
        dollar.mint(address(wallet), BALANCE);
    }

    function fromWallet() private view returns (Authorization memory a) {
        a = authorization();
        a.from = address(wallet);
    }

    function test_wallet_says_yes_to_its_owner_alone() public view {
        bytes32 hash = keccak256("anything");
        bytes memory signature = sign(PAYER_KEY, hash);
        vm.assertEq(wallet.owner(), payer);
        vm.assertTrue(wallet.isValidSignature(hash, signature) == VALID);
        bytes[4] memory wrong = [sign(OTHER_KEY, hash), twin(signature), bytes(""), new bytes(65)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.assertTrue(wallet.isValidSignature(hash, wrong[i]) == 0xffffffff);
        }
        vm.assertTrue(wallet.isValidSignature(keccak256("other"), signature) == 0xffffffff);
    }

    /// @dev A signature that cannot be recovered recovers to nobody, who must not own a wallet by that.
    function test_wallet_of_nobody_says_no() public {
        ITestWallet nobodys = ITestWallet(vm.deployCode("TestWallet.sol:TestWallet", abi.encode(address(0))));
        vm.assertTrue(nobodys.isValidSignature(keccak256("anything"), new bytes(65)) == 0xffffffff);
    }

    function test_wallet_pays_in_both_forms() public {
        for (uint8 form = 0; form < 2; ++form) {
            Authorization memory a = fromWallet();
            a.nonce = bytes32(uint256(form));
            sendTransfer(Form(form), a, sign(PAYER_KEY, digest(TRANSFER, a)));
            vm.assertTrue(dollar.authorizationState(address(wallet), a.nonce));
        }
        vm.assertEq(dollar.balanceOf(PAYEE), 2 * authorization().value);
        vm.assertEq(dollar.balanceOf(payer), BALANCE);
    }

    function test_wallet_does_not_pay_for_a_stranger() public {
        Authorization memory a = fromWallet();
        bytes memory signature = sign(OTHER_KEY, digest(TRANSFER, a));
        expectInvalidSignature();
        sendTransfer(Form.Whole, a, signature);
    }

    function test_wallet_cancels() public {
        Authorization memory a = fromWallet();
        sendCancel(Form.Whole, a.from, a.nonce, cancellation(PAYER_KEY, a.from, a.nonce));
        vm.assertTrue(dollar.authorizationState(a.from, a.nonce));
    }

    /// @dev With code at its address, the account's own key does not count: it is asked as a contract.
    function test_account_with_code_answers_as_a_contract() public {
        Authorization memory a = authorization();
        bytes memory signature = sign(PAYER_KEY, digest(TRANSFER, a));
        vm.etch(payer, address(new Oddity("")).code);
        for (uint8 form = 0; form < 2; ++form) {
            expectInvalidSignature();
            sendTransfer(Form(form), a, signature);
        }
    }

    function test_odd_answer_is_a_no() public {
        bytes[4] memory answers =
            [bytes(""), abi.encodePacked(VALID), abi.encode(bytes4(0xffffffff)), abi.encode(uint256(uint32(VALID)))];
        for (uint256 i = 0; i < answers.length; ++i) {
            Authorization memory a = authorization();
            a.from = address(new Oddity(answers[i]));
            expectInvalidSignature();
            sendTransfer(Form.Whole, a, "");
        }
        Authorization memory right = authorization();
        right.from = address(new Oddity(abi.encode(VALID)));
        dollar.mint(right.from, right.value);
        sendTransfer(Form.Whole, right, "");
        vm.assertEq(dollar.balanceOf(PAYEE), right.value);
    }
}
