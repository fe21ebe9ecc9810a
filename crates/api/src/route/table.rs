//! Every path, with its methods. The paths under `/api` are those that agents of earlier budget services know; the same
//! handlers answer them.

mod metering;
mod runs;

use core::str::FromStr;
use std::sync::OnceLock;

use alloy_primitives::{Address, B256};
use matchit::Router;

use super::Readers::{Anyone, SameOrigin};
use super::{AccountRoute, Change, MandateRoute as M, Parts, Readers, Route};
use crate::inbound::mandate::Verb;

type Make = fn(&Parts<'_>) -> Option<Route>;
type Methods = &'static [(&'static str, Make)];

/// One path.
pub(super) struct Entry {
    pub(super) pattern: &'static str,
    pub(super) readers: Readers,
    pub(super) methods: Methods,
}

/// The entry of a path, with what the path says.
pub(super) fn find(path: &str) -> Option<(&'static Entry, Parts<'_>)> {
    static TABLE: OnceLock<Router<&'static Entry>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut router = Router::new();
        for entry in entries() {
            // Only two equal paths could fail here; a test reads every path back.
            let _ = router.insert(entry.pattern, entry);
        }
        router
    });
    let found = table.at(path).ok()?;
    Some((*found.value, Parts(found.params)))
}

impl Parts<'_> {
    fn part<T: FromStr>(&self, name: &str) -> Option<T> {
        self.0.get(name)?.parse().ok()
    }

    fn gig(&self, make: fn(primitives::GigId) -> Route) -> Option<Route> {
        self.part("id").map(make)
    }

    /// 32 bytes: `0x` and 64 hexadecimal digits.
    fn name(&self, part: &str) -> Option<B256> {
        let text = self.0.get(part)?;
        (text.len() == 66 && text.starts_with("0x")).then(|| text.parse().ok()).flatten()
    }

    fn mandate(&self, make: fn(B256) -> M) -> Option<Route> {
        self.name("mandate").map(|mandate| Route::Mandate(make(mandate)))
    }

    fn reference(&self, make: fn(B256) -> M) -> Option<Route> {
        self.name("reference").map(|reference| Route::Mandate(make(reference)))
    }

    fn change(&self, change: Change) -> Option<Route> {
        self.name("mandate").map(|mandate| Route::Mandate(M::Change { mandate, change }))
    }

    fn act(&self) -> Option<Route> {
        let (mandate, reference) = (self.name("mandate")?, self.name("reference")?);
        let verb = Verb::named(self.0.get("verb")?)?;
        Some(Route::Mandate(M::Act { mandate, reference, verb }))
    }

    fn payment(&self) -> Option<Route> {
        let (mandate, reference) = (self.name("mandate")?, self.name("reference")?);
        Some(Route::Mandate(M::Payment { mandate, reference }))
    }

    fn agent(&self) -> Option<Address> {
        let text = self.0.get("agent")?;
        (text.len() == 42 && text.starts_with("0x")).then(|| text.parse().ok()).flatten()
    }
}

const fn entry(pattern: &'static str, readers: Readers, methods: Methods) -> Entry {
    Entry { pattern, readers, methods }
}

const LIST: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::List)));
const CREATE: (&str, Make) = ("POST", |_| Some(Route::Mandate(M::Create)));
const SHOW: (&str, Make) = ("GET", |p| p.mandate(|mandate| M::Show { mandate }));
const STATUS: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::Status)));
const APPROVALS: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::Approvals)));
const DECIDE: (&str, Make) = ("POST", |p| p.reference(|reference| M::Decide { reference }));
const PAYMENTS: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::Payments)));
const FIND: (&str, Make) = ("GET", |p| p.reference(|reference| M::FindPayment { reference }));
const ACTIVITY: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::Activity)));
const OF_AGENT: (&str, Make) = ("GET", |_| Some(Route::Mandate(M::OfAgent)));
const AGENT_EVALUATE: (&str, Make) = ("POST", |_| Some(Route::Mandate(M::AgentEvaluate)));
const AGENT_REQUEST: (&str, Make) = ("POST", |_| Some(Route::Mandate(M::AgentRequest)));
const AGENT_APPROVAL: (&str, Make) = ("GET", |p| p.reference(|reference| M::AgentApproval { reference }));
const RECORD: (&str, Make) = ("POST", |_| Some(Route::Mandate(M::Record)));
const AGENTS: (&str, Make) = ("GET", |_| Some(Route::Account(AccountRoute::Agents)));
const NAME_AGENT: (&str, Make) = ("POST", |_| Some(Route::Account(AccountRoute::NameAgent)));
const FORGET_AGENT: (&str, Make) =
    ("DELETE", |p| p.agent().map(|agent| Route::Account(AccountRoute::ForgetAgent { agent })));
