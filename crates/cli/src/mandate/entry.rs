//! One line of a mandate's list, as it is written on the command line.

use core::str::FromStr;

use client::{
    Address, BaseUnits,
    wire::{EntryBody, Window},
};

use crate::money::limit;

/// Whom a mandate allows to be paid, for what and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry(pub(crate) EntryBody);

impl FromStr for Entry {
    type Err = String;

    /// `any`, or parts `name=value` with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        let window = Window::default();
        let mut entry =
            EntryBody { recipient: None, service: None, payment_cap: None, window_cap: None, window };
        if text == "any" {
            return Ok(Self(entry));
        }
        let mut seen = Vec::new();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                format!("{part:?} is not a part name=value; names are recipient, service, payment-cap, window-cap, window")
            })?;
            if seen.contains(&name) {
                return Err(format!("{name} stands twice"));
            }
            seen.push(name);
            let amount = || limit(value).map(|BaseUnits(units)| Some(units.to_string()));
            match name {
                "recipient" => {
                    let address: Address = value.parse().map_err(|_| format!("{value:?} is no address"))?;
                    entry.recipient = Some(address.to_string());
                }
                "service" => entry.service = Some(super::service(value)?.to_string()),
                "payment-cap" => entry.payment_cap = amount()?,
                "window-cap" => entry.window_cap = amount()?,
                "window" => entry.window = super::word(value)?,
                _ => return Err(format!("there is no part {name:?}")),
            }
        }
        Ok(Self(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_part_by_part() {
        let Entry(any) = "any".parse().unwrap();
        assert_eq!((any.recipient, any.service, any.window), (None, None, Window::UtcDay));
        let text = "recipient=0x70997970c51812dc3a010c7d01b50e0d17dc79c8,service=api.example.com/translate,\
                    payment-cap=1.50usdc,window-cap=9000000,window=utc_month";
        let Entry(entry) = text.parse().unwrap();
        assert_eq!(entry.recipient.as_deref(), Some("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
        assert_eq!(
            entry.service,
            client::service_id("api.example.com/translate").ok().map(|id| id.to_string())
        );
        assert_eq!(entry.payment_cap.as_deref(), Some("1500000"));
        assert_eq!(entry.window_cap.as_deref(), Some("9000000"));
        assert_eq!(entry.window, Window::UtcMonth);
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for bad in [
            "",
            "all",
            "recipient",
            "recipient=",
            "recipient=0x12",
            "service=Api",
            "payment-cap=1.5",
            "window=week",
            "payee=x",
            "any,window=utc_day",
            "window=utc_day,window=utc_day",
        ] {
            assert!(bad.parse::<Entry>().is_err(), "{bad:?} was taken for an entry");
        }
    }
}
