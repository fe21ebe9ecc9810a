//! The Rust side: the WebAssembly target, and the two programs that make a Worker out of a crate.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::system;
use crate::fault::Fault;
use crate::process;
use crate::workspace::Workspace;

/// The release of worker-build that goes with the `worker` crate of the root manifest.
const WORKER_BUILD_VERSION: &str = "0.8.7";
/// These programs run for seconds: it is their own compilation that has to be quick.
const QUICKLY: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "false"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Makes sure that the toolchain compiles to WebAssembly.
///
/// # Errors
/// When the target is missing and rustup is not there to add it.
pub(crate) fn targets() -> Result<(), Fault> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = process::first_line(&rustc, &["--print", "target-libdir", "--target", WASM_TARGET]);
    if folder.is_some_and(|folder| PathBuf::from(folder).is_dir()) {
        return Ok(());
    }
    println!("xtask: adding the Rust target {WASM_TARGET}");
    process::run(Command::new("rustup").args(["target", "add", WASM_TARGET])).map_err(|fault| {
        Fault::new(format!(
            "{fault}\n  Rust cannot compile to WebAssembly here. Install rustup (https://rustup.rs)"
        ))
    })
}

/// Makes sure that rustfmt and clippy are there.
///
/// # Errors
/// When one is missing and rustup is not there to add it.
pub(crate) fn lints() -> Result<(), Fault> {
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !process::succeeds("cargo", &[probe, "--version"]) {
            println!("xtask: adding {component} to the toolchain");
            process::run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// The wasm-bindgen program of exactly the version in Cargo.lock: its format changes with every release.
///
/// # Errors
/// When it is missing and cannot be compiled.
pub(super) fn wasm_bindgen(workspace: &Workspace) -> Result<PathBuf, Fault> {
    let version = workspace.locked_version("wasm-bindgen")?;
    installed("wasm-bindgen", "wasm-bindgen-cli", &version, "1")
}

/// The worker-build program.
///
/// # Errors
/// When it is missing and cannot be compiled.
pub(super) fn worker_build() -> Result<PathBuf, Fault> {
    if find("worker-build", WORKER_BUILD_VERSION).is_none() {
        system_libraries()?;
    }
    // It does nothing itself but start other programs.
    installed("worker-build", "worker-build", WORKER_BUILD_VERSION, "0")
}

/// Finds a program in its version, or compiles it once into cargo's own bin folder, where it outlives the checkout.
fn installed(program: &str, package: &str, version: &str, opt_level: &str) -> Result<PathBuf, Fault> {
    if let Some(path) = find(program, version) {
        return Ok(path);
    }
    println!("xtask: building {program} {version} once, about 5 minutes of one processor");
    let exact = format!("={version}");
    let install = |locked: &[&str]| {
        // Away from the checkout, so that its cargo configuration does not apply.
        let mut command = process::cargo(&cargo_home());
        command.args(["install", package, "--version", &exact, "--force"]).args(locked);
        command.env_remove("CARGO_TARGET_DIR").envs(QUICKLY);
        process::run(command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level))
    };
    // A registry mirror may lack a release that the package's own lock file names.
    install(&["--locked"]).or_else(|_| install(&[]))?;
    find(program, version).ok_or_else(|| {
        Fault::new(format!(
            "{program} {version} was installed, but {} does not hold it",
            bin_folder().display()
        ))
    })
}

/// A program in cargo's bin folder or on the path, if it says that it is of this version.
fn find(program: &str, version: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(bin_folder()).chain(env::split_paths(&folders));
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|path| {
        let answer = process::first_line(path, &["--version"]);
        path.is_file() && answer.is_some_and(|line| line.split_whitespace().any(|word| word == version))
    })
}

fn bin_folder() -> PathBuf {
    env::var_os("CARGO_INSTALL_ROOT").map_or_else(cargo_home, PathBuf::from).join("bin")
}

fn cargo_home() -> PathBuf {
    env::var_os("CARGO_HOME").map_or_else(|| home().join(".cargo"), PathBuf::from)
}

fn home() -> PathBuf {
    env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from).unwrap_or_default()
}

/// worker-build links against OpenSSL on Linux.
fn system_libraries() -> Result<(), Fault> {
    if !cfg!(target_os = "linux") || process::succeeds("pkg-config", &["--exists", "openssl"]) {
        return Ok(());
    }
    if system::install(&["build-essential", "pkg-config", "libssl-dev"])? {
        return Ok(());
    }
    Err(Fault::new(
        "worker-build needs a C compiler, pkg-config and the OpenSSL headers to compile.\n  \
         Debian, Ubuntu: sudo apt-get install build-essential pkg-config libssl-dev\n  \
         Fedora: sudo dnf install gcc pkgconf openssl-devel\n  Then run the same command again",
    ))
}
