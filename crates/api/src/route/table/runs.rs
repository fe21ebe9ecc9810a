//! Purchase runs and browser executors. The paths under `/agent` are those that executors and pages of the earlier agent
//! service know.

use primitives::RunId;

use super::super::{ExecutorRoute as E, Route, RunRoute as R};
use super::{Anyone, Entry, Make, Parts, entry};

impl Parts<'_> {
    fn run(&self, make: fn(RunId) -> R) -> Option<Route> {
        self.part("run").map(|run| Route::Run(make(run)))
    }
}

const CREATE: (&str, Make) = ("POST", |_| Some(Route::Run(R::Create)));
const SHOW: (&str, Make) = ("GET", |p| p.run(|run| R::Show { run }));
const EVENTS: (&str, Make) = ("GET", |p| p.run(|run| R::Events { run }));
const SOCKET: (&str, Make) = ("GET", |p| p.run(|run| R::Socket { run }));
const TICKET: (&str, Make) = ("POST", |p| p.run(|run| R::Ticket { run }));
const RESULT: (&str, Make) = ("POST", |p| p.run(|run| R::BrowserResult { run }));
const WALLET: (&str, Make) = ("POST", |p| p.run(|run| R::WalletState { run }));
const CONFIRM: (&str, Make) = ("POST", |p| p.run(|run| R::Confirm { run }));
const PAYMENT: (&str, Make) = ("POST", |p| p.run(|run| R::Payment { run }));
const CANCEL: (&str, Make) = ("POST", |p| p.run(|run| R::Cancel { run }));
const REBIND: (&str, Make) = ("POST", |p| p.run(|run| R::Rebind { run }));
const JOURNAL: (&str, Make) = ("GET", |p| p.run(|run| R::Journal { run }));
const REGISTER: (&str, Make) = ("POST", |_| Some(Route::Executor(E::Register)));
const EXECUTOR: (&str, Make) = ("GET", |_| Some(Route::Executor(E::Show)));
const COMMANDS: (&str, Make) = ("GET", |_| Some(Route::Executor(E::Commands)));
const BALANCES: (&str, Make) = ("GET", |_| Some(Route::Balances));
const DEMO: (&str, Make) = ("GET", |_| Some(Route::Demo));

/// A path under `/v1`, and the older one that the same handler answers.
macro_rules! both {
    ($path:literal, $make:ident) => {
        [entry(concat!("/v1", $path), Anyone, &[$make]), entry(concat!("/agent", $path), Anyone, &[$make])]
    };
}

static BOTH: &[[Entry; 2]] = &[
    both!("/runs", CREATE),
    both!("/runs/{run}", SHOW),
    both!("/runs/{run}/events", EVENTS),
    both!("/runs/{run}/ticket", TICKET),
    both!("/runs/{run}/browser-result", RESULT),
    both!("/runs/{run}/wallet-state", WALLET),
    both!("/runs/{run}/confirm", CONFIRM),
    both!("/runs/{run}/payment", PAYMENT),
    both!("/runs/{run}/cancel", CANCEL),
    both!("/runs/{run}/executor", REBIND),
    both!("/runs/{run}/journal", JOURNAL),
    both!("/executors", REGISTER),
    both!("/executors/me", EXECUTOR),
    both!("/executors/me/commands", COMMANDS),
    both!("/chain/balances", BALANCES),
    both!("/demo", DEMO),
];

static OURS: &[Entry] = &[
    entry("/v1/runs/{run}/socket", Anyone, &[SOCKET]),
    entry("/v1/executors/me/socket", Anyone, &[("GET", |_| Some(Route::Executor(E::Socket)))]),
    entry("/v1/executors/me/ticket", Anyone, &[("POST", |_| Some(Route::Executor(E::Ticket)))]),
    entry("/v1/executors/protocol.json", Anyone, &[("GET", |_| Some(Route::Executor(E::Protocol)))]),
];

/// All of them.
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    BOTH.iter().flatten().chain(OURS)
}
