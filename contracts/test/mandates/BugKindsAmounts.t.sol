// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {Creation, Entry, PaymentRequest, Policy, Preview, State, Window} from "../../src/mandates/Types.sol";
import {HostileTest} from "./hostile/HostileTest.sol";
import {PlainToken} from "./hostile/PlainToken.sol";

/// @notice Known kinds of bugs: zeros, largest numbers, duplicates and dust.
contract BugKindsAmountsTest is HostileTest {
    uint96 private constant MOST = type(uint96).max;

    /// @dev The n-th of 17 fields becomes zero or as large as its type allows.
    function extreme(PaymentRequest memory r, uint256 n, uint256 bits) private pure {
        uint256 most = bits == 0 ? 0 : type(uint256).max;
        if (n == 0) r.mandate = bytes32(most);
        if (n == 1) r.policyVersion = uint64(most);
        if (n == 2) r.requestId = bytes32(most);
        if (n == 3) r.token = address(uint160(most));
        if (n == 4) r.maxAmount = uint128(most);
        if (n == 5) r.recipient = address(uint160(most));
        if (n == 6) r.service = bytes32(most);
        if (n == 7) r.jobHash = bytes32(most);
        if (n == 8) r.validAfter = uint48(most);
        if (n == 9) r.validBefore = uint48(most);
        if (n == 10) r.deliverBy = uint48(most);
        if (n == 11) r.captureBy = uint48(most);
        if (n == 12) r.refundBy = uint48(most);
        if (n == 13) r.terms.challengePeriod = uint32(most);
        if (n == 14) r.terms.resolutionTimeout = uint32(most);
        if (n == 15) r.terms.silenceBps = uint16(most);
        if (n == 16) r.terms.resolver = address(uint160(most));
    }

    /// @dev Each field by itself, and any set of them: the answer is a reason or a payment, and the preview's.
    function testFuzz_bug_22_extreme_requests_get_a_reason(uint256 seed) public {
        PaymentRequest memory r = request();
        for (uint256 n = 0; n < 17; ++n) {
            uint256 draw = seed >> (3 * n) & 7;
            if (draw < 2) extreme(r, n, draw);
        }
        Preview memory p = mandates.preview(r, "", noApproval(), agent);
        (bool isDone, bytes memory answer) = tryAs(agent, abi.encodeCall(IMandates.authorize, (r, "", noApproval())));
        vm.assertEq(uint256(isDone ? Reason.None : reasonIn(answer)), uint256(p.reason));
        bytes[6] memory calls = [
            abi.encodeCall(IMandates.deliver, (r, 0, "")),
            abi.encodeCall(IMandates.dispute, (r, 0, "")),
            abi.encodeCall(IMandates.capture, (r, type(uint128).max, "")),
            abi.encodeCall(IMandates.resolve, (r, type(uint128).max, "")),
            abi.encodeCall(IMandates.refund, (r, type(uint128).max, "")),
            abi.encodeCall(IMandates.expire, (r))
        ];
        address[6] memory by = [r.recipient, owner, r.recipient, r.terms.resolver, r.recipient, stranger];
        for (uint256 i = 0; i < calls.length; ++i) {
            (isDone, answer) = tryAs(by[i], calls[i]);
            if (!isDone) reasonIn(answer);
        }
    }

    function test_bug_22_each_extreme_field_gets_a_reason() public {
        for (uint256 n = 0; n < 17; ++n) {
            testFuzz_bug_22_extreme_requests_get_a_reason(type(uint256).max ^ (7 << (3 * n)));
            testFuzz_bug_22_extreme_requests_get_a_reason(type(uint256).max ^ (6 << (3 * n)));
        }
    }

    /// @dev Without an approval, in no mandate and in a revoked one, an amount of zero passes by no check.
    function test_bug_22_an_amount_of_zero_has_its_own_reason() public {
        PaymentRequest memory r = requestOf(0, "zero");
        bytes memory data = abi.encodeCall(IMandates.authorize, (r, "", noApproval()));
        assertRefused(agent, data, Reason.ZeroAmount);
        assertRefused(stranger, data, Reason.ZeroAmount);
        r.mandate = "unknown";
        assertRefused(agent, abi.encodeCall(IMandates.authorize, (r, "", noApproval())), Reason.UnknownMandate);
        vm.prank(owner);
        mandates.revoke(mandate);
        assertRefused(agent, data, Reason.Revoked);
        assertState(hashRequest(requestOf(0, "zero")), State.None);
        assertRefused(owner, abi.encodeCall(IMandates.fund, (mandate, 0)), Reason.ZeroAmount);
        assertRefused(owner, abi.encodeCall(IMandates.withdraw, (mandate, 0, owner)), Reason.ZeroAmount);
        assertRefused(owner, abi.encodeCall(IMandates.withdraw, (mandate, type(uint256).max, owner)), Reason.Withdrawal);
    }

    function refuseCreation(Policy memory p, Reason reason) private {
        Creation memory c = creation();
        (c.salt, c.policy) = ("second", p);
        assertRefused(owner, abi.encodeCall(IMandates.create, (c)), reason);
    }

    function test_bug_22_zero_caps_and_periods_have_their_own_reason() public {
        for (uint256 n = 0; n < 5; ++n) {
            Policy memory p = policy();
            if (n == 0) p.paymentCap = 0;
            if (n == 1) p.dayCap = 0;
            if (n == 2) p.monthCap = 0;
            if (n == 3) p.lifetimeCap = 0;
            if (n == 4) p.dayCount = 0;
            refuseCreation(p, Reason.ZeroCap);
        }
        uint32[2] memory periods = [0, type(uint32).max];
        for (uint256 i = 0; i < 2; ++i) {
            Policy memory p = policy();
            p.terms.challengePeriod = periods[i];
            refuseCreation(p, Reason.ChallengePeriod);
            p = policy();
            p.terms.resolutionTimeout = periods[i];
            refuseCreation(p, Reason.ResolutionTimeout);
            Creation memory c = creation();
            (c.salt, c.amendDelay) = ("second", periods[i]);
            assertRefused(owner, abi.encodeCall(IMandates.create, (c)), Reason.AmendDelay);
        }
        Policy memory q = policy();
        q.validBefore = 0;
        refuseCreation(q, Reason.EmptyWindow);
        q = policy();
        q.terms.silenceBps = type(uint16).max;
        refuseCreation(q, Reason.SilenceShare);
    }

    /// @dev All that a ledger can hold goes in, is spent as one payment, and comes back.
    function test_bug_22_the_largest_amounts_add_up() public {
        PlainToken plain = new PlainToken();
        Creation memory c = creation();
        (c.token, c.salt) = (address(plain), "most");
        c.policy = Policy(0, type(uint48).max, MOST, MOST, MOST, MOST, type(uint32).max, MOST, terms());
        c.entries[0] = Entry(provider, SERVICE, MOST, MOST, Window.UtcMonth);
        bytes32 id = createAs(owner, c);
        vm.prank(owner);
        mandates.setCeiling(agent, address(plain), MOST);
        allow(plain, owner, uint256(MOST) + 1);
        vm.prank(owner);
        mandates.fund(id, MOST);
        expectRefusal(Reason.AmountTooLarge, 1, 0);
        vm.prank(owner);
        mandates.fund(id, 1);
        PaymentRequest memory r = requestIn(id);
        r.maxAmount = MOST;
        bytes32 payment = deliver(r);
        vm.prank(owner);
        mandates.accept(r, "");
        assertState(payment, State.Settled);
        vm.assertEq(plain.balanceOf(provider), MOST);
        vm.prank(owner);
        mandates.fund(id, 1);
        PaymentRequest memory one = requestIn(id);
        (one.maxAmount, one.requestId) = (1, "one");
        assertRefused(agent, abi.encodeCall(IMandates.authorize, (one, "", noApproval())), Reason.EntryWindowCap);
        vm.prank(provider);
        plain.approve(address(mandates), MOST);
        expectRefusal(Reason.AmountTooLarge, MOST, MOST - 1);
        vm.prank(provider);
        mandates.refund(r, MOST, "");
        vm.prank(provider);
        mandates.refund(r, MOST - 1, "");
        vm.prank(owner);
        mandates.withdraw(id, MOST, owner);
        vm.assertEq(plain.balanceOf(owner), MOST);
    }

    function gasOf(bytes32 id) private returns (uint256 used) {
        PaymentRequest memory r = requestIn(id);
        bytes memory data = abi.encodeCall(IMandates.authorize, (r, "", noApproval()));
        uint256 state = vm.snapshotState();
        vm.prank(agent);
        used = gasleft();
        (bool isDone,) = address(mandates).call(data);
        used -= gasleft();
        vm.assertTrue(isDone);
        vm.revertToState(state);
    }

    /// @dev The same entry twice is the last of them, and a long list makes a payment no dearer.
    function test_bug_23_duplicate_entries_are_one() public {
        Creation memory c = creation();
        c.salt = "few";
        bytes32 few = createAs(owner, c);
        (c.salt, c.entries) = ("many", new Entry[](60));
        for (uint256 i = 0; i < 60; ++i) {
            c.entries[i] = Entry(provider, SERVICE, uint96(i + 1) * 1e6, 200e6, Window.UtcDay);
            if (i % 2 == 0) c.entries[i].recipient = address(uint160(i + 1));
        }
        bytes32 id = createAs(owner, c);
        fundAs(owner, few, 100e6);
        fundAs(owner, id, 100e6);
        vm.assertEq(gasOf(few), gasOf(id));
        (bool exists, Entry memory e) = mandates.entry(id, provider, SERVICE);
        vm.assertTrue(exists);
        vm.assertEq(e.paymentCap, 60e6);
        PaymentRequest memory r = requestIn(id);
        r.maxAmount = 60e6 + 1;
        assertRefused(agent, abi.encodeCall(IMandates.authorize, (r, "", noApproval())), Reason.EntryPaymentCap);
    }

    /// @dev A payment of 40 units in 40 captures, each followed by the books.
    function test_bug_24_dust_captures_sum_to_the_whole() public {
        PaymentRequest memory r = requestOf(40, "dust");
        bytes32 id = deliver(r);
        vm.warp(NOW + 1 days);
        for (uint128 total = 1; total <= 40; ++total) {
            vm.prank(provider);
            mandates.capture(r, total, "");
            vm.assertEq(dollar.balanceOf(provider), total);
            vm.assertEq(mandates.payment(id).paid, total);
            vm.assertEq(balanceOf(mandate), FUNDS - total);
            vm.assertEq(reservedOf(mandate), 40 - total);
        }
        assertState(id, State.Settled);
        assertRefused(provider, abi.encodeCall(IMandates.capture, (r, 41, "")), Reason.State);
    }

    /// @dev What rounding takes from the provider the mandate gets: no unit is lost, and none is made.
    function testFuzz_bug_24_a_split_loses_no_unit(uint96 amount, uint16 share) public {
        Creation memory c = creation();
        c.salt = "split";
        c.policy.terms.silenceBps = share % 10_001;
        bytes32 id = createAs(owner, c);
        fundAs(owner, id, 100e6);
        PaymentRequest memory r = requestIn(id);
        (r.maxAmount, r.terms.silenceBps) = (1 + amount % 100e6, share % 10_001);
        bytes32 payment = dispute(r);
        vm.warp(NOW + 7 days);
        mandates.timeOut(r);
        assertState(payment, State.TimedOut);
        uint256 paid = uint256(r.maxAmount) * r.terms.silenceBps / 10_000;
        vm.assertEq(dollar.balanceOf(provider), paid);
        vm.assertEq(balanceOf(id), 100e6 - paid);
        vm.assertEq(reservedOf(id), 0);
    }

    /// @dev Without evidence, silence is a yes.
    function test_bug_24_silence_on_a_dispute_without_evidence_pays_all() public {
        PaymentRequest memory r = request();
        bytes32 payment = deliver(r);
        vm.prank(owner);
        mandates.dispute(r, 0, "");
        vm.warp(NOW + 7 days);
        mandates.timeOut(r);
        assertState(payment, State.TimedOut);
        vm.assertEq(dollar.balanceOf(provider), PART);
    }
}
