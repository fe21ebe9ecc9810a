//! What a server says about one of its paid resources.

use serde_json::{Map, Value, json};

use super::RouteTemplate;
use crate::json_schema::DIALECT;

/// How a paid resource is called and what it answers.
///
/// It travels in a header with the rest of the 402, so its schemas are kept small; [`crate::HEADER_BYTES`] is the end. The
/// schemas are JSON Schema 2020-12, and a catalogue lists the resource only if its examples fit them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// How it is called.
    pub input: Input,
    /// What it answers.
    pub output: Option<Output>,
    /// The route, where a part of the path varies; only for HTTP.
    pub route: Option<Route>,
}

/// How a resource is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// By HTTP without a body.
    Query {
        /// The method.
        method: QueryMethod,
        /// Query parameters of an example call.
        example: Map<String, Value>,
        /// The schema of the query parameters.
        schema: Map<String, Value>,
    },
    /// By HTTP with a body.
    Body {
        /// The method.
        method: BodyMethod,
        /// The body's form.
        body_type: BodyType,
        /// The body of an example call.
        example: Map<String, Value>,
        /// The schema of the body.
        schema: Map<String, Value>,
    },
    /// By the Model Context Protocol.
    Tool {
        /// The tool's name.
        name: String,
        /// What it does.
        description: Option<String>,
        /// How its server is reached.
        transport: Option<Transport>,
        /// The schema of its arguments.
        schema: Map<String, Value>,
        /// Arguments of an example call.
        example: Option<Map<String, Value>>,
    },
}

/// A method of HTTP without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the methods' own names")]
pub enum QueryMethod {
    Get,
    Head,
    Delete,
}

/// A method of HTTP with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the methods' own names")]
pub enum BodyMethod {
    Post,
    Put,
    Patch,
}

/// The form of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyType {
    /// `application/json`.
    Json,
    /// `multipart/form-data` or `application/x-www-form-urlencoded`.
    FormData,
    /// `text/plain`.
    Text,
}

/// A transport of the Model Context Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// One endpoint for posts and streams.
    StreamableHttp,
    /// The older pair of endpoints.
    Sse,
}

/// What a resource answers, in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// An example answer.
    pub example: Map<String, Value>,
    /// The schema of the answer.
    pub schema: Map<String, Value>,
}

/// A route with parts that vary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The path with names in their place.
    pub template: RouteTemplate,
    /// Their values in the call that is paid for.
    pub parameters: Map<String, Value>,
}

impl Declaration {
    /// The block of a 402's `extensions` under [`super::NAME`].
    pub fn to_value(&self) -> Value {
        let (mut input, mut properties, mut required) = self.input.parts();
        let mut block = Map::new();
        if let Some(route) = self.route.as_ref().filter(|_| self.input.is_http()) {
            input.insert("pathParams".to_owned(), route.parameters.clone().into());
            properties.insert("pathParams".to_owned(), json!({ "type": "object" }));
            required.push("pathParams");
            block.insert("routeTemplate".to_owned(), route.template.as_str().into());
        }
        let mut info = Map::from_iter([("input".to_owned(), input.into())]);
        let input_schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        let mut described = Map::from_iter([("input".to_owned(), input_schema)]);
        if let Some(output) = &self.output {
            info.insert("output".to_owned(), json!({ "type": "json", "example": output.example }));
            let properties = json!({ "type": { "type": "string" }, "example": object(&output.schema) });
            let schema = json!({ "type": "object", "properties": properties, "required": ["type"] });
            described.insert("output".to_owned(), schema);
        }
        let schema = json!({
            "$schema": DIALECT, "type": "object", "properties": described, "required": ["input"],
        });
        block.insert("info".to_owned(), info.into());
        block.insert("schema".to_owned(), schema);
        block.into()
    }
}

/// The fields of `info.input`, the schema of each, and which of them must be there.
type Parts = (Map<String, Value>, Map<String, Value>, Vec<&'static str>);

impl Input {
    fn is_http(&self) -> bool {
        match self {
            Self::Query { .. } | Self::Body { .. } => true,
            Self::Tool { .. } => false,
        }
    }

    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        let mut field = |name: &'static str, value: Value, schema: Value| {
            parts.0.insert(name.to_owned(), value);
            parts.1.insert(name.to_owned(), schema);
            parts.2.push(name);
        };
        let word = |text: &str| json!({ "type": "string", "const": text });
        match self {
            Self::Query { method, example, schema } => {
                field("type", json!("http"), word("http"));
                field("method", json!(method.as_str()), word(method.as_str()));
                field("queryParams", json!(example), object(schema));
            }
            Self::Body { method, body_type, example, schema } => {
                field("type", json!("http"), word("http"));
                field("method", json!(method.as_str()), word(method.as_str()));
                field("bodyType", json!(body_type.as_str()), word(body_type.as_str()));
                field("body", json!(example), object(schema));
            }
            Self::Tool { name, description, transport, schema, example } => {
                field("type", json!("mcp"), word("mcp"));
                field("toolName", json!(name), json!({ "type": "string" }));
                field("inputSchema", object(schema), json!({ "type": "object" }));
                if let Some(description) = description {
                    field("description", json!(description), json!({ "type": "string" }));
                }
                if let Some(transport) = transport {
                    field("transport", json!(transport.as_str()), word(transport.as_str()));
                }
                if let Some(example) = example {
                    field("example", json!(example), object(schema));
                }
            }
        }
        parts
    }
}

/// A schema that says of itself that it describes an object.
fn object(schema: &Map<String, Value>) -> Value {
    let mut schema = schema.clone();
    schema.insert("type".to_owned(), json!("object"));
    schema.into()
}

impl QueryMethod {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Delete => "DELETE",
        }
    }
}

impl BodyMethod {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
        }
    }
}

impl BodyType {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::FormData => "form-data",
            Self::Text => "text",
        }
    }
}

impl Transport {
    const fn as_str(self) -> &'static str {
        match self {
            Self::StreamableHttp => "streamable-http",
            Self::Sse => "sse",
        }
    }
}
