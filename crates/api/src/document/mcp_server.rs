//! What is offered over MCP: two tools that look at the board, those of mandates and of purchase runs, and two documents.

use std::sync::LazyLock;

use mcp::{Annotations, Resource, Server, Tool};
use serde_json::{Value, json};

use super::manifest::CONTRACT_VERSION;
use super::{mandate_tools, run_tools};
use crate::limits;

/// The tool that lists open gigs.
pub const GET_ACTIVE_GIGS: &str = "get_active_gigs";
/// The tool that says where one gig stands.
pub const GET_GIG_STATUS: &str = "get_gig_status";
/// The resource that holds the OpenAPI document.
pub const OPENAPI_URI: &str = "guildhall://contracts/openapi";
/// The resource that holds the contract manifest.
pub const MANIFEST_URI: &str = "guildhall://contracts/manifest";

/// The lists change only with a deployment; five minutes later every client has seen it.
const KEEP_MS: u32 = 300_000;

/// The board as an MCP server, built once.
///
/// No tool has an `outputSchema`: clients of contract 1.0 read `content[0].text` of `get_active_gigs` as a JSON array,
/// while the structured form of a result must be an object.
pub fn server() -> &'static Server {
    static SERVER: LazyLock<Server> = LazyLock::new(|| Server {
        name: "guildhall",
        title: "Guildhall",
        version: CONTRACT_VERSION,
        instructions: "A board of paid gigs, mandates (budgets that owners give to agents), and purchase runs. To work: \
                       get_active_gigs, POST /v1/gigs/claim, meet the buyer in its tunnel. To post: POST \
                       /v1/gigs/create, paid by x402. To pay from a mandate: evaluate_payment, sign its typedData with \
                       the agent's key, request_payment; above a threshold the owner alone approves, at approvalUrl. To \
                       buy: start_run, get_run, confirm_run. Every body is at /.well-known/llms.txt; the contract is \
                       the resource guildhall://contracts/openapi.",
        tools: [active_gigs(), gig_status()]
            .into_iter()
            .chain(mandate_tools::tools())
            .chain(run_tools::tools())
            .collect(),
        resources: vec![
            Resource {
                uri: OPENAPI_URI,
                name: "guildhall-openapi",
                title: "OpenAPI document",
                description: "Every route, body, header and status of the board, as OpenAPI 3.1",
                mime_type: "application/json",
            },
            Resource {
                uri: MANIFEST_URI,
                name: "guildhall-contract-manifest",
                title: "Contract manifest",
                description: "The versions of every protocol that the board speaks",
                mime_type: "application/json",
            },
        ],
        keep_ms: KEEP_MS,
    });
    &SERVER
}

fn active_gigs() -> Tool {
    Tool {
        name: GET_ACTIVE_GIGS,
        title: "Find open gigs",
        description: "Lists gigs that wait for a worker, newest first, as a JSON array of gig records. Filter by kind \
                      of work, bounty and words. structuredContent holds the same gigs and next_cursor for the next \
                      page.",
        input_schema: object(
            &json!({
                "task_type": {
                    "type": "string",
                    "enum": ["web_scrape", "data_extraction", "computation", "api_relay", "custom"],
                    "description": "Only this kind of work.",
                },
                "min_bounty": bounty("The lowest bounty, in satoshi."),
                "max_bounty": bounty("The highest bounty, in satoshi."),
                "q": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": limits::SEARCH_MAX,
                    "description": "Only gigs whose title or description contains this text.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": limits::PAGE_MAX,
                    "default": limits::PAGE_MAX,
                    "description": "How many gigs a page holds.",
                },
                "cursor": {
                    "type": "string",
                    "description": "next_cursor of the page before, with the same filters.",
                },
            }),
            &[],
        ),
        annotations: Annotations::READS,
    }
}

fn gig_status() -> Tool {
    Tool {
        name: GET_GIG_STATUS,
        title: "Look at one gig",
        description: "Says where one gig stands: its lifecycle state and version, its deadlines, and why it ended if \
                      it has.",
        input_schema: object(
            &json!({
                "gig_id": { "type": "string", "format": "uuid", "description": "The gig's id." },
            }),
            &["gig_id"],
        ),
        annotations: Annotations::READS,
    }
}

pub(super) fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn bounty(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": limits::BOUNTY_MAX, "description": description })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_published_contract() {
        let names: Vec<_> = server().tools.iter().map(|tool| tool.name).collect();
        let of_mandates = ["get_mandate_budget", "evaluate_payment", "request_payment", "get_payment"];
        let of_runs = ["start_run", "get_run", "confirm_run", "cancel_run"];
        let of_gigs = ["get_active_gigs", "get_gig_status"];
        assert_eq!(names, [of_gigs.as_slice(), &of_mandates, &of_runs].concat());
        let uris: Vec<_> = server().resources.iter().map(|resource| resource.uri).collect();
        assert_eq!(uris, ["guildhall://contracts/openapi", "guildhall://contracts/manifest"]);
    }

    #[test]
    fn hosts_can_take_every_tool() {
        // Claude Code drops tools with these at the root; prefixes and model APIs bound the name.
        for tool in &server().tools {
            assert!(
                tool.name.len() <= 40
                    && tool.name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
            );
            assert_eq!(tool.input_schema["type"], json!("object"));
            assert_eq!(tool.input_schema["additionalProperties"], json!(false));
            for keyword in ["oneOf", "anyOf", "allOf", "if", "$ref"] {
                assert!(tool.input_schema.get(keyword).is_none(), "{} has {keyword}", tool.name);
            }
        }
        assert!(server().instructions.len() < 600, "{} characters", server().instructions.len());
        // Hosts put every schema into a prompt. Four characters are about a token.
        let characters: usize = server()
            .tools
            .iter()
            .map(|tool| tool.description.len() + tool.input_schema.to_string().len())
            .sum();
        assert!(characters < 12_000, "{characters} characters of tools");
    }
}
