//! How the deployment is run: whether it is draining, so that new traffic should go elsewhere.

use core::cell::Cell;

use serde::Deserialize;
use shell::{Failure, answer, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

const KIND: &str = "operations";
const TABLE: &str = "CREATE TABLE IF NOT EXISTS draining (id INTEGER PRIMARY KEY CHECK (id = 1), is_so INTEGER NOT NULL) STRICT";

/// The object.
#[durable_object(fetch)]
pub struct OperationsObject {
    state: State,
    name: String,
    is_draining: Cell<Option<bool>>,
}

impl DurableObject for OperationsObject {
    fn new(state: State, _: Env) -> Self {
        let name = state.id().name().unwrap_or_default();
        Self { state, name, is_draining: Cell::new(None) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl OperationsObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            "is_draining" => answer(self.is_draining(), KIND, &self.name),
            "drain" => answer(self.drain(&body), KIND, &self.name),
            other => answer::<()>(Err(unknown_subject(other)), KIND, &self.name),
        }
    }
}

#[derive(Deserialize)]
struct Row {
    is_so: u8,
}

impl OperationsObject {
    fn is_draining(&self) -> Result<bool, Failure> {
        if let Some(is_draining) = self.is_draining.get() {
            return Ok(is_draining);
        }
        let sql = self.state.storage().sql();
        sql.exec(TABLE, None)?;
        let rows: Vec<Row> = sql.exec("SELECT is_so FROM draining", None)?.to_array()?;
        let is_draining = rows.first().is_some_and(|row| row.is_so == 1);
        self.is_draining.set(Some(is_draining));
        Ok(is_draining)
    }

    /// Sets it; answers what is so then.
    fn drain(&self, body: &str) -> Result<bool, Failure> {
        let wanted: bool = serde_json::from_str(body)?;
        if self.is_draining()? != wanted {
            let values = vec![i64::from(wanted).into()];
            let sql = self.state.storage().sql();
            sql.exec("INSERT OR REPLACE INTO draining (id, is_so) VALUES (1, ?)", values)?;
            self.is_draining.set(Some(wanted));
        }
        Ok(wanted)
    }
}
