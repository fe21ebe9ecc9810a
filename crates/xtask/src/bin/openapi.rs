//! Writes the documents that are made from the wire types into the folder given.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use api::document::{executor_protocol::executor_protocol, openapi::openapi};
use serde_json::Value;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("openapi: say where the documents are");
        return ExitCode::FAILURE;
    };
    let documents = [("openapi.json", openapi()), ("executor_protocol.json", executor_protocol())];
    let outcomes = documents.map(|(name, document)| one(&folder.join(name), &document));
    for outcome in &outcomes {
        if let Err(fault) = outcome {
            eprintln!("openapi: {fault}");
        }
    }
    if outcomes.iter().all(Result::is_ok) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn one(path: &Path, document: &Value) -> Result<(), String> {
    let name = path.display();
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| format!("{name} cannot be written as JSON: {error}"))?;
    std::fs::write(path, text + "\n").map_err(|error| format!("cannot write {name}: {error}"))
}
