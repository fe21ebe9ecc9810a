//! What is agreed with agents. It is on file with the shell: `filed` is what stands there.

use primitives::AgentName;

use crate::{Account, Fact, Mode, Offer, Refusal};

/// What stands for an agent with whom nothing was agreed.
const NOTHING: Account = Account { mode: Mode::Postpaid, offer: None, revision: 0 };

pub(super) fn offer(agent: AgentName, offer: Offer, filed: Option<Account>) -> Result<Option<Fact>, Refusal> {
    let filed = filed.unwrap_or(NOTHING);
    match &filed.offer {
        Some(before) if before.signer != offer.signer => return Err(Refusal::OfferTaken),
        Some(before) if before.mandate == offer.mandate => return Ok(None),
        Some(_) | None => {}
    }
    Ok(Some(changed(agent, Account { offer: Some(offer), ..filed })))
}

/// The mode stays: who has to pay before it uses anything uses nothing then.
pub(super) fn withdraw(agent: AgentName, signer: &str, filed: Option<Account>) -> Result<Fact, Refusal> {
    let filed = filed.unwrap_or(NOTHING);
    let offer = filed.offer.as_ref().ok_or(Refusal::NoMandateOffered)?;
    if offer.signer != signer {
        return Err(Refusal::NotYourOffer);
    }
    Ok(changed(agent, Account { offer: None, ..filed }))
}

pub(super) fn set(
    agent: AgentName,
    mode: Mode,
    mandate: Option<&str>,
    filed: Option<Account>,
) -> Result<Option<Fact>, Refusal> {
    let filed = filed.unwrap_or(NOTHING);
    let offer = match mandate {
        Some(mandate) => Some(named(&filed, mandate)?),
        None => match mode {
            Mode::Prepaid => return Err(Refusal::NoMandateOffered),
            // An offer that the tenant does not name is turned down: whoever made it has no hold on the agent's name.
            Mode::Postpaid => None,
        },
    };
    let is_so = filed.mode == mode && filed.offer == offer;
    Ok((!is_so).then(|| changed(agent, Account { mode, offer, ..filed })))
}

/// The offer of this mandate, which nobody can have swapped for another one meanwhile.
fn named(filed: &Account, mandate: &str) -> Result<Offer, Refusal> {
    let offer = filed.offer.as_ref().ok_or(Refusal::NoMandateOffered)?;
    if offer.mandate == mandate { Ok(offer.clone()) } else { Err(Refusal::OtherMandate) }
}

fn changed(agent: AgentName, account: Account) -> Fact {
    let revision = account.revision.saturating_add(1);
    Fact::AccountChanged { agent, account: Account { revision, ..account } }
}
