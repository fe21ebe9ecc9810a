//! One operation: who may ask, what it takes, answers and refuses.
//!
//! Statuses and codes of refusals come from the problem documents that are sent, so that they cannot be others.

use std::collections::{BTreeMap, BTreeSet};

use primitives::SecretKind;
use serde_json::{Map, Value, json};

use super::parts::{json_body, parameter, request, schema, with_correlation};
use super::refusals;
use crate::inbound::run::bearer;
use crate::outbound::metering::operator_missing;
use crate::outbound::run::ticket_used;
use crate::problem::Problem;

/// Who may ask, and how they prove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Anyone; nobody is asked for a proof.
    Open,
    /// Anyone; what is there for some only is shown to those who prove that they are.
    Seen,
    /// A session, or a signature of the HTTP request.
    Account,
    /// A signature of the HTTP request.
    Signature,
    /// A signature of the HTTP request, or the party's in the body.
    Party,
    /// A session, a signature of the HTTP request, or the party's in the body.
    Anyhow,
    /// Anyone; who spends from a mandate signs the HTTP request.
    Buyer,
    /// The run's token.
    RunOwner,
    /// The run's token, or a ticket to its streams.
    Watcher,
    /// The run's token, or a signature of the HTTP request by the mandate's owner.
    Consenter,
    /// The executor's secret.
    Executor,
    /// The executor's secret, or a ticket to its socket.
    ExecutorSocket,
    /// A tenant's API key.
    Key,
    /// The operator's token.
    Operator,
    /// The operator's token; in development without one, anyone.
    Opener,
}

impl Access {
    fn security(self) -> Value {
        let (session, signature) =
            (json!({ "session": [] }), [json!({ "signature": [] }), json!({ "olderSignature": [] })]);
        let signature = signature.into_iter();
        let (run, ticket) = (json!({ "runToken": [] }), json!({ "streamTicket": [] }));
        let executor = json!({ "executorSecret": [] });
        match self {
            Self::Open => json!([]),
            Self::Buyer => signature.chain([json!({})]).collect(),
            Self::RunOwner => json!([run]),
            Self::Watcher => json!([run, ticket]),
            Self::Consenter => signature.chain([run]).collect(),
            Self::Executor => json!([executor]),
            Self::ExecutorSocket => json!([executor, ticket]),
            Self::Key => json!([{ "apiKey": [] }]),
            Self::Operator => json!([{ "operator": [] }]),
            Self::Opener => json!([{ "operator": [] }, {}]),
            Self::Account => signature.chain([session]).collect(),
            Self::Signature => signature.collect(),
            Self::Party => signature.chain([json!({})]).collect(),
            Self::Seen | Self::Anyhow => signature.chain([session, json!({})]).collect(),
        }
    }
}

impl Access {
    /// The bearer's secret and the ticket that it may ask for; none where another proof alone is.
    fn bearer(self) -> Vec<Problem> {
        let of = |kind| [None, Some("Bearer ")].map(|header| bearer(kind, header).err());
        let refusals: Vec<Option<Problem>> = match self {
            Self::Open
            | Self::Seen
            | Self::Account
            | Self::Signature
            | Self::Party
            | Self::Anyhow
            | Self::Buyer => Vec::new(),
            Self::RunOwner | Self::Consenter => of(SecretKind::Run).into(),
            Self::Watcher => of(SecretKind::Run).into_iter().chain([Some(ticket_used())]).collect(),
            Self::Executor => of(SecretKind::Executor).into(),
            Self::ExecutorSocket => {
                of(SecretKind::Executor).into_iter().chain([Some(ticket_used())]).collect()
            }
            Self::Key => refusals::key().into_iter().map(Some).collect(),
            Self::Operator | Self::Opener => vec![Some(operator_missing())],
        };
        refusals.into_iter().flatten().collect()
    }

    /// Whether a session or a signature is among the proofs.
    const fn is_of_account(self) -> bool {
        match self {
            Self::Open
            | Self::RunOwner
            | Self::Watcher
            | Self::Executor
            | Self::ExecutorSocket
            | Self::Key
            | Self::Operator
            | Self::Opener => false,
            Self::Seen
            | Self::Account
            | Self::Signature
            | Self::Party
            | Self::Anyhow
            | Self::Buyer
            | Self::Consenter => true,
        }
    }
}

