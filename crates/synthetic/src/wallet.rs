//! The simulated wallet, and what simulated wallets have.

use hex::encode;
use primitives::{BaseUnits, Digest, RunId, UnixMillis};
use run::{Balances, WalletReport};

/// What anybody can see of any simulated wallet, in base units of USDC: 1,000 USDC.
pub const PUBLIC_USDC: BaseUnits = BaseUnits(1_000_000_000);
/// What it has of the network's own money, in its smallest unit: one SOL, in lamports.
pub const NATIVE: BaseUnits = BaseUnits(1_000_000_000);
/// What the simulated wallet says that it can spend privately: more than any purchase costs.
const SHIELDED: BaseUnits = BaseUnits(10_000_000_000_000_000);

/// The run's simulated wallet, connected. It can pay whatever is asked.
pub fn wallet(run: &RunId, now: UnixMillis) -> WalletReport {
    let digest = Digest::of(&[b"guildhall simulated wallet v1\0", run.as_str().as_bytes()]);
    let address = format!("sim_wallet_{}", encode(digest.0.split_at(20).0));
    WalletReport { address: Some(address), shielded: Some(SHIELDED), checked_at: now }
}

/// What a wallet has where no chain is asked: [`PUBLIC_USDC`], and what it says that it can spend privately.
pub const fn balances(report: &WalletReport) -> Balances {
    Balances { public: Some(PUBLIC_USDC), shielded: report.shielded }
}
