//! What the texts and numbers of mandates are. Their wire types are plain text; each field is named here by its kind, once
//! for all types that have it.

use mandate::UnixSeconds;
use mandate::life::limits as of_mandate;
use serde_json::{Map, Value, json};

use super::parts::schema;

const HASHES: &[&str] = &[
    "mandate",
    "payment",
    "requestId",
    "salt",
    "jobHash",
    "hash",
    "receipt",
    "evidence",
    "receiptHash",
    "evidenceHash",
    "transaction",
];
const ADDRESSES: &[&str] =
    &["agent", "owner", "token", "recipient", "ledger", "resolver", "verifyingContract", "actor", "provider"];
const AMOUNTS: &[&str] = &[
    "amount",
    "amountMax",
    "approvalAbove",
    "available",
    "balance",
    "dayCap",
    "lifetime",
    "lifetimeCap",
    "maxAmount",
    "monthCap",
    "needsApprovalAbove",
    "paid",
    "paymentCap",
    "perPayment",
    "refunded",
    "reserved",
    "returned",
    "spentInWindow",
    "thisMonth",
    "toProvider",
    "today",
    "total",
    "window",
    "windowCap",
];
const TIMES: &[&str] = &[
    "at",
    "createdAt",
    "deadline",
    "deliverBy",
    "effectiveAt",
    "requestedAt",
    "since",
    "updatedAt",
    "validAfter",
    "validBefore",
    "waitsUntil",
];

/// What was done, in the words of the log.
const ACTIVITIES: [&str; 30] = [
    "create",
    "amend",
    "apply_amendment",
    "cancel_amendment",
    "pause",
    "unpause",
    "revoke",
    "renounce",
    "fund",
    "withdraw",
    "request",
    "cancel",
    "approve",
    "reject",
    "submit",
    "authorize",
    "close",
    "deliver",
    "accept",
    "dispute",
    "capture",
    "claim",
    "void",
    "resolve",
    "time_out",
    "expire",
    "refund",
    "reserve",
    "commit",
    "release",
];
/// What else can come of something than where a payment stands.
const OTHER_RESULTS: [&str; 5] = ["done", "scheduled", "reserved", "committed", "released"];

/// The kinds by their names.
pub(super) fn kinds(progress: &[&str]) -> [(&'static str, Value); 10] {
    let text = |pattern: &str, description: &str, example: &str| json!({ "type": "string", "pattern": pattern, "description": description, "examples": [example] });
    let words = |words: &[&str], description: &str| json!({ "type": "string", "enum": words, "description": description });
    let zeros = "0".repeat(62);
    [
        (
            "Hash",
            text("^0x[0-9a-fA-F]{64}$", "32 bytes; in lower case on the way out.", &format!("0x{zeros}a1")),
        ),
        (
            "Address",
            text(
                "^0x[0-9a-fA-F]{40}$",
                "An address; with the checksum of EIP-55 on the way out, in any case on the way in.",
                "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
            ),
        ),
        ("HashOrNothing", text("^(0x[0-9a-fA-F]{64})?$", "32 bytes; nothing as an empty text.", "")),
        (
            "BaseUnits",
            text("^(0|[1-9][0-9]{0,38})$", "Base units of the token: 1 USDC is 1000000.", "2000000"),
        ),
        (
            "Time",
            json!({ "type": "string", "format": "date-time", "description": "RFC 3339, in UTC with milliseconds on the way out." }),
        ),
        (
            "Seconds",
            json!({ "type": "integer", "minimum": 0, "maximum": UnixSeconds::MAX.0, "description": "Unix seconds, as they are signed." }),
        ),
        (
            "Service",
            text(
                "^([a-z0-9./-]{1,64}|0x[0-9a-fA-F]{64})$",
                "A service's name, or the keccak-256 of one.",
                "text.transform",
            ),
        ),
        (
            "Signature",
            text(
                "^0x([0-9a-fA-F]{2}){1,4096}$",
                "A signature; that of a key has 65 bytes.",
                &format!("0x{}", "00".repeat(65)),
            ),
        ),
        ("ActivityKind", words(&ACTIVITIES, "What was done.")),
        (
            "ActivityResult",
            words(
                &[progress, &OTHER_RESULTS].concat(),
                "What came of it: where the payment stands, how a reservation ended, or another word.",
            ),
        ),
    ]
}

/// Says what each field of these schemas is.
pub(super) fn name_kinds(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut() {
        name_within(name, schema);
    }
}

fn name_within(name: &str, schema: &mut Value) {
    for part in ["oneOf", "anyOf"] {
        let parts = schema.get_mut(part).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| name_within(name, part));
    }
    for (field, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        bound(name, field, property);
        if let Some(kind) = kind_of(name, field, property) {
            refer(property, kind);
        }
    }
}

