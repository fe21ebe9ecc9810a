// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Hook, IListener} from "./HookedToken.sol";

/// @notice Makes calls while a token runs, and remembers how they were answered.
/// @dev It can also be made to make a call when nothing runs, so that it is a party like any other.
contract Reentrant is IListener {
    address private immutable TARGET;
    bytes[] private calls;
    /// @notice How often the token told of each hook.
    mapping(Hook hook => uint256) public times;
    uint256 public done;
    bytes4[] private refusals;

    constructor(address target) {
        TARGET = target;
    }

    function prepare(bytes[] calldata calls_) external {
        delete calls;
        for (uint256 i = 0; i < calls_.length; ++i) {
            calls.push(calls_[i]);
        }
    }

    function act(address to, bytes calldata data) external returns (bytes memory) {
        (bool isDone, bytes memory answer) = to.call(data);
        if (!isDone) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }

    function onToken(Hook hook) external {
        ++times[hook];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone, bytes memory answer) = TARGET.call(calls[i]);
            if (isDone) ++done;
            else refusals.push(bytes4(answer));
        }
    }

    function allRefusals() external view returns (bytes4[] memory) {
        return refusals;
    }
}
