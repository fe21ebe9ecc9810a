//! What the MCP tools of purchase runs take. Null stands for an argument that is left out, as models write it.

use primitives::{Digest, RunId, Secret, SecretKind};
use run::Command;
use serde_json::{Map, Value, json};

use crate::inbound::run::confirmation;
use crate::problem::{FieldFault, Problem};

/// `start_run`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The body of `POST /v1/runs` that it stands for.
    pub body: Value,
    /// Its `Idempotency-Key`.
    pub key: String,
}

/// Reads the arguments of `start_run`.
///
/// # Errors
/// 400 with every fault.
pub fn start(arguments: &Map<String, Value>) -> Result<Start, Problem> {
    let mut arguments = given(arguments);
    let key = arguments.remove("idempotency_key");
    let mut take = |name: &str| arguments.remove(name).unwrap_or_default();
    let mut body = json!({
        "request": {
            "requirement": take("requirement"),
            "quantity": take("quantity"),
            "maxBudgetCents": take("max_budget_cents"),
        },
    });
    for (argument, field) in [("executor_id", "executorId"), ("mandate", "mandate"), ("wallet", "wallet")] {
        if let (Some(value), Some(body)) = (arguments.remove(argument), body.as_object_mut()) {
            body.insert(field.to_owned(), value);
        }
    }
    nothing_else(&arguments)?;
    match key {
        Some(Value::String(key)) => Ok(Start { body, key }),
        Some(_) | None => {
            Err(fault("idempotency_key", "is needed: a text, such as a fresh UUID, for each purchase"))
        }
    }
}

/// Reads the arguments of `get_run` and `cancel_run`: the run, and the digest of its token.
///
/// # Errors
/// 400 with every fault.
pub fn named(arguments: &Map<String, Value>) -> Result<(RunId, Digest), Problem> {
    let mut arguments = given(arguments);
    let named = taken(&mut arguments)?;
    nothing_else(&arguments)?;
    Ok(named)
}

/// Reads the arguments of `confirm_run`.
///
/// # Errors
/// 400 with every fault.
pub fn confirm(arguments: &Map<String, Value>) -> Result<(RunId, Digest, Command), Problem> {
    let mut arguments = given(arguments);
    let (run, token) = taken(&mut arguments)?;
    let (digest, amount) = (arguments.remove("digest"), arguments.remove("amount_cents"));
    nothing_else(&arguments)?;
    let command = confirmation(&json!({ "digest": digest, "amountCents": amount }), None)?;
    Ok((run, token, command))
}

fn given(arguments: &Map<String, Value>) -> Map<String, Value> {
    let given = arguments.iter().filter(|(_, value)| !value.is_null());
    given.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn taken(arguments: &mut Map<String, Value>) -> Result<(RunId, Digest), Problem> {
    let mut text =
        |name| arguments.remove(name).as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let run = text("run_id").parse().map_err(|malformed| fault("run_id", format!("{malformed}")))?;
    let secret = Secret::parse(SecretKind::Run, &text("run_token"));
    let secret = secret.map_err(|_| fault("run_token", "is not a run's token as start_run answered it"))?;
    Ok((run, secret.digest()))
}

fn nothing_else(arguments: &Map<String, Value>) -> Result<(), Problem> {
    arguments.keys().next().map_or(Ok(()), |name| Err(fault(name, "is no argument of this tool")))
}

fn fault(field: &str, message: impl Into<String>) -> Problem {
    let detail = "The arguments do not fit this tool; each fault is named.";
    let fault = FieldFault { field: field.to_owned(), message: message.into() };
    Problem::new(400, "invalid_arguments", detail).with_faults(vec![fault])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn start_run_is_a_post_of_a_run() {
        let arguments = json!({
            "requirement": "coca-cola 2l", "quantity": 2, "max_budget_cents": "3000", "wallet": "simulated",
            "idempotency_key": "4f1c0d9e-7e3b-4b57-9d5e-0a3a2b1c4d5e", "executor_id": null,
        });
        let Start { body, key } = start(&map(arguments)).unwrap();
        assert_eq!(key, "4f1c0d9e-7e3b-4b57-9d5e-0a3a2b1c4d5e");
        let request = json!({ "requirement": "coca-cola 2l", "quantity": 2, "maxBudgetCents": "3000" });
        assert_eq!(body, json!({ "request": request, "wallet": "simulated" }));
    }

    #[test]
    fn every_fault_is_named() {
        let named_fault = |refused: Problem| refused.errors.first().map(|fault| fault.field.clone());
        let token = Secret::from_random(SecretKind::Run, [7; 32]);
        let run = RunId::derive(&[b"a run"]);
        assert_eq!(
            named_fault(start(&map(json!({ "quantity": 1 }))).unwrap_err()).as_deref(),
            Some("idempotency_key")
        );
        for (arguments, field) in [
            (json!({}), "run_id"),
            (json!({ "run_id": run, "run_token": "gld_grant_x" }), "run_token"),
            (json!({ "run_id": run, "run_token": token.reveal(), "approval": true }), "approval"),
        ] {
            assert_eq!(named_fault(named(&map(arguments)).unwrap_err()).as_deref(), Some(field));
        }
        let arguments = json!({ "run_id": run, "run_token": token.reveal() });
        assert_eq!(named(&map(arguments)).unwrap(), (run.clone(), token.digest()));
        let arguments =
            json!({ "run_id": run, "run_token": token.reveal(), "digest": "00", "amount_cents": "1" });
        assert!(confirm(&map(arguments)).is_err());
    }
}
