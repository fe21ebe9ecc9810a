//! A payment's name, which one run or settlement has.

use primitives::RunId;
use run::receipt::{Command, Holder, Refusal, State, apply, deadline, decide, effects};

use crate::cast::START;

fn run(word: &str) -> Holder {
    Holder::Run(RunId::derive(&[word.as_bytes()]))
}

fn claim(word: &str) -> Command {
    Command::Claim { holder: run(word) }
}

/// R4
#[test]
fn the_first_run_that_claims_a_name_has_it_for_ever() {
    let events = decide(&State::Free, claim("first"), START).unwrap();
    assert_eq!(events.len(), 1);
    let claimed = apply(State::Free, &events[0]).unwrap();
    assert_eq!(
        (claimed.holder(), claimed.name(), State::Free.name()),
        (Some(&run("first")), "CLAIMED", "FREE")
    );
    assert_eq!(decide(&claimed, claim("first"), START), Ok(Vec::new()), "the same again");
    assert_eq!(decide(&claimed, claim("second"), START), Err(Refusal::SignatureUsed));
    assert_eq!(decide(&claimed, Command::Wake, START), Ok(Vec::new()));
    assert!(apply(claimed.clone(), &events[0]).is_err(), "claimed twice");
    assert!(effects(&State::Free, &events[0]).is_empty());
    assert_eq!(deadline(&claimed), None);
    assert_eq!(Refusal::SignatureUsed.code(), run::Refusal::SignatureUsed.code());
    assert!(!Refusal::SignatureUsed.may_retry());
}

/// The journal's form, which is kept for ever.
#[test]
fn a_claim_is_written_in_these_words() {
    let events = decide(&State::Free, claim("first"), START).unwrap();
    let line = format!(r#"{{"at":{},"fact":{{"Claimed":{{"run":"{}"}}}}}}"#, START.0, run("first").as_str());
    assert_eq!(serde_json::to_string(&events[0]).unwrap(), line);
    assert_eq!(serde_json::from_str::<run::receipt::Event>(&line).unwrap(), events[0]);
}
