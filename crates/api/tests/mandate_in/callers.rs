//! Who signed a request.

use alloy_primitives::Address;
use api::caller::{Presented, once_refused, presented, unknown};
use api::problem::Problem;
use api::settings::Settings;
use api::vouch::{Denial, Unavailable};
use eip712::Signer;
use httpsig::{Edition, Request, Stamp, sign, sign_older};
use primitives::{Millis, UnixMillis};
use session::once;

use crate::cast::{address, signer};
use crate::ledger::settings;

const NOW: UnixMillis = UnixMillis(1_800_000_000_000);

const STAMP: Stamp<'static> = Stamp {
    edition: Edition::Tagged,
    chain_id: 84_532,
    created: NOW,
    lifetime: Millis::from_seconds(60),
    nonce: "b3k2pp5k7z",
    also_covered: &[],
};

fn site() -> Settings {
    settings(&[("SITE_ORIGIN", "https://guildhall.example"), ("ENVIRONMENT", "production")])
}

/// A request as it travels.
#[derive(Clone)]
struct Sent {
    scheme: &'static str,
    authority: &'static str,
    body: &'static [u8],
    headers: Vec<(String, String)>,
}

const SENT: Sent =
    Sent { scheme: "https", authority: "guildhall.example", body: b"{\"note\":\"no\"}", headers: Vec::new() };

