// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, PaymentRequest, Preview, SignerKind, State} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {Answer, OddWallet} from "./hostile/OddWallet.sol";

/// @notice Known kinds of bugs: an account with a key that takes on code (EIP-7702) while a mandate lives.
contract BugKindsDelegationTest is HostileTest {
    string private constant DELIVERY = "Delivery(bytes32 payment,bytes32 receiptHash)";

    function setUp() public override {
        // The first whose rules know delegation.
        vm.setEvmVersion("prague");
        super.setUp();
    }

    function delegate(address account, Answer answer) private {
        vm.etch(account, abi.encodePacked(hex"ef0100", new OddWallet(answer)));
    }

    function assertPreviewed(PaymentRequest memory r, bytes memory signature, Reason reason) private view {
        Preview memory p = mandates.preview(r, signature, noApproval(), stranger);
        vm.assertEq(uint256(p.reason), uint256(reason));
    }

    function test_delegation_neither_breaks_nor_widens_an_agent_with_a_key() public {
        PaymentRequest memory r = request();
        Answer[3] memory answers = [Answer.No, Answer.Yes, Answer.BurnsGas];
        for (uint256 i = 0; i < answers.length; ++i) {
            delegate(agent, answers[i]);
            r.requestId = bytes32(i + 1);
            assertPreviewed(r, "anything", Reason.AgentSignature);
            assertRefused(
                stranger, abi.encodeCall(IMandates.authorize, (r, "anything", noApproval())), Reason.AgentSignature
            );
            assertPreviewed(r, sign(AGENT_KEY, hashRequest(r)), Reason.None);
            authorize(r);
        }
    }

    function test_delegation_decides_for_an_agent_of_code() public {
        Creation memory c = creation();
        (c.salt, c.agentKind) = ("second", SignerKind.Erc1271);
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        PaymentRequest memory r = requestIn(id);
        bytes memory byKey = sign(AGENT_KEY, hashRequest(r));
        bytes memory data = abi.encodeCall(IMandates.authorize, (r, byKey, noApproval()));
        assertPreviewed(r, byKey, Reason.AgentSignature);
        assertRefused(stranger, data, Reason.AgentSignature);
        delegate(agent, Answer.No);
        assertPreviewed(r, byKey, Reason.AgentSignature);
        assertRefused(stranger, data, Reason.AgentSignature);
        delegate(agent, Answer.Yes);
        assertPreviewed(r, byKey, Reason.None);
        mandates.authorize(r, byKey, noApproval());
        vm.etch(agent, "");
        r.requestId = "next";
        assertPreviewed(r, byKey, Reason.AgentSignature);
        vm.prank(agent);
        mandates.authorize(r, "", noApproval());
    }

    function test_delegation_neither_breaks_nor_widens_an_owner_with_a_key() public {
        PaymentRequest memory r = requestOf(60e6, "large");
        delegate(owner, Answer.Yes);
        deliver(r);
        assertRefused(stranger, abi.encodeCall(IMandates.accept, (r, "anything")), Reason.Signature);
        bytes memory signature = sign(OWNER_KEY, hashOf("Accept(bytes32 payment)", hashRequest(r)));
        mandates.accept(r, signature);
        assertState(hashRequest(r), State.Settled);
    }

    /// @dev No mandate describes a provider: its key goes on to sign, and so does its code.
    function test_delegation_of_a_provider_adds_its_code() public {
        PaymentRequest memory r = request();
        bytes32 payment = authorize(r);
        bytes memory byKey = sign(PROVIDER_KEY, hashOf(DELIVERY, payment, 0));
        delegate(provider, Answer.No);
        assertRefused(stranger, abi.encodeCall(IMandates.deliver, (r, 0, "anything")), Reason.Signature);
        uint256 state = vm.snapshotState();
        mandates.deliver(r, 0, byKey);
        vm.revertToState(state);
        delegate(provider, Answer.Yes);
        mandates.deliver(r, 0, "anything");
        assertState(payment, State.Delivered);
    }
}
