//! Making a run, and making it again.

use super::{Turn, same_but_token};
use crate::refusal::Value;
use crate::rules::{is_line, is_plain};
use crate::words::has_words;
use crate::{Cents, Creation, Fact, Mandate, Mode, Rails, Refusal, limits};

/// Whether a run can be made of it.
pub(super) fn check(creation: &Creation) -> Result<(), Refusal> {
    let Creation { intent, mode, rails, mandate, user, .. } = creation;
    let requirement = &intent.requirement;
    let is_named = is_line(requirement, limits::REQUIREMENT_BYTES) && has_words(requirement);
    let is_network = match rails {
        Rails::Simulated { .. } => true,
        Rails::Chain { network } => is_plain(network, limits::NETWORK_BYTES) && network.contains(':'),
    };
    let checks = [
        (Value::Requirement, is_named),
        (Value::Quantity, (1..=limits::QUANTITY).contains(&intent.quantity)),
        (Value::MaxTotal, (Cents(1)..=Cents::MAX).contains(&intent.max_total)),
        (Value::User, user.as_ref().is_none_or(|user| is_line(user, limits::USER_BYTES))),
        (Value::Mandate, mandate.as_ref().is_none_or(is_mandate)),
        (Value::Rails, is_network),
    ];
    if let Some((value, _)) = checks.into_iter().find(|(_, is_right)| !is_right) {
        return Err(Refusal::Malformed(value));
    }
    match mode {
        Mode::Simulated => Ok(()),
        Mode::Real => Err(Refusal::RealNotAvailable),
    }
}

fn is_mandate(mandate: &Mandate) -> bool {
    is_hex(&mandate.mandate, 64) && is_hex(&mandate.owner, 40) && is_hex(&mandate.agent, 40)
}

/// Whether a text is `0x` and so many hexadecimal digits.
pub(super) fn is_hex(text: &str, digits: usize) -> bool {
    text.strip_prefix("0x")
        .is_some_and(|text| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

impl Turn {
    /// The same again is a replay. Its answer holds a token, so a fresh one takes the place of one that nobody has used. That
    /// holds for a run that is over, too: whoever has not heard of it must be able to read it, or buys again.
    pub(super) fn create_again(&mut self, creation: Creation) -> Result<(), Refusal> {
        if !same_but_token(&self.run.creation, &creation) {
            return Err(Refusal::AnotherCreation);
        }
        if self.run.creation.token.same_as(&creation.token) {
            return Ok(());
        }
        if self.run.is_token_used {
            return Err(Refusal::TokenUsed);
        }
        self.record(Fact::TokenReissued { token: creation.token })
    }
}
