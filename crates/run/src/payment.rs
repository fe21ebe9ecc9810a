//! The buyer's money: wallet, funds, consent, authorization, settlement.

use primitives::{BaseUnits, Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Cents;

/// What a wallet says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalletReport {
    /// The address, in the form of its chain; none when the wallet is disconnected.
    pub address: Option<String>,
    /// What it can spend privately, by its own word: nobody else can see it. A wrong word moves no money.
    pub shielded: Option<BaseUnits>,
    /// When it looked.
    pub checked_at: UnixMillis,
}

/// What a wallet has, in base units of the token that is paid in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balances {
    /// What anybody can see, read from the chain; none when it could not be read.
    pub public: Option<BaseUnits>,
    /// What the wallet says that it can spend privately.
    pub shielded: Option<BaseUnits>,
}

/// What the off-ramp asks for: it pays the Pix target once this has arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// What is to be paid in, all fees included, in base units.
    pub gross: BaseUnits,
    /// Of what: a CAIP-2 network, a slash, and the token's address, such as `solana:…/EPj…`; `simulated/usdc` when
    /// nothing moves.
    pub asset: String,
    /// Where to: this run's own address.
    pub pay_to: String,
    /// What the transaction has to name, so that nothing else is taken for it, if the address is not this run's own.
    pub reference: Option<String>,
    /// Whom it is for under a mandate: `0x` and 40 hexadecimal digits.
    pub recipient: String,
    /// The off-ramp does not hold to it after this.
    pub expires_at: UnixMillis,
    /// Whether the off-ramp only plays its part.
    pub simulated: bool,
}

/// Whether the wallet can pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Assessment {
    /// It can.
    Ready,
    /// It has enough, but has to shield this much first.
    ShieldRequired {
        /// How much.
        missing: BaseUnits,
    },
    /// It lacks this much.
    Insufficient {
        /// How much.
        missing: BaseUnits,
    },
}

/// What was found when the funds were looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FundsAnswer {
    /// This.
    Found {
        /// What the wallet has.
        balances: Balances,
        /// What the off-ramp asks for.
        requirement: Requirement,
    },
    /// The off-ramp or the chain could not be asked.
    Unavailable {
        /// Why, in a line.
        reason: String,
    },
    /// The off-ramp does not do it.
    Refused {
        /// Why, in a line.
        reason: String,
    },
}

/// Who has to agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consenter {
    /// Whoever holds the run's token.
    RunOwner,
    /// The owner of the mandate, above the amount from which it wants to be asked.
    MandateOwner,
}

/// What somebody is asked to agree to: exactly this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// Counts within the run, from 1.
    pub number: u32,
    /// What the shop gets.
    pub amount: Cents,
    /// What leaves the wallet.
    pub gross: BaseUnits,
    /// Whose wallet.
    pub wallet: String,
    /// SHA-256 over the run, the number and all of the above, target and quote included; see
    /// [`crate::confirmation_digest`].
    pub digest: Digest,
    /// Who is asked.
    pub by: Consenter,
    /// The quote, the target or the off-ramp's word does not hold after this.
    pub expires_at: UnixMillis,
}

/// On what ground a payment was authorized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Basis {
    /// The run's owner has confirmed it.
    UserConfirmation { digest: Digest },
    /// A mandate holds the amount for it. With a confirmation when its owner had to be asked.
    Mandate { mandate: String, reservation: Digest, confirmation: Option<Digest> },
}

/// A mandate that a run spends from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mandate {
    /// Its id: `0x` and 64 hexadecimal digits.
    pub mandate: String,
    /// Its owner: `0x` and 40 hexadecimal digits.
    pub owner: String,
    /// Its agent, for whom the run buys.
    pub agent: String,
}

/// Where a run's hold on its mandate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetState {
    /// It was asked for.
    Requested,
    /// It is held.
    Held,
    /// It is paid.
    Committed,
    /// It went back.
    Released,
}

/// What is held in the mandate for this run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Its name there, made of run and number.
    pub reservation: Digest,
    /// Counts within the run, from 1.
    pub number: u32,
    /// How much, in base units.
    pub amount: BaseUnits,
    /// Whom it is for: `0x` and 40 hexadecimal digits.
    pub recipient: String,
    /// It ends by itself then; far beyond the time in which a payment can settle.
    pub until: UnixMillis,
    /// Whether the mandate's owner has agreed to exactly this.
    pub approved: bool,
    /// Where it stands.
    pub state: BudgetState,
}

/// What the mandate answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetAnswer {
    /// It is held.
    Held,
    /// The mandate's owner has to be asked first.
    NeedsApproval {
        /// The mandate's words.
        reason: String,
    },
    /// A rule forbids it.
    Refused {
        /// The mandate's code of the first rule that it breaks.
        code: String,
        /// The mandate's words.
        reason: String,
    },
}

/// A payment that may now be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorization {
    /// What the shop gets: confirmed, target's and checkout's amount in one.
    pub amount: Cents,
    /// What leaves the wallet.
    pub gross: BaseUnits,
    /// The wallet that was checked and confirmed.
    pub wallet: String,
    /// On what ground.
    pub basis: Basis,
    /// When.
    pub at: UnixMillis,
    /// The wallet is waited for until then. After that its payment is looked for; one that it names before anybody has said
    /// that there is none is taken.
    pub submit_by: UnixMillis,
}

impl Authorization {
    /// A payment that lands on its chain from then on is too late for this run.
    pub const fn lands_by(&self) -> UnixMillis {
        self.submit_by.plus(crate::limits::LANDING)
    }
}

/// A payment that a wallet says it has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The transaction's name on its chain, at most [`crate::limits::SIGNATURE_BYTES`] bytes.
    pub signature: String,
    /// The last block height at which it can still land, if the wallet said so (Solana).
    pub last_valid_block_height: Option<u64>,
}

/// What is known of a payment when somebody looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It has paid what was asked, finally.
    Verified {
        /// Where to find it: slot or block, in words.
        reference: String,
        /// What arrived, in base units.
        received: BaseUnits,
    },
    /// It has not and cannot any more.
    Failed {
        /// A code, such as `reverted` or `wrong_receiver`.
        code: String,
        /// The same in words.
        reason: String,
    },
    /// Nobody can say yet.
    Unknown {
        /// Why, in a line.
        reason: String,
    },
}

/// What a search for a payment that nobody has named came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trace {
    /// There is this one.
    Found(Payment),
    /// There is none, and there cannot be one any more.
    Absent,
    /// Nobody can say yet.
    Unknown {
        /// Why, in a line.
        reason: String,
    },
}

/// Who may use a payment's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// This run: the name is its own from now on.
    Ours,
    /// Another run has used it.
    Elsewhere,
}
