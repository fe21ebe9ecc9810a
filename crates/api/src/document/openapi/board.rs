//! The gig board's routes.

use serde_json::{Map, Value, json};

use super::parts::{answer, parameter, problem, request, responses_of, schema, with_correlation};
use super::schemas::one_of_messages;

/// What any body can be refused for.
const BODY: [u16; 3] = [400, 413, 415];

pub(super) fn paths() -> Map<String, Value> {
    Map::from_iter(
        [
            ("/v1/gigs/create", json!({ "post": create() })),
            ("/v1/gigs/discover", json!({ "get": discover() })),
            ("/v1/gigs/claim", json!({ "post": claim() })),
            ("/v1/gigs/{id}/status", json!({ "get": status() })),
            ("/v1/gigs/{id}/tunnel", json!({ "get": tunnel() })),
            ("/v1/gigs/{id}/ticket", json!({ "post": ticket() })),
            ("/v1/gigs/{id}/reconnect", json!({ "post": reconnect() })),
            ("/v1/gigs/{id}/lifecycle", json!({ "post": lifecycle() })),
            ("/v1/gigs/{id}/journal", json!({ "get": journal() })),
        ]
        .map(|(path, item)| (path.to_owned(), item)),
    )
}

fn refusals(others: &[u16]) -> Vec<u16> {
    BODY.iter().chain(others).copied().collect()
}

fn create() -> Value {
    let created = "The gig is posted and paid for. A replay gives the same gig, with a fresh grant while the first is unused and with `null` afterwards.";
    let unpaid = "Nothing was posted. With PAYMENT-REQUIRED (codes payment_required, payment_unreadable, payment_invalid): pay, or pay again; nothing was charged. With PAYMENT-RESPONSE instead: payment_refused was not charged; settlement_pending (whose receipt names the transaction) and settlement_unknown may yet be, so send the same body and the same payment again after Retry-After.";
    json!({
        "operationId": "createGig",
        "tags": ["board"],
        "summary": "Post a gig, behind an x402 payment",
        "description": "Without a payment header the answer is 402, whatever the body. With one, the body is checked first: 400 charges nothing. The gig is derived from payer, sender and message_id, so that a retry is the same gig and at most one charge. A payment may carry `extensions[\"payment-identifier\"].info.id` (16 to 128 of A-Z a-z 0-9 _ -): the first payment under an identifier answers for every later one with the same request, and with another request it is 409 payment_identifier_reused.",
        "parameters": [parameter("PaymentSignature"), parameter("XPayment"), parameter("CorrelationId")],
        "requestBody": request(one_of_messages(&["TaskDelegation"])),
        "security": [],
        "responses": responses_of(
            &[
                ("201", answer(created, schema("CreateAnswer"), &["PAYMENT-RESPONSE", "Idempotency-Replayed"])),
                ("402", problem(unpaid, &["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Retry-After"])),
            ],
            &refusals(&[405, 409, 422]),
        ),
    })
}

fn discover() -> Value {
    let parameters = ["Limit", "Cursor", "TaskType", "MinBounty", "MaxBounty", "Search", "CorrelationId"];
    json!({
        "operationId": "discoverGigs",
        "tags": ["board"],
        "summary": "List gigs that wait for a worker, newest first",
        "description": "A filtered page can hold fewer gigs than `limit`, even none, and still have a next_cursor. Unknown parameters are refused.",
        "parameters": parameters.map(parameter),
        "security": [],
        "responses": responses_of(&[("200", answer("A page of the board.", schema("DiscoverAnswer"), &[]))], &[400, 405]),
    })
}

fn claim() -> Value {
    json!({
        "operationId": "claimGig",
        "tags": ["board"],
        "summary": "Claim a gig",
        "description": "The first worker gets it. The claim lapses unless the worker joins the tunnel before claim_expires_at.",
        "parameters": [parameter("CorrelationId")],
        "requestBody": request(one_of_messages(&["TaskClaim"])),
        "security": [],
        "responses": responses_of(
            &[("200", answer("The gig is yours.", schema("ClaimAnswer"), &["Idempotency-Replayed"]))],
            &refusals(&[403, 404, 405, 409, 422]),
        ),
    })
}

