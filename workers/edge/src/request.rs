//! A request as the routes see it.

use core::cell::OnceCell;

use api::inbound;
use api::limits::BODY_BYTES_MAX;
use api::problem::Problem;
use api::sign_in::cookie;
use primitives::{AgentIdentity, CorrelationId, Digest, Secret, SecretKind};
use serde_json::Value;
use shell::fresh_correlation_id;
use worker::Env;

use crate::rejection::Rejection;

/// What every route needs.
pub struct Incoming {
    /// The bindings.
    pub env: Env,
    /// The request.
    pub request: web_sys::Request,
    /// What ties together everything that this request causes.
    pub correlation_id: CorrelationId,
    /// Scheme and host, such as `https://board.example`.
    pub origin: String,
    /// The path as it was sent.
    pub path: String,
    /// The query without its question mark.
    pub query: String,
    /// The body, once it was read.
    body: OnceCell<String>,
}

impl Incoming {
    /// Reads what every route needs.
    pub fn new(request: web_sys::Request, env: Env) -> Self {
        let url = request.url();
        let scheme = url.find("://").map_or(0, |at| at.saturating_add(3));
        let rest = url.get(scheme..).unwrap_or_default();
        let path_at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let origin = url.get(..scheme.saturating_add(path_at)).unwrap_or_default().to_owned();
        let target = rest.get(path_at..).unwrap_or_default().split('#').next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path = if path.is_empty() { "/" } else { path };
        let (path, query) = (path.to_owned(), query.to_owned());
        let headers = request.headers();
        let header = |name: &str| headers.get(name).ok().flatten();
        let given = |name: &str| header(name).and_then(|text| text.parse().ok());
        let correlation_id = given("x-correlation-id").or_else(|| given("x-request-id"));
        let correlation_id = correlation_id.unwrap_or_else(fresh_correlation_id);
        Self { env, request, correlation_id, origin, path, query, body: OnceCell::new() }
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<String> {
        self.request.headers().get(name).ok().flatten()
    }

    /// The body as JSON, with an A2A Message unwrapped.
    pub async fn json(&self) -> Result<Value, Rejection> {
        let content_type = self.header("content-type");
        let text = self.text().await?;
        Ok(inbound::body(content_type.as_deref(), text)?)
    }

    /// The body as JSON, or null when there is none.
    pub async fn json_or_nothing(&self) -> Result<Value, Rejection> {
        if self.text().await?.is_empty() { Ok(Value::Null) } else { self.json().await }
    }

    /// The body as text, bounded.
    pub async fn text(&self) -> Result<&str, Rejection> {
        if self.body.get().is_none() {
            let text = runtime::bounded_text(&self.request, BODY_BYTES_MAX).await?;
            let _ = self.body.set(text.ok_or_else(inbound::too_large)?);
        }
        Ok(self.body.get().map_or("", String::as_str))
    }

    /// The query's pairs, decoded as forms are.
    pub fn pairs(&self) -> Vec<(String, String)> {
        worker::Url::parse(&format!("https://query/?{}", self.query))
            .map(|url| url.query_pairs().into_owned().collect())
            .unwrap_or_default()
    }

    /// Whether it may change something.
    pub fn is_write(&self) -> bool {
        !matches!(self.request.method().as_str(), "GET" | "HEAD")
    }

    /// The digest of the bearer grant.
    pub fn grant(&self) -> Result<Digest, Rejection> {
        let header = self.header("authorization").unwrap_or_default();
        let (scheme, token) = header.split_once(' ').unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Problem::new(
                401,
                "missing_credentials",
                "Send the grant you were issued as `Authorization: Bearer gld_grant_…`.",
            )
            .into());
        }
        Secret::parse(SecretKind::Grant, token.trim()).map(|grant| grant.digest()).map_err(|_| {
            Problem::new(401, "invalid_grant", "The bearer token is not a grant as it was issued.").into()
        })
    }

    /// The secret of the session that the cookie names.
    pub fn session(&self) -> Option<Secret> {
        self.header("cookie").as_deref().and_then(cookie::read)
    }

    /// The identity that the grant is bound to.
    pub fn identity(&self) -> Result<AgentIdentity, Rejection> {
        let header = self.header("x-agent-identity").unwrap_or_default();
        header.trim().parse().map_err(|_| {
            Problem::new(
                401,
                "missing_credentials",
                "Send the identity that came with the grant as `X-Agent-Identity`.",
            )
            .into()
        })
    }
}
