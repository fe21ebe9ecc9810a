// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Vm} from "../Vm.sol";

/// @notice What this test needs of forge's cheat codes beyond the others.
interface VectorsVm is Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function getCode(string calldata artifact) external view returns (bytes memory);
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonBytes32Array(string calldata json, string calldata key) external pure returns (bytes32[] memory);
    function toString(uint256 value) external pure returns (string memory);
    function assertEq(bytes calldata left, bytes calldata right, string calldata failure) external pure;
    function assertEq(bytes32[] calldata left, bytes32[] calldata right, string calldata failure) external pure;
    function assertEq(uint256 left, uint256 right, string calldata failure) external pure;
}

/// @notice Asks the contract itself about everything in tests/vectors/mandates.json, to which the Rust crates are held.
contract MandatesVectorsTest {
    VectorsVm private constant vm = VectorsVm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address private mandates;

    /// @dev Each of the tests reads the file anew, in a call of its own for each element: it is long, and what a call
    /// leaves in memory makes all that follows dearer.
    function read() private view returns (string memory) {
        return vm.readFile("tests/vectors/mandates.json");
    }

    function setUp() public {
        string memory vectors = read();
        vm.chainId(vm.parseJsonUint(vectors, ".domain.chainId"));
        address relayer = vm.parseJsonAddress(vectors, ".parties.relayer.address");
        mandates = deploy(relayer, vm.getCode("Mandates.sol:Mandates"));
        bytes memory dollar = vm.getCode("TestDollar.sol:TestDollar");
        address token = deploy(relayer, abi.encodePacked(dollar, abi.encode("USDC", "2")));
        vm.assertEq(mandates, vm.parseJsonAddress(vectors, ".domain.verifyingContract"));
        vm.assertEq(token, vm.parseJsonAddress(vectors, ".token"));
        vm.assertTrue(vm.parseJsonAddress(vectors, ".vaultImplementation").code.length > 0);
    }

    /// @dev By CREATE from an account's own nonce, as a transaction does.
    function deploy(address from, bytes memory code) private returns (address created) {
        vm.prank(from);
        assembly {
            created := create(0, add(code, 32), mload(code))
        }
    }

    function element(string memory list, uint256 i) private pure returns (string memory) {
        return string.concat(".", list, "[", vm.toString(i), "]");
    }

    /// @notice Sends the call and compares what it returns and logs.
    /// @return Whether there is such a call.
    function tell(uint256 i) external returns (bool) {
        string memory vectors = read();
        string memory row = element("calls", i);
        if (!vm.keyExistsJson(vectors, row)) return false;
        string memory about = string.concat(row, " ", vm.parseJsonString(vectors, string.concat(row, ".call")));
        address to = vm.parseJsonAddress(vectors, string.concat(row, ".to"));
        bytes memory data = vm.parseJsonBytes(vectors, string.concat(row, ".data"));
        vm.warp(vm.parseJsonUint(vectors, string.concat(row, ".at")));
        vm.recordLogs();
        vm.prank(vm.parseJsonAddress(vectors, string.concat(row, ".from")));
        (bool done, bytes memory returned) = to.call(data);
        VectorsVm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(returned, vm.parseJsonBytes(vectors, string.concat(row, ".returns")), about);
        vm.assertTrue(done == vm.parseJsonBool(vectors, string.concat(row, ".succeeds")));
        compare(logs, vectors, row, about);
        return true;
    }

    function compare(VectorsVm.Log[] memory logs, string memory vectors, string memory row, string memory about)
        private
        view
    {
        uint256 count;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != mandates) continue;
            string memory log = string.concat(row, element("logs", count++));
            vm.assertEq(logs[i].topics, vm.parseJsonBytes32Array(vectors, string.concat(log, ".topics")), about);
            vm.assertEq(logs[i].data, vm.parseJsonBytes(vectors, string.concat(log, ".data")), about);
        }
        vm.assertFalse(vm.keyExistsJson(vectors, string.concat(row, element("logs", count))));
    }

    /// @dev Every function and event of the contract, with the signatures of the vectors.
    function test_contract_does_returns_and_logs_what_the_vectors_say() public {
        uint256 count;
        while (this.tell(count)) ++count;
        vm.assertTrue(count > 50);
    }

    /// @notice Hashes the struct's type and digest from the text of EIP-712, and recovers who signed.
    function hashes(uint256 i) external view returns (bool) {
        string memory vectors = read();
        string memory row = element("structs", i);
        if (!vm.keyExistsJson(vectors, row)) return false;
        string memory encoded = vm.parseJsonString(vectors, string.concat(row, ".encodeType"));
        vm.assertEq(keccak256(bytes(encoded)), vm.parseJsonBytes32(vectors, string.concat(row, ".typeHash")));
        if (!vm.keyExistsJson(vectors, string.concat(row, ".signature"))) return true;
        bytes32 content = vm.parseJsonBytes32(vectors, string.concat(row, ".structHash"));
        bytes32 separator = vm.parseJsonBytes32(vectors, ".domain.separator");
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", separator, content));
        vm.assertEq(digest, vm.parseJsonBytes32(vectors, string.concat(row, ".digest")));
        string memory signer = vm.parseJsonString(vectors, string.concat(row, ".signer"));
        bytes memory signature = vm.parseJsonBytes(vectors, string.concat(row, ".signature"));
        vm.assertEq(
            recover(digest, signature), vm.parseJsonAddress(vectors, string.concat(".parties.", signer, ".address"))
        );
        return true;
    }

    function recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        return ecrecover(digest, uint8(signature[64]), r, s);
    }

    function test_struct_hashes_and_signatures() public view {
        uint256 count;
        while (this.hashes(count)) ++count;
        vm.assertEq(count, 13);
    }

    /// @dev ERC-5267 said in the story above what the domain is made of; this is its hash.
    function test_domain_separator() public view {
        string memory vectors = read();
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes memory domain =
            abi.encode(typeHash, keccak256("Guildhall Mandates"), keccak256("1"), block.chainid, mandates);
        vm.assertEq(keccak256(domain), vm.parseJsonBytes32(vectors, ".domain.separator"));
    }
}
