//! A request as its signer and its verifier both see it, and what its components are worth (RFC 9421, section 2).

use crate::Refusal;

/// What a signature can cover of a request. It belongs to no HTTP library: the caller fills it in.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The method as sent, such as `POST`.
    pub method: &'a str,
    /// `https` or `http`, as the client addressed us.
    pub scheme: &'a str,
    /// Host and, if it is not the scheme's own, port, as the client addressed us.
    pub authority: &'a str,
    /// The path as sent, with its escapes as they are.
    pub path: &'a str,
    /// What follows the first `?` of the request target. An empty query and none are the same.
    pub query: Option<&'a str>,
    /// The value of a header by its name in lower case; the lines of a repeated one joined with `, ` (RFC 9110,
    /// section 5.3).
    pub header: &'a dyn Fn(&str) -> Option<String>,
    /// The body's bytes, empty when there is none.
    pub body: &'a [u8],
}

impl Request<'_> {
    /// The query, when there is one that says something.
    pub(crate) fn spoken_query(&self) -> Option<&str> {
        self.query.filter(|query| !query.is_empty())
    }

    /// The path and the query, as the first line of the request has them (RFC 9421, section 2.2.5, origin form).
    pub(crate) fn target(&self) -> String {
        let query = self.spoken_query().map(|query| format!("?{query}"));
        format!("{}{}", self.absolute_path(), query.unwrap_or_default())
    }

    /// The authority in lower case, without the port that the scheme has anyway (RFC 9421, section 2.2.3).
    pub(crate) fn normal_authority(&self) -> String {
        let authority = self.authority.to_ascii_lowercase();
        let own_port = if self.scheme.eq_ignore_ascii_case("http") { ":80" } else { ":443" };
        authority.strip_suffix(own_port).map(ToOwned::to_owned).unwrap_or(authority)
    }

    fn absolute_path(&self) -> &str {
        if self.path.is_empty() { "/" } else { self.path }
    }

    fn scheme(&self) -> String {
        self.scheme.to_ascii_lowercase()
    }

    /// What a component is worth in this request.
    ///
    /// `at` is where the component stands in `Signature-Input`, for the refusal.
    pub(crate) fn component(&self, name: &str, at: usize) -> Result<String, Refusal> {
        let value = match name {
            "@method" => self.method.to_owned(),
            "@authority" => self.normal_authority(),
            "@scheme" => self.scheme(),
            "@path" => self.absolute_path().to_owned(),
            "@query" => format!("?{}", self.query.unwrap_or_default()),
            "@request-target" => self.target(),
            "@target-uri" => format!("{}://{}{}", self.scheme(), self.normal_authority(), self.target()),
            header if is_header_name(header) => {
                let value = (self.header)(header).ok_or(Refusal::AbsentComponent { at })?;
                value.trim_matches([' ', '\t']).to_owned()
            }
            _ => return Err(Refusal::UnknownComponent { at }),
        };
        // A line break would let a value pretend to be further lines of the text that is signed.
        if value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            Ok(value)
        } else {
            Err(Refusal::UnsignableComponent { at })
        }
    }
}

/// A field name (RFC 9110, section 5.1) in lower case, as RFC 9421 names components.
fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~');
    !name.is_empty() && name.bytes().all(is_token)
}