const DRAFTS: (&str, Make) = ("GET", |_| Some(Route::Account(AccountRoute::Drafts)));
const CREATE_DRAFT: (&str, Make) = ("POST", |_| Some(Route::Account(AccountRoute::CreateDraft)));
const CHANGE_DRAFT: (&str, Make) = ("PATCH", |_| Some(Route::Account(AccountRoute::ChangeDraft)));
const DISCARD_DRAFT: (&str, Make) = ("DELETE", |_| Some(Route::Account(AccountRoute::DiscardDraft)));
const NONCE: (&str, Make) = ("POST", |_| Some(Route::SignInNonce));
const SIGN_IN: (&str, Make) = ("POST", |_| Some(Route::SignIn));
const SESSION: (&str, Make) = ("GET", |_| Some(Route::Session));
const SIGN_OUT: (&str, Make) = ("POST", |_| Some(Route::SignOut));

const HEALTH: (&str, Make) = ("GET", |_| Some(Route::Health));

static BOARD: &[Entry] = &[
    entry("/v1/gigs/create", Anyone, &[("POST", |_| Some(Route::CreateGig))]),
    entry("/v1/gigs/claim", Anyone, &[("POST", |_| Some(Route::ClaimGig))]),
    entry("/v1/gigs/discover", Anyone, &[("GET", |_| Some(Route::DiscoverGigs))]),
    entry("/v1/gigs/{id}/status", Anyone, &[("GET", |p| p.gig(Route::GigStatus))]),
    entry("/v1/gigs/{id}/lifecycle", Anyone, &[("POST", |p| p.gig(Route::GigLifecycle))]),
    entry("/v1/gigs/{id}/reconnect", Anyone, &[("POST", |p| p.gig(Route::GigReconnect))]),
    entry("/v1/gigs/{id}/ticket", Anyone, &[("POST", |p| p.gig(Route::GigTicket))]),
    entry("/v1/gigs/{id}/tunnel", Anyone, &[("GET", |p| p.gig(Route::GigTunnel))]),
    entry("/v1/gigs/{id}/journal", Anyone, &[("GET", |p| p.gig(Route::GigJournal))]),
    entry("/v1/auth/nonce", SameOrigin, &[NONCE]),
    entry("/v1/auth/verify", SameOrigin, &[SIGN_IN]),
    entry("/v1/auth/session", SameOrigin, &[SESSION]),
    entry("/v1/auth/logout", SameOrigin, &[SIGN_OUT]),
    entry("/mcp", Anyone, &[("POST", |_| Some(Route::Mcp))]),
    entry("/", Anyone, &[("GET", |_| Some(Route::AgentCard))]),
    entry("/.well-known/agent-card.json", Anyone, &[("GET", |_| Some(Route::AgentCard))]),
    entry("/.well-known/llms.txt", Anyone, &[("GET", |_| Some(Route::Llms))]),
    entry("/v1/system/docs", Anyone, &[("GET", |_| Some(Route::Llms))]),
    entry("/v1/openapi.json", Anyone, &[("GET", |_| Some(Route::OpenApi))]),
    entry("/health", Anyone, &[HEALTH]),
    entry("/healthz", Anyone, &[HEALTH]),
    entry("/__test/{hook}", Anyone, &[("POST", |_| Some(Route::TestHook))]),
    entry("/__test/{hook}/{name}", Anyone, &[("POST", |_| Some(Route::TestHook))]),
];

