//! What the simulator's mode makes of a good payment.

use primitives::Millis;

use super::{
    judge::{Refusal, Standing, Status},
    mode::Mode,
};
use crate::limits::HANG;

/// How a settlement ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The money has moved.
    Settled,
    /// Sent to the chain, not seen to land.
    Pending,
    /// Nothing was sent.
    Refused(Refusal),
    /// The money has moved, and not for this asker.
    Duplicate,
    /// Nothing was done, and the caller will not learn that.
    Nothing,
}

/// How the answer reaches the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// At once.
    Prompt,
    /// After this long.
    Late(Millis),
    /// Not at all: 504 after this long.
    Silent(Millis),
    /// A page in place of JSON.
    Page,
    /// 502 without a word of the protocol.
    BadGateway,
}

/// A decision of the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub(crate) outcome: Outcome,
    /// What to remember from now on, if that changes.
    pub(crate) record: Option<Status>,
    pub(crate) delivery: Delivery,
}

/// F1: a settled authorization is never settled again, whatever the mode.
pub(crate) fn rule(mode: Mode, standing: Standing) -> Ruling {
    if standing == Standing::Known(Status::Failed) {
        let outcome = Outcome::Refused(Refusal::Failed);
        return Ruling { outcome, record: None, delivery: Delivery::Prompt };
    }
    match mode {
        Mode::Settle => settled(standing, Delivery::Prompt),
        Mode::Delay(span) => settled(standing, Delivery::Late(span)),
        Mode::Garbage => settled(standing, Delivery::Page),
        Mode::Error => settled(standing, Delivery::BadGateway),
        Mode::Refuse => as_known(standing, Outcome::Refused(Refusal::Funds), None),
        Mode::Pending => as_known(standing, Outcome::Pending, Some(Status::Pending)),
        Mode::Revert => reverted(standing),
        Mode::Hang => Ruling { outcome: Outcome::Nothing, record: None, delivery: Delivery::Silent(HANG) },
        Mode::Lost => Ruling { outcome: Outcome::Nothing, record: None, delivery: Delivery::BadGateway },
    }
}

fn settled(standing: Standing, delivery: Delivery) -> Ruling {
    let record = match standing {
        Standing::Known(Status::Settled | Status::Failed) => None,
        Standing::Known(Status::Pending) | Standing::New => Some(Status::Settled),
    };
    Ruling { outcome: Outcome::Settled, record, delivery }
}

/// What is new is sent; what was sent fails.
fn reverted(standing: Standing) -> Ruling {
    let (outcome, record) = match standing {
        Standing::New => (Outcome::Pending, Some(Status::Pending)),
        Standing::Known(Status::Pending | Status::Failed) => {
            (Outcome::Refused(Refusal::Failed), Some(Status::Failed))
        }
        Standing::Known(Status::Settled) => (Outcome::Settled, None),
    };
    Ruling { outcome, record, delivery: Delivery::Prompt }
}

/// What is known stays as it is; what is new ends like this.
fn as_known(standing: Standing, otherwise: Outcome, record: Option<Status>) -> Ruling {
    let (outcome, record) = match standing {
        Standing::Known(Status::Settled) => (Outcome::Settled, None),
        Standing::Known(Status::Pending | Status::Failed) => (Outcome::Pending, None),
        Standing::New => (otherwise, record),
    };
    Ruling { outcome, record, delivery: Delivery::Prompt }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    /// The whole behaviour at a glance: what is answered, `+` what is remembered, how it arrives.
    #[test]
    fn every_mode_on_every_standing() {
        let modes = ["settle", "refuse", "delay:5", "hang", "garbage", "error", "lost", "pending", "revert"];
        let standings = [
            Standing::New,
            Standing::Known(Status::Pending),
            Standing::Known(Status::Settled),
            Standing::Known(Status::Failed),
        ];
        let mut table = String::new();
        for mode in modes {
            for standing in standings {
                let ruling = rule(mode.parse().unwrap(), standing);
                let record = ruling.record.map_or("nothing".to_owned(), |status| format!("{status:?}"));
                table.push_str(&format!(
                    "{mode}, {standing:?}: {:?} + {record}, {:?}\n",
                    ruling.outcome, ruling.delivery
                ));
            }
        }
        expect![[r#"
            settle, New: Settled + Settled, Prompt
            settle, Known(Pending): Settled + Settled, Prompt
            settle, Known(Settled): Settled + nothing, Prompt
            settle, Known(Failed): Refused(Failed) + nothing, Prompt
            refuse, New: Refused(Funds) + nothing, Prompt
            refuse, Known(Pending): Pending + nothing, Prompt
            refuse, Known(Settled): Settled + nothing, Prompt
            refuse, Known(Failed): Refused(Failed) + nothing, Prompt
            delay:5, New: Settled + Settled, Late(Millis(5))
            delay:5, Known(Pending): Settled + Settled, Late(Millis(5))
            delay:5, Known(Settled): Settled + nothing, Late(Millis(5))
            delay:5, Known(Failed): Refused(Failed) + nothing, Prompt
            hang, New: Nothing + nothing, Silent(Millis(60000))
            hang, Known(Pending): Nothing + nothing, Silent(Millis(60000))
            hang, Known(Settled): Nothing + nothing, Silent(Millis(60000))
            hang, Known(Failed): Refused(Failed) + nothing, Prompt
            garbage, New: Settled + Settled, Page
            garbage, Known(Pending): Settled + Settled, Page
            garbage, Known(Settled): Settled + nothing, Page
            garbage, Known(Failed): Refused(Failed) + nothing, Prompt
            error, New: Settled + Settled, BadGateway
            error, Known(Pending): Settled + Settled, BadGateway
            error, Known(Settled): Settled + nothing, BadGateway
            error, Known(Failed): Refused(Failed) + nothing, Prompt
            lost, New: Nothing + nothing, BadGateway
            lost, Known(Pending): Nothing + nothing, BadGateway
            lost, Known(Settled): Nothing + nothing, BadGateway
            lost, Known(Failed): Refused(Failed) + nothing, Prompt
            pending, New: Pending + Pending, Prompt
            pending, Known(Pending): Pending + nothing, Prompt
            pending, Known(Settled): Settled + nothing, Prompt
            pending, Known(Failed): Refused(Failed) + nothing, Prompt
            revert, New: Pending + Pending, Prompt
            revert, Known(Pending): Refused(Failed) + Failed, Prompt
            revert, Known(Settled): Settled + nothing, Prompt
            revert, Known(Failed): Refused(Failed) + nothing, Prompt
        "#]]
        .assert_eq(&table);
    }
}
