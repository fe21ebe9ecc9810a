//! Prices beside two models that are written otherwise: one that adds up unit by unit, and one that multiplies as on paper,
//! digit by digit, in texts as long as they have to be.
#![cfg(test)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "small numbers of the tests' own"
)]

use primitives::{BaseUnits, UnixMillis};
use proptest::prelude::*;
use tariff::{Exact, Malpriced, Pricing, Quantity, TIERS_MAX, Tier, TooLarge, UnitPrice, Version, at};

fn unit(text: &str) -> UnitPrice {
    text.parse().unwrap()
}

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

fn exact(text: &str) -> Exact {
    text.parse().unwrap()
}

fn tiers(tiers: &[(Option<&str>, &str)]) -> Vec<Tier> {
    let tier = |(up_to, price): &(Option<&str>, &str)| Tier { up_to: up_to.map(quantity), unit: unit(price) };
    tiers.iter().map(tier).collect()
}

/// Digits after the point, without the point; nothing of the product's is used.
fn digits(text: &str, after: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{fraction:0<after$}")
}

/// The product of two numbers of digits, as one learns it.
fn product(one: &str, other: &str) -> String {
    let mut columns = vec![0_u64; one.len() + other.len()];
    for (place, digit) in one.bytes().rev().enumerate() {
        for (further, times) in other.bytes().rev().enumerate() {
            columns[place + further] += u64::from(digit - b'0') * u64::from(times - b'0');
        }
    }
    let mut carried = 0;
    let mut digits = String::new();
    for column in columns {
        let sum = column + carried;
        digits.insert(0, char::from(b'0' + u8::try_from(sum % 10).unwrap()));
        carried = sum / 10;
    }
    digits
}

