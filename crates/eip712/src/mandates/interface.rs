//! `contracts/src/mandates/{Reason,Types,IMandates}.sol` as Rust types, declaration by declaration.
//!
//! What each thing means, with its units, is said there and not again here. The tests hold this text to those sources
//! and to the compiled contract, both ways.
#![allow(missing_docs, reason = "the Solidity sources document every declaration, field and argument")]
#![allow(clippy::too_many_arguments, reason = "the macro writes functions with an argument for each field")]

alloy_sol_types::sol! {
    #![sol(all_derives)]

    /// Why the contract says no. The numbers are part of its interface.
    ///
    /// `OtherToken` is `Token` there: a variant of that name collides with what the macro writes.
    enum Reason {
        None,
        UnknownMandate, PolicyVersion, Revoked, Paused, MandateNotStarted, MandateExpired, OtherToken,
        RequestNotStarted, RequestExpired, DeliverBy, CaptureBy, RefundBy, Terms, ZeroRecipient,
        ZeroService, RecipientIsResolver, NotAllowed, ZeroAmount, EntryPaymentCap, PaymentCap, EntryWindowCap, DayCount, DayCap,
        MonthCap, LifetimeCap, Ceiling, Funds, ZeroRequestId, RequestUsed, RequestCancelled,
        ApprovalMissing, AgentSignature, ApprovalExpired, ApprovalSignature,
        NotPermitted, Signature, BatchSize, Gas, AmountTooLarge,
        MandateExists, ZeroAgent, AgentIsOwner, NoToken, EmptyWindow, ZeroCap, ChallengePeriod,
        ResolutionTimeout, SilenceShare, ResolverIsParty, AmendDelay, NoAmendment, AmendmentEarly,
        NotPaused,
        TokenDelta, Withdrawal,
        State, DeliveryClosed, DeliveryOpen, ChallengeClosed, ChallengeOpen, CaptureClosed, CaptureOpen,
        ResolutionClosed, ResolutionOpen, RefundClosed, AboveTotal, NothingNew
    }

    /// How an owner or an agent signs.
    enum SignerKind { Ecdsa, Erc1271 }

    /// What the owner said of a mandate as a whole.
    enum Status { None, Active, Paused, Revoked }

    /// The calendar window in which an entry's payments are summed.
    enum Window { UtcDay, UtcMonth }

    /// Where a payment is in its life.
    enum State { None, Cancelled, Escrowed, Delivered, Disputed, Settled, Refunded, Voided, TimedOut }

    /// What a batch does when one of its items is refused.
    enum Batch { EachAlone, AllOrNothing }

    /// What a provider relies on. Periods in seconds, the share in basis points.
    struct Terms {
        uint32 challengePeriod;
        uint32 resolutionTimeout;
        uint16 silenceBps;
        address resolver;
    }

    /// The owner's rules. Unix seconds, base units of the token.
    struct Policy {
        uint48 validAfter;
        uint48 validBefore;
        uint96 paymentCap;
        uint96 dayCap;
        uint96 monthCap;
        uint96 lifetimeCap;
        uint32 dayCount;
        uint96 approvalAbove;
        Terms terms;
    }

    /// Whom the agent may pay for what, and how much in base units.
    struct Entry {
        address recipient;
        bytes32 service;
        uint96 paymentCap;
        uint96 windowCap;
        Window window;
    }

    /// What the creation of a mandate takes. The delay in seconds.
    struct Creation {
        bytes32 salt;
        SignerKind ownerKind;
        SignerKind agentKind;
        address agent;
        address token;
        uint32 amendDelay;
        Policy policy;
        Entry[] entries;
    }

    /// A whole new policy, and the entries that are added or changed.
    struct Amendment {
        uint64 expectedVersion;
        Policy policy;
        Entry[] entries;
    }

    /// What an agent signs: one payment. Unix seconds, base units.
    struct PaymentRequest {
        bytes32 mandate;
        uint64 policyVersion;
        bytes32 requestId;
        address token;
        uint128 maxAmount;
        address recipient;
        bytes32 service;
        bytes32 jobHash;
        uint48 validAfter;
        uint48 validBefore;
        uint48 deliverBy;
        uint48 captureBy;
        uint48 refundBy;
        Terms terms;
    }

    /// The owner's signature of an [`Approval`]; an empty one is no approval. Unix seconds.
    struct SignedApproval {
        uint48 validBefore;
        bytes signature;
    }

    /// One authorization of a batch.
    struct Item {
        PaymentRequest request;
        bytes agentSignature;
        SignedApproval approval;
    }

    /// A mandate as it stands. Unix seconds, base units.
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
        uint96 balance;
        uint96 reserved;
        uint96 lifetimeSpent;
        Spent spent;
    }

    /// What was authorized on the UTC day `day` (days since 1970-01-01), and in the month of that day.
    struct Spent {
        uint32 day;
        uint32 dayCount;
        uint96 daySum;
        uint96 monthSum;
    }

    /// One payment as it stands. Unix seconds, base units.
    struct Payment {
        State state;
        bool hasEvidence;
        uint48 since;
        uint96 paid;
        uint96 refunded;
    }

    /// What could still be authorized now for one recipient and service, in base units, rule by rule.
    struct Remaining {
        uint256 available;
        uint256 perPayment;
        uint256 today;
        uint256 thisMonth;
        uint256 lifetime;
        uint256 countToday;
        uint256 entryPerPayment;
        uint256 entryWindow;
        uint256 ceiling;
    }

    /// What `authorize` would say to the same input in the same block.
    struct Preview {
        Reason reason;
        uint256 got;
        uint256 limit;
        bytes32 payment;
        bool needsApproval;
        Remaining remaining;
    }

    // Signed and never sent: the contract builds each from the arguments of the call.

    /// The owner's yes to a request above the threshold, for `authorize`, until `validBefore` in Unix seconds.
    struct Approval {
        PaymentRequest request;
        address approver;
        uint48 validBefore;
    }

    /// The provider's, for `deliver`.
    struct Delivery {
        bytes32 payment;
        bytes32 receiptHash;
    }

    /// The provider's, for `capture`: base units in all.
    struct Capture {
        bytes32 payment;
        uint128 total;
    }

    /// The provider's, for `void`.
    struct Void {
        bytes32 payment;
    }

    /// The provider's, for `refund`: base units in all.
    struct Refund {
        bytes32 payment;
        uint128 total;
    }

    /// The owner's, for `accept`.
    struct Accept {
        bytes32 payment;
    }

    /// The owner's, for `dispute`.
    struct Dispute {
        bytes32 payment;
        bytes32 evidenceHash;
    }

    /// The owner's or the agent's, for `cancelRequest`.
    struct Cancel {
        bytes32 payment;
    }

    /// The resolver's, for `resolve`: base units.
    struct Resolution {
        bytes32 payment;
        uint128 toProvider;
    }

    /// The recipient's, for `withdrawCredit`: base units in all.
    struct CreditWithdrawal {
        address owner;
        address token;
        address recipient;
        address to;
        uint128 total;
    }

    /// Calls, events and the refusal of the contract `Mandates`.
    interface IMandates {
        error Refused(Reason reason, uint256 got, uint256 limit);

        event MandateCreated(
            bytes32 indexed mandate, address indexed owner, address indexed agent, address token,
            SignerKind ownerKind, SignerKind agentKind, uint32 amendDelay, bytes32 salt, Policy policy,
            Entry[] entries
        );
        event MandateAmended(bytes32 indexed mandate, uint64 policyVersion, Policy policy, Entry[] entries);
        event AmendmentScheduled(bytes32 indexed mandate, uint48 effectiveAt, Amendment amendment);
        event AmendmentCancelled(bytes32 indexed mandate);
        event MandatePaused(bytes32 indexed mandate);
        event MandateUnpaused(bytes32 indexed mandate);
        event MandateRevoked(bytes32 indexed mandate, address indexed by);
        event CeilingSet(
            address indexed owner, address indexed agent, address indexed token, uint96 dayCap,
            uint48 effectiveAt
        );

        function create(Creation calldata creation) external returns (bytes32 mandate);
        function amend(bytes32 mandate, Amendment calldata amendment) external;
        function applyAmendment(bytes32 mandate, Amendment calldata amendment) external;
        function cancelAmendment(bytes32 mandate) external;
        function pause(bytes32 mandate) external;
        function unpause(bytes32 mandate) external;
        function revoke(bytes32 mandate) external;
        function renounce(bytes32 mandate) external;
        function setCeiling(address agent, address token, uint96 dayCap) external;

        event MandateFunded(bytes32 indexed mandate, address indexed from, uint256 amount);
        event MandateWithdrawn(bytes32 indexed mandate, address indexed to, uint256 amount);
        event CreditBooked(
            address indexed owner, address indexed token, address indexed recipient, uint256 amount
        );
        event CreditWithdrawn(
            address indexed owner, address indexed token, address indexed recipient, address to, uint256 amount
        );

        function fund(bytes32 mandate, uint256 amount) external;
        function fundWithPermit(
            bytes32 mandate, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s
        ) external;
        function fundWithAuthorization(
            bytes32 mandate, address from, uint256 amount, uint256 validAfter, uint256 validBefore,
            bytes32 salt, bytes calldata signature
        ) external;
        function withdraw(bytes32 mandate, uint256 amount, address to) external;
        function withdrawCredit(
            address owner, address token, address recipient, address to, uint128 total,
            bytes calldata signature
        ) external;

        event PaymentAuthorized(
            bytes32 indexed payment, bytes32 indexed mandate, address indexed recipient,
            PaymentRequest request, bool wasApproved
        );
        event PaymentRefused(
            bytes32 indexed payment, bytes32 indexed mandate, Reason reason, uint256 got, uint256 limit
        );
        event RequestCancelled(bytes32 indexed payment, bytes32 indexed mandate, address by);

        function authorize(
            PaymentRequest calldata request, bytes calldata agentSignature, SignedApproval calldata approval
        ) external returns (bytes32 payment);
        function authorizeBatch(Item[] calldata items, Batch mode) external returns (Reason[] memory reasons);
        function cancelRequest(PaymentRequest calldata request, bytes calldata signature) external;
        function preview(
            PaymentRequest calldata request, bytes calldata agentSignature, SignedApproval calldata approval,
            address caller
        ) external view returns (Preview memory);

        event PaymentDelivered(
            bytes32 indexed payment, bytes32 indexed mandate, bytes32 receiptHash, uint256 challengeEnds
        );
        event PaymentDisputed(
            bytes32 indexed payment, bytes32 indexed mandate, bytes32 evidenceHash, uint256 resolutionEnds
        );
        event PaymentCaptured(
            bytes32 indexed payment, bytes32 indexed mandate, uint256 amount, uint256 total
        );
        event PaymentClosed(
            bytes32 indexed payment, bytes32 indexed mandate, State state, uint256 paid, uint256 returned
        );
        event PaymentRefunded(
            bytes32 indexed payment, bytes32 indexed mandate, uint256 amount, uint256 total
        );

        function deliver(PaymentRequest calldata request, bytes32 receiptHash, bytes calldata signature) external;
        function accept(PaymentRequest calldata request, bytes calldata signature) external;
        function dispute(PaymentRequest calldata request, bytes32 evidenceHash, bytes calldata signature) external;
        function capture(PaymentRequest calldata request, uint128 total, bytes calldata signature) external;
        function claim(PaymentRequest calldata request) external;
        function void(PaymentRequest calldata request, bytes calldata signature) external;
        function resolve(PaymentRequest calldata request, uint128 toProvider, bytes calldata signature) external;
        function timeOut(PaymentRequest calldata request) external;
        function expire(PaymentRequest calldata request) external;
        function refund(PaymentRequest calldata request, uint128 total, bytes calldata signature) external;

        function mandateOf(address owner, bytes32 salt) external view returns (bytes32);
        function vaultOf(address owner) external view returns (address);
        function fundingNonce(bytes32 mandate, bytes32 salt) external pure returns (bytes32);
        function mandate(bytes32 id) external view returns (MandateView memory);
        function entry(bytes32 mandate, address recipient, bytes32 service)
            external view returns (bool exists, Entry memory);
        function pendingAmendment(bytes32 mandate) external view returns (bytes32 hash, uint48 effectiveAt);
        function ceiling(address owner, address agent, address token)
            external view returns (bool isSet, uint96 dayCap, uint96 spentToday);
        function credit(address owner, address token, address recipient)
            external view returns (uint128 earned, uint128 withdrawn);
        function paymentOf(PaymentRequest calldata request) external pure returns (bytes32);
        function payment(bytes32 id) external view returns (Payment memory);

        // ERC-5267, and what OpenZeppelin's parts of the contract throw.
        event EIP712DomainChanged();
        function eip712Domain() external view returns (
            bytes1 fields, string memory name, string memory version, uint256 chainId, address verifyingContract,
            bytes32 salt, uint256[] memory extensions
        );
        error FailedDeployment();
        error InsufficientBalance(uint256 balance, uint256 needed);
        error InvalidShortString();
        error ReentrancyGuardReentrantCall();
        error SafeERC20FailedOperation(address token);
        error StringTooLong(string str);
    }
}
