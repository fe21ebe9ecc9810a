// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Calendar} from "../../src/mandates/Calendar.sol";
import {Vm} from "../Vm.sol";

/// @notice The calendar against one that is counted day by day, over the 400 years after which it repeats.
contract CalendarTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function test_every_day_of_400_years_is_in_its_month() public pure {
        uint256 day = 0;
        for (uint256 year = 1970; year < 2370; ++year) {
            bool isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (uint256 month = 0; month < 12; ++month) {
                uint256 length =
                    month == 1 ? (isLeap ? 29 : 28) : month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
                for (uint256 end = day + length; day < end; ++day) {
                    if (Calendar.month(day) != year * 12 + month) revert(string.concat("day ", vm.toString(day)));
                }
            }
        }
        vm.assertEq(day, 146_097);
    }
}
