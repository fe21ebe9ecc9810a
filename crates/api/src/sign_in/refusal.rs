//! Why somebody is not signed in, as problem documents.

use crate::problem::Problem;
use crate::settings::Site;
use crate::vouch::Unavailable;

/// The problem document of a message's refusal.
pub(super) fn message_refused(refusal: &signin::Refusal) -> Problem {
    use signin::Refusal;
    let status = match refusal {
        Refusal::Unreadable(_) | Refusal::Signature => 400,
        Refusal::Scheme(_)
        | Refusal::Domain(_)
        | Refusal::Uri(_)
        | Refusal::Chain { .. }
        | Refusal::Nonce
        | Refusal::Statement
        | Refusal::Resources
        | Refusal::RequestId
        | Refusal::IssuedInFuture
        | Refusal::IssuedLongAgo
        | Refusal::Expired
        | Refusal::NotYet
        | Refusal::OtherSigner => 401,
    };
    Problem::new(status, refusal.code(), refusal.to_string())
}

/// The refusal of a signature of which nobody can say whether it is a contract's. The same message is never worth another
/// try: its nonce is used.
pub(super) fn unknown(why: Unavailable) -> Problem {
    let mut problem = why.problem();
    problem.retryable = false;
    problem.detail.push_str(" Ask for a new nonce first: this one is used.");
    problem
}

/// The refusal of a page of another origin.
pub(super) fn foreign(site: &Site) -> Problem {
    let detail =
        format!("In a browser, only pages of {} may do this; this request came from another.", site.origin);
    Problem::new(403, "origin_not_allowed", detail)
}

/// The problem document of a session's refusal.
pub fn session_refused(refusal: session::Refusal) -> Problem {
    use session::Refusal;
    let status = match refusal {
        Refusal::NonceUnknown | Refusal::NonceUsed | Refusal::NotSignedIn | Refusal::Ended(_) => 401,
        Refusal::TooManyChallenges | Refusal::AlreadySignedIn | Refusal::NameUsed => 409,
    };
    Problem::new(status, refusal.code(), refusal.to_string())
}
