// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of forge's cheat codes that these tests use.
interface Vm {
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 unixSeconds) external;
    function chainId(uint256 id) external;
    function setEvmVersion(string calldata name) external;
    function prank(address sender) external;
    function etch(address target, bytes calldata code) external;
    function deployCode(string calldata artifact, bytes calldata constructorArguments) external returns (address);
    function expectRevert(bytes calldata reason) external;
    function expectEmit(address emitter) external;
    function expectCall(address callee, bytes calldata data, uint64 count) external;
    function record() external;
    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function revertToState(uint256 id) external returns (bool);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gas);
    function snapshotState() external returns (uint256 id);
    function toString(uint256 number) external pure returns (string memory);
    function assume(bool condition) external pure;
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertTrue(bool condition) external pure;
    function assertFalse(bool condition) external pure;
}
