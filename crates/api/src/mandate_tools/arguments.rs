//! Arguments as they come, and every fault in them by name. Null stands for an argument that is left out, as models write
//! it.

use eip712::{Address, B256};
use mcp::{ElicitAction, ToolCall};
use primitives::Millis;
use serde_json::{Map, Value};

use crate::inbound;
use crate::inbound::mandate::{Requested, Want, asked, reference, requested};
use crate::limits::TOOL_WAIT_SECONDS_MAX;
use crate::problem::{FieldFault, Problem};
use crate::settings::Ledger;

/// `get_mandate_budget`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The mandate.
    pub mandate: B256,
    /// Whom to pay; zero where that is open.
    pub recipient: Address,
    /// For what; zero where that is open.
    pub service: B256,
}

/// `evaluate_payment`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluate {
    /// The mandate.
    pub mandate: B256,
    /// What is wanted, with recipient, service and amount.
    pub want: Want,
}

/// `request_payment`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestPayment {
    /// The request with the agent's signature.
    pub requested: Requested,
    /// How long to wait for the owner before answering that it waits.
    pub wait: Millis,
    /// What the client's person said to the approval's address; nothing before they were shown it.
    pub action: Option<ElicitAction>,
}

/// `get_payment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The mandate.
    pub mandate: B256,
    /// The payment's id, or the id of its request.
    pub payment: B256,
}

/// Reads the arguments of `get_mandate_budget`.
///
/// # Errors
/// 400 with every fault.
pub fn budget(arguments: &Map<String, Value>) -> Result<Budget, Problem> {
    let mut arguments = arguments.clone();
    let mandate = taken(&mut arguments, "mandate");
    arguments.retain(|name, value| !(value.is_null() && matches!(name.as_str(), "recipient" | "service")));
    let named = texts(&arguments).and_then(|texts| inbound::mandate::budget(texts.into_iter()));
    let (mandate, (recipient, service)) = both(mandate, named)?;
    Ok(Budget { mandate, recipient, service })
}

/// Reads the arguments of `evaluate_payment`.
///
/// # Errors
/// 400 with every fault.
pub fn evaluate(arguments: &Map<String, Value>) -> Result<Evaluate, Problem> {
    let mut arguments = arguments.clone();
    let mandate = taken(&mut arguments, "mandate");
    let want = asked(&Value::Object(arguments)).and_then(|asked| match asked.want {
        Want::Parts { .. } => Ok(asked.want),
        Want::Whole(_) => {
            Err(fault("request", "is no argument of this tool; give recipient, service and amount"))
        }
    });
    let (mandate, want) = both(mandate, want)?;
    Ok(Evaluate { mandate, want })
}

/// Reads a call of `request_payment`.
///
/// A person whom the client can ask is asked before anything is waited for, and the owner gets time once they agreed.
///
/// # Errors
/// 400 with every fault.
pub fn request_payment(call: &ToolCall, ledger: &Ledger) -> Result<RequestPayment, Problem> {
    let mut arguments = call.arguments.clone();
    let seconds = arguments.remove("wait_seconds").filter(|value| !value.is_null());
    let seconds = seconds.map(|value| self::seconds(&value)).transpose();
    let requested =
        requested(&Value::Object(arguments), ledger).and_then(|requested| match requested.signed {
            Some(_) => Ok(requested),
            None => {
                Err(fault("signature", "is missing; let the agent sign the typedData of evaluate_payment"))
            }
        });
    let (seconds, requested) = both(seconds, requested)?;
    let seconds = match call.action {
        None if call.opens_urls => 0,
        None => seconds.unwrap_or(0),
        Some(ElicitAction::Accept) => seconds.unwrap_or(TOOL_WAIT_SECONDS_MAX),
        Some(ElicitAction::Decline | ElicitAction::Cancel) => 0,
    };
    Ok(RequestPayment { requested, wait: Millis::from_seconds(seconds.into()), action: call.action })
}

/// Reads the arguments of `get_payment`.
///
/// # Errors
/// 400 with every fault.
pub fn look(arguments: &Map<String, Value>) -> Result<Look, Problem> {
    let mut arguments = arguments.clone();
    let (mandate, payment) = (taken(&mut arguments, "mandate"), taken(&mut arguments, "payment"));
    let rest = arguments.keys().next().map_or(Ok(()), |name| Err(fault(name, "is no argument of this tool")));
    let ((mandate, payment), ()) = both(both(mandate, payment), rest)?;
    Ok(Look { mandate, payment })
}

/// An id that must be there.
fn taken(arguments: &mut Map<String, Value>, name: &str) -> Result<B256, Problem> {
    reference(name, arguments.remove(name).as_ref().and_then(Value::as_str).unwrap_or_default())
}

/// The arguments, all of which must be texts: a number would be taken for a service of that name.
fn texts(arguments: &Map<String, Value>) -> Result<Vec<(&str, String)>, Problem> {
    arguments
        .iter()
        .map(|(name, value)| {
            let text = value.as_str().ok_or_else(|| fault(name, "must be a text"))?;
            Ok((name.as_str(), text.to_owned()))
        })
        .collect()
}

fn seconds(value: &Value) -> Result<u32, Problem> {
    let seconds = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    seconds.filter(|seconds| *seconds <= TOOL_WAIT_SECONDS_MAX).ok_or_else(|| {
        let words =
            format!("must be a whole number from 0 to {TOOL_WAIT_SECONDS_MAX}; call again to wait longer");
        fault("wait_seconds", words)
    })
}

fn fault(field: &str, message: impl Into<String>) -> Problem {
    refused(vec![FieldFault { field: field.to_owned(), message: message.into() }])
}

/// Both, or the faults of both, said of a tool.
fn both<A, B>(first: Result<A, Problem>, second: Result<B, Problem>) -> Result<(A, B), Problem> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(problem), Ok(_)) | (Ok(_), Err(problem)) => Err(refused(problem.errors)),
        (Err(first), Err(second)) => Err(refused([first.errors, second.errors].concat())),
    }
}

fn refused(errors: Vec<FieldFault>) -> Problem {
    let detail = "The arguments do not fit this tool; each fault is named.";
    Problem::new(400, "invalid_arguments", detail).with_faults(errors)
}
