// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "./Reason.sol";
import {
    Amendment,
    Batch,
    Creation,
    Entry,
    Item,
    MandateView,
    Payment,
    PaymentRequest,
    Policy,
    Preview,
    SignedApproval,
    SignerKind,
    State
} from "./Types.sol";

/// @title Budgets for agents, with escrow for those they pay. Tested, not audited.
/// @notice An owner gives an agent a mandate: money in a vault of the owner's, and rules. The agent can reserve parts of
/// that money for providers within the rules and can do nothing else. A provider delivers, the owner may dispute, and
/// every reserved amount ends paid, given back, or split.
///
/// - Nobody stands above an owner and a provider: no administrator, no upgrade, no pause over other people's money.
/// - Every window is [start, end): it includes its first second and not its last.
/// - Budgets count when a payment is authorized, and a refund never restores them. Missed days are lost.
/// - A new mandate, a loosened rule and a raised ceiling take the owner's own call. Pausing, revoking, tightening and
///   cancelling work at once. None of these touches an open escrow.
/// - Where a function takes a `signature`, it is empty when the party itself calls, and else the party's signature of
///   the EIP-712 struct named beside it, sent by anyone. Each is good once: totals are cumulative and states only go
///   forward. Owner and agent sign as the mandate says; a provider or resolver by its key, or else by ERC-1271.
/// - Every refusal is `Refused(reason, got, limit)`; see `Reason`. What a token says when it refuses money that comes in
///   or is withdrawn passes through as it is.
///
/// The EIP-712 domain is ("Guildhall Mandates", "1", chain, this contract), readable by ERC-5267.
interface IMandates {
    /// @notice Nothing was done. `Reason` says what `got` and `limit` hold.
    error Refused(Reason reason, uint256 got, uint256 limit);

    // ------------------------------------------------------------------------------------------------ the mandate

    /// @notice The events below rebuild all state of this contract.
    event MandateCreated(
        bytes32 indexed mandate,
        address indexed owner,
        address indexed agent,
        address token,
        SignerKind ownerKind,
        SignerKind agentKind,
        uint32 amendDelay,
        bytes32 salt,
        Policy policy,
        Entry[] entries
    );
    event MandateAmended(bytes32 indexed mandate, uint64 policyVersion, Policy policy, Entry[] entries);
    event AmendmentScheduled(bytes32 indexed mandate, uint48 effectiveAt, Amendment amendment);
    event AmendmentCancelled(bytes32 indexed mandate);
    event MandatePaused(bytes32 indexed mandate);
    event MandateUnpaused(bytes32 indexed mandate);
    /// @param by the owner, or the agent that renounced
    event MandateRevoked(bytes32 indexed mandate, address indexed by);
    /// @param effectiveAt now for a lower ceiling, in 24 hours for a higher one
    event CeilingSet(
        address indexed owner, address indexed agent, address indexed token, uint96 dayCap, uint48 effectiveAt
    );

    /// @notice Creates a mandate of the caller's. Its id is keccak-256 of (chain, this contract, owner, salt).
    function create(Creation calldata creation) external returns (bytes32 mandate);

    /// @notice Changes the policy, by the owner. When nothing becomes looser it works at once; otherwise all of it waits
    /// for the mandate's delay in place of any amendment that waited, and `applyAmendment` makes it work.
    /// @dev Other terms, an entry where none was, and another window of an entry count as looser. An amendment that waits
    /// is for the version it names: a change that comes first leaves it waiting for good, until it is replaced or cancelled.
    function amend(bytes32 mandate, Amendment calldata amendment) external;
    /// @notice Puts the waiting amendment to work once its time has come. Anyone may call.
    function applyAmendment(bytes32 mandate, Amendment calldata amendment) external;
    /// @notice Forgets the waiting amendment, by the owner.
    function cancelAmendment(bytes32 mandate) external;

    /// @notice Stops authorizations until `unpause`, by the owner.
    function pause(bytes32 mandate) external;
    function unpause(bytes32 mandate) external;
    /// @notice Stops authorizations for ever, by the owner.
    function revoke(bytes32 mandate) external;
    /// @notice Stops authorizations for ever, by the agent.
    function renounce(bytes32 mandate) external;

    /// @notice Caps what one agent may be authorized per UTC day over all mandates of the caller in one token, so that
    /// a second mandate does not double a budget. Counts from when it is first set; a raise waits 24 hours.
    /// @param dayCap the largest number for no ceiling; one that is not above the present ceiling also ends a raise that
    /// waits
    function setCeiling(address agent, address token, uint96 dayCap) external;

