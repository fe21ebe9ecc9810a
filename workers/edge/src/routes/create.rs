//! `POST /v1/gigs/create`: the paid route.

use api::binding::{Fulfilment, GigView, Order};
use api::outbound;
use api::wire::{CreateAnswer, Role};
use primitives::{Secret, SecretKind};
use shell::fresh_secret;

use crate::config::config;
use crate::paywall::http::Sale;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Posts a gig once it is paid for.
pub async fn create(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let settings = config(&incoming.env)?;
    let sale = Sale::open(incoming, &settings, &settings.posting)?;
    let body = incoming.json().await?;
    let posting = api::inbound::posting(&body)?;
    let grant = fresh_secret(SecretKind::Grant)?;
    let order = |payer: &[u8; 20]| Order::Gig {
        terms: Box::new(posting.terms(payer, settings.claim_timeout, settings.review_window)),
        grant: grant.digest(),
    };
    sale.close(&body, order, |bought, replayed| match bought {
        Fulfilment::Gig(gig) => created(*gig, &grant, replayed),
        Fulfilment::Settlement(_) => Err(other_than_a_gig()),
    })
    .await
}

fn other_than_a_gig() -> Rejection {
    shell::Failure::Corrupt("the payment of a posting has bought something else".to_owned()).into()
}

fn created(gig: GigView, grant: &Secret, replayed: bool) -> Result<Outgoing, Rejection> {
    let record =
        gig.record.ok_or_else(|| shell::Failure::Corrupt("a funded gig without a record".to_owned()))?;
    let in_force = gig.buyer_grant.is_some_and(|digest| digest.same_as(&grant.digest()));
    let tunnel_grant = in_force.then(|| {
        outbound::tunnel_grant(grant.reveal(), Role::Buyer, &record.buyer_pubkey, &record.expires_at)
    });
    let message = match (replayed, in_force) {
        (false, _) => "Gig created successfully",
        (true, true) => "This gig was created before; here is a fresh grant in place of the unused one",
        (true, false) => {
            "This gig was created before and its grant is in use; POST /v1/gigs/{id}/reconnect rotates it"
        }
    };
    Outgoing::json(201, &CreateAnswer { message: message.to_owned(), gig: record, tunnel_grant })
}
