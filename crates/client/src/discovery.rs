//! Finding gigs: the filters, and the same search as a tool of the board's MCP server.

use api::wire::{DiscoverAnswer, TaskType};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Guildhall, transport::Call};

const SEARCHING: &str = "looking for gigs over MCP";

/// The MCP revision that we ask for; the board answers with the one it speaks.
const PROTOCOL: &str = "2025-11-25";

/// Which gigs to list. The default is every gig that can be claimed, newest first, 100 at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// How many, 1 to 100.
    pub limit: Option<u32>,
    /// Where the page begins: the `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only this kind of work.
    pub task_type: Option<TaskType>,
    /// Only gigs that offer at least this, in satoshi.
    pub min_bounty: Option<u32>,
    /// Only gigs that offer at most this, in satoshi.
    pub max_bounty: Option<u32>,
    /// Only gigs with this text in their title or description.
    pub text: Option<String>,
}

impl Filters {
    /// The filters by their names on the wire; only those that are set.
    fn named(&self) -> Vec<(&'static str, Value)> {
        [
            ("limit", self.limit.map(Value::from)),
            ("cursor", self.cursor.clone().map(Value::from)),
            ("task_type", self.task_type.map(|kind| json!(kind))),
            ("min_bounty", self.min_bounty.map(Value::from)),
            ("max_bounty", self.max_bounty.map(Value::from)),
            ("q", self.text.clone().map(Value::from)),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.map(|value| (name, value)))
        .collect()
    }

    pub(crate) fn write_to(&self, url: &mut Url) {
        for (name, value) in self.named() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            url.query_pairs_mut().append_pair(name, &text);
        }
    }
}

#[derive(Deserialize)]
struct Initialized {
    #[serde(rename = "protocolVersion")]
    protocol_version: String,
}

/// A tool's result (MCP, `CallToolResult`), as much of it as we read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult {
    #[serde(default)]
    content: Vec<Content>,
    structured_content: Option<Value>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    text: String,
}

impl Guildhall {
    /// The same search as [`Guildhall::discover`], through the tool `get_active_gigs` of the board's MCP server, as an
    /// agent finds the board that knows nothing of it but the address of its `/mcp`.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] with the tool's own words when it says no, and what every call can meet.
    pub async fn discover_mcp(&self, filters: &Filters) -> Result<DiscoverAnswer, Error> {
        let hello = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": { "name": "guildhall-client", "version": env!("CARGO_PKG_VERSION") },
        });
        let greeted: Initialized = self.ask(1, "initialize", &hello, None).await?;
        let version = greeted.protocol_version.as_str();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.transport.patiently(&self.mcp(&ready, Some(version))?).await?;
        let arguments: serde_json::Map<String, Value> =
            filters.named().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let params = json!({ "name": "get_active_gigs", "arguments": arguments });
        listed(self.ask(2, "tools/call", &params, Some(version)).await?)
    }

    /// One JSON-RPC request with its result.
    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        id: u32,
        method: &str,
        params: &Value,
        version: Option<&str>,
    ) -> Result<T, Error> {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let answer = self.transport.patiently(&self.mcp(&request, version)?).await?;
        let mut answer: Value = answer.read(SEARCHING)?;
        let refused = |why: String| Error::OutsideContract { operation: SEARCHING, why };
        if let Some(error) = answer.get("error") {
            return Err(refused(format!("{method} was refused: {error}")));
        }
        if answer.get("id") != Some(&Value::from(id)) {
            return Err(refused(format!("the answer to {method} carries another id")));
        }
        let result = answer.get_mut("result").map(Value::take).unwrap_or_default();
        serde_json::from_value(result).map_err(|why| refused(format!("the result of {method}: {why}")))
    }

    fn mcp(&self, message: &Value, version: Option<&str>) -> Result<Call, Error> {
        let mut call =
            self.transport.post(SEARCHING, "mcp", message)?.accepting("application/json, text/event-stream");
        if let Some(version) = version {
            let version = version.parse().map_err(|_| Error::OutsideContract {
                operation: SEARCHING,
                why: "its version is no word".to_owned(),
            })?;
            call.headers.insert("mcp-protocol-version", version);
        }
        Ok(call)
    }
}

/// The gigs in a tool's result: a JSON array in its text, and the cursor beside it.
fn listed(result: ToolResult) -> Result<DiscoverAnswer, Error> {
    let refused = |why: String| Error::OutsideContract { operation: SEARCHING, why };
    let text = result.content.first().map(|content| content.text.as_str()).unwrap_or_default();
    if result.is_error {
        return Err(refused(format!("the tool said no: {text}")));
    }
    let gigs: Vec<_> =
        serde_json::from_str(text).map_err(|why| refused(format!("the tool's list: {why}")))?;
    let cursor = result.structured_content.as_ref().and_then(|content| content.get("next_cursor"));
    Ok(DiscoverAnswer {
        count: gigs.len(),
        gigs,
        next_cursor: cursor.and_then(Value::as_str).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_written_under_their_names_and_escaped() {
        let filters = Filters {
            limit: Some(5),
            task_type: Some(TaskType::WebScrape),
            text: Some("a&b=ü".to_owned()),
            ..Filters::default()
        };
        let mut url = Url::parse("http://127.0.0.1/v1/gigs/discover").unwrap();
        filters.write_to(&mut url);
        assert_eq!(url.query(), Some("limit=5&task_type=web_scrape&q=a%26b%3D%C3%BC"));
        let mut plain = Url::parse("http://127.0.0.1/x").unwrap();
        Filters::default().write_to(&mut plain);
        assert_eq!(plain.query(), None);
    }

    #[test]
    fn a_tool_that_says_no_is_an_error_in_its_own_words() {
        let no = serde_json::from_value(json!({
            "content": [{ "type": "text", "text": "limit must be at most 100" }], "isError": true
        }));
        assert!(listed(no.unwrap()).unwrap_err().to_string().contains("limit must be at most 100"));
        let empty = serde_json::from_value(json!({
            "content": [{ "type": "text", "text": "[]" }], "structuredContent": { "next_cursor": "c" }
        }));
        assert_eq!(listed(empty.unwrap()).unwrap().next_cursor.as_deref(), Some("c"));
    }
}
