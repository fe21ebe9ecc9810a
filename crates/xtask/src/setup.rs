//! Everything that must be on the machine before anything else works, installed once and then skipped.
//!
//! Nothing is downloaded but packages of the cargo, npm and Python registries, each in the version that a
//! lock file, a list or a constant beside this page names.

mod compilers;
mod node;
mod python;
mod system;

use std::path::PathBuf;
use std::thread;

pub(crate) use compilers::{lints, targets};
pub(crate) use node::Node;
pub(crate) use python::{Packages, python};

use crate::fault::Fault;
use crate::workspace::Workspace;

/// Where the tools are that turn Rust into a Worker and run it.
pub(crate) struct Tools {
    /// Node.js, and the packages of package.json.
    pub(crate) node: Node,
    /// Compiles a crate to a Worker bundle.
    pub(crate) worker_build: PathBuf,
    /// Binds the WebAssembly module to JavaScript.
    pub(crate) wasm_bindgen: PathBuf,
}

/// Makes sure that Node.js and the packages of package.json are there, which is enough for the contracts.
///
/// # Errors
/// As [`everything`].
pub(crate) fn node(workspace: &Workspace) -> Result<Node, Fault> {
    Node::set_up(workspace)
}

/// Makes sure that every tool is there.
///
/// # Errors
/// When something is missing that only a person can install; the message names it and says how.
pub(crate) fn everything(workspace: &Workspace) -> Result<Tools, Fault> {
    targets()?;
    // What is downloaded comes while the processors compile.
    thread::scope(|scope| {
        let node = scope.spawn(|| Node::set_up(workspace));
        let wasm_bindgen = scope.spawn(|| compilers::wasm_bindgen(workspace));
        let worker_build = compilers::worker_build()?;
        Ok(Tools { node: finished(node)?, worker_build, wasm_bindgen: finished(wasm_bindgen)? })
    })
}

/// What the checks need besides: the Pythons of the contracts' analysis and of the tests.
///
/// # Errors
/// As [`everything`].
pub(crate) fn everything_to_check(workspace: &Workspace) -> Result<(Tools, PathBuf), Fault> {
    thread::scope(|scope| {
        let pythons = scope.spawn(|| {
            python(workspace, Packages::Contracts)?;
            python(workspace, Packages::Tests)
        });
        let tools = everything(workspace)?;
        Ok((tools, finished(pythons)?))
    })
}

/// What came of work that was done beside other work.
pub(crate) fn finished<T>(work: thread::ScopedJoinHandle<'_, Result<T, Fault>>) -> Result<T, Fault> {
    work.join().unwrap_or_else(|_| Err(Fault::new("a part of the work broke off; its message is above")))
}
