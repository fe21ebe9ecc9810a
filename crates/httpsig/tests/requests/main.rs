//! Signed requests: the standards' examples, the reference client's requests, every refusal, and chance.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]
#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

mod draft;
mod older;
mod peer;
mod properties;
mod refusals;
mod standards;
mod syntax;

use eip712::Signer;
use httpsig::{Edition, Judgement, Policy, Refusal, Request, Stamp, Verified, sign, verify};
use primitives::{Millis, UnixMillis};

/// 2027-01-15 08:00 UTC.
const NOW: UnixMillis = UnixMillis(1_800_000_000_000);
const CHAIN: u64 = 84_532;
const POLICY: Policy<'static> = Policy::new(&["board.example"], &[CHAIN]);

/// A request as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sent {
    method: String,
    scheme: String,
    authority: String,
    path: String,
    query: Option<String>,
    body: Vec<u8>,
    /// In lower case, each name once.
    headers: Vec<(String, String)>,
}

impl Sent {
    fn new(method: &str, path: &str, query: Option<&str>, body: &str) -> Self {
        Self {
            method: method.into(),
            scheme: "https".into(),
            authority: "board.example".into(),
            path: path.into(),
            query: query.map(Into::into),
            body: body.into(),
            headers: Vec::new(),
        }
    }

    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn set(&mut self, name: &str, value: impl Into<String>) {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.into(), value.into()));
    }

    fn unset(&mut self, name: &str) {
        self.headers.retain(|(known, _)| known != name);
    }

    /// Replaces the first occurrence of a text in a header, which must be there.
    fn edit(&mut self, name: &str, from: &str, to: &str) {
        let value = self.header(name).unwrap();
        assert!(value.contains(from), "{name} does not have {from}: {value}");
        self.set(name, value.replacen(from, to, 1));
    }

    fn with<T>(&self, ask: impl FnOnce(&Request<'_>) -> T) -> T {
        ask(&Request {
            method: &self.method,
            scheme: &self.scheme,
            authority: &self.authority,
            path: &self.path,
            query: self.query.as_deref(),
            header: &|name| self.header(name),
            body: &self.body,
        })
    }

    /// Signs what is there now.
    fn signed(mut self, stamp: &Stamp<'_>) -> Self {
        let headers = self.with(|request| sign(request, stamp, &signer(0x11))).unwrap();
        for (name, value) in headers {
            self.set(name, value);
        }
        self
    }

    fn judged(&self, policy: &Policy<'_>, now: UnixMillis) -> Result<Judgement, Refusal> {
        self.with(|request| verify(request, policy, now))
    }

    /// What the usual policy says now, where no contract account vouches for anything.
    fn verdict(&self) -> Result<Verified, Refusal> {
        settled(self.judged(&POLICY, NOW))
    }
}

/// The verdict where no contract account vouches for anything.
fn settled(judgement: Result<Judgement, Refusal>) -> Result<Verified, Refusal> {
    match judgement? {
        Judgement::Verified(verified) => Ok(verified),
        Judgement::NeedsChain(pending) => Err(pending.denied()),
    }
}

fn signer(byte: u8) -> Signer {
    Signer::from_bytes(&[byte; 32]).unwrap()
}

const STAMP: Stamp<'static> = Stamp {
    edition: Edition::Tagged,
    chain_id: CHAIN,
    created: NOW,
    lifetime: Millis::from_seconds(60),
    nonce: "b3k2pp5k7z-50gnwp_yemd",
    also_covered: &[],
};

/// A signed request with everything: a query, a body, and a covered header.
fn whole() -> Sent {
    let mut sent = Sent::new("POST", "/v1/agent/payments", Some("dry=1"), r#"{"amount":"100"}"#);
    sent.set("idempotency-key", "order-7");
    sent.signed(&Stamp { also_covered: &["idempotency-key"], ..STAMP })
}
