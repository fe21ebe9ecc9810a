//! The whole product on one machine: both Workers, their storage, a chain, and one real job, one budget, two purchases and
//! two bills played through them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::chain::{Chain, PAYER_KEY};
use crate::fault::Fault;
use crate::progress::now;
use crate::setup::{self, Tools};
use crate::workspace::Workspace;
use crate::{build, process};

/// How long the stack may take to answer: workerd starts in a second, a laptop under load needs more.
const PATIENCE: Duration = Duration::from_secs(60);
/// As often as the cron trigger in wrangler.toml.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(200);

/// Where the facilitator settles.
#[derive(Clone, Copy)]
pub(crate) enum Settlement {
    /// On a chain on this machine.
    Chain,
    /// In its simulator.
    Simulator,
}

/// Builds and starts the stack, plays the demonstration, and keeps the stack up until Ctrl-C, or with
/// `once` stops it.
///
/// # Errors
/// When the port is taken, something does not build or start, or the demonstration deviates.
pub(crate) fn run(workspace: &Workspace, settlement: Settlement, once: bool, port: u16) -> Result<(), Fault> {
    let tools = setup::everything(workspace)?;
    build::workers(workspace, &tools)?;
    play(workspace, &tools, settlement, once, port)
}

/// The same with everything built already.
///
/// # Errors
/// As [`run`].
pub(crate) fn play(
    workspace: &Workspace,
    tools: &Tools,
    settlement: Settlement,
    once: bool,
    port: u16,
) -> Result<(), Fault> {
    require_free(port)?;
    println!("xtask: bringing the local D1 database up to date");
    let mut migrate = tools.node.wrangler(workspace);
    migrate
        .args(["d1", "migrations", "apply", "DB", "--local"])
        .env("CI", "true")
        .env("WRANGLER_LOG", "warn");
    process::run(&mut migrate)?;
    let chain = match settlement {
        Settlement::Chain => Some(Chain::start(workspace, tools)?),
        Settlement::Simulator => None,
    };
    let mut stack = Stack::start(workspace, tools, chain, port)?;
    stack.wait_until_healthy(port)?;
    let url = format!("http://127.0.0.1:{port}");
    println!(
        "xtask: Guildhall answers on {url}; now one real job, one real budget, two purchases in a made-up market, and two bills"
    );
    demonstrate(workspace, settlement, &url)?;
    if once {
        return Ok(());
    }
    println!("\nxtask: the stack stays up for your own agents. Where to look:");
    println!("  {url}/v1/gigs/discover             gigs that wait for a worker");
    println!("  {url}/.well-known/llms.txt         the whole board in words, for an agent");
    println!("  {url}/.well-known/agent-card.json  the same for A2A clients");
    println!("  {url}/mcp                          the MCP endpoint");
    println!("  {url}/v1/status                    what mandates are signed for; README has a budget to try");
    println!("  {url}/v1/openapi.json              every route and body");
    if let Some(chain) = &stack.chain {
        println!("  {:<51}the chain, id 84532; its keys are anvil's public ones", chain.url());
        println!("  {:<51}the contract Mandates on it", chain.mandates());
    }
    println!("  Storage is in .wrangler/state; remove that folder to begin anew. Ctrl-C stops the stack.");
    stack.wait_until_told(port)
}

fn demonstrate(workspace: &Workspace, settlement: Settlement, url: &str) -> Result<(), Fault> {
    let mut demo = process::cargo(&workspace.root);
    demo.args(["run", "--quiet", "--package", "cli", "--", "demo", "--api", url]);
    match settlement {
        // Somebody with money has to pay.
        Settlement::Chain => demo.arg("--pay").env("GUILDHALL_KEY", PAYER_KEY),
        Settlement::Simulator => &mut demo,
    };
    process::run(&mut demo)
}

