//! The Worker at the edge: what arrives is routed, what is asked of an object is sent to it, and what happened is said
//! in the protocol's words. Rules of the business are in the cores; this crate carries them.

mod caller;
mod config;
mod halt;
mod objects;
mod paywall;
mod ports;
mod rejection;
mod request;
mod respond;
mod routes;
mod sweep;
mod traffic;

use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _context: Context) -> worker::Result<web_sys::Response> {
    routes::answer(request, env).await
}

#[event(scheduled)]
async fn scheduled(_event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    sweep::sweep(&env).await;
}
