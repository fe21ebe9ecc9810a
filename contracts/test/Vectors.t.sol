// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {DollarTest} from "./DollarTest.sol";
import {ITestDollar} from "./ITestDollar.sol";

/// @notice The same hashes, digests and signatures that the Rust crates are held to.
contract VectorsTest is DollarTest {
    string private vectors;

    function setUp() public override {
        super.setUp();
        vectors = vm.readFile("tests/vectors/eip712.json");
    }

    function test_copy_at_the_address_of_usdc_has_the_domain_of_usdc() public {
        for (uint256 i = 0; i < 2; ++i) {
            string memory domain = i == 0 ? ".domains[0]" : ".domains[1]";
            vm.chainId(vm.parseJsonUint(vectors, string.concat(domain, ".chainId")));
            string memory name = vm.parseJsonString(vectors, string.concat(domain, ".name"));
            string memory version = vm.parseJsonString(vectors, string.concat(domain, ".version"));
            ITestDollar original = ITestDollar(vm.deployCode("TestDollar.sol:TestDollar", abi.encode(name, version)));
            ITestDollar copy = ITestDollar(vm.parseJsonAddress(vectors, string.concat(domain, ".verifyingContract")));
            vm.etch(address(copy), address(original).code);
            vm.assertEq(copy.name(), name);
            vm.assertEq(copy.symbol(), name);
            vm.assertEq(copy.version(), version);
            vm.assertEq(copy.DOMAIN_SEPARATOR(), vm.parseJsonBytes32(vectors, string.concat(domain, ".separator")));
        }
    }

    /// @dev By the selectors that facilitators send, 0xe3ee160e with (v, r, s) and 0xcf092995 with bytes.
    function pays(bytes4 selector) private {
        vm.chainId(vm.parseJsonUint(vectors, ".domains[0].chainId"));
        address usdc = vm.parseJsonAddress(vectors, ".domains[0].verifyingContract");
        vm.etch(usdc, address(dollar).code);
        dollar = ITestDollar(usdc);
        Authorization memory a = Authorization(
            vm.parseJsonAddress(vectors, ".transfers[0].from"),
            vm.parseJsonAddress(vectors, ".transfers[0].to"),
            vm.parseJsonUint(vectors, ".transfers[0].value"),
            vm.parseJsonUint(vectors, ".transfers[0].validAfter"),
            vm.parseJsonUint(vectors, ".transfers[0].validBefore"),
            vm.parseJsonBytes32(vectors, ".transfers[0].nonce")
        );
        vm.assertEq(digest(TRANSFER, a), vm.parseJsonBytes32(vectors, ".transfers[0].digest"));
        bytes memory signature = vm.parseJsonBytes(vectors, ".transfers[0].signature");
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        bytes memory call = selector == 0xcf092995
            ? abi.encodeWithSelector(selector, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature)
            : abi.encodeWithSelector(selector, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, v, r, s);
        dollar.mint(a.from, a.value);
        (bool done,) = usdc.call(call);
        vm.assertTrue(done);
        vm.assertEq(dollar.balanceOf(a.to), a.value);
    }

    function test_vector_pays_split() public {
        pays(0xe3ee160e);
    }

    function test_vector_pays_whole() public {
        pays(0xcf092995);
    }

    /// @dev The topics that a receipt is searched for.
    function test_topics() public pure {
        vm.assertEq(ITestDollar.Transfer.selector, 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef);
        vm.assertEq(
            ITestDollar.AuthorizationUsed.selector, 0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5
        );
    }
}
