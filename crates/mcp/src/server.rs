//! What a server says about itself and offers. Built once; the same for every caller, connection and era.

use serde_json::{Map, Value, json};

/// A server: its name and everything it offers.
#[derive(Debug, Clone)]
pub struct Server {
    /// The name for programs, such as `guildhall`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The server's own version, not the protocol's.
    pub version: &'static str,
    /// Guidance for a model, beyond what the tools say themselves. Hosts put it into a prompt: keep it under 600
    /// characters.
    pub instructions: &'static str,
    /// The tools, in the order in which they are listed.
    pub tools: Vec<Tool>,
    /// The resources, in the order in which they are listed.
    pub resources: Vec<Resource>,
    /// For how long a modern client may keep a list, a resource or the description of this server, in milliseconds.
    pub keep_ms: u32,
}

/// One tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// At most 40 characters of `a-z 0-9 _`: hosts put a prefix before it and pass it to model APIs.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What the tool does, for a model that must choose among tools.
    pub description: &'static str,
    /// JSON Schema 2020-12 of the arguments. The root is a plain `type: object` without `oneOf`, `anyOf`, `allOf` or
    /// `if`: hosts drop tools that have them.
    pub input_schema: Value,
    /// How safe it is to call.
    pub annotations: Annotations,
}

/// Hints about a tool. A hint that is not sent counts as "destructive, open world", so all are sent.
#[derive(Debug, Clone, Copy)]
pub struct Annotations {
    /// Whether the tool changes nothing.
    pub read_only: bool,
    /// Whether a change may destroy something.
    pub destructive: bool,
    /// Whether calling it twice with the same arguments changes no more than calling it once.
    pub idempotent: bool,
    /// Whether it reaches out to things that this server does not own.
    pub open_world: bool,
}

impl Annotations {
    /// Looks, and touches nothing but this server's own records.
    pub const READS: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
}

/// One resource: a document that a client can read by its URI.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Its URI, in a scheme of the server's own unless a client can fetch it without this server.
    pub uri: &'static str,
    /// The name for programs.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it holds.
    pub description: &'static str,
    /// Its media type.
    pub mime_type: &'static str,
}

impl Server {
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    pub(crate) fn resource(&self, uri: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.uri == uri)
    }

    /// What the server can do. Nothing is declared that is not served: a list that never changes while a client is
    /// connected needs no notification.
    pub(crate) fn capabilities(&self) -> Value {
        let mut capabilities = Map::new();
        if !self.tools.is_empty() {
            capabilities.insert("tools".to_owned(), json!({}));
        }
        if !self.resources.is_empty() {
            capabilities.insert("resources".to_owned(), json!({}));
        }
        Value::Object(capabilities)
    }

    pub(crate) fn implementation(&self) -> Implementation {
        Implementation { name: self.name, title: self.title, version: self.version }
    }

    pub(crate) fn tools_listed(&self) -> Value {
        self.tools.iter().map(Tool::listed).collect()
    }

    pub(crate) fn resources_listed(&self) -> Value {
        self.resources.iter().map(Resource::listed).collect()
    }
}

impl Tool {
    fn listed(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.annotations.read_only,
                "destructiveHint": self.annotations.destructive,
                "idempotentHint": self.annotations.idempotent,
                "openWorldHint": self.annotations.open_world,
            },
        })
    }
}

impl Resource {
    fn listed(&self) -> Value {
        json!({
            "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
        })
    }
}

/// Who answers, as `serverInfo` on the wire.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub(crate) struct Implementation {
    name: &'static str,
    title: &'static str,
    version: &'static str,
}
