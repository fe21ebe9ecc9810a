// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Calendar} from "./Calendar.sol";
import {Hashes} from "./Hashes.sol";
import {Reason} from "./Reason.sol";
import {Signatures} from "./Signatures.sol";
import {Signed} from "./Signed.sol";
import {Spending} from "./Spending.sol";
import {
    Batch,
    Item,
    Payment,
    PaymentRequest,
    Preview,
    Remaining,
    SignedApproval,
    Spent,
    State,
    Status,
    Window
} from "./Types.sol";

/// @title May this be paid? One sequence of checks answers, for the payment and for its preview.
abstract contract Authorization is Signed {
    using Spending for Spent;

    uint256 private constant BATCH_MAX = 16;

    /// @dev What the checks found, and what a payment that passes writes.
    struct Verdict {
        Reason reason;
        uint256 got;
        uint256 limit;
        bytes32 payment;
        bytes32 entry;
        Spent spent;
        Spent entrySpent;
        uint256 ceilingSum;
        bool isCapped;
        bool needsApproval;
    }

    function authorize(PaymentRequest calldata request, bytes calldata agentSignature, SignedApproval calldata approval)
        external
        nonReentrant
        returns (bytes32)
    {
        Verdict memory v = _authorize(request, agentSignature, approval);
        if (v.reason != Reason.None) revert Refused(v.reason, v.got, v.limit);
        return v.payment;
    }

    function authorizeBatch(Item[] calldata items, Batch mode) external nonReentrant returns (Reason[] memory reasons) {
        _require(items.length <= BATCH_MAX, Reason.BatchSize, items.length, BATCH_MAX);
        reasons = new Reason[](items.length);
        for (uint256 i = 0; i < items.length; ++i) {
            Item calldata item = items[i];
            Verdict memory v = _authorize(item.request, item.agentSignature, item.approval);
            if (v.reason == Reason.None) continue;
            if (mode == Batch.AllOrNothing) revert Refused(v.reason, v.got, v.limit);
            reasons[i] = v.reason;
            emit PaymentRefused(v.payment, item.request.mandate, v.reason, v.got, v.limit);
        }
    }

    function cancelRequest(PaymentRequest calldata request, bytes calldata signature) external nonReentrant {
        Mandate storage m = _known(request.mandate);
        bytes32 id = _paymentOf(request);
        Payment storage p = _payments[id];
        address by = _canceller(m, id, signature);
        _require(p.state == State.None, Reason.State, uint256(p.state), uint256(State.None));
        p.state = State.Cancelled;
        p.since = uint48(block.timestamp);
        emit RequestCancelled(id, request.mandate, by);
    }

    function preview(
        PaymentRequest calldata request,
        bytes calldata agentSignature,
        SignedApproval calldata approval,
        address caller
    ) external view returns (Preview memory) {
        Verdict memory v = _check(request, agentSignature, approval, caller);
        return Preview(v.reason, v.got, v.limit, v.payment, v.needsApproval, _remaining(request));
    }

    function _canceller(Mandate storage m, bytes32 id, bytes calldata signature) private view returns (address) {
        (address owner, address agent) = (m.owner, m.agent);
        if (signature.length == 0) {
            bool isParty = msg.sender == owner || msg.sender == agent;
            _require(isParty, Reason.NotPermitted, _number(msg.sender), _number(owner));
            return msg.sender;
        }
        bytes32 digest = _hashTypedDataV4(Hashes.cancellation(id));
        if (Signatures.isOf(m.agentKind, agent, digest, signature)) return agent;
        _require(Signatures.isOf(m.ownerKind, owner, digest, signature), Reason.Signature, 0, _number(owner));
        return owner;
    }

    /// @dev The order is that of `Reason`. A group goes on only where the one before it found nothing.
    function _check(
        PaymentRequest calldata r,
        bytes calldata agentSignature,
        SignedApproval calldata approval,
        address caller
    ) private view returns (Verdict memory v) {
        Mandate storage m = _mandates[r.mandate];
        v.payment = _paymentOf(r);
        v.needsApproval = m.status != Status.None && r.maxAmount > m.approvalAbove;
        if (_standing(v, m, r) && _timing(v, m, r) && _entry(v, r) && _sums(v, m, r) && _unused(v, r)) {
            _signed(v, m, r, agentSignature, approval, caller);
        }
    }

    function _no(Verdict memory v, Reason reason, uint256 got, uint256 limit) private pure returns (bool) {
        (v.reason, v.got, v.limit) = (reason, got, limit);
        return false;
    }

    function _standing(Verdict memory v, Mandate storage m, PaymentRequest calldata r) private view returns (bool) {
        Status status = m.status;
        if (status == Status.None) return _no(v, Reason.UnknownMandate, uint256(r.mandate), 0);
        if (r.policyVersion != m.policyVersion) {
            return _no(v, Reason.PolicyVersion, r.policyVersion, m.policyVersion);
        }
        if (status == Status.Revoked) return _no(v, Reason.Revoked, 0, 0);
        if (status == Status.Paused) return _no(v, Reason.Paused, 0, 0);
        if (block.timestamp < m.validAfter) return _no(v, Reason.MandateNotStarted, block.timestamp, m.validAfter);
        if (block.timestamp >= m.validBefore) return _no(v, Reason.MandateExpired, block.timestamp, m.validBefore);
        return true;
    }

    function _timing(Verdict memory v, Mandate storage m, PaymentRequest calldata r) private view returns (bool) {
        if (r.token != m.token) return _no(v, Reason.Token, _number(r.token), _number(m.token));
        if (block.timestamp < r.validAfter) return _no(v, Reason.RequestNotStarted, block.timestamp, r.validAfter);
        if (block.timestamp >= r.validBefore) return _no(v, Reason.RequestExpired, block.timestamp, r.validBefore);
        if (block.timestamp >= r.deliverBy) return _no(v, Reason.DeliverBy, block.timestamp, r.deliverBy);
        uint256 challengeEnds = uint256(r.deliverBy) + r.terms.challengePeriod;
        if (r.captureBy <= challengeEnds) return _no(v, Reason.CaptureBy, r.captureBy, challengeEnds);
        if (r.refundBy < r.captureBy) return _no(v, Reason.RefundBy, r.refundBy, r.captureBy);
        uint256 terms = _packed(r.terms);
        if (terms != m.terms) return _no(v, Reason.Terms, terms, m.terms);
        return true;
    }

    function _entry(Verdict memory v, PaymentRequest calldata r) private view returns (bool) {
        if (r.recipient == address(0)) return _no(v, Reason.ZeroRecipient, 0, 0);
        if (r.service == 0) return _no(v, Reason.ZeroService, 0, 0);
        address resolver = r.terms.resolver;
        if (r.recipient == resolver) {
            return _no(v, Reason.RecipientIsResolver, _number(r.recipient), _number(resolver));
        }
        v.entry = _entryFor(r);
        Allowed storage a = _allowed[r.mandate][v.entry];
        if (a.paymentCap == 0) return _no(v, Reason.NotAllowed, _number(r.recipient), uint256(r.service));
        if (r.maxAmount == 0) return _no(v, Reason.ZeroAmount, 0, 1);
        if (r.maxAmount > a.paymentCap) return _no(v, Reason.EntryPaymentCap, r.maxAmount, a.paymentCap);
        return true;
    }

    /// @dev The sums are small enough to be stored: each is at most a cap of 96 bits, or part of a sum that is.
    function _sums(Verdict memory v, Mandate storage m, PaymentRequest calldata r) private view returns (bool) {
        uint256 amount = r.maxAmount;
        if (amount > m.paymentCap) return _no(v, Reason.PaymentCap, amount, m.paymentCap);
        uint256 today = Calendar.day(block.timestamp);
        Allowed storage a = _allowed[r.mandate][v.entry];
        v.entrySpent = _entrySpent[r.mandate][v.entry].seenOn(today);
        uint256 sum = amount + (a.window == Window.UtcDay ? v.entrySpent.daySum : v.entrySpent.monthSum);
        if (sum > a.windowCap) return _no(v, Reason.EntryWindowCap, sum, a.windowCap);
        v.spent = m.spent.seenOn(today);
        sum = uint256(v.spent.dayCount) + 1;
        if (sum > m.dayCount) return _no(v, Reason.DayCount, sum, m.dayCount);
        sum = amount + v.spent.daySum;
        if (sum > m.dayCap) return _no(v, Reason.DayCap, sum, m.dayCap);
        sum = amount + v.spent.monthSum;
        if (sum > m.monthCap) return _no(v, Reason.MonthCap, sum, m.monthCap);
        sum = amount + m.lifetimeSpent;
        if (sum > m.lifetimeCap) return _no(v, Reason.LifetimeCap, sum, m.lifetimeCap);
        Ceiling storage c = _ceilings[m.owner][m.agent][m.token];
        v.isCapped = c.isSet;
        if (v.isCapped) {
            v.ceilingSum = amount + (c.day == today ? c.daySum : 0);
            uint256 cap = _ceilingNow(c);
            if (v.ceilingSum > cap) return _no(v, Reason.Ceiling, v.ceilingSum, cap);
        }
        uint256 available = m.balance - m.reserved;
        if (amount > available) return _no(v, Reason.Funds, amount, available);
        return true;
    }

    function _unused(Verdict memory v, PaymentRequest calldata r) private view returns (bool) {
        if (r.requestId == 0) return _no(v, Reason.ZeroRequestId, 0, 0);
        State state = _payments[v.payment].state;
        if (state == State.None) return true;
        Reason reason = state == State.Cancelled ? Reason.RequestCancelled : Reason.RequestUsed;
        return _no(v, reason, uint256(state), 0);
    }

    function _signed(
        Verdict memory v,
        Mandate storage m,
        PaymentRequest calldata r,
        bytes calldata agentSignature,
        SignedApproval calldata approval,
        address caller
    ) private view returns (bool) {
        if (v.needsApproval && approval.signature.length == 0) {
            return _no(v, Reason.ApprovalMissing, r.maxAmount, m.approvalAbove);
        }
        address agent = m.agent;
        bool isAgents =
            caller == agent || Signatures.isOf(m.agentKind, agent, _hashTypedDataV4(v.payment), agentSignature);
        if (!isAgents) return _no(v, Reason.AgentSignature, _number(caller), _number(agent));
        if (!v.needsApproval) return true;
        if (block.timestamp >= approval.validBefore) {
            return _no(v, Reason.ApprovalExpired, block.timestamp, approval.validBefore);
        }
        address owner = m.owner;
        bytes32 digest = _hashTypedDataV4(Hashes.approval(v.payment, owner, approval.validBefore));
        if (!Signatures.isOf(m.ownerKind, owner, digest, approval.signature)) {
            return _no(v, Reason.ApprovalSignature, 0, _number(owner));
        }
        return true;
    }

    function _authorize(PaymentRequest calldata r, bytes calldata agentSignature, SignedApproval calldata approval)
        private
        returns (Verdict memory v)
    {
        v = _check(r, agentSignature, approval, msg.sender);
        if (v.reason != Reason.None) return v;
        Mandate storage m = _mandates[r.mandate];
        uint96 amount = uint96(r.maxAmount);
        m.spent = v.spent.plus(amount);
        m.lifetimeSpent += amount;
        m.reserved += amount;
        _entrySpent[r.mandate][v.entry] = v.entrySpent.plus(amount);
        if (v.isCapped) {
            Ceiling storage c = _ceilings[m.owner][m.agent][m.token];
            (c.day, c.daySum) = (v.spent.day, uint96(v.ceilingSum));
        }
        _payments[v.payment] = Payment(State.Escrowed, false, uint48(block.timestamp), 0, 0);
        emit PaymentAuthorized(v.payment, r.mandate, r.recipient, r, v.needsApproval);
    }

    /// @dev The most specific entry there is; the exact one where there is none.
    function _entryFor(PaymentRequest calldata r) private view returns (bytes32 key) {
        mapping(bytes32 => Allowed) storage allowed = _allowed[r.mandate];
        bytes32 exact = _entryKey(r.recipient, r.service);
        if (allowed[exact].exists) return exact;
        key = _entryKey(r.recipient, 0);
        if (allowed[key].exists) return key;
        key = _entryKey(address(0), r.service);
        if (allowed[key].exists) return key;
        key = _entryKey(address(0), 0);
        return allowed[key].exists ? key : exact;
    }

    function _remaining(PaymentRequest calldata r) private view returns (Remaining memory left) {
        Mandate storage m = _mandates[r.mandate];
        if (m.status == Status.None) return left;
        uint256 today = Calendar.day(block.timestamp);
        Spent memory spent = m.spent.seenOn(today);
        left.available = m.balance - m.reserved;
        left.perPayment = m.paymentCap;
        left.today = Spending.left(m.dayCap, spent.daySum);
        left.thisMonth = Spending.left(m.monthCap, spent.monthSum);
        left.lifetime = Spending.left(m.lifetimeCap, m.lifetimeSpent);
        left.countToday = Spending.left(m.dayCount, spent.dayCount);
        bytes32 key = _entryFor(r);
        Allowed storage a = _allowed[r.mandate][key];
        spent = _entrySpent[r.mandate][key].seenOn(today);
        left.entryPerPayment = a.paymentCap;
        left.entryWindow = Spending.left(a.windowCap, a.window == Window.UtcDay ? spent.daySum : spent.monthSum);
        Ceiling storage c = _ceilings[m.owner][m.agent][m.token];
        left.ceiling = c.isSet ? Spending.left(_ceilingNow(c), c.day == today ? c.daySum : 0) : type(uint256).max;
    }
}
