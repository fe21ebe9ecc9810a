// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @title UTC days and months of a moment, without leap seconds, as POSIX time has none.
library Calendar {
    /// @param timestamp Unix seconds
    /// @return The number of whole UTC days since 1970-01-01.
    function day(uint256 timestamp) internal pure returns (uint256) {
        return timestamp / 1 days;
    }

    /// @param dayNumber UTC days since 1970-01-01, below 2^32
    /// @return The number of whole months of the proleptic Gregorian calendar since January of the year 0.
    /// @dev Counts in years that begin on 1 March, so that a leap day is the last of its year: 400 years have 146,097
    /// days, and from March on the lengths of months repeat 31, 30, 31, 30, 31, which is 153 days in 5 months.
    function month(uint256 dayNumber) internal pure returns (uint256) {
        unchecked {
            uint256 sinceMarch0 = dayNumber + 719_468;
            uint256 era = sinceMarch0 / 146_097;
            uint256 dayOfEra = sinceMarch0 % 146_097;
            uint256 yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
            uint256 dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
            uint256 monthsSinceMarch = (5 * dayOfYear + 2) / 153;
            return (era * 400 + yearOfEra) * 12 + monthsSinceMarch + 2;
        }
    }
}
