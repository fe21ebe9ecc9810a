//! The contracts: built, tested, analysed and proven, and what others take from them kept in the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::process;
use crate::progress::Progress;
use crate::setup::{self, Node, Packages};
use crate::workspace::Workspace;

const UP_TO_DATE: &str = "If the change is meant, keep it: cargo xtask contracts --write";
/// Where the gas tests leave their figures; foundry.toml names it too.
const GAS: &str = "target/contracts/gas";

/// What happens to a kept file that is not what the contracts say.
#[derive(Clone, Copy)]
pub(crate) enum Kept {
    /// It is a fault.
    Check,
    /// It is written anew.
    Write,
}

/// Builds, tests, analyses and proves the contracts, and compares contracts/artifacts, contracts/snapshots and
/// contracts/gas.json with the result.
///
/// # Errors
/// When a tool is missing, a contract does not compile or is too large, a test or a proof fails, a gas target is missed
/// or a finding of Slither is accepted without a reason, or a kept file is out of date.
pub(crate) fn run(workspace: &Workspace, node: &Node, kept: Kept) -> Result<(), Fault> {
    let forge = Forge::of(workspace, node)?;
    let python = setup::python(workspace, Packages::Contracts)?;
    let mut progress = Progress::of(7);
    progress.step("contracts: format", "Run: forge fmt", || forge.run(&["fmt", "--check"]))?;
    progress
        .step("contracts: build", "The compiler's message above says where.", || forge.run(&["build"]))?;
    progress.step("contracts: artifacts and snapshots", UP_TO_DATE, || forge.kept("artifacts", kept))?;
    progress.step("contracts: tests", "Run one alone: forge test --match-test <name>", || {
        forget_figures(&workspace.root.join(GAS))?;
        forge.run(&["test"])
    })?;
    progress.step("contracts: gas", UP_TO_DATE, || forge.kept("gas", kept))?;
    progress.step("contracts: Slither", "Repair it, or explain it in contracts/slither.json.", || {
        process::run(forge.script("slither").args([python.as_path(), &forge.program]))
    })?;
    progress.step("contracts: proofs", "The counterexample above names the inputs.", || {
        process::run(forge.script("proofs").args([python.as_path(), &forge.program]))
    })
}

/// Changes the contract in every way that a test should notice, one at a time, and lists what no test noticed.
///
/// # Errors
/// When a tool is missing, the tests fail on the contract as it is, or a change survives.
pub(crate) fn mutants(workspace: &Workspace, node: &Node) -> Result<(), Fault> {
    let forge = Forge::of(workspace, node)?;
    process::run(forge.script("mutants").arg(&forge.program))
}

/// forge, and the scripts that go on from what it built.
struct Forge<'a> {
    workspace: &'a Workspace,
    node: &'a Node,
    program: PathBuf,
}

impl<'a> Forge<'a> {
    fn of(workspace: &'a Workspace, node: &'a Node) -> Result<Self, Fault> {
        Ok(Self { workspace, node, program: node.foundry("forge")? })
    }

    fn run(&self, arguments: &[&str]) -> Result<(), Fault> {
        let mut command = Command::new(&self.program);
        self.node.prepend_path(&mut command);
        process::run(command.args(arguments).current_dir(&self.workspace.root))
    }

    /// A command that runs one of contracts/tools.
    fn script(&self, name: &str) -> Command {
        self.node.script(&self.workspace.root.join(format!("contracts/tools/{name}.mjs")))
    }

    fn kept(&self, script: &str, kept: Kept) -> Result<(), Fault> {
        let mut script = self.script(script);
        match kept {
            Kept::Check => process::run(&mut script),
            Kept::Write => process::run(script.arg("--write")),
        }
    }
}

/// Else the figure of a test that is gone would count.
fn forget_figures(folder: &Path) -> Result<(), Fault> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| Fault::file("remove", folder, &error))
}
