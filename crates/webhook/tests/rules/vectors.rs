//! The vectors that `tests/peers/webhooks.mjs` writes.

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Vectors {
    pub(crate) now: u64,
    pub(crate) secret: String,
    pub(crate) signed: Vec<Signed>,
    pub(crate) judged: Vec<Judged>,
    pub(crate) addresses: Vec<Address>,
}

#[derive(Deserialize)]
pub(crate) struct Signed {
    pub(crate) secret: String,
    pub(crate) id: String,
    pub(crate) at: u64,
    pub(crate) body: String,
    pub(crate) signature: String,
}

#[derive(Deserialize)]
pub(crate) struct Judged {
    pub(crate) about: String,
    pub(crate) id: String,
    pub(crate) timestamp: String,
    pub(crate) body: String,
    pub(crate) signature: String,
    pub(crate) taken: bool,
}

#[derive(Deserialize)]
pub(crate) struct Address {
    pub(crate) address: String,
    pub(crate) public: bool,
}

pub(crate) fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../tests/vectors/webhook.json")).unwrap()
}
