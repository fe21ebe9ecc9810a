//! `guildhall tenant`, `service`, `usage`, `bill`, `settle`, `reserve`, `account`, `webhook` and the API keys of `key`.

pub(crate) mod api_key;
pub(crate) mod arguments;
pub(crate) mod bill;
mod keyed;
pub(crate) mod reserve;
pub(crate) mod service;
mod show;
pub(crate) mod tenant;
mod tier;
pub(crate) mod usage;
pub(crate) mod webhook;

pub(crate) use keyed::Keyed;

use crate::output::Output;

/// How many there are on a page, and how to read on.
fn more(output: &Output, what: &str, count: usize, cursor: Option<&str>) {
    output.say(format_args!("{what} on this page: {count}."));
    if let Some(cursor) = cursor {
        output.say(format_args!("More: --cursor {cursor}"));
    }
}
