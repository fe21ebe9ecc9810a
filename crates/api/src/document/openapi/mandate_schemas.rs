//! Schemas of mandates: those of bodies as they are read, those of answers as they are written.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::kinds::{kinds, name_kinds};
use super::parts::schema;
use super::schemas::mention;
use crate::wire;

/// What travels in an exchange with a real deployment, by the name of its schema.
const EXAMPLES: &str = include_str!("../../../documents/mandate_examples.json");

/// Every schema by its name.
pub(super) fn schemas(settings: &SchemaSettings) -> Map<String, Value> {
    let mut all = bodies(settings.clone().into_generator());
    all.extend(answers(settings.clone().for_serialize().into_generator()));
    name_kinds(&mut all);
    let progress: Vec<&str> = words(all.get("Progress"));
    let kinds = kinds(&progress).map(|(name, kind)| (name.to_owned(), kind));
    all.extend(kinds);
    all.insert("TypedData".to_owned(), typed_data());
    let either = json!([{ "required": ["request"] }, { "required": ["recipient", "service", "amount"] }]);
    add(&mut all, "Ask", "oneOf", either);
    for (name, example) in examples() {
        add(&mut all, &name, "examples", json!([example]));
    }
    all
}

fn examples() -> Map<String, Value> {
    serde_json::from_str(EXAMPLES).unwrap_or_default()
}

fn bodies(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::CreateMandate>(&mut generator);
    mention::<wire::Adopt>(&mut generator);
    mention::<wire::RecordBody>(&mut generator);
    mention::<wire::Amend>(&mut generator);
    mention::<wire::Amount>(&mut generator);
    mention::<wire::Ask>(&mut generator);
    mention::<wire::RequestBody>(&mut generator);
    mention::<wire::EmptyBody>(&mut generator);
    mention::<wire::ApproveBody>(&mut generator);
    mention::<wire::RejectBody>(&mut generator);
    mention::<wire::SignatureBody>(&mut generator);
    mention::<wire::CancelBody>(&mut generator);
    mention::<wire::DeliverBody>(&mut generator);
    mention::<wire::DisputeBody>(&mut generator);
    mention::<wire::TotalBody>(&mut generator);
    mention::<wire::ResolveBody>(&mut generator);
    mention::<wire::Decide>(&mut generator);
    mention::<wire::AgentBody>(&mut generator);
    mention::<wire::DraftBody>(&mut generator);
    mention::<wire::DraftPatch>(&mut generator);
    generator.take_definitions(true)
}

fn answers(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::StatusReport>(&mut generator);
    mention::<wire::Mandate>(&mut generator);
    mention::<wire::MandatesAnswer>(&mut generator);
    mention::<wire::EntriesAnswer>(&mut generator);
    mention::<wire::BudgetAnswer>(&mut generator);
    mention::<wire::Evaluation>(&mut generator);
    mention::<wire::Payment>(&mut generator);
    mention::<wire::RequestsAnswer>(&mut generator);
    mention::<wire::PaymentsAnswer>(&mut generator);
    mention::<wire::ApprovalItem>(&mut generator);
    mention::<wire::ApprovalsAnswer>(&mut generator);
    mention::<wire::ActivityAnswer>(&mut generator);
    mention::<wire::AgentAnswer>(&mut generator);
    mention::<wire::AgentsAnswer>(&mut generator);
    mention::<wire::DraftAnswer>(&mut generator);
    mention::<wire::DraftsAnswer>(&mut generator);
    generator.take_definitions(true)
}

fn add(schemas: &mut Map<String, Value>, name: &str, keyword: &str, value: Value) {
    if let Some(schema) = schemas.get_mut(name).and_then(Value::as_object_mut) {
        schema.insert(keyword.to_owned(), value);
    }
}

/// The words of an enum, each of which has a description and so a schema of its own.
fn words(schema: Option<&Value>) -> Vec<&str> {
    let each = schema.and_then(|schema| schema.get("oneOf")).and_then(Value::as_array).into_iter().flatten();
    each.filter_map(|word| word.get("const").and_then(Value::as_str)).collect()
}

