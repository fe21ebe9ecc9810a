//! The part of structured fields (RFC 8941) that the three headers need: dictionaries of inner lists and of bytes.
//!
//! Only the one text that serialization gives (section 4.1) is read, save for the spaces around a comma: a value then
//! has one text, and what was signed is the text that came.

use data_encoding::BASE64;

use crate::{
    Refusal,
    limits::{MEMBERS, PARAMETERS},
};

/// A parameter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bare {
    Integer(u64),
    Text(String),
    /// A value of a kind that no parameter known here has: a token, a flag, bytes, a negative number.
    Other,
}

/// A parameter: its name, its value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) value: Bare,
    pub(crate) at: usize,
}

/// A place in a header's value.
pub(crate) struct Cursor<'a> {
    header: &'static str,
    text: &'a str,
    at: usize,
}

/// The members of a dictionary, each with its name, in their order.
pub(crate) fn dictionary<'a, T>(
    header: &'static str,
    text: &'a str,
    limit: usize,
    mut member: impl FnMut(&mut Cursor<'a>) -> Result<T, Refusal>,
) -> Result<Vec<(String, T)>, Refusal> {
    if text.len() > limit {
        return Err(Refusal::TooLong { header, limit });
    }
    let mut cursor = Cursor { header, text, at: 0 };
    let mut members: Vec<(String, T)> = Vec::new();
    loop {
        cursor.skip_spaces();
        let at = cursor.at;
        let name = cursor.key()?;
        if members.iter().any(|(known, _)| *known == name) {
            return Err(cursor.repeats(at));
        }
        if members.len() == MEMBERS {
            return Err(Refusal::TooMany { header, at });
        }
        cursor.demand(b'=', "`=` after the member's name")?;
        members.push((name, member(&mut cursor)?));
        cursor.skip_spaces();
        if cursor.is_at_end() {
            return Ok(members);
        }
        cursor.demand(b',', "`,` between two members")?;
    }
}

impl<'a> Cursor<'a> {
    /// How far the cursor has come, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The text from a place up to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The refusal of what stands here.
    pub(crate) fn expected(&self, expected: &'static str) -> Refusal {
        Refusal::Malformed { header: self.header, at: self.at, expected }
    }

    /// The refusal of a name that stood before.
    pub(crate) fn repeats(&self, at: usize) -> Refusal {
        Refusal::Repeated { header: self.header, at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Steps over a byte if it is the next one.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.at = self.at.saturating_add(1);
        }
        is_next
    }

    pub(crate) fn demand(&mut self, byte: u8, expected: &'static str) -> Result<(), Refusal> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at = self.at.saturating_add(1);
        }
        self.since(start)
    }

    fn skip_spaces(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    /// The name of a member or parameter.
    fn key(&mut self) -> Result<String, Refusal> {
        if !matches!(self.peek(), Some(b'a'..=b'z' | b'*')) {
            return Err(self.expected("a name in lower case"));
        }
        let belongs = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*');
        Ok(self.take_while(belongs).to_owned())
    }

    /// A quoted text of printable ASCII, without its quotes and escapes.
    pub(crate) fn string(&mut self) -> Result<String, Refusal> {
        self.demand(b'"', "a quoted text")?;
        let mut text = String::new();
        loop {
            text.push_str(
                self.take_while(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')),
            );
            if self.take(b'"') {
                return Ok(text);
            }
            self.demand(b'\\', "printable ASCII and a closing quote")?;
            match self.peek() {
                Some(escaped @ (b'"' | b'\\')) => {
                    text.push(char::from(escaped));
                    self.take(escaped);
                }
                Some(_) | None => return Err(self.expected("`\"` or `\\` after `\\`")),
            }
        }
    }

    /// Bytes in standard padded base64 between two colons, at least one.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, Refusal> {
        self.demand(b':', "`:` and standard padded base64")?;
        let start = self.at;
        let text = self
            .take_while(|byte| matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'='));
        // The decoder also takes several padded texts in a row, which would give one value several texts.
        let is_one_text = !text.is_empty() && !text.trim_end_matches('=').contains('=');
        let decoded = BASE64.decode(text.as_bytes()).ok().filter(|_| is_one_text);
        let Some(decoded) = decoded else {
            self.at = start;
            return Err(self.expected("bytes in standard padded base64"));
        };
        self.demand(b':', "`:` after the base64")?;
        Ok(decoded)
    }

    /// An integer without superfluous zeros, of at most 15 digits (section 3.3.1).
    fn integer(&mut self) -> Result<Bare, Refusal> {
        let is_negative = self.take(b'-');
        let start = self.at;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let is_canonical = (1..=15).contains(&digits.len()) && (digits == "0" || !digits.starts_with('0'));
        match digits.parse() {
            Ok(number) if is_canonical => Ok(if is_negative { Bare::Other } else { Bare::Integer(number) }),
            Ok(_) | Err(_) => {
                self.at = start;
                Err(self.expected("an integer of at most 15 digits without leading zeros"))
            }
        }
    }

    fn bare(&mut self) -> Result<Bare, Refusal> {
        match self.peek() {
            Some(b'"') => self.string().map(Bare::Text),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            Some(b':') => self.bytes().map(|_| Bare::Other),
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'*') => {
                self.take_while(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte));
                Ok(Bare::Other)
            }
            Some(_) | None => Err(self.expected("a parameter's value")),
        }
    }

    /// The parameters that follow an item, each once.
    pub(crate) fn parameters(&mut self) -> Result<Vec<Parameter>, Refusal> {
        let mut parameters: Vec<Parameter> = Vec::new();
        while self.take(b';') {
            let at = self.at;
            let name = self.key()?;
            if parameters.iter().any(|known| known.name == name) {
                return Err(self.repeats(at));
            }
            if parameters.len() == PARAMETERS {
                return Err(Refusal::TooMany { header: self.header, at });
            }
            let value = if self.take(b'=') { self.bare()? } else { Bare::Other };
            parameters.push(Parameter { name, value, at });
        }
        Ok(parameters)
    }
}
