//! The origin of the page that asks: ours.

use core::str::FromStr;

use primitives::Malformed;

use crate::{Authority, Message, Scheme, grammar::host};

/// The origin of our own pages, from the configuration and never from a request's `Host`: `https`, or `http` on the
/// developer's own machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    text: String,
    scheme: Scheme,
    domain: Authority,
}

/// Which part of a message names another origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    Scheme,
    Domain,
    Uri,
}

impl Origin {
    /// The text, such as `https://guildhall.example`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text without the scheme: the domain of our messages.
    pub fn domain(&self) -> &Authority {
        &self.domain
    }

    /// Holds scheme, domain and URI of a message against this origin, byte for byte. A message without a scheme is for
    /// the page's own.
    pub(crate) fn asks(&self, message: &Message) -> Result<(), Foreign> {
        if message.scheme.as_ref().is_some_and(|scheme| *scheme != self.scheme) {
            return Err(Foreign::Scheme);
        }
        if message.domain != self.domain {
            return Err(Foreign::Domain);
        }
        if message.uri.origin() != Some(self.as_str()) {
            return Err(Foreign::Uri);
        }
        Ok(())
    }
}

impl FromStr for Origin {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let parsed = || {
            let (scheme, domain) = text.split_once("://")?;
            let is_allowed = match scheme {
                "https" => true,
                "http" => ["localhost", "127.0.0.1", "[::1]"].contains(&host(domain)),
                _ => false,
            };
            let is_clean = !domain.contains('@') && !domain.bytes().any(|byte| byte.is_ascii_uppercase());
            let (scheme, domain) = (scheme.parse().ok()?, domain.parse().ok()?);
            (is_allowed && is_clean).then(|| Self { text: text.to_owned(), scheme, domain })
        };
        parsed().ok_or(Malformed {
            what: "origin",
            allowed: "`https://` and a host in lower case, with a port if it is not 443, and no path; `http://` only for \
                      localhost, 127.0.0.1 and [::1]",
        })
    }
}

impl core::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_or_this_machine_is_an_origin() {
        let good = [
            "https://guildhall.example",
            "https://guildhall.example:8443",
            "https://10.0.0.1",
            "https://[2001:db8::1]:1",
            "http://localhost:8787",
            "http://127.0.0.1:8787",
            "http://[::1]:8787",
            "http://localhost",
        ];
        for text in good {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), text);
        }
        let bad = [
            "",
            "guildhall.example",
            "https://",
            "https://:443",
            "https://guildhall.example/",
            "https://Guildhall.example",
            "HTTPS://guildhall.example",
            "https://a@guildhall.example",
            "http://guildhall.example",
            "http://localhost.evil.example",
            "http://localhost@evil.example",
            "http://127.0.0.1.evil.example",
            "ws://localhost",
            "https://a b",
            "https://a?b",
            "https://a#b",
        ];
        for text in bad {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
