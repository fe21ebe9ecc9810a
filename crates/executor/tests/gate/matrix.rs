//! Every state × every command at every moment that matters, as one picture that a reader can check and a change cannot slip
//! past.

use executor::gate::Command;
use expect_test::expect;
use primitives::Millis;

use crate::cast::*;

#[test]
fn every_state_answers_every_command() {
    let ten = Life::of([const { Command::Admit }; 10]);
    let states =
        [("empty", Life::default()), ("one", Life::of([Command::Admit])), ("ten", ten), ("fifty", full())];
    let moments = [("at once", 0), ("10 minutes", 600), ("20 hours", 72_000), ("a day", 86_400)];
    let mut picture = String::new();
    for (state_name, life) in states {
        for (moment_name, seconds) in moments {
            let just_before = after(seconds).minus(Millis(1)).max(START);
            for (name, command) in [("admit", Command::Admit), ("wake", Command::Wake)] {
                let before = life.tried(command.clone(), just_before);
                let then = life.tried(command, after(seconds));
                picture
                    .push_str(&format!("{state_name:6} {moment_name:11} {name:6} {before:30} then {then}\n"));
            }
        }
    }
    expect![[r#"
        empty  at once     admit  COUNTING: Admitted             then COUNTING: Admitted
        empty  at once     wake   EMPTY: nothing                 then EMPTY: nothing
        empty  10 minutes  admit  COUNTING: Admitted             then COUNTING: Admitted
        empty  10 minutes  wake   EMPTY: nothing                 then EMPTY: nothing
        empty  20 hours    admit  COUNTING: Admitted             then COUNTING: Admitted
        empty  20 hours    wake   EMPTY: nothing                 then EMPTY: nothing
        empty  a day       admit  COUNTING: Admitted             then COUNTING: Admitted
        empty  a day       wake   EMPTY: nothing                 then EMPTY: nothing
        one    at once     admit  COUNTING: Admitted             then COUNTING: Admitted
        one    at once     wake   COUNTING: nothing              then COUNTING: nothing
        one    10 minutes  admit  COUNTING: Admitted             then COUNTING: Admitted
        one    10 minutes  wake   COUNTING: nothing              then COUNTING: nothing
        one    20 hours    admit  COUNTING: Admitted             then COUNTING: Admitted
        one    20 hours    wake   COUNTING: nothing              then COUNTING: nothing
        one    a day       admit  COUNTING: Admitted             then COUNTING: Admitted
        one    a day       wake   COUNTING: nothing              then EMPTY: Swept
        ten    at once     admit  - too_many_registrations       then - too_many_registrations
        ten    at once     wake   COUNTING: nothing              then COUNTING: nothing
        ten    10 minutes  admit  - too_many_registrations       then COUNTING: Admitted
        ten    10 minutes  wake   COUNTING: nothing              then COUNTING: nothing
        ten    20 hours    admit  COUNTING: Admitted             then COUNTING: Admitted
        ten    20 hours    wake   COUNTING: nothing              then COUNTING: nothing
        ten    a day       admit  COUNTING: Admitted             then COUNTING: Admitted
        ten    a day       wake   COUNTING: nothing              then EMPTY: Swept
        fifty  at once     admit  - too_many_registrations       then - too_many_registrations
        fifty  at once     wake   COUNTING: nothing              then COUNTING: nothing
        fifty  10 minutes  admit  - too_many_registrations       then - too_many_registrations
        fifty  10 minutes  wake   COUNTING: nothing              then COUNTING: nothing
        fifty  20 hours    admit  - too_many_registrations       then COUNTING: Admitted
        fifty  20 hours    wake   COUNTING: nothing              then COUNTING: nothing
        fifty  a day       admit  COUNTING: Admitted             then COUNTING: Admitted
        fifty  a day       wake   COUNTING: nothing              then EMPTY: Swept
    "#]]
    .assert_eq(&picture);
}
