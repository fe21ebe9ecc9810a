//! The same few people and things in every test: buyer B, workers, payments, and secrets known by their digests.

use gig::{
    Bearer, Command, Completion, Delivery, Effect, Event, Expiry, Fact, Lifecycle, Payer, Role, State, Terms,
};
use primitives::{AgentIdentity, Digest, GigId, MessageId, Millis, PaymentId, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

pub(crate) fn who(name: &str) -> AgentIdentity {
    name.parse().unwrap()
}

pub(crate) fn message(name: &str) -> MessageId {
    name.parse().unwrap()
}

/// What is kept of the secret `name`.
pub(crate) fn secret(name: &str) -> Digest {
    Digest::of(&[name.as_bytes()])
}

/// Payment `name`, claimed for the `attempt`th time.
pub(crate) fn payer(name: &str, attempt: u64) -> Payer {
    let payment = PaymentId::derive("eip155:84532", &[1; 20], &[2; 20], &secret(name).0);
    Payer { payment, claimed_at: UnixMillis(START.0 + attempt) }
}

/// A gig of one hour: five minutes for a claimant to come, ten for the buyer to look at a delivery.
pub(crate) fn terms() -> Terms {
    let (buyer, message_id) = (who("B"), message("post"));
    Terms {
        gig_id: GigId::derive(&[2; 20], &buyer, &message_id),
        buyer,
        message_id,
        title: "Count the words".to_owned(),
        description: "How many words has the page?".to_owned(),
        task_type: "computation".to_owned(),
        task_params: r#"{"page":1}"#.to_owned(),
        bounty_sats: 1_000,
        lifetime: Millis::from_minutes(60),
        claim_timeout: Millis::from_minutes(5),
        review_window: Millis::from_minutes(10),
    }
}

/// The same message with another body.
pub(crate) fn other_terms() -> Terms {
    Terms { title: "Count the letters".to_owned(), ..terms() }
}

pub(crate) fn reserve(payer: Payer, grant: &str) -> Command {
    Command::Reserve { terms: terms(), payer, grant: secret(grant) }
}

pub(crate) fn fund(payer: Payer) -> Command {
    Command::Fund { payer, transaction: "0xfeed".to_owned() }
}

pub(crate) fn claim(by: &str, message_id: &str, grant: &str) -> Command {
    Command::Claim { by: who(by), message_id: message(message_id), grant: secret(grant) }
}

pub(crate) fn join(by: &str, grant: &str) -> Command {
    Command::Join { bearer: Bearer::Grant { by: who(by), grant: secret(grant) } }
}

pub(crate) fn deliver(by: &str, grant: &str) -> Command {
    let delivery = Delivery {
        remark: Some("done".to_owned()),
        result_hash: Some(secret("result")),
        result: Some("42".to_owned()),
        result_url: Some("https://example.org/42".to_owned()),
    };
    Command::Deliver { by: who(by), grant: secret(grant), delivery }
}

pub(crate) fn accept(by: &str, grant: &str) -> Command {
    Command::Accept { by: who(by), grant: secret(grant), reason: Some("thanks".to_owned()) }
}

pub(crate) fn revise(by: &str, grant: &str) -> Command {
    Command::Revise { by: who(by), grant: secret(grant), reason: "more digits".to_owned() }
}

pub(crate) fn cancel(by: &str, grant: &str) -> Command {
    Command::Cancel { by: who(by), grant: secret(grant), reason: None }
}

pub(crate) fn abandon(by: &str, grant: &str) -> Command {
    Command::Abandon { by: who(by), grant: secret(grant), reason: None }
}

pub(crate) fn reconnect(by: &str, role: Role, grant: &str, message_id: &str, replacement: &str) -> Command {
    Command::Reconnect {
        by: who(by),
        role,
        grant: secret(grant),
        message_id: message(message_id),
        replacement: secret(replacement),
    }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gig;

pub(crate) type Life = rehearsal::Life<Gig>;
pub(crate) type Heard = rehearsal::Heard<Gig>;

impl Core for Gig {
    core_of!(gig);

    const FACTS: usize = 20;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Reserved { .. } => "Reserved",
            Fact::ReservedAgain { .. } => "ReservedAgain",
            Fact::Released { .. } => "Released",
            Fact::NeverFunded => "NeverFunded",
            Fact::Funded { .. } => "Funded",
            Fact::Claimed { .. } => "Claimed",
            Fact::TunnelGranted { .. } => "TunnelGranted",
            Fact::ClaimLapsed => "ClaimLapsed",
            Fact::GrantReissued { .. } => "GrantReissued",
            Fact::GrantRotated { .. } => "GrantRotated",
            Fact::TicketIssued { .. } => "TicketIssued",
            Fact::Joined { .. } => "Joined",
            Fact::WorkStarted => "WorkStarted",
            Fact::Delivered { .. } => "Delivered",
            Fact::RevisionRequested { .. } => "RevisionRequested",
            Fact::Completed { .. } => "Completed",
            Fact::Closed => "Closed",
            Fact::Cancelled { .. } => "Cancelled",
            Fact::Abandoned { .. } => "Abandoned",
            Fact::Expired { .. } => "Expired",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().map_or("UNPOSTED", Lifecycle::name)
    }

    /// Transitions so far; none while it is not on the board.
    fn mark(state: &State) -> String {
        format!(" {}", state.gig().map_or(0, |gig| gig.version))
    }

    fn told(event: &Event) -> String {
        let detail = if let Fact::Expired { why } = &event.fact {
            match why {
                Expiry::NotClaimed => "(not_claimed)",
                Expiry::NotDelivered => "(not_delivered)",
                Expiry::NotReviewed => "(not_reviewed)",
            }
        } else if matches!(event.fact, Fact::Completed { completion: Completion::ReviewWindowPassed, .. }) {
            "(silence)"
        } else {
            ""
        };
        format!("{}{detail}", Self::name(event))
    }

    fn owed(effect: &Effect) -> String {
        match *effect {}
    }
}
