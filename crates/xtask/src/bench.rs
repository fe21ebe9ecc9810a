//! Measurements: the built Workers beside floors that do nothing but the platform's part.

use crate::fault::Fault;
use crate::workspace::Workspace;
use crate::{build, process, setup};

/// The crate that the product is compared with.
const FLOOR: (&str, &str) = ("floor", "tests/bench/floor");

/// Builds everything and runs the measurements; the figures land in tests/out/bench.json.
///
/// # Errors
/// When something does not build, or a measurement cannot be taken.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Fault> {
    let tools = setup::everything(workspace)?;
    build::workers(workspace, &tools)?;
    let (package, folder) = FLOOR;
    build::worker(workspace, &tools, package, folder)?;
    process::run(&mut tools.node.script(&workspace.root.join("tests/bench/bench.mjs")))
}
