//! What the routes share: parameters, headers, refusals, and the ways in which a caller proves who it is.

use serde_json::{Map, Value, json};

use crate::limits;
use crate::sign_in::cookie;

/// A reference to a schema.
pub(super) fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A reference to a header.
pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// A reference to a parameter.
pub(super) fn parameter(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

/// A JSON body of this schema.
pub(super) fn json_body(schema: Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

/// A request body that must be sent.
pub(super) fn request(schema: Value) -> Value {
    json!({ "required": true, "content": json_body(schema) })
}

/// A JSON answer with the headers that every answer has, and these.
pub(super) fn answer(description: &str, schema: Value, headers: &[&str]) -> Value {
    json!({ "description": description, "headers": with_correlation(headers), "content": json_body(schema) })
}

/// Named headers, after the one that every answer has.
pub(super) fn with_correlation(headers: &[&str]) -> Value {
    core::iter::once(&"X-Correlation-ID")
        .chain(headers)
        .map(|name| ((*name).to_owned(), header(name)))
        .collect()
}

/// The statuses of a route: those given, and refusals by status.
pub(super) fn responses_of(answers: &[(&str, Value)], refusals: &[u16]) -> Value {
    let mut all: Map<String, Value> =
        answers.iter().map(|(status, answer)| ((*status).to_owned(), answer.clone())).collect();
    for status in refusals.iter().chain(&[429, 500, 503]) {
        all.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/Problem{status}") }));
    }
    Value::Object(all)
}

pub(super) fn parameters() -> Value {
    json!({
        "GigId": {
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The gig's id.",
            "schema": { "type": "string", "format": "uuid" },
        },
        "CorrelationId": {
            "name": "X-Correlation-ID",
            "in": "header",
            "description": "A name for everything that this request causes; repeated in the answer when it is safe to log. X-Request-Id is another name of this header.",
            "schema": { "type": "string" },
        },
        "PaymentSignature": {
            "name": "PAYMENT-SIGNATURE",
            "in": "header",
            "description": "Standard padded base64 of an X402PaymentPayload.",
            "schema": encoded("X402PaymentPayload"),
        },
        "XPayment": {
            "name": "X-PAYMENT",
            "in": "header",
            "deprecated": true,
            "description": "Another name of PAYMENT-SIGNATURE, with the same content.",
            "schema": encoded("X402PaymentPayload"),
        },
        "MandateId": path("mandate", "The mandate's id.", schema("Hash")),
        "Reference": path("reference", "The payment's name, or the id that the agent gave its request.", schema("Hash")),
        "AgentAddress": path("agent", "The agent's address.", schema("Address")),
        "DraftId": path("draft", "The draft's id, such as `dft_…`.", json!({ "type": "string" })),
        "IdempotencyKey": idempotency_key(false),
        "NeededIdempotencyKey": idempotency_key(true),
        "IfMatch": {
            "name": "If-Match",
            "in": "header",
            "description": "The ETag of the draft as it was read, or `*`.",
            "schema": { "type": "string", "pattern": "^(\\*|\"[0-9]+\")$" },
        },
        "RunId": path("run", "The run's id.", schema("RunId")),
        "RunKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A name of yours for this run that nobody guesses, such as a fresh UUID.",
            "schema": { "type": "string", "pattern": format!("^[!-~]{{{},{}}}$", limits::RUN_KEY_MIN, limits::RUN_KEY_MAX) },
        },
        "After": query("after", "The number of an event; those after it are wanted. 0 is before the first.", json!({ "type": "integer", "minimum": 0 })),
        "EventLimit": query("limit", "Events on a page.", json!({ "type": "integer", "minimum": 1, "maximum": limits::PAGE_MAX, "default": limits::PAGE_MAX })),
        "LastEventId": {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "For streams: the id of the event that was read last, which browsers send when they connect again. It counts for more than `after`.",
            "schema": { "type": "string" },
        },
        "Ticket": query("ticket", "A one-time ticket, for readers that send no headers.", json!({ "type": "string", "pattern": "^gld_ticket_[A-Za-z0-9_-]{43}$" })),
        "Wait": query("wait", "How long to wait for the first command, in seconds.", json!({ "type": "integer", "minimum": 0, "maximum": limits::POLL_WAIT_SECONDS_MAX, "default": 0 })),
        "CommandLimit": query("limit", "Commands at most.", json!({ "type": "integer", "minimum": 1, "maximum": limits::POLL_COMMANDS_MAX, "default": limits::POLL_COMMANDS_MAX })),
        "Upgrade": { "name": "Upgrade", "in": "header", "required": true, "schema": { "type": "string", "const": "websocket" } },
        "PageLimit": query("limit", "Rows on a page.", json!({ "type": "integer", "minimum": 1, "maximum": limits::PAGE_MAX, "default": limits::PAGE_DEFAULT })),
        "PageCursor": query("cursor", "`nextCursor` of the page before, with the same filters.", json!({ "type": "string" })),
        "Limit": query("limit", "Gigs on a page.", json!({ "type": "integer", "minimum": 1, "maximum": limits::PAGE_MAX, "default": limits::PAGE_MAX })),
        "Cursor": query("cursor", "`next_cursor` of the page before, with the same filters.", json!({ "type": "string" })),
        "TaskType": query("task_type", "Only this kind of work.", schema("TaskType")),
        "MinBounty": query("min_bounty", "The lowest bounty, in satoshi.", bounty()),
        "MaxBounty": query("max_bounty", "The highest bounty, in satoshi.", bounty()),
        "Search": query("q", "Only gigs whose title or description holds this text.", json!({ "type": "string", "minLength": 1, "maxLength": limits::SEARCH_MAX })),
    })
}

/// A message of x402 in a header: JSON, then standard padded base64.
fn encoded(name: &str) -> Value {
    json!({
        "type": "string",
        "contentEncoding": "base64",
        "contentMediaType": "application/json",
        "contentSchema": schema(name),
    })
}

fn path(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

/// Some routes do without it.
fn idempotency_key(is_needed: bool) -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": is_needed,
        "description": "A name of yours for this request, such as a fresh UUID. The same request under the same key is done once.",
        "schema": { "type": "string", "pattern": "^[!-~]{1,255}$" },
    })
}

