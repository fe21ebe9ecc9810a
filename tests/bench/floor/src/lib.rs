//! What the platform itself costs. Each route does the least that a Worker in Rust can do for its kind of
//! request, so that the product's figures can be read as parts of these.

mod signatures;

use serde::Deserialize;
use worker::{
    Context, DurableObject, Env, Request, Response, Result, SqlStorageValue, State, WebSocket,
    WebSocketIncomingMessage, WebSocketPair, durable_object, event,
};

/// The binding of the one object class.
const OBJECT: &str = "FLOOR";

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response> {
    let path = request.path();
    let mut words = path.split('/').skip(1);
    match (words.next(), words.next()) {
        (Some("empty"), _) => Response::ok("empty"),
        (Some("query"), _) => query(&env).await,
        (Some("recover"), _) => signatures::recover(),
        (Some("verify"), _) => signatures::verify(),
        (Some("object"), Some(name)) => {
            let name = name.to_owned();
            env.durable_object(OBJECT)?.get_by_name(&name)?.fetch_with_request(request).await
        }
        _ => Response::error("no such floor", 404),
    }
}

#[derive(Deserialize)]
struct Row {
    record: String,
}

/// The query of discovery, with nothing around it.
async fn query(env: &Env) -> Result<Response> {
    const NEWEST: &str =
        "SELECT record FROM gigs WHERE status = 'ACTIVE' ORDER BY created_at DESC, gig_id DESC LIMIT 100";
    let rows: Vec<Row> = env.d1("DB")?.prepare(NEWEST).all().await?.results()?;
    let records: Vec<String> = rows.into_iter().map(|row| row.record).collect();
    Response::ok(format!("[{}]", records.join(",")))
}

/// An object that writes one row for a request, and passes messages on between two sockets.
#[durable_object]
pub struct FloorObject {
    env: Env,
    state: State,
}

impl FloorObject {
    /// One row of the board, as a projection writes it.
    async fn project(&self, id: &str) -> Result<()> {
        const ROW: &str = "INSERT INTO gigs (gig_id, version, status, task_type, bounty_sats, created_at, expires_at,
            title, description, record) VALUES (?, 1, 'EXPIRED', 'custom', 1, 1, 1, 'title', 'description', '{}')
            ON CONFLICT (gig_id) DO UPDATE SET version = version + 1";
        self.env.d1("DB")?.prepare(ROW).bind(&[id.into()])?.run().await?;
        Ok(())
    }
}

impl DurableObject for FloorObject {
    fn new(state: State, env: Env) -> Self {
        const SCHEMA: &str =
            "CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT";
        // Without the table the first write fails, and the measurement with it.
        let _made = state.storage().sql().exec(SCHEMA, None);
        Self { env, state }
    }

    async fn fetch(&self, request: Request) -> Result<Response> {
        if request.headers().get("upgrade")?.is_some() {
            let pair = WebSocketPair::new()?;
            self.state.accept_web_socket(&pair.server);
            return Response::from_websocket(pair.client);
        }
        let sql = self.state.storage().sql();
        let value = SqlStorageValue::String("one row".to_owned());
        sql.exec("INSERT INTO rows (text) VALUES (?)", vec![value])?;
        if let Some(id) =
            request.path().strip_prefix("/object/").and_then(|rest| rest.strip_suffix("/projected"))
        {
            self.project(id).await?;
        }
        Response::ok("written")
    }

    async fn alarm(&self) -> Result<Response> {
        Response::ok("")
    }

    async fn websocket_message(&self, from: WebSocket, message: WebSocketIncomingMessage) -> Result<()> {
        for other in self.state.get_websockets() {
            if other.as_ref() == from.as_ref() {
                continue;
            }
            match &message {
                WebSocketIncomingMessage::String(text) => other.send_with_str(text)?,
                WebSocketIncomingMessage::Binary(bytes) => other.send_with_bytes(bytes)?,
            }
        }
        Ok(())
    }

    async fn websocket_close(
        &self,
        socket: WebSocket,
        _code: usize,
        _reason: String,
        _clean: bool,
    ) -> Result<()> {
        socket.close(Some(1000), Some(""))
    }

    async fn websocket_error(&self, _socket: WebSocket, _error: worker::Error) -> Result<()> {
        Ok(())
    }
}
