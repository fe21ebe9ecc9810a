//! What a reader of the board asks for.

use data_encoding::BASE64URL_NOPAD;
use primitives::UnixMillis;
use serde_json::{Map, Value};

use super::Faults;
use crate::limits;
use crate::problem::Problem;

/// A place on the board: everything older than this gig follows. Opaque on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// When the gig was posted.
    pub created_at: UnixMillis,
    /// Its id, which orders gigs of one moment.
    pub gig_id: String,
}

impl Cursor {
    /// The opaque text.
    pub fn encode(&self) -> String {
        BASE64URL_NOPAD.encode(format!("{}.{}", self.created_at.0, self.gig_id).as_bytes())
    }

    fn decode(text: &str) -> Option<Self> {
        let text = String::from_utf8(BASE64URL_NOPAD.decode(text.as_bytes()).ok()?).ok()?;
        let (millis, gig_id) = text.split_once('.')?;
        let gig: primitives::GigId = gig_id.parse().ok()?;
        // Sorting happens by the text, so only the one text of an id is taken.
        let canonical = gig.to_string() == gig_id;
        let created_at = millis.parse().ok().filter(|millis| *millis < (1 << 53)).map(UnixMillis)?;
        canonical.then(|| Self { created_at, gig_id: gig_id.to_owned() })
    }
}

/// One page of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// At most this many gigs.
    pub limit: u32,
    /// Where to go on.
    pub after: Option<Cursor>,
    /// Only this kind of work.
    pub task_type: Option<String>,
    /// Only bounties from here.
    pub min_bounty: u32,
    /// Only bounties up to here.
    pub max_bounty: u32,
    /// Only gigs whose title or description contains this text, whatever its case (ASCII letters).
    pub search: Option<String>,
}

impl Page {
    /// Whether some gigs are left out, so that a page may have to look past many to fill itself.
    pub fn is_filtered(&self) -> bool {
        self.task_type.is_some()
            || self.search.is_some()
            || self.min_bounty > 0
            || self.max_bounty < limits::BOUNTY_MAX
    }
}

const TASK_TYPES: [&str; 5] = ["web_scrape", "data_extraction", "computation", "api_relay", "custom"];

/// Reads what a page asks for, from a query string's pairs or a tool's arguments.
///
/// # Errors
/// 400 with every fault: nonsense is not ignored, and neither is an unknown name.
pub fn page<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Page, Problem> {
    let mut faults = Faults::default();
    let mut page = Page {
        limit: limits::PAGE_MAX,
        after: None,
        task_type: None,
        min_bounty: 0,
        max_bounty: limits::BOUNTY_MAX,
        search: None,
    };
    for (name, text) in pairs {
        match name {
            "limit" => {
                page.limit = faults.number(name, &text, 1, limits::PAGE_MAX).unwrap_or(page.limit);
            }
            "min_bounty" => {
                page.min_bounty = faults.number(name, &text, 0, limits::BOUNTY_MAX).unwrap_or(0);
            }
            "max_bounty" => {
                page.max_bounty =
                    faults.number(name, &text, 0, limits::BOUNTY_MAX).unwrap_or(page.max_bounty);
            }
            "task_type" if TASK_TYPES.contains(&text.as_str()) => page.task_type = Some(text),
            "task_type" => faults.add(name, format!("must be one of {}", TASK_TYPES.join(", "))),
            "q" => {
                faults.length(name, &text, 1, limits::SEARCH_MAX);
                page.search = Some(text);
            }
            "cursor" => {
                page.after = Cursor::decode(&text);
                if page.after.is_none() {
                    faults.add(name, "must be the next_cursor of an earlier page, unchanged");
                }
            }
            _ => faults
                .add(name, "is not known here; limit, cursor, task_type, min_bounty, max_bounty and q are"),
        }
    }
    if page.min_bounty > page.max_bounty {
        faults.add("min_bounty", "must not be above max_bounty");
    }
    faults.finish(Some(page))
}

/// A tool's arguments as the pairs that [`page`] reads. A value that is neither text nor a whole number becomes its
/// JSON text, which no filter accepts.
pub fn arguments(arguments: &Map<String, Value>) -> Vec<(&str, String)> {
    arguments
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went_out_and_nothing_else_is_taken() {
        let cursor =
            Cursor { created_at: UnixMillis(7), gig_id: "00000000-0000-8000-8000-000000000001".to_owned() };
        assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        let forged = BASE64URL_NOPAD.encode(b"7.x' OR 1");
        for bad in ["", "x", "Ny4", forged.as_str()] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (name, text) in [
            ("limit", "0"),
            ("limit", "101"),
            ("limit", "+1"),
            ("limit", "1.0"),
            ("min_bounty", "-1"),
            ("max_bounty", "1000001"),
            ("task_type", "Custom"),
            ("q", ""),
            ("cursor", "!"),
            ("color", "red"),
        ] {
            let problem = page([(name, text.to_owned())].into_iter()).unwrap_err();
            assert_eq!(problem.errors[0].field, name, "{name}={text}");
        }
    }
}
