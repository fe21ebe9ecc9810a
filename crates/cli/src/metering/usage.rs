//! `guildhall usage …`: one function for each command.

use std::{io::Read as _, path::Path};

use client::{
    metering::{ExportFormat, used},
    wire::metering::{EventBody, EventName, UsageBody, UsageStatus},
};

use super::{
    arguments::{Bulk, Export, Format, Record, Reverse, Usage},
    show,
};
use crate::{failure::Failure, keeping, output::Output};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Usage, output: &Output) -> Result<(), Failure> {
    match command {
        Usage::Record(record) => self::record(api, record, output).await,
        Usage::Bulk(bulk) => self::bulk(api, &bulk, output).await,
        Usage::Reverse(reverse) => self::reverse(api, reverse, output).await,
        Usage::Show(pair) => {
            let meter = pair.keyed.metering(api)?.usage(&pair.agent, &pair.service).await?;
            output.say(show::meter(&meter));
            output.give(&meter)
        }
        Usage::Export(Export { format, keyed }) => {
            let format = match format {
                Format::Csv => ExportFormat::Csv,
                Format::Json => ExportFormat::Json,
            };
            output.print(keyed.metering(api)?.export(format).await?.trim_end())
        }
    }
}

async fn record(api: &str, record: Record, output: &Output) -> Result<(), Failure> {
    let Record { pair, quantity, id, source, time } = record;
    let fresh = used(&pair.agent, &pair.service, quantity)?;
    let usage = UsageBody { id: id.or(fresh.id), source, time, ..fresh };
    // Said before anything is sent, so that it is known whatever happens.
    output.say(format_args!("Recording event {}.", usage.id.as_deref().unwrap_or_default()));
    let answer = pair.keyed.metering(api)?.record(&usage).await?;
    let counted = match answer.status {
        UsageStatus::Duplicate => "This event counted before; nothing was added.",
        UsageStatus::Recorded | UsageStatus::Refused => "It counts.",
    };
    output.say(format_args!(
        "{counted} {} of {} are open for {}.",
        answer.total, answer.service_id, answer.agent
    ));
    output.give(&answer)
}

async fn bulk(api: &str, bulk: &Bulk, output: &Output) -> Result<(), Failure> {
    let text = if bulk.file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|why| Failure::Input(format!("the standard input cannot be read: {why}")))?;
        text
    } else {
        keeping::read(&bulk.file, "events")?
    };
    let events: Vec<UsageBody> = serde_json::from_str(&text)
        .map_err(|why| Failure::Input(format!("the events are not an array of events: {why}")))?;
    let answer = bulk.keyed.metering(api)?.record_many(&events).await?;
    for refused in answer.results.iter().filter(|result| result.status == UsageStatus::Refused) {
        output.say(show::refused(refused));
    }
    output.say(format_args!(
        "{} count, {} counted before, {} do not count.",
        answer.recorded, answer.duplicates, answer.refused
    ));
    output.give(&answer)
}

async fn reverse(api: &str, reverse: Reverse, output: &Output) -> Result<(), Failure> {
    let Reverse { pair, event, source } = reverse;
    let event = EventBody { source, id: event };
    let answer = pair.keyed.metering(api)?.reverse(&pair.agent, &pair.service, event).await?;
    let EventName { source, id } = &answer.reverses;
    output.say(format_args!(
        "{} of {} are taken back: event {} of {}.",
        answer.quantity,
        answer.service_id,
        crate::output::printable(id),
        crate::output::printable(source)
    ));
    output.give(&answer)
}
