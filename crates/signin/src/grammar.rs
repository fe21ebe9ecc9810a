//! The character rules of RFC 3986 that EIP-4361 builds on. All of them are ASCII.

use core::net::Ipv6Addr;

/// `unreserved` and `sub-delims`, which are allowed in every part of a URI.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte)
}

/// `pchar` without `pct-encoded`.
fn is_path_character(byte: u8) -> bool {
    is_plain(byte) || b":@".contains(&byte)
}

/// Whether every byte is allowed, or part of a `pct-encoded` triple.
fn consists_of(text: &str, is_allowed: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut digit = || bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
        let fits = if byte == b'%' { digit() && digit() } else { is_allowed(byte) };
        if !fits {
            return false;
        }
    }
    true
}

/// `*pchar`.
pub(crate) fn is_path_characters(text: &str) -> bool {
    consists_of(text, is_path_character)
}

/// `*( reserved / unreserved / " " )` (EIP-4361, `statement`).
pub(crate) fn is_statement(text: &str) -> bool {
    text.bytes().all(|byte| is_plain(byte) || b":/?#[]@ ".contains(&byte))
}

/// `scheme`.
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The host of an authority: what stands behind the user and before the port. An IP literal keeps its brackets.
pub(crate) fn host(authority: &str) -> &str {
    let place = authority.split_once('@').map_or(authority, |(_, place)| place);
    let end = match place.find(']') {
        Some(bracket) => bracket.checked_add(1),
        None => place.find(':'),
    };
    end.and_then(|end| place.get(..end)).unwrap_or(place)
}

/// `authority`.
pub(crate) fn is_authority(text: &str) -> bool {
    let (user, place) = text.split_once('@').unwrap_or(("", text));
    let host = host(text);
    let port = place.strip_prefix(host).unwrap_or_default();
    let is_host = match host.strip_prefix('[') {
        Some(literal) => literal.strip_suffix(']').is_some_and(is_ip_literal),
        None => consists_of(host, is_plain),
    };
    consists_of(user, |byte| is_plain(byte) || byte == b':') && is_host && is_port(port)
}

/// Nothing, or a colon and any number of digits.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `IPv6address / IPvFuture`.
fn is_ip_literal(text: &str) -> bool {
    let future = text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    match future {
        Some((version, address)) => {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
                && address.bytes().all(|byte| is_plain(byte) || byte == b':')
        }
        None => text.parse::<Ipv6Addr>().is_ok(),
    }
}

/// `URI`: with a scheme, the rest as it comes.
pub(crate) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_tail = |text| consists_of(text, |byte| is_path_character(byte) || b"/?".contains(&byte));
    let (authority, path) = split_authority(rest);
    is_scheme(scheme)
        && authority.is_none_or(is_authority)
        && consists_of(path, |byte| is_path_character(byte) || byte == b'/')
        && is_tail(query)
        && is_tail(fragment)
}

/// The authority, if two slashes announce one, and the path, of what stands between scheme and query.
fn split_authority(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.strip_prefix("//") else { return (None, text) };
    let (authority, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
    (Some(authority), path)
}

/// What stands before the path of a URI: `scheme "://" authority`, if it has an authority.
pub(crate) fn origin(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once("://")?;
    let authority = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    uri.get(..scheme.len().checked_add("://".len())?.checked_add(authority)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_of_a_uri_ends_where_its_authority_does() {
        let origins = [
            ("https://a.example", Some("https://a.example")),
            ("https://a.example/x", Some("https://a.example")),
            ("https://a.example?x=//b", Some("https://a.example")),
            ("https://a.example#@b.example/", Some("https://a.example")),
            ("https://a.example:1/x", Some("https://a.example:1")),
            ("https://a.example@b.example/", Some("https://a.example@b.example")),
            ("https:///x", Some("https://")),
            ("mailto:a@b.example", None),
        ];
        for (uri, expected) in origins {
            assert!(is_uri(uri), "{uri}");
            assert_eq!(origin(uri), expected, "{uri}");
        }
    }

    #[test]
    fn uris_are_those_of_rfc_3986() {
        let good = [
            "a:",
            "a:b",
            "a:/",
            "a:/b//c",
            "a:b//c",
            "a:?",
            "a:#",
            "a:?/?#/?",
            "urn:uuid:1",
            "a://",
            "a://b:",
            "a://b:80",
            "a://:80",
            "a://u:p@b",
            "a://[::1]",
            "a://[::1]:8",
            "a://[v1.x:y]",
            "a://[::1.2.3.4]",
            "a:%00%fF",
            "A+-.1://1.2.3.4",
            "a://%41",
            "a:'()*+,;=!$&~_:@",
        ];
        for uri in good {
            assert!(is_uri(uri), "{uri}");
        }
        let bad = [
            "",
            ":",
            "a",
            "/a",
            "//a",
            "1a:",
            "a b:",
            "a:b c",
            "a:%",
            "a:%0",
            "a:%0g",
            "a:#a#b",
            "a:[",
            "a:\"",
            "a:<",
            "a:\\",
            "a:^",
            "a:`",
            "a:{",
            "a:|",
            "a://b:x",
            "a://b@c@d",
            "a://[::1",
            "a://::1]",
            "a://[::1]x",
            "a://[::1]:x",
            "a://[]",
            "a://[1]",
            "a://[::1%25eth0]",
            "a://[v.x]",
            "a://[v1.]",
            "a://[vg.x]",
            "a://[1::2::3]",
            "a://[::1.2.3.256]",
            "a://b:1:2",
            "a:é",
            "a:?[",
            "a:#[",
            "a://x[::1]",
        ];
        for uri in bad {
            assert!(!is_uri(uri), "{uri}");
        }
    }
}
