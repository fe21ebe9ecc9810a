// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Funds} from "./Funds.sol";
import {Hashes} from "./Hashes.sol";
import {Reason} from "./Reason.sol";
import {Spending} from "./Spending.sol";
import {Payment, PaymentRequest, State} from "./Types.sol";

/// @title From the reserved amount to its one end. What a policy says later changes nothing here.
abstract contract Escrow is Funds {
    function deliver(PaymentRequest calldata r, bytes32 receiptHash, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _by(r.recipient, Hashes.delivery(id, receiptHash), signature);
        _in(p, State.Escrowed);
        _before(r.deliverBy, Reason.DeliveryClosed);
        p.state = State.Delivered;
        p.since = uint48(block.timestamp);
        emit PaymentDelivered(id, r.mandate, receiptHash, block.timestamp + r.terms.challengePeriod);
    }

    function accept(PaymentRequest calldata r, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _byOwner(_mandates[r.mandate], Hashes.acceptance(id), signature);
        State state = p.state;
        bool isOpen = state == State.Delivered || state == State.Disputed;
        _require(isOpen, Reason.State, uint256(state), uint256(State.Delivered));
        _close(id, p, r, State.Settled, r.maxAmount - p.paid);
    }

    function dispute(PaymentRequest calldata r, bytes32 evidenceHash, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _byOwner(_mandates[r.mandate], Hashes.dispute(id, evidenceHash), signature);
        _in(p, State.Delivered);
        _before(_challengeEnds(r, p), Reason.ChallengeClosed);
        p.state = State.Disputed;
        p.hasEvidence = evidenceHash != 0;
        p.since = uint48(block.timestamp);
        emit PaymentDisputed(id, r.mandate, evidenceHash, block.timestamp + r.terms.resolutionTimeout);
    }

    function capture(PaymentRequest calldata r, uint128 total, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _by(r.recipient, Hashes.capture(id, total), signature);
        _capturable(r, p);
        _require(total <= r.maxAmount, Reason.AboveTotal, total, r.maxAmount);
        _require(total > p.paid, Reason.NothingNew, total, p.paid);
        uint96 amount = uint96(total - p.paid);
        emit PaymentCaptured(id, r.mandate, amount, total);
        if (total == r.maxAmount) {
            _close(id, p, r, State.Settled, amount);
        } else {
            p.paid += amount;
            Mandate storage m = _mandates[r.mandate];
            m.balance -= amount;
            m.reserved -= amount;
            _pay(m.owner, r.token, r.recipient, amount);
        }
    }

    function claim(PaymentRequest calldata r) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _capturable(r, p);
        _close(id, p, r, State.Settled, r.maxAmount - p.paid);
    }

    function void(PaymentRequest calldata r, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _by(r.recipient, Hashes.voiding(id), signature);
        State state = p.state;
        bool isOpen = state == State.Escrowed || state == State.Delivered || state == State.Disputed;
        _require(isOpen, Reason.State, uint256(state), uint256(State.Escrowed));
        _close(id, p, r, State.Voided, 0);
    }

    function resolve(PaymentRequest calldata r, uint128 toProvider, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _by(r.terms.resolver, Hashes.resolution(id, toProvider), signature);
        _in(p, State.Disputed);
        _before(_resolutionEnds(r, p), Reason.ResolutionClosed);
        _require(toProvider <= r.maxAmount, Reason.AboveTotal, toProvider, r.maxAmount);
        _close(id, p, r, toProvider > 0 ? State.Settled : State.Refunded, toProvider);
    }

    function timeOut(PaymentRequest calldata r) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _in(p, State.Disputed);
        _from(_resolutionEnds(r, p), Reason.ResolutionOpen);
        uint256 bps = p.hasEvidence ? r.terms.silenceBps : Spending.WHOLE_BPS;
        _close(id, p, r, State.TimedOut, Spending.share(r.maxAmount, bps));
    }

    function expire(PaymentRequest calldata r) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        if (p.state == State.Delivered) {
            _from(r.captureBy, Reason.CaptureOpen);
        } else {
            _in(p, State.Escrowed);
            _from(r.deliverBy, Reason.DeliveryOpen);
        }
        _close(id, p, r, p.paid > 0 ? State.Settled : State.Refunded, 0);
    }

    function refund(PaymentRequest calldata r, uint128 total, bytes calldata signature) external nonReentrant {
        bytes32 id = _paymentOf(r);
        Payment storage p = _payments[id];
        _by(r.recipient, Hashes.refund(id, total), signature);
        State state = p.state;
        bool isPaid = state == State.Settled || state == State.TimedOut || state == State.Voided;
        _require(isPaid, Reason.State, uint256(state), uint256(State.Settled));
        _before(r.refundBy, Reason.RefundClosed);
        _require(total <= p.paid, Reason.AboveTotal, total, p.paid);
        _require(total > p.refunded, Reason.NothingNew, total, p.refunded);
        uint96 amount = uint96(total - p.refunded);
        p.refunded = uint96(total);
        Mandate storage m = _mandates[r.mandate];
        _add(m, amount, _pull(m, r.recipient, amount));
        emit PaymentRefunded(id, r.mandate, amount, total);
    }

    /// @dev The one way to a final state of an escrow: frees all of what is held, and pays the provider's part of it.
    function _close(bytes32 id, Payment storage p, PaymentRequest calldata r, State state, uint256 toProvider) private {
        uint96 paid = p.paid;
        uint96 held = uint96(r.maxAmount) - paid;
        (p.state, p.paid) = (state, paid + uint96(toProvider));
        Mandate storage m = _mandates[r.mandate];
        (m.balance, m.reserved) = (m.balance - uint96(toProvider), m.reserved - held);
        emit PaymentClosed(id, r.mandate, state, paid + toProvider, held - toProvider);
        _pay(m.owner, r.token, r.recipient, toProvider);
    }

    function _capturable(PaymentRequest calldata r, Payment storage p) private view {
        _in(p, State.Delivered);
        _from(_challengeEnds(r, p), Reason.ChallengeOpen);
        _before(r.captureBy, Reason.CaptureClosed);
    }

    function _challengeEnds(PaymentRequest calldata r, Payment storage p) private view returns (uint256) {
        return uint256(p.since) + r.terms.challengePeriod;
    }

    function _resolutionEnds(PaymentRequest calldata r, Payment storage p) private view returns (uint256) {
        return uint256(p.since) + r.terms.resolutionTimeout;
    }

    function _in(Payment storage p, State needed) private view {
        _require(p.state == needed, Reason.State, uint256(p.state), uint256(needed));
    }

    function _before(uint256 end, Reason reason) private view {
        _require(block.timestamp < end, reason, block.timestamp, end);
    }

    function _from(uint256 start, Reason reason) private view {
        _require(block.timestamp >= start, reason, block.timestamp, start);
    }
}
