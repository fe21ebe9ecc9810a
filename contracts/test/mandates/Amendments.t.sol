// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Amendment, Entry, MandateView, Policy, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice What tightens works at once, what loosens in any part waits whole.
contract AmendmentsTest is Outcomes {
    function amendment() private view returns (Amendment memory) {
        return Amendment(mandates.mandate(mandate).policyVersion, policy(), new Entry[](0));
    }

    function withEntry(Entry memory e) private view returns (Amendment memory a) {
        a = amendment();
        a.entries = new Entry[](1);
        a.entries[0] = e;
    }

    function amending(Amendment memory a) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.amend, (mandate, a));
    }

    function applying(Amendment memory a) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.applyAmendment, (mandate, a));
    }

    function hashOf(Amendment memory a) private pure returns (bytes32) {
        return keccak256(abi.encode(a));
    }

    function assertPolicy(Policy memory p, uint64 version) private view {
        MandateView memory m = mandates.mandate(mandate);
        vm.assertEq(keccak256(abi.encode(m.policy)), keccak256(abi.encode(p)));
        vm.assertEq(m.policyVersion, version);
    }

    function assertEntry(Entry memory e) private view {
        (bool exists, Entry memory stands) = mandates.entry(mandate, e.recipient, e.service);
        vm.assertTrue(exists);
        vm.assertEq(keccak256(abi.encode(stands)), keccak256(abi.encode(e)));
    }

    function worksAtOnce(Amendment memory a) private {
        vm.expectEmit(address(mandates));
        emit IMandates.MandateAmended(mandate, a.expectedVersion + 1, a.policy, a.entries);
        assertPasses(owner, amending(a));
        assertPolicy(a.policy, a.expectedVersion + 1);
        for (uint256 i = 0; i < a.entries.length; ++i) {
            assertEntry(a.entries[i]);
        }
    }

    /// @dev Waits for the day of the mandate's delay, to the second.
    function waits(Amendment memory a) private {
        Policy memory before = mandates.mandate(mandate).policy;
        uint48 effectiveAt = uint48(block.timestamp + 1 days);
        vm.expectEmit(address(mandates));
        emit IMandates.AmendmentScheduled(mandate, effectiveAt, a);
        assertPasses(owner, amending(a));
        (bytes32 hash, uint48 at_) = mandates.pendingAmendment(mandate);
        vm.assertEq(hash, hashOf(a));
        vm.assertEq(at_, effectiveAt);
        assertPolicy(before, a.expectedVersion);
        vm.warp(effectiveAt - 1);
        assertRefused(stranger, applying(a), Reason.AmendmentEarly, effectiveAt - 1, effectiveAt);
        vm.warp(effectiveAt);
        vm.expectEmit(address(mandates));
        emit IMandates.MandateAmended(mandate, a.expectedVersion + 1, a.policy, a.entries);
        assertPasses(stranger, applying(a));
        assertPolicy(a.policy, a.expectedVersion + 1);
        for (uint256 i = 0; i < a.entries.length; ++i) {
            assertEntry(a.entries[i]);
        }
        (hash, at_) = mandates.pendingAmendment(mandate);
        vm.assertEq(hash, bytes32(0));
        vm.assertEq(at_, 0);
    }

    function test_the_same_policy_works_at_once_and_is_a_version() public {
        worksAtOnce(amendment());
    }

    function test_each_tighter_field_works_at_once() public {
        for (uint256 i = 0; i < 8; ++i) {
            Amendment memory a = amendment();
            a.policy = mandates.mandate(mandate).policy;
            if (i == 0) a.policy.validAfter += 1;
            if (i == 1) a.policy.validBefore -= 1;
            if (i == 2) a.policy.paymentCap -= 1;
            if (i == 3) a.policy.dayCap -= 1;
            if (i == 4) a.policy.monthCap -= 1;
            if (i == 5) a.policy.lifetimeCap -= 1;
            if (i == 6) a.policy.dayCount -= 1;
            if (i == 7) a.policy.approvalAbove -= 1;
            worksAtOnce(a);
        }
    }

    function test_each_looser_field_waits() public {
        for (uint256 i = 0; i < 8; ++i) {
            Amendment memory a = amendment();
            a.policy = mandates.mandate(mandate).policy;
            if (i == 0) a.policy.validAfter -= 1;
            if (i == 1) a.policy.validBefore += 1;
            if (i == 2) a.policy.paymentCap += 1;
            if (i == 3) a.policy.dayCap += 1;
            if (i == 4) a.policy.monthCap += 1;
            if (i == 5) a.policy.lifetimeCap += 1;
            if (i == 6) a.policy.dayCount += 1;
            if (i == 7) a.policy.approvalAbove += 1;
            waits(a);
        }
    }

    /// @dev In either direction: whether other terms are better is not for the contract to say.
    function test_other_terms_wait() public {
        for (uint256 i = 0; i < 4; ++i) {
            Amendment memory a = amendment();
            a.policy = mandates.mandate(mandate).policy;
            if (i == 0) a.policy.terms.challengePeriod -= 1;
            if (i == 1) a.policy.terms.resolutionTimeout -= 1;
            if (i == 2) a.policy.terms.silenceBps -= 1;
            if (i == 3) a.policy.terms.resolver = stranger;
            waits(a);
        }
    }

    function test_a_tighter_entry_works_at_once() public {
        worksAtOnce(withEntry(Entry(provider, SERVICE, 100e6, 200e6, Window.UtcDay)));
        worksAtOnce(withEntry(Entry(provider, SERVICE, 99e6, 200e6, Window.UtcDay)));
        worksAtOnce(withEntry(Entry(provider, SERVICE, 99e6, 199e6, Window.UtcDay)));
    }

    function test_an_entry_that_denies_works_at_once() public {
        worksAtOnce(withEntry(Entry(stranger, SERVICE, 0, 0, Window.UtcDay)));
        worksAtOnce(withEntry(Entry(provider, SERVICE, 0, type(uint96).max, Window.UtcMonth)));
    }

    function test_a_looser_entry_waits() public {
        waits(withEntry(Entry(provider, SERVICE, 100e6 + 1, 200e6, Window.UtcDay)));
        waits(withEntry(Entry(provider, SERVICE, 100e6, 200e6 + 1, Window.UtcDay)));
        waits(withEntry(Entry(provider, SERVICE, 1, 1, Window.UtcMonth)));
    }

    function test_an_entry_where_none_or_a_denial_was_waits() public {
        waits(withEntry(Entry(stranger, SERVICE, 1, 1, Window.UtcDay)));
        worksAtOnce(withEntry(Entry(stranger, SERVICE, 0, 1, Window.UtcDay)));
        waits(withEntry(Entry(stranger, SERVICE, 1, 1, Window.UtcDay)));
    }

    function test_what_is_mixed_waits_whole() public {
        Amendment memory a = amendment();
        (a.policy.dayCap, a.policy.monthCap) = (1, type(uint96).max);
        a.entries = new Entry[](2);
        a.entries[0] = Entry(provider, SERVICE, 1, 1, Window.UtcDay);
        a.entries[1] = Entry(provider, 0, 1, 1, Window.UtcDay);
        waits(a);
    }

    /// @dev The looser one is not the last that is looked at.
    function test_one_looser_entry_among_tighter_ones_waits() public {
        Amendment memory a = amendment();
        a.entries = new Entry[](2);
        a.entries[0] = Entry(provider, 0, 1, 1, Window.UtcDay);
        a.entries[1] = Entry(provider, SERVICE, 1, 1, Window.UtcDay);
        waits(a);
    }

    function test_another_version_is_PolicyVersion() public {
        Amendment memory a = amendment();
        a.expectedVersion = 2;
        assertRefused(owner, amending(a), Reason.PolicyVersion, 2, 1);
        a.expectedVersion = 0;
        assertRefused(owner, amending(a), Reason.PolicyVersion, 0, 1);
    }

    /// @dev An amendment is made for the version that its owner looked at, and not for a later one.
    function test_a_tightening_makes_what_waits_stale() public {
        Amendment memory looser = amendment();
        looser.policy.dayCap += 1;
        assertPasses(owner, amending(looser));
        worksAtOnce(amendment());
        vm.warp(NOW + 1 days);
        assertRefused(stranger, applying(looser), Reason.PolicyVersion, 1, 2);
        looser.expectedVersion = 2;
        (bytes32 waiting,) = mandates.pendingAmendment(mandate);
        assertRefused(stranger, applying(looser), Reason.NoAmendment, uint256(hashOf(looser)), uint256(waiting));
    }

    function test_a_second_amendment_replaces_the_first_and_waits_anew() public {
        Amendment memory first = amendment();
        first.policy.dayCap += 1;
        Amendment memory second = amendment();
        second.policy.dayCap += 2;
        assertPasses(owner, amending(first));
        vm.warp(NOW + 1 hours);
        assertPasses(owner, amending(second));
        vm.warp(NOW + 1 days);
        assertRefused(stranger, applying(first), Reason.NoAmendment, uint256(hashOf(first)), uint256(hashOf(second)));
        assertRefused(stranger, applying(second), Reason.AmendmentEarly, NOW + 1 days, NOW + 25 hours);
        vm.warp(NOW + 25 hours);
        assertPasses(stranger, applying(second));
        assertRefused(stranger, applying(second), Reason.NoAmendment, uint256(hashOf(second)), 0);
    }

    function test_a_cancelled_amendment_is_NoAmendment() public {
        bytes memory cancelling = abi.encodeCall(IMandates.cancelAmendment, (mandate));
        assertRefused(owner, cancelling, Reason.NoAmendment, 0, 0);
        Amendment memory a = amendment();
        a.policy.dayCap += 1;
        assertPasses(owner, amending(a));
        vm.expectEmit(address(mandates));
        emit IMandates.AmendmentCancelled(mandate);
        assertPasses(owner, cancelling);
        assertRefused(owner, cancelling, Reason.NoAmendment, 0, 0);
        vm.warp(NOW + 1 days);
        assertRefused(stranger, applying(a), Reason.NoAmendment, uint256(hashOf(a)), 0);
    }

    function test_what_waits_is_not_applied_to_a_revoked_mandate() public {
        Amendment memory a = amendment();
        a.policy.dayCap += 1;
        assertPasses(owner, amending(a));
        assertPasses(agent, abi.encodeCall(IMandates.renounce, (mandate)));
        vm.warp(NOW + 1 days);
        assertRefused(stranger, applying(a), Reason.Revoked, 0, 0);
        assertPasses(owner, abi.encodeCall(IMandates.cancelAmendment, (mandate)));
    }

    function test_an_amendment_is_checked_as_a_creation() public {
        Amendment memory a = amendment();
        a.policy.validBefore = NOW;
        assertRefused(owner, amending(a), Reason.EmptyWindow, NOW, NOW);
        a = amendment();
        a.policy.paymentCap = 0;
        assertRefused(owner, amending(a), Reason.ZeroCap, 0, 1);
        a = amendment();
        a.policy.terms.resolver = agent;
        assertRefused(owner, amending(a), Reason.ResolverIsParty, number(agent), number(agent));
    }

    /// @dev Its window may end while an amendment waits.
    function test_what_waits_is_checked_again_when_it_is_applied() public {
        Amendment memory a = amendment();
        (a.policy.dayCap, a.policy.validBefore) = (type(uint96).max, NOW + 1 days);
        assertPasses(owner, amending(a));
        vm.warp(NOW + 1 days);
        assertRefused(stranger, applying(a), Reason.EmptyWindow, NOW + 1 days, NOW + 1 days);
    }
}
