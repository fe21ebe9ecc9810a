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
    /// `POST /v1/auth/nonce`.
    SignInNonce,
    /// `POST /v1/auth/verify`.
    SignIn,
    /// `GET /v1/auth/session`.
    Session,
    /// `POST /v1/auth/logout`.
    SignOut,
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

/// Whose pages in a browser may read an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Those of any origin.
    Anyone,
    /// Our own alone: the answer depends on a cookie.
    SameOrigin,
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
        let entries: [(&str, &'static str, Make); 26] = [
            ("/v1/gigs/create", "POST", |_| Some(Route::CreateGig)),
            ("/v1/gigs/claim", "POST", |_| Some(Route::ClaimGig)),
            ("/v1/gigs/discover", "GET", |_| Some(Route::DiscoverGigs)),
            ("/v1/gigs/{id}/status", "GET", |id| id.map(Route::GigStatus)),
            ("/v1/gigs/{id}/lifecycle", "POST", |id| id.map(Route::GigLifecycle)),
            ("/v1/gigs/{id}/reconnect", "POST", |id| id.map(Route::GigReconnect)),
            ("/v1/gigs/{id}/ticket", "POST", |id| id.map(Route::GigTicket)),
            ("/v1/gigs/{id}/tunnel", "GET", |id| id.map(Route::GigTunnel)),
            ("/v1/gigs/{id}/journal", "GET", |id| id.map(Route::GigJournal)),
            ("/v1/auth/nonce", "POST", |_| Some(Route::SignInNonce)),
            ("/v1/auth/verify", "POST", |_| Some(Route::SignIn)),
            ("/v1/auth/session", "GET", |_| Some(Route::Session)),
            ("/v1/auth/logout", "POST", |_| Some(Route::SignOut)),
            ("/api/auth/nonce", "POST", |_| Some(Route::SignInNonce)),
            ("/api/auth/verify", "POST", |_| Some(Route::SignIn)),
            ("/api/auth/session", "GET", |_| Some(Route::Session)),
            ("/api/auth/logout", "POST", |_| Some(Route::SignOut)),
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

/// Whose pages may read what is answered on `path`, refusals included.
pub fn readers(path: &str) -> Readers {
    let target = table().at(path).ok().and_then(|found| (found.value.make)(None));
    match target {
        Some(Route::SignInNonce | Route::SignIn | Route::Session | Route::SignOut) => Readers::SameOrigin,
        Some(_) | None => Readers::Anyone,
    }
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
            ("POST", "/v1/auth/nonce".to_owned()),
            ("POST", "/v1/auth/verify".to_owned()),
            ("GET", "/v1/auth/session".to_owned()),
            ("POST", "/v1/auth/logout".to_owned()),
            ("POST", "/api/auth/nonce".to_owned()),
            ("POST", "/api/auth/verify".to_owned()),
            ("GET", "/api/auth/session".to_owned()),
            ("POST", "/api/auth/logout".to_owned()),
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

    #[test]
    fn what_a_cookie_decides_is_for_our_own_pages() {
        for path in ["nonce", "verify", "session", "logout"] {
            assert_eq!(readers(&format!("/v1/auth/{path}")), Readers::SameOrigin);
            assert_eq!(readers(&format!("/api/auth/{path}")), Readers::SameOrigin);
        }
        for path in ["/", "/mcp", "/v1/gigs/create", "/v1/auth", "/nowhere"] {
            assert_eq!(readers(path), Readers::Anyone, "{path}");
        }
    }
}
