// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "./Reason.sol";

/// @notice How an owner or an agent signs; fixed when the mandate is created, so that code which later appears at or
/// vanishes from its address (EIP-7702) changes nothing.
enum SignerKind {
    /// A key pair on secp256k1: 65 bytes `r ‖ s ‖ v`, low s.
    Ecdsa,
    /// A contract that answers `isValidSignature` (ERC-1271).
    Erc1271
}

/// @notice What the owner said of a mandate as a whole.
enum Status {
    None,
    Active,
    Paused,
    /// By the owner or by the agent, for ever. Open escrows live on.
    Revoked
}

/// @notice The calendar window in which an entry's payments are summed.
enum Window {
    UtcDay,
    UtcMonth
}

/// @notice Where a payment is in its life. Settled, Refunded, Voided, TimedOut and Cancelled are final.
enum State {
    None,
    /// The request was killed before it was used.
    Cancelled,
    /// The amount is reserved, and the provider works.
    Escrowed,
    /// The provider recorded a receipt; the owner may challenge, then the provider may capture.
    Delivered,
    /// The owner challenged; the resolver decides.
    Disputed,
    /// Something was paid, and nothing is held.
    Settled,
    /// Nothing was paid, and all went back: no delivery, no capture in time, or the resolver said so.
    Refunded,
    /// The provider gave back what was held.
    Voided,
    /// The resolver was silent, and the amount was split as the terms say.
    TimedOut
}

/// @notice What a provider relies on, fixed by the policy and signed with every request.
struct Terms {
    /// Seconds from delivery in which the owner may dispute: 10 minutes to 30 days.
    uint32 challengePeriod;
    /// Seconds from a dispute in which the resolver may decide: 1 hour to 90 days.
    uint32 resolutionTimeout;
    /// The provider's share in basis points when the resolver was silent on a dispute with evidence. Without
    /// evidence the provider gets all.
    uint16 silenceBps;
    /// Who decides disputes; zero for nobody, so that the share above decides.
    address resolver;
}

/// @notice The owner's rules. Amounts are base units; the largest value of its type means no cap.
struct Policy {
    /// Authorizations are possible in [validAfter, validBefore), Unix seconds.
    uint48 validAfter;
    uint48 validBefore;
    /// At most this for one payment, ...
    uint96 paymentCap;
    /// ... per UTC day, ...
    uint96 dayCap;
    /// ... per UTC month, ...
    uint96 monthCap;
    /// ... and over the life of the mandate.
    uint96 lifetimeCap;
    /// At most so many payments per UTC day.
    uint32 dayCount;
    /// Above this amount the owner signs an approval of each request.
    uint96 approvalAbove;
    Terms terms;
}

/// @notice Whom the agent may pay for what. The most specific entry decides: (recipient, service), then (recipient, any
/// service), then (any recipient, service), then (any, any).
struct Entry {
    /// Zero is any recipient.
    address recipient;
    /// The keccak-256 of the service's name; zero is any service.
    bytes32 service;
    /// At most this for one payment; zero forbids what the entry names, whatever wider entries allow.
    uint96 paymentCap;
    /// At most this in each `window`.
    uint96 windowCap;
    Window window;
}

/// @notice What the creation of a mandate takes. Its owner is the caller.
struct Creation {
    /// Makes the mandate's id: one owner has one mandate for one salt.
    bytes32 salt;
    SignerKind ownerKind;
    SignerKind agentKind;
    address agent;
    address token;
    /// Seconds before a loosening amendment takes effect: 1 hour to 30 days.
    uint32 amendDelay;
    Policy policy;
    Entry[] entries;
}

/// @notice A whole new policy, and the entries that are added or changed.
struct Amendment {
    /// The version that the owner looked at; the change makes the next.
    uint64 expectedVersion;
    Policy policy;
    Entry[] entries;
}

/// @notice What an agent signs: one payment, and all that a provider relies on. Times are Unix seconds.
/// @dev Its EIP-712 struct hash names the payment everywhere here. It holds the mandate's id, which holds the chain and
/// the contract, so that no two payments anywhere share one.
struct PaymentRequest {
    bytes32 mandate;
    uint64 policyVersion;
    /// Not zero; tells two otherwise equal payments apart.
    bytes32 requestId;
    address token;
    /// What is reserved; the most that is paid.
    uint128 maxAmount;
    address recipient;
    /// The keccak-256 of the service's name.
    bytes32 service;
    /// The hash of what was ordered, or of the quote.
    bytes32 jobHash;
    /// It can be authorized in [validAfter, validBefore), ...
    uint48 validAfter;
    uint48 validBefore;
    /// ... delivered before deliverBy, ...
    uint48 deliverBy;
    /// ... captured before captureBy, ...
    uint48 captureBy;
    /// ... and refunded by the provider before refundBy.
    uint48 refundBy;
    Terms terms;
}

/// @notice The owner's yes to one request, until `validBefore`: its signature of
/// `Approval(PaymentRequest request,address approver,uint48 validBefore)`. An empty signature is no approval.
struct SignedApproval {
    uint48 validBefore;
    bytes signature;
}

/// @notice One authorization of a batch.
struct Item {
    PaymentRequest request;
    bytes agentSignature;
    SignedApproval approval;
}

/// @notice What a batch does when one of its items is refused.
enum Batch {
    /// The others go on.
    EachAlone,
    /// Nothing happens.
    AllOrNothing
}

/// @notice A mandate as it stands.
struct MandateView {
    Status status;
    SignerKind ownerKind;
    SignerKind agentKind;
    address owner;
    address agent;
    address token;
    address vault;
    uint64 policyVersion;
    uint32 amendDelay;
    Policy policy;
    /// All money of the mandate, and the part of it that open escrows hold.
    uint96 balance;
    uint96 reserved;
    /// What was authorized since creation.
    uint96 lifetimeSpent;
    Spent spent;
}

/// @notice What was authorized on the UTC day `day`, and in the month of that day.
struct Spent {
    uint32 day;
    uint32 dayCount;
    uint96 daySum;
    uint96 monthSum;
}

/// @notice One payment as it stands.
struct Payment {
    State state;
    /// Whether the dispute names evidence.
    bool hasEvidence;
    /// When it was authorized or cancelled, then when it was delivered, then when it was disputed: whichever came last.
    uint48 since;
    /// The sum of all captures.
    uint96 paid;
    /// The sum that the provider gave back of it.
    uint96 refunded;
}

/// @notice What could still be authorized now for one recipient and service, rule by rule.
struct Remaining {
    uint256 available;
    uint256 perPayment;
    uint256 today;
    uint256 thisMonth;
    uint256 lifetime;
    uint256 countToday;
    /// Zero where no entry allows it.
    uint256 entryPerPayment;
    uint256 entryWindow;
    /// The largest number where the owner set no ceiling.
    uint256 ceiling;
}

/// @notice What `authorize` would say to the same input in the same block.
struct Preview {
    /// None when it would pass.
    Reason reason;
    uint256 got;
    uint256 limit;
    /// The payment's name.
    bytes32 payment;
    /// Whether the amount is above the approval threshold.
    bool needsApproval;
    Remaining remaining;
}
