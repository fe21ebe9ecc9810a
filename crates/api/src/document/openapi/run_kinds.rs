//! What the texts and numbers of runs are. Their wire types are plain text; each field is named here by its kind, once for
//! all types that have it.

use run::limits::{
    EVIDENCE_BYTES, ITEMS, LINES, NAME_BYTES, QUANTITY, REASON_BYTES, REQUIREMENT_BYTES, USER_BYTES,
};
use serde_json::{Map, Value, json};

use super::kinds::{is_of_type, refer};
use super::parts::schema;

const TIMES: [&str; 11] = [
    "againAt",
    "at",
    "capturedAt",
    "checkedAt",
    "createdAt",
    "expiresAt",
    "lastSeenAt",
    "observedAt",
    "submitBy",
    "until",
    "updatedAt",
];
const BASE_UNITS: [&str; 7] =
    ["amount", "gross", "missing", "native", "publicUsdc", "received", "shieldedUsdc"];
const DIGESTS: [&str; 4] = ["confirmation", "digest", "payloadDigest", "reservation"];

/// Which way a type travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To us: an amount may be a JSON integer.
    In,
    /// From us: it is a text.
    Out,
}

/// The kinds by their names. Times and base units are those of mandates.
pub(super) fn kinds() -> [(&'static str, Value); 8] {
    let text = |pattern: &str, description: &str, example: &str| json!({ "type": "string", "pattern": pattern, "description": description, "examples": [example] });
    let or_integer = |kind: &str| json!({ "description": "A JSON integer will do, too.", "anyOf": [schema(kind), { "type": "integer", "minimum": 0 }] });
    [
        ("Cents", text("^(0|[1-9][0-9]{0,12})$", "BRL cents, at most 1000000000000.", "2590")),
        ("CentsIn", or_integer("Cents")),
        ("BaseUnitsIn", or_integer("BaseUnits")),
        ("Digest", text("^[0-9a-f]{64}$", "SHA-256.", &"0".repeat(64))),
        ("RunId", text("^run_[a-z2-7]{26}$", "A run.", "run_aaaaaaaaaaaaaaaaaaaaaaaaaa")),
        ("ExecutorId", text("^exe_[a-z2-7]{26}$", "An executor.", "exe_aaaaaaaaaaaaaaaaaaaaaaaaaa")),
        ("CommandId", text("^[A-Za-z0-9._:-]{1,64}$", "A command, within its run.", "cmd_5")),
        (
            "TransactionName",
            text(
                "^([1-9A-HJ-NP-Za-km-z]{64,88}|0x[0-9a-fA-F]{64}|sim_[0-9a-f]{64})$",
                "A transaction: of Solana in base58, of an EVM chain, or a simulated one.",
                &format!("sim_{}", "0".repeat(64)),
            ),
        ),
    ]
}

/// Says what each field of these schemas is.
pub(super) fn name_kinds(schemas: &mut Map<String, Value>, way: Way) {
    for (name, schema) in schemas.iter_mut() {
        name_within(name, schema, way);
    }
}

/// Fields of a type, of its variants, and of what a variant holds under a name of its own.
fn name_within(name: &str, schema: &mut Value, way: Way) {
    for part in ["oneOf", "anyOf"] {
        let parts = schema.get_mut(part).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| name_within(name, part, way));
    }
    for (field, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        name_within(name, property, way);
        bound(name, field, property);
        if let Some(kind) = kind_of(name, field, property, way) {
            refer(property, kind);
        }
    }
}

/// The kind of a field, if it has one of its own.
fn kind_of(name: &str, field: &str, property: &Value, way: Way) -> Option<&'static str> {
    if !is_of_type(property, "string") {
        return None;
    }
    match (name, field) {
        ("RunMandate", "mandate") | ("CreateRun", "mandate") | (_, "mandateId") => Some("Hash"),
        ("RunMandate", "owner" | "agent") | (_, "recipient") => Some("Address"),
        ("Run", "id") | (_, "runId") => Some("RunId"),
        (_, "executorId") => Some("ExecutorId"),
        (_, "commandId") => Some("CommandId"),
        ("PaymentBody", "signature") => Some("TransactionName"),
        (_, field) if DIGESTS.contains(&field) => Some("Digest"),
        (_, field) if TIMES.contains(&field) => Some("Time"),
        (_, field) if field.ends_with("Cents") => Some(if way == Way::In { "CentsIn" } else { "Cents" }),
        (_, field) if BASE_UNITS.contains(&field) => {
            Some(if way == Way::In { "BaseUnitsIn" } else { "BaseUnits" })
        }
        (_, _) => None,
    }
}

/// How long a text or a list can be, and how large a number.
fn bound(name: &str, field: &str, property: &mut Value) {
    let line = |most: usize| vec![("minLength", 1), ("maxLength", most)];
    let bounds = match (name, field) {
        ("PurchaseBody", "requirement") => line(REQUIREMENT_BYTES),
        ("PurchaseBody", "quantity") => vec![("minimum", 1), ("maximum", QUANTITY as usize)],
        ("CreateRun", "userId") => line(USER_BYTES),
        ("Registration", "label") => line(executor::limits::LABEL_CHARS),
        ("BrowserResult", "reason") => line(REASON_BYTES),
        // How a target is known is a word; what a shop says of an order is a text.
        ("BrowserResult", "evidence") if is_of_type(property, "string") => line(EVIDENCE_BYTES),
        ("BrowserResult", "pageRef") => line(NAME_BYTES),
        ("BrowserResult", "payload") => line(pix::limits::CODE_BYTES),
        ("CartBody", "merchantName") | ("ItemBody", "product") | ("LineBody", "name") => line(NAME_BYTES),
        ("CartBody", "items") => vec![("maxItems", ITEMS)],
        ("CartBody", "fees" | "discounts") => vec![("maxItems", LINES)],
        (_, _) => Vec::new(),
    };
    let Some(fields) = property.as_object_mut() else { return };
    fields.extend(bounds.iter().map(|(bound, most)| ((*bound).to_owned(), json!(most))));
}
