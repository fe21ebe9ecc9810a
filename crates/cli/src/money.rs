//! Amounts as people write and read them: base units, dollars and reais, exactly.

use clap::Args;
use client::BaseUnits;

/// The digits behind the point of a USDC amount.
const DECIMALS: usize = 6;

/// An amount, in one of two ways.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Amount {
    /// The amount in base units of USDC (1000000 is 1 USDC).
    #[arg(long, value_name = "UNITS")]
    amount: Option<BaseUnits>,
    /// The amount in USDC, such as 1.50.
    #[arg(long, value_name = "USDC", value_parser = dollars)]
    usdc: Option<BaseUnits>,
}

impl Amount {
    pub(crate) fn units(&self) -> BaseUnits {
        // The group takes care that one of them was given.
        self.amount.or(self.usdc).unwrap_or(BaseUnits(0))
    }
}

/// A limit: base units such as `1500000`, or dollars such as `1.50usdc`.
pub(crate) fn limit(text: &str) -> Result<BaseUnits, String> {
    match text.strip_suffix("usdc") {
        Some(number) => dollars(number),
        None => {
            text.parse().map_err(|why| format!("it {why}; for an amount in dollars write it as 1.50usdc"))
        }
    }
}

/// Dollars with at most six digits behind the point. Nothing is rounded.
pub(crate) fn dollars(text: &str) -> Result<BaseUnits, String> {
    let refused = || "USDC amounts are digits with at most six behind a point, such as 1.50".to_owned();
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > DECIMALS {
        return Err(refused());
    }
    let digits = format!("{whole}{part:0<DECIMALS$}");
    digits.parse().map(BaseUnits).map_err(|_| refused())
}

/// An amount of base units as people read it: `1.5 USDC`.
pub(crate) fn shown(units: &str) -> String {
    let Ok(BaseUnits(units)) = units.parse() else { return crate::output::printable(units) };
    let digits = format!("{units:0>width$}", width = DECIMALS.saturating_add(1));
    let (whole, part) = digits.split_at(digits.len().saturating_sub(DECIMALS));
    match part.trim_end_matches('0') {
        "" => format!("{whole} USDC"),
        part => format!("{whole}.{part} USDC"),
    }
}

/// An amount of BRL cents as people read it: `R$ 12,34`.
pub(crate) fn reais(cents: &str) -> String {
    let Ok(cents) = cents.parse::<u64>() else { return crate::output::printable(cents) };
    let digits = format!("{cents:0>3}");
    let (whole, part) = digits.split_at(digits.len().saturating_sub(2));
    format!("R$ {whole},{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_are_shown_as_reais() {
        for (cents, text) in [
            ("0", "R$ 0,00"),
            ("5", "R$ 0,05"),
            ("1234", "R$ 12,34"),
            ("100000", "R$ 1000,00"),
            ("\u{7}", " "),
        ] {
            assert_eq!(reais(cents), text);
        }
    }

    #[test]
    fn dollars_are_exact() {
        for (text, units) in [
            ("0", 0),
            ("1", 1_000_000),
            ("1.5", 1_500_000),
            ("1.50", 1_500_000),
            ("0.29", 290_000),
            ("19.99", 19_990_000),
            ("0.000001", 1),
            ("79228162514264337593543.950335", (1 << 96) - 1),
        ] {
            assert_eq!(dollars(text), Ok(BaseUnits(units)), "{text}");
            assert_eq!(limit(&format!("{text}usdc")), Ok(BaseUnits(units)), "{text}");
        }
        for bad in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "1,5",
            "1.2.3",
            " 1",
            "1 ",
            "0.0000001",
            "1_000",
            "\u{661}",
            "340282366920938463463374607431769",
        ] {
            assert!(dollars(bad).is_err(), "{bad:?} was taken for an amount");
        }
    }

    #[test]
    fn a_limit_without_a_unit_is_in_base_units() {
        assert_eq!(limit("1500000"), Ok(BaseUnits(1_500_000)));
        for bad in ["1.50", "usdc", "1.50 usdc", "1.50USDC", "01"] {
            assert!(limit(bad).is_err(), "{bad:?} was taken for a limit");
        }
    }

    #[test]
    fn what_is_shown_is_what_was_meant() {
        for (units, text) in [
            ("0", "0 USDC"),
            ("1", "0.000001 USDC"),
            ("1500000", "1.5 USDC"),
            ("1000000", "1 USDC"),
            ("123456789", "123.456789 USDC"),
            ("\u{1b}[2J", " [2J"),
        ] {
            assert_eq!(shown(units), text);
        }
    }
}
