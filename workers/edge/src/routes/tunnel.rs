//! `GET /v1/gigs/{id}/tunnel`: the upgrade.

use api::binding::GigReply;
use api::problem::Problem;
use gig::{Bearer, Command};
use primitives::{Call, GigId, Reply, Secret, SecretKind};
use shell::Failure;

use super::gig::{TUNNEL_PROTOCOL, done, upgrade_required};
use crate::config::config;
use crate::ports::objects::GIG;
use crate::rejection::Rejection;
use crate::request::Incoming;

/// Hands the upgrade to the gig. Only digests of the caller's secrets go on.
pub async fn tunnel(incoming: &Incoming, id: GigId) -> Result<web_sys::Response, Rejection> {
    config(&incoming.env)?;
    let upgrade = incoming.header("upgrade").unwrap_or_default();
    if !upgrade.eq_ignore_ascii_case("websocket") {
        return Err(upgrade_required());
    }
    let (bearer, protocol) = bearer(incoming)?;
    let call = Call {
        command: Command::Join { bearer },
        correlation_id: incoming.correlation_id.clone(),
        operation: None,
    };
    let call = ascii_json(&call)?;
    let mut headers = vec![("upgrade", "websocket"), ("x-guildhall-call", call.as_str())];
    headers.extend(protocol.map(|protocol| ("x-guildhall-protocol", protocol)));
    let init = runtime::init("GET", &headers, None)?;
    let response =
        runtime::object(&incoming.env, GIG, &id.to_string())?.get("https://object/join", &init).await?;
    match response.status() {
        101 => Ok(response),
        200 => {
            let reply: GigReply = serde_json::from_str(&runtime::text(&response).await?)?;
            match reply {
                Reply::Done { .. } => Err(Failure::Runtime("a join without a socket".to_owned()).into()),
                refused @ (Reply::Refused(_) | Reply::OperationReused) => {
                    done(refused)?;
                    Err(Failure::Runtime("a refusal without a reason".to_owned()).into())
                }
            }
        }
        status => Err(Failure::Runtime(format!("the gig answered {status}")).into()),
    }
}

/// What the caller shows, and the subprotocol to select. Browsers cannot set headers on a WebSocket; they offer a
/// ticket as a subprotocol.
fn bearer(incoming: &Incoming) -> Result<(Bearer, Option<&'static str>), Rejection> {
    let offered = incoming.header("sec-websocket-protocol").unwrap_or_default();
    let offered: Vec<&str> = offered.split(',').map(str::trim).collect();
    let speaks = offered.contains(&TUNNEL_PROTOCOL);
    if let Some(text) = offered.iter().find(|text| text.starts_with("gld_")) {
        let ticket = Secret::parse(SecretKind::Ticket, text)
            .map_err(|_| Problem::new(401, "invalid_grant", "The ticket is not one as it was issued."))?;
        if !speaks {
            let detail = format!("Offer the subprotocol {TUNNEL_PROTOCOL} before the ticket.");
            return Err(Problem::new(400, "missing_subprotocol", detail).into());
        }
        return Ok((Bearer::Ticket { ticket: ticket.digest() }, Some(TUNNEL_PROTOCOL)));
    }
    let (grant, by) = (incoming.grant()?, incoming.identity()?);
    Ok((Bearer::Grant { by, grant }, speaks.then_some(TUNNEL_PROTOCOL)))
}

/// JSON that fits into a header: an identity may hold any letter, so what is not ASCII is escaped.
fn ascii_json(call: &Call<Command>) -> Result<String, Rejection> {
    let mut text = String::new();
    for unit in serde_json::to_string(call)?.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => text.push(char::from(byte)),
            Ok(_) | Err(_) => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    Ok(text)
}
