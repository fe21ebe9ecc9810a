//! The JavaScript side: the packages of package.json, and a Node.js new enough to run them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::fault::Fault;
use crate::process;
use crate::workspace::Workspace;

/// The oldest Node.js that wrangler and the tests run on (`node:sqlite` without a flag), for machines to which package.json
/// brings none.
const OLDEST: (u32, u32) = (22, 13);
/// Names the lock file that node_modules was installed from.
const STAMP: &str = ".guildhall-installed";

/// Node.js and the folder of its packages.
pub(crate) struct Node {
    program: PathBuf,
    modules: PathBuf,
}

impl Node {
    /// Installs the packages when their lock file changed, and finds a Node.js to run them.
    ///
    /// # Errors
    /// When npm is missing, or no Node.js is new enough.
    pub(super) fn set_up(workspace: &Workspace) -> Result<Self, Fault> {
        let modules = workspace.root.join("node_modules");
        let lock = workspace.read("package-lock.json")? + &workspace.read("package.json")?;
        let digest = hex::encode(Sha256::digest(lock.as_bytes()));
        if fs::read_to_string(modules.join(STAMP)).is_ok_and(|stamp| stamp == digest) {
            return Ok(Self { program: program(&modules)?, modules });
        }
        install(workspace)?;
        let program = program(&modules)?;
        let stamp = modules.join(STAMP);
        fs::write(&stamp, digest).map_err(|error| Fault::file("write", &stamp, &error))?;
        Ok(Self { program, modules })
    }

    /// A command that runs a script with this Node.js, which is also first on the path for what the script starts.
    pub(crate) fn script(&self, script: &Path) -> Command {
        let mut command = Command::new(&self.program);
        self.prepend_path(&mut command);
        command.arg(script).env("WRANGLER_SEND_METRICS", "false").env("NO_UPDATE_NOTIFIER", "1");
        command
    }

    /// A command that runs wrangler.
    pub(crate) fn wrangler(&self, workspace: &Workspace) -> Command {
        let mut command = self.script(&self.modules.join("wrangler/wrangler-dist/cli.js"));
        command.current_dir(&workspace.root);
        command
    }

    /// One program of Foundry, `forge` or `anvil`.
    ///
    /// # Errors
    /// When package.json brings none for this platform, or npm ran under a Node.js that is too old for it.
    pub(crate) fn foundry(&self, program: &str) -> Result<PathBuf, Fault> {
        let platform = platform().replace("x64", "amd64");
        let path = self.modules.join(format!("@foundry-rs/{program}-{platform}/bin/{program}"));
        if path.is_file() {
            return Ok(path);
        }
        Err(Fault::new(format!(
            "{} is missing. package.json brings {program} for Linux and macOS, to npm under Node.js 20 or newer: \
             remove node_modules and run this again",
            path.display()
        )))
    }

    /// A command that runs the tests in the files given, three files at a time: each waits for a runtime most of its time.
    pub(crate) fn tests(&self, workspace: &Workspace, files: &[PathBuf]) -> Command {
        let mut command = Command::new(&self.program);
        self.prepend_path(&mut command);
        command.args(["--test", "--test-concurrency=3", "--test-reporter=spec"]).args(files);
        // Each file loads the same large packages.
        command.env("NODE_COMPILE_CACHE", workspace.root.join("target/node-compile-cache"));
        command.current_dir(&workspace.root).env("WRANGLER_SEND_METRICS", "false");
        command
    }

    /// Puts this Node.js before any other on the path of a command.
    pub(crate) fn prepend_path(&self, command: &mut Command) {
        let own = self.program.parent().map(Path::to_path_buf);
        let others = env::var_os("PATH").unwrap_or_default();
        // A folder with a colon in its name cannot be on a path; the old path then serves.
        let joined = env::join_paths(own.into_iter().chain(env::split_paths(&others)));
        command.env("PATH", joined.unwrap_or(others));
    }

    /// The native esbuild; the script around it would need an installer's permission to run.
    ///
    /// # Errors
    /// When the platform has none in node_modules.
    pub(crate) fn esbuild(&self) -> Result<PathBuf, Fault> {
        let folder = self.modules.join("@esbuild").join(platform());
        let program = if cfg!(windows) { folder.join("esbuild.exe") } else { folder.join("bin/esbuild") };
        existing(program)
    }

    /// binaryen's optimizer.
    ///
    /// # Errors
    /// When it is not in node_modules.
    pub(crate) fn wasm_opt(&self) -> Result<PathBuf, Fault> {
        existing(self.modules.join("binaryen/bin/wasm-opt"))
    }
}

fn install(workspace: &Workspace) -> Result<(), Fault> {
    if !process::succeeds("npm", &["--version"]) {
        return Err(Fault::new(
            "npm is missing. Install Node.js with npm, any version from 20 (https://nodejs.org), and run this again",
        ));
    }
    println!("xtask: installing the packages of package-lock.json (800 MB once)");
    // Installers are not run: every tool here comes as a platform package that needs none.
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    process::run(npm.current_dir(&workspace.root))
}

/// The Node.js that package.json pins where it comes for this platform, else the one on the path.
fn program(modules: &Path) -> Result<PathBuf, Fault> {
    let pinned = modules.join(format!("node-{}/bin/node", platform()));
    if pinned.is_file() {
        return Ok(pinned);
    }
    let version = process::first_line("node", &["--version"]).unwrap_or_default();
    if is_new_enough(&version) {
        return Ok("node".into());
    }
    let (major, minor) = OLDEST;
    Err(Fault::new(format!(
        "package.json brings no Node.js for {}, and the one on the path is {}. Install {major}.{minor} or newer",
        platform(),
        if version.is_empty() { "missing" } else { &version },
    )))
}

/// Reads `v24.21.0`.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST,
        _ => false,
    }
}

/// This machine in npm's words, such as `linux-x64`.
fn platform() -> String {
    let system = match env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let processor = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{processor}")
}

fn existing(path: PathBuf) -> Result<PathBuf, Fault> {
    if path.is_file() {
        return Ok(path);
    }
    Err(Fault::new(format!("{} is missing; remove node_modules and run this again", path.display())))
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn the_oldest_node_is_new_enough_and_the_one_before_is_not() {
        for (version, expected) in
            [("v22.13.0", true), ("v24.21.0", true), ("v22.12.0", false), ("v20.20.2", false), ("", false)]
        {
            assert_eq!(is_new_enough(version), expected, "{version}");
        }
    }
}
