//! Simulated payments: they move nothing, and prove themselves by their names.

use primitives::{BaseUnits, Digest, RunId};
use run::{Authorization, Payment, Requirement, Trace, Verdict};

/// The name of the one payment that settles: `sim_` and SHA-256, in hexadecimal, of `guildhall simulated payment v1`, the
/// run, the amount in base units, the wallet and the address that is paid, each but the first after a zero byte. Anybody can
/// compute it, and it is worth nothing.
pub fn signature(run: &RunId, gross: BaseUnits, wallet: &str, pay_to: &str) -> String {
    let gross = gross.to_string();
    let said = ["guildhall simulated payment v1", run.as_str(), &gross, wallet, pay_to].join("\0");
    format!("sim_{}", Digest::of(&[said.as_bytes()]))
}

/// The simulated wallet pays.
pub fn sign(run: &RunId, authorization: &Authorization, requirement: &Requirement) -> Payment {
    let Authorization { gross, wallet, .. } = authorization;
    let signature = signature(run, *gross, wallet, &requirement.pay_to);
    Payment { signature, last_valid_block_height: None }
}

/// Looks at a payment: it has settled, or it is another one.
pub fn settle(
    run: &RunId,
    payment: &Payment,
    authorization: &Authorization,
    requirement: &Requirement,
) -> Verdict {
    if payment.signature == sign(run, authorization, requirement).signature {
        Verdict::Verified { reference: "simulated".to_owned(), received: authorization.gross }
    } else {
        Verdict::Failed {
            code: "wrong_signature".to_owned(),
            reason: "This is no simulated payment of this run, amount, wallet and address.".to_owned(),
        }
    }
}

/// Looks for a payment that nobody has named. There is none: a simulated payment is nowhere until it is submitted.
pub const fn trace() -> Trace {
    Trace::Absent
}
