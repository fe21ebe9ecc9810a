//! What wallets say of themselves.

use super::Turn;
use crate::refusal::Value;
use crate::rules::is_plain;
use crate::stage::{Consent, Funding, Stage};
use crate::{Fact, Refusal, WalletReport, limits};

impl Turn {
    /// A report that is older than the one that is known changes nothing: it was overtaken.
    pub(super) fn wallet(&mut self, report: WalletReport) -> Result<(), Refusal> {
        self.check_open()?;
        let is_named = |address: &String| is_plain(address, limits::ADDRESS_BYTES);
        if !report.address.as_ref().is_none_or(is_named) {
            return Err(Refusal::Malformed(Value::Wallet));
        }
        let is_old = self.at.since(report.checked_at) > limits::WALLET_REPORT_AGE;
        if is_old || report.checked_at > self.at.plus(limits::CLOCK_SKEW) {
            return Err(Refusal::WalletReportStale);
        }
        if let Some(bill) = self.run.stage.bill() {
            let is_its = report.address.as_ref() == Some(&bill.authorization.wallet);
            return if is_its { Ok(()) } else { self.ignore(report) };
        }
        let known = self.run.wallet.as_ref();
        if known.is_some_and(|known| report.checked_at < known.checked_at) {
            return Ok(());
        }
        if report.address.is_none() {
            return if known.is_some() { self.record(Fact::WalletDisconnected { report }) } else { Ok(()) };
        }
        let is_same_wallet = known.is_some_and(|known| known.address == report.address);
        let says_the_same = known.is_some_and(|known| known.shielded == report.shielded);
        let is_news = match &self.run.stage {
            Stage::Due { step: Funding::WalletRequired, .. } => true,
            // What the wallet has can change without its word: there it is looked at again.
            Stage::Funded { step: Consent::Checked | Consent::ShieldRequired, .. } => true,
            // The payment is being agreed to; what the wallet has will be seen when it pays.
            Stage::Funded { step: Consent::Ready(_) | Consent::Asked(_) | Consent::Confirmed(_), .. } => {
                !is_same_wallet
            }
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { step: Funding::Detected | Funding::WalletConnected(_), .. }
            | Stage::Authorized { .. }
            | Stage::Ended { .. } => !(is_same_wallet && says_the_same),
        };
        if !is_news {
            return Ok(());
        }
        if self.run.checks >= limits::FUNDS_CHECKS {
            return Err(Refusal::TooManyChecks);
        }
        self.record(Fact::WalletConnected { report })
    }

    /// The payment was signed already, by the wallet that was confirmed.
    fn ignore(&mut self, report: WalletReport) -> Result<(), Refusal> {
        if self.run.signals >= limits::SIGNALS {
            return Ok(());
        }
        self.record(Fact::WalletIgnored { address: report.address })
    }
}