impl Sent {
    fn with<T>(&self, ask: impl FnOnce(&Request<'_>) -> T) -> T {
        let header =
            |name: &str| self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        ask(&Request {
            method: "POST",
            scheme: self.scheme,
            authority: self.authority,
            path: "/v1/approvals/0x12/decide",
            query: None,
            header: &header,
            body: self.body,
        })
    }

    fn signed(mut self, stamp: &Stamp<'_>, signer: &Signer) -> Self {
        let headers = self.with(|request| sign(request, stamp, signer)).unwrap();
        self.headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self
    }

    fn presents(&self, settings: &Settings, now: UnixMillis) -> Result<Presented, Problem> {
        self.with(|request| presented(request, settings, now))
    }

    #[track_caller]
    fn account(&self, settings: &Settings) -> Address {
        let presented = self.presents(settings, NOW).unwrap();
        let Presented::Signed { account, .. } = presented else { panic!("{presented:?}") };
        account
    }

    #[track_caller]
    fn refused(&self, settings: &Settings, now: UnixMillis) -> Problem {
        let problem = self.presents(settings, now).unwrap_err();
        assert_eq!(problem.status, 401);
        problem
    }
}

#[test]
fn a_signed_request_is_its_signers_once() {
    let agent = signer("agent");
    let once = |sent: &Sent| {
        let presented = sent.presents(&site(), NOW).unwrap();
        let Presented::Signed { account, once } = presented else { panic!("{presented:?}") };
        assert_eq!(account, agent.address());
        once
    };
    let first = once(&SENT.signed(&STAMP, &agent));
    assert_eq!(first.until, UnixMillis(1_800_000_090_000));
    let other_body = Sent { body: b"{}", ..SENT };
    assert_eq!(once(&other_body.signed(&STAMP, &agent)).key, first.key, "one nonce, one key");
    assert_ne!(once(&SENT.signed(&Stamp { nonce: "another", ..STAMP }, &agent)).key, first.key);
    let owner = SENT.signed(&STAMP, &signer("owner"));
    let Presented::Signed { once, .. } = owner.presents(&site(), NOW).unwrap() else { panic!("is nobody's") };
    assert_ne!(once.key, first.key);
}

#[test]
fn the_older_headers_are_a_signature_too() {
    let mut sent = SENT;
    let headers = sent.with(|request| sign_older(request, NOW, &signer("agent"))).unwrap();
    sent.headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    assert_eq!(sent.account(&site()), address("agent"));
    assert_eq!(sent.refused(&site(), NOW.plus(Millis::from_minutes(5))).code, "request_expired");
}

#[test]
fn what_is_not_signed_for_us_presents_nothing() {
    assert_eq!(SENT.presents(&site(), NOW), Ok(Presented::Nothing));
    let mut sent = SENT.signed(&STAMP, &signer("agent"));
    assert_eq!(sent.presents(&settings(&[]), NOW), Ok(Presented::Nothing), "no site, no authority");
    for (_, value) in &mut sent.headers {
        *value = value.replace("erc8128", "web-bot-auth");
    }
    assert_eq!(sent.presents(&site(), NOW), Ok(Presented::Nothing));
}

#[test]
fn a_signature_that_is_there_must_hold() {
    let agent = signer("agent");
    let sent = SENT.signed(&STAMP, &agent);
    assert_eq!(sent.refused(&site(), NOW.plus(Millis::from_seconds(90))).code, "request_expired");
    let early = sent.refused(&site(), NOW.minus(Millis::from_seconds(31)));
    assert_eq!((early.code.as_str(), early.retryable), ("request_not_yet_valid", true));
    let altered = Sent { body: b"{}", ..sent.clone() };
    let problem = altered.refused(&site(), NOW);
    assert_eq!((problem.code.as_str(), problem.retryable), ("bad_content_digest", false));
    let mut bare = sent.clone();
    bare.headers.retain(|(name, _)| name != "signature");
    assert_eq!(bare.refused(&site(), NOW).code, "signature_missing");
    let chain = SENT.signed(&Stamp { chain_id: 1, ..STAMP }, &agent);
    assert_eq!(chain.refused(&site(), NOW).code, "unsupported_chain");
    let long = SENT.signed(&Stamp { lifetime: Millis::from_minutes(6), ..STAMP }, &agent);
    assert_eq!(long.refused(&site(), NOW).code, "request_validity_too_long");
}

#[test]
fn only_our_own_authority_is_signed_for_and_this_machines_in_development() {
    let agent = signer("agent");
    let sent = |scheme, authority| Sent { scheme, authority, ..SENT }.signed(&STAMP, &agent);
    let origin = |origin| settings(&[("SITE_ORIGIN", origin)]);
    for (settings, scheme, authority, is_ours) in [
        (site(), "https", "guildhall.example", true),
        (site(), "https", "GUILDHALL.example:443", true),
        (site(), "https", "guildhall.example:8443", false),
        (site(), "https", "evil.example", false),
        (site(), "http", "127.0.0.1:8787", false),
        (site(), "http", "localhost", false),
        (origin("https://guildhall.example:443"), "https", "guildhall.example", true),
        (origin("http://127.0.0.1:8787"), "http", "127.0.0.1:8787", true),
        (origin("http://127.0.0.1:8787"), "http", "127.0.0.1:9999", true),
        (origin("http://127.0.0.1:8787"), "http", "LocalHost:9999", true),
        (origin("http://127.0.0.1:8787"), "http", "[::1]", true),
        (origin("http://127.0.0.1:8787"), "http", "[::1]:9999", true),
        (origin("http://127.0.0.1:8787"), "http", "guildhall.example", false),
        (origin("http://127.0.0.1:8787"), "http", "localhost.evil.example", false),
        (origin("http://127.0.0.1:8787"), "http", "127.0.0.1:1@evil.example", false),
        (origin("http://127.0.0.1:8787"), "http", "127.0.0.1.evil.example:80", false),
    ] {
        let sent = sent(scheme, authority);
        if is_ours {
            assert_eq!(sent.account(&settings), agent.address(), "{authority}");
        } else {
            assert_eq!(sent.refused(&settings, NOW).code, "wrong_authority", "{authority}");
        }
    }
}

#[test]
fn only_a_contract_can_vouch_for_what_another_key_signed() {
    let mut sent = SENT.signed(&STAMP, &signer("agent"));
    let contract = address("owner");
    for (_, value) in &mut sent.headers {
        *value = value.replace(&format!("{:#x}", address("agent")), &format!("{contract:#x}"));
    }
    let unproven = || {
        let presented = sent.presents(&site(), NOW).unwrap();
        let Presented::NeedsChain(unproven) = presented else { panic!("{presented:?}") };
        unproven
    };
    let question = unproven().question();
    assert_eq!((question.account, question.signature.len()), (contract, 65));
    let (account, once) = unproven().vouched();
    assert_eq!((account, once.until), (contract, UnixMillis(1_800_000_090_000)));
    let denied = unproven().denied(&Denial::NoCode);
    assert_eq!((denied.status, denied.code.as_str()), (401, "bad_signature"));
    assert!(denied.detail.ends_with(&Denial::NoCode.to_string()), "{}", denied.detail);
    assert_eq!(unproven().unknown(Unavailable::Silent).code, "chain_unavailable");
    assert_eq!(unproven().unknown(Unavailable::NoChain).code, "signature_unproven");
}

#[test]
fn used_signatures_are_refused_and_too_many_have_to_wait() {
    let table = [
        once::Refusal::Expired,
        once::Refusal::TooLong,
        once::Refusal::Reused,
        once::Refusal::TooMany { retry_at: NOW },
    ]
    .map(|refusal| {
        let (problem, retry_after) = once_refused(&refusal);
        assert_eq!(problem.retryable, refusal.may_retry());
        format!("{} {} {retry_after:?}", problem.status, problem.code)
    });
    let expected = [
        "401 signature_expired None",
        "401 signature_too_long None",
        "401 signature_reused None",
        "429 too_many_signatures Some(60)",
    ];
    assert_eq!(table, expected);
    assert_eq!((unknown().status, unknown().code.as_str()), (401, "missing_credentials"));
}
