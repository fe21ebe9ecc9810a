// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {PaymentRequest, Preview, SignedApproval, State} from "../../src/mandates/Types.sol";
import {MandateTest} from "./MandateTest.sol";

/// @notice What the contract says to a call, as a value that a test can compare.
abstract contract Outcomes is MandateTest {
    /// @notice The reason is None when the call passed.
    struct Outcome {
        Reason reason;
        uint256 got;
        uint256 limit;
    }

    /// @dev Fails where the call reverts with anything but `Refused`.
    function tell(address caller, bytes memory data) internal returns (Outcome memory said) {
        vm.prank(caller);
        (bool isDone, bytes memory why) = address(mandates).call(data);
        if (isDone) return said;
        vm.assertEq(why.length, 100);
        (uint256 word, uint256 reason, uint256 got, uint256 limit) = (0, 0, 0, 0);
        assembly {
            word := mload(add(why, 32))
            reason := mload(add(why, 36))
            got := mload(add(why, 68))
            limit := mload(add(why, 100))
        }
        vm.assertTrue(bytes4(bytes32(word)) == IMandates.Refused.selector);
        vm.assertTrue(reason > 0 && reason <= uint256(type(Reason).max));
        return Outcome(Reason(reason), got, limit);
    }

    function assertSaid(Outcome memory said, Reason reason, uint256 got, uint256 limit) internal pure {
        vm.assertEq(uint256(said.reason), uint256(reason));
        vm.assertEq(said.got, got);
        vm.assertEq(said.limit, limit);
    }

    /// @notice The call is refused with exactly this.
    function assertRefused(address caller, bytes memory data, Reason reason, uint256 got, uint256 limit) internal {
        assertSaid(tell(caller, data), reason, got, limit);
    }

    function assertPasses(address caller, bytes memory data) internal {
        assertSaid(tell(caller, data), Reason.None, 0, 0);
    }

    /// @notice What preview says to the input, which the call then says too.
    function ask(address caller, PaymentRequest memory r, bytes memory signature, SignedApproval memory a)
        internal
        returns (Outcome memory said)
    {
        Preview memory p = mandates.preview(r, signature, a, caller);
        vm.assertEq(p.payment, hashRequest(r));
        said = tell(caller, abi.encodeCall(IMandates.authorize, (r, signature, a)));
        assertSaid(said, p.reason, p.got, p.limit);
        if (said.reason == Reason.None) assertState(p.payment, State.Escrowed);
    }

    /// @notice The agent calls, with the owner's approval where the amount is above the threshold.
    function ask(PaymentRequest memory r) internal returns (Outcome memory) {
        bool isLarge = r.maxAmount > mandates.mandate(r.mandate).policy.approvalAbove;
        return ask(agent, r, "", isLarge ? approval(r, type(uint48).max) : noApproval());
    }

    function assertAllowed(PaymentRequest memory r) internal {
        assertSaid(ask(r), Reason.None, 0, 0);
    }

    function assertRefused(PaymentRequest memory r, Reason reason, uint256 got, uint256 limit) internal {
        assertSaid(ask(r), reason, got, limit);
    }

    /// @notice At the two instants before `end` and the two from it: allowed before, else refused with the instant.
    function assertClosesAt(PaymentRequest memory r, uint256 end, Reason reason) internal {
        assertTurnsAt(r, end, reason, 1);
    }

    /// @notice At the two instants before `start` and the two from it: allowed from it, else refused with the instant.
    function assertOpensAt(PaymentRequest memory r, uint256 start, Reason reason) internal {
        assertTurnsAt(r, start, reason, 0);
    }

    /// @param refusedSide 0 before the turn, 1 from it
    function assertTurnsAt(PaymentRequest memory r, uint256 turn, Reason reason, uint256 refusedSide) private {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 moment = turn + i - 2;
            vm.warp(moment);
            r.requestId = keccak256(abi.encode("turn", i));
            Outcome memory said = ask(r);
            if (i / 2 == refusedSide) assertSaid(said, reason, moment, turn);
            else assertSaid(said, Reason.None, 0, 0);
        }
    }

    function bound(uint256 x, uint256 least, uint256 most) internal pure returns (uint256) {
        uint256 size = most - least;
        return size == type(uint256).max ? x : least + x % (size + 1);
    }
}
