//! Refusals that several operations have are written once.

use serde_json::{Map, Value, json};

/// Moves refusals out of the operations of these paths, and answers with them by their names.
pub(super) fn share(paths: &mut Map<String, Value>) -> Map<String, Value> {
    let mut shared = Map::new();
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for operation in operations {
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (status, response) in responses.into_iter().flatten() {
            let Some(name) = name(status, response) else { continue };
            if shared.get(&name).is_none_or(|other| other == response) {
                let reference = json!({ "$ref": format!("#/components/responses/{name}") });
                shared.insert(name, core::mem::replace(response, reference));
            }
        }
    }
    shared
}

/// The name of a refusal with certain codes, such as `Problem409AlreadyPaidAnd2RunOver`: its first code, how many others
/// there are, and the last of those.
fn name(status: &str, response: &Value) -> Option<String> {
    let codes = response.pointer("/content/application~1problem+json/schema/allOf/1/properties/code/enum")?;
    let [first, others @ ..] = codes.as_array()?.as_slice() else { return None };
    let first = in_words(first.as_str()?);
    let rest = match others.last().and_then(Value::as_str) {
        Some(last) => format!("And{}{}", others.len(), in_words(last)),
        None => String::new(),
    };
    Some(format!("Problem{status}{first}{rest}"))
}

/// A code as a part of a name.
fn in_words(code: &str) -> String {
    let words = code.split('_').map(|word| {
        let (head, tail) = word.split_at_checked(1).unwrap_or_default();
        head.to_uppercase() + tail
    });
    words.collect()
}
