//! What is due.

use meter::{Adjustment, Line, Quote};
use primitives::{BaseUnits, SettlementId};
use tariff::TooLarge;

use super::price::pricing;
use crate::paywall::Asset;
use crate::wire::metering::{AdjustmentView, AssetView, BillView, LineView, TotalView};

/// What is paid in.
pub fn asset(asset: &Asset) -> AssetView {
    AssetView { network: asset.network.clone(), address: asset.address.clone() }
}

/// What a bill of a pair would be now. `version` is that of the meter, over all its shards.
pub fn bill(
    (agent, service): (&str, &str),
    quote: &Quote,
    pending: Option<&SettlementId>,
    paid_in: &Asset,
    version: u64,
) -> BillView {
    BillView {
        agent: agent.to_owned(),
        service_id: service.to_owned(),
        quantity: quote.quantity.to_string(),
        amount: quote.amount.to_string(),
        asset: asset(paid_in),
        lines: lines(&quote.lines),
        adjustments: adjustments(&quote.adjustments),
        carried_in: quote.carried_in.to_string(),
        carried_out: quote.carried_out.to_string(),
        pending: pending.map(ToString::to_string),
        version,
    }
}

/// What is due in total: the sum of the amounts of `quotes`, one of each meter that was asked.
///
/// # Errors
/// When it is more than can be counted.
pub fn total<'a>(
    agent: Option<&str>,
    quotes: impl Iterator<Item = &'a Quote>,
    paid_in: &Asset,
) -> Result<TotalView, TooLarge> {
    let (mut amount, mut meters) = (0_u128, 0_u64);
    for quote in quotes {
        amount = amount.checked_add(quote.amount.0).ok_or(TooLarge)?;
        meters = meters.saturating_add(1);
    }
    let amount = BaseUnits(amount).to_string();
    Ok(TotalView { agent: agent.map(str::to_owned), amount, asset: asset(paid_in), meters })
}

pub(super) fn lines(lines: &[Line]) -> Vec<LineView> {
    let line = |line: &Line| LineView {
        price_version: line.version,
        price: pricing(&line.pricing),
        quantity: line.quantity.to_string(),
        events: line.events,
        from: line.from.to_rfc3339(),
        to: line.to.to_rfc3339(),
        exact: line.exact.to_string(),
        carried_in: line.carried_in.to_string(),
        amount: line.amount.to_string(),
    };
    lines.iter().map(line).collect()
}

pub(super) fn adjustments(adjustments: &[Adjustment]) -> Vec<AdjustmentView> {
    let adjustment = |adjustment: &Adjustment| AdjustmentView {
        settlement: adjustment.settlement,
        price_version: adjustment.version,
        quantity: adjustment.quantity.to_string(),
        exact: adjustment.exact.to_string(),
    };
    adjustments.iter().map(adjustment).collect()
}
