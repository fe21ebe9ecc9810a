//! A run, a board in a script, and what it says.

use api::{problem::Problem, wire};
use serde_json::{Value, json};

use super::super::{Purchase, Runs};
use crate::{
    Error, Guildhall,
    double::{Asked, Double, Reply},
};

pub(super) const RUN: &str = "run_aaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(super) const EXECUTOR: &str = "exe_aaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(super) const TOKEN: &str = "gld_run_shown_once";

pub(super) fn purchase() -> Purchase {
    Purchase { run: RUN.parse().unwrap(), run_token: TOKEN.to_owned() }
}

/// A run that waits for its owner's yes to R$ 23,50. The digest of its payment code is that of `a code`, and the digest of
/// its confirmation that of the published text; both were made by `sha256sum`.
pub(super) fn run() -> Value {
    serde_json::from_str(include_str!("run.json")).unwrap()
}

/// The run with other values at some places.
pub(super) fn run_with(edits: &[(&str, Value)]) -> wire::Run {
    let mut run = run();
    for (place, value) in edits {
        *run.pointer_mut(place).unwrap() = value.clone();
    }
    serde_json::from_value(run).unwrap()
}

pub(super) fn answer() -> Value {
    json!({
        "run": run(),
        "nextAction": { "actor": "user", "action": "confirm", "message": "Confirm it.", "until": null },
    })
}

pub(super) fn yes(body: &Value) -> Reply {
    Reply::Http { status: 200, headers: Vec::new(), body: body.to_string() }
}

pub(super) fn no(status: u16, code: &str) -> Reply {
    let problem = Problem::new(status, code, "because");
    let headers = vec![("Retry-After", "0".to_owned())];
    Reply::Http { status, headers, body: serde_json::to_string(&problem).unwrap() }
}

/// A board that answers the script.
pub(super) async fn runs(script: Vec<Reply>) -> (Runs, Double) {
    let double = Double::start(script).await;
    (Guildhall::new(&double.url).unwrap().runs(), double)
}

/// The body as JSON.
pub(super) fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

/// The first line without the version.
pub(super) fn line(asked: &Asked) -> String {
    asked.head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned()
}

pub(super) fn bearer(asked: &Asked) -> Option<&str> {
    asked.header("authorization")?.strip_prefix("Bearer ")
}

#[track_caller]
pub(super) fn is_outside<T: core::fmt::Debug>(answer: Result<T, Error>, part: &str) {
    match answer {
        Err(Error::OutsideContract { why, .. }) => assert!(why.contains(part), "{why:?} has no {part:?}"),
        other => panic!("{part}: must be outside the contract: {other:?}"),
    }
}
