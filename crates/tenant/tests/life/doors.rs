//! K1, K2, K3: who is let in, and to what.

use primitives::Millis;
use tenant::{Access, Command, Presented, Refusal, Scope, State, admit};

use crate::cast::*;

fn tried(life: &Life, word: &str, at: u64, access: Access) -> Result<(), Refusal> {
    admit(&life.state, &shown(word), after(at))?.may(access)
}

const LOOK: Access = Access::Look;
const READ: Access = Access::Read(Scope::UsageRead);
const WRITE: Access = Access::Write(Scope::UsageWrite);
const RECOVER: Access = Access::Recover(Scope::Admin);

#[test]
fn a_key_that_does_not_verify_is_told_the_same_whatever_there_is() {
    let life = Life::of([open(), create("K2", &["usage:write"]), revoke("K2")]);
    let of_other_secret = Presented { secret: digest("guessed"), ..shown("K1") };
    let of_nobody = Presented { secret: primitives::Digest::ZERO, ..shown("nobody") };
    let revoked_other = Presented { secret: digest("guessed"), ..shown("K2") };
    for key in [of_other_secret, of_nobody, revoked_other, shown("nobody")] {
        assert_eq!(admit(&life.state, &key, START), Err(Refusal::InvalidKey));
        assert_eq!(admit(&State::Unknown, &key, START), Err(Refusal::InvalidKey));
    }
}

#[test]
fn a_key_opens_until_its_end_and_no_longer() {
    let mut life =
        Life::of([open(), create_until("K2", &["usage:write"], after(60)), create("K3", &["usage:read"])]);
    assert_eq!(tried(&life, "K2", 59, WRITE), Ok(()));
    assert_eq!(tried(&life, "K2", 60, WRITE), Err(Refusal::ExpiredKey));
    life.hears(rotate("K3", "K4", &["usage:read"], Millis::from_seconds(90)), after(10)).unwrap();
    assert_eq!(tried(&life, "K3", 99, READ), Ok(()));
    assert_eq!(tried(&life, "K4", 99, READ), Ok(()));
    assert_eq!(tried(&life, "K3", 100, READ), Err(Refusal::ReplacedKey));
    assert_eq!(tried(&life, "K4", 100, READ), Ok(()));
    life.hears(revoke("K4"), after(101)).unwrap();
    assert_eq!(tried(&life, "K4", 101, READ), Err(Refusal::RevokedKey));
}

#[test]
fn a_key_does_what_its_scopes_name_and_admin_does_everything() {
    for named in Scope::ALL {
        let life = Life::of([open(), create("K2", &[named.name()])]);
        for scope in Scope::ALL {
            for access in [Access::Read(scope), Access::Write(scope), Access::Recover(scope)] {
                let is_given = named == scope || named == Scope::Admin;
                let expected = if is_given { Ok(()) } else { Err(Refusal::MissingScope { scope }) };
                assert_eq!(tried(&life, "K2", 0, access), expected, "{named:?} {access:?}");
                assert_eq!(tried(&life, "K1", 0, access), Ok(()));
            }
        }
        assert_eq!(tried(&life, "K2", 0, LOOK), Ok(()));
    }
}

#[test]
fn a_pause_stops_writes_alone() {
    let stops = [
        (Command::Pause { reason: None }, Refusal::Paused),
        (Command::Suspend { reason: None }, Refusal::Suspended),
    ];
    for (stop, refusal) in stops {
        let life = Life::of([open(), create("K2", &["usage:read"]), stop]);
        assert_eq!(tried(&life, "K1", 0, WRITE), Err(refusal));
        assert_eq!(tried(&life, "K2", 0, WRITE), Err(Refusal::MissingScope { scope: Scope::UsageWrite }));
        for access in [LOOK, READ, RECOVER] {
            assert_eq!(tried(&life, "K1", 0, access), Ok(()));
        }
    }
}

#[test]
fn unpausing_does_not_lift_what_the_operator_has_stopped() {
    let stopped =
        [open(), Command::Pause { reason: None }, Command::Suspend { reason: None }, Command::Unpause];
    let mut life = Life::of(stopped);
    assert_eq!(tried(&life, "K1", 0, WRITE), Err(Refusal::Suspended));
    life.hears(Command::Resume, START).unwrap();
    assert_eq!(tried(&life, "K1", 0, WRITE), Ok(()));
}

#[test]
fn deleted_and_disabled_services_take_no_usage() {
    let mut life = Life::of([open(), register("search", 1)]);
    let taken = |life: &Life| tenant::service(life.state.book().unwrap(), &service("search")).map(|_| ());
    assert_eq!(taken(&life), Ok(()));
    life.hears(Command::DisableService { service: service("search") }, START).unwrap();
    assert_eq!(taken(&life), Err(Refusal::ServiceDisabled));
    life.hears(delete("search"), START).unwrap();
    assert_eq!(taken(&life), Err(Refusal::UnknownService));
}
