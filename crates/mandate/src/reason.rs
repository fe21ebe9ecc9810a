//! Every reason for which the contract says no: its number, code, units and words.

use serde::{Deserialize, Serialize};

use crate::Unit;

/// Whether waiting can help against a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// The same call can pass later: by time, by money, or by what the owner may yet do.
    Waits,
    /// It never passes again.
    Ends,
}

/// One row per reason: name, code, what `got` and `limit` hold, whether waiting can help, and a sentence for people.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident $code:literal [$got:ident, $limit:ident, $patience:ident] $words:literal;)+) => {
        /// Why the contract says no. Numbers and names are those of its enum `Reason`, in its order; for rules of
        /// authorization it is also the order in which they are checked.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum Reason {
            $($(#[$doc])* $name,)+
        }

        impl Reason {
            /// Every reason, at the place of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Stable, for programs.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// What `got` and `limit` hold.
            pub const fn units(self) -> (Unit, Unit) {
                match self { $(Self::$name => (Unit::$got, Unit::$limit),)+ }
            }

            /// A sentence for people with `{got}` and `{limit}` to fill in: what was wrong, and what to do.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)+ }
            }

            const fn patience(self) -> Patience {
                match self { $(Self::$name => Patience::$patience,)+ }
            }
        }
    };
}

impl Reason {
    /// The number in the contract's enum.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The reason of a number in the contract's enum.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Whether the same call can pass later: by time, by money, or by what the owner may yet do.
    pub fn may_retry(self) -> bool {
        self.patience() == Patience::Waits
    }
}

impl core::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(self.code())
    }
}

