// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "../../src/mandates/Reason.sol";
import {Payment, PaymentRequest, State} from "../../src/mandates/Types.sol";
import {LifeTable} from "./LifeTable.sol";

/// @notice Every step in every state at every edge by everyone, as the table says.
contract LifeTest is LifeTable {
    uint256[5] private keys = [OWNER_KEY, AGENT_KEY, PROVIDER_KEY, RESOLVER_KEY, STRANGER_KEY];
    bytes32 private id;

    function setUp() public override {
        super.setUp();
        id = hashRequest(request());
        dollar.mint(provider, 2e6);
        vm.prank(provider);
        dollar.approve(address(mandates), 2e6);
    }

    function stepsFrom(State state) private {
        uint256 reached = reach(state);
        for (uint256 step = 0; step < STEPS; ++step) {
            uint256 passed = this.takeAtEveryEdge(Step(step), state, reached);
            vm.assertTrue((passed > 0) == (rowOf(Step(step)).from >> uint256(state) & 1 == 1));
        }
    }

    /// @dev A call of its own, so that the memory of one step is not the burden of the next.
    /// @param reached when the payment came into the state; it cannot have been in it before
    /// @return passed in how many cases the step can be taken
    function takeAtEveryEdge(Step step, State state, uint256 reached) external returns (uint256 passed) {
        for (uint256 party = 0; party < 5; ++party) {
            address caller = vm.addr(keys[party]);
            passed += takeAs(step, state, reached, Call(caller, caller, callOf(step, request(), "")));
            if (rowOf(step).party == address(0)) continue;
            bytes memory signature = sign(keys[party], contentOf(step, id));
            passed += takeAs(step, state, reached, Call(caller, address(this), callOf(step, request(), signature)));
        }
    }

    function takeAs(Step step, State state, uint256 reached, Call memory call) private returns (uint256 passed) {
        for (uint256 edge = 1; edge <= uint256(type(Edge).max); ++edge) {
            for (uint256 i = 0; i < 3; ++i) {
                uint256 moment = momentOf(Edge(edge)) + i - 1;
                if (moment < reached) continue;
                vm.warp(moment);
                passed += take(step, expected(step, state, moment, call), call);
            }
        }
    }

    /// @return 1 when the step was taken; it is taken back
    function take(Step step, Outcome memory must, Call memory call) private returns (uint256) {
        if (must.reason != Reason.None) {
            assertRefused(call.sender, call.data, must.reason, must.got, must.limit);
            return 0;
        }
        uint256 before = vm.snapshotState();
        (Payment memory was, uint256[3] memory money) = (mandates.payment(id), held());
        assertPasses(call.sender, call.data);
        assertTaken(step, was, money);
        vm.assertTrue(vm.revertToState(before));
        return 1;
    }

    /// @notice What the provider, the mandate and its open escrows hold.
    function held() private view returns (uint256[3] memory) {
        return [
            dollar.balanceOf(provider),
            uint256(mandates.mandate(mandate).balance),
            uint256(mandates.mandate(mandate).reserved)
        ];
    }

    function assertTaken(Step step, Payment memory was, uint256[3] memory money) private view {
        Row memory row = rowOf(step);
        Payment memory p = mandates.payment(id);
        uint256[3] memory now_ = held();
        if (step == Step.Refund) {
            vm.assertEq(uint256(p.state), uint256(was.state));
            vm.assertEq(p.refunded, 2e6);
            vm.assertEq(now_[0], money[0] - 2e6);
            vm.assertEq(now_[1], money[1] + 2e6);
            vm.assertEq(now_[2], money[2]);
            return;
        }
        vm.assertEq(uint256(p.state), uint256(row.to));
        vm.assertEq(p.paid, row.paid);
        vm.assertEq(now_[0], money[0] + row.paid);
        vm.assertEq(now_[1], money[1] - row.paid);
        vm.assertEq(now_[2], money[2] - row.paid - row.returned);
        vm.assertTrue(p.hasEvidence == (was.hasEvidence || step == Step.Dispute));
        bool isDated = step == Step.Deliver || step == Step.Dispute;
        vm.assertEq(p.since, isDated ? block.timestamp : was.since);
    }

    function test_steps_from_None() public {
        stepsFrom(State.None);
    }

    function test_steps_from_Cancelled() public {
        stepsFrom(State.Cancelled);
    }

    function test_steps_from_Escrowed() public {
        stepsFrom(State.Escrowed);
    }

    function test_steps_from_Delivered() public {
        stepsFrom(State.Delivered);
    }

    function test_steps_from_Disputed() public {
        stepsFrom(State.Disputed);
    }

    function test_steps_from_Settled() public {
        stepsFrom(State.Settled);
    }

    function test_steps_from_Refunded() public {
        stepsFrom(State.Refunded);
    }

    function test_steps_from_Voided() public {
        stepsFrom(State.Voided);
    }

    function test_steps_from_TimedOut() public {
        stepsFrom(State.TimedOut);
    }

    /// @notice 1 when `caller` can take the step at this moment; it is taken back.
    function can(address caller, Step step, PaymentRequest memory r) private returns (uint256) {
        uint256 before = vm.snapshotState();
        Outcome memory said = tell(caller, callOf(step, r, ""));
        vm.assertTrue(vm.revertToState(before));
        return uint256(said.reason) == 0 ? 1 : 0;
    }

    /// @dev No instant allows both or neither of the steps that exclude each other.
    function test_fuzz_at_every_instant_exactly_one_way_is_open(uint256 deliveredAt, uint256 disputedAt, uint256 moment)
        public
    {
        PaymentRequest memory r = request();
        authorize(r);
        deliveredAt = bound(deliveredAt, NOW, r.deliverBy - 1);
        disputedAt = bound(disputedAt, deliveredAt, deliveredAt + 1 days - 1);
        moment = bound(moment, NOW, NOW + 40 days);
        vm.warp(moment);
        vm.assertEq(can(provider, Step.Deliver, r) + can(stranger, Step.Expire, r), 1);
        vm.warp(deliveredAt);
        assertPasses(provider, callOf(Step.Deliver, r, ""));
        moment = bound(moment, deliveredAt, NOW + 40 days);
        vm.warp(moment);
        uint256 claims = can(stranger, Step.Claim, r);
        vm.assertEq(claims, can(provider, Step.Capture, r));
        vm.assertEq(can(owner, Step.Dispute, r) + claims + can(stranger, Step.Expire, r), 1);
        vm.warp(disputedAt);
        assertPasses(owner, callOf(Step.Dispute, r, ""));
        vm.warp(bound(moment, disputedAt, NOW + 40 days));
        vm.assertEq(can(resolver, Step.Resolve, r) + can(stranger, Step.TimeOut, r), 1);
    }
}
