//! Writes the OpenAPI document to the path given, or compares with `--check`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(path) = arguments.next().map(PathBuf::from) else {
        eprintln!("openapi: say where the document is");
        return ExitCode::FAILURE;
    };
    let document = match serde_json::to_string_pretty(&api::document::openapi::openapi()) {
        Ok(text) => text + "\n",
        Err(error) => {
            eprintln!("openapi: the document cannot be written as JSON: {error}");
            return ExitCode::FAILURE;
        }
    };
    if arguments.next().is_some() {
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == document) {
            return ExitCode::SUCCESS;
        }
        eprintln!("openapi: the committed document differs from the wire types");
        return ExitCode::FAILURE;
    }
    match std::fs::write(&path, document) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("openapi: cannot write {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
