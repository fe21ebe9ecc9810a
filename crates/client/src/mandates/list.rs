//! Pages of lists, and what narrows them.

use api::wire::{MandateStatus, Progress};
use eip712::B256;
use reqwest::Url;
use serde::{Deserialize, Serialize};

/// Which page of a list. The answer's `next_cursor` begins the page that follows.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// How many; the board's own measure without it.
    pub limit: Option<u32>,
    /// Where the page begins, as the page before said.
    pub cursor: Option<String>,
}

/// Requests that need or needed their owner's approval, by where they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// They wait for the owner.
    #[default]
    Waiting,
    /// The owner said yes.
    Approved,
    /// The owner said no.
    Rejected,
    /// The owner said nothing in time.
    Expired,
    /// All of them.
    All,
}

/// Which lines of an owner's activity.
#[derive(Debug, Clone, Default)]
pub struct ActivityFilter {
    /// Only of this mandate.
    pub mandate: Option<B256>,
    /// Only of this kind, such as `request`.
    pub kind: Option<String>,
    /// Only with this result, such as `escrowed`.
    pub result: Option<String>,
    /// Only from this moment on (RFC 3339 in UTC, as the wire writes it).
    pub from: Option<String>,
    /// Only before this moment.
    pub to: Option<String>,
}

impl Page {
    pub(super) fn write_to(&self, url: &mut Url) {
        put(url, "limit", self.limit.map(|limit| limit.to_string()));
        put(url, "cursor", self.cursor.clone());
    }
}

impl ActivityFilter {
    pub(super) fn write_to(&self, url: &mut Url) {
        put(url, "kind", self.kind.clone());
        put(url, "result", self.result.clone());
        put(url, "mandate", self.mandate.map(|mandate| mandate.to_string()));
        put(url, "from", self.from.clone());
        put(url, "to", self.to.clone());
    }
}

/// Words of the wire that narrow a list.
pub(super) trait Word: Serialize {}
impl Word for MandateStatus {}
impl Word for Progress {}
impl Word for Standing {}

pub(super) fn put_word(url: &mut Url, name: &str, word: Option<impl Word>) {
    put(url, name, word.and_then(|word| serde_json::to_value(word).ok()?.as_str().map(str::to_owned)));
}

pub(super) fn put(url: &mut Url, name: &str, value: Option<String>) {
    if let Some(value) = value {
        url.query_pairs_mut().append_pair(name, &value);
    }
}
