//! What routes refuse, as the problem documents that they send.

use httpsig::Refusal as Unsigned;
use mandate::life::{Bound, Progress, Refusal};
use mandate::mirror::{Bound as OfMirror, Refusal as OfContract};
use mandate::{Reason, Refused};
use primitives::Millis;
use session::once;

use crate::caller::{once_refused, unknown};
use crate::inbound;
use crate::outbound::mandate::refused;
use crate::outbound::metering;
use crate::outbound::mirror;
use crate::problem::Problem;
use crate::vouch::Unavailable;

/// Rules of a mandate.
pub(super) fn rules(reasons: &[Reason]) -> Vec<Problem> {
    reasons.iter().map(|reason| refused(&Refused::new(*reason, 0, 0).into())).collect()
}

/// The rules of an authorization: all that come between whether there is a mandate and who may act.
pub(super) fn authorization() -> Vec<Problem> {
    let is_one = |reason: &&Reason| (Reason::PolicyVersion..=Reason::ApprovalSignature).contains(*reason);
    let reasons: Vec<Reason> = Reason::ALL.iter().filter(is_one).copied().collect();
    rules(&reasons)
}

/// What no policy can say.
pub(super) fn policy() -> Vec<Problem> {
    rules(&[
        Reason::EmptyWindow,
        Reason::ZeroCap,
        Reason::ChallengePeriod,
        Reason::ResolutionTimeout,
        Reason::SilenceShare,
        Reason::ResolverIsParty,
    ])
}

/// There are as many as there can be.
pub(super) fn beyond(bounds: &[Bound]) -> Vec<Problem> {
    bounds.iter().map(|bound| refused(&Refusal::Beyond(*bound))).collect()
}

/// There is no such mandate, or the path names none.
pub(super) fn no_mandate() -> Vec<Problem> {
    vec![refused(&Refusal::Unborn), no_such_path()]
}

/// There is no such request, or the path names none.
pub(super) fn no_request() -> Vec<Problem> {
    vec![unknown_request(), no_such_path()]
}

/// There is no such request.
pub(super) fn unknown_request() -> Problem {
    refused(&Refusal::UnknownRequest)
}

/// The path names nothing that could be there.
pub(super) fn no_such_path() -> Problem {
    Problem::new(404, "not_found", "")
}

/// Where a request stands, this is not done with it.
pub(super) fn elsewhere() -> Problem {
    refused(&Refusal::Unavailable(Progress::Escrowed))
}

/// The owner has spoken.
pub(super) fn decided() -> Problem {
    refused(&Refusal::AlreadyDecided)
}

/// The agent's id of a request stands for another one.
pub(super) fn reused() -> Problem {
    refused(&Refusal::RequestIdReused)
}

/// The contract takes a signature for it, and there is none.
pub(super) fn unsigned() -> Problem {
    mirror::refused(&OfContract::Unsigned)
}

/// The signature is longer than any that the contract is sent.
pub(super) fn long_signature() -> Problem {
    mirror::refused(&OfContract::Beyond(OfMirror::Signature))
}

/// The contract keeps the mandate, and only a transaction does this.
pub(super) fn by_contract() -> Problem {
    mirror::to_reserve()
}

/// A body that breaks a rule.
pub(super) fn invalid() -> Problem {
    inbound::invalid(Vec::new())
}

/// A path or query that breaks one.
pub(super) fn malformed() -> Problem {
    inbound::malformed()
}

/// A page of another origin.
pub(super) fn foreign() -> Problem {
    Problem::new(403, "origin_not_allowed", "")
}

/// Whoever asks has not proven who they are.
pub(super) fn caller() -> Vec<Problem> {
    let used = [once::Refusal::Expired, once::Refusal::TooLong, once::Refusal::Reused];
    let unsigned = [
        Unsigned::Missing { header: "signature" },
        Unsigned::TooLong { header: "signature", limit: 0 },
        Unsigned::NoBytes,
        Unsigned::Account,
        Unsigned::Chain(1),
        Unsigned::Algorithm,
        Unsigned::Time,
        Unsigned::NotYet,
        Unsigned::Expired,
        Unsigned::TooLongLived(Millis(0)),
        Unsigned::NonceMissing,
        Unsigned::Nonce,
        Unsigned::NotCovered { component: String::new() },
        Unsigned::Authority,
        Unsigned::DigestMissing,
        Unsigned::DigestMismatch,
        Unsigned::OtherSigner,
    ];
    let unsigned = unsigned.into_iter().map(|refusal| Problem::new(401, refusal.code(), ""));
    let used = used.into_iter().map(|refusal| once_refused(&refusal).0);
    unsigned.chain(used).chain([unknown(), Unavailable::NoChain.problem()]).collect()
}

/// What is said to an API key that opens nothing, or to none.
pub(super) fn key() -> Vec<Problem> {
    use tenant::Refusal as R;
    let refused = [R::InvalidKey, R::WrongEnvironment, R::RevokedKey, R::ExpiredKey, R::ReplacedKey];
    refused.iter().map(metering::tenant_problem).chain([metering::key_missing()]).collect()
}
