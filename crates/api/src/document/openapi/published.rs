//! What the board says about itself: cards, texts, this document, health, and the MCP address.

use serde_json::{Map, Value, json};

use super::parts::{answer, json_body, parameter, responses_of, schema, with_correlation};

pub(super) fn paths() -> Map<String, Value> {
    Map::from_iter(
        [
            ("/", json!({ "get": root() })),
            ("/.well-known/agent-card.json", json!({ "get": card("getAgentCard") })),
            ("/.well-known/llms.txt", json!({ "get": text("getInstructions") })),
            ("/v1/system/docs", json!({ "get": text("getInstructionsByApiPath") })),
            ("/v1/openapi.json", json!({ "get": this_document() })),
            ("/health", json!({ "get": health("getHealth") })),
            ("/healthz", json!({ "get": health("getHealthByOlderPath") })),
            ("/mcp", json!({ "post": mcp_endpoint() })),
        ]
        .map(|(path, item)| (path.to_owned(), item)),
    )
}

fn card(operation: &str) -> Value {
    json!({
        "operationId": operation,
        "tags": ["published"],
        "summary": "The A2A 1.0 agent card",
        "parameters": [parameter("CorrelationId")],
        "security": [],
        "responses": responses_of(&[("200", answer("The card.", schema("AgentCard"), &[]))], &[405]),
    })
}

fn root() -> Value {
    let mut operation = card("getRoot");
    if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
        let location = json!({ "description": "/.well-known/llms.txt", "schema": { "type": "string" } });
        responses.insert(
            "307".to_owned(),
            json!({ "description": "To the instructions, when Accept names text/markdown.", "headers": { "Location": location } }),
        );
    }
    operation
}

fn text(operation: &str) -> Value {
    json!({
        "operationId": operation,
        "tags": ["published"],
        "summary": "Instructions for agents, in Markdown",
        "parameters": [parameter("CorrelationId")],
        "security": [],
        "responses": responses_of(
            &[("200", json!({
                "description": "The whole flow with every body, header and error.",
                "headers": with_correlation(&[]),
                "content": { "text/plain": { "schema": { "type": "string" } } },
            }))],
            &[405],
        ),
    })
}

fn this_document() -> Value {
    json!({
        "operationId": "getOpenApi",
        "tags": ["published"],
        "summary": "This document",
        "parameters": [parameter("CorrelationId")],
        "security": [],
        "responses": responses_of(&[("200", answer("OpenAPI 3.1.", json!({ "type": "object" }), &[]))], &[405]),
    })
}

fn health(operation: &str) -> Value {
    json!({
        "operationId": operation,
        "tags": ["published"],
        "summary": "Whether the board can work",
        "parameters": [parameter("CorrelationId")],
        "security": [],
        "responses": {
            "200": answer("Everything that it needs is there.", schema("HealthAnswer"), &[]),
            "405": { "$ref": "#/components/responses/Problem405" },
            "503": answer("Something is missing; `checks` says what.", schema("HealthAnswer"), &["Retry-After"]),
        },
    })
}

fn mcp_endpoint() -> Value {
    let message = json!({
        "type": "object",
        "description": "One JSON-RPC 2.0 message.",
        "required": ["jsonrpc"],
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": { "type": ["string", "integer"] },
            "method": { "type": "string" },
            "params": { "type": "object" },
        },
    });
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } });
    json!({
        "operationId": "callMcp",
        "tags": ["published"],
        "summary": "Model Context Protocol, Streamable HTTP without sessions",
        "description": "Revisions 2026-07-28, 2025-11-25 and 2025-06-18. Tools get_active_gigs and get_gig_status; resources guildhall://contracts/openapi and guildhall://contracts/manifest. The contract is the MCP specification.",
        "parameters": [
            header("MCP-Protocol-Version", "The revision; required by 2026-07-28."),
            header("Mcp-Method", "The method, again; required by 2026-07-28."),
            header("Mcp-Name", "The tool's name or the resource's URI, again; required by 2026-07-28."),
            parameter("CorrelationId"),
        ],
        "requestBody": { "required": true, "content": json_body(message) },
        "security": [],
        "responses": {
            "200": answer("A result, or an error of the method.", json!({ "type": "object" }), &[]),
            "202": { "description": "Accepted, with nothing to say: the message was a notification.", "headers": with_correlation(&[]) },
            "400": answer("No message that can be read, headers that contradict it, or a revision that is not served.", json!({ "type": "object" }), &[]),
            "403": { "$ref": "#/components/responses/Problem403" },
            "404": answer("A method that is not there (2026-07-28).", json!({ "type": "object" }), &[]),
            "405": { "$ref": "#/components/responses/Problem405" },
            "413": { "$ref": "#/components/responses/Problem413" },
            "503": { "$ref": "#/components/responses/Problem503" },
        },
    })
}