/// What is sent along.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// Nothing is read.
    None,
    /// JSON of this schema.
    Needed(&'static str),
    /// The same, which may be left out.
    Optional(&'static str),
    /// In several media types.
    Several(Value),
}

/// An operation in the making.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    method: &'static str,
    id: String,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    access: Access,
    parameters: Vec<Value>,
    body: Body,
    answers: Vec<(&'static str, Value)>,
    refusals: Vec<Problem>,
}

impl Operation {
    /// One that takes and refuses nothing of its own.
    pub(super) fn new(
        method: &'static str,
        tag: &'static str,
        id: impl Into<String>,
        summary: &'static str,
        access: Access,
    ) -> Self {
        Self {
            method,
            id: id.into(),
            tag,
            summary,
            description: "",
            access,
            parameters: Vec::new(),
            body: Body::None,
            answers: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// More about it.
    pub(super) fn about(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// Parameters of these names.
    pub(super) fn named(mut self, names: &[&str]) -> Self {
        self.parameters.extend(names.iter().map(|name| parameter(name)));
        self
    }

    /// A filter in the query.
    pub(super) fn filter(mut self, name: &str, description: &str, schema: Value) -> Self {
        self.parameters
            .push(json!({ "name": name, "in": "query", "description": description, "schema": schema }));
        self
    }

    /// What is sent along.
    pub(super) fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// An answer.
    pub(super) fn answers(mut self, status: &'static str, answer: Value) -> Self {
        self.answers.push((status, answer));
        self
    }

    /// What it refuses beyond what follows from its parts.
    pub(super) fn refuses(mut self, refusals: impl IntoIterator<Item = Problem>) -> Self {
        self.refusals.extend(refusals);
        self
    }

    /// The path item of this operation, and perhaps others.
    pub(super) fn item(self) -> Map<String, Value> {
        Map::from_iter([(self.method.to_owned(), self.operation(""))])
    }

    /// The same under an older path: an operation of its own.
    pub(super) fn older(self) -> Map<String, Value> {
        Map::from_iter([(self.method.to_owned(), self.operation("ByApiPath"))])
    }

    /// The same under an executor's older path: an operation of its own.
    pub(super) fn by_agent_path(self) -> Map<String, Value> {
        Map::from_iter([(self.method.to_owned(), self.operation("ByAgentPath"))])
    }

    fn operation(&self, suffix: &str) -> Value {
        let mut operation = json!({
            "operationId": format!("{}{suffix}", self.id),
            "tags": [self.tag],
            "summary": self.summary,
            "parameters": self.parameters.iter().cloned().chain([parameter("CorrelationId")]).collect::<Vec<_>>(),
            "security": self.access.security(),
            "responses": self.responses(),
        });
        if let Some(fields) = operation.as_object_mut() {
            if !self.description.is_empty() {
                fields.insert("description".to_owned(), json!(self.description));
            }
            match &self.body {
                Body::None => {}
                Body::Needed(name) => {
                    fields.insert("requestBody".to_owned(), request(schema(name)));
                }
                Body::Optional(name) => {
                    let body = json!({ "required": false, "content": json_body(schema(name)) });
                    fields.insert("requestBody".to_owned(), body);
                }
                Body::Several(content) => {
                    let body = json!({ "required": true, "content": content });
                    fields.insert("requestBody".to_owned(), body);
                }
            }
        }
        operation
    }

    fn responses(&self) -> Value {
        let mut all: Map<String, Value> =
            self.answers.iter().map(|(status, answer)| ((*status).to_owned(), answer.clone())).collect();
        let mut shared = vec!["405", "429", "500", "503"];
        let mut refused = self.refusals.clone();
        if !matches!(self.body, Body::None) {
            shared.extend(["413", "415"]);
            refused.push(refusals::invalid());
        }
        if self.access.is_of_account() && self.method != "get" {
            refused.push(refusals::foreign());
        }
        let bearer = self.access.bearer();
        if !bearer.is_empty() && self.access.is_of_account() {
            refused.extend(refusals::caller());
        }
        for status in shared {
            let problem = json!({ "$ref": format!("#/components/responses/Problem{status}") });
            all.entry(status).or_insert(problem);
        }
        if bearer.is_empty() && self.access != Access::Open {
            all.insert("401".to_owned(), json!({ "$ref": "#/components/responses/Caller401" }));
        }
        refused.extend(bearer);
        all.extend(refused_with(&refused));
        Value::Object(all)
    }
}

/// Refusals by their status.
pub(super) fn refused_with(refusals: &[Problem]) -> Map<String, Value> {
    let mut codes: BTreeMap<u16, BTreeSet<&str>> = BTreeMap::new();
    for problem in refusals {
        codes.entry(problem.status).or_default().insert(&problem.code);
    }
    codes.into_iter().map(|(status, codes)| (status.to_string(), problem_of(&codes))).collect()
}

/// A refusal with one of these codes.
fn problem_of(codes: &BTreeSet<&str>) -> Value {
    let listed = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
    let with_code = json!({ "properties": { "code": { "enum": codes } } });
    json!({
        "description": listed,
        "headers": with_correlation(&[]),
        "content": { "application/problem+json": { "schema": { "allOf": [schema("Problem"), with_code] } } },
    })
}
