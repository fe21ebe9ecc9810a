//! Bearer tokens of runs and executors, and tickets.

use primitives::{Digest, Secret, SecretKind};

use crate::outbound::run::ticket_used;
use crate::problem::Problem;

/// The digest of the token in the header `Authorization`.
///
/// # Errors
/// 401 when there is none, or it is none of this kind.
pub fn bearer(kind: SecretKind, header: Option<&str>) -> Result<Digest, Problem> {
    let (whose, form) = words(kind);
    let (scheme, token) = header.unwrap_or_default().split_once(' ').unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("bearer") {
        let detail = format!("Send the {whose} as `Authorization: Bearer {form}`.");
        return Err(Problem::new(401, "missing_credentials", detail));
    }
    let secret = Secret::parse(kind, token.trim()).map_err(|_| {
        let detail =
            format!("The bearer token is not a {whose} as it was issued, which looks like `{form}`.");
        Problem::new(401, "invalid_credentials", detail)
    })?;
    Ok(secret.digest())
}

/// The digest of a ticket.
pub(super) fn ticket(text: &str) -> Result<Digest, Problem> {
    let ticket = Secret::parse(SecretKind::Ticket, text).map_err(|_| ticket_used())?;
    Ok(ticket.digest())
}

const fn words(kind: SecretKind) -> (&'static str, &'static str) {
    match kind {
        SecretKind::Run => ("token that came with the run", "gld_run_…"),
        SecretKind::Executor => ("secret that came with the executor", "gld_executor_…"),
        SecretKind::Grant => ("grant", "gld_grant_…"),
        SecretKind::Ticket => ("ticket", "gld_ticket_…"),
        SecretKind::Session => ("session", "gld_session_…"),
    }
}
