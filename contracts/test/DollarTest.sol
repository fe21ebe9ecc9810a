// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {ITestDollar} from "./ITestDollar.sol";
import {Vm} from "./Vm.sol";

/// @notice A dollar, a payer with money, and the payer's signatures, computed from the text of the standards.
abstract contract DollarTest {
    /// @notice The two forms in which a contract takes a signature.
    enum Form {
        Split,
        Whole
    }

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    /// @dev forge listens at the address of this hash.
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    string internal constant TRANSFER = "TransferWithAuthorization";
    string internal constant RECEIVE = "ReceiveWithAuthorization";
    uint256 internal constant PAYER_KEY = 0xA11CE;
    uint256 internal constant OTHER_KEY = 0xB0B;
    address internal constant PAYEE = address(0xCAFE);
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant BALANCE = 1_000e6;
    /// @dev The order of secp256k1.
    uint256 internal constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    ITestDollar internal dollar;
    address internal payer;

    function setUp() public virtual {
        vm.warp(NOW);
        dollar = ITestDollar(vm.deployCode("TestDollar.sol:TestDollar", abi.encode("USDC", "2")));
        payer = vm.addr(PAYER_KEY);
        dollar.mint(payer, BALANCE);
    }

    /// @notice Valid for the ten minutes around now.
    function authorization() internal view returns (Authorization memory) {
        return Authorization(payer, PAYEE, 10_000, NOW - 300, NOW + 300, keccak256("nonce"));
    }

    function separator() internal view returns (bytes32) {
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(typeHash, keccak256("USDC"), keccak256("2"), block.chainid, address(dollar)));
    }

    function digest(bytes32 content) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separator(), content));
    }

    /// @param kind the name of the struct, `TRANSFER` or `RECEIVE`
    function digest(string memory kind, Authorization memory a) internal view returns (bytes32) {
        string memory fields =
            "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
        bytes32 typeHash = keccak256(abi.encodePacked(kind, fields));
        return digest(keccak256(abi.encode(typeHash, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce)));
    }

    function sign(uint256 key, bytes32 hash) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hash);
        return abi.encodePacked(r, s, v);
    }

    function split(bytes memory signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    /// @notice The same signature with the other of the two values of s that the curve accepts.
    function twin(bytes memory signature) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        return abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    }

    function sendTransfer(Form form, Authorization memory a, bytes memory signature) internal {
        if (form == Form.Whole) {
            dollar.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
        } else {
            (uint8 v, bytes32 r, bytes32 s) = split(signature);
            dollar.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, v, r, s);
        }
    }

    function sendReceive(Form form, Authorization memory a, bytes memory signature) internal {
        if (form == Form.Whole) {
            dollar.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
        } else {
            (uint8 v, bytes32 r, bytes32 s) = split(signature);
            dollar.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, v, r, s);
        }
    }

    function sendCancel(Form form, address authorizer, bytes32 nonce, bytes memory signature) internal {
        if (form == Form.Whole) {
            dollar.cancelAuthorization(authorizer, nonce, signature);
        } else {
            (uint8 v, bytes32 r, bytes32 s) = split(signature);
            dollar.cancelAuthorization(authorizer, nonce, v, r, s);
        }
    }

    /// @notice Signs the cancellation of a nonce.
    function cancellation(uint256 key, address authorizer, bytes32 nonce) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
        return sign(key, digest(keccak256(abi.encode(typeHash, authorizer, nonce))));
    }

    function expectInvalidSignature() internal {
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009InvalidSignature.selector));
    }

    function expectUsed(address authorizer, bytes32 nonce) internal {
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009UsedAuthorization.selector, authorizer, nonce));
    }

    function expectFrozen(address account) internal {
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.AccountFrozen.selector, account));
    }
}
