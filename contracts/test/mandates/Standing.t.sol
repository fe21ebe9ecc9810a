// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Amendment, Entry, PaymentRequest, State, Status} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Who stops and starts a mandate, and that an open escrow does not care.
contract StandingTest is Outcomes {
    function pause() private view returns (bytes memory) {
        return abi.encodeCall(IMandates.pause, (mandate));
    }

    function unpause() private view returns (bytes memory) {
        return abi.encodeCall(IMandates.unpause, (mandate));
    }

    function revoke() private view returns (bytes memory) {
        return abi.encodeCall(IMandates.revoke, (mandate));
    }

    function renounce() private view returns (bytes memory) {
        return abi.encodeCall(IMandates.renounce, (mandate));
    }

    function assertStatus(Status status) private view {
        vm.assertEq(uint256(mandates.mandate(mandate).status), uint256(status));
    }

    function test_an_owner_pauses_and_unpauses() public {
        assertRefused(owner, unpause(), Reason.NotPaused, uint256(Status.Active), uint256(Status.Paused));
        vm.expectEmit(address(mandates));
        emit IMandates.MandatePaused(mandate);
        assertPasses(owner, pause());
        assertStatus(Status.Paused);
        assertRefused(owner, pause(), Reason.Paused, 0, 0);
        vm.expectEmit(address(mandates));
        emit IMandates.MandateUnpaused(mandate);
        assertPasses(owner, unpause());
        assertStatus(Status.Active);
    }

    function test_an_owner_revokes_for_ever() public {
        assertPasses(owner, pause());
        vm.expectEmit(address(mandates));
        emit IMandates.MandateRevoked(mandate, owner);
        assertPasses(owner, revoke());
        assertStatus(Status.Revoked);
        assertRefused(owner, pause(), Reason.Revoked, 0, 0);
        assertRefused(owner, unpause(), Reason.Revoked, 0, 0);
        assertRefused(owner, revoke(), Reason.Revoked, 0, 0);
        assertRefused(agent, renounce(), Reason.Revoked, 0, 0);
        Amendment memory a = Amendment(1, policy(), new Entry[](0));
        assertRefused(owner, abi.encodeCall(IMandates.amend, (mandate, a)), Reason.Revoked, 0, 0);
    }

    function test_an_agent_renounces_for_ever() public {
        vm.expectEmit(address(mandates));
        emit IMandates.MandateRevoked(mandate, agent);
        assertPasses(agent, renounce());
        assertRefused(owner, revoke(), Reason.Revoked, 0, 0);
        assertStatus(Status.Revoked);
    }

    /// @notice What the owner alone may do.
    function ownersCalls() private view returns (bytes[7] memory) {
        Amendment memory a = Amendment(1, policy(), new Entry[](0));
        return [
            pause(),
            unpause(),
            revoke(),
            abi.encodeCall(IMandates.amend, (mandate, a)),
            abi.encodeCall(IMandates.cancelAmendment, (mandate)),
            abi.encodeCall(IMandates.withdraw, (mandate, 1, owner)),
            renounce()
        ];
    }

    function test_others_are_NotPermitted() public {
        bytes[7] memory calls = ownersCalls();
        address[4] memory others = [agent, provider, resolver, stranger];
        for (uint256 i = 0; i < 6; ++i) {
            for (uint256 j = 0; j < 4; ++j) {
                assertRefused(others[j], calls[i], Reason.NotPermitted, number(others[j]), number(owner));
            }
        }
        assertRefused(owner, calls[6], Reason.NotPermitted, number(owner), number(agent));
        assertRefused(stranger, calls[6], Reason.NotPermitted, number(stranger), number(agent));
    }

    function test_of_no_mandate_all_is_UnknownMandate() public {
        bytes32 known = mandate;
        mandate = keccak256("none");
        bytes[7] memory calls = ownersCalls();
        for (uint256 i = 0; i < 7; ++i) {
            assertRefused(owner, calls[i], Reason.UnknownMandate, uint256(mandate), 0);
        }
        Amendment memory a = Amendment(1, policy(), new Entry[](0));
        assertRefused(
            owner, abi.encodeCall(IMandates.applyAmendment, (mandate, a)), Reason.UnknownMandate, uint256(mandate), 0
        );
        assertRefused(owner, abi.encodeCall(IMandates.fund, (mandate, 1)), Reason.UnknownMandate, uint256(mandate), 0);
        bytes memory data = abi.encodeCall(IMandates.fundWithPermit, (mandate, 1, 0, 0, 0, 0));
        assertRefused(owner, data, Reason.UnknownMandate, uint256(mandate), 0);
        data = abi.encodeCall(IMandates.fundWithAuthorization, (mandate, owner, 1, 0, 0, 0, ""));
        assertRefused(owner, data, Reason.UnknownMandate, uint256(mandate), 0);
        mandate = known;
    }

    function test_open_escrows_end_after_a_revocation() public {
        PaymentRequest memory undelivered = requestOf(10e6, "undelivered");
        PaymentRequest memory delivered = requestOf(20e6, "delivered");
        PaymentRequest memory disputed = requestOf(30e6, "disputed");
        authorize(undelivered);
        deliver(delivered);
        dispute(disputed);
        assertPasses(owner, revoke());
        vm.prank(resolver);
        mandates.resolve(disputed, 30e6, "");
        vm.warp(NOW + 1 days);
        mandates.claim(delivered);
        mandates.expire(undelivered);
        vm.assertEq(dollar.balanceOf(provider), 50e6);
        vm.assertEq(mandates.mandate(mandate).reserved, 0);
        vm.prank(owner);
        mandates.withdraw(mandate, FUNDS - 50e6, owner);
        vm.assertEq(dollar.balanceOf(owner), FUNDS - 50e6);
        assertState(hashRequest(undelivered), State.Refunded);
    }
}
