//! Running other programs: their output goes through, their failure becomes a sentence.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::fault::Fault;
use crate::progress::now;

/// Runs a program to its end, with its output shown.
///
/// # Errors
/// When it cannot be started or does not end with success.
pub(crate) fn run(command: &mut Command) -> Result<(), Fault> {
    let line = shown(command);
    let status = command.status().map_err(|error| Fault::new(format!("cannot start `{line}`: {error}")))?;
    if status.success() { Ok(()) } else { Err(Fault::new(format!("`{line}` ended with {status}"))) }
}

/// The first line that a program prints, or nothing when it is missing or fails.
pub(crate) fn first_line(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Whether a program runs and ends with success. Its output is not shown.
pub(crate) fn succeeds(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Waits for a program to end by itself, and stops it when it takes too long.
pub(crate) fn wait_or_kill(child: &mut Child, patience: Duration) {
    let start = now();
    while start.elapsed() < patience {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    let _already_gone_is_fine = child.kill();
    let _reaped = child.wait();
}

/// `cargo` of the toolchain that runs this toolbox, in a folder.
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
