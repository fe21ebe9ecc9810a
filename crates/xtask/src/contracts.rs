//! The contracts: built and tested with forge, and their artifacts kept in the repository for those who only call them.

use std::process::Command;

use crate::fault::Fault;
use crate::process;
use crate::setup::Node;
use crate::workspace::Workspace;

/// What happens to an artifact that is not what the contracts say.
#[derive(Clone, Copy)]
pub(crate) enum Artifacts {
    /// It is a fault.
    Check,
    /// It is written anew.
    Write,
}

/// Checks the format of the contracts, builds and tests them, and compares contracts/artifacts with the result.
///
/// # Errors
/// When forge is missing, a contract does not compile, a test fails, or an artifact is out of date.
pub(crate) fn run(workspace: &Workspace, node: &Node, artifacts: Artifacts) -> Result<(), Fault> {
    let forge = node.foundry("forge")?;
    for arguments in [["fmt", "--check"].as_slice(), &["test"]] {
        let mut command = Command::new(&forge);
        node.prepend_path(&mut command);
        process::run(command.args(arguments).current_dir(&workspace.root))?;
    }
    let mut script = node.script(&workspace.root.join("contracts/tools/artifacts.mjs"));
    match artifacts {
        Artifacts::Check => process::run(&mut script).map_err(|fault| {
            Fault::new(format!("{fault}\n  Bring them up to date: cargo xtask contracts --write"))
        }),
        Artifacts::Write => process::run(script.arg("--write")),
    }
}
