//! Schemas of runs and executors: those of bodies as they are read, those of answers as they are written.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::run_kinds::{Way, kinds, name_kinds};
use super::schemas::mention;
use crate::wire;

/// Every schema by its name.
pub(super) fn schemas(settings: &SchemaSettings) -> Map<String, Value> {
    let mut read = bodies(settings.clone().into_generator());
    name_kinds(&mut read, Way::In);
    let mut written = answers(settings.clone().for_serialize().into_generator());
    name_kinds(&mut written, Way::Out);
    let mut all = read;
    all.extend(written);
    all.extend(kinds().map(|(name, kind)| (name.to_owned(), kind)));
    if let Some(confirm) = all.get_mut("ConfirmBody").and_then(Value::as_object_mut) {
        let either = json!([
            { "required": ["digest", "amountCents"], "not": { "required": ["reject"] } },
            { "required": ["reject"], "properties": { "reject": { "const": true } }, "maxProperties": 1 },
        ]);
        confirm.insert("oneOf".to_owned(), either);
    }
    all
}

fn bodies(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::CreateRun>(&mut generator);
    mention::<wire::WalletBody>(&mut generator);
    mention::<wire::ConfirmBody>(&mut generator);
    mention::<wire::PaymentBody>(&mut generator);
    mention::<wire::RebindBody>(&mut generator);
    mention::<wire::BrowserResult>(&mut generator);
    mention::<wire::Registration>(&mut generator);
    generator.take_definitions(true)
}

fn answers(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::RunCreated>(&mut generator);
    mention::<wire::RunAnswer>(&mut generator);
    mention::<wire::RunHistory>(&mut generator);
    mention::<wire::RunEventsAnswer>(&mut generator);
    mention::<wire::RunFrame>(&mut generator);
    mention::<wire::RunJournalAnswer>(&mut generator);
    mention::<wire::StreamTicket>(&mut generator);
    mention::<wire::ResultAccepted>(&mut generator);
    mention::<wire::ExecutorRegistered>(&mut generator);
    mention::<wire::ExecutorAnswer>(&mut generator);
    mention::<wire::CommandsAnswer>(&mut generator);
    mention::<wire::ExecutorFrame>(&mut generator);
    mention::<wire::BalancesAnswer>(&mut generator);
    mention::<wire::DemoAnswer>(&mut generator);
    let mut all = generator.take_definitions(true);
    // The same type as that of a gig's journal, which is described beside it.
    all.remove("JournalEntry");
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_and_what_is_written_under_one_name_is_the_same() {
        let settings = SchemaSettings::draft2020_12;
        let written = answers(settings().for_serialize().into_generator());
        for (name, schema) in bodies(settings().into_generator()) {
            assert!(written.get(&name).is_none_or(|written| *written == schema), "{name} are two");
        }
        assert!(kinds().iter().all(|(kind, _)| !written.contains_key(*kind)));
    }

    #[test]
    fn every_amount_is_of_a_kind() {
        fn check(place: &str, schema: &Value) {
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_plain = property.get("type").is_some_and(|kind| *kind == "string");
                assert!(!(is_plain && field.ends_with("Cents")), "{place}.{field}");
                check(&format!("{place}.{field}"), property);
            }
            for variant in schema["oneOf"].as_array().into_iter().flatten() {
                check(place, variant);
            }
        }
        let all = schemas(&SchemaSettings::draft2020_12());
        assert!(all.len() > 50, "{}", all.len());
        all.iter().for_each(|(name, schema)| check(name, schema));
    }
}
