//! A payment identifier from outside: its rules one by one, in any order of requests, and a journal of old.

#[cfg(test)]
mod journal;
#[cfg(test)]
mod rules;

#[cfg(test)]
mod cast {
    use payment::Credential;
    use payment::identifier::{Binding, Command, Event, Refusal, State, apply, decide};
    use primitives::{Digest, PaymentId, UnixMillis};

    pub(crate) const NOW: UnixMillis = UnixMillis(1_796_047_200_000);

    pub(crate) fn payment(number: u8) -> PaymentId {
        PaymentId::derive("eip155:84532", &[1; 20], &[2; 20], &[number; 32])
    }

    pub(crate) fn binding(number: u8) -> Binding {
        Binding {
            payment: payment(number),
            authorization: Credential(format!("{{\"number\":{number}}}")),
            valid_before: NOW,
        }
    }

    pub(crate) fn bind(request: &str, number: u8, in_place_of: Option<u8>) -> Command {
        Command::Bind {
            fingerprint: Digest::of(&[request.as_bytes()]),
            binding: binding(number),
            in_place_of: in_place_of.map(payment),
        }
    }

    /// Judges and records; what is decided must apply.
    pub(crate) fn hear(state: &mut State, command: Command) -> Result<Vec<Event>, Refusal> {
        let events = decide(state, command, NOW)?;
        for event in &events {
            *state = apply(state.clone(), event).unwrap();
        }
        Ok(events)
    }
}
