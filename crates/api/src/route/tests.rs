use std::collections::BTreeMap;

use super::*;

const ID: &str = "00000000-0000-8000-8000-000000000001";
const AGENT: &str = "0x00000000000000000000000000000000000000bb";
const RUN: &str = "run_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const NAME: &str = "0x00000000000000000000000000000000000000000000000000000000000000aa";

fn filled(pattern: &str) -> String {
    [
        ("{id}", ID),
        ("{run}", RUN),
        ("{mandate}", NAME),
        ("{reference}", NAME),
        ("{agent}", AGENT),
        ("{draft}", "dft_1"),
        ("{verb}", "time-out"),
        ("{tenant}", "ten_aaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ("{key}", "key_aaaaaaaaaaaaaaaa"),
        ("{serviceId}", "weather.v1"),
        ("{settlement}", &format!("set_{}", "a".repeat(52))),
        ("{reservation}", &format!("rsv_{}", "a".repeat(52))),
        ("{endpoint}", "whe_aaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ("{message}", "msg_aaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ]
    .into_iter()
    .fold(pattern.to_owned(), |path, (part, value)| path.replace(part, value))
    .replace(['{', '}'], "")
}

#[test]
fn every_path_is_found_by_its_methods_alone() {
    for entry in table::entries() {
        let path = filled(entry.pattern);
        let taken: Vec<&str> = entry.methods.iter().map(|(method, _)| *method).collect();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "get", ""] {
            match route(method, &path) {
                Ok(found) => {
                    assert!(taken.contains(&method), "{method} {path}");
                    assert_eq!(found.pattern, entry.pattern, "{path} is another's");
                }
                Err(NoRoute::MethodNotAllowed { allow }) => {
                    assert!(!taken.contains(&method), "{method} {path}");
                    assert!(taken.iter().all(|method| allow.contains(method)), "{allow}");
                }
                Err(NoRoute::NotFound) => panic!("{method} {path}"),
            }
        }
        assert_eq!(route("HEAD", &path).is_ok(), taken.contains(&"GET"), "HEAD {path}");
    }
    assert!(table::entries().count() > 60);
}

/// An agent of an earlier service finds what it looked for under the path that it knows.
#[test]
fn older_paths_lead_where_ours_do() {
    let mut ours: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for path in ["/v1/status", "/v1/mandates", "/v1/payments", "/v1/agents", "/v1/approvals", "/v1/activity"]
    {
        ours.entry(path.replace("/v1/", "/api/")).or_default().push(route("GET", path).unwrap());
    }
    for (older, found) in ours {
        assert_eq!(route("GET", &older).unwrap().route, found.first().unwrap().route, "{older}");
    }
    let name: B256 = NAME.parse().unwrap();
    let is = |method: &str, path: &str, expected: MandateRoute| {
        assert_eq!(route(method, path).unwrap().route, Route::Mandate(expected), "{method} {path}");
    };
    is("GET", &format!("/api/mandates/{NAME}"), MandateRoute::Show { mandate: name });
    is("GET", &format!("/api/payments/{NAME}"), MandateRoute::FindPayment { reference: name });
    is("POST", &format!("/api/approvals/{NAME}/decide"), MandateRoute::Decide { reference: name });
    is("POST", "/api/agent/approvals", MandateRoute::AgentRequest);
    is("POST", "/api/agent/payments", MandateRoute::AgentRequest);
    is("GET", &format!("/api/agent/approvals/{NAME}"), MandateRoute::AgentApproval { reference: name });
    assert_eq!(
        route("POST", "/api/mandates/draft").unwrap().route,
        Route::Account(AccountRoute::CreateDraft)
    );
    assert_eq!(
        route("PATCH", "/api/mandates/draft/dft_1").unwrap().route,
        Route::Account(AccountRoute::ChangeDraft)
    );
}

/// An executor or a page of the earlier agent service finds what it looked for under the path that it knows.
#[test]
fn paths_of_the_agent_service_lead_where_ours_do() {
    let mut shared = 0;
    for entry in table::entries().filter(|entry| entry.pattern.starts_with("/agent/")) {
        let older = filled(entry.pattern);
        let ours = older.replacen("/agent", "/v1", 1);
        for (method, _) in entry.methods {
            assert_eq!(route(method, &older).unwrap().route, route(method, &ours).unwrap().route, "{older}");
            shared += 1;
        }
    }
    assert_eq!(shared, 16);
    let run: primitives::RunId = RUN.parse().unwrap();
    let is = |method: &str, path: &str, expected: RunRoute| {
        let path = path.replace("{run}", RUN);
        assert_eq!(route(method, &path).unwrap().route, Route::Run(expected), "{method} {path}");
    };
    is("POST", "/v1/runs", RunRoute::Create);
    is("GET", "/v1/runs/{run}", RunRoute::Show { run: run.clone() });
    is("GET", "/v1/runs/{run}/events", RunRoute::Events { run: run.clone() });
    is("GET", "/v1/runs/{run}/socket", RunRoute::Socket { run: run.clone() });
    is("POST", "/v1/runs/{run}/browser-result", RunRoute::BrowserResult { run: run.clone() });
    is("POST", "/v1/runs/{run}/wallet-state", RunRoute::WalletState { run: run.clone() });
    is("POST", "/v1/runs/{run}/executor", RunRoute::Rebind { run });
    for path in
        ["/v1/runs/run_1", "/v1/runs/RUN_AAAAAAAAAAAAAAAAAAAAAAAAAA", "/v1/runs/", "/v1/executors/you"]
    {
        assert_eq!(route("GET", path), Err(NoRoute::NotFound), "{path}");
    }
}

#[test]
fn no_other_spelling_reaches_the_paid_route() {
    for path in [
        "//v1/gigs/create",
        "/v1//gigs/create",
        "/v1/gigs/create/",
        "/v1/gigs/Create",
        "/V1/gigs/create",
        "/v1/gigs%2fcreate",
        "/v1/gigs/cre%61te",
        "/v1/./gigs/create",
        "/v1/gigs/../gigs/create",
        "/v1/gigs/create;a",
        "/v1/gigs/not-a-uuid/status",
        "/v1/mandates/0xaa",
        "/v1/mandates/00000000000000000000000000000000000000000000000000000000000000aa00",
        "/v1/agents/0xaa",
        &format!("/v1/mandates/{NAME}/requests/{NAME}/spend"),
    ] {
        assert_eq!(route("POST", path), Err(NoRoute::NotFound), "{path}");
    }
    assert!(matches!(route("HEAD", "/v1/gigs/create"), Err(NoRoute::MethodNotAllowed { .. })));
}

#[test]
fn what_a_cookie_decides_is_for_our_own_pages() {
    for path in
        ["auth/nonce", "auth/verify", "auth/session", "auth/logout", "mandates", "approvals", "activity"]
    {
        assert_eq!(readers(&format!("/v1/{path}")), Readers::SameOrigin);
        assert_eq!(readers(&format!("/api/{path}")), Readers::SameOrigin);
    }
    for path in ["/", "/mcp", "/v1/gigs/create", "/v1/auth", "/nowhere", "/v1/agent/payments"] {
        assert_eq!(readers(path), Readers::Anyone, "{path}");
    }
}
