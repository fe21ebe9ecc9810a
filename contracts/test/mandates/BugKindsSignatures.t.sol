// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, PaymentRequest, SignedApproval, SignerKind, State} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {Answer, OddWallet} from "./hostile/OddWallet.sol";

/// @notice Known kinds of bugs: signatures.
contract BugKindsSignaturesTest is HostileTest {
    /// @dev What a signature check by code may cost, with what a refusal costs around it.
    uint256 private constant CHECK_GAS = 500_000;
    uint256 private constant AROUND_GAS = 120_000;
    bytes32 private constant ERC6492 = 0x6492649264926492649264926492649264926492649264926492649264926492;
    string private constant DELIVERY = "Delivery(bytes32 payment,bytes32 receiptHash)";

    function authorizing(PaymentRequest memory r, bytes memory signature) private pure returns (bytes memory) {
        return abi.encodeCall(IMandates.authorize, (r, signature, noApproval()));
    }

    function delivering(PaymentRequest memory r, bytes memory signature) private pure returns (bytes memory) {
        return abi.encodeCall(IMandates.deliver, (r, 0, signature));
    }

    /// @dev A mandate of the owner's whose agent is a contract.
    function mandateOf(address wallet) private returns (bytes32 id) {
        Creation memory c = creation();
        (c.salt, c.agent, c.agentKind) = (bytes32(number(wallet)), wallet, SignerKind.Erc1271);
        id = createAs(owner, c);
        fundAs(owner, id, 100e6);
    }

    function walletOf(uint256 key) private returns (address) {
        return vm.deployCode("TestWallet.sol:TestWallet", abi.encode(vm.addr(key)));
    }

    function test_bug_05_malleability_other_forms_of_an_agents_signature() public {
        PaymentRequest memory r = request();
        bytes memory signature = sign(AGENT_KEY, hashRequest(r));
        bytes[4] memory others = forms(signature);
        for (uint256 i = 0; i < others.length; ++i) {
            assertRefused(stranger, authorizing(r, others[i]), Reason.AgentSignature);
        }
        mandates.authorize(r, signature, noApproval());
        for (uint256 i = 0; i < others.length; ++i) {
            assertRefused(stranger, authorizing(r, others[i]), Reason.RequestUsed);
        }
    }

    function test_bug_05_malleability_other_forms_of_an_approval() public {
        PaymentRequest memory r = requestOf(60e6, "large");
        SignedApproval memory a = approval(r, NOW + 1);
        bytes[4] memory others = forms(a.signature);
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory data = abi.encodeCall(IMandates.authorize, (r, "", SignedApproval(NOW + 1, others[i])));
            assertRefused(agent, data, Reason.ApprovalSignature);
        }
        vm.prank(agent);
        mandates.authorize(r, "", a);
    }

    function test_bug_05_malleability_other_forms_of_a_providers_signature() public {
        PaymentRequest memory r = request();
        bytes32 payment = authorize(r);
        bytes memory signature = sign(PROVIDER_KEY, hashOf(DELIVERY, payment, 0));
        bytes[4] memory others = forms(signature);
        for (uint256 i = 0; i < others.length; ++i) {
            assertRefused(stranger, delivering(r, others[i]), Reason.Signature);
        }
        mandates.deliver(r, 0, signature);
        assertRefused(stranger, delivering(r, signature), Reason.State);
    }

    function test_bug_05_a_payments_name_does_not_depend_on_its_signature() public {
        PaymentRequest memory r = request();
        uint256 state = vm.snapshotState();
        bytes32 signed = authorize(r);
        vm.revertToState(state);
        vm.prank(agent);
        vm.assertEq(mandates.authorize(r, "no signature at all", noApproval()), signed);
        vm.assertEq(signed, hashRequest(r));
    }

    function test_bug_06_zero_recovery_signs_for_nobody() public {
        Creation memory c = creation();
        (c.salt, c.agent) = ("second", address(0));
        expectRefusal(Reason.ZeroAgent, 0, 0);
        createAs(owner, c);
        (c.agent, c.policy.terms.resolver) = (agent, address(0));
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        PaymentRequest memory r = requestIn(id);
        r.terms.resolver = address(0);
        dispute(r);
        PaymentRequest memory unknown = request();
        unknown.mandate = 0;
        PaymentRequest memory nobodys = request();
        nobodys.recipient = address(0);
        bytes[3] memory garbage = [new bytes(65), abi.encodePacked(new bytes(64), uint8(27)), new bytes(1)];
        for (uint256 i = 0; i < garbage.length; ++i) {
            bytes memory g = garbage[i];
            assertRefused(stranger, abi.encodeCall(IMandates.resolve, (r, 0, g)), Reason.Signature);
            assertRefused(stranger, abi.encodeCall(IMandates.accept, (unknown, g)), Reason.Signature);
            assertRefused(stranger, abi.encodeCall(IMandates.deliver, (nobodys, 0, g)), Reason.Signature);
            assertRefused(stranger, authorizing(request(), g), Reason.AgentSignature);
        }
    }

    function test_bug_07_replay_of_one_key_over_two_wallets() public {
        (address first, address second) = (walletOf(AGENT_KEY), walletOf(AGENT_KEY));
        vm.assertTrue(first != second);
        PaymentRequest memory r = requestIn(mandateOf(first));
        PaymentRequest memory q = requestIn(mandateOf(second));
        bytes memory signature = sign(AGENT_KEY, hashRequest(r));
        assertRefused(stranger, authorizing(q, signature), Reason.AgentSignature);
        mandates.authorize(r, signature, noApproval());
        assertRefused(stranger, authorizing(r, signature), Reason.RequestUsed);
        assertRefused(stranger, authorizing(q, signature), Reason.AgentSignature);
        assertRefused(stranger, authorizing(request(), signature), Reason.AgentSignature);
    }

    function test_bug_07_replay_of_one_providers_key_over_two_wallets() public {
        Creation memory c = creation();
        (c.salt, c.entries[0].recipient) = ("any", address(0));
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        PaymentRequest memory r = requestIn(id);
        PaymentRequest memory q = requestIn(id);
        (r.recipient, q.recipient) = (walletOf(PROVIDER_KEY), walletOf(PROVIDER_KEY));
        (bytes32 one, bytes32 two) = (authorize(r), authorize(q));
        bytes memory signature = sign(PROVIDER_KEY, hashOf(DELIVERY, one, 0));
        assertRefused(stranger, delivering(q, signature), Reason.Signature);
        mandates.deliver(r, 0, signature);
        assertState(one, State.Delivered);
        assertState(two, State.Escrowed);
    }

    /// @dev One wallet owns two mandates: a yes to one request is none to its twin, and the key alone is not the owner.
    function test_bug_07_replay_of_an_approval_of_a_wallet() public {
        Creation memory c = creation();
        (address first, address second) = (walletOf(OWNER_KEY), walletOf(OWNER_KEY));
        c.ownerKind = SignerKind.Erc1271;
        PaymentRequest memory r = requestOf(60e6, "large");
        r.mandate = createAs(first, c);
        PaymentRequest memory q = requestOf(60e6, "large");
        q.mandate = createAs(second, c);
        fundAs(first, r.mandate, 100e6);
        fundAs(second, q.mandate, 100e6);
        SignedApproval memory a = SignedApproval(NOW + 1, sign(OWNER_KEY, hashApproval(r, first, NOW + 1)));
        assertRefused(agent, abi.encodeCall(IMandates.authorize, (q, "", a)), Reason.ApprovalSignature);
        vm.prank(agent);
        mandates.authorize(r, "", a);
    }

    function test_bug_08_odd_answers_of_a_wallet_are_a_no() public {
        for (uint256 i = 0; i <= uint256(type(Answer).max); ++i) {
            address wallet = address(new OddWallet(Answer(i)));
            bytes memory data = authorizing(requestIn(mandateOf(wallet)), "anything");
            uint256 before = gasleft();
            (bool isDone, bytes memory answer) = tryAs(stranger, data);
            vm.assertTrue(before - gasleft() < CHECK_GAS + AROUND_GAS);
            vm.assertTrue(isDone == (Answer(i) == Answer.Yes));
            if (!isDone) vm.assertEq(uint256(reasonIn(answer)), uint256(Reason.AgentSignature));
        }
    }

    /// @dev What a short answer leaves of the word it is read into must not count: here that is the end of the payment's
    /// name, and the byte that is missing is there.
    function test_bug_08_an_answer_short_of_a_zero_byte_is_a_no() public {
        PaymentRequest memory r = requestIn(mandateOf(address(new OddWallet(Answer.ByteShort))));
        while (uint8(uint256(hashRequest(r))) != 0) {
            r.requestId = bytes32(uint256(r.requestId) + 1);
        }
        assertRefused(stranger, authorizing(r, "anything"), Reason.AgentSignature);
    }

    function test_bug_08_odd_answers_of_a_provider_or_resolver_are_a_no() public {
        Creation memory c = creation();
        (c.salt, c.entries[0].recipient) = ("any", address(0));
        c.policy.dayCount = 100;
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 1_000e6);
        for (uint256 i = 0; i <= uint256(type(Answer).max); ++i) {
            PaymentRequest memory r = requestIn(id);
            (r.recipient, r.maxAmount) = (address(new OddWallet(Answer(i))), 1e6);
            authorize(r);
            (bool isDone, bytes memory answer) = tryAs(stranger, delivering(r, "anything"), CHECK_GAS + AROUND_GAS);
            vm.assertTrue(isDone == (Answer(i) == Answer.Yes));
            if (!isDone) vm.assertEq(uint256(reasonIn(answer)), uint256(Reason.Signature));
        }
    }

    /// @dev A signature of an account that is yet to be deployed asks its verifier to call a factory: nobody calls it.
    function test_bug_09_a_wrapped_signature_causes_no_call() public {
        address factory = address(new OddWallet(Answer.Yes));
        address counterfactual = address(0xC0DE);
        bytes memory inner = sign(AGENT_KEY, hashRequest(request()));
        bytes memory wrapped = abi.encodePacked(abi.encode(factory, hex"12345678", inner), ERC6492);
        PaymentRequest memory r = requestIn(mandateOf(counterfactual));
        vm.expectCall(factory, "", 0);
        vm.expectCall(counterfactual, "", 0);
        assertRefused(stranger, authorizing(r, wrapped), Reason.AgentSignature);
        assertRefused(stranger, authorizing(request(), wrapped), Reason.AgentSignature);
        authorize(request());
        assertRefused(stranger, delivering(request(), wrapped), Reason.Signature);
    }

    function fork() private returns (bytes memory old) {
        old = sign(AGENT_KEY, hashRequest(requestOf(10e6, "next")));
        vm.chainId(block.chainid + 1);
    }

    function test_bug_10_chain_fork_rebuilds_the_domain() public {
        bytes32 before = mandates.mandateOf(owner, creation().salt);
        bytes memory old = fork();
        PaymentRequest memory r = requestOf(10e6, "next");
        (bytes1 fields, string memory name, string memory version, uint256 chain, address verifier,,) =
            IERC5267(address(mandates)).eip712Domain();
        vm.assertTrue(fields == 0x0f);
        vm.assertEq(keccak256(abi.encode(name, version)), keccak256(abi.encode("Guildhall Mandates", "1")));
        vm.assertEq(chain, block.chainid);
        vm.assertEq(verifier, address(mandates));
        assertRefused(stranger, authorizing(r, old), Reason.AgentSignature);
        authorize(r);
        vm.assertEq(mandates.mandateOf(owner, creation().salt), before);
    }

    /// @dev On either chain its parties bring each escrow to its end, with calls and with signatures of that chain.
    function test_bug_10_chain_fork_leaves_open_escrows_an_end() public {
        PaymentRequest memory r = request();
        bytes32 payment = authorize(r);
        bytes memory old = sign(PROVIDER_KEY, hashOf(DELIVERY, payment, 0));
        fork();
        assertRefused(stranger, delivering(r, old), Reason.Signature);
        mandates.deliver(r, 0, sign(PROVIDER_KEY, hashOf(DELIVERY, payment, 0)));
        vm.warp(NOW + 1 days);
        mandates.claim(r);
        assertState(payment, State.Settled);
        uint256 rest = FUNDS - PART;
        vm.prank(owner);
        mandates.withdraw(mandate, rest, owner);
        vm.assertEq(dollar.balanceOf(owner), rest);
    }
}
