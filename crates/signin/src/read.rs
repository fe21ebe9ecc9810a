//! Reading a message: line by line, each with what belongs there.
//!
//! The grammar is the one of EIP-4361, read more strictly in four places, so that one message has one text: the address
//! has the case of its checksum (EIP-55), the chain's number fits 64 bits and has no leading zero, the domain has a host,
//! and moments lie after 1970.

use core::{iter::Peekable, str::FromStr, str::Split};

use eip712::Address;

use crate::limits::MESSAGE_BYTES;
use crate::message::{
    CHAIN_ID, EXPIRATION_TIME, ISSUED_AT, NONCE, NOT_BEFORE, PREAMBLE, REQUEST_ID, RESOURCE, RESOURCES, URI,
    VERSION_1,
};
use crate::{Authority, Message, Scheme, Statement, Unreadable, Uri};

impl Message {
    /// Reads a text.
    ///
    /// # Errors
    /// The first line that is not what the grammar wants there, or that makes the text too long.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        check_characters(text)?;
        let mut lines = Lines { rest: text.split('\n').peekable(), line: 0 };
        let (scheme, domain) =
            lines.read("`<domain> wants you to sign in with your Ethereum account:`", asker)?;
        let address = lines.read("an address with its checksum (EIP-55)", |line| {
            Address::parse_checksummed(line, None).ok()
        })?;
        lines.exactly("", "empty, after the address")?;
        let statement = lines.statement()?;
        let uri = lines.field(URI, "`URI: ` and a URI with its scheme (RFC 3986)")?;
        lines.exactly(VERSION_1, "`Version: 1`")?;
        let ChainId(chain_id) =
            lines.field(CHAIN_ID, "`Chain ID: ` and a decimal number without leading zeros")?;
        let message = Self {
            scheme,
            domain,
            address,
            statement,
            uri,
            chain_id,
            nonce: lines.field(NONCE, "`Nonce: ` and at least 8 letters and digits")?,
            issued_at: lines.field(ISSUED_AT, "`Issued At: ` and a moment of RFC 3339")?,
            expiration_time: lines
                .optional(EXPIRATION_TIME, "`Expiration Time: ` and a moment of RFC 3339")?,
            not_before: lines.optional(NOT_BEFORE, "`Not Before: ` and a moment of RFC 3339")?,
            request_id: lines
                .optional(REQUEST_ID, "`Request ID: ` and characters of a path segment (RFC 3986)")?,
            resources: lines.resources()?,
        };
        lines.end()?;
        Ok(message)
    }
}

/// Nothing but printable ASCII and line feeds is in the grammar, so that no two texts look the same.
fn check_characters(text: &str) -> Result<(), Unreadable> {
    let is_allowed = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    let bad = text.bytes().take(MESSAGE_BYTES).position(|byte| !is_allowed(&byte));
    let line = |end| text.bytes().take(end).filter(|byte| *byte == b'\n').count().saturating_add(1);
    match bad {
        Some(at) => {
            Err(Unreadable { line: line(at), wanted: "printable ASCII, and end in a line feed alone" })
        }
        None if text.len() > MESSAGE_BYTES => Err(Unreadable {
            line: line(MESSAGE_BYTES),
            wanted: "the last, at most 4096 bytes from the beginning",
        }),
        None => Ok(()),
    }
}

/// The scheme and the domain of the first line.
fn asker(line: &str) -> Option<(Option<Scheme>, Authority)> {
    let asker = line.strip_suffix(PREAMBLE)?;
    match asker.split_once("://") {
        Some((scheme, domain)) => Some((Some(scheme.parse().ok()?), domain.parse().ok()?)),
        None => Some((None, asker.parse().ok()?)),
    }
}

/// A number in its only decimal text.
struct ChainId(u64);

impl FromStr for ChainId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().ok().filter(|id: &u64| id.to_string() == text).map(Self).ok_or(())
    }
}

/// The lines that are left, and the number of the last one that was taken.
struct Lines<'a> {
    rest: Peekable<Split<'a, char>>,
    line: usize,
}

impl<'a> Lines<'a> {
    /// The next line as `read` understands it.
    fn read<T>(
        &mut self,
        wanted: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Unreadable> {
        self.line = self.line.saturating_add(1);
        self.rest.next().and_then(read).ok_or(Unreadable { line: self.line, wanted })
    }

    fn exactly(&mut self, text: &str, wanted: &'static str) -> Result<(), Unreadable> {
        self.read(wanted, |line| (line == text).then_some(()))
    }

    fn field<T: FromStr>(&mut self, label: &str, wanted: &'static str) -> Result<T, Unreadable> {
        self.read(wanted, |line| line.strip_prefix(label)?.parse().ok())
    }

    fn optional<T: FromStr>(&mut self, label: &str, wanted: &'static str) -> Result<Option<T>, Unreadable> {
        if !self.is_next(|line| line.starts_with(label)) {
            return Ok(None);
        }
        self.field(label, wanted).map(Some)
    }

    fn is_next(&mut self, is_wanted: impl FnOnce(&str) -> bool) -> bool {
        self.rest.peek().is_some_and(|line| is_wanted(line))
    }

    /// `[ statement LF ] LF`. Of two empty lines the first is a statement.
    fn statement(&mut self) -> Result<Option<Statement>, Unreadable> {
        let wanted = "a statement of letters, digits, spaces and -._~:/?#[]@!$&'()*+,;=, or empty";
        let statement = self.read(wanted, |line| line.parse::<Statement>().ok())?;
        if statement.as_str().is_empty() && !self.is_next(str::is_empty) {
            return Ok(None);
        }
        self.exactly("", "empty, after the statement")?;
        Ok(Some(statement))
    }

    fn resources(&mut self) -> Result<Option<Vec<Uri>>, Unreadable> {
        if !self.is_next(|line| line == RESOURCES) {
            return Ok(None);
        }
        self.exactly(RESOURCES, "`Resources:`")?;
        let mut resources = Vec::new();
        while let Some(resource) = self.optional(RESOURCE, "`- ` and a URI with its scheme (RFC 3986)")? {
            resources.push(resource);
        }
        Ok(Some(resources))
    }

    fn end(&mut self) -> Result<(), Unreadable> {
        match self.rest.next() {
            None => Ok(()),
            Some(_) => Err(Unreadable {
                line: self.line.saturating_add(1),
                wanted: "absent, or one of `Expiration Time: `, `Not Before: `, `Request ID: ` and `Resources:`, each at \
                         most once and in this order",
            }),
        }
    }
}
