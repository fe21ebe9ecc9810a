//! The buyer's money: wallet, funds, consent, authorization, settlement.

use serde::{Deserialize, Serialize};

/// The buyer's money in a run, as far as it has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunPayment {
    /// What the wallet said of itself.
    pub wallet: Option<WalletState>,
    /// What it has.
    pub balances: Option<Balances>,
    /// What the off-ramp asks for.
    pub requirement: Option<FundingRequirement>,
    /// Whether the wallet can pay.
    pub assessment: Option<Assessment>,
    /// What somebody is asked to agree to, or has agreed to.
    pub confirmation: Option<RunConfirmation>,
    /// What is held in the mandate.
    pub budget: Option<RunBudget>,
    /// The payment that may be made.
    pub authorization: Option<PaymentAuthorization>,
    /// The name of the transaction that the wallet says it has made.
    pub signature: Option<String>,
    /// Where it can be found on its chain, once it is verified.
    pub settlement: Option<String>,
}

/// What a wallet says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WalletState {
    /// Its address in the form of its chain; null when it is disconnected.
    pub address: Option<String>,
    /// What it can spend privately, by its own word.
    pub shielded_usdc: Option<String>,
    /// When it looked.
    pub checked_at: String,
}

/// What a wallet has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Balances {
    /// What anybody can see, read from the chain; null when it could not be read.
    pub public_usdc: Option<String>,
    /// What it can spend privately, by its own word.
    pub shielded_usdc: Option<String>,
}

/// What the off-ramp asks for: it pays the shop once this has arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FundingRequirement {
    /// What is to be paid in, all fees included.
    pub gross: String,
    /// Of what: a chain (CAIP-2), a slash and the token's address; `simulated/usdc` when nothing moves.
    pub asset: String,
    /// Where to.
    pub pay_to: String,
    /// What the transaction has to name, if the address is not this run's own.
    pub reference: Option<String>,
    /// Whom it is for under a mandate, an address.
    pub recipient: String,
    /// The off-ramp does not hold to it after this.
    pub expires_at: String,
    /// Whether the off-ramp only plays its part.
    pub simulated: bool,
}

/// Whether the wallet can pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Assessment {
    /// It can.
    Ready {},
    /// It has enough, but has to shield this much first.
    ShieldRequired {
        /// How much.
        missing: String,
    },
    /// It lacks this much.
    Insufficient {
        /// How much.
        missing: String,
    },
}

/// Who has to agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Consenter {
    /// Whoever holds the run's token.
    RunOwner,
    /// The owner of the mandate, by a signed request.
    MandateOwner,
}

/// What somebody is asked to agree to: exactly this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunConfirmation {
    /// Counts within the run, from 1.
    pub number: u32,
    /// What the shop gets.
    pub amount_cents: String,
    /// What leaves the wallet.
    pub gross: String,
    /// Whose wallet.
    pub wallet: String,
    /// Over all that is agreed to; a yes repeats it.
    pub digest: String,
    /// Who is asked.
    pub by: Consenter,
    /// No yes is taken after this.
    pub expires_at: String,
}

/// What is held in the mandate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunBudget {
    /// Its name there.
    pub reservation: String,
    /// Counts within the run, from 1.
    pub number: u32,
    /// How much.
    pub amount: String,
    /// Whom it is for, an address.
    pub recipient: String,
    /// It ends by itself then.
    pub until: String,
    /// Whether the mandate's owner has agreed to exactly this.
    pub approved: bool,
    /// Where it stands.
    pub state: RunBudgetState,
}

/// Where a hold stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunBudgetState {
    /// It was asked for.
    Requested,
    /// It is held.
    Held,
    /// It is paid.
    Committed,
    /// It went back.
    Released,
}

/// A payment that may be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentAuthorization {
    /// What the shop gets.
    pub amount_cents: String,
    /// What leaves the wallet.
    pub gross: String,
    /// The wallet that was checked and confirmed.
    pub wallet: String,
    /// On what ground.
    pub basis: AuthorizationBasis,
    /// When.
    pub at: String,
    /// The wallet is waited for until then. A payment that comes later is looked for once.
    pub submit_by: String,
}

/// On what ground a payment was authorized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AuthorizationBasis {
    /// The run's owner has confirmed it.
    UserConfirmation {
        /// What was confirmed.
        digest: String,
    },
    /// A mandate holds the amount for it.
    Mandate {
        /// Which.
        mandate_id: String,
        /// Under which name.
        reservation: String,
        /// What the mandate's owner confirmed, if it had to be asked.
        confirmation: Option<String>,
    },
}
