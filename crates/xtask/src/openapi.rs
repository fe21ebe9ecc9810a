//! The OpenAPI document and the executors' protocol: made from the wire types, committed, and served as bytes.

use crate::fault::Fault;
use crate::process;
use crate::workspace::Workspace;

/// Writes the documents. A test of `api` fails while the committed ones are stale.
///
/// The work is done by a second program of this package: it needs `api` with its schemas, for which a
/// newcomer's first `cargo xtask` must not wait.
///
/// # Errors
/// When `api` does not build, or a document cannot be written.
pub(crate) fn write(workspace: &Workspace) -> Result<(), Fault> {
    let mut command = process::cargo(&workspace.root);
    command.args(["run", "--quiet", "--package", "xtask", "--features", "openapi", "--bin", "openapi", "--"]);
    command.arg(workspace.root.join("crates/api/documents"));
    process::run(&mut command)
}
