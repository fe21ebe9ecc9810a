//! The simulated off-ramp: it says what it would take for paying a Pix target, and pays nothing.

use core::fmt;

use primitives::{BaseUnits, Digest, Millis, RunId, UnixMillis};
use run::{Cents, Requirement};

/// What is paid in when nothing moves.
pub const ASSET: &str = "simulated/usdc";
/// The rate, fixed: a USDC buys R$ 5.40.
pub const CENTS_PER_USDC: u64 = 540;
/// The fee on top, in basis points of what is converted: 1 %.
pub const FEE_BPS: u64 = 100;
/// How long its word holds.
pub const OFFER_HOLDS: Millis = Millis::from_minutes(15);
/// Whom it is under a mandate, for every run: the first 20 bytes of SHA-256 of `guildhall simulated off-ramp v1`.
pub const RECIPIENT: &str = "0xb07d11648514dea99b0b5eac6ab7d8db649fc776";

/// Networks whose tokens are worth nothing, by their CAIP-2 names: those of developers, and local ones.
const DEVELOPMENT: [&str; 8] = [
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", // devnet
    "solana:4uhcVJyU9pJkvQyS88uRDiswHScSGkX9", // testnet
    "eip155:31337",                            // anvil, hardhat
    "eip155:1337",                             // geth --dev, ganache
    "eip155:84532",                            // Base Sepolia
    "eip155:11155111",                         // Sepolia
    "eip155:11155420",                         // OP Sepolia
    "eip155:421614",                           // Arbitrum Sepolia
];

/// A simulated off-ramp was asked to take what may be real money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealMoney {
    /// The asset that it was asked to take.
    pub asset: String,
}

impl fmt::Display for RealMoney {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "The off-ramp is simulated and pays nobody, so it takes no {}. Use {ASSET}, or a token of a development network.",
            self.asset
        )
    }
}

impl core::error::Error for RealMoney {}

/// What it asks for so that the shop gets `amount`: `amount / 5.40` in USDC and 1 % of that, rounded up once, at an address
/// of this run's own. `asset` is [`ASSET`], or a token of a development network. Nobody has a key to the address there: what
/// is paid in is lost.
///
/// # Errors
/// [`RealMoney`] when the asset's network is none whose tokens are known to be worth nothing.
pub fn off_ramp(run: &RunId, amount: Cents, asset: &str, now: UnixMillis) -> Result<Requirement, RealMoney> {
    Ok(Requirement {
        gross: gross(amount),
        asset: asset.to_owned(),
        pay_to: deposit(run, asset).ok_or_else(|| RealMoney { asset: asset.to_owned() })?,
        reference: None,
        recipient: RECIPIENT.to_owned(),
        expires_at: now.plus(OFFER_HOLDS),
        simulated: true,
    })
}

fn gross(amount: Cents) -> BaseUnits {
    const BPS: u128 = 10_000;
    const USDC: u128 = 1_000_000;
    let with_fee = u128::from(amount.0).saturating_mul(BPS.saturating_add(FEE_BPS.into()));
    BaseUnits(with_fee.saturating_mul(USDC).div_ceil(BPS.saturating_mul(CENTS_PER_USDC.into())))
}

/// The run's own address, in the form of the asset's network.
fn deposit(run: &RunId, asset: &str) -> Option<String> {
    let digest = Digest::of(&[b"guildhall simulated deposit v1\0", run.as_str().as_bytes()]);
    let short = hex::encode(digest.0.split_at(20).0);
    if asset == ASSET {
        return Some(format!("sim_deposit_{short}"));
    }
    let (network, _) = asset.rsplit_once('/')?;
    DEVELOPMENT.contains(&network).then(|| match network.split_once(':') {
        Some(("solana", _)) => bs58::encode(digest.0).into_string(),
        Some(_) | None => format!("0x{short}"),
    })
}