fn typed_data() -> Value {
    json!({
        "type": "object",
        "description": "The second argument of `eth_signTypedData_v4` (EIP-712).",
        "required": ["types", "primaryType", "domain", "message"],
        "properties": {
            "types": { "type": "object" },
            "primaryType": { "type": "string" },
            "domain": schema("Eip712Domain"),
            "message": { "type": "object" },
        },
    })
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[test]
    fn what_is_read_and_what_is_written_under_one_name_is_the_same() {
        let settings = SchemaSettings::draft2020_12;
        let written = answers(settings().for_serialize().into_generator());
        for (name, schema) in bodies(settings().into_generator()) {
            assert!(written.get(&name).is_none_or(|written| *written == schema), "{name} are two");
            assert!(kinds(&[]).iter().all(|(kind, _)| *kind != name), "{name} is a kind");
        }
        assert!(kinds(&[]).iter().all(|(kind, _)| !written.contains_key(*kind)));
    }

    /// Reads an example, and is left with the others.
    fn is<T: DeserializeOwned + Serialize>(examples: &mut Map<String, Value>, name: &str) {
        let example = examples.remove(name).unwrap_or_else(|| panic!("there is no {name}"));
        let read: T =
            serde_json::from_value(example.clone()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        same(name, &example, &serde_json::to_value(read).unwrap());
    }

    /// What was read may have more: what is absent has a meaning.
    fn same(place: &str, example: &Value, read: &Value) {
        match (example, read) {
            (Value::Object(fields), Value::Object(_)) => {
                fields
                    .iter()
                    .for_each(|(field, value)| same(&format!("{place}.{field}"), value, &read[field]));
            }
            (Value::Array(items), Value::Array(all)) if items.len() == all.len() => {
                items.iter().zip(all).for_each(|(item, read)| same(place, item, read));
            }
            (_, _) => assert_eq!(example, read, "{place}"),
        }
    }

    #[test]
    fn every_example_is_read_and_written_as_it_stands() {
        let mut examples = examples();
        let all = schemas(&SchemaSettings::draft2020_12());
        assert!(examples.keys().all(|name| all.contains_key(name)));
        is::<wire::CreateMandate>(&mut examples, "CreateMandate");
        is::<wire::Adopt>(&mut examples, "Adopt");
        is::<wire::RecordBody>(&mut examples, "RecordBody");
        is::<wire::Amend>(&mut examples, "Amend");
        is::<wire::Amount>(&mut examples, "Amount");
        is::<wire::Ask>(&mut examples, "Ask");
        is::<wire::RequestBody>(&mut examples, "RequestBody");
        is::<wire::ApproveBody>(&mut examples, "ApproveBody");
        is::<wire::RejectBody>(&mut examples, "RejectBody");
        is::<wire::DeliverBody>(&mut examples, "DeliverBody");
        is::<wire::DisputeBody>(&mut examples, "DisputeBody");
        is::<wire::TotalBody>(&mut examples, "TotalBody");
        is::<wire::ResolveBody>(&mut examples, "ResolveBody");
        is::<wire::Decide>(&mut examples, "Decide");
        is::<wire::AgentBody>(&mut examples, "AgentBody");
        is::<wire::DraftBody>(&mut examples, "DraftBody");
        is::<wire::DraftPatch>(&mut examples, "DraftPatch");
        is::<wire::StatusReport>(&mut examples, "StatusReport");
        is::<wire::Mandate>(&mut examples, "Mandate");
        is::<wire::EntriesAnswer>(&mut examples, "EntriesAnswer");
        is::<wire::BudgetAnswer>(&mut examples, "BudgetAnswer");
        is::<wire::Evaluation>(&mut examples, "Evaluation");
        is::<wire::Payment>(&mut examples, "Payment");
        is::<wire::ApprovalItem>(&mut examples, "ApprovalItem");
        is::<wire::ActivityAnswer>(&mut examples, "ActivityAnswer");
        is::<wire::AgentAnswer>(&mut examples, "AgentAnswer");
        is::<wire::DraftAnswer>(&mut examples, "DraftAnswer");
        assert!(examples.is_empty(), "nobody reads {:?}", examples.keys());
    }
}
