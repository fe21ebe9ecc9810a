// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {
    Amendment,
    Batch,
    Creation,
    Entry,
    Item,
    PaymentRequest,
    Preview,
    SignedApproval,
    SignerKind,
    State
} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {Hook, HookedToken, IListener} from "./hostile/HookedToken.sol";
import {Reentrant} from "./hostile/Reentrant.sol";

/// @notice Looks at the mandates while a token runs.
contract Onlooker is IListener {
    IMandates private immutable MANDATES;
    HookedToken private immutable TOKEN;
    PaymentRequest private request;
    uint256 public looks;
    uint256 public lies;

    constructor(IMandates mandates, HookedToken token, PaymentRequest memory request_) {
        (MANDATES, TOKEN, request) = (mandates, token, request_);
    }

    function onToken(Hook) external {
        address owner = MANDATES.mandate(request.mandate).owner;
        uint256 there = TOKEN.balanceOf(MANDATES.vaultOf(owner));
        uint256 balance = MANDATES.mandate(request.mandate).balance;
        uint256 reserved = MANDATES.mandate(request.mandate).reserved;
        (uint128 earned, uint128 withdrawn) = MANDATES.credit(owner, address(TOKEN), request.recipient);
        Preview memory p = MANDATES.preview(request, "", SignedApproval(0, ""), request.recipient);
        ++looks;
        if (balance + earned - withdrawn > there || p.remaining.available > balance - reserved) ++lies;
    }
}