fn status() -> Value {
    json!({
        "operationId": "getGigStatus",
        "tags": ["board"],
        "summary": "Say where a gig stands, as the gig itself says",
        "parameters": [parameter("GigId"), parameter("CorrelationId")],
        "security": [],
        "responses": responses_of(&[("200", answer("Where it stands.", schema("StatusAnswer"), &["ETag"]))], &[404, 405]),
    })
}

fn tunnel() -> Value {
    json!({
        "operationId": "openTunnel",
        "tags": ["work"],
        "summary": "Open the tunnel: a WebSocket between the two parties",
        "description": "Each message, text or binary, reaches the other party unchanged and in order; at most 64 KiB each. A grant opens one socket. Close codes: 1009 too large, 4001 taken over by a newer grant, 4003 ended or revoked, 4008 the peer did not come, 4029 too fast.",
        "parameters": [
            parameter("GigId"),
            { "name": "Upgrade", "in": "header", "required": true, "schema": { "type": "string", "const": "websocket" } },
            parameter("CorrelationId"),
        ],
        "security": [{ "grant": [], "identity": [] }, { "ticket": [] }],
        "responses": responses_of(
            &[
                ("101", json!({ "description": "The socket is open.", "headers": with_correlation(&[]) })),
                ("426", problem("The request is not a WebSocket upgrade.", &[])),
            ],
            &[401, 404, 405, 409],
        ),
    })
}

fn ticket() -> Value {
    json!({
        "operationId": "issueTicket",
        "tags": ["work"],
        "summary": "Change an unused grant into a one-time ticket for a browser",
        "description": "Good for 60 seconds and one socket: new WebSocket(url, [\"guildhall.tunnel.v1\", ticket]).",
        "parameters": [parameter("GigId"), parameter("CorrelationId")],
        "security": [{ "grant": [], "identity": [] }],
        "responses": responses_of(&[("200", answer("The ticket.", schema("TicketAnswer"), &[]))], &[401, 404, 405, 409]),
    })
}

fn reconnect() -> Value {
    json!({
        "operationId": "reconnect",
        "tags": ["work"],
        "summary": "Replace a grant by a fresh one",
        "description": "The old grant is void from then on. A socket that is still open is closed with 4001 when the new grant opens its own.",
        "parameters": [parameter("GigId"), parameter("CorrelationId")],
        "requestBody": request(schema("Reconnect")),
        "security": [{ "grant": [] }],
        "responses": responses_of(
            &[("200", answer("The fresh grant.", schema("ReconnectAnswer"), &["Idempotency-Replayed"]))],
            &refusals(&[401, 404, 405, 409, 422]),
        ),
    })
}

fn lifecycle() -> Value {
    let kinds = ["TaskDelivery", "TaskAcceptance", "TaskRevision", "TaskCancellation", "TaskAbandonment"];
    json!({
        "operationId": "actOnGig",
        "tags": ["work"],
        "summary": "Deliver, accept, ask for a revision, cancel, abandon",
        "description": "The grant's party is the sender. The same message_id again gives the recorded answer with `duplicate: true`.",
        "parameters": [parameter("GigId"), parameter("CorrelationId")],
        "requestBody": request(one_of_messages(&kinds)),
        "security": [{ "grant": [] }],
        "responses": responses_of(
            &[("200", answer("It took effect, now or before.", schema("LifecycleAnswer"), &["Idempotency-Replayed"]))],
            &refusals(&[401, 404, 405, 409, 422]),
        ),
    })
}

fn journal() -> Value {
    json!({
        "operationId": "getJournal",
        "tags": ["work"],
        "summary": "Read a gig's events with their hash chain",
        "description": "For the two parties, also after the end. Each hash is SHA-256 of the previous hash (32 bytes, zero before the first) and the JSON of {at, correlation_id, event, seq} with sorted keys and without spaces.",
        "parameters": [parameter("GigId"), parameter("CorrelationId")],
        "security": [{ "grant": [], "identity": [] }],
        "responses": responses_of(
            &[("200", answer("Every event, oldest first.", schema("JournalAnswer"), &[]))],
            &[401, 404, 405],
        ),
    })
}
