//! Mandates on a configured chain: deployed once, and verified as often as one likes.

use std::path::Path;

use crate::fault::Fault;
use crate::process;
use crate::setup;
use crate::workspace::Workspace;

const SCRIPT: &str = "contracts/deploy/main.mjs";

/// Deploys to the chain of `RPC_URL` with the key in `DEPLOYER_KEY`, or holds the manifest given against that chain. Both
/// come from the environment, so that neither stands in a list of processes or a shell's history.
///
/// # Errors
/// When the script fails; its own words, on the terminal, say why.
pub(crate) fn run(workspace: &Workspace, manifest: Option<&Path>) -> Result<(), Fault> {
    let mut script = setup::node(workspace)?.script(&workspace.root.join(SCRIPT));
    if let Some(manifest) = manifest {
        script.arg("--verify").arg(manifest);
    }
    process::run(&mut script)
}
