//! Why a request is not answered with what it asked for.

use api::problem::Problem;
use shell::Failure;

/// A no, the caller's or ours.
pub enum Rejection {
    /// The caller's: a problem document, with headers of its own.
    Problem(Box<Problem>, Vec<(&'static str, String)>),
    /// Ours: logged, and answered as unavailable.
    Failure(Failure),
}

impl From<Problem> for Rejection {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem), Vec::new())
    }
}

impl From<Failure> for Rejection {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<worker::Error> for Rejection {
    fn from(error: worker::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<serde_json::Error> for Rejection {
    fn from(error: serde_json::Error) -> Self {
        Self::Failure(error.into())
    }
}
