// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, Entry, MandateView, SignerKind, Status, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice What a mandate is made of, and what is refused in the making, in the order in which it is checked.
contract CreationTest is Outcomes {
    function fresh() private view returns (Creation memory c) {
        c = creation();
        c.salt = keccak256("fresh");
    }

    function refuses(Creation memory c, Reason reason, uint256 got, uint256 limit) private {
        assertRefused(owner, abi.encodeCall(IMandates.create, (c)), reason, got, limit);
    }

    function allows(Creation memory c) private {
        bytes32 salt = c.salt;
        c.salt = keccak256(abi.encode(c));
        assertPasses(owner, abi.encodeCall(IMandates.create, (c)));
        c.salt = salt;
    }

    function idOf(address who, bytes32 salt) private view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(mandates), who, salt));
    }

    function test_a_mandate_is_what_its_owner_said() public {
        Creation memory c = fresh();
        (c.ownerKind, c.agentKind) = (SignerKind.Erc1271, SignerKind.Ecdsa);
        bytes32 id = idOf(owner, c.salt);
        vm.expectEmit(address(mandates));
        emit IMandates.MandateCreated(
            id, owner, agent, address(dollar), SignerKind.Erc1271, SignerKind.Ecdsa, 1 days, c.salt, c.policy, c.entries
        );
        vm.assertEq(createAs(owner, c), id);
        vm.assertEq(mandates.mandateOf(owner, c.salt), id);
        MandateView memory m;
        (m.status, m.ownerKind, m.agentKind) = (Status.Active, SignerKind.Erc1271, SignerKind.Ecdsa);
        (m.owner, m.agent, m.token, m.vault) = (owner, agent, address(dollar), mandates.vaultOf(owner));
        (m.policyVersion, m.amendDelay, m.policy) = (1, 1 days, c.policy);
        vm.assertEq(keccak256(abi.encode(mandates.mandate(id))), keccak256(abi.encode(m)));
        (bool exists, Entry memory e) = mandates.entry(id, provider, SERVICE);
        vm.assertTrue(exists);
        vm.assertEq(keccak256(abi.encode(e)), keccak256(abi.encode(c.entries[0])));
        (exists, e) = mandates.entry(id, provider, 0);
        vm.assertFalse(exists);
        vm.assertEq(e.paymentCap, 0);
    }

    function test_an_unknown_mandate_reads_as_nothing() public view {
        MandateView memory nothing;
        vm.assertEq(keccak256(abi.encode(mandates.mandate("none"))), keccak256(abi.encode(nothing)));
    }

    function test_one_salt_twice_is_MandateExists_and_free_to_others() public {
        Creation memory c = fresh();
        bytes32 id = createAs(owner, c);
        c.agent = stranger;
        refuses(c, Reason.MandateExists, uint256(id), 0);
        vm.prank(owner);
        mandates.revoke(id);
        refuses(c, Reason.MandateExists, uint256(id), 0);
        vm.assertEq(createAs(provider, c), idOf(provider, c.salt));
    }

    function test_no_agent_is_ZeroAgent() public {
        Creation memory c = fresh();
        c.agent = address(0);
        refuses(c, Reason.ZeroAgent, 0, 0);
    }

    function test_the_owner_as_agent_is_AgentIsOwner() public {
        Creation memory c = fresh();
        c.agent = owner;
        refuses(c, Reason.AgentIsOwner, number(owner), number(owner));
    }

    function test_no_code_or_no_decimals_is_NoToken() public {
        Creation memory c = fresh();
        c.token = stranger;
        refuses(c, Reason.NoToken, number(stranger), 0);
        c.token = address(this);
        refuses(c, Reason.NoToken, number(address(this)), 0);
        c.token = address(0);
        refuses(c, Reason.NoToken, 0, 0);
    }

    function test_a_delay_out_of_bounds_is_AmendDelay() public {
        Creation memory c = fresh();
        c.amendDelay = 1 hours - 1;
        refuses(c, Reason.AmendDelay, 1 hours - 1, 1 hours);
        c.amendDelay = 30 days + 1;
        refuses(c, Reason.AmendDelay, 30 days + 1, 30 days);
        c.amendDelay = 1 hours;
        allows(c);
        c.amendDelay = 30 days;
        allows(c);
    }

    function test_a_window_that_is_over_or_empty_is_EmptyWindow() public {
        Creation memory c = fresh();
        c.policy.validBefore = NOW;
        refuses(c, Reason.EmptyWindow, NOW, NOW);
        c.policy.validBefore = NOW + 1;
        allows(c);
        (c.policy.validAfter, c.policy.validBefore) = (NOW + 5, NOW + 5);
        refuses(c, Reason.EmptyWindow, NOW + 5, NOW + 5);
        c.policy.validBefore = NOW + 6;
        allows(c);
    }

    function test_each_cap_of_zero_is_ZeroCap() public {
        for (uint256 i = 0; i < 5; ++i) {
            Creation memory c = fresh();
            if (i == 0) c.policy.paymentCap = 0;
            if (i == 1) c.policy.dayCap = 0;
            if (i == 2) c.policy.monthCap = 0;
            if (i == 3) c.policy.lifetimeCap = 0;
            if (i == 4) c.policy.dayCount = 0;
            refuses(c, Reason.ZeroCap, 0, 1);
        }
        Creation memory all = fresh();
        all.policy.approvalAbove = 0;
        allows(all);
    }

    function test_a_period_out_of_bounds_is_ChallengePeriod() public {
        Creation memory c = fresh();
        c.policy.terms.challengePeriod = 10 minutes - 1;
        refuses(c, Reason.ChallengePeriod, 10 minutes - 1, 10 minutes);
        c.policy.terms.challengePeriod = 30 days + 1;
        refuses(c, Reason.ChallengePeriod, 30 days + 1, 30 days);
        c.policy.terms.challengePeriod = 10 minutes;
        allows(c);
        c.policy.terms.challengePeriod = 30 days;
        allows(c);
    }

    function test_a_timeout_out_of_bounds_is_ResolutionTimeout() public {
        Creation memory c = fresh();
        c.policy.terms.resolutionTimeout = 1 hours - 1;
        refuses(c, Reason.ResolutionTimeout, 1 hours - 1, 1 hours);
        c.policy.terms.resolutionTimeout = 90 days + 1;
        refuses(c, Reason.ResolutionTimeout, 90 days + 1, 90 days);
        c.policy.terms.resolutionTimeout = 1 hours;
        allows(c);
        c.policy.terms.resolutionTimeout = 90 days;
        allows(c);
    }

    function test_more_than_the_whole_is_SilenceShare() public {
        Creation memory c = fresh();
        c.policy.terms.silenceBps = 10_001;
        refuses(c, Reason.SilenceShare, 10_001, 10_000);
        c.policy.terms.silenceBps = 10_000;
        allows(c);
        c.policy.terms.silenceBps = 0;
        allows(c);
    }

    function test_a_party_as_resolver_is_ResolverIsParty() public {
        Creation memory c = fresh();
        c.policy.terms.resolver = owner;
        refuses(c, Reason.ResolverIsParty, number(owner), number(owner));
        c.policy.terms.resolver = agent;
        refuses(c, Reason.ResolverIsParty, number(agent), number(agent));
        c.policy.terms.resolver = address(0);
        allows(c);
    }

    /// @dev Everything wrong at first, and then put right one after the other.
    function test_what_is_wrong_first_is_said_first() public {
        Creation memory c = creation();
        (c.agent, c.token, c.amendDelay) = (address(0), stranger, 0);
        (c.policy.validBefore, c.policy.dayCap) = (0, 0);
        (c.policy.terms.challengePeriod, c.policy.terms.resolutionTimeout) = (0, 0);
        (c.policy.terms.silenceBps, c.policy.terms.resolver) = (10_001, agent);
        refuses(c, Reason.MandateExists, uint256(mandate), 0);
        c.salt = keccak256("fresh");
        refuses(c, Reason.ZeroAgent, 0, 0);
        c.agent = owner;
        refuses(c, Reason.AgentIsOwner, number(owner), number(owner));
        c.agent = agent;
        refuses(c, Reason.NoToken, number(stranger), 0);
        c.token = address(dollar);
        refuses(c, Reason.AmendDelay, 0, 1 hours);
        c.amendDelay = 1 hours;
        refuses(c, Reason.EmptyWindow, 0, NOW);
        c.policy.validBefore = NOW + 1;
        refuses(c, Reason.ZeroCap, 0, 1);
        c.policy.dayCap = 1;
        refuses(c, Reason.ChallengePeriod, 0, 10 minutes);
        c.policy.terms.challengePeriod = 1 hours;
        refuses(c, Reason.ResolutionTimeout, 0, 1 hours);
        c.policy.terms.resolutionTimeout = 1 hours;
        refuses(c, Reason.SilenceShare, 10_001, 10_000);
        c.policy.terms.silenceBps = 1;
        refuses(c, Reason.ResolverIsParty, number(agent), number(agent));
        c.policy.terms.resolver = resolver;
        c.entries = new Entry[](0);
        allows(c);
    }

    /// @dev The last of two entries for one pair stands.
    function test_a_pair_named_twice_is_one_entry() public {
        Creation memory c = fresh();
        c.entries = new Entry[](2);
        c.entries[0] = Entry(provider, SERVICE, 1, 2, Window.UtcDay);
        c.entries[1] = Entry(provider, SERVICE, 3, 4, Window.UtcMonth);
        (, Entry memory e) = mandates.entry(createAs(owner, c), provider, SERVICE);
        vm.assertEq(keccak256(abi.encode(e)), keccak256(abi.encode(c.entries[1])));
    }
}
