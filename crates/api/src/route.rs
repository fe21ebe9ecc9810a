//! What a method and a path ask for. Paths are matched as they are written: no decoding, no folding of slashes or
//! case, so that no other spelling of a paid path exists.

use std::sync::OnceLock;

use matchit::Router;
use primitives::GigId;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// `POST /v1/gigs/create`, paid.
    CreateGig,
    /// `POST /v1/gigs/claim`.
    ClaimGig,
    /// `GET /v1/gigs/discover`.
    DiscoverGigs,
    /// `GET /v1/gigs/{id}/status`.
    GigStatus(GigId),
    /// `POST /v1/gigs/{id}/lifecycle`.
    GigLifecycle(GigId),
    /// `POST /v1/gigs/{id}/reconnect`.
    GigReconnect(GigId),
    /// `POST /v1/gigs/{id}/ticket`.
    GigTicket(GigId),
    /// `GET /v1/gigs/{id}/tunnel`.
    GigTunnel(GigId),
    /// `GET /v1/gigs/{id}/journal`.
    GigJournal(GigId),
    /// `POST /mcp`.
    Mcp,
    /// `GET /` and `GET /.well-known/agent-card.json`.
    AgentCard,
    /// `GET /.well-known/llms.txt` and `GET /v1/system/docs`.
    Llms,
    /// `GET /v1/openapi.json`.
    OpenApi,
    /// `GET /health`.
    Health,
    /// `POST /__test/{hook}`, in development with hooks enabled.
    TestHook,
}

/// Why nothing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRoute {
    /// No such path.
    NotFound,
    /// The path takes this method only.
    MethodNotAllowed {
        /// For the `Allow` header.
        allow: &'static str,
    },
}

type Make = fn(Option<GigId>) -> Option<Route>;

struct Entry {
    method: &'static str,
    make: Make,
}

fn table() -> &'static Router<Entry> {
    static TABLE: OnceLock<Router<Entry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entries: [(&str, &'static str, Make); 18] = [
            ("/v1/gigs/create", "POST", |_| Some(Route::CreateGig)),
            ("/v1/gigs/claim", "POST", |_| Some(Route::ClaimGig)),
            ("/v1/gigs/discover", "GET", |_| Some(Route::DiscoverGigs)),
            ("/v1/gigs/{id}/status", "GET", |id| id.map(Route::GigStatus)),
            ("/v1/gigs/{id}/lifecycle", "POST", |id| id.map(Route::GigLifecycle)),
            ("/v1/gigs/{id}/reconnect", "POST", |id| id.map(Route::GigReconnect)),
            ("/v1/gigs/{id}/ticket", "POST", |id| id.map(Route::GigTicket)),
            ("/v1/gigs/{id}/tunnel", "GET", |id| id.map(Route::GigTunnel)),
            ("/v1/gigs/{id}/journal", "GET", |id| id.map(Route::GigJournal)),
            ("/mcp", "POST", |_| Some(Route::Mcp)),
            ("/", "GET", |_| Some(Route::AgentCard)),
            ("/.well-known/agent-card.json", "GET", |_| Some(Route::AgentCard)),
            ("/.well-known/llms.txt", "GET", |_| Some(Route::Llms)),
            ("/v1/system/docs", "GET", |_| Some(Route::Llms)),
            ("/v1/openapi.json", "GET", |_| Some(Route::OpenApi)),
            ("/health", "GET", |_| Some(Route::Health)),
            ("/__test/{hook}", "POST", |_| Some(Route::TestHook)),
            ("/__test/{hook}/{name}", "POST", |_| Some(Route::TestHook)),
        ];
        let mut router = Router::new();
        for (path, method, make) in entries {
            // Only two equal paths could fail here; a test reads every path back.
            let _ = router.insert(path, Entry { method, make });
        }
        router
    })
}

/// Finds what `method` on `path` asks for. `HEAD` is a `GET` whose body is dropped.
///
/// # Errors
/// [`NoRoute`], for 404 and 405.
pub fn route(method: &str, path: &str) -> Result<Route, NoRoute> {
    let found = table().at(path).map_err(|_| NoRoute::NotFound)?;
    let id = found.params.get("id").and_then(|text| text.parse().ok());
    let target = (found.value.make)(id).ok_or(NoRoute::NotFound)?;
    let wanted = found.value.method;
    if method == wanted || (method == "HEAD" && wanted == "GET") {
        return Ok(target);
    }
    Err(NoRoute::MethodNotAllowed { allow: if wanted == "GET" { "GET, HEAD" } else { "POST" } })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "00000000-0000-8000-8000-000000000001";

    #[test]
    fn every_path_is_found_by_its_method_alone() {
        for (method, path) in [
            ("POST", "/v1/gigs/create".to_owned()),
            ("POST", "/v1/gigs/claim".to_owned()),
            ("GET", "/v1/gigs/discover".to_owned()),
            ("GET", format!("/v1/gigs/{ID}/status")),
            ("POST", format!("/v1/gigs/{ID}/lifecycle")),
            ("POST", format!("/v1/gigs/{ID}/reconnect")),
            ("POST", format!("/v1/gigs/{ID}/ticket")),
            ("GET", format!("/v1/gigs/{ID}/tunnel")),
            ("GET", format!("/v1/gigs/{ID}/journal")),
            ("POST", "/mcp".to_owned()),
            ("GET", "/".to_owned()),
            ("GET", "/.well-known/agent-card.json".to_owned()),
            ("GET", "/.well-known/llms.txt".to_owned()),
            ("GET", "/v1/system/docs".to_owned()),
            ("GET", "/v1/openapi.json".to_owned()),
            ("GET", "/health".to_owned()),
        ] {
            assert!(route(method, &path).is_ok(), "{method} {path}");
            for other in ["GET", "POST", "PUT", "PATCH", "DELETE", "get", ""] {
                if other != method {
                    assert!(
                        matches!(route(other, &path), Err(NoRoute::MethodNotAllowed { .. })),
                        "{other} {path}"
                    );
                }
            }
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
        ] {
            assert_eq!(route("POST", path), Err(NoRoute::NotFound), "{path}");
        }
        assert!(matches!(route("HEAD", "/v1/gigs/create"), Err(NoRoute::MethodNotAllowed { .. })));
    }
}
