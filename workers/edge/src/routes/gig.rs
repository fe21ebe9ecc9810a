//! Everything about a gig that exists, except its tunnel.

use api::binding::{GigReply, GigView};
use api::problem::Problem;
use api::wire::{ClaimAnswer, JournalAnswer, JournalEntry, ReconnectAnswer, Role, TicketAnswer};
use api::{inbound, outbound};
use gig::{Command, Refusal};
use primitives::{Call, GigId, JournalRow, Reply, SecretKind};
use serde_json::Value;
use shell::{fresh_secret, now};

use crate::ports::objects;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// What the tunnel's protocol is called in the handshake.
pub const TUNNEL_PROTOCOL: &str = "guildhall.tunnel.v1";

/// The view after a command, and whether it had taken effect before.
pub fn done(reply: GigReply) -> Result<(GigView, bool), Rejection> {
    match reply {
        Reply::Done { answer, replayed } => Ok((answer, replayed)),
        Reply::Refused(refusal) => Err(outbound::gig_refused(&refusal).into()),
        Reply::OperationReused => Err(outbound::gig_refused(&Refusal::MessageReused).into()),
    }
}

fn marked(outgoing: Outgoing, replayed: bool) -> Outgoing {
    let outgoing = outgoing.with("cache-control", "no-store");
    if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing }
}

/// `POST /v1/gigs/claim`.
pub async fn claim(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let body = incoming.json().await?;
    let (id, by, message_id) = inbound::claim(&body)?;
    let grant = fresh_secret(SecretKind::Grant)?;
    let command = Command::Claim { by: by.clone(), message_id, grant: grant.digest() };
    let reply = objects::gig_command(&incoming.env, &id, command, &incoming.correlation_id).await?;
    let (view, replayed) = done(reply)?;
    let socket_origin = incoming.origin.replacen("http", "ws", 1);
    let answer = ClaimAnswer {
        message: "Gig claimed successfully".to_owned(),
        gig_id: id.to_string(),
        tunnel_url: format!("{socket_origin}/v1/gigs/{id}/tunnel"),
        tunnel_grant: outbound::tunnel_grant(
            grant.reveal(),
            Role::Worker,
            by.as_str(),
            &view.status.expires_at,
        ),
    };
    Ok(marked(Outgoing::json(200, &answer)?, replayed))
}

/// `GET /v1/gigs/{id}/status`.
pub async fn status(incoming: &Incoming, id: GigId) -> Result<Outgoing, Rejection> {
    let view = objects::gig_view(&incoming.env, &id).await?;
    let view = view.ok_or_else(|| Rejection::from(outbound::gig_refused(&Refusal::UnknownGig)))?;
    let etag = format!("\"{}\"", view.status.lifecycle_version);
    Ok(Outgoing::json(200, &view.status)?.with("etag", etag).with("cache-control", "no-cache"))
}

/// `POST /v1/gigs/{id}/lifecycle`.
pub async fn lifecycle(incoming: &Incoming, id: GigId) -> Result<Outgoing, Rejection> {
    let grant = incoming.grant()?;
    let body = incoming.json().await?;
    let act = inbound::act(&body, &id, grant)?;
    let call = Call {
        command: act.command,
        correlation_id: incoming.correlation_id.clone(),
        operation: Some(act.operation),
    };
    let (view, replayed) = done(objects::gig(&incoming.env, &id, &call).await?)?;
    Ok(marked(Outgoing::json(200, &outbound::lifecycle_answer(view, replayed))?, replayed))
}

/// `POST /v1/gigs/{id}/reconnect`.
pub async fn reconnect(incoming: &Incoming, id: GigId) -> Result<Outgoing, Rejection> {
    let grant = incoming.grant()?;
    let body = incoming.json().await?;
    let (role, by, message_id) = inbound::reconnect(&body)?;
    let replacement = fresh_secret(SecretKind::Grant)?;
    let command =
        Command::Reconnect { by: by.clone(), role, grant, message_id, replacement: replacement.digest() };
    let reply = objects::gig_command(&incoming.env, &id, command, &incoming.correlation_id).await?;
    let (view, replayed) = done(reply)?;
    let role = match role {
        gig::Role::Buyer => Role::Buyer,
        gig::Role::Worker => Role::Worker,
    };
    let answer = ReconnectAnswer {
        message: "Reconnect grant issued".to_owned(),
        gig_id: view.status.gig_id.clone(),
        lifecycle_state: view.status.lifecycle_state,
        lifecycle_version: view.status.lifecycle_version,
        duplicate: replayed,
        tunnel_grant: outbound::tunnel_grant(
            replacement.reveal(),
            role,
            by.as_str(),
            &view.status.expires_at,
        ),
        lifecycle: view.status,
    };
    Ok(marked(Outgoing::json(200, &answer)?, replayed))
}

/// `POST /v1/gigs/{id}/ticket`.
pub async fn ticket(incoming: &Incoming, id: GigId) -> Result<Outgoing, Rejection> {
    let (grant, by) = (incoming.grant()?, incoming.identity()?);
    let ticket = fresh_secret(SecretKind::Ticket)?;
    let command = Command::IssueTicket { by, grant, ticket: ticket.digest() };
    let expires_at = now().plus(gig::limits::TICKET_LIFETIME);
    done(objects::gig_command(&incoming.env, &id, command, &incoming.correlation_id).await?)?;
    let answer = TicketAnswer {
        ticket: ticket.reveal().to_owned(),
        protocol: TUNNEL_PROTOCOL.to_owned(),
        expires_at: expires_at.to_rfc3339(),
    };
    Ok(marked(Outgoing::json(200, &answer)?, false))
}

/// `GET /v1/gigs/{id}/journal`.
pub async fn journal(incoming: &Incoming, id: GigId) -> Result<Outgoing, Rejection> {
    let party = (incoming.identity()?, incoming.grant()?);
    let rows = objects::gig_journal(&incoming.env, &id, &party).await?;
    let rows = rows.map_err(|refusal| Rejection::from(outbound::gig_refused(&refusal)))?;
    let mut entries = Vec::with_capacity(rows.len());
    for JournalRow { seq, body, hash } in rows {
        let mut body: Value = serde_json::from_str(&body)?;
        let mut take = |name: &str| body.get_mut(name).map(Value::take).unwrap_or_default();
        let text = |value: Value| value.as_str().unwrap_or_default().to_owned();
        let (at, correlation_id) = (text(take("at")), text(take("correlation_id")));
        entries.push(JournalEntry { seq, at, correlation_id, event: take("event"), hash });
    }
    let head = entries.last().map_or_else(String::new, |entry| entry.hash.clone());
    let answer = JournalAnswer { gig_id: id.to_string(), entries, head };
    Ok(marked(Outgoing::json(200, &answer)?, false))
}

/// The refusal of a plain request to a WebSocket's address.
pub fn upgrade_required() -> Rejection {
    let problem = Problem::new(
        426,
        "upgrade_required",
        "This address is a WebSocket; connect with `Upgrade: websocket`.",
    );
    Rejection::Problem(Box::new(problem), vec![("upgrade", "websocket".to_owned())])
}
