//! The Model Context Protocol (MCP) for a server without sessions: one request in, one JSON answer out.
//!
//! Two eras of the protocol meet at one address. A **modern** request (revision 2026-07-28) says everything about
//! itself in its headers and in `params._meta`; a **legacy** request (2025-11-25, 2025-06-18) follows an
//! `initialize` that this server answers and forgets. Both are served by the same function and the same lists.
//!
//! ```text
//! headers, body ─► dispatch ─┬─► Answer                                the protocol alone could answer
//!                            ├─► ToolCall ─► the caller's own work ─► finish_call ─► Answer
//!                            └─► ResourceRead ─► the caller's own work ─► finish_read ─► Answer
//! ```
//!
//! Invariants, cited by the tests:
//! - **M1** Every answer to a request repeats its id; an answer to what could not be read as a request has none.
//! - **M2** The era follows from the request alone: nothing is remembered between two requests.
//! - **M3** A modern result says whether it is `complete`, names this server, and where the protocol asks for it says
//!   how long it may be kept and by whom.
//! - **M4** A modern request whose headers contradict its body is refused before anything else is looked at.
//! - **M5** No text, however formed, makes this crate panic.
//! - **M6** Only a client that declared it with this very request is asked to show an address to a person; every other
//!   one reads the same in an ordinary result that is no error.
//! - **M7** What a repeated call brings back reaches the caller as the client sent it, or the call is refused; a legacy
//!   call brings nothing back.
//!
//! What this crate refuses to know: HTTP libraries, sockets, sessions, streams, and what the tools do. The caller
//! bounds the body, answers every HTTP method other than POST with 405 and `Allow: POST`, checks `Origin`, and sends
//! each body as `application/json`. `Mcp-Session-Id` and `Last-Event-ID` have no meaning here and are ignored.
//!
//! Specification: <https://modelcontextprotocol.io/specification/2026-07-28> and
//! <https://modelcontextprotocol.io/specification/2025-11-25>.

mod answer;
mod dispatch;
mod fault;
mod finish;
mod headers;
mod input;
mod message;
mod server;
mod version;

pub use answer::Answer;
pub use dispatch::{Dispatch, Request, ResourceRead, ToolCall, dispatch};
pub use finish::{NotFound, ToolContent, ToolOutcome, finish_call, finish_read};
pub use input::{ElicitAction, InputRequired};
pub use server::{Annotations, Resource, Server, Tool};
pub use version::{LEGACY_VERSIONS, MODERN_VERSION};
