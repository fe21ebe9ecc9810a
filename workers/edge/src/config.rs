//! How this deployment is set up. Read once per isolate; anything wrong stops every paid route with a clear word.

use std::cell::OnceCell;
use std::rc::Rc;

use api::settings::{self, Metering, Settings};
use shell::Failure;
use worker::Env;

thread_local! {
    static SETTINGS: OnceCell<Result<Rc<Settings>, String>> = const { OnceCell::new() };
}

/// The set-up of this isolate.
pub fn config(env: &Env) -> Result<Rc<Settings>, Failure> {
    SETTINGS
        .with(|cell| cell.get_or_init(|| Settings::read(&|name| variable(env, name)).map(Rc::new)).clone())
        .map_err(Failure::Configuration)
}

/// How metering is set up here.
pub fn metering(env: &Env) -> Result<Metering, Failure> {
    config(env)?.metering.clone().map_err(Failure::Configuration)
}

/// Whether tests may ask for faults. Never in production.
pub fn hooks_enabled(env: &Env) -> bool {
    settings::hooks_enabled(&|name| variable(env, name))
}

fn variable(env: &Env, name: &str) -> Option<String> {
    // A secret and a variable look the same from here.
    env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty())
}
