//! What is asked of purchase runs and of browser executors.

use primitives::RunId;

/// What is asked of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum RunRoute {
    /// `POST /v1/runs`.
    Create,
    /// `GET /v1/runs/{run}`.
    Show { run: RunId },
    /// `GET /v1/runs/{run}/events`.
    Events { run: RunId },
    /// `GET /v1/runs/{run}/socket`.
    Socket { run: RunId },
    /// `POST /v1/runs/{run}/ticket`.
    Ticket { run: RunId },
    /// `POST /v1/runs/{run}/browser-result`.
    BrowserResult { run: RunId },
    /// `POST /v1/runs/{run}/wallet-state`.
    WalletState { run: RunId },
    /// `POST /v1/runs/{run}/confirm`.
    Confirm { run: RunId },
    /// `POST /v1/runs/{run}/payment`.
    Payment { run: RunId },
    /// `POST /v1/runs/{run}/cancel`.
    Cancel { run: RunId },
    /// `POST /v1/runs/{run}/executor`.
    Rebind { run: RunId },
    /// `GET /v1/runs/{run}/journal`.
    Journal { run: RunId },
}

/// What is asked of executors. Which one asks, its token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutorRoute {
    /// `POST /v1/executors`.
    Register,
    /// `GET /v1/executors/me`.
    Show,
    /// `GET /v1/executors/me/commands`.
    Commands,
    /// `GET /v1/executors/me/socket`.
    Socket,
    /// `POST /v1/executors/me/ticket`.
    Ticket,
    /// `GET /v1/executors/protocol.json`.
    Protocol,
}
