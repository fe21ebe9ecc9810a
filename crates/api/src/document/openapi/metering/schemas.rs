//! Schemas of metering: those of bodies as they are read, those of answers as they are written.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use super::kinds::{kinds, name_kinds};
use crate::document::openapi::schemas::mention;
use crate::document::openapi::webhooks;
use crate::wire;

/// Every schema by its name.
pub(in crate::document::openapi) fn schemas(settings: &SchemaSettings) -> Map<String, Value> {
    let mut all = bodies(settings.clone().into_generator());
    all.extend(answers(settings.clone().for_serialize().into_generator()));
    name_kinds(&mut all);
    all.extend(kinds().map(|(name, kind)| (name.to_owned(), kind)));
    all
}

fn bodies(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::OpenTenant>(&mut generator);
    mention::<wire::PauseBody>(&mut generator);
    mention::<wire::NewKey>(&mut generator);
    mention::<wire::RotateKey>(&mut generator);
    mention::<wire::AccountBody>(&mut generator);
    mention::<wire::OfferBody>(&mut generator);
    mention::<wire::NewService>(&mut generator);
    mention::<wire::NewServices>(&mut generator);
    mention::<wire::PriceBody>(&mut generator);
    mention::<wire::MetadataBody>(&mut generator);
    mention::<wire::DisabledBody>(&mut generator);
    mention::<wire::UsageBody>(&mut generator);
    mention::<wire::CloudEvent>(&mut generator);
    mention::<wire::ReverseBody>(&mut generator);
    mention::<wire::PairBody>(&mut generator);
    mention::<wire::PairsBody>(&mut generator);
    mention::<wire::PayFromMandateBody>(&mut generator);
    mention::<wire::TransactionBody>(&mut generator);
    mention::<wire::ReserveBody>(&mut generator);
    mention::<wire::CommitBody>(&mut generator);
    mention::<wire::ConfigBody>(&mut generator);
    mention::<wire::DrainBody>(&mut generator);
    webhooks::bodies(&mut generator);
    generator.take_definitions(true)
}

fn answers(mut generator: SchemaGenerator) -> Map<String, Value> {
    mention::<wire::TenantOpened>(&mut generator);
    mention::<wire::KeysAnswer>(&mut generator);
    mention::<wire::KeyIssued>(&mut generator);
    mention::<wire::AccountView>(&mut generator);
    mention::<wire::ServicesAnswer>(&mut generator);
    mention::<wire::ServicesRegistered>(&mut generator);
    mention::<wire::PricesAnswer>(&mut generator);
    mention::<wire::MetadataView>(&mut generator);
    mention::<wire::UsageAnswer>(&mut generator);
    mention::<wire::BulkAnswer>(&mut generator);
    mention::<wire::ReversalAnswer>(&mut generator);
    mention::<wire::MeterView>(&mut generator);
    mention::<wire::EventsOfMeter>(&mut generator);
    mention::<wire::TotalView>(&mut generator);
    mention::<wire::BillView>(&mut generator);
    mention::<wire::SettlementView>(&mut generator);
    mention::<wire::SettleManyAnswer>(&mut generator);
    mention::<wire::SettlementsAnswer>(&mut generator);
    mention::<wire::ReservationView>(&mut generator);
    mention::<wire::CommitAnswer>(&mut generator);
    mention::<wire::TallyAnswer>(&mut generator);
    mention::<wire::UsedByAgents>(&mut generator);
    mention::<wire::UsedServices>(&mut generator);
    mention::<wire::UsageExport>(&mut generator);
    mention::<wire::BucketsAnswer>(&mut generator);
    mention::<wire::AuditAnswer>(&mut generator);
    mention::<wire::AuditSummary>(&mut generator);
    mention::<wire::ConfigView>(&mut generator);
    mention::<wire::ReadyAnswer>(&mut generator);
    mention::<wire::DeepHealth>(&mut generator);
    mention::<wire::VersionAnswer>(&mut generator);
    mention::<wire::ChangelogAnswer>(&mut generator);
    mention::<wire::StatsAnswer>(&mut generator);
    webhooks::answers(&mut generator);
    generator.take_definitions(true)
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
}
