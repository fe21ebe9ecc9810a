//! From a request to its answer, or to the work that the caller must do first.

use serde_json::{Map, Value, json};

use crate::answer::{Addressee, Answer, accepted, refuse};
use crate::fault::{Code, Fault, quoted};
use crate::headers;
use crate::input::{self, ElicitAction, Input};
use crate::message::{self, Message};
use crate::server::Server;
use crate::version::{self, Era, LEGACY_VERSIONS};

/// A POST to the MCP address: the body, and the three headers that mean something.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'a> {
    /// `MCP-Protocol-Version`.
    pub protocol_version: Option<&'a str>,
    /// `Mcp-Method`.
    pub mcp_method: Option<&'a str>,
    /// `Mcp-Name`.
    pub mcp_name: Option<&'a str>,
    /// The whole body.
    pub body: &'a str,
}

/// What is to be done with a request.
#[derive(Debug)]
pub enum Dispatch {
    /// Send this.
    Answer(Answer),
    /// Run a tool, then [`crate::finish_call`].
    Call(ToolCall),
    /// Read a resource, then [`crate::finish_read`].
    Read(ResourceRead),
}

/// A call of a tool that exists. The arguments are an object; whether they fit the tool is the caller's to judge, and
/// a misfit is a failed outcome that a model can correct, not an error of the protocol.
#[derive(Debug)]
pub struct ToolCall {
    /// The tool's name.
    pub name: &'static str,
    /// Its arguments; empty when none were sent.
    pub arguments: Map<String, Value>,
    /// Whether the client can show an address to a person, so that [`crate::ToolOutcome::InputRequired`] reaches one.
    pub opens_urls: bool,
    /// What the person said to the address of an answer before; nothing in a first call.
    pub action: Option<ElicitAction>,
    /// The `request_state` of an answer before, as the client chose to send it (M7).
    pub request_state: Option<String>,
    pub(crate) to: Addressee,
}

/// A read of a resource that is listed.
#[derive(Debug)]
pub struct ResourceRead {
    /// The resource's URI.
    pub uri: &'static str,
    /// The media type under which it is listed.
    pub mime_type: &'static str,
    pub(crate) to: Addressee,
}

/// Answers everything that the protocol alone can answer, and names the work for the rest.
pub fn dispatch(request: &Request<'_>, server: &Server) -> Dispatch {
    Dispatch::Answer(match message::parse(request.body) {
        Err(unreadable) => refuse(unreadable.id.as_ref(), Era::Legacy, &unreadable.fault),
        // Neither era has a notification that obliges a server without sessions to anything.
        Ok(Message::Notification) => accepted(),
        Ok(Message::Response) => response(request),
        Ok(Message::Request { id, method, params }) => {
            let version = request.protocol_version.map(str::trim);
            let era = Era::of(&method, params.get("_meta").and_then(Value::as_object), version);
            let to = Addressee { id, era, server: server.implementation(), keep_ms: server.keep_ms };
            let checked = match era {
                Era::Modern => headers::check(request, &method, &params),
                Era::Legacy => Ok(()),
            };
            return match checked {
                Ok(()) => answer(to, &method, params, server),
                Err(fault) => Dispatch::Answer(to.fault(&fault)),
            };
        }
    })
}

/// A legacy client may answer a question that an earlier server asked; a modern server never asks any.
fn response(request: &Request<'_>) -> Answer {
    if version::names_other_than_legacy(request.protocol_version.map(str::trim)) {
        let fault = Fault::new(
            Code::InvalidRequest,
            "This server asks nothing, so it takes no responses.".to_owned(),
        );
        refuse(None, Era::Modern, &fault)
    } else {
        accepted()
    }
}

