//! `GET /v1/gigs/discover`.

use api::inbound::{self, Page};
use api::problem::Problem;

use crate::ports::board;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// A page of the board.
pub async fn discover(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let page = page(&incoming.pairs())?;
    let board::Listed { count, records, next } = board::page(&incoming.env, &page).await?;
    let cursor = next.map_or_else(|| "null".to_owned(), |cursor| format!("\"{}\"", cursor.encode()));
    // Each record is JSON already; it is passed on as it lies on the board.
    let body = format!("{{\"count\":{count},\"gigs\":[{records}],\"next_cursor\":{cursor}}}");
    Ok(Outgoing::text(200, "application/json", body).with("cache-control", "no-cache"))
}

fn page(pairs: &[(String, String)]) -> Result<Page, Problem> {
    inbound::page(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}
