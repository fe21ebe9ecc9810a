//! Every check there is, cheap ones first, up to the first that fails.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::contracts::Kept;
use crate::dev::Settlement;
use crate::fault::Fault;
use crate::progress::Progress;
use crate::setup::Tools;
use crate::workspace::Workspace;
use crate::{build, contracts, dev, process, setup, tidy};

/// A module travels compressed; the platform takes three times ten to the sixth bytes on its smallest plan. What this leaves
/// is for what is not written yet.
const MODULE_BYTES_MAX: usize = 2_950_000;
/// Away from the port of `cargo xtask dev`, so that a running stack does not disturb the checks.
const DEMONSTRATION_PORT: u16 = 8797;
/// What cargo looks at in every step: all features too, since the documents that are made from the wire types are behind one,
/// with the tests that hold the committed ones against them.
const EVERYTHING: [&str; 3] = ["--workspace", "--all-features", "--quiet"];
/// The configurations of each Worker; the first is the top level.
const ENVIRONMENTS: [Option<&str>; 3] = [None, Some("development"), Some("production")];

/// Runs every check.
///
/// # Errors
/// The first check that fails, with what to do about it.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Fault> {
    let mut progress = Progress::of(12);
    let (tools, python) = progress.step("set-up", "The message above names what is missing.", || {
        setup::lints()?;
        setup::everything_to_check(workspace)
    })?;
    words(workspace, &mut progress)?;
    // The last pass over a Worker is one thread's work for minutes, and so is compiling the contracts: the other processors
    // check meanwhile.
    thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let built = build::workers(workspace, &tools);
            Ok((built, contracts::run(workspace, &tools.node, Kept::Check)))
        });
        code(workspace, &mut progress)?;
        let (built, checked) = setup::finished(beside)?;
        progress.step("build the Workers", "The compiler's message above says where.", || built)?;
        progress.step("contracts", "Run it alone: cargo xtask contracts", || checked)
    })?;
    modules(workspace, &tools, &mut progress)?;
    whole_system(workspace, &tools, &python, &mut progress)?;
    println!("\nAll checks passed.");
    Ok(())
}

/// What can be said about the code without compiling it.
fn words(workspace: &Workspace, progress: &mut Progress) -> Result<(), Fault> {
    progress.step("format", "Run: cargo fmt", || cargo(workspace, &["fmt", "--all", "--check"]))?;
    progress.step("tidy", "Each line above names a file and what to change.", || tidy::run(workspace))
}

/// What can be said about the code without running a Worker. Nothing in it depends on what it is compiled to, so one pass
/// of clippy sees all.
fn code(workspace: &Workspace, progress: &mut Progress) -> Result<(), Fault> {
    progress.step("clippy", "Change the code at each line above.", || {
        cargo(
            workspace,
            &[&["clippy"], &EVERYTHING[..], &["--all-targets", "--", "--deny", "warnings"]].concat(),
        )
    })?;
    progress.step("cargo test", "Run the failing one alone: cargo test -p <crate> <name>", || {
        cargo(workspace, &[&["test"], &EVERYTHING[..]].concat())
    })?;
    progress.step("documentation", "Change the link or the words at each line above.", || {
        let mut command = process::cargo(&workspace.root);
        command.arg("doc").args(EVERYTHING).args(["--no-deps", "--document-private-items"]);
        // Private items are documented too here, so a link to one leads somewhere.
        process::run(command.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links"))
    })
}

/// What is deployed: that it is small, and is accepted by wrangler for every environment.
fn modules(workspace: &Workspace, tools: &Tools, progress: &mut Progress) -> Result<(), Fault> {
    progress.step(
        "module size",
        "Find what grew: cargo tree -p edge; a new dependency is the usual cause.",
        || build::WORKERS.iter().try_for_each(|(_, folder)| small_enough(&workspace.root.join(folder))),
    )?;
    progress.step("deploy, dry run", "wrangler's message above names the setting.", || {
        for (package, folder) in build::WORKERS {
            for environment in ENVIRONMENTS {
                dry_run(workspace, tools, package, folder, environment)?;
            }
        }
        Ok(())
    })
}

/// The built Workers inside the runtime, and the demonstration that a newcomer sees.
fn whole_system(
    workspace: &Workspace,
    tools: &Tools,
    python: &Path,
    progress: &mut Progress,
) -> Result<(), Fault> {
    progress.step(
        "whole system",
        "Run one file alone: cargo xtask build && node --test tests/e2e/<file>",
        || {
            let files = test_files(&workspace.root.join("tests/e2e"))?;
            process::run(tools.node.tests(workspace, &files).env("GUILDHALL_PYTHON", python))
        },
    )?;
    progress.step("demonstration", "Watch it: cargo xtask dev", || {
        dev::play(workspace, tools, Settlement::Chain, true, DEMONSTRATION_PORT)
    })
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Result<(), Fault> {
    process::run(process::cargo(&workspace.root).args(arguments))
}

fn small_enough(worker: &Path) -> Result<(), Fault> {
    let path = worker.join("build/index_bg.wasm");
    let module = fs::read(&path).map_err(|error| Fault::file("read", &path, &error))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(&module).and_then(|()| encoder.finish());
    let size = compressed.map_err(|error| Fault::file("compress", &path, &error))?.len();
    println!("xtask: {} is {} KB, {} KB compressed", path.display(), module.len() / 1024, size / 1024);
    if size < MODULE_BYTES_MAX {
        return Ok(());
    }
    Err(Fault::new(format!(
        "{} is {size} bytes compressed; at most {MODULE_BYTES_MAX} are allowed",
        path.display()
    )))
}

fn dry_run(
    workspace: &Workspace,
    tools: &Tools,
    package: &str,
    folder: &str,
    environment: Option<&str>,
) -> Result<(), Fault> {
    // The edge's configuration is the product's own and stands at the top.
    let config =
        if package == "edge" { "wrangler.toml".to_owned() } else { format!("{folder}/wrangler.toml") };
    // wrangler would take a relative path from the folder of the configuration.
    let output = workspace.root.join(format!("target/dry-run/{package}-{}", environment.unwrap_or("local")));
    let mut command = tools.node.wrangler(workspace);
    command.args(["deploy", "--dry-run", "--config", &config, "--outdir"]).arg(output);
    // An empty name says "the top level" where leaving it out would be a warning.
    command.args(["--env", environment.unwrap_or_default()]);
    process::run(&mut command)
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let entries = fs::read_dir(folder).map_err(|error| Fault::file("list", folder, &error))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    files.sort();
    if files.is_empty() {
        return Err(Fault::new(format!("{} holds no *.test.mjs", folder.display())));
    }
    Ok(files)
}