fn answer(to: Addressee, method: &str, params: Map<String, Value>, server: &Server) -> Dispatch {
    let legacy = to.era == Era::Legacy;
    let (tools, resources) = (!server.tools.is_empty(), !server.resources.is_empty());
    let outcome = match method {
        "initialize" if legacy => initialize(&to, &params, server),
        "ping" if legacy => Ok(to.fields(Map::new())),
        "server/discover" if !legacy => Ok(discover(&to, server)),
        "tools/list" if tools => list(&to, &params, "tools", server.tools_listed()),
        "tools/call" if tools => return call(to, params, server),
        "resources/list" if resources => list(&to, &params, "resources", server.resources_listed()),
        "resources/templates/list" if resources => list(&to, &params, "resourceTemplates", json!([])),
        "resources/read" if resources => return read(to, &params, server),
        _ => Err(Fault::unknown_method(method)),
    };
    Dispatch::Answer(outcome.unwrap_or_else(|fault| to.fault(&fault)))
}

/// The legacy handshake. A version that this server lacks is no error: it answers its newest, and the client decides.
fn initialize(to: &Addressee, params: &Map<String, Value>, server: &Server) -> Result<Answer, Fault> {
    let Some(requested) = params.get("protocolVersion").and_then(Value::as_str) else {
        return Err(Fault::invalid_params("`protocolVersion` must be a string.".to_owned()));
    };
    let [newest, ..] = LEGACY_VERSIONS;
    let agreed = LEGACY_VERSIONS.into_iter().find(|version| *version == requested).unwrap_or(newest);
    let mut fields = described(server);
    fields.insert("protocolVersion".to_owned(), json!(agreed));
    fields.insert("serverInfo".to_owned(), json!(server.implementation()));
    Ok(to.fields(fields))
}

fn discover(to: &Addressee, server: &Server) -> Answer {
    let mut fields = described(server);
    fields.insert("supportedVersions".to_owned(), version::supported().collect());
    to.kept_fields(fields)
}

/// What both eras tell a client that has just arrived.
fn described(server: &Server) -> Map<String, Value> {
    Map::from_iter([
        ("capabilities".to_owned(), server.capabilities()),
        ("instructions".to_owned(), json!(server.instructions)),
    ])
}

/// A list, whole on its first page. No cursor is ever given out, so every cursor is a wrong one, the empty one too.
fn list(to: &Addressee, params: &Map<String, Value>, key: &str, items: Value) -> Result<Answer, Fault> {
    if params.contains_key("cursor") {
        return Err(Fault::invalid_params(
            "This cursor was not given out by this server. The list has one page; ask without a cursor."
                .to_owned(),
        ));
    }
    Ok(to.kept_fields(Map::from_iter([(key.to_owned(), items)])))
}

fn call(to: Addressee, mut params: Map<String, Value>, server: &Server) -> Dispatch {
    let Some(name) = params.get("name").and_then(Value::as_str) else {
        return Dispatch::Answer(
            to.fault(&Fault::invalid_params("`name` must be the name of a tool.".to_owned())),
        );
    };
    let Some(tool) = server.tool(name) else {
        let message = format!("There is no tool {}; tools/list names all of them.", quoted(name));
        return Dispatch::Answer(to.fault(&Fault::invalid_params(message)));
    };
    let arguments = match params.remove("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => {
            let fault = Fault::invalid_params("`arguments` must be an object.".to_owned());
            return Dispatch::Answer(to.fault(&fault));
        }
    };
    let (opens_urls, input) = match to.era {
        Era::Legacy => (false, Ok(Input::default())),
        Era::Modern => (input::opens_urls(&params), input::read(&params)),
    };
    match input {
        Ok(Input { action, request_state }) => {
            Dispatch::Call(ToolCall { name: tool.name, arguments, opens_urls, action, request_state, to })
        }
        Err(fault) => Dispatch::Answer(to.fault(&fault)),
    }
}

fn read(to: Addressee, params: &Map<String, Value>, server: &Server) -> Dispatch {
    let Some(uri) = params.get("uri").and_then(Value::as_str) else {
        return Dispatch::Answer(
            to.fault(&Fault::invalid_params("`uri` must be the URI of a resource.".to_owned())),
        );
    };
    match server.resource(uri) {
        Some(resource) => {
            Dispatch::Read(ResourceRead { uri: resource.uri, mime_type: resource.mime_type, to })
        }
        None => Dispatch::Answer(to.fault(&Fault::resource_not_found(uri))),
    }
}
