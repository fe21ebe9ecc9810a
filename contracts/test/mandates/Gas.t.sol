// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PaymentRequest} from "../../src/mandates/Types.sol";
import {MandateTest} from "./MandateTest.sol";

/// @notice What a transaction costs in a mandate that is in use: sums of today exist, the provider holds money.
/// Each call is a transaction of its own, on cold storage, and its figure is that of a receipt.
/// forge-config: default.isolate = true
contract GasTest is MandateTest {
    PaymentRequest private escrowed;
    PaymentRequest private delivered;
    PaymentRequest private next;
    bytes private agentSignature;
    bytes private deliverySignature;

    function setUp() public override {
        super.setUp();
        dollar.mint(provider, 1);
        escrowed = requestOf(20e6, keccak256("escrowed"));
        delivered = requestOf(20e6, keccak256("delivered"));
        next = requestOf(20e6, keccak256("next"));
        bytes32 id = authorize(escrowed);
        deliver(delivered);
        agentSignature = sign(AGENT_KEY, hashRequest(next));
        deliverySignature = sign(
            PROVIDER_KEY, hashOf("Delivery(bytes32 payment,bytes32 receiptHash)", id, uint256(keccak256("receipt")))
        );
    }

    function test_gas_of_an_authorization_by_signature() public {
        vm.prank(stranger);
        mandates.authorize(next, agentSignature, noApproval());
        vm.snapshotGasLastCall("mandates", "authorize");
    }

    function test_gas_of_an_acceptance() public {
        vm.prank(owner);
        mandates.accept(delivered, "");
        vm.snapshotGasLastCall("mandates", "accept");
    }

    function test_gas_of_a_claim() public {
        vm.warp(NOW + 1 days);
        vm.prank(stranger);
        mandates.claim(delivered);
        vm.snapshotGasLastCall("mandates", "claim");
    }

    function test_gas_of_a_relayed_delivery() public {
        vm.prank(stranger);
        mandates.deliver(escrowed, keccak256("receipt"), deliverySignature);
        vm.snapshotGasLastCall("mandates", "deliver");
    }
}
