// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {MandateView, Payment, PaymentRequest, State} from "../../src/mandates/Types.sol";
import {InvariantsLedger} from "./InvariantsLedger.sol";

/// @notice What has to be true at every moment. A function returns when it is.
abstract contract InvariantsChecks is InvariantsLedger {
    function checkVaultsCoverWhatIsBooked() external view {
        for (uint256 v = 0; v < 2; ++v) {
            vm.assertTrue(inVault(v) >= booked(v));
            // Beyond what is booked there are the gifts, to the unit.
            vm.assertEq(inVault(v), booked(v) + given[v]);
        }
    }

    function checkReservedIsTheSumOfOpenEscrows() external view {
        uint256[3] memory open;
        for (uint256 i = 0; i < payments.length; ++i) {
            Payment memory p = mandates.payment(payments[i]);
            bool isOpen = p.state == State.Escrowed || p.state == State.Delivered || p.state == State.Disputed;
            if (isOpen) open[indexOf(requests[i].mandate)] += requests[i].maxAmount - p.paid;
        }
        for (uint256 m = 0; m < MANDATES; ++m) {
            MandateView memory now_ = mandates.mandate(ids[m]);
            vm.assertEq(now_.reserved, open[m]);
            vm.assertTrue(now_.reserved <= now_.balance);
        }
    }

    function checkWhatCameLessWhatLeftIsHeld() external view {
        for (uint256 v = 0; v < 2; ++v) {
            vm.assertEq(came[v] - left[v], booked(v));
        }
    }

    /// @dev A payment is where its own calls brought it; no other call moved it, and none left a final state.
    function checkPaymentsMoveByTheirOwnCalls() external view {
        for (uint256 i = 0; i < payments.length; ++i) {
            vm.assertEq(uint256(mandates.payment(payments[i]).state), uint256(states[i]));
        }
    }

    function checkTransitionsAreLegal() external view {
        vm.assertEq(faults["transition"], 0);
    }

    function checkWindowsKeepTheirCaps() external view {
        for (uint256 i = 0; i < windows.length; ++i) {
            vm.assertTrue(sums[windows[i]].spent <= sums[windows[i]].cap);
        }
    }

    function checkNothingRestoresAnAllowance() external view {
        vm.assertEq(faults["restored"], 0);
    }

    function checkEndsAreWhole() external view {
        vm.assertEq(faults["whole"], 0);
        vm.assertEq(faults["refunded"], 0);
    }

    function checkEndedMandatesAuthorizeNothing() external view {
        for (uint256 m = 0; m < MANDATES; ++m) {
            if (isEnded[m]) vm.assertEq(mandates.mandate(ids[m]).lifetimeSpent, spentAtEnd[m]);
        }
    }

    function checkReservedIsNeverWithdrawn() external view {
        vm.assertEq(faults["withdrawn"], 0);
        for (uint256 m = 0; m < MANDATES; ++m) {
            MandateView memory now_ = mandates.mandate(ids[m]);
            PaymentRequest memory r = request();
            r.mandate = ids[m];
            vm.assertEq(mandates.preview(r, "", noApproval(), agent).remaining.available, now_.balance - now_.reserved);
        }
    }

    function checkVersionsGrowByOneAndByAmendmentsAlone() external view {
        vm.assertEq(faults["version"], 0);
    }

    function checkMoneyLeavesByTheExitsAlone() external view {
        vm.assertEq(faults["exit"], 0);
    }

    /// @notice How many of the mandates have ended.
    function ended() external view returns (uint256 count) {
        for (uint256 m = 0; m < MANDATES; ++m) {
            if (isEnded[m]) ++count;
        }
    }
}