/// The kind of a field, if it has one of its own.
fn kind_of(name: &str, field: &str, property: &Value) -> Option<&'static str> {
    if is_of_type(property, "integer") {
        return (TIMES.contains(&field) || ["captureBy", "refundBy"].contains(&field)).then_some("Seconds");
    }
    if !is_of_type(property, "string") {
        return None;
    }
    match (name, field) {
        ("DraftBody" | "DraftPatch", "transaction") => Some("HashOrNothing"),
        ("ActivityLine", "kind") => Some("ActivityKind"),
        ("ActivityLine", "result") => Some("ActivityResult"),
        ("Ask" | "EntryBody", "service") => Some("Service"),
        (_, "service") => Some("Hash"),
        (_, "signature") => Some("Signature"),
        (_, field) if HASHES.contains(&field) => Some("Hash"),
        (_, field) if ADDRESSES.contains(&field) => Some("Address"),
        (_, field) if AMOUNTS.contains(&field) => Some("BaseUnits"),
        (_, field) if TIMES.contains(&field) => Some("Time"),
        (_, _) => None,
    }
}

/// Whether a schema is one of this type, perhaps of an absent one.
pub(super) fn is_of_type(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => false,
    }
}

/// Puts a reference in the place of the type. Beside it the field keeps its own words.
pub(super) fn refer(property: &mut Value, kind: &str) {
    let Some(fields) = property.as_object_mut() else { return };
    let is_nullable = fields.get("type").is_some_and(Value::is_array);
    for gone in ["type", "format", "minimum", "maximum"] {
        fields.remove(gone);
    }
    if is_nullable {
        fields.insert("anyOf".to_owned(), json!([schema(kind), { "type": "null" }]));
    } else {
        fields.insert("$ref".to_owned(), json!(format!("#/components/schemas/{kind}")));
    }
}

/// How long a text or a list can be, and how much an amount.
fn bound(name: &str, field: &str, property: &mut Value) {
    let bounds: &[(&str, usize)] = match (name, field) {
        ("CreateMandate", "label") => &[("maxLength", of_mandate::LABEL_BYTES)],
        ("RejectBody" | "Decide", "note") => &[("maxLength", of_mandate::NOTE_BYTES)],
        ("CreateMandate", "entries") => &[("minItems", 1), ("maxItems", of_mandate::ENTRIES)],
        ("Amend", "entries") => &[("maxItems", of_mandate::ENTRIES)],
        ("AgentBody", "name") => &[("minLength", 1), ("maxLength", account::limits::NAME_CHARS_MAX)],
        ("DraftBody" | "DraftPatch", "label") => &[("maxLength", account::limits::LABEL_BYTES_MAX)],
        ("DraftBody" | "DraftPatch", "note") => &[("maxLength", account::limits::NOTE_BYTES_MAX)],
        (_, _) => &[],
    };
    let Some(fields) = property.as_object_mut() else { return };
    fields.extend(bounds.iter().map(|(bound, most)| ((*bound).to_owned(), json!(most))));
}

#[cfg(test)]
mod tests {
    use mandate::life::{Ending, Kind};
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    use super::*;

    /// The words of an enum, as its reader names them when it meets another.
    fn words<T: for<'de> Deserialize<'de> + core::fmt::Debug>() -> Vec<String> {
        let other: StrDeserializer<'_, Error> = "".into_deserializer();
        let complaint = T::deserialize(other).unwrap_err().to_string();
        complaint.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_word_of_the_log_is_known() {
        assert_eq!(words::<Kind>(), ACTIVITIES);
        let [_, _, _, endings @ ..] = OTHER_RESULTS;
        let expected: Vec<String> = words::<Ending>().into_iter().filter(|word| word != "expired").collect();
        assert_eq!(endings.as_slice(), expected);
    }
}
