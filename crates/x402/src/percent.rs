//! Percent-encoding (RFC 3986, section 2.1).

/// The text with each `%XX` undone once. `None` when a `%` stands before anything else than two hexadecimal digits, or
/// the bytes are not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.extend(hex::decode(digits).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_once_and_only_if_whole() {
        assert_eq!(decode("a%3Ab%2fc").as_deref(), Some("a:b/c"));
        assert_eq!(decode("%252E").as_deref(), Some("%2E"));
        assert_eq!(decode("%C3%A9é").as_deref(), Some("éé"));
        for damaged in ["%", "a%2", "%zz", "%é", "%+1", "%ff"] {
            assert_eq!(decode(damaged), None, "{damaged}");
        }
    }
}
