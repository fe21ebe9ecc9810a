// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @notice How a contract may answer `isValidSignature`.
enum Answer {
    /// The magic value and 28 zeros.
    Yes,
    No,
    /// The magic value with a bit set behind it.
    Dirty,
    /// The magic value at the wrong end of the word.
    Right,
    /// The magic value's 4 bytes alone.
    Short,
    /// All of the right word but its last byte, a zero.
    ByteShort,
    Empty,
    /// The right word and another.
    Long,
    /// The right word and as many bytes as the gas allows.
    Bomb,
    /// The right word, as a revert.
    RevertsYes,
    BurnsGas
}

/// @notice Answers whatever it was made to answer, to every question.
contract OddWallet {
    Answer private immutable ANSWER;

    constructor(Answer answer) {
        ANSWER = answer;
    }

    fallback() external {
        Answer a = ANSWER;
        if (a == Answer.BurnsGas) {
            while (true) {}
        }
        bytes32 word = bytes32(bytes4(0x1626ba7e));
        uint256 length = 32;
        if (a == Answer.No) word = bytes32(bytes4(0xffffffff));
        if (a == Answer.Dirty) word |= bytes32(uint256(1));
        if (a == Answer.Right) word = bytes32(uint256(0x1626ba7e));
        if (a == Answer.Short) length = 4;
        if (a == Answer.ByteShort) length = 31;
        if (a == Answer.Empty) length = 0;
        if (a == Answer.Long) length = 64;
        if (a == Answer.Bomb) length = 150_000;
        bool isRevert = a == Answer.RevertsYes;
        assembly {
            mstore(0, word)
            mstore(32, 0)
            if isRevert { revert(0, length) }
            return(0, length)
        }
    }
}
