//! The development chain, as a child process, and the facilitator's configuration on it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::time::Duration;

use toml::{Table, Value};

use crate::fault::Fault;
use crate::process;
use crate::setup::Tools;
use crate::workspace::Workspace;

/// Where a chain for development is usually looked for.
const USUAL_PORT: u16 = 8545;
/// As on Base. Without them nothing would become safe or final while nobody pays.
const BLOCK_SECONDS: &str = "2";
/// With the other state of the stack, which has to go when the chain goes.
const STATE: &str = ".wrangler/state";
const FACILITATOR: &str = "workers/facilitator";
/// The public development key of the chain's account 9, which pays for gas.
const RELAYER_KEY: &str = "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6";
/// The public development key of its account 1, which has a million test dollars.
pub(crate) const PAYER_KEY: &str = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

/// How long a chain may take to write down its state.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running chain. Dropping it stops it.
pub(crate) struct Chain {
    child: Child,
    /// It runs until this is closed, thus never longer than this program.
    input: Option<ChildStdin>,
    url: String,
    mandates: String,
}

impl Chain {
    /// Starts a chain where the last one stopped, on the usual port or else on any free one.
    ///
    /// # Errors
    /// When this platform has no anvil, or it does not start; its own words are on the terminal.
    pub(crate) fn start(workspace: &Workspace, tools: &Tools) -> Result<Self, Fault> {
        let folder = workspace.root.join(STATE);
        fs::create_dir_all(&folder).map_err(|error| Fault::file("create", &folder, &error))?;
        let port = TcpListener::bind(("127.0.0.1", USUAL_PORT)).map_or(0, |_| USUAL_PORT);
        let mut command = tools.node.script(&workspace.root.join("tests/chain.mjs"));
        command.args(["--port", &port.to_string(), "--block-time", BLOCK_SECONDS, "--state"]);
        command.arg(folder.join("chain.json")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| Fault::new(format!("cannot start Node.js: {error}")))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut line = String::new();
        // What cannot be read is another line, too.
        let _read = output.map(|output| BufReader::new(output).read_line(&mut line));
        let Some((url, mandates)) = said_ready(&line) else {
            drop(input);
            process::wait_or_kill(&mut child, PATIENCE);
            return Err(Fault::new(
                "the development chain did not start; its words above say why.\n  \
                 With a new one: remove .wrangler/state\n  \
                 Without a chain: cargo xtask dev --simulator",
            ));
        };
        Ok(Self { child, input, url: url.to_owned(), mandates: mandates.to_owned() })
    }

    /// Where it takes JSON-RPC.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Where the contract Mandates stands on it.
    pub(crate) fn mandates(&self) -> &str {
        &self.mandates
    }

    /// Says so when the chain has stopped by itself.
    ///
    /// # Errors
    /// When it has.
    pub(crate) fn check(&mut self) -> Result<(), Fault> {
        match self.child.try_wait() {
            Ok(Some(status)) => Err(Fault::new(format!("the development chain stopped with {status}"))),
            Ok(None) | Err(_) => Ok(()),
        }
    }

    /// Writes a configuration with which the facilitator settles here, and returns where it is. wrangler hands the vars
    /// of its command line to the first Worker only, so that a second one needs a file.
    ///
    /// # Errors
    /// When the facilitator's own configuration cannot be read, or the new one cannot be written.
    pub(crate) fn facilitator_config(&self, workspace: &Workspace) -> Result<PathBuf, Fault> {
        let own = workspace.read(&format!("{FACILITATOR}/wrangler.toml"))?;
        let entry = workspace.root.join(FACILITATOR).join("entry.js");
        let config = settling_on(&self.url, &own, &entry.to_string_lossy())
            .map_err(|error| Fault::new(format!("{FACILITATOR}/wrangler.toml is not TOML: {error}")))?;
        let folder = workspace.root.join(".wrangler/facilitator");
        let path = folder.join("wrangler.toml");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, config))
            .map_err(|error| Fault::file("write", &path, &error))?;
        Ok(path)
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        drop(self.input.take());
        process::wait_or_kill(&mut self.child, PATIENCE);
    }
}

/// The URL of a chain and the address of Mandates on it, from the line by which tests/chain.mjs says that it is up.
fn said_ready(line: &str) -> Option<(&str, &str)> {
    line.trim_end().strip_prefix("ready ")?.split_once(' ')
}

/// The facilitator's configuration for this machine with a chain in it. `entry` is where its code begins.
fn settling_on(rpc: &str, config: &str, entry: &str) -> Result<String, toml::de::Error> {
    let mut config: Table = config.parse()?;
    config.insert("main".to_owned(), entry.into());
    let networks = format!(
        r#"[{{"network":"eip155:84532","rpc":["{rpc}"],"assets":[{{"address":"0x036CbD53842c5426634e7929541eC2318f3dCF7e","name":"USDC","version":"2"}}],"confirmation":"included"}}]"#
    );
    let vars = config.entry("vars").or_insert_with(|| Value::Table(Table::new()));
    if let Some(vars) = vars.as_table_mut() {
        vars.insert("SETTLE_ON".to_owned(), "chain".into());
        vars.insert("NETWORKS".to_owned(), networks.into());
        vars.insert("RELAYER_KEYS".to_owned(), RELAYER_KEY.into());
    }
    Ok(config.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "name = \"f\"\nmain = \"entry.js\"\n[vars]\nENVIRONMENT = \"development\"\n[env.production.vars]\nENVIRONMENT = \"production\"\n";

    #[test]
    fn only_a_chain_with_the_contract_is_up() {
        assert_eq!(said_ready("ready http://127.0.0.1:1 0xAf\n"), Some(("http://127.0.0.1:1", "0xAf")));
        assert_eq!(said_ready("ready http://127.0.0.1:1\n"), None);
        assert_eq!(said_ready(""), None);
    }

    #[test]
    fn the_configuration_is_the_facilitators_own_with_a_chain_in_it() {
        let made: Table = settling_on("http://127.0.0.1:1", OWN, "/x/entry.js").unwrap().parse().unwrap();
        assert_eq!(made["main"].as_str(), Some("/x/entry.js"));
        let vars = made["vars"].as_table().unwrap();
        assert_eq!(vars["ENVIRONMENT"].as_str(), Some("development"));
        assert_eq!(vars["SETTLE_ON"].as_str(), Some("chain"));
        assert!(vars["NETWORKS"].as_str().unwrap().contains(r#""rpc":["http://127.0.0.1:1"]"#));
        let production = &made["env"]["production"]["vars"];
        assert_eq!(production.as_table().map(Table::len), Some(1), "a deployment has no development key");
    }
}