reasons! {
    /// Nothing is refused.
    None "none" [Nothing, Nothing, Ends]
        "Nothing is refused.";
    // Authorization, in the order in which it is checked.
    /// There is no such mandate.
    UnknownMandate "unknown_mandate" [Hash, Nothing, Waits]
        "There is no mandate {got} in this contract. Create it, or name one that exists.";
    /// The request was made for another version of the policy.
    PolicyVersion "policy_version" [Number, Number, Ends]
        "The request was made for version {got} of the policy, which is at version {limit}. Sign a new \
         request.";
    /// The mandate was revoked or renounced.
    Revoked "revoked" [Nothing, Nothing, Ends]
        "The mandate was revoked. Ask the owner for another one.";
    /// The owner paused the mandate.
    Paused "paused" [Nothing, Nothing, Waits]
        "The mandate is paused. Try again when the owner has unpaused it.";
    /// The mandate's window has not begun.
    MandateNotStarted "mandate_not_started" [Time, Time, Waits]
        "It is {got}, and the mandate begins at {limit}. Try again then.";
    /// The mandate's window is over.
    MandateExpired "mandate_expired" [Time, Time, Ends]
        "It is {got}, and the mandate ended at {limit}. Ask the owner for a later end.";
    /// The request is in another token.
    Token "token" [Address, Address, Ends]
        "The request is in the token {got}, and the mandate holds {limit}. Sign a request in that token.";
    /// The request's window has not begun.
    RequestNotStarted "request_not_started" [Time, Time, Waits]
        "It is {got}, and the request is valid from {limit}. Try again then.";
    /// The request's window is over.
    RequestExpired "request_expired" [Time, Time, Ends]
        "It is {got}, and the request was valid until {limit}. Sign a new request.";
    /// The delivery would be late before it could begin.
    DeliverBy "deliver_by" [Time, Time, Ends]
        "It is {got}, and the request wants delivery before {limit}. Sign a request with a later deliverBy.";
    /// A delivery at the last moment could not be claimed.
    CaptureBy "capture_by" [Time, Time, Ends]
        "Captures end at {got}, and the challenge of a last-moment delivery ends at {limit}. Sign a \
         request with a later captureBy.";
    /// The window for refunds would end before that for captures.
    RefundBy "refund_by" [Time, Time, Ends]
        "Refunds end at {got}, before captures end at {limit}. Sign a request with a later refundBy.";
    /// The owner did not agree to these terms.
    Terms "terms" [Terms, Terms, Ends]
        "The terms of the request are {got}, and those of the policy {limit}. Sign a request with the policy's terms.";
    /// The zero address is the wildcard of entries and cannot be paid.
    ZeroRecipient "zero_recipient" [Nothing, Nothing, Ends]
        "The recipient is the zero address. Name whom to pay.";
    /// Zero is the wildcard of entries and no service.
    ZeroService "zero_service" [Nothing, Nothing, Ends]
        "The service is zero. Name it by the keccak-256 of its name.";
    /// The recipient would decide its own disputes.
    RecipientIsResolver "recipient_is_resolver" [Address, Address, Ends]
        "The recipient {got} would decide its own disputes as the resolver {limit}. Pay another, or ask the owner for another resolver.";
    /// No entry allows this recipient with this service.
    NotAllowed "not_allowed" [Address, Hash, Ends]
        "No entry allows paying {got} for the service {limit}. Ask the owner to add one.";
    /// The amount is zero.
    ZeroAmount "zero_amount" [Amount, Amount, Ends]
        "The amount is zero. Ask for {limit} or more.";
    /// More than the entry allows for one payment.
    EntryPaymentCap "entry_payment_cap" [Amount, Amount, Ends]
        "The entry allows {limit} for one payment, and the request is for {got}. Ask for less.";
    /// More than the mandate allows for one payment.
    PaymentCap "payment_cap" [Amount, Amount, Ends]
        "The mandate allows {limit} for one payment, and the request is for {got}. Ask for less.";
    /// More than the entry allows in its window.
    EntryWindowCap "entry_window_cap" [Amount, Amount, Waits]
        "With this payment the entry's window would reach {got} of {limit}. Ask for less, or wait for the \
         next window.";
    /// One payment too many on this UTC day.
    DayCount "day_count" [Number, Number, Waits]
        "This would be payment {got} of {limit} today. Try again on the next UTC day.";
    /// Too much on this UTC day.
    DayCap "day_cap" [Amount, Amount, Waits]
        "With this payment the UTC day would reach {got} of {limit}. Ask for less, or wait for the next day.";
    /// Too much in this UTC month.
    MonthCap "month_cap" [Amount, Amount, Waits]
        "With this payment the UTC month would reach {got} of {limit}. Ask for less, or wait for the next \
         month.";
    /// Too much over the mandate's life.
    LifetimeCap "lifetime_cap" [Amount, Amount, Ends]
        "With this payment the mandate would reach {got} of {limit} over its life. Ask for less, or ask \
         the owner for more.";
    /// Above the owner's ceiling over all mandates of this agent in this token.
    Ceiling "ceiling" [Amount, Amount, Waits]
        "With this payment the agent would reach {got} of the {limit} that the owner allows it per UTC \
         day over all mandates. Ask for less, or wait for the next day.";
    /// The mandate holds too little that is not reserved.
    Funds "funds" [Amount, Amount, Waits]
        "The request is for {got}, and {limit} of the mandate's money is free. Ask for less, or fund the \
         mandate.";
    /// The request id is zero.
    ZeroRequestId "zero_request_id" [Nothing, Nothing, Ends]
        "The request id is zero. Give the request an id.";
    /// This request was authorized before.
    RequestUsed "request_used" [State, Nothing, Ends]
        "This request was authorized before; its payment is {got}. Sign a new request for another payment.";
    /// This request was cancelled.
    RequestCancelled "request_cancelled" [State, Nothing, Ends]
        "This request was cancelled. Sign a new request.";
    /// The amount needs the owner's approval.
    ApprovalMissing "approval_missing" [Amount, Amount, Waits]
        "The request is for {got}, and above {limit} the owner approves each one. Send the owner's \
         approval with it.";
    /// Neither did the agent call, nor is this its signature of the request.
    AgentSignature "agent_signature" [Address, Address, Ends]
        "The caller {got} is not the agent {limit}, and the signature is not the agent's of this request. \
         Let the agent sign it.";
    /// The approval's window is over.
    ApprovalExpired "approval_expired" [Time, Time, Waits]
        "It is {got}, and the approval was valid until {limit}. Ask the owner for a new one.";
    /// This is not the owner's signature of the approval.
    ApprovalSignature "approval_signature" [Nothing, Address, Waits]
        "The approval is not signed by the owner {limit}. Ask the owner for its signature of this request.";
    // Everyone's.
    /// The caller may not do this, and brought no signature of one who may.
    NotPermitted "not_permitted" [Address, Address, Ends]
        "The caller {got} may not do this. Let {limit} call, or bring its signature.";
    /// The signature is not of the one who may do this.
    Signature "signature" [Nothing, Address, Ends]
        "The signature is not one of {limit} for exactly this. Let it sign what is sent.";
    /// Too many items in one batch.
    BatchSize "batch_size" [Number, Number, Ends]
        "The batch has {got} items, and {limit} is the most. Split it.";
    /// A token is never called with less gas than it may need.
    Gas "gas" [Number, Number, Waits]
        "{got} gas is left, and {limit} is needed. Send the transaction with more.";
    /// The amount does not fit the ledger.
    AmountTooLarge "amount_too_large" [Amount, Amount, Ends]
        "The amount {got} does not fit; {limit} is the most. Send less.";
    // Making and changing a mandate.
    /// The owner has a mandate with this salt.
    MandateExists "mandate_exists" [Hash, Nothing, Ends]
        "The owner has the mandate {got} with this salt already. Choose another salt.";
    /// The agent is zero.
    ZeroAgent "zero_agent" [Nothing, Nothing, Ends]
        "The agent is the zero address. Name the agent.";
    /// An owner cannot be its own agent, or it would approve its own requests.
    AgentIsOwner "agent_is_owner" [Address, Address, Ends]
        "The agent {got} is the owner {limit}. Name another address as the agent.";
    /// There is no token at this address, or it states no decimals.
    NoToken "no_token" [Address, Nothing, Waits]
        "There is no token at {got}. Name the address of an ERC-20 token.";
    /// The mandate's window is empty or over.
    EmptyWindow "empty_window" [Time, Time, Ends]
        "The mandate would end at {got} and could begin at {limit} at the earliest. Choose a later end.";
    /// A cap of zero allows nothing; revoke or pause instead.
    ZeroCap "zero_cap" [Number, Number, Ends]
        "A cap is zero and would allow nothing. Choose at least {limit}, or pause or revoke the mandate.";
    /// The challenge period is out of bounds.
    ChallengePeriod "challenge_period" [Span, Span, Ends]
        "The challenge period of {got} breaks the bound of {limit}. Choose one within 10 minutes to 30 days.";
    /// The resolution timeout is out of bounds.
    ResolutionTimeout "resolution_timeout" [Span, Span, Ends]
        "The resolution timeout of {got} breaks the bound of {limit}. Choose one within 1 hour to 90 days.";
    /// The share is more than the whole.
    SilenceShare "silence_share" [BasisPoints, BasisPoints, Ends]
        "The provider's share of {got} is more than the whole of {limit}. Choose a share of at most that.";
    /// A party cannot resolve its own dispute.
    ResolverIsParty "resolver_is_party" [Address, Address, Ends]
        "The resolver {got} is a party of the mandate. Name another address, or zero for nobody.";
    /// The delay of amendments is out of bounds.
    AmendDelay "amend_delay" [Span, Span, Ends]
        "The delay of {got} breaks the bound of {limit}. Choose one within 1 hour to 30 days.";
    /// No such amendment waits.
    NoAmendment "no_amendment" [Hash, Hash, Ends]
        "The amendment {got} does not wait; what waits is {limit}. Send the one that was scheduled.";
    /// The amendment takes effect later.
    AmendmentEarly "amendment_early" [Time, Time, Waits]
        "It is {got}, and the amendment takes effect at {limit}. Try again then.";
    /// The mandate is not paused.
    NotPaused "not_paused" [Status, Status, Waits]
        "The mandate is {got} and not {limit}. There is nothing to unpause.";
    // Funds.
    /// The token took a fee or did not move.
    TokenDelta "token_delta" [Amount, Amount, Ends]
        "{got} arrived where {limit} should have. Use a token that moves exactly what it is told to.";
    /// More than is there to withdraw.
    Withdrawal "withdrawal" [Amount, Amount, Waits]
        "{got} was asked for, and {limit} is the most that can be withdrawn. Ask for less.";
    // The life of an escrow.
    /// The payment is in another state.
    State "state" [State, State, Waits]
        "The payment is {got}, and this needs one that is {limit}. Look at the payment first.";
    /// The delivery is late.
    DeliveryClosed "delivery_closed" [Time, Time, Ends]
        "It is {got}, and delivery was due before {limit}. The amount goes back to the mandate.";
    /// The delivery may yet come.
    DeliveryOpen "delivery_open" [Time, Time, Waits]
        "It is {got}, and the provider may deliver until {limit}. Try again then.";
    /// The challenge period is over.
    ChallengeClosed "challenge_closed" [Time, Time, Ends]
        "It is {got}, and the challenge period ended at {limit}. The provider may take the amount.";
    /// The challenge period runs.
    ChallengeOpen "challenge_open" [Time, Time, Waits]
        "It is {got}, and the owner may dispute until {limit}. Try again then.";
    /// The window for captures is over.
    CaptureClosed "capture_closed" [Time, Time, Ends]
        "It is {got}, and captures ended at {limit}. What is held goes back to the mandate.";
    /// The provider may yet capture.
    CaptureOpen "capture_open" [Time, Time, Waits]
        "It is {got}, and the provider may capture until {limit}. Try again then.";
    /// The resolver's time is over.
    ResolutionClosed "resolution_closed" [Time, Time, Ends]
        "It is {got}, and the resolver's time ended at {limit}. The amount is split as the terms say.";
    /// The resolver may yet decide.
    ResolutionOpen "resolution_open" [Time, Time, Waits]
        "It is {got}, and the resolver may decide until {limit}. Try again then.";
    /// The window for refunds is over.
    RefundClosed "refund_closed" [Time, Time, Ends]
        "It is {got}, and refunds ended at {limit}. Pay the owner back in another way.";
    /// The total is more than the payment holds.
    AboveTotal "above_total" [Amount, Amount, Ends]
        "The total of {got} is more than the {limit} of the payment. Send a smaller total.";
    /// The total adds nothing to what was done.
    NothingNew "nothing_new" [Amount, Amount, Ends]
        "The total of {got} adds nothing to the {limit} that were done. Send a greater total.";
}
