//! What an agent does with a purchase run over MCP: start one, look at it, agree to it, stop it.
//!
//! Above a mandate's threshold no tool agrees: there the mandate's owner signs, and nobody else.

use mcp::{Annotations, Tool};
use serde_json::{Value, json};

use super::mcp_server::object;
use crate::limits;

/// The tool that has something bought.
pub const START_RUN: &str = "start_run";
/// The tool that says where a purchase stands.
pub const GET_RUN: &str = "get_run";
/// The tool that agrees to exactly what is shown.
pub const CONFIRM_RUN: &str = "confirm_run";
/// The tool that stops a purchase.
pub const CANCEL_RUN: &str = "cancel_run";

/// The four, in the order in which an agent needs them.
pub(super) fn tools() -> [Tool; 4] {
    [start(), look(), confirm(), cancel()]
}

fn start() -> Tool {
    Tool {
        name: START_RUN,
        title: "Buy something",
        description: "Starts a purchase: the market is searched, an executor looks at the cheapest shop, and nothing is \
                      paid before it was agreed to. Answers the run and run_token, which the other tools take; keep it \
                      secret. Use one idempotency_key for one purchase: the same again is the same run, and never buys \
                      twice. Everything is simulated so far: no real money moves.",
        input_schema: object(
            &json!({
                "requirement": { "type": "string", "minLength": 1, "maxLength": run::limits::REQUIREMENT_BYTES,
                                 "description": "The product in words; each has to stand in the name of what is bought." },
                "quantity": { "type": "integer", "minimum": 1, "maximum": run::limits::QUANTITY },
                "max_budget_cents": cents("The most that all of it may cost, fees included."),
                "idempotency_key": { "type": "string", "minLength": limits::RUN_KEY_MIN, "maxLength": limits::RUN_KEY_MAX,
                                     "description": "A fresh UUID for each purchase." },
                "executor_id": { "type": "string", "description": "Who looks at the shops. Default: the demo executor, where it is on." },
                "mandate": { "type": "string", "pattern": "^0x[0-9a-fA-F]{64}$",
                             "description": "The mandate to spend from. Its agent signs this HTTP request (ERC-8128)." },
                "wallet": { "type": "string", "enum": ["external", "simulated"], "default": "external" },
            }),
            &["requirement", "quantity", "max_budget_cents", "idempotency_key"],
        ),
        annotations: Annotations { read_only: false, destructive: false, idempotent: true, open_world: true },
    }
}

fn look() -> Tool {
    Tool {
        name: GET_RUN,
        title: "Look at a purchase",
        description: "Says where a purchase stands, what it found, and in nextAction who has to do what. In \
                      USER_CONFIRMATION, payment.confirmation is what confirm_run agrees to.",
        input_schema: object(&named(), &["run_id", "run_token"]),
        annotations: Annotations::READS,
    }
}

fn confirm() -> Tool {
    let mut arguments = named();
    if let Some(arguments) = arguments.as_object_mut() {
        let digest = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$", "description": "payment.confirmation.digest, echoed." });
        arguments.insert("digest".to_owned(), digest);
        arguments.insert("amount_cents".to_owned(), cents("payment.confirmation.amountCents, echoed."));
    }
    Tool {
        name: CONFIRM_RUN,
        title: "Agree to a purchase",
        description: "Agrees to exactly the amount and digest that get_run shows; another digest or amount is refused. \
                      Show your user what is bought first. Where confirmation.by is mandate_owner it is refused: the \
                      owner signs POST /v1/runs/{run}/confirm.",
        input_schema: object(&arguments, &["run_id", "run_token", "digest", "amount_cents"]),
        annotations: Annotations { read_only: false, destructive: true, idempotent: true, open_world: false },
    }
}

fn cancel() -> Tool {
    Tool {
        name: CANCEL_RUN,
        title: "Stop a purchase",
        description: "Stops a purchase that was not paid. Once a payment may be under way it is looked for first, and a \
                      payment that is found goes on.",
        input_schema: object(&named(), &["run_id", "run_token"]),
        annotations: Annotations { read_only: false, destructive: true, idempotent: true, open_world: false },
    }
}

fn named() -> Value {
    json!({
        "run_id": { "type": "string", "pattern": "^run_[a-z2-7]{26}$" },
        "run_token": { "type": "string", "description": "As start_run answered it." },
    })
}

fn cents(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9]+$", "description": format!("{description} BRL cents.") })
}
