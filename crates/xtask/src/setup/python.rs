//! The Python side, for the checks alone: an environment for each list of packages.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sha2::{Digest, Sha256};

use super::system;
use crate::fault::Fault;
use crate::process;
use crate::workspace::Workspace;

/// The oldest Python for which every package of the list is published.
const OLDEST: (u32, u32) = (3, 11);
const PROGRAMS: [&str; 6] = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
/// Prints `3.11`, and fails where Debian keeps the module for environments in a package of its own.
const PROBE: &str = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])";

/// What an environment is for. The two lists hold different releases of the same packages.
#[derive(Clone, Copy)]
pub(crate) enum Packages {
    /// The tests in tests/python.
    Tests,
    /// The analysis of the contracts.
    Contracts,
}

impl Packages {
    /// The list of packages, the folder of the environment, and its size in MB.
    fn places(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::Tests => ("tests/python/requirements.txt", "target/python", 190),
            Self::Contracts => ("contracts/tools/requirements.txt", "target/contracts/python", 300),
        }
    }
}

/// The Python of an environment that holds exactly the packages of a list; made anew when the list changes.
///
/// # Errors
/// When no Python is new enough, or a package cannot be installed.
pub(crate) fn python(workspace: &Workspace, packages: Packages) -> Result<PathBuf, Fault> {
    let (list, folder, size) = packages.places();
    let digest = hex::encode(Sha256::digest(workspace.read(list)?));
    let environment = workspace.root.join(folder);
    let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = environment.join(".guildhall-installed");
    if fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == digest)
        && process::succeeds(&own, &["--version"])
    {
        return Ok(own);
    }
    let base = interpreter()?;
    println!("xtask: installing the packages of {list} ({size} MB once)");
    process::run(Command::new(base).args(["-m", "venv", "--clear"]).arg(&environment))?;
    let mut pip = Command::new(&own);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    process::run(pip.arg("--requirement").arg(workspace.root.join(list)))?;
    fs::write(&stamp, digest).map_err(|error| Fault::file("write", &stamp, &error))?;
    Ok(own)
}

/// A Python that is new enough and makes environments.
fn interpreter() -> Result<&'static str, Fault> {
    if let Some(program) = find() {
        return Ok(program);
    }
    if system::install(&["python3", "python3-venv"])?
        && let Some(program) = find()
    {
        return Ok(program);
    }
    let (major, minor) = OLDEST;
    Err(Fault::new(format!(
        "the checks need Python {major}.{minor} or newer with its venv module.\n  \
         Debian, Ubuntu: sudo apt-get install python3 python3-venv\n  \
         Fedora: sudo dnf install python3\n  macOS: brew install python3\n  Then run the same command again"
    )))
}

fn find() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| {
        process::first_line(program, &["-c", PROBE]).is_some_and(|version| is_new_enough(&version))
    })
}

/// Reads `3.11`.
fn is_new_enough(version: &str) -> bool {
    let numbers = version.split_once('.').map(|(major, minor)| (major.parse::<u32>(), minor.parse::<u32>()));
    matches!(numbers, Some((Ok(major), Ok(minor))) if (major, minor) >= OLDEST)
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn the_oldest_python_is_new_enough_and_the_one_before_is_not() {
        for (version, expected) in
            [("3.11", true), ("3.9", false), ("3.10", false), ("4.0", true), ("2.7", false), ("", false)]
        {
            assert_eq!(is_new_enough(version), expected, "{version}");
        }
    }
}
