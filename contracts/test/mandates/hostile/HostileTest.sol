// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../../src/mandates/IMandates.sol";
import {Reason} from "../../../src/mandates/Reason.sol";
import {Creation, PaymentRequest} from "../../../src/mandates/Types.sol";
import {MandateTest} from "../MandateTest.sol";
import {PlainToken} from "./PlainToken.sol";

/// @notice What the tests of known bug kinds share: mandates in any token, and calls whose refusal is looked at.
abstract contract HostileTest is MandateTest {
    uint256 internal constant PART = 20e6;
    /// @dev The order of secp256k1.
    uint256 internal constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    /// @notice A mandate of `who` like the first one, in another token, with nothing in it.
    function openIn(address who, address token) internal returns (bytes32) {
        Creation memory c = creation();
        (c.token, c.salt) = (token, keccak256(abi.encode(token)));
        return createAs(who, c);
    }

    /// @notice Gives `who` money and the mandates an allowance over it.
    function allow(PlainToken token, address who, uint256 amount) internal {
        token.mint(who, amount);
        vm.prank(who);
        token.approve(address(mandates), amount);
    }

    function filledIn(address who, PlainToken token, uint256 amount) internal returns (bytes32 id) {
        id = openIn(who, address(token));
        allow(token, who, amount);
        vm.prank(who);
        mandates.fund(id, amount);
    }

    function requestIn(bytes32 id) internal view returns (PaymentRequest memory r) {
        r = request();
        (r.mandate, r.token) = (id, mandates.mandate(id).token);
    }

    function creditOf(address token, address recipient) internal view returns (uint256) {
        (uint128 earned, uint128 withdrawn) = mandates.credit(owner, token, recipient);
        return earned - withdrawn;
    }

    function balanceOf(bytes32 id) internal view returns (uint256) {
        return mandates.mandate(id).balance;
    }

    function reservedOf(bytes32 id) internal view returns (uint256) {
        return mandates.mandate(id).reserved;
    }

    /// @notice Calls the mandates with any data and gas.
    function tryAs(address who, bytes memory data, uint256 gas) internal returns (bool isDone, bytes memory answer) {
        vm.prank(who);
        (isDone, answer) = address(mandates).call{gas: gas}(data);
    }

    function tryAs(address who, bytes memory data) internal returns (bool isDone, bytes memory answer) {
        return tryAs(who, data, 20_000_000);
    }

    /// @notice The reason of a refusal; anything else fails the test.
    function reasonIn(bytes memory answer) internal pure returns (Reason reason) {
        vm.assertEq(answer.length, 100);
        vm.assertTrue(bytes4(answer) == IMandates.Refused.selector);
        assembly {
            reason := mload(add(answer, 36))
        }
    }

    function assertRefused(address who, bytes memory data, Reason reason) internal {
        (bool isDone, bytes memory answer) = tryAs(who, data);
        vm.assertFalse(isDone);
        vm.assertEq(uint256(reasonIn(answer)), uint256(reason));
    }

    function split(bytes memory signature) internal pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    /// @notice The same signature in every other form that some verifier somewhere takes.
    function forms(bytes memory signature) internal pure returns (bytes[4] memory others) {
        (bytes32 r, bytes32 s, uint8 v) = split(signature);
        others[0] = abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        others[1] = abi.encodePacked(r, bytes32(uint256(s) | uint256(v - 27) << 255));
        others[2] = abi.encodePacked(r, s, uint8(v - 27));
        others[3] = abi.encodePacked(signature, uint8(0));
    }
}
