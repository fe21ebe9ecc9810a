// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Payment, PaymentRequest, SignedApproval, State} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice A request is good once, and needs the agent's word and above the threshold the owner's.
contract AuthorizationProofsTest is Outcomes {
    string private constant CANCEL = "Cancel(bytes32 payment)";

    function test_zero_id_is_ZeroRequestId() public {
        assertRefused(requestOf(20e6, 0), Reason.ZeroRequestId, 0, 0);
    }

    /// @dev In every state that a payment can have.
    function test_used_request_is_RequestUsed_in_every_state() public {
        PaymentRequest memory r = request();
        authorize(r);
        assertRefused(r, Reason.RequestUsed, uint256(State.Escrowed), 0);
        vm.prank(provider);
        mandates.deliver(r, keccak256("receipt"), "");
        assertRefused(r, Reason.RequestUsed, uint256(State.Delivered), 0);
        vm.prank(owner);
        mandates.dispute(r, keccak256("evidence"), "");
        assertRefused(r, Reason.RequestUsed, uint256(State.Disputed), 0);
        vm.prank(resolver);
        mandates.resolve(r, 1, "");
        assertRefused(r, Reason.RequestUsed, uint256(State.Settled), 0);
        r.requestId = "voided";
        authorize(r);
        vm.prank(provider);
        mandates.void(r, "");
        assertRefused(r, Reason.RequestUsed, uint256(State.Voided), 0);
        r.requestId = "refunded";
        dispute(r);
        vm.prank(resolver);
        mandates.resolve(r, 0, "");
        assertRefused(r, Reason.RequestUsed, uint256(State.Refunded), 0);
        r.requestId = "timed out";
        r.terms.resolutionTimeout = 7 days;
        (r.validBefore, r.deliverBy, r.captureBy) = (NOW + 8 days, NOW + 9 days, NOW + 11 days);
        dispute(r);
        vm.warp(NOW + 7 days);
        mandates.timeOut(r);
        assertRefused(r, Reason.RequestUsed, uint256(State.TimedOut), 0);
    }

    /// @dev Any field makes another payment, so that nothing of a request can be exchanged.
    function test_one_id_with_another_job_is_another_payment() public {
        PaymentRequest memory r = request();
        authorize(r);
        r.jobHash = keccak256("another job");
        assertAllowed(r);
    }

    function test_cancelled_request_is_RequestCancelled() public {
        PaymentRequest memory r = request();
        vm.expectEmit(address(mandates));
        emit IMandates.RequestCancelled(hashRequest(r), mandate, owner);
        vm.prank(owner);
        mandates.cancelRequest(r, "");
        assertRefused(r, Reason.RequestCancelled, uint256(State.Cancelled), 0);
        Payment memory p = mandates.payment(hashRequest(r));
        vm.assertEq(p.since, NOW);
        r.requestId = "another";
        assertAllowed(r);
    }

    function test_the_agent_cancels_too() public {
        vm.expectEmit(address(mandates));
        emit IMandates.RequestCancelled(hashRequest(request()), mandate, agent);
        vm.prank(agent);
        mandates.cancelRequest(request(), "");
        assertRefused(request(), Reason.RequestCancelled, uint256(State.Cancelled), 0);
    }

    function test_either_cancels_by_signature() public {
        for (uint256 i = 0; i < 2; ++i) {
            PaymentRequest memory r = requestOf(20e6, keccak256(abi.encode(i)));
            bytes memory signature = sign(i == 0 ? OWNER_KEY : AGENT_KEY, hashOf(CANCEL, hashRequest(r)));
            vm.expectEmit(address(mandates));
            emit IMandates.RequestCancelled(hashRequest(r), mandate, i == 0 ? owner : agent);
            assertPasses(stranger, abi.encodeCall(IMandates.cancelRequest, (r, signature)));
        }
    }

    function test_others_cannot_cancel() public {
        PaymentRequest memory r = request();
        bytes memory data = abi.encodeCall(IMandates.cancelRequest, (r, ""));
        assertRefused(provider, data, Reason.NotPermitted, number(provider), number(owner));
        bytes memory signature = sign(PROVIDER_KEY, hashOf(CANCEL, hashRequest(r)));
        data = abi.encodeCall(IMandates.cancelRequest, (r, signature));
        assertRefused(owner, data, Reason.Signature, 0, number(owner));
        r.mandate = keccak256("none");
        data = abi.encodeCall(IMandates.cancelRequest, (r, ""));
        assertRefused(owner, data, Reason.UnknownMandate, uint256(r.mandate), 0);
    }

    function test_an_authorized_or_cancelled_request_cannot_be_cancelled() public {
        PaymentRequest memory r = request();
        authorize(r);
        bytes memory data = abi.encodeCall(IMandates.cancelRequest, (r, ""));
        assertRefused(owner, data, Reason.State, uint256(State.Escrowed), uint256(State.None));
        r.requestId = "another";
        data = abi.encodeCall(IMandates.cancelRequest, (r, ""));
        assertPasses(owner, data);
        assertRefused(agent, data, Reason.State, uint256(State.Cancelled), uint256(State.None));
    }

    function test_no_approval_above_the_threshold_is_ApprovalMissing() public {
        PaymentRequest memory r = requestOf(50e6 + 1, "large");
        SignedApproval memory none = SignedApproval(type(uint48).max, "");
        assertSaid(ask(agent, r, "", none), Reason.ApprovalMissing, 50e6 + 1, 50e6);
        vm.assertTrue(mandates.preview(r, "", none, agent).needsApproval);
        vm.expectEmit(address(mandates));
        emit IMandates.PaymentAuthorized(hashRequest(r), mandate, provider, r, true);
        authorize(r);
    }

    function test_at_the_threshold_an_approval_is_ignored() public {
        PaymentRequest memory r = requestOf(50e6, "small");
        vm.assertFalse(mandates.preview(r, "", noApproval(), agent).needsApproval);
        assertSaid(ask(agent, r, "", SignedApproval(0, hex"00")), Reason.None, 0, 0);
    }

    function test_without_the_agents_word_is_AgentSignature() public {
        PaymentRequest memory r = request();
        Outcome memory said = ask(stranger, r, "", noApproval());
        assertSaid(said, Reason.AgentSignature, number(stranger), number(agent));
        said = ask(owner, r, sign(OWNER_KEY, hashRequest(r)), noApproval());
        assertSaid(said, Reason.AgentSignature, number(owner), number(agent));
        PaymentRequest memory other = requestOf(20e6 - 1, r.requestId);
        said = ask(stranger, r, sign(AGENT_KEY, hashRequest(other)), noApproval());
        assertSaid(said, Reason.AgentSignature, number(stranger), number(agent));
        assertSaid(ask(stranger, r, sign(AGENT_KEY, hashRequest(r)), noApproval()), Reason.None, 0, 0);
    }

    /// @dev The agent's own call needs no signature, and a wrong one does not matter then.
    function test_the_agents_own_call_is_its_word() public {
        assertSaid(ask(agent, request(), hex"00", noApproval()), Reason.None, 0, 0);
    }

    function test_from_its_end_an_approval_is_ApprovalExpired() public {
        for (uint256 i = 0; i < 3; ++i) {
            PaymentRequest memory r = requestOf(60e6, keccak256(abi.encode(i)));
            uint48 end = uint48(NOW + i);
            Outcome memory said = ask(agent, r, "", approval(r, end));
            if (end <= NOW) assertSaid(said, Reason.ApprovalExpired, NOW, end);
            else assertSaid(said, Reason.None, 0, 0);
        }
        PaymentRequest memory past = requestOf(60e6, "past");
        assertSaid(ask(agent, past, "", approval(past, NOW - 1)), Reason.ApprovalExpired, NOW, NOW - 1);
    }

    function test_an_approval_of_anything_else_is_ApprovalSignature() public {
        PaymentRequest memory r = requestOf(60e6, "large");
        uint48 end = NOW + 60;
        bytes memory right = approval(r, end).signature;
        PaymentRequest memory other = requestOf(61e6, "large");
        SignedApproval[5] memory wrong = [
            approval(other, end),
            SignedApproval(end + 1, right),
            SignedApproval(end, sign(AGENT_KEY, hashApproval(r, owner, end))),
            SignedApproval(end, sign(OWNER_KEY, hashApproval(r, agent, end))),
            SignedApproval(end, sign(OWNER_KEY, hashRequest(r)))
        ];
        for (uint256 i = 0; i < 5; ++i) {
            assertSaid(ask(agent, r, "", wrong[i]), Reason.ApprovalSignature, 0, number(owner));
        }
        assertSaid(ask(agent, r, "", SignedApproval(end, right)), Reason.None, 0, 0);
    }
}
