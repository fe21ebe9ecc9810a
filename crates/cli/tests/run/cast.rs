//! A run, what a board says of it, and one call of the command.

use core::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use std::{fs, path::PathBuf, process::Stdio};

use serde_json::{Value, json};
use tokio::process::Command;

use crate::double::{Asked, Double, Reply};

pub(crate) const KEY: [u8; 32] = [0x11; 32];
pub(crate) const RUN: &str = "run_aaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(crate) const EXECUTOR: &str = "exe_aaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(crate) const TOKEN: &str = "gld_run_shown_once";
pub(crate) const SECRET: &str = "gld_executor_shown_once";

/// A run that waits for its owner's yes to R$ 23,50, with other values at some places.
pub(crate) fn run(edits: &[(&str, Value)]) -> Value {
    let mut run: Value =
        serde_json::from_str(include_str!("../../../client/src/runs/tests/run.json")).unwrap();
    for (place, value) in edits {
        *run.pointer_mut(place).unwrap() = value.clone();
    }
    run
}

/// The run in another state.
pub(crate) fn run_in(state: &str) -> Value {
    run(&[("/state", json!(state))])
}

/// The run, with what it waits for.
pub(crate) fn waiting(run: &Value, action: &str) -> Value {
    let message = "Do\u{1b}[31m it.";
    json!({ "run": run, "nextAction": { "actor": "user", "action": action, "message": message, "until": null } })
}

pub(crate) fn answer(run: &Value) -> Value {
    waiting(run, "wait")
}

pub(crate) fn history(run: &Value) -> Value {
    history_of(run, "wait")
}

pub(crate) fn history_of(run: &Value, action: &str) -> Value {
    let mut history = waiting(run, action);
    history["events"] = json!([event(20)]);
    history
}

pub(crate) fn event(seq: u64) -> Value {
    json!({
        "seq": seq, "actor": "agent", "at": "2026-11-30T14:25:09.000Z", "type": "PAYMENT_READY", "payload": {},
        "message": format!("Line {seq} of\u{1b}[2J it."),
    })
}

/// A stream of events by their numbers, each with the run as it stood then.
pub(crate) fn stream(events: &[(u64, &Value)]) -> Reply {
    stream_of(&events.iter().map(|(seq, run)| (event(*seq), *run)).collect::<Vec<_>>())
}

pub(crate) fn stream_of(events: &[(Value, &Value)]) -> Reply {
    let frames = events.iter().map(|(event, run)| {
        let said = json!({ "type": "event", "event": event, "run": run, "message": "" });
        format!("id: {}\nevent: run-event\ndata: {said}\n\n", event["seq"])
    });
    let headers = vec![("Content-Type", "text/event-stream".to_owned())];
    Reply::Http { status: 200, headers, body: format!("retry: 1\n\n{}", frames.collect::<String>()) }
}

pub(crate) fn yes(body: &Value) -> Reply {
    Reply::Http { status: 200, headers: Vec::new(), body: body.to_string() }
}

pub(crate) fn no(status: u16, code: &str) -> Reply {
    let body = json!({
        "type": "t", "title": "t", "status": status, "detail": "Because.", "code": code, "requestId": "r-1",
        "retryable": false, "error": true, "message": "Because.",
    });
    Reply::Http { status, headers: Vec::new(), body: body.to_string() }
}

/// What a ledger says it is.
pub(crate) fn status() -> Value {
    let ledger = "0x1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e";
    json!({
        "mode": "simulator", "chainId": 84532, "custody": ["ledger"], "ledger": ledger, "token": ledger,
        "eip712Domain": {
            "name": "Guildhall Mandates", "version": "1", "chainId": 84532, "verifyingContract": ledger,
        },
        "limits": {
            "entries": 1000, "open": 100, "waiting": 100, "reservations": 100, "approvalWaitSeconds": 86400,
            "labelBytes": 120, "noteBytes": 500, "amountMax": "79228162514264337593543950335",
        },
    })
}

/// A folder of one test's own, removed with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("guildhall-run-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// One in which the run's token lies in `run.json`.
    pub(crate) fn with_token() -> Self {
        let folder = Self::new();
        fs::write(folder.file("run.json"), json!({ "run": RUN, "runToken": TOKEN }).to_string()).unwrap();
        folder
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.file(name)).unwrap()).unwrap()
    }

    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn is_private(&self, name: &str) {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(self.file(name)).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// What one call has left.
pub(crate) struct Called {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) asked: Vec<Asked>,
}

impl Called {
    /// Its lines of JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The first line and the body of each request.
    pub(crate) fn sent(&self) -> Vec<(String, Value)> {
        let sent = self.asked.iter().map(|asked| {
            let line = asked.head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
            (line, serde_json::from_str(&asked.body).unwrap_or_default())
        });
        sent.collect()
    }

    #[track_caller]
    pub(crate) fn says(&self, part: &str) {
        assert!(self.stderr.contains(part), "{part:?} is not said: {}", self.stderr);
    }

    /// That it ended so, sent every request with the run's token, and told nobody the token, nor a terminal anything but
    /// text.
    #[track_caller]
    pub(crate) fn ended(&self, code: i32) {
        assert_eq!(self.code, code, "{} {}", self.stderr, self.stdout);
        assert!(
            self.asked.iter().all(|asked| asked.header("authorization") == Some(&format!("Bearer {TOKEN}")))
        );
        self.keeps_secrets();
    }

    #[track_caller]
    pub(crate) fn keeps_secrets(&self) {
        for text in [&self.stdout, &self.stderr] {
            assert!(!text.contains("shown_once") && !text.contains('\u{1b}'), "{text}");
        }
    }
}

/// Calls `guildhall` with a key, in a folder, against a board that answers the script.
pub(crate) async fn call(folder: &Folder, line: &str, script: Vec<Reply>) -> Called {
    let double = Double::start(script).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
    command.args(["--api", &double.url]).args(line.split_whitespace()).current_dir(&folder.0);
    for name in ["GUILDHALL_API", "GUILDHALL_TOKEN_FILE", "GUILDHALL_SECRET_FILE"] {
        command.env_remove(name);
    }
    command.env("GUILDHALL_KEY", hex::encode(KEY)).stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(Duration::from_secs(30), command.output()).await.unwrap().unwrap();
    Called {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        // The board's address has another port each time.
        stderr: String::from_utf8(output.stderr).unwrap().replace(&double.url, "URL"),
        asked: double.asked(),
    }
}
