//! Bills by hand.

use meter::{Gate, quote};
use primitives::BaseUnits;

use crate::cast::*;
use crate::desk::{Ask, Desk};
use crate::paper::cost;

#[test]
fn what_a_line_cuts_off_goes_to_the_next_and_from_the_last_to_the_next_bill() {
    let mut desk = Desk::new(0, 1);
    // 0.4 × 1.5 = 0.6, and 1 × 0.5 = 0.5: together 1.1.
    let items = vec![item("a", "1.5", 1, START), item("b", "0.5", 2, START)];
    desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
    let quoted = quote(&desk.life.state, &[]).unwrap();
    let lines: Vec<_> =
        quoted.lines.iter().map(|line| (line.exact, line.carried_in, line.amount.0)).collect();
    let exact = |text: &str| text.parse::<tariff::Exact>().unwrap();
    assert_eq!(lines, [(exact("0.6"), exact("0"), 0), (exact("0.5"), exact("0.6"), 1)]);
    assert_eq!((quoted.amount, quoted.carried_out), (BaseUnits(1), exact("0.1")));

    desk.hears(&Ask::Draft("one".to_owned(), vec![]), START).unwrap();
    let settlement = &desk.settlements[&1];
    assert_eq!((&settlement.lines, settlement.carried_out), (&quoted.lines, quoted.carried_out));
    assert_eq!(quote(&desk.life.state, &[]).unwrap().carried_in, exact("0.1"));
}

#[test]
fn a_bill_costs_the_same_as_the_formula_at_every_boundary() {
    for version in 1..=4 {
        for amount in ["0.001", "9.999", "10", "10.001", "99.999", "100", "100.001", "1000000000000"] {
            let mut desk = Desk::new(0, 1);
            let items = vec![item("a", amount, version, START)];
            desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
            let quoted = quote(&desk.life.state, &[]).unwrap();
            let exact = cost(version, quantity(amount).0);
            assert_eq!(quoted.lines[0].exact.0, exact, "{amount} at version {version}");
            assert_eq!(quoted.amount.0, u128::try_from(exact / 1_000_000_000_000_000).unwrap());
        }
    }
}
