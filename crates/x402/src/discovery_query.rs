//! The query of `GET /discovery/resources` (core specification, section 8).

use crate::{
    DiscoveryResource, ResourceKind,
    limits::{DISCOVERY_LIMIT, DISCOVERY_LIMITS, QUERY_BYTES},
    percent,
};

/// What a caller wants to see of the catalogue. Every filter that is there must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveryQuery {
    /// `type`: how the resource is reached.
    pub kind: Option<ResourceKind>,
    /// `payTo`: who is paid.
    pub pay_to: Option<String>,
    /// `scheme`: how it can be paid.
    pub scheme: Option<String>,
    /// `network`: where it can be paid.
    pub network: Option<String>,
    /// `extensions`: the name of an extension that it has.
    pub extension: Option<String>,
    /// `limit`: how many entries, 1 to 100; 20 if the caller does not say.
    pub limit: u64,
    /// `offset`: how many entries to pass over; 0 if the caller does not say.
    pub offset: u64,
}

/// Why a query cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryFault {
    /// Longer than any query needs to be.
    TooLong,
    /// An escape is damaged, or what it stands for is not UTF-8.
    Escapes,
    /// The parameter stands there twice.
    Twice(&'static str),
    /// `type` is neither `http` nor `mcp`.
    Kind,
    /// `limit` is not a whole number within its bounds.
    Limit,
    /// `offset` is not a whole number.
    Offset,
}

impl core::fmt::Display for QueryFault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong => write!(formatter, "The query is longer than {QUERY_BYTES} bytes."),
            Self::Escapes => {
                formatter.write_str("The query's percent-encoding is damaged, or is not of UTF-8.")
            }
            Self::Twice(parameter) => write!(formatter, "`{parameter}` may be given once."),
            Self::Kind => formatter.write_str("`type` must be `http` or `mcp`."),
            Self::Limit => write!(
                formatter,
                "`limit` must be a whole number from {} to {}.",
                DISCOVERY_LIMITS.start(),
                DISCOVERY_LIMITS.end(),
            ),
            Self::Offset => formatter.write_str("`offset` must be a whole number from 0 to 2^53 - 1."),
        }
    }
}

impl core::error::Error for QueryFault {}

impl DiscoveryQuery {
    /// Reads the part of a URL after `?`. Parameters that are not known here are passed over, and an empty one counts as
    /// absent.
    ///
    /// # Errors
    /// When the query is too long or damaged, names a parameter twice, or gives one a value that it cannot have.
    pub fn parse(query: &str) -> Result<Self, QueryFault> {
        if query.len() > QUERY_BYTES {
            return Err(QueryFault::TooLong);
        }
        let pairs = query.split('&').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let text = |part: &str| percent::decode(&part.replace('+', " ")).ok_or(QueryFault::Escapes);
            Ok((text(name)?, text(value)?))
        });
        let pairs: Vec<_> = pairs.collect::<Result<_, _>>()?;
        let read = |parameter: &'static str| {
            let mut values = pairs.iter().filter(|(name, _)| name == parameter);
            let value = values.next().map(|(_, value)| value.clone()).filter(|value| !value.is_empty());
            if values.next().is_some() { Err(QueryFault::Twice(parameter)) } else { Ok(value) }
        };
        let kind = match read("type")?.as_deref() {
            None => None,
            Some("http") => Some(ResourceKind::Http),
            Some("mcp") => Some(ResourceKind::Mcp),
            Some(_) => return Err(QueryFault::Kind),
        };
        let limit = match read("limit")? {
            None => Some(DISCOVERY_LIMIT),
            Some(text) => whole(&text).filter(|limit| DISCOVERY_LIMITS.contains(limit)),
        };
        let offset = match read("offset")? {
            None => Some(0),
            Some(text) => whole(&text),
        };
        Ok(Self {
            kind,
            pay_to: read("payTo")?,
            scheme: read("scheme")?,
            network: read("network")?,
            extension: read("extensions")?,
            limit: limit.ok_or(QueryFault::Limit)?,
            offset: offset.ok_or(QueryFault::Offset)?,
        })
    }

    /// Whether an entry meets every filter; payee, scheme and network must be those of one way to pay.
    pub fn admits(&self, item: &DiscoveryResource) -> bool {
        let is = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| wanted == found);
        let is_payee =
            |found: &str| self.pay_to.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(found));
        let has = |name: &String| item.extensions.as_ref().is_some_and(|all| all.contains_key(name));
        self.kind.is_none_or(|kind| kind == item.kind)
            && self.extension.as_ref().is_none_or(has)
            && item.accepts.iter().any(|offer| {
                is(&self.scheme, &offer.scheme)
                    && is(&self.network, &offer.network)
                    && is_payee(&offer.pay_to)
            })
    }
}

/// Digits only, and below 2^53 so that it survives any JSON.
fn whole(text: &str) -> Option<u64> {
    const JSON_MAX: u64 = (1 << 53) - 1;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|number| *number <= JSON_MAX)
}