fn require_free(port: u16) -> Result<(), Fault> {
    TcpListener::bind(("127.0.0.1", port)).map(drop).map_err(|error| {
        Fault::new(format!(
            "port {port} on 127.0.0.1 cannot be used ({error}).\n  \
             Stop the program that listens there, or choose another: cargo xtask dev --port 8788"
        ))
    })
}

/// `wrangler dev` with both Workers, and their chain. Dropping it stops them, the chain last.
struct Stack {
    wrangler: Child,
    chain: Option<Chain>,
    told_to_stop: Arc<AtomicBool>,
}

impl Stack {
    fn start(workspace: &Workspace, tools: &Tools, chain: Option<Chain>, port: u16) -> Result<Self, Fault> {
        let facilitator = match &chain {
            Some(chain) => chain.facilitator_config(workspace)?,
            None => "workers/facilitator/wrangler.toml".into(),
        };
        let mut command = tools.node.wrangler(workspace);
        command.args(["dev", "--config", "wrangler.toml", "--config"]).arg(facilitator);
        command.args([
            "--ip",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--show-interactive-dev-session=false",
        ]);
        // The command line's vars go to the first Worker, which is the edge.
        command.args(["--var", &format!("SITE_ORIGIN:http://127.0.0.1:{port}")]);
        if chain.is_some() {
            command.args(["--var", "FACILITATOR_MODE:binding", "--var", "FACILITATOR_TIMEOUT_MS:20000"]);
        }
        // Any free port: the inspector's usual one may belong to another project.
        command.args(["--inspector-port", "0", "--log-level", "error"]);
        // Without it wrangler asks the internet where this machine stands.
        command.env("CLOUDFLARE_CF_FETCH_ENABLED", "false");
        let told_to_stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&told_to_stop);
        ctrlc::set_handler(move || told.store(true, Ordering::Relaxed))
            .map_err(|error| Fault::new(format!("cannot listen for Ctrl-C: {error}")))?;
        let wrangler =
            command.spawn().map_err(|error| Fault::new(format!("cannot start wrangler: {error}")))?;
        Ok(Self { wrangler, chain, told_to_stop })
    }

    fn wait_until_healthy(&mut self, port: u16) -> Result<(), Fault> {
        let start = now();
        while start.elapsed() < PATIENCE {
            self.check()?;
            if answers_well(port, "/health") {
                return Ok(());
            }
            sleep(PAUSE);
        }
        Err(Fault::new(format!("the stack did not answer on port {port} within {} s", PATIENCE.as_secs())))
    }

    /// Says so when a part has stopped by itself.
    fn check(&mut self) -> Result<(), Fault> {
        if let Ok(Some(status)) = self.wrangler.try_wait() {
            return Err(Fault::new(format!("wrangler stopped with {status}; its output above says why")));
        }
        self.chain.as_mut().map_or(Ok(()), Chain::check)
    }

    /// Waits for Ctrl-C or the end of a part. Meanwhile it plays the part of the cron trigger, which
    /// wrangler leaves out on one machine.
    fn wait_until_told(&mut self, port: u16) -> Result<(), Fault> {
        let mut last_sweep = now();
        while !self.told_to_stop.load(Ordering::Relaxed) {
            self.check()?;
            if last_sweep.elapsed() >= SWEEP_INTERVAL {
                last_sweep = now();
                // A sweep that fails is repeated by the next one.
                let _swept = answers_well(port, "/cdn-cgi/local/scheduled");
            }
            sleep(PAUSE);
        }
        println!("\nxtask: stopping the stack");
        Ok(())
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // A polite end lets wrangler stop the runtime that it started; the standard library only knows the other kind.
        let asked = cfg!(unix) && process::succeeds("kill", &["-TERM", &self.wrangler.id().to_string()]);
        process::wait_or_kill(&mut self.wrangler, Duration::from_secs(if asked { 5 } else { 0 }));
    }
}

/// Whether a path answers 200, asked in the plainest HTTP there is.
fn answers_well(port: u16, path: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        let mut start = [0_u8; 12];
        stream.read_exact(&mut start)?;
        Ok(start.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}
