// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {PaymentRequest, State} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice The life of a payment as a table: for each step who may take it, from which states, and in which time. It
/// is written from the interface's documentation. The request is the one of `MandateTest`: delivery within a day,
/// captures within 10 days, refunds within 30; challenges within a day, resolutions within 7.
abstract contract LifeTable is Outcomes {
    enum Step {
        Deliver,
        Accept,
        Dispute,
        Capture,
        Claim,
        Void,
        Resolve,
        TimeOut,
        Expire,
        Refund
    }

    /// @notice The instants at which something begins or ends.
    enum Edge {
        Never,
        DeliverBy,
        ChallengeEnd,
        ResolutionEnd,
        CaptureBy,
        RefundBy
    }

    struct Row {
        /// Zero for anyone.
        address party;
        /// Bit i for the state of number i.
        uint256 from;
        /// What a refusal for another state names.
        State needed;
        /// The state after the step.
        State to;
        /// What the provider gets.
        uint256 paid;
        /// What goes back to the mandate.
        uint256 returned;
    }

    /// @notice A step that `party` takes: by its own call, or by its signature where another sends it.
    struct Call {
        address party;
        address sender;
        bytes data;
    }

    uint48 internal constant DELIVERED = NOW + 100;
    uint48 internal constant DISPUTED = NOW + 200;
    uint128 internal constant AMOUNT = 20e6;
    uint256 internal constant STATES = uint256(type(State).max) + 1;
    uint256 internal constant STEPS = uint256(type(Step).max) + 1;

    uint256 private constant ESCROWED = 2 ** uint256(State.Escrowed);
    uint256 private constant IN_DELIVERY = 2 ** uint256(State.Delivered);
    uint256 private constant IN_DISPUTE = 2 ** uint256(State.Disputed);
    uint256 private constant PAID =
        2 ** uint256(State.Settled) + 2 ** uint256(State.TimedOut) + 2 ** uint256(State.Voided);

    /// @dev A dispute with evidence times out with 40 % to the provider; the resolver gives it 7 dollars of 20.
    function rowOf(Step step) internal view returns (Row memory) {
        if (step == Step.Deliver) return Row(provider, ESCROWED, State.Escrowed, State.Delivered, 0, 0);
        if (step == Step.Accept) {
            return Row(owner, IN_DELIVERY | IN_DISPUTE, State.Delivered, State.Settled, AMOUNT, 0);
        }
        if (step == Step.Dispute) return Row(owner, IN_DELIVERY, State.Delivered, State.Disputed, 0, 0);
        if (step == Step.Capture) return Row(provider, IN_DELIVERY, State.Delivered, State.Settled, AMOUNT, 0);
        if (step == Step.Claim) return Row(address(0), IN_DELIVERY, State.Delivered, State.Settled, AMOUNT, 0);
        if (step == Step.Void) {
            return Row(provider, ESCROWED | IN_DELIVERY | IN_DISPUTE, State.Escrowed, State.Voided, 0, AMOUNT);
        }
        if (step == Step.Resolve) return Row(resolver, IN_DISPUTE, State.Disputed, State.Settled, 7e6, AMOUNT - 7e6);
        if (step == Step.TimeOut) return Row(address(0), IN_DISPUTE, State.Disputed, State.TimedOut, 8e6, 12e6);
        if (step == Step.Expire) {
            return Row(address(0), ESCROWED | IN_DELIVERY, State.Escrowed, State.Refunded, 0, AMOUNT);
        }
        return Row(provider, PAID, State.Settled, State.Settled, 0, 0);
    }

    function opens(Step step, State state) private pure returns (Edge, Reason) {
        if (step == Step.Capture || step == Step.Claim) return (Edge.ChallengeEnd, Reason.ChallengeOpen);
        if (step == Step.TimeOut) return (Edge.ResolutionEnd, Reason.ResolutionOpen);
        if (step != Step.Expire) return (Edge.Never, Reason.None);
        if (state == State.Delivered) return (Edge.CaptureBy, Reason.CaptureOpen);
        return (Edge.DeliverBy, Reason.DeliveryOpen);
    }

    function closes(Step step) private pure returns (Edge, Reason) {
        if (step == Step.Deliver) return (Edge.DeliverBy, Reason.DeliveryClosed);
        if (step == Step.Dispute) return (Edge.ChallengeEnd, Reason.ChallengeClosed);
        if (step == Step.Capture || step == Step.Claim) return (Edge.CaptureBy, Reason.CaptureClosed);
        if (step == Step.Resolve) return (Edge.ResolutionEnd, Reason.ResolutionClosed);
        if (step == Step.Refund) return (Edge.RefundBy, Reason.RefundClosed);
        return (Edge.Never, Reason.None);
    }

    function momentOf(Edge edge) internal pure returns (uint256) {
        if (edge == Edge.DeliverBy) return NOW + 1 days;
        if (edge == Edge.ChallengeEnd) return DELIVERED + 1 days;
        if (edge == Edge.ResolutionEnd) return DISPUTED + 7 days;
        if (edge == Edge.CaptureBy) return NOW + 10 days;
        return NOW + 30 days;
    }

    /// @notice What a step must say in a state at a moment.
    function expected(Step step, State state, uint256 moment, Call memory call) internal view returns (Outcome memory) {
        Row memory row = rowOf(step);
        if (row.party != address(0) && call.party != row.party) {
            if (call.sender != call.party) return Outcome(Reason.Signature, 0, number(row.party));
            return Outcome(Reason.NotPermitted, number(call.party), number(row.party));
        }
        if (row.from >> uint256(state) & 1 == 0) return Outcome(Reason.State, uint256(state), uint256(row.needed));
        (Edge edge, Reason reason) = opens(step, state);
        if (edge != Edge.Never && moment < momentOf(edge)) return Outcome(reason, moment, momentOf(edge));
        (edge, reason) = closes(step);
        if (edge != Edge.Never && moment >= momentOf(edge)) return Outcome(reason, moment, momentOf(edge));
        return Outcome(Reason.None, 0, 0);
    }

    /// @notice Brings the payment into a state as early as the table's times allow.
    /// @return When that is. The compiler takes the clock for constant in one call, so it cannot be read after a warp.
    function reach(State state) internal returns (uint256) {
        PaymentRequest memory r = request();
        if (state == State.None) return NOW;
        if (state == State.Cancelled) return act(NOW, owner, abi.encodeCall(IMandates.cancelRequest, (r, "")));
        authorize(r);
        if (state == State.Escrowed) return NOW;
        act(DELIVERED, provider, abi.encodeCall(IMandates.deliver, (r, "receipt", "")));
        if (state == State.Delivered) return DELIVERED;
        if (state == State.Settled) return act(DELIVERED, owner, abi.encodeCall(IMandates.accept, (r, "")));
        uint256 moment = momentOf(Edge.ChallengeEnd);
        if (state == State.Voided) {
            act(moment, provider, abi.encodeCall(IMandates.capture, (r, 5e6, "")));
            return act(moment, provider, abi.encodeCall(IMandates.void, (r, "")));
        }
        act(DISPUTED, owner, abi.encodeCall(IMandates.dispute, (r, "evidence", "")));
        if (state == State.Disputed) return DISPUTED;
        if (state == State.Refunded) return act(DISPUTED, resolver, abi.encodeCall(IMandates.resolve, (r, 0, "")));
        return act(momentOf(Edge.ResolutionEnd), stranger, abi.encodeCall(IMandates.timeOut, (r)));
    }

    function act(uint256 moment, address caller, bytes memory data) private returns (uint256) {
        vm.warp(moment);
        assertPasses(caller, data);
        return moment;
    }

    /// @notice The step as a call.
    function callOf(Step step, PaymentRequest memory r, bytes memory signature) internal pure returns (bytes memory) {
        if (step == Step.Deliver) return abi.encodeCall(IMandates.deliver, (r, "receipt", signature));
        if (step == Step.Accept) return abi.encodeCall(IMandates.accept, (r, signature));
        if (step == Step.Dispute) return abi.encodeCall(IMandates.dispute, (r, "evidence", signature));
        if (step == Step.Capture) return abi.encodeCall(IMandates.capture, (r, AMOUNT, signature));
        if (step == Step.Claim) return abi.encodeCall(IMandates.claim, (r));
        if (step == Step.Void) return abi.encodeCall(IMandates.void, (r, signature));
        if (step == Step.Resolve) return abi.encodeCall(IMandates.resolve, (r, 7e6, signature));
        if (step == Step.TimeOut) return abi.encodeCall(IMandates.timeOut, (r));
        if (step == Step.Expire) return abi.encodeCall(IMandates.expire, (r));
        return abi.encodeCall(IMandates.refund, (r, 2e6, signature));
    }

    /// @notice The hash of what a party signs for the step as `callOf` makes it.
    function contentOf(Step step, bytes32 id) internal pure returns (bytes32) {
        if (step == Step.Deliver) {
            return hashOf("Delivery(bytes32 payment,bytes32 receiptHash)", id, uint256(bytes32("receipt")));
        }
        if (step == Step.Accept) return hashOf("Accept(bytes32 payment)", id);
        if (step == Step.Dispute) {
            return hashOf("Dispute(bytes32 payment,bytes32 evidenceHash)", id, uint256(bytes32("evidence")));
        }
        if (step == Step.Capture) return hashOf("Capture(bytes32 payment,uint128 total)", id, AMOUNT);
        if (step == Step.Void) return hashOf("Void(bytes32 payment)", id);
        if (step == Step.Resolve) return hashOf("Resolution(bytes32 payment,uint128 toProvider)", id, 7e6);
        return hashOf("Refund(bytes32 payment,uint128 total)", id, 2e6);
    }
}
