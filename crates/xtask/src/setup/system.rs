//! Packages of the operating system, on machines where nobody can be asked to install them.

use std::env;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::fault::Fault;
use crate::process;

/// apt-get holds a lock, for which it does not wait.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Installs packages of Debian when this is continuous integration, as root; elsewhere it does nothing and says so with
/// `false`.
///
/// # Errors
/// When apt-get fails.
pub(super) fn install(packages: &[&str]) -> Result<bool, Fault> {
    let may_install =
        env::var_os("CI").is_some() && process::first_line("id", &["-u"]).as_deref() == Some("0");
    if !may_install || !process::succeeds("apt-get", &["--version"]) {
        return Ok(false);
    }
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    println!("xtask: installing {}", packages.join(", "));
    process::run(Command::new("apt-get").arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    process::run(&mut install)?;
    Ok(true)
}
