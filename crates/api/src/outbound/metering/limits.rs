//! Who is not let in, and how often whoever is may ask (draft-ietf-httpapi-ratelimit-headers-10).

use primitives::UnixMillis;
use tenant::rate::Standing;

use crate::problem::Problem;

/// What goes with every 401 (RFC 9110, section 11.6.1).
pub const CHALLENGE: (&str, &str) = ("www-authenticate", "Bearer realm=\"guildhall\"");

/// There is no API key.
pub fn key_missing() -> Problem {
    Problem::new(401, "missing_api_key", "Send an API key as `Authorization: Bearer gld_…`.")
}

/// The operator's token is missing or another one.
pub fn operator_missing() -> Problem {
    let detail = "This is for the operator of the platform. Send its token as `Authorization: Bearer …`.";
    Problem::new(401, "operator_token_missing", detail)
}

/// There were too many requests of a `policy`: `key` or `address`.
pub fn too_often(policy: &str) -> Problem {
    let detail = format!(
        "There were too many requests of this {policy}. Try again after the seconds that Retry-After names."
    );
    Problem::new(429, "rate_limited", detail)
}

/// In how many whole seconds a window ends, at the latest.
pub fn ends_in(standing: &Standing, now: UnixMillis) -> u64 {
    standing.reset_at.since(now).0.div_ceil(1_000)
}

/// The fields `RateLimit-Policy` and `RateLimit`.
pub fn rate_headers(policy: &str, standing: &Standing, now: UnixMillis) -> [(&'static str, String); 2] {
    let (quota, window) = (standing.rate.quota, standing.rate.window.0.div_ceil(1_000));
    let (left, reset) = (standing.remaining, ends_in(standing, now));
    [
        ("ratelimit-policy", format!("\"{policy}\";q={quota};w={window}")),
        ("ratelimit", format!("\"{policy}\";r={left};t={reset}")),
    ]
}