fn query(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn bounty() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": limits::BOUNTY_MAX })
}

pub(super) fn headers() -> Value {
    json!({
        "X-Correlation-ID": {
            "description": "The correlation id that was sent, or one that was made.",
            "schema": { "type": "string", "maxLength": 128 },
        },
        "Idempotency-Replayed": {
            "description": "`true` when this message had taken effect before and nothing happened now.",
            "schema": { "type": "string", "const": "true" },
        },
        "PAYMENT-REQUIRED": {
            "description": "Standard padded base64 of an X402PaymentRequired: pay this.",
            "schema": encoded("X402PaymentRequired"),
        },
        "PAYMENT-RESPONSE": {
            "description": "Standard padded base64 of an X402SettleResponse: what became of the payment. X-PAYMENT-RESPONSE repeats it when the payment came as X-PAYMENT.",
            "schema": encoded("X402SettleResponse"),
        },
        "Set-Cookie": {
            "description": "The session, for programs that keep no cookies by themselves: send what stands before the first `;` as `Cookie`. Secure, HttpOnly, SameSite=Lax.",
            "schema": { "type": "string" },
        },
        "ETag": {
            "description": "The version of what is shown. If-Match takes that of a draft.",
            "schema": { "type": "string" },
        },
        "X-Next-Cursor": {
            "description": "`cursor` of the file that goes on where this one ends; absent when it has all.",
            "schema": { "type": "string" },
        },
        "Content-Disposition": {
            "description": "The name under which a browser keeps the file.",
            "schema": { "type": "string" },
        },
        "Retry-After": {
            "description": "Seconds to wait.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "Allow": {
            "description": "The methods that this path takes.",
            "schema": { "type": "string" },
        },
    })
}

pub(super) fn responses() -> Map<String, Value> {
    let refusals: [(u16, &str, &[&str]); 12] = [
        (400, "A body, a parameter or a header breaks a rule; `errors` says where.", &[]),
        (
            401,
            "The grant is not the one in force, is used up, is over, or is bound to another identity; or nobody is signed in.",
            &[],
        ),
        (403, "The caller is known and may not do this.", &[]),
        (404, "There is no such thing on the board.", &[]),
        (405, "The path takes another method.", &["Allow"]),
        (409, "The state does not allow it; the code says which state and what to do.", &[]),
        (413, "The body is above 1 MiB.", &[]),
        (415, "The body is neither application/json nor application/a2a+json.", &[]),
        (422, "The message id stands for something else.", &[]),
        (429, "Too many requests; wait as Retry-After says.", &["Retry-After"]),
        (500, "A fault of the board's; the request can be sent again.", &[]),
        (503, "The board is not set up, paused or restarting; wait as Retry-After says.", &["Retry-After"]),
    ];
    refusals
        .into_iter()
        .map(|(status, description, headers)| (format!("Problem{status}"), problem(description, headers)))
        .collect()
}

/// A refusal, with its own headers.
pub(super) fn problem(description: &str, headers: &[&str]) -> Value {
    json!({
        "description": description,
        "headers": with_correlation(headers),
        "content": { "application/problem+json": { "schema": schema("Problem") } },
    })
}

pub(super) fn security_schemes() -> Value {
    json!({
        "grant": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "gld_grant_…",
            "description": "The newest tunnel grant of the calling party.",
        },
        "identity": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Agent-Identity",
            "description": "The `agent_identity` that the grant is bound to.",
        },
        "runToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "gld_run_…",
            "description": "The token that came with the run.",
        },
        "executorSecret": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "gld_executor_…",
            "description": "The secret that came with the executor. Its id follows from it.",
        },
        "streamTicket": {
            "type": "apiKey",
            "in": "query",
            "name": "ticket",
            "description": "A one-time ticket, good for a minute.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie::NAME,
            "description": "A browser's session. A page of another origin is refused, and gets no answer to read.",
        },
        "signature": {
            "type": "apiKey",
            "in": "header",
            "name": "Signature",
            "description": "An HTTP message signature (RFC 9421) by an Ethereum account (ERC-8128), with the headers Signature-Input and, if there is a body, Content-Digest (RFC 9530, sha-256). It covers @authority, @method, @path, @query if there is one and content-digest if there is a body, and has `created`, `expires` at most five minutes later, a fresh `nonce`, `keyid=\"eip155:<chain id>:<address in lower case>\"` and `tag=\"erc8128\"`. The account signs the signature base as a personal message (EIP-191). Each signature is good once.",
        },
        "olderSignature": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Guildhall-Signature",
            "description": "The older form, for clients that have it: with X-Guildhall-Agent (the address) and X-Guildhall-Timestamp (Unix seconds, at most five minutes off), the account's signature (EIP-191) of four lines: `guildhall-agent-auth/1`, `<method> <path and query>`, the timestamp, and the keccak-256 of the body as 0x and hexadecimal digits. It names no server and no chain; sign messages instead. X-Hestr-* are other names of the three headers, with `hestr-agent-auth/1`.",
        },
        "ticket": {
            "type": "apiKey",
            "in": "header",
            "name": "Sec-WebSocket-Protocol",
            "description": "For browsers: `guildhall.tunnel.v1, <ticket>`.",
        },
    })
}
