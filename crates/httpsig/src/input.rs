//! `Signature-Input`: what a signature covers, and the text that is signed (RFC 9421, sections 2.3, 2.5 and 4.1).

use crate::{
    Refusal, Request,
    fields::{Bare, Cursor, Parameter, dictionary},
    limits::{COMPONENTS, INPUT_BYTES},
};

pub(crate) const SIGNATURE_INPUT: &str = "signature-input";

/// One member of `Signature-Input`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    label: String,
    covered: Vec<Component>,
    parameters: Vec<Parameter>,
    /// The member as it came: the value of `@signature-params`.
    text: String,
}

/// A covered component as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Component {
    name: String,
    /// Its quoted name and its parameters.
    text: String,
    parameters: Vec<Parameter>,
    at: usize,
}

impl Input {
    /// The members of a header value, in their order.
    ///
    /// Signatures of other profiles are read as well: an intermediary may add its own. What this crate does not know in
    /// one is refused when its text is built.
    ///
    /// # Errors
    /// When the value is too long, is not written as RFC 8941 section 4.1 serializes it, or repeats a name.
    pub fn parse(value: &str) -> Result<Vec<Self>, Refusal> {
        let members = dictionary(SIGNATURE_INPUT, value, INPUT_BYTES, |cursor| {
            let start = cursor.at();
            let covered = components(cursor)?;
            let parameters = cursor.parameters()?;
            Ok((covered, parameters, cursor.since(start).to_owned()))
        })?;
        let input = |(label, (covered, parameters, text))| Self { label, covered, parameters, text };
        Ok(members.into_iter().map(input).collect())
    }

    /// The signature's name, which ties it to its bytes in `Signature`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The names of the covered components, in the order in which they are signed.
    pub fn covered(&self) -> impl Iterator<Item = &str> {
        self.covered.iter().map(|component| component.name.as_str())
    }

    /// Whether a component is covered, with no parameter that would make it mean something else.
    pub(crate) fn covers(&self, name: &str) -> bool {
        self.covered.iter().any(|component| component.name == name && component.parameters.is_empty())
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Bare> {
        self.parameters.iter().find(|parameter| parameter.name == name).map(|parameter| &parameter.value)
    }

    /// The text that is signed: a line for each covered component, then one for the parameters.
    ///
    /// # Errors
    /// When a component or parameter is not known here, has parameters of its own, is absent from the request, or has
    /// a value that is not printable ASCII.
    pub fn base(&self, request: &Request<'_>) -> Result<String, Refusal> {
        const KNOWN: [&str; 6] = ["created", "expires", "nonce", "alg", "keyid", "tag"];
        let is_unknown = |parameter: &&Parameter| !KNOWN.contains(&parameter.name.as_str());
        if let Some(unknown) = self.parameters.iter().find(is_unknown) {
            return Err(Refusal::UnknownParameter { at: unknown.at });
        }
        let mut base = String::new();
        for Component { name, text, parameters, at } in &self.covered {
            if !parameters.is_empty() {
                return Err(Refusal::UnknownComponent { at: *at });
            }
            let value = request.component(name, *at)?;
            base.push_str(&format!("{text}: {value}\n"));
        }
        base.push_str(&format!("\"@signature-params\": {}", self.text));
        Ok(base)
    }
}

/// The inner list of the covered components.
fn components(cursor: &mut Cursor<'_>) -> Result<Vec<Component>, Refusal> {
    let mut covered: Vec<Component> = Vec::new();
    cursor.demand(b'(', "`(` and the covered components")?;
    while !cursor.take(b')') {
        if !covered.is_empty() {
            cursor.demand(b' ', "one space or `)` after a component")?;
        }
        let at = cursor.at();
        let name = cursor.string()?;
        let parameters = cursor.parameters()?;
        let text = cursor.since(at).to_owned();
        if covered.iter().any(|known| known.text == text) {
            return Err(cursor.repeats(at));
        }
        if covered.len() == COMPONENTS {
            return Err(Refusal::TooMany { header: SIGNATURE_INPUT, at });
        }
        covered.push(Component { name, text, parameters, at });
    }
    Ok(covered)
}
