//! How this deployment is set up. Read once per isolate; anything wrong stops every paid route with a clear word.

use std::cell::OnceCell;
use std::rc::Rc;

use api::limits;
use api::paywall::Price;
use primitives::{BaseUnits, Millis};
use worker::Env;

use crate::failure::Failure;

/// Who settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Facilitator {
    /// The bound facilitator Worker. In development its simulator plays the chain.
    Bound,
    /// A facilitator elsewhere, at this https address.
    Remote(String),
}

/// The set-up.
#[derive(Debug, Clone)]
pub struct Config {
    /// The posting of a gig.
    pub price: Price,
    /// Who settles.
    pub facilitator: Facilitator,
    /// `FACILITATOR_MODE`, for the health document.
    pub facilitator_mode: String,
    /// How long the facilitator may take.
    pub facilitator_timeout_ms: u64,
    /// How long a claim waits for its worker.
    pub claim_timeout: Millis,
    /// How long a delivery waits for the buyer.
    pub review_window: Millis,
}

thread_local! {
    static CONFIG: OnceCell<Result<Rc<Config>, String>> = const { OnceCell::new() };
}

/// The set-up of this isolate.
pub fn config(env: &Env) -> Result<Rc<Config>, Failure> {
    CONFIG
        .with(|cell| cell.get_or_init(|| read(&|name| variable(env, name)).map(Rc::new)).clone())
        .map_err(Failure::Configuration)
}

fn variable(env: &Env, name: &str) -> Option<String> {
    // A secret and a variable look the same from here.
    env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty())
}

/// Whether this is production: anything that does not say so is development.
fn is_production(read: &impl Fn(&str) -> Option<String>) -> bool {
    read("ENVIRONMENT").as_deref() == Some("production")
}

/// Whether tests may ask for faults. Never in production.
pub fn hooks_enabled(env: &Env) -> bool {
    let read = |name: &str| variable(env, name);
    !is_production(&read) && read("TEST_HOOKS").as_deref() == Some("enabled")
}

/// Messages and bytes per second that one party may send through a tunnel.
pub fn tunnel_rates(env: &Env) -> (u64, u64) {
    let read = |name: &str| variable(env, name);
    let rate = |name, default| number(&read, name, default, 1, 1_000_000_000).unwrap_or(default);
    (rate("TUNNEL_MESSAGES_PER_SECOND", 1_000), rate("TUNNEL_BYTES_PER_SECOND", 8_388_608))
}

fn number(
    read: &impl Fn(&str) -> Option<String>,
    name: &str,
    default: u64,
    min: u64,
    max: u64,
) -> Result<u64, String> {
    let Some(text) = read(name) else { return Ok(default) };
    text.parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("{name} must be a whole number from {min} to {max}"))
}

fn read(read: &impl Fn(&str) -> Option<String>) -> Result<Config, String> {
    let production = is_production(read);
    let (facilitator, facilitator_mode) = facilitator(read, production)?;
    let maximum = u64::try_from(limits::FEE_MAX).unwrap_or(u64::MAX);
    let fee = number(read, "POSTING_FEE", 10_000, 1, maximum)?;
    Ok(Config {
        price: Price { amount: BaseUnits(u128::from(fee)), pay_to: pay_to(read, production)? },
        facilitator,
        facilitator_mode,
        facilitator_timeout_ms: number(read, "FACILITATOR_TIMEOUT_MS", 3_000, 10, 30_000)?,
        claim_timeout: Millis::from_seconds(number(read, "CLAIM_TIMEOUT_SECONDS", 300, 1, 7_200)?),
        review_window: Millis::from_seconds(number(read, "REVIEW_WINDOW_SECONDS", 600, 1, 7_200)?),
    })
}

fn facilitator(
    read: &impl Fn(&str) -> Option<String>,
    production: bool,
) -> Result<(Facilitator, String), String> {
    let mode = read("FACILITATOR_MODE")
        .or_else(|| (!production).then(|| "simulator".to_owned()))
        .ok_or("FACILITATOR_MODE must be set in production: binding or remote")?;
    let facilitator = match mode.as_str() {
        "simulator" if production => {
            return Err("FACILITATOR_MODE simulator moves no money and is refused in production".to_owned());
        }
        "simulator" | "binding" => Facilitator::Bound,
        "remote" => {
            let url =
                read("X402_FACILITATOR_URL").ok_or("FACILITATOR_MODE remote needs X402_FACILITATOR_URL")?;
            if !url.starts_with("https://") {
                return Err("X402_FACILITATOR_URL must be an https URL".to_owned());
            }
            Facilitator::Remote(url.trim_end_matches('/').to_owned())
        }
        _ => return Err("FACILITATOR_MODE must be simulator, binding or remote".to_owned()),
    };
    Ok((facilitator, mode))
}

/// Addresses whose keys are public or that nobody can spend from; money sent there is lost.
const DEVELOPMENT_ADDRESSES: [&str; 3] = [
    "0x000000000000000000000000000000000000dead",
    "0x0000000000000000000000000000000000000000",
    "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
];

fn pay_to(read: &impl Fn(&str) -> Option<String>, production: bool) -> Result<String, String> {
    let address = read("X402_PAY_TO").ok_or("X402_PAY_TO must be set to the address that is paid")?;
    let digits = address.strip_prefix("0x").unwrap_or_default();
    if digits.len() != 40 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("X402_PAY_TO must be an address: 0x and 40 hexadecimal digits".to_owned());
    }
    if production && DEVELOPMENT_ADDRESSES.contains(&address.to_ascii_lowercase().as_str()) {
        return Err("X402_PAY_TO is a development address and is refused in production".to_owned());
    }
    Ok(address)
}
