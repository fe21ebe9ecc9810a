//! How owners sign in.

use serde_json::{Map, Value, json};

use super::parts::{answer, parameter, request, responses_of, schema, with_correlation};

pub(super) fn paths() -> Map<String, Value> {
    let here = ["/v1/auth", "/api/auth"].into_iter().zip(["", "ByApiPath"]);
    let items = here.flat_map(|(under, name)| {
        [
            (format!("{under}/nonce"), json!({ "post": nonce(name) })),
            (format!("{under}/verify"), json!({ "post": verify(name) })),
            (format!("{under}/session"), json!({ "get": session(name) })),
            (format!("{under}/logout"), json!({ "post": logout(name) })),
        ]
    });
    items.collect()
}

fn nonce(name: &str) -> Value {
    json!({
        "operationId": format!("askForNonce{name}"),
        "tags": ["owners"],
        "summary": "Ask for what a wallet is to sign (EIP-4361)",
        "description": "The nonce is bound to the cookie that comes with it, and the next nonce for that cookie takes its place.",
        "parameters": [parameter("CorrelationId")],
        "security": [],
        "responses": responses_of(
            &[("200", answer("What the message must say.", schema("SignInChallenge"), &["Set-Cookie"]))],
            &[403, 405, 409],
        ),
    })
}

fn verify(name: &str) -> Value {
    json!({
        "operationId": format!("signIn{name}"),
        "tags": ["owners"],
        "summary": "Sign in with a signed message (EIP-4361)",
        "description": "Each nonce is good for one try. The cookie is replaced: the old one opens nothing from then on. Signing in moves no money and permits nobody to move any.",
        "parameters": [parameter("CorrelationId")],
        "requestBody": request(schema("SignIn")),
        "security": [{ "session": [] }],
        "responses": responses_of(
            &[("200", answer("Signed in.", schema("SessionAnswer"), &["Set-Cookie"]))],
            &[400, 401, 403, 405, 409, 413, 415],
        ),
    })
}

fn session(name: &str) -> Value {
    json!({
        "operationId": format!("getSession{name}"),
        "tags": ["owners"],
        "summary": "Say who is signed in",
        "parameters": [parameter("CorrelationId")],
        "security": [{ "session": [] }],
        "responses": responses_of(&[("200", answer("The session.", schema("SessionAnswer"), &[]))], &[401, 405]),
    })
}

fn logout(name: &str) -> Value {
    let gone = json!({
        "description": "The session is over, if there was one, and the cookie is cleared.",
        "headers": with_correlation(&["Set-Cookie"]),
    });
    json!({
        "operationId": format!("signOut{name}"),
        "tags": ["owners"],
        "summary": "Sign out",
        "parameters": [parameter("CorrelationId")],
        "security": [{ "session": [] }, {}],
        "responses": responses_of(&[("204", gone)], &[403, 405]),
    })
}
