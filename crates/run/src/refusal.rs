//! How a run says no.

use serde::{Deserialize, Serialize};

use crate::RunState;

/// A refusal. Nothing changed, or only that it was said. It is a part of the journal: variants are only added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// There is no such run, or it is another's.
    Unknown,
    /// The run was made of something else.
    AnotherCreation,
    /// The run was made before, and its token was used: it is not issued again.
    TokenUsed,
    /// Real money would need an off-ramp that is not simulated.
    RealNotAvailable,
    /// A value is none that can be taken.
    Malformed(Value),
    /// Another executor is bound.
    WrongExecutor,
    /// No command of this name is known.
    UnknownCommand,
    /// The command was answered, otherwise.
    CommandAnswered,
    /// Nobody waits for the command.
    CommandWithdrawn,
    /// The command asks for something else.
    WrongResult {
        /// For what: `QUOTE`, `PIX` or `ORDER`.
        expected: String,
    },
    /// The buyer was asked too often.
    TooManyAsks,
    /// The wallet looked too long ago, or will have.
    WalletReportStale,
    /// Funds were checked too often.
    TooManyChecks,
    /// Something else is asked.
    ConfirmationMismatch,
    /// The question is over.
    ConfirmationOver,
    /// Nothing is asked.
    NothingToConfirm,
    /// Nothing is to be paid.
    NothingToPay,
    /// The mandate's owner is asked, and has not signed.
    OwnerSignatureRequired,
    /// Another run has used the payment.
    SignatureUsed,
    /// The payment is under way.
    PaymentUnderWay,
    /// It has arrived.
    AlreadyPaid,
    /// The run is over.
    Over(RunState),
    /// The run contradicts itself.
    Inconsistent {
        /// How.
        why: String,
    },
}

/// A value that a run is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as in the command")]
pub enum Value {
    Requirement,
    Quantity,
    MaxTotal,
    User,
    Mandate,
    Rails,
    Cart,
    Page,
    Evidence,
    Wallet,
    Signature,
}