static MANDATES: &[Entry] = &[
    entry("/v1/status", Anyone, &[STATUS]),
    entry("/v1/mandates", SameOrigin, &[LIST, CREATE]),
    entry("/v1/mandates/adopt", SameOrigin, &[("POST", |_| Some(Route::Mandate(M::Adopt)))]),
    entry("/v1/mandates/{mandate}", Anyone, &[SHOW]),
    entry(
        "/v1/mandates/{mandate}/entries",
        Anyone,
        &[("GET", |p| p.mandate(|mandate| M::Entries { mandate }))],
    ),
    entry(
        "/v1/mandates/{mandate}/budget",
        Anyone,
        &[("GET", |p| p.mandate(|mandate| M::Budget { mandate }))],
    ),
    entry(
        "/v1/mandates/{mandate}/evaluate",
        Anyone,
        &[("POST", |p| p.mandate(|mandate| M::Evaluate { mandate }))],
    ),
    entry("/v1/mandates/{mandate}/fund", SameOrigin, &[("POST", |p| p.change(Change::Fund))]),
    entry("/v1/mandates/{mandate}/withdraw", SameOrigin, &[("POST", |p| p.change(Change::Withdraw))]),
    entry("/v1/mandates/{mandate}/pause", SameOrigin, &[("POST", |p| p.change(Change::Pause))]),
    entry("/v1/mandates/{mandate}/unpause", SameOrigin, &[("POST", |p| p.change(Change::Unpause))]),
    entry("/v1/mandates/{mandate}/revoke", SameOrigin, &[("POST", |p| p.change(Change::Revoke))]),
    entry("/v1/mandates/{mandate}/renounce", Anyone, &[("POST", |p| p.change(Change::Renounce))]),
    entry("/v1/mandates/{mandate}/amend", SameOrigin, &[("POST", |p| p.change(Change::Amend))]),
    entry(
        "/v1/mandates/{mandate}/apply-amendment",
        Anyone,
        &[("POST", |p| p.change(Change::ApplyAmendment))],
    ),
    entry(
        "/v1/mandates/{mandate}/cancel-amendment",
        SameOrigin,
        &[("POST", |p| p.change(Change::CancelAmendment))],
    ),
    entry(
        "/v1/mandates/{mandate}/requests",
        Anyone,
        &[
            ("GET", |p| p.mandate(|mandate| M::Requests { mandate })),
            ("POST", |p| p.mandate(|mandate| M::Request { mandate })),
        ],
    ),
    entry("/v1/mandates/{mandate}/requests/{reference}", Anyone, &[("GET", |p| p.payment())]),
    entry("/v1/mandates/{mandate}/requests/{reference}/{verb}", Anyone, &[("POST", |p| p.act())]),
    entry("/v1/approvals", SameOrigin, &[APPROVALS]),
    entry(
        "/v1/approvals/{reference}",
        Anyone,
        &[("GET", |p| p.reference(|reference| M::Approval { reference }))],
    ),
    entry("/v1/approvals/{reference}/decide", SameOrigin, &[DECIDE]),
    entry("/v1/payments", SameOrigin, &[PAYMENTS]),
    entry("/v1/payments/{reference}", Anyone, &[FIND]),
    entry("/v1/activity", SameOrigin, &[ACTIVITY]),
    entry("/v1/agents", SameOrigin, &[AGENTS, NAME_AGENT]),
    entry("/v1/agents/{agent}", SameOrigin, &[FORGET_AGENT]),
    entry("/v1/drafts", SameOrigin, &[DRAFTS, CREATE_DRAFT]),
    entry("/v1/drafts/{draft}", SameOrigin, &[CHANGE_DRAFT, DISCARD_DRAFT]),
    entry("/v1/agent/mandates", Anyone, &[OF_AGENT]),
    entry("/v1/agent/evaluate", Anyone, &[AGENT_EVALUATE]),
    entry("/v1/agent/payments", Anyone, &[AGENT_REQUEST]),
    entry("/v1/agent/payments/record", Anyone, &[RECORD]),
    entry("/v1/agent/approvals", Anyone, &[AGENT_REQUEST]),
    entry("/v1/agent/approvals/{reference}", Anyone, &[AGENT_APPROVAL]),
];

static OLDER: &[Entry] = &[
    entry("/api/auth/nonce", SameOrigin, &[NONCE]),
    entry("/api/auth/verify", SameOrigin, &[SIGN_IN]),
    entry("/api/auth/session", SameOrigin, &[SESSION]),
    entry("/api/auth/logout", SameOrigin, &[SIGN_OUT]),
    entry("/api/status", Anyone, &[STATUS]),
    entry("/api/mandates", SameOrigin, &[LIST, CREATE]),
    entry("/api/mandates/draft", SameOrigin, &[DRAFTS, CREATE_DRAFT]),
    entry("/api/mandates/draft/{draft}", SameOrigin, &[CHANGE_DRAFT, DISCARD_DRAFT]),
    entry("/api/mandates/{mandate}", Anyone, &[SHOW]),
    entry("/api/payments", SameOrigin, &[PAYMENTS]),
    entry("/api/payments/{reference}", Anyone, &[FIND]),
    entry("/api/agents", SameOrigin, &[AGENTS, NAME_AGENT]),
    entry("/api/agents/{agent}", SameOrigin, &[FORGET_AGENT]),
    entry("/api/approvals", SameOrigin, &[APPROVALS]),
    entry("/api/approvals/{reference}/decide", SameOrigin, &[DECIDE]),
    entry("/api/activity", SameOrigin, &[ACTIVITY]),
    entry("/api/agent/mandates", Anyone, &[OF_AGENT]),
    entry("/api/agent/evaluate", Anyone, &[AGENT_EVALUATE]),
    entry("/api/agent/payments", Anyone, &[AGENT_REQUEST]),
    entry("/api/agent/payments/record", Anyone, &[RECORD]),
    entry("/api/agent/approvals", Anyone, &[AGENT_REQUEST]),
    entry("/api/agent/approvals/{reference}", Anyone, &[AGENT_APPROVAL]),
];

/// All of them.
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    BOARD.iter().chain(MANDATES).chain(OLDER).chain(runs::entries()).chain(metering::entries())
}
