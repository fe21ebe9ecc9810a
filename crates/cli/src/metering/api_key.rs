//! `guildhall key create`, `list`, `show`, `rotate` and `revoke`: the keys of a tenant.

use std::path::PathBuf;

use clap::Args;
use client::{
    Millis, after,
    wire::metering::{KeyIssued, KeyView, NewKey, RotateKey, ScopeName},
};
use serde_json::json;

use super::{
    keyed::{Keyed, Vault},
    show,
};
use crate::{failure::Failure, mandate::word, output::Output};

/// `key create`.
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// Where the key goes. An existing file is left as it is.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How it is called.
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// What it may do, once for each: usage:write, usage:read, billing:write, services:write, webhooks:write or admin.
    /// Without it, record and read usage.
    #[arg(long = "scope", value_name = "SCOPE", value_parser = word::<ScopeName>)]
    scopes: Vec<ScopeName>,
    /// How long it opens, in days. Without it, for ever.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: Option<u32>,
    /// The key that makes it.
    #[command(flatten)]
    keyed: Keyed,
}

/// A key of a tenant.
#[derive(Debug, Args)]
pub(crate) struct One {
    /// The key's id: key_ and 16 characters.
    #[arg(value_parser = key_id)]
    key: String,
    /// The key that asks.
    #[command(flatten)]
    keyed: Keyed,
}

/// `key rotate`.
#[derive(Debug, Args)]
pub(crate) struct Rotate {
    /// The key.
    #[command(flatten)]
    one: One,
    /// Where the new key goes. An existing file is left as it is.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How long the old key still opens, in seconds. Without it, a day.
    #[arg(long, value_name = "SECONDS")]
    overlap: Option<u64>,
}

fn key_id(text: &str) -> Result<String, String> {
    let is_id = text.strip_prefix("key_").is_some_and(|own| {
        own.len() == 16 && own.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    });
    if is_id {
        Ok(text.to_owned())
    } else {
        Err("a key's id is key_ and 16 lower-case characters".to_owned())
    }
}

/// Makes a key.
pub(crate) async fn create(api: &str, create: Create, output: &Output) -> Result<(), Failure> {
    const DAY: u64 = 24 * 60;
    let Create { out, label, scopes, days, keyed } = create;
    let lifetime = days.map(|days| Millis::from_minutes(u64::from(days).saturating_mul(DAY)));
    let wanted = NewKey {
        label,
        scopes: (!scopes.is_empty()).then_some(scopes),
        expires_at: lifetime.map(|span| after(span).to_rfc3339()),
        rate: None,
    };
    let metering = keyed.metering(api)?;
    issued(Vault::new(&out)?.keep(metering.create_key(&wanted), secret, output).await?, &out, output)
}

/// Lists the keys.
pub(crate) async fn list(api: &str, keyed: Keyed, output: &Output) -> Result<(), Failure> {
    let answer = keyed.metering(api)?.keys().await?;
    for key in &answer.keys {
        output.say(show::key_line(key));
    }
    output.give(&answer)
}

/// Shows a key.
pub(crate) async fn show(api: &str, one: One, output: &Output) -> Result<(), Failure> {
    told(&one.keyed.metering(api)?.key(&one.key).await?, output)
}

/// Has a key open nothing any more.
pub(crate) async fn revoke(api: &str, one: One, output: &Output) -> Result<(), Failure> {
    told(&one.keyed.metering(api)?.revoke_key(&one.key).await?, output)
}

/// Replaces a key.
pub(crate) async fn rotate(api: &str, rotate: Rotate, output: &Output) -> Result<(), Failure> {
    let Rotate { one, out, overlap } = rotate;
    let metering = one.keyed.metering(api)?;
    let wanted = RotateKey { overlap_seconds: overlap };
    let rotating = metering.rotate_key(&one.key, &wanted);
    issued(Vault::new(&out)?.keep(rotating, secret, output).await?, &out, output)
}

fn secret(issued: &KeyIssued) -> Option<&str> {
    issued.api_key.as_deref()
}

/// What was made, without the key: it lies in the file, and nowhere else.
fn issued(issued: KeyIssued, file: &std::path::Path, output: &Output) -> Result<(), Failure> {
    output.say(show::key_line(&issued.key));
    output.made(&json!({ "key": issued.key, "apiKeyFile": file }), &issued.key.id)
}

fn told(key: &KeyView, output: &Output) -> Result<(), Failure> {
    output.say(show::key_line(key));
    output.give(key)
}
