//! What there is to know before anything is signed.

use mandate::life::{Book, limits};

use super::{Kept, length};
use crate::outbound::mirror::Mirrored;
use crate::settings::{Facilitator, Ledger};
use crate::wire::{Eip712Domain, LimitsReport, StatusReport};

/// What this deployment is to whoever signs. With a contract whose chain is read and written, both custodies are served.
pub fn status_report(facilitator: &Facilitator, ledger: &Ledger, contract: Option<&Ledger>) -> StatusReport {
    let custodies = [Some(Book::CUSTODY), contract.map(|_| Mirrored::CUSTODY)];
    let eip712::Domain { name, version, chain_id, verifying_contract } = ledger.domain();
    StatusReport {
        mode: facilitator.mode().to_owned(),
        chain_id: ledger.chain_id,
        custody: custodies.into_iter().flatten().map(str::to_owned).collect(),
        contract: contract.map(|contract| contract.address.to_string()),
        ledger: ledger.address.to_string(),
        token: ledger.token.to_string(),
        eip712_domain: Eip712Domain {
            name,
            version,
            chain_id,
            verifying_contract: verifying_contract.to_string(),
        },
        limits: LimitsReport {
            entries: length(limits::ENTRIES),
            open: length(limits::OPEN),
            waiting: length(limits::WAITING),
            reservations: length(limits::RESERVATIONS),
            approval_wait_seconds: limits::APPROVAL_WAIT.into(),
            label_bytes: length(limits::LABEL_BYTES),
            note_bytes: length(limits::NOTE_BYTES),
            amount_max: mandate::AMOUNT_MAX.to_string(),
        },
    }
}