impl Value {
    /// What a correct one looks like.
    const fn allowed(self) -> &'static str {
        match self {
            Self::Requirement => {
                "The requirement is 1 to 200 bytes with a word in it, without control characters."
            }
            Self::Quantity => "The quantity is 1 to 99.",
            Self::MaxTotal => "The budget is 1 to 1000000000000 cents.",
            Self::User => "The user's name is 1 to 120 bytes without control characters.",
            Self::Mandate => {
                "A mandate is 0x and 64 hexadecimal digits; its owner and agent are 0x and 40 hexadecimal digits."
            }
            Self::Rails => "The network is a CAIP-2 name, such as eip155:84532.",
            Self::Cart => {
                "A cart has at most 20 items, 20 fees and 20 discounts, amounts of at most 1000000000000 cents, and names of at most 200 bytes each and 2048 bytes together, without control characters."
            }
            Self::Page => "The page is 1 to 200 bytes without control characters.",
            Self::Evidence => "The evidence is at most 500 bytes without control characters.",
            Self::Wallet => {
                "The wallet's address is 1 to 128 printable ASCII characters other than spaces and |."
            }
            Self::Signature => {
                "The payment's signature is 1 to 128 printable ASCII characters other than spaces and |."
            }
        }
    }
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown_run",
            Self::AnotherCreation => "idempotency_key_reused",
            Self::TokenUsed => "token_used",
            Self::RealNotAvailable => "real_not_available",
            Self::Malformed(Value::Requirement) => "malformed_requirement",
            Self::Malformed(Value::Quantity) => "malformed_quantity",
            Self::Malformed(Value::MaxTotal) => "malformed_budget",
            Self::Malformed(Value::User) => "malformed_user",
            Self::Malformed(Value::Mandate) => "malformed_mandate",
            Self::Malformed(Value::Rails) => "malformed_rails",
            Self::Malformed(Value::Cart) => "malformed_cart",
            Self::Malformed(Value::Page) => "malformed_page",
            Self::Malformed(Value::Evidence) => "malformed_evidence",
            Self::Malformed(Value::Wallet) => "malformed_wallet",
            Self::Malformed(Value::Signature) => "malformed_signature",
            Self::WrongExecutor => "wrong_executor",
            Self::UnknownCommand => "unknown_command",
            Self::CommandAnswered => "command_answered",
            Self::CommandWithdrawn => "command_withdrawn",
            Self::WrongResult { .. } => "wrong_result",
            Self::TooManyAsks => "too_many_asks",
            Self::WalletReportStale => "wallet_report_stale",
            Self::TooManyChecks => "too_many_checks",
            Self::ConfirmationMismatch => "confirmation_mismatch",
            Self::ConfirmationOver => "confirmation_over",
            Self::NothingToConfirm => "nothing_to_confirm",
            Self::NothingToPay => "nothing_to_pay",
            Self::OwnerSignatureRequired => "owner_signature_required",
            Self::SignatureUsed => "signature_used",
            Self::PaymentUnderWay => "payment_under_way",
            Self::AlreadyPaid => "already_paid",
            Self::Over(_) => "run_over",
            Self::Inconsistent { .. } => "run_inconsistent",
        }
    }

    /// Whether the same can succeed later.
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::NothingToConfirm | Self::NothingToPay => true,
            Self::Unknown
            | Self::AnotherCreation
            | Self::TokenUsed
            | Self::RealNotAvailable
            | Self::Malformed(_)
            | Self::WrongExecutor
            | Self::UnknownCommand
            | Self::CommandAnswered
            | Self::CommandWithdrawn
            | Self::WrongResult { .. }
            | Self::TooManyAsks
            | Self::WalletReportStale
            | Self::TooManyChecks
            | Self::ConfirmationMismatch
            | Self::ConfirmationOver
            | Self::OwnerSignatureRequired
            | Self::SignatureUsed
            | Self::PaymentUnderWay
            | Self::AlreadyPaid
            | Self::Over(_)
            | Self::Inconsistent { .. } => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "There is no such run, or it is not yours. Check its id and token.",
            Self::AnotherCreation => {
                "A run was made under this key from another request. Repeat that request as it was, or use a new key."
            }
            Self::TokenUsed => {
                "This run was made before, and its token was used, so it is not issued again. Use the token that you have, or start another run under a new key."
            }
            Self::RealNotAvailable => {
                "Real money needs an off-ramp that is not simulated, and there is none. Use the execution mode simulated."
            }
            Self::Malformed(value) => {
                return write!(formatter, "{} Send the same with a value of this form.", value.allowed());
            }
            Self::WrongExecutor => {
                "Another executor is bound to this run. Its results are taken from that one only."
            }
            Self::UnknownCommand => {
                "This run has no command of this id that is pending. Answer the commands that are given out."
            }
            Self::CommandAnswered => {
                "This command was answered with another result, which counts. Go on with the next command."
            }
            Self::CommandWithdrawn => {
                "Nobody waits for this command: it took too long, or the run has gone on without it. Drop it."
            }
            Self::WrongResult { expected } => {
                return write!(formatter, "This command asks for {expected}. Answer with that, UNAVAILABLE or ERROR.");
            }
            Self::TooManyAsks => {
                "The buyer was asked as often as one command may ask. Answer with a result, UNAVAILABLE or ERROR."
            }
            Self::WalletReportStale => {
                "The wallet looked more than 5 minutes ago, or more than 2 minutes from now. Look again and report that."
            }
            Self::TooManyChecks => {
                "The funds of this run were checked as often as they may be. Start another run."
            }
            Self::ConfirmationMismatch => {
                "This is not what is asked. Read the run again, and confirm the digest and amount that it shows."
            }
            Self::ConfirmationOver => {
                "This question is over. Read the run again, and confirm what it asks now, if it asks."
            }
            Self::NothingToConfirm => "Nothing is asked yet. Wait for the question, or cancel the run.",
            Self::NothingToPay => {
                "Nothing is to be paid yet. Wait until the payment is authorized, and name the payment that is made then."
            }
            Self::OwnerSignatureRequired => {
                "The mandate wants its owner to be asked. Have its owner sign the confirmation."
            }
            Self::SignatureUsed => {
                "This payment has paid for something else. Pay again, and name the payment that was made for this run."
            }
            Self::PaymentUnderWay => {
                "The payment of this run is under way. Wait until it is settled or has failed."
            }
            Self::AlreadyPaid => "This run is paid. Wait for the order.",
            Self::Over(state) => {
                return write!(formatter, "This run is over: it is {}. Start another run.", state.name());
            }
            Self::Inconsistent { why } => {
                return write!(formatter, "This run contradicts itself: {why}. Nothing was done. Report this.");
            }
        })
    }
}

impl core::error::Error for Refusal {}
