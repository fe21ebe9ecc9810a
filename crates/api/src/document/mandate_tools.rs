//! What an agent does with a mandate over MCP: look at its budget, ask beforehand, ask for a payment, look at it.
//!
//! No argument of any tool carries an owner's approval: what a model can be talked into stays within what the mandate
//! allows without one.

use mcp::{Annotations, Tool};
use serde_json::{Value, json};

use super::mcp_server::object;
use crate::limits;

/// The tool that says how much may still be spent.
pub const GET_MANDATE_BUDGET: &str = "get_mandate_budget";
/// The tool that says what would become of a payment.
pub const EVALUATE_PAYMENT: &str = "evaluate_payment";
/// The tool that asks for a payment.
pub const REQUEST_PAYMENT: &str = "request_payment";
/// The tool that says where one payment stands.
pub const GET_PAYMENT: &str = "get_payment";

/// The four, in the order in which an agent needs them.
pub(super) fn tools() -> [Tool; 4] {
    [budget(), evaluate(), request(), payment()]
}

fn budget() -> Tool {
    Tool {
        name: GET_MANDATE_BUDGET,
        title: "Look at a budget",
        description: "Says how much an agent may still spend under a mandate, which is a budget that an owner gave \
                      it: what is free, what is left of today, of this month and for life, and above which amount \
                      the owner approves each payment. Name recipient and service to learn what may be paid there. \
                      Amounts are base units of USDC: 1 USDC is 1000000.",
        input_schema: object(
            &json!({ "mandate": mandate(), "recipient": address("Whom to pay."), "service": service() }),
            &["mandate"],
        ),
        annotations: Annotations::READS,
    }
}

fn evaluate() -> Tool {
    Tool {
        name: EVALUATE_PAYMENT,
        title: "Ask before paying",
        description: "Says whether a payment would be allowed, need the owner's approval or be refused, with the \
                      numbers of every rule. Reserves nothing. Answers the completed request and its typedData, \
                      which the agent signs with its own key (EIP-712) for request_payment.",
        input_schema: object(
            &json!({
                "mandate": mandate(),
                "recipient": address("Whom to pay."),
                "service": service(),
                "amount": amount("The most that is paid."),
                "requestId": bytes32("A name of yours for this purchase. Default: a fresh one."),
                "jobHash": bytes32("The hash of the job that is paid for, which binds the payment to it."),
                "deliverBy": time("Until when the recipient must deliver."),
                "validBefore": time("Until when the request can be escrowed."),
            }),
            &["mandate", "recipient", "service", "amount"],
        ),
        annotations: Annotations::READS,
    }
}

fn request() -> Tool {
    Tool {
        name: REQUEST_PAYMENT,
        title: "Ask for a payment",
        description: "Asks for a payment that the agent signed. If the mandate allows it, the amount is escrowed for \
                      the recipient. Above the owner's threshold it waits: give the owner approvalUrl of the answer, \
                      for only the owner can approve. A refusal names every rule that is broken. Call again with the \
                      same request and signature to retry, or once the owner has approved: one request is escrowed \
                      at most once. Sign no second request for a purchase whose first one waits.",
        input_schema: object(
            &json!({
                "request": message(),
                "signature": {
                    "type": "string",
                    "pattern": "^0x([0-9a-fA-F]{2})+$",
                    "description": "The agent's EIP-712 signature of the request.",
                },
                "wait_seconds": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": limits::TOOL_WAIT_SECONDS_MAX,
                    "default": 0,
                    "description": "How long to wait for the owner before answering that it waits.",
                },
            }),
            &["request", "signature"],
        ),
        annotations: Annotations { read_only: false, destructive: true, idempotent: true, open_world: false },
    }
}

fn payment() -> Tool {
    Tool {
        name: GET_PAYMENT,
        title: "Look at one payment",
        description: "Says where one payment stands, from waiting for the owner to settled: its progress, until \
                      when, and what was paid and refunded.",
        input_schema: object(
            &json!({
                "mandate": mandate(),
                "payment": bytes32("The payment's id, or the requestId of its request."),
            }),
            &["mandate", "payment"],
        ),
        annotations: Annotations::READS,
    }
}

/// The EIP-712 message `PaymentRequest`.
fn message() -> Value {
    let seconds = json!({ "type": "integer", "minimum": 0 });
    let members = json!({
        "mandate": mandate(),
        "policyVersion": { "type": "integer", "minimum": 0 },
        "requestId": bytes32("Its name."),
        "token": address("The token."),
        "maxAmount": amount("The most that is paid."),
        "recipient": address("Whom to pay."),
        "service": bytes32("The hash of the service's name."),
        "jobHash": bytes32("The hash of the job."),
        "validAfter": seconds,
        "validBefore": seconds,
        "deliverBy": seconds,
        "captureBy": seconds,
        "refundBy": seconds,
        "terms": terms(),
    });
    let mut message = whole(&members);
    if let Some(fields) = message.as_object_mut() {
        let words = "request of evaluate_payment, exactly as it was signed. Times are Unix seconds.";
        fields.insert("description".to_owned(), json!(words));
    }
    message
}

fn terms() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    whole(&json!({
        "challengePeriod": number,
        "resolutionTimeout": number,
        "silenceBps": number,
        "resolver": address("Who decides disputes; zero for nobody."),
    }))
}

/// An object all of whose members are required.
fn whole(members: &Value) -> Value {
    let names: Vec<&str> = members.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    object(members, &names)
}

fn mandate() -> Value {
    bytes32("The mandate's id.")
}

fn bytes32(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{64}$", "description": description })
}

fn address(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{40}$", "description": description })
}

fn amount(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9]+$", "description": format!("{description} Base units of USDC.") })
}

fn time(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": format!("{description} RFC 3339, UTC.") })
}

fn service() -> Value {
    json!({ "type": "string", "description": "What is paid for: a name of 1 to 64 characters of a-z 0-9 . - /, or its hash." })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every schema inside a schema, itself first.
    fn all(schema: &Value) -> Vec<&Value> {
        let members = schema["properties"].as_object().into_iter().flatten();
        std::iter::once(schema).chain(members.flat_map(|(_, member)| all(member))).collect()
    }

    #[test]
    fn no_argument_at_any_depth_can_carry_an_approval() {
        for tool in tools() {
            for schema in all(&tool.input_schema) {
                if schema["type"] == json!("object") {
                    assert_eq!(schema["additionalProperties"], json!(false), "{}", tool.name);
                }
                for (name, _) in schema["properties"].as_object().into_iter().flatten() {
                    let name = name.to_lowercase();
                    assert!(
                        !name.contains("approv") && !name.contains("owner"),
                        "{} takes {name}",
                        tool.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_request_of_the_schema_is_that_of_the_wire() {
        let zero = json!(format!("0x{:064}", 0));
        let schema = message();
        let filled = |schema: &Value| -> Value {
            let members = schema["properties"].as_object().unwrap().iter();
            let fill =
                |member: &Value| if member["type"] == json!("integer") { json!(1) } else { zero.clone() };
            members.map(|(name, member)| (name.clone(), fill(member))).collect()
        };
        let mut request = filled(&schema);
        request["terms"] = filled(&terms());
        request["maxAmount"] = json!("1");
        let read: crate::wire::PaymentRequest = serde_json::from_value(request.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), request);
        for (object, size) in [(&schema, 14), (&terms(), 4)] {
            assert_eq!(object["required"].as_array().unwrap().len(), size);
            assert_eq!(object["properties"].as_object().unwrap().len(), size);
        }
    }
}
