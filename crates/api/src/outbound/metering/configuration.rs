//! What is set, and what is agreed with agents, as it is shown.

use primitives::{AgentName, Millis};
use tenant::{Account, Book, Mode};

use super::rate;
use crate::outbound::mandate::length;
use crate::wire::{AccountMode, AccountView, ConfigView, OfferView};

/// What is set.
pub fn configuration(book: &Book) -> ConfigView {
    let set = &book.configuration;
    let seconds = |span: Millis| span.0 / 1_000;
    ConfigView {
        name: book.name.as_str().to_owned(),
        pay_to: book.pay_to.as_ref().map(|address| address.as_str().to_owned()),
        rate: rate(set.rate),
        bulk_max_items: length(set.bulk_max),
        late_window_seconds: seconds(set.late),
        services_max: length(set.services_max),
        keys_max: length(set.keys_max),
        endpoints_max: length(set.endpoints_max),
        draft_wait_seconds: seconds(set.draft_wait),
        revision: book.revision,
    }
}

/// What is agreed with an agent; before anything is, it pays after it has used.
pub fn account(agent: &AgentName, account: Option<&Account>) -> AccountView {
    let offer = account.and_then(|account| account.offer.as_ref());
    AccountView {
        agent: agent.to_string(),
        mode: match account.map_or(Mode::Postpaid, |account| account.mode) {
            Mode::Postpaid => AccountMode::Postpaid,
            Mode::Prepaid => AccountMode::Prepaid,
        },
        offer: offer.map(|offer| OfferView {
            mandate: offer.mandate.clone(),
            signer: offer.signer.clone(),
            at: offer.at.to_rfc3339(),
        }),
        revision: account.map_or(0, |account| account.revision),
    }
}
