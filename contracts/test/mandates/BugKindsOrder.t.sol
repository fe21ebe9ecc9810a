// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Batch, Creation, Item, PaymentRequest, SignedApproval, SignerKind, State} from "../../src/mandates/Types.sol";
import {ITestDollar} from "../ITestDollar.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {Oddity, OddToken} from "./hostile/OddToken.sol";
import {Answer, OddWallet} from "./hostile/OddWallet.sol";

/// @notice Known kinds of bugs: who sends what first, with which gas, and next to what else.
contract BugKindsOrderTest is HostileTest {
    uint256 private constant AMOUNT = 50e6;
    bytes32 private constant SALT = "salt";

    function setUp() public override {
        super.setUp();
        dollar.mint(owner, AMOUNT);
    }

    function signFor(uint256 key, bytes32 content) private view returns (bytes memory) {
        bytes32 whole = keccak256(abi.encodePacked(hex"1901", dollar.DOMAIN_SEPARATOR(), content));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, whole);
        return abi.encodePacked(r, s, v);
    }

    function test_bug_11_permit_front_run_does_not_stop_the_funding() public {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 content = keccak256(abi.encode(typeHash, owner, address(mandates), AMOUNT, 0, NOW));
        (bytes32 r, bytes32 s, uint8 v) = split(signFor(OWNER_KEY, content));
        vm.prank(stranger);
        dollar.permit(owner, address(mandates), AMOUNT, NOW, v, r, s);
        // A copier has no such allowance.
        (bool isDone,) = tryAs(stranger, abi.encodeCall(IMandates.fundWithPermit, (mandate, AMOUNT, NOW, v, r, s)));
        vm.assertFalse(isDone);
        vm.prank(owner);
        mandates.fundWithPermit(mandate, AMOUNT, NOW, v, r, s);
        vm.assertEq(balanceOf(mandate), FUNDS + AMOUNT);
        vm.expectRevert(
            abi.encodeWithSelector(ITestDollar.ERC20InsufficientAllowance.selector, address(mandates), 0, AMOUNT)
        );
        vm.prank(owner);
        mandates.fundWithPermit(mandate, AMOUNT, NOW, v, r, s);
    }

    function authorization() private view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        bytes32 nonce = mandates.fundingNonce(mandate, SALT);
        address vault = mandates.vaultOf(owner);
        return signFor(OWNER_KEY, keccak256(abi.encode(typeHash, owner, vault, AMOUNT, 0, NOW + 1, nonce)));
    }

    function funding(bytes32 id, bytes memory signature) private view returns (bytes memory) {
        return abi.encodeCall(IMandates.fundWithAuthorization, (id, owner, AMOUNT, 0, NOW + 1, SALT, signature));
    }

    function test_bug_12_authorization_front_run_reaches_the_mandate_or_nothing() public {
        bytes memory signature = authorization();
        bytes32 nonce = mandates.fundingNonce(mandate, SALT);
        address vault = mandates.vaultOf(owner);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC20InvalidReceiver.selector, vault));
        vm.prank(stranger);
        dollar.receiveWithAuthorization(owner, vault, AMOUNT, 0, NOW + 1, nonce, signature);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009InvalidSignature.selector));
        vm.prank(stranger);
        dollar.transferWithAuthorization(owner, vault, AMOUNT, 0, NOW + 1, nonce, signature);
        Creation memory c = creation();
        c.salt = "other";
        bytes[2] memory wrong = [funding(createAs(owner, c), signature), funding(createAs(stranger, c), signature)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009InvalidSignature.selector));
            tryAs(stranger, wrong[i]);
        }
        (bool isDone,) = tryAs(stranger, funding(mandate, signature));
        vm.assertTrue(isDone);
        vm.assertEq(balanceOf(mandate), FUNDS + AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(ITestDollar.ERC3009UsedAuthorization.selector, owner, nonce));
        tryAs(owner, funding(mandate, signature));
    }

    /// @dev Good, unknown mandate, wrong signer, too much, twice the first, good.
    function items() private view returns (Item[] memory list) {
        list = new Item[](6);
        for (uint256 i = 0; i < list.length; ++i) {
            PaymentRequest memory r = requestOf(20e6, bytes32(i + 1));
            if (i == 1) r.mandate = "unknown";
            if (i == 3) r.maxAmount = 100e6 + 1;
            if (i == 4) r.requestId = bytes32(uint256(1));
            list[i] = Item(r, sign(i == 2 ? STRANGER_KEY : AGENT_KEY, hashRequest(r)), noApproval());
        }
    }

    function test_bug_25_a_bad_item_does_not_block_the_good_ones() public {
        vm.prank(stranger);
        Reason[] memory reasons = mandates.authorizeBatch(items(), Batch.EachAlone);
        Reason[6] memory expected = [
            Reason.None,
            Reason.UnknownMandate,
            Reason.AgentSignature,
            Reason.EntryPaymentCap,
            Reason.RequestUsed,
            Reason.None
        ];
        for (uint256 i = 0; i < expected.length; ++i) {
            vm.assertEq(uint256(reasons[i]), uint256(expected[i]));
        }
        vm.assertEq(reservedOf(mandate), 40e6);
        vm.assertEq(uint256(mandates.mandate(mandate).spent.dayCount), 2);
    }

    function test_bug_25_all_or_nothing_is_nothing() public {
        bytes32 before = keccak256(abi.encode(mandates.mandate(mandate)));
        assertRefused(
            stranger, abi.encodeCall(IMandates.authorizeBatch, (items(), Batch.AllOrNothing)), Reason.UnknownMandate
        );
        vm.assertEq(keccak256(abi.encode(mandates.mandate(mandate))), before);
        assertState(hashRequest(items()[0].request), State.None);
    }

    function test_bug_25_a_wallet_that_burns_gas_does_not_block_the_good_ones() public {
        Creation memory c = creation();
        (c.salt, c.agentKind, c.agent) = ("bad", SignerKind.Erc1271, address(new OddWallet(Answer.BurnsGas)));
        bytes32 bad = createAs(stranger, c);
        fundAs(stranger, bad, 100e6);
        Item[] memory list = new Item[](4);
        for (uint256 i = 0; i < 4; ++i) {
            PaymentRequest memory r = requestOf(20e6, bytes32(i + 1));
            if (i < 3) r.mandate = bad;
            list[i] = Item(r, sign(AGENT_KEY, hashRequest(r)), noApproval());
        }
        (bool isDone,) =
            tryAs(stranger, abi.encodeCall(IMandates.authorizeBatch, (list, Batch.EachAlone)), 3 * 600_000 + 300_000);
        vm.assertTrue(isDone);
        assertState(hashRequest(list[3].request), State.Escrowed);
    }

    function test_bug_26_a_copy_has_the_same_effect_once() public {
        PaymentRequest memory r = request();
        bytes32 id = hashRequest(r);
        bytes[2] memory calls;
        calls[0] = abi.encodeCall(IMandates.authorize, (r, sign(AGENT_KEY, id), noApproval()));
        bytes32 delivery = hashOf("Delivery(bytes32 payment,bytes32 receiptHash)", id, 7);
        calls[1] = abi.encodeCall(IMandates.deliver, (r, bytes32(uint256(7)), sign(PROVIDER_KEY, delivery)));
        Reason[2] memory second = [Reason.RequestUsed, Reason.State];
        State[2] memory states = [State.Escrowed, State.Delivered];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone,) = tryAs(stranger, calls[i]);
            vm.assertTrue(isDone);
            assertState(id, states[i]);
            assertRefused(resolver, calls[i], second[i]);
            assertState(id, states[i]);
        }
        vm.assertEq(reservedOf(mandate), PART);
    }

    function test_bug_26_a_copied_capture_pays_once() public {
        PaymentRequest memory r = request();
        bytes32 id = deliver(r);
        vm.warp(NOW + 1 days);
        bytes memory signature = sign(PROVIDER_KEY, hashOf("Capture(bytes32 payment,uint128 total)", id, 5e6));
        mandates.capture(r, 5e6, signature);
        assertRefused(stranger, abi.encodeCall(IMandates.capture, (r, 5e6, signature)), Reason.NothingNew);
        vm.assertEq(dollar.balanceOf(provider), 5e6);
    }

    /// @dev The dearest refusal: an agent of code that burns gas, and an owner of code that does.
    function test_bug_27_a_refusal_costs_its_sender_a_bounded_gas() public {
        address wallet = address(new OddWallet(Answer.BurnsGas));
        Creation memory c = creation();
        (c.agentKind, c.ownerKind) = (SignerKind.Ecdsa, SignerKind.Erc1271);
        PaymentRequest memory r = requestOf(60e6, "large");
        r.mandate = createAs(wallet, c);
        fundAs(wallet, r.mandate, 100e6);
        SignedApproval memory a = SignedApproval(NOW + 1, "anything");
        uint256 before = gasleft();
        bytes memory signature = sign(AGENT_KEY, hashRequest(r));
        assertRefused(stranger, abi.encodeCall(IMandates.authorize, (r, signature, a)), Reason.ApprovalSignature);
        vm.assertTrue(before - gasleft() < 650_000);
    }

    /// @dev With whatever gas somebody sends it, an acceptance pays or does nothing, though the token takes a lot.
    function test_bug_27_starved_gas_makes_no_credit_of_a_payment() public {
        OddToken heavy = new OddToken();
        PaymentRequest memory r = requestIn(filledIn(owner, heavy, 100e6));
        bytes32 id = deliver(r);
        heavy.set(Oddity.Heavy);
        vm.warp(NOW + 1 days);
        bytes memory data = abi.encodeCall(IMandates.claim, (r));
        uint256 paid;
        uint256 refused;
        for (uint256 gas = 20_000; gas < 600_000; gas += gas < 250_000 ? 10_000 : 1_000) {
            uint256 state = vm.snapshotState();
            (bool isDone, bytes memory answer) = tryAs(stranger, data, gas);
            vm.assertEq(creditOf(address(heavy), provider), 0);
            vm.assertEq(heavy.balanceOf(provider), isDone ? PART : 0);
            assertState(id, isDone ? State.Settled : State.Delivered);
            if (isDone) ++paid;
            if (answer.length > 0 && reasonIn(answer) == Reason.Gas) ++refused;
            vm.revertToState(state);
        }
        vm.assertTrue(paid > 100 && refused > 50);
    }

    /// @dev A token that burns all it gets cannot hold the escrow, nor burn much.
    function test_bug_27_a_token_that_burns_gas_makes_a_credit() public {
        OddToken burning = new OddToken();
        PaymentRequest memory r = requestIn(filledIn(owner, burning, 100e6));
        bytes32 id = deliver(r);
        burning.set(Oddity.BurnsGas);
        vm.warp(NOW + 1 days);
        (bool isDone,) = tryAs(stranger, abi.encodeCall(IMandates.claim, (r)), 450_000);
        vm.assertTrue(isDone);
        assertState(id, State.Settled);
        vm.assertEq(creditOf(address(burning), provider), PART);
    }

    /// @dev Whatever a stranger sends, no slot of another's is written, but for the balance that its gift raises.
    function test_bug_28_a_stranger_cannot_make_others_storage_grow() public {
        PaymentRequest memory r = request();
        Item[] memory many = new Item[](16);
        for (uint256 i = 0; i < many.length; ++i) {
            many[i] = Item(requestOf(20e6, bytes32(i + 1)), sign(STRANGER_KEY, "no"), noApproval());
        }
        vm.record();
        tryAs(stranger, abi.encodeCall(IMandates.authorizeBatch, (many, Batch.EachAlone)));
        tryAs(stranger, abi.encodeCall(IMandates.authorize, (r, sign(STRANGER_KEY, hashRequest(r)), noApproval())));
        tryAs(stranger, abi.encodeCall(IMandates.cancelRequest, (r, "")));
        tryAs(stranger, abi.encodeCall(IMandates.cancelRequest, (r, sign(STRANGER_KEY, hashRequest(r)))));
        tryAs(stranger, abi.encodeCall(IMandates.deliver, (r, 0, "")));
        tryAs(stranger, abi.encodeCall(IMandates.expire, (r)));
        tryAs(stranger, abi.encodeCall(IMandates.fund, (mandate, 0)));
        (, bytes32[] memory writes) = vm.accesses(address(mandates));
        vm.assertEq(writes.length, 0);
        fundAs(stranger, mandate, 1);
        (, writes) = vm.accesses(address(mandates));
        for (uint256 i = 1; i < writes.length; ++i) {
            vm.assertEq(writes[i], writes[0]);
        }
        vm.assertEq(balanceOf(mandate), FUNDS + 1);
    }
}
