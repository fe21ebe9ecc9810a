// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Batch, Creation, Item, PaymentRequest, State} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Several authorizations in one call: each alone, or none without all.
contract BatchesTest is Outcomes {
    function creation() internal view override returns (Creation memory c) {
        c = super.creation();
        c.policy.dayCount = 100;
    }

    function itemOf(uint128 amount, uint256 i) private view returns (Item memory) {
        PaymentRequest memory r = requestOf(amount, keccak256(abi.encode("item", i)));
        return Item(r, sign(AGENT_KEY, hashRequest(r)), noApproval());
    }

    function itemsOf(uint256 count) private view returns (Item[] memory items) {
        items = new Item[](count);
        for (uint256 i = 0; i < count; ++i) {
            items[i] = itemOf(1e6, i);
        }
    }

    function batch(Item[] memory items, Batch mode) private pure returns (bytes memory) {
        return abi.encodeCall(IMandates.authorizeBatch, (items, mode));
    }

    function refused(Item memory item, Reason reason, uint256 got, uint256 limit) private {
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentRefused(hashRequest(item.request), item.request.mandate, reason, got, limit);
    }

    function authorized(PaymentRequest memory r, bool wasApproved) private {
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentAuthorized(hashRequest(r), mandate, provider, r, wasApproved);
    }

    function test_sixteen_are_authorized_in_either_mode() public {
        Item[] memory items = itemsOf(16);
        vm.prank(stranger);
        Reason[] memory reasons = mandates.authorizeBatch(items, Batch.EachAlone);
        vm.assertEq(reasons.length, 16);
        for (uint256 i = 0; i < 16; ++i) {
            vm.assertEq(uint256(reasons[i]), uint256(Reason.None));
            assertState(hashRequest(items[i].request), State.Escrowed);
            items[i] = itemOf(1e6, 100 + i);
        }
        assertPasses(stranger, batch(items, Batch.AllOrNothing));
        vm.assertEq(mandates.mandate(mandate).reserved, 32e6);
        vm.assertEq(mandates.mandate(mandate).spent.dayCount, 32);
    }

    function test_seventeen_are_BatchSize() public {
        assertRefused(stranger, batch(itemsOf(17), Batch.EachAlone), Reason.BatchSize, 17, 16);
        assertRefused(stranger, batch(itemsOf(17), Batch.AllOrNothing), Reason.BatchSize, 17, 16);
    }

    function test_none_is_nothing() public {
        vm.assertEq(mandates.authorizeBatch(new Item[](0), Batch.EachAlone).length, 0);
    }

    /// @notice Good, too much, another's mandate, twice the same, unsigned, approved, unapproved, and good again.
    function mixed() private view returns (Item[] memory items) {
        items = itemsOf(8);
        items[1] = itemOf(100e6 + 1, 1);
        items[2].request.mandate = keccak256("none");
        items[3] = items[0];
        items[4].agentSignature = "";
        items[5] = itemOf(60e6, 5);
        items[5].approval = approval(items[5].request, type(uint48).max);
        items[6] = itemOf(60e6, 6);
    }

    function test_each_alone_does_what_is_allowed_and_says_why_the_rest_is_not() public {
        Item[] memory items = mixed();
        authorized(items[0].request, false);
        refused(items[1], Reason.EntryPaymentCap, 100e6 + 1, 100e6);
        refused(items[2], Reason.UnknownMandate, uint256(keccak256("none")), 0);
        refused(items[3], Reason.RequestUsed, uint256(State.Escrowed), 0);
        refused(items[4], Reason.AgentSignature, number(stranger), number(agent));
        authorized(items[5].request, true);
        refused(items[6], Reason.ApprovalMissing, 60e6, 50e6);
        authorized(items[7].request, false);
        vm.prank(stranger);
        Reason[] memory reasons = mandates.authorizeBatch(items, Batch.EachAlone);
        Reason[8] memory expected = [
            Reason.None,
            Reason.EntryPaymentCap,
            Reason.UnknownMandate,
            Reason.RequestUsed,
            Reason.AgentSignature,
            Reason.None,
            Reason.ApprovalMissing,
            Reason.None
        ];
        for (uint256 i = 0; i < 8; ++i) {
            vm.assertEq(uint256(reasons[i]), uint256(expected[i]));
        }
        vm.assertEq(mandates.mandate(mandate).reserved, 62e6);
        assertState(hashRequest(items[1].request), State.None);
        assertState(hashRequest(items[4].request), State.None);
    }

    /// @dev What comes before the refused item is undone.
    function test_all_or_nothing_does_nothing_and_says_why() public {
        Item[] memory items = mixed();
        bytes memory data = batch(items, Batch.AllOrNothing);
        assertRefused(stranger, data, Reason.EntryPaymentCap, 100e6 + 1, 100e6);
        assertState(hashRequest(items[0].request), State.None);
        vm.assertEq(mandates.mandate(mandate).reserved, 0);
    }

    /// @dev An item counts what the ones before it spent.
    function test_items_share_the_budget() public {
        Item[] memory items = new Item[](5);
        for (uint256 i = 0; i < 5; ++i) {
            items[i] = itemOf(45e6, i);
        }
        refused(items[4], Reason.EntryWindowCap, 225e6, 200e6);
        vm.prank(stranger);
        Reason[] memory reasons = mandates.authorizeBatch(items, Batch.EachAlone);
        vm.assertEq(uint256(reasons[3]), uint256(Reason.None));
        vm.assertEq(uint256(reasons[4]), uint256(Reason.EntryWindowCap));
        assertRefused(stranger, batch(itemsAfter(), Batch.AllOrNothing), Reason.EntryWindowCap, 201e6, 200e6);
    }

    /// @dev The agent's own call is its word for each item.
    function test_the_agents_own_batch_needs_no_signatures() public {
        Item[] memory items = itemsOf(2);
        (items[0].agentSignature, items[1].agentSignature) = (bytes(""), bytes(""));
        assertPasses(agent, batch(items, Batch.AllOrNothing));
    }

    function itemsAfter() private view returns (Item[] memory items) {
        items = new Item[](2);
        (items[0], items[1]) = (itemOf(20e6, 10), itemOf(1e6, 11));
    }
}
