//! Builds the Workers, and only when something that goes into them changed.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::fault::Fault;
use crate::process;
use crate::setup::Tools;
use crate::workspace::{Workspace, source_folders};

/// Crate and folder of each Worker of the product.
pub(crate) const WORKERS: [(&str, &str); 2] =
    [("edge", "workers/edge"), ("facilitator", "workers/facilitator")];

/// Builds both Workers in release form.
///
/// # Errors
/// When a tool is missing or a crate does not compile.
pub(crate) fn workers(workspace: &Workspace, tools: &Tools) -> Result<(), Fault> {
    for (package, folder) in WORKERS {
        worker(workspace, tools, package, folder)?;
    }
    Ok(())
}

/// Builds one Worker into `<folder>/build`.
///
/// # Errors
/// When a tool is missing or the crate does not compile.
pub(crate) fn worker(workspace: &Workspace, tools: &Tools, package: &str, folder: &str) -> Result<(), Fault> {
    let folder = workspace.root.join(folder);
    let digest = digest(workspace, tools, package)?;
    let stamp = folder.join("build/.guildhall-sources");
    if fs::read_to_string(&stamp).is_ok_and(|built| built == digest)
        && folder.join("build/index.js").is_file()
    {
        println!("xtask: {package} is built already");
        return Ok(());
    }
    println!("xtask: building {package}");
    // A build that fails half-way must not look like the one before it.
    let _absent_is_fine = fs::remove_file(&stamp);
    // worker-build only warns about a wrong path and then downloads, so each path is known to exist here.
    let mut command = std::process::Command::new(&tools.worker_build);
    command.arg("--release").current_dir(&folder);
    command.env("WASM_BINDGEN_BIN", &tools.wasm_bindgen);
    command.env("WASM_OPT_BIN", tools.node.wasm_opt()?);
    command.env("ESBUILD_BIN", tools.node.esbuild()?);
    tools.node.prepend_path(&mut command);
    process::run(&mut command)?;
    fs::write(&stamp, digest).map_err(|error| Fault::file("write", &stamp, &error))
}

/// Names everything that goes into a Worker: its sources and those below it, both lock files, the tools.
fn digest(workspace: &Workspace, tools: &Tools, package: &str) -> Result<String, Fault> {
    let mut files = vec![
        workspace.root.join("Cargo.toml"),
        workspace.root.join("Cargo.lock"),
        workspace.root.join("package-lock.json"),
        workspace.root.join("rust-toolchain.toml"),
    ];
    for folder in source_folders(&workspace.packages()?, package) {
        collect(&folder, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    hash.update(tools.wasm_bindgen.to_string_lossy().as_bytes());
    hash.update(process::first_line("rustc", &["--version"]).unwrap_or_default());
    for file in files {
        let bytes = fs::read(&file).map_err(|error| Fault::file("read", &file, &error))?;
        hash.update(file.to_string_lossy().as_bytes());
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    }
    Ok(hex::encode(hash.finalize()))
}

/// Every file below a crate's folder that cargo may read, in whatever form: code, documents, manifests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let entries = fs::read_dir(folder).map_err(|error| Fault::file("list", folder, &error))?;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() {
            // These are read when a built Worker is started, not when it is built.
            if name != "wrangler.toml" && name != "entry.js" {
                files.push(path);
            }
        } else if !name.starts_with('.')
            && !["build", "target", "tests", "node_modules"].contains(&name.as_str())
        {
            collect(&path, files)?;
        }
    }
    Ok(())
}
