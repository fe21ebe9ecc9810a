// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {State} from "../../src/mandates/Types.sol";
import {Vm} from "../Vm.sol";
import {InvariantsHandler} from "./InvariantsHandler.sol";
import {Action} from "./InvariantsLedger.sol";

/// @notice What holds after any calls by anyone at any time.
/// forge-config: default.invariant.runs = 8
/// forge-config: default.invariant.depth = 64
/// forge-config: default.invariant.fail-on-revert = true
/// forge-config: default.invariant.include-storage = false
/// forge-config: default.invariant.include-push-bytes = false
contract MandatesInvariantsTest {
    struct Selectors {
        address target;
        bytes4[] selectors;
    }

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant STEPS = 7;

    InvariantsHandler private handler;

    function setUp() public {
        handler = new InvariantsHandler();
        handler.setUp();
    }

    function steps() private view returns (bytes4[] memory list) {
        list = new bytes4[](STEPS);
        list[0] = handler.spend.selector;
        list[1] = handler.serve.selector;
        list[2] = handler.judge.selector;
        list[3] = handler.finish.selector;
        list[4] = handler.move.selector;
        list[5] = handler.govern.selector;
        list[6] = handler.pass.selector;
    }

    /// @notice What forge asks for: whom to call, and with what.
    function targetContracts() public view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(handler);
    }

    function targetSelectors() public view returns (Selectors[] memory list) {
        list = new Selectors[](1);
        list[0] = Selectors(address(handler), steps());
    }

    function invariant_01_vaults_cover_what_is_booked() public view {
        handler.checkVaultsCoverWhatIsBooked();
    }

    function invariant_02_reserved_is_the_sum_of_open_escrows() public view {
        handler.checkReservedIsTheSumOfOpenEscrows();
    }

    function invariant_03_what_came_less_what_left_is_held() public view {
        handler.checkWhatCameLessWhatLeftIsHeld();
    }

    function invariant_04_payments_move_by_their_own_calls_and_end_once() public view {
        handler.checkPaymentsMoveByTheirOwnCalls();
    }

    function invariant_05_transitions_are_legal() public view {
        handler.checkTransitionsAreLegal();
    }

    function invariant_06_windows_keep_their_caps() public view {
        handler.checkWindowsKeepTheirCaps();
    }

    function invariant_07_nothing_restores_an_allowance() public view {
        handler.checkNothingRestoresAnAllowance();
    }

    function invariant_08_ends_are_whole() public view {
        handler.checkEndsAreWhole();
    }

    function invariant_09_ended_mandates_authorize_nothing() public view {
        handler.checkEndedMandatesAuthorizeNothing();
    }

    function invariant_10_reserved_is_never_withdrawn() public view {
        handler.checkReservedIsNeverWithdrawn();
    }

    function invariant_11_versions_grow_by_one_and_by_amendments_alone() public view {
        handler.checkVersionsGrowByOneAndByAmendmentsAlone();
    }

    function invariant_12_money_leaves_by_the_exits_alone() public view {
        handler.checkMoneyLeavesByTheExitsAlone();
    }

    function checkAll() private view {
        invariant_01_vaults_cover_what_is_booked();
        invariant_02_reserved_is_the_sum_of_open_escrows();
        invariant_03_what_came_less_what_left_is_held();
        invariant_04_payments_move_by_their_own_calls_and_end_once();
        invariant_05_transitions_are_legal();
        invariant_06_windows_keep_their_caps();
        invariant_07_nothing_restores_an_allowance();
        invariant_08_ends_are_whole();
        invariant_09_ended_mandates_authorize_nothing();
        invariant_10_reserved_is_never_withdrawn();
        invariant_11_versions_grow_by_one_and_by_amendments_alone();
        invariant_12_money_leaves_by_the_exits_alone();
    }

    /// @dev The steps above are worth what they reach: every action works, and every state is entered.
    function test_the_steps_reach_every_state_and_mostly_work() public {
        bytes4[] memory list = steps();
        for (uint256 n = 0; n < 1_000; ++n) {
            uint256 seed = uint256(keccak256(abi.encode("steps", n)));
            (bool isDone,) = address(handler).call(abi.encodeWithSelector(list[seed % STEPS], seed >> 1));
            vm.assertTrue(isDone);
            if (n % 20 == 0) checkAll();
        }
        for (uint256 s = 1; s <= uint256(type(State).max); ++s) {
            vm.assertTrue(handler.reached(State(s)) > 0);
        }
        for (uint256 a = 0; a <= uint256(type(Action).max); ++a) {
            vm.assertTrue(handler.done(Action(a)) > 0);
        }
        vm.assertTrue(handler.creditsBooked() > 0);
        vm.assertTrue(handler.ended() == 2);
        vm.assertTrue(2 * handler.worked() > handler.tried());
    }
}
