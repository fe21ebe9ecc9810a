// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @notice Every reason for which `Mandates` says no. The numbers are part of the interface: new ones go to the end.
/// @dev The comment of each says what `got` and `limit` hold in `Refused(reason, got, limit)`. Times are Unix seconds,
/// amounts the token's base units, addresses and hashes are shown as numbers. The evaluator in crates/mandate has the
/// same list, and a test of it reads this file.
enum Reason {
    /// Nothing is refused.
    None,
    // Authorization, in the order in which it is checked.
    /// There is no such mandate: the mandate · 0.
    UnknownMandate,
    /// The request was made for another version of the policy: its version · the mandate's.
    PolicyVersion,
    /// The mandate was revoked or renounced: 0 · 0.
    Revoked,
    /// The owner paused the mandate: 0 · 0.
    Paused,
    /// The mandate's window has not begun: now · its start.
    MandateNotStarted,
    /// The mandate's window is over: now · its end.
    MandateExpired,
    /// The request is in another token: its token · the mandate's.
    Token,
    /// The request's window has not begun: now · its start.
    RequestNotStarted,
    /// The request's window is over: now · its end.
    RequestExpired,
    /// The delivery would be late before it could begin: now · deliverBy.
    DeliverBy,
    /// A delivery at the last moment could not be claimed: captureBy · the end of its challenge period.
    CaptureBy,
    /// The window for refunds would end before that for captures: refundBy · captureBy.
    RefundBy,
    /// The owner did not agree to these terms: theirs · the policy's, each as one number whose bits are, from the lowest,
    /// 32 of challengePeriod, 32 of resolutionTimeout, 16 of silenceBps and 160 of resolver.
    Terms,
    /// The zero address is the wildcard of entries and cannot be paid: 0 · 0.
    ZeroRecipient,
    /// Zero is the wildcard of entries and no service: 0 · 0.
    ZeroService,
    /// The recipient would decide its own disputes: the recipient · the resolver.
    RecipientIsResolver,
    /// No entry allows this recipient with this service: the recipient · the service.
    NotAllowed,
    /// The amount is zero: 0 · 1.
    ZeroAmount,
    /// More than the entry allows for one payment: the amount · the cap.
    EntryPaymentCap,
    /// More than the mandate allows for one payment: the amount · the cap.
    PaymentCap,
    /// More than the entry allows in its window: the window's sum with this amount · the cap.
    EntryWindowCap,
    /// One payment too many on this UTC day: the count with this one · the cap.
    DayCount,
    /// Too much on this UTC day: the day's sum with this amount · the cap.
    DayCap,
    /// Too much in this UTC month: the month's sum with this amount · the cap.
    MonthCap,
    /// Too much over the mandate's life: the sum with this amount · the cap.
    LifetimeCap,
    /// Above the owner's ceiling over all mandates of this agent in this token: the UTC day's sum with this amount ·
    /// the ceiling.
    Ceiling,
    /// The mandate holds too little that is not reserved: the amount · what is available.
    Funds,
    /// The request id is zero: 0 · 0.
    ZeroRequestId,
    /// This request was authorized before: its state · 0.
    RequestUsed,
    /// This request was cancelled: its state · 0.
    RequestCancelled,
    /// The amount needs the owner's approval: the amount · the threshold.
    ApprovalMissing,
    /// Neither did the agent call, nor is this its signature of the request: the caller · the agent.
    AgentSignature,
    /// The approval's window is over: now · its end.
    ApprovalExpired,
    /// This is not the owner's signature of the approval: 0 · the owner.
    ApprovalSignature,
    // Everyone's.
    /// The caller may not do this, and brought no signature of one who may: the caller · who may.
    NotPermitted,
    /// The signature is not of the one who may do this: 0 · who may.
    Signature,
    /// Too many items in one batch: their number · the most.
    BatchSize,
    /// A token is never called with less gas than it may need: the gas left · the least.
    Gas,
    /// The amount does not fit the ledger: the amount · the most.
    AmountTooLarge,
    // Making and changing a mandate.
    /// The owner has a mandate with this salt: the mandate · 0.
    MandateExists,
    /// The agent is zero: 0 · 0.
    ZeroAgent,
    /// An owner cannot be its own agent, or it would approve its own requests: the agent · the owner.
    AgentIsOwner,
    /// There is no token at this address, or it states no decimals: the address · 0.
    NoToken,
    /// The mandate's window is empty or over: its end · the greater of its start and now.
    EmptyWindow,
    /// A cap of zero allows nothing; revoke or pause instead: 0 · 1.
    ZeroCap,
    /// Out of bounds: the period · the bound that it breaks.
    ChallengePeriod,
    /// Out of bounds: the timeout · the bound that it breaks.
    ResolutionTimeout,
    /// More than the whole: the share in basis points · 10,000.
    SilenceShare,
    /// A party cannot resolve its own dispute: the resolver · the party.
    ResolverIsParty,
    /// Out of bounds: the delay · the bound that it breaks.
    AmendDelay,
    /// No such amendment waits: the hash of what was given · the hash of what waits.
    NoAmendment,
    /// The amendment takes effect later: now · when.
    AmendmentEarly,
    /// The mandate is not paused: its status · Paused.
    NotPaused,
    // Funds.
    /// The token took a fee or did not move: what arrived · what should have.
    TokenDelta,
    /// More than is there to withdraw: the total asked for · the most.
    Withdrawal,
    // The life of an escrow.
    /// The payment is in another state: its state · the state that this needs.
    State,
    /// The delivery is late: now · deliverBy.
    DeliveryClosed,
    /// The delivery may yet come: now · deliverBy.
    DeliveryOpen,
    /// The challenge period is over: now · its end.
    ChallengeClosed,
    /// The challenge period runs: now · its end.
    ChallengeOpen,
    /// The window for captures is over: now · captureBy.
    CaptureClosed,
    /// The provider may yet capture: now · captureBy.
    CaptureOpen,
    /// The resolver's time is over: now · its end.
    ResolutionClosed,
    /// The resolver may yet decide: now · the end of its time.
    ResolutionOpen,
    /// The window for refunds is over: now · refundBy.
    RefundClosed,
    /// The total is more than the payment holds: the total · the most.
    AboveTotal,
    /// The total adds nothing to what was done: the total · what was done.
    NothingNew
}