/// That number with a point before its last 15 digits, without needless zeros.
fn pointed(digits: &str) -> String {
    let padded = format!("{digits:0>16}");
    let (whole, fraction) = padded.split_at(padded.len() - 15);
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

fn on_paper(price: &str, amount: &str) -> String {
    pointed(&product(&digits(price, 9), &digits(amount, 6)))
}

/// The price of the n-th unit, from 1.
fn of_unit(tiers: &[Tier], n: u64) -> u128 {
    let tier = tiers.iter().find(|tier| tier.up_to.is_none_or(|up_to| Quantity::whole(n) <= up_to));
    tier.unwrap().unit.0
}

fn by_units(pricing: &Pricing, units: u64) -> i128 {
    let sum: u128 = match pricing {
        Pricing::Flat { unit } => (0..units).map(|_| unit.0).sum(),
        Pricing::Graduated { tiers } => (1..=units).map(|n| of_unit(tiers, n)).sum(),
        Pricing::Volume { tiers } => (1..=units).map(|_| of_unit(tiers, units)).sum(),
    };
    i128::try_from(sum * 1_000_000).unwrap()
}

/// Tiers with whole bounds, of prices that rise and fall.
fn some_tiers() -> impl Strategy<Value = Vec<Tier>> {
    let bounds = prop::collection::btree_set(1_u64..60, 0..TIERS_MAX);
    bounds.prop_flat_map(|bounds| {
        let units = prop::collection::vec(0_u128..5_000_000_000, bounds.len() + 1);
        (Just(bounds), units).prop_map(|(bounds, units)| {
            let ends = bounds.into_iter().map(|bound| Some(Quantity::whole(bound))).chain([None]);
            ends.zip(units).map(|(up_to, unit)| Tier { up_to, unit: UnitPrice(unit) }).collect()
        })
    })
}

fn some_pricing() -> impl Strategy<Value = Pricing> {
    prop_oneof![
        (0_u128..5_000_000_000).prop_map(|unit| Pricing::Flat { unit: UnitPrice(unit) }),
        some_tiers().prop_map(|tiers| Pricing::Graduated { tiers }),
        some_tiers().prop_map(|tiers| Pricing::Volume { tiers }),
    ]
}

proptest! {
    #[test]
    fn a_price_is_what_unit_by_unit_adds_up_to(pricing in some_pricing(), units in 0_u64..70) {
        prop_assert_eq!(pricing.check(), Ok(()));
        prop_assert_eq!(pricing.exact(Quantity::whole(units)).unwrap().0, by_units(&pricing, units));
    }

    #[test]
    fn the_most_that_less_can_cost_is_what_is_found_by_trying(pricing in some_pricing(), units in 0_u64..70) {
        // Between two bounds a price only rises, so whole units find it.
        let tried = (0..=units).map(|less| by_units(&pricing, less)).max().unwrap();
        let highest = pricing.highest(Quantity::whole(units)).unwrap();
        prop_assert_eq!(highest.0, tried);
        prop_assert!(pricing.ceiling(Quantity::whole(units)).unwrap() >= highest);
    }

    #[test]
    fn what_is_shared_out_costs_no_more_than_the_ceiling(pricing in some_pricing(), one in 0_u128..90_000_000, other in 0_u128..90_000_000) {
        let (one, other) = (Quantity(one), Quantity(other));
        let both = pricing.ceiling(one).unwrap().plus(pricing.ceiling(other).unwrap()).unwrap();
        prop_assert_eq!(pricing.ceiling(one.plus(other).unwrap()).unwrap(), both);
        prop_assert!(pricing.exact(one).unwrap().plus(pricing.exact(other).unwrap()).unwrap() <= both);
        prop_assert!(pricing.exact(one.plus(other).unwrap()).unwrap() <= both);
    }

    #[test]
    fn large_products_are_those_on_paper(price in "(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8}[1-9])?", amount in "(0|[1-9][0-9]{0,12})(\\.[0-9]{1,5}[1-9])?") {
        let flat = Pricing::Flat { unit: unit(&price) };
        let expected = on_paper(&price, &amount);
        match flat.exact(quantity(&amount)) {
            Ok(exact) => prop_assert_eq!(exact.to_string(), expected),
            Err(TooLarge) => prop_assert!(expected.split('.').next().unwrap().len() > 23, "{}", expected),
        }
    }

    #[test]
    fn every_amount_has_one_text(value in any::<i128>()) {
        // The widest amounts have 24 digits before the point.
        let exact = Exact(value);
        prop_assert_eq!(exact.to_string().parse(), Ok(exact));
        prop_assert_eq!(serde_json::from_str::<Exact>(&serde_json::to_string(&exact).unwrap()).unwrap(), exact);
    }

    #[test]
    fn rounding_cuts_off_less_than_a_unit_and_loses_nothing(value in any::<i64>(), large in 0_i128..i128::MAX / 2) {
        for exact in [Exact(i128::from(value)), Exact(large)] {
            let (units, left) = exact.rounded();
            prop_assert_eq!(Exact::of(units).unwrap().plus(left).unwrap(), exact);
            prop_assert!(left.0 < 1_000_000_000_000_000);
            prop_assert!(units == BaseUnits(0) || left.0 >= 0);
            prop_assert!(Exact::of(exact.rounded_up()).unwrap() >= exact);
        }
    }
}

#[test]
fn every_boundary_belongs_to_the_tier_that_it_ends() {
    let list = tiers(&[(Some("10"), "1"), (Some("100"), "0.5"), (None, "0.25")]);
    let (graduated, volume) = (Pricing::Graduated { tiers: list.clone() }, Pricing::Volume { tiers: list });
    for (amount, by_parts, by_the_whole) in [
        ("0", "0", "0"),
        ("9", "9", "9"),
        ("9.999999", "9.999999", "9.999999"),
        ("10", "10", "10"),
        ("10.000001", "10.0000005", "5.0000005"),
        ("11", "10.5", "5.5"),
        ("99", "54.5", "49.5"),
        ("100", "55", "50"),
        ("100.000001", "55.00000025", "25.00000025"),
        ("101", "55.25", "25.25"),
        ("18446744073709551615", "4611686018427387933.75", "4611686018427387903.75"),
    ] {
        assert_eq!(graduated.exact(quantity(amount)), Ok(exact(by_parts)), "{amount}");
        assert_eq!(volume.exact(quantity(amount)), Ok(exact(by_the_whole)), "{amount}");
    }
    // Less costs more: a hold for 101 units has to be enough for 100.
    assert_eq!(volume.highest(quantity("101")), Ok(exact("50")));
}

#[test]
fn what_cannot_be_counted_is_refused_and_not_cut_off() {
    let dearest = Pricing::Flat { unit: unit("999999999999999.999999999") };
    assert!(dearest.exact(Quantity::whole(u64::MAX)).is_err());
    assert_eq!(dearest.exact(Quantity(i128::MAX.unsigned_abs())), Err(TooLarge));
    let largest = i128::MAX.unsigned_abs() / 999_999_999_999_999_999_999_999;
    assert!(dearest.exact(Quantity(largest)).is_ok());
    assert_eq!(dearest.exact(Quantity(largest + 1)), Err(TooLarge));
    assert_eq!(Exact(i128::MAX).plus(Exact(1)), Err(TooLarge));
    assert_eq!(Exact(i128::MIN).minus(Exact(1)), Err(TooLarge));
    assert_eq!(Exact::of(BaseUnits(u128::MAX)), Err(TooLarge));
}

#[test]
fn tiers_that_make_no_sense_are_named() {
    let checked = |list: &[(Option<&str>, &str)]| Pricing::Volume { tiers: tiers(list) }.check();
    assert_eq!(checked(&[]), Err(Malpriced::NoTiers));
    assert_eq!(checked(&[(None, "1")]), Ok(()));
    assert_eq!(checked(&[(Some("1"), "1")]), Err(Malpriced::NotOpen));
    assert_eq!(checked(&[(None, "1"), (None, "1")]), Err(Malpriced::NotOpen));
    assert_eq!(checked(&[(Some("0"), "1"), (None, "1")]), Err(Malpriced::NotAscending));
    assert_eq!(checked(&[(Some("2"), "1"), (Some("2"), "1"), (None, "1")]), Err(Malpriced::NotAscending));
    let many = |count: usize| Pricing::Graduated {
        tiers: (1..=count)
            .map(|n| Tier { up_to: (n < count).then(|| Quantity::whole(n as u64)), unit: UnitPrice(1) })
            .collect(),
    };
    assert_eq!(many(TIERS_MAX).check(), Ok(()));
    assert_eq!(many(TIERS_MAX + 1).check(), Err(Malpriced::TooManyTiers));
}

#[test]
fn texts_are_read_as_they_are_written_and_no_others_are() {
    for good in ["0", "1", "0.5", "0.000001", "99999999999999999999.999999", "10"] {
        assert_eq!(quantity(good).to_string(), good);
    }
    assert_eq!(quantity("1.50").to_string(), "1.5");
    for bad in [
        "",
        ".",
        "1.",
        ".5",
        "-1",
        "+1",
        "1e3",
        "01",
        "00",
        " 1",
        "1 ",
        "1,5",
        "0x1",
        "NaN",
        "1.0000001",
        "1.2.3",
        "١",
        "100000000000000000000",
    ] {
        assert!(bad.parse::<Quantity>().is_err(), "{bad:?} was taken for a quantity");
    }
    for good in ["0", "0.000000001", "999999999999999.999999999"] {
        assert_eq!(unit(good).to_string(), good);
    }
    for bad in ["1000000000000000", "0.0000000001", "-0", "1."] {
        assert!(bad.parse::<UnitPrice>().is_err(), "{bad:?} was taken for a price");
    }
    assert_eq!(exact("-0.5").to_string(), "-0.5");
    for bad in ["-0", "--1", "-", "0.0000000000000001", "-01"] {
        assert!(bad.parse::<Exact>().is_err(), "{bad:?} was taken for an amount");
    }
}

#[test]
fn a_scale_is_how_many_digits_a_quantity_has() {
    for (amount, digits) in
        [("0", 0), ("7", 0), ("70", 0), ("0.5", 1), ("0.25", 2), ("1.000001", 6), ("1.00001", 5)]
    {
        assert_eq!(quantity(amount).fraction_digits(), digits, "{amount}");
        for scale in 0..=tariff::SCALE_MAX {
            let scale = tariff::Scale::try_from(scale).unwrap();
            assert_eq!(scale.fits(quantity(amount)), digits <= scale.digits());
        }
    }
    assert!(tariff::Scale::try_from(7).is_err());
}

#[test]
fn a_moment_has_the_price_that_began_last() {
    let version = |number: u32, from: u64| Version {
        number,
        from: UnixMillis(from),
        pricing: Pricing::Flat { unit: UnitPrice(1) },
    };
    let versions = [version(1, 10), version(2, 20), version(3, 30)];
    let number = |moment: u64| at(&versions, UnixMillis(moment)).map(|version| version.number);
    assert_eq!(
        [9, 10, 19, 20, 29, 30, 99].map(number),
        [None, Some(1), Some(1), Some(2), Some(2), Some(3), Some(3)]
    );
}