/// @notice Known kinds of bugs: a token that calls back.
contract BugKindsReentrancyTest is HostileTest {
    bytes4 private constant REENTERED = bytes4(keccak256("ReentrancyGuardReentrantCall()"));
    uint256 private constant FUNCTIONS = 27;
    uint256 private constant MINTED = 1_000e6;

    HookedToken private token;
    /// @dev Owner, provider and listener in one, so that its calls would do something if they were let in.
    Reentrant private attacker;
    bytes32 private id;
    PaymentRequest private r;

    function setUp() public override {
        super.setUp();
        token = new HookedToken();
        attacker = new Reentrant(address(mandates));
        Creation memory c = creation();
        (c.token, c.ownerKind) = (address(token), SignerKind.Erc1271);
        c.entries[0].recipient = address(attacker);
        vm.prank(address(attacker));
        id = mandates.create(c);
        allow(token, address(attacker), MINTED);
        act(abi.encodeCall(IMandates.fund, (id, 100e6)));
        r = requestIn(id);
        r.recipient = address(attacker);
    }

    function act(bytes memory data) private {
        attacker.act(address(mandates), data);
    }

    function authorized(bytes32 requestId) private returns (PaymentRequest memory p) {
        p = r;
        p.requestId = requestId;
        authorize(p);
    }

    function delivered(bytes32 requestId) private returns (PaymentRequest memory p) {
        p = authorized(requestId);
        act(abi.encodeCall(IMandates.deliver, (p, 0, "")));
    }

    /// @dev One call of every function that changes state.
    function everyCall() private view returns (bytes[] memory calls) {
        calls = new bytes[](FUNCTIONS);
        Creation memory c = creation();
        c.salt = keccak256("inner");
        Amendment memory a = Amendment(1, policy(), new Entry[](0));
        calls[0] = abi.encodeCall(IMandates.create, (c));
        calls[1] = abi.encodeCall(IMandates.amend, (id, a));
        calls[2] = abi.encodeCall(IMandates.applyAmendment, (id, a));
        calls[3] = abi.encodeCall(IMandates.cancelAmendment, (id));
        calls[4] = abi.encodeCall(IMandates.pause, (id));
        calls[5] = abi.encodeCall(IMandates.unpause, (id));
        calls[6] = abi.encodeCall(IMandates.revoke, (id));
        calls[7] = abi.encodeCall(IMandates.renounce, (id));
        calls[8] = abi.encodeCall(IMandates.setCeiling, (agent, address(token), 1));
        calls[9] = abi.encodeCall(IMandates.fund, (id, 1));
        calls[10] = abi.encodeCall(IMandates.fundWithPermit, (id, 1, 0, 0, 0, 0));
        calls[11] = abi.encodeCall(IMandates.fundWithAuthorization, (id, address(attacker), 1, 0, 0, 0, ""));
        calls[12] = abi.encodeCall(IMandates.withdraw, (id, 1, stranger));
        address me = address(attacker);
        calls[13] = abi.encodeCall(IMandates.withdrawCredit, (me, address(token), me, stranger, 1, ""));
        moreCalls(calls);
    }

    function moreCalls(bytes[] memory calls) private view {
        PaymentRequest memory p = r;
        calls[14] = abi.encodeCall(IMandates.authorize, (p, "", noApproval()));
        calls[15] = abi.encodeCall(IMandates.authorizeBatch, (new Item[](0), Batch.EachAlone));
        calls[16] = abi.encodeCall(IMandates.cancelRequest, (p, ""));
        calls[17] = abi.encodeCall(IMandates.deliver, (p, 0, ""));
        calls[18] = abi.encodeCall(IMandates.accept, (p, ""));
        calls[19] = abi.encodeCall(IMandates.dispute, (p, 0, ""));
        calls[20] = abi.encodeCall(IMandates.capture, (p, 1, ""));
        calls[21] = abi.encodeCall(IMandates.claim, (p));
        calls[22] = abi.encodeCall(IMandates.void, (p, ""));
        calls[23] = abi.encodeCall(IMandates.resolve, (p, 1, ""));
        calls[24] = abi.encodeCall(IMandates.timeOut, (p));
        calls[25] = abi.encodeCall(IMandates.expire, (p));
        calls[26] = abi.encodeCall(IMandates.refund, (p, 1, ""));
    }

    /// @dev Tries each inner call from every hook while `data` runs, one at a time: a payment gives the token no gas for
    /// more. The guard refuses all of them, and the outer call does what it always does.
    function reenter(bytes memory data, uint256 hooks) private {
        bytes[] memory calls = everyCall();
        bytes[] memory one = new bytes[](1);
        token.listen(attacker);
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 state = vm.snapshotState();
            one[0] = calls[i];
            attacker.prepare(one);
            act(data);
            bytes4[] memory refusals = attacker.allRefusals();
            vm.assertEq(attacker.done(), 0);
            vm.assertEq(refusals.length, hooks);
            for (uint256 k = 0; k < hooks; ++k) {
                vm.assertTrue(refusals[k] == REENTERED);
            }
            assertBooks();
            vm.revertToState(state);
        }
    }

    function assertBooks() private view {
        address me = address(attacker);
        (uint128 earned,) = mandates.credit(me, address(token), me);
        vm.assertEq(earned, 0);
        vm.assertEq(token.balanceOf(mandates.vaultOf(me)), balanceOf(id));
        vm.assertEq(token.balanceOf(me) + token.balanceOf(stranger) + balanceOf(id), MINTED);
    }

    function test_bug_03_reentrancy_while_money_comes_in() public {
        reenter(abi.encodeCall(IMandates.fund, (id, 10e6)), 2);
        reenter(abi.encodeCall(IMandates.fundWithPermit, (id, 10e6, 0, 0, 0, 0)), 3);
        bytes memory data =
            abi.encodeCall(IMandates.fundWithAuthorization, (id, address(attacker), 10e6, 0, 0, bytes32(0), ""));
        reenter(data, 3);
    }

    function test_bug_03_reentrancy_while_money_is_refunded() public {
        PaymentRequest memory p = delivered("1");
        act(abi.encodeCall(IMandates.accept, (p, "")));
        reenter(abi.encodeCall(IMandates.refund, (p, uint128(PART), "")), 2);
    }

    function test_bug_03_reentrancy_while_money_is_withdrawn() public {
        reenter(abi.encodeCall(IMandates.withdraw, (id, 10e6, stranger)), 2);
    }

    function test_bug_03_reentrancy_while_a_payment_is_accepted_or_disputed() public {
        PaymentRequest memory p = delivered("1");
        reenter(abi.encodeCall(IMandates.accept, (p, "")), 2);
        act(abi.encodeCall(IMandates.dispute, (p, 0, "")));
        vm.warp(NOW + 7 days);
        reenter(abi.encodeCall(IMandates.timeOut, (p)), 2);
    }

    function test_bug_03_reentrancy_while_a_payment_is_captured() public {
        PaymentRequest memory p = delivered("1");
        vm.warp(NOW + 1 days);
        reenter(abi.encodeCall(IMandates.capture, (p, 1e6, "")), 2);
        reenter(abi.encodeCall(IMandates.capture, (p, uint128(PART), "")), 2);
        reenter(abi.encodeCall(IMandates.claim, (p)), 2);
    }

    function test_bug_03_reentrancy_while_a_dispute_is_resolved() public {
        PaymentRequest memory p = delivered("1");
        act(abi.encodeCall(IMandates.dispute, (p, 0, "")));
        bytes memory signature =
            sign(RESOLVER_KEY, hashOf("Resolution(bytes32 payment,uint128 toProvider)", hashRequest(p), 5e6));
        reenter(abi.encodeCall(IMandates.resolve, (p, 5e6, signature)), 2);
    }

    /// @dev The credit is made by a token that fails once.
    function test_bug_03_reentrancy_while_a_credit_is_withdrawn() public {
        PaymentRequest memory p = delivered("1");
        token.listen(IListener(address(dollar)));
        act(abi.encodeCall(IMandates.accept, (p, "")));
        address me = address(attacker);
        token.listen(attacker);
        bytes[] memory calls = everyCall();
        attacker.prepare(calls);
        act(abi.encodeCall(IMandates.withdrawCredit, (me, address(token), me, stranger, uint128(PART), "")));
        vm.assertEq(attacker.done(), 0);
        bytes4[] memory refusals = attacker.allRefusals();
        vm.assertEq(refusals.length, 2 * FUNCTIONS);
        for (uint256 i = 0; i < refusals.length; ++i) {
            vm.assertTrue(refusals[i] == REENTERED);
        }
        vm.assertEq(token.balanceOf(stranger), PART);
        vm.assertEq(token.balanceOf(mandates.vaultOf(me)), balanceOf(id));
    }

    /// @dev The address in the code of a minimal proxy (ERC-1167).
    function implementationOf(address proxy) private view returns (address) {
        bytes memory code = proxy.code;
        vm.assertEq(code.length, 45);
        uint256 word;
        assembly {
            word := mload(add(code, 42))
        }
        return address(uint160(word >> 96));
    }

    /// @dev What an outsider can reach while a token runs is the vault, and it listens to the mandates alone.
    function test_bug_03_the_vault_listens_to_nobody_else() public {
        address vault = mandates.vaultOf(address(attacker));
        bytes[2] memory calls = [
            abi.encodeWithSignature("pay(address,address,uint256)", token, stranger, 1),
            abi.encodeWithSignature(
                "take(address,address,uint256,uint256,uint256,bytes32,bytes)", token, stranger, 1, 0, 0, 0, ""
            )
        ];
        for (uint256 i = 0; i < 2 * calls.length; ++i) {
            vm.expectRevert(abi.encodeWithSignature("NotMandates(address)", attacker));
            attacker.act(i < calls.length ? vault : implementationOf(vault), calls[i % calls.length]);
        }
    }

    function test_bug_04_read_only_reentrancy_never_sees_more_than_there_is() public {
        PaymentRequest memory p = delivered("1");
        PaymentRequest memory q = delivered("2");
        Onlooker onlooker = new Onlooker(mandates, token, p);
        token.listen(onlooker);
        act(abi.encodeCall(IMandates.fund, (id, 10e6)));
        act(abi.encodeCall(IMandates.withdraw, (id, 5e6, stranger)));
        bytes memory data =
            abi.encodeCall(IMandates.fundWithAuthorization, (id, address(attacker), 10e6, 0, 0, bytes32(0), ""));
        act(data);
        act(abi.encodeCall(IMandates.accept, (p, "")));
        act(abi.encodeCall(IMandates.refund, (p, uint128(PART), "")));
        vm.warp(NOW + 1 days);
        act(abi.encodeCall(IMandates.capture, (q, 1e6, "")));
        act(abi.encodeCall(IMandates.claim, (q)));
        vm.assertEq(onlooker.looks(), 15);
        vm.assertEq(onlooker.lies(), 0);
        assertState(hashRequest(q), State.Settled);
    }
}
