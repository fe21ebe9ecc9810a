//! What is refused before a run is asked.

use primitives::ExecutorId;

use crate::problem::Problem;

/// A ticket opens nothing: it was used, its time is over, or it never was one.
pub fn ticket_used() -> Problem {
    let detail = "This ticket opens nothing: each opens one stream within a minute. Ask for a fresh one.";
    Problem::new(401, "ticket_used", detail)
}

/// A run under a mandate is nobody's who has not signed.
pub fn signature_missing() -> Problem {
    let detail = "A run under a mandate is for its agent or its owner to start. Sign the request (RFC 9421 with \
                  `tag=\"erc8128\"`); to be signed in is not enough.";
    Problem::new(401, "missing_credentials", detail)
}

/// No executor has that id.
pub fn no_such_executor(id: &ExecutorId) -> Problem {
    let detail = format!("There is no executor {id}. Set one up with POST /v1/executors, and name its id.");
    Problem::new(422, "unknown_executor", detail)
}

/// The problem document of a secret that belongs to no executor.
pub fn no_such_secret() -> Problem {
    let detail =
        "No executor has this secret. Register one with POST /v1/executors, and use what it is given.";
    Problem::new(401, "invalid_credentials", detail)
}