    // ------------------------------------------------------------------------------------------------------ funds

    event MandateFunded(bytes32 indexed mandate, address indexed from, uint256 amount);
    event MandateWithdrawn(bytes32 indexed mandate, address indexed to, uint256 amount);
    /// @notice A payment that its recipient could not receive; it waits in the owner's vault.
    event CreditBooked(address indexed owner, address indexed token, address indexed recipient, uint256 amount);
    event CreditWithdrawn(
        address indexed owner, address indexed token, address indexed recipient, address to, uint256 amount
    );

    /// @notice Moves the caller's money into the mandate's vault, by its allowance to this contract. Anyone may.
    /// @dev Money that was sent to a vault by a plain transfer belongs to no mandate and stays there.
    function fund(bytes32 mandate, uint256 amount) external;
    /// @notice The same with an EIP-2612 permit of the caller, whether or not someone submitted that permit already.
    function fundWithPermit(bytes32 mandate, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
    /// @notice The same with `from`'s ERC-3009 `ReceiveWithAuthorization` to the vault, sent by anyone. Its nonce is
    /// `fundingNonce(mandate, salt)`, so that the money reaches this mandate and no other.
    function fundWithAuthorization(
        bytes32 mandate,
        address from,
        uint256 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 salt,
        bytes calldata signature
    ) external;
    /// @notice Takes money that is not reserved out of the mandate, by the owner.
    function withdraw(bytes32 mandate, uint256 amount, address to) external;
    /// @notice Pays a booked credit out to an address of the recipient's choice, until `total` was withdrawn in all.
    /// @param signature the recipient's, of
    /// `CreditWithdrawal(address owner,address token,address recipient,address to,uint128 total)`
    function withdrawCredit(
        address owner,
        address token,
        address recipient,
        address to,
        uint128 total,
        bytes calldata signature
    ) external;

    // ---------------------------------------------------------------------------------------------- authorization

    event PaymentAuthorized(
        bytes32 indexed payment,
        bytes32 indexed mandate,
        address indexed recipient,
        PaymentRequest request,
        bool wasApproved
    );
    /// @notice An item of a batch was refused and changed nothing. It says nothing about the request itself: anyone may
    /// send one without its signatures.
    event PaymentRefused(bytes32 indexed payment, bytes32 indexed mandate, Reason reason, uint256 got, uint256 limit);
    event RequestCancelled(bytes32 indexed payment, bytes32 indexed mandate, address by);

    /// @notice Reserves `maxAmount` for the recipient when every rule allows it. The rules are checked in the order of
    /// `Reason`. Anyone may send it.
    /// @param agentSignature the agent's of the request; empty when the agent calls
    /// @param approval the owner's; needed above the threshold and ignored below
    /// @return payment the struct hash of the request
    function authorize(PaymentRequest calldata request, bytes calldata agentSignature, SignedApproval calldata approval)
        external
        returns (bytes32 payment);
    /// @notice Authorizes at most 16 requests, one after the other.
    /// @return reasons for each item None, or why it was refused
    function authorizeBatch(Item[] calldata items, Batch mode) external returns (Reason[] memory reasons);
    /// @notice Makes sure that a request which was not authorized never is, by the owner or the agent.
    /// @param signature of either, of `Cancel(bytes32 payment)`
    function cancelRequest(PaymentRequest calldata request, bytes calldata signature) external;

    /// @notice What `authorize` would say to the same input from `caller` in this block, signatures included.
    /// @dev A signature contract that answers by gas or by caller may answer otherwise in a transaction.
    function preview(
        PaymentRequest calldata request,
        bytes calldata agentSignature,
        SignedApproval calldata approval,
        address caller
    ) external view returns (Preview memory);

    // ----------------------------------------------------------------------------------------- the life of an escrow

    event PaymentDelivered(
        bytes32 indexed payment, bytes32 indexed mandate, bytes32 receiptHash, uint256 challengeEnds
    );
    event PaymentDisputed(
        bytes32 indexed payment, bytes32 indexed mandate, bytes32 evidenceHash, uint256 resolutionEnds
    );
    /// @param total the sum of all captures with this one
    event PaymentCaptured(bytes32 indexed payment, bytes32 indexed mandate, uint256 amount, uint256 total);
    /// @notice The payment reached a final state.
    /// @param paid what the provider got of the amount in all
    /// @param returned what went back to the mandate
    event PaymentClosed(bytes32 indexed payment, bytes32 indexed mandate, State state, uint256 paid, uint256 returned);
    /// @param total the sum of all refunds with this one
    event PaymentRefunded(bytes32 indexed payment, bytes32 indexed mandate, uint256 amount, uint256 total);

    /// @notice Escrowed → Delivered, by the provider before deliverBy. The challenge period begins.
    /// @param receiptHash the keccak-256 of what was delivered: says that something was, not that it is right
    /// @param signature the provider's, of `Delivery(bytes32 payment,bytes32 receiptHash)`
    function deliver(PaymentRequest calldata request, bytes32 receiptHash, bytes calldata signature) external;
    /// @notice Delivered or Disputed → Settled, all of what is held to the provider, by the owner.
    /// @param signature the owner's, of `Accept(bytes32 payment)`
    function accept(PaymentRequest calldata request, bytes calldata signature) external;
    /// @notice Delivered → Disputed, by the owner within the challenge period.
    /// @param evidenceHash the hash of why; zero leaves all to the provider if the resolver is silent
    /// @param signature the owner's, of `Dispute(bytes32 payment,bytes32 evidenceHash)`
    function dispute(PaymentRequest calldata request, bytes32 evidenceHash, bytes calldata signature) external;
    /// @notice Pays the provider until it got `total` in all, by the provider after the challenge period and before
    /// captureBy, as often as it likes; → Settled with the last part.
    /// @param signature the provider's, of `Capture(bytes32 payment,uint128 total)`
    function capture(PaymentRequest calldata request, uint128 total, bytes calldata signature) external;
    /// @notice Delivered → Settled, all of what is held to the provider, after the challenge period and before captureBy.
    /// Anyone may call.
    function claim(PaymentRequest calldata request) external;
    /// @notice Escrowed, Delivered or Disputed → Voided, all of what is held back to the mandate, by the provider.
    /// @param signature the provider's, of `Void(bytes32 payment)`
    function void(PaymentRequest calldata request, bytes calldata signature) external;
    /// @notice Disputed → Settled or Refunded, `toProvider` to the provider and the rest back, by the resolver before
    /// its time is over.
    /// @param signature the resolver's, of `Resolution(bytes32 payment,uint128 toProvider)`
    function resolve(PaymentRequest calldata request, uint128 toProvider, bytes calldata signature) external;
    /// @notice Disputed → TimedOut, split as the terms say, once the resolver's time is over. Anyone may call.
    function timeOut(PaymentRequest calldata request) external;
    /// @notice Escrowed after deliverBy, or Delivered after captureBy → Refunded, or Settled when parts were captured;
    /// what is held goes back. Anyone may call.
    function expire(PaymentRequest calldata request) external;
    /// @notice Gives money of a closed payment back to the mandate until `total` was given back in all, by the provider
    /// before refundBy, from its allowance to this contract.
    /// @param signature the provider's, of `Refund(bytes32 payment,uint128 total)`
    function refund(PaymentRequest calldata request, uint128 total, bytes calldata signature) external;

    // ------------------------------------------------------------------------------------------------------ reading

    function mandateOf(address owner, bytes32 salt) external view returns (bytes32);
    function vaultOf(address owner) external view returns (address);
    function fundingNonce(bytes32 mandate, bytes32 salt) external pure returns (bytes32);
    function mandate(bytes32 id) external view returns (MandateView memory);
    /// @notice The entry for exactly this pair, zero being the wildcard.
    function entry(bytes32 mandate, address recipient, bytes32 service)
        external
        view
        returns (bool exists, Entry memory);
    /// @return hash the keccak-256 of the ABI encoding of what waits; zero when nothing does
    /// @return effectiveAt when it can be applied, in Unix seconds
    function pendingAmendment(bytes32 mandate) external view returns (bytes32 hash, uint48 effectiveAt);
    /// @return isSet false where none was ever set
    /// @return dayCap the ceiling at this moment
    /// @return spentToday what was authorized under it on this UTC day
    function ceiling(address owner, address agent, address token)
        external
        view
        returns (bool isSet, uint96 dayCap, uint96 spentToday);
    function credit(address owner, address token, address recipient)
        external
        view
        returns (uint128 earned, uint128 withdrawn);
    /// @notice The struct hash of a request, which names its payment.
    function paymentOf(PaymentRequest calldata request) external pure returns (bytes32);
    function payment(bytes32 id) external view returns (Payment memory);
}
