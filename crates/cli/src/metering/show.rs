//! Metering in words for people. What a stranger wrote is made harmless for a terminal.

use client::wire::metering::{
    AccountView, AdjustmentView, BillView, BulkResult, KeyView, LineView, MeterView, PriceView, PricingView,
    ReservationView, ServiceView, SettlementPayment, SettlementView, TenantView, TierView,
};
use client::wire::webhook::{WebhookAttempt, WebhookView};

use crate::{
    money::shown,
    output::{name, printable, table},
};

/// What is counted of an agent and a service.
pub(super) fn meter(meter: &MeterView) -> String {
    let mut lines = vec![
        ("agent", printable(&meter.agent)),
        ("service", printable(&meter.service_id)),
        ("open", printable(&meter.total)),
        ("recorded", format!("{} in {} events", printable(&meter.recorded), meter.events)),
    ];
    for (what, quantity) in [
        ("taken back", &meter.reversed),
        ("credited", &meter.credited),
        ("paid for", &meter.settled),
        ("written off", &meter.written_off),
    ] {
        if quantity != "0" {
            lines.push((what, printable(quantity)));
        }
    }
    if meter.paid != "0" {
        lines.push(("paid", shown(&meter.paid)));
    }
    if let Some(bill) = &meter.pending {
        lines.push(("bill", printable(bill)));
    }
    table(lines)
}

/// An item of a bulk that does not count, in a line.
pub(super) fn refused(result: &BulkResult) -> String {
    let error = result.error.as_ref();
    let field = error.and_then(|error| error.field.as_deref()).map(|field| format!("{} ", printable(field)));
    let (code, detail) =
        error.map_or(("", String::new()), |error| (error.code.as_str(), printable(&error.detail)));
    format!("  item {}: {}: {}{detail}", result.index, printable(code), field.unwrap_or_default())
}

/// What is open, line by line.
pub(super) fn bill(bill: &BillView) -> String {
    let mut lines = vec![("agent", printable(&bill.agent)), ("service", printable(&bill.service_id))];
    lines.extend(bill.lines.iter().map(line));
    lines.extend(bill.adjustments.iter().map(adjustment));
    lines.push(("amount", shown(&bill.amount)));
    if let Some(pending) = &bill.pending {
        lines.push(("before", format!("{} is not paid yet", printable(pending))));
    }
    table(lines)
}

fn line(line: &LineView) -> (&'static str, String) {
    let at = match &line.price {
        PricingView::Flat { price } => format!(" at {}", printable(price)),
        PricingView::Graduated { .. } => " in graduated tiers".to_owned(),
        PricingView::Volume { .. } => " in volume tiers".to_owned(),
    };
    let quantity = printable(&line.quantity);
    ("line", format!("{quantity}{at} = {} (price version {})", shown(&line.amount), line.price_version))
}

fn adjustment(adjustment: &AdjustmentView) -> (&'static str, String) {
    let (quantity, exact) = (printable(&adjustment.quantity), printable(&adjustment.exact));
    ("taken back", format!("{quantity} of bill {}: {exact} units less", adjustment.settlement))
}

/// A bill that was drawn up, line by line.
pub(super) fn settlement(settlement: &SettlementView) -> String {
    let mut lines = vec![
        ("bill", printable(&settlement.id)),
        ("stands", format!("{}, number {}", name(settlement.status), settlement.number)),
        ("agent", printable(&settlement.agent)),
        ("service", printable(&settlement.service_id)),
    ];
    lines.extend(settlement.lines.iter().map(line));
    lines.extend(settlement.adjustments.iter().map(adjustment));
    lines.push(("amount", shown(&settlement.amount)));
    if let Some(address) = &settlement.pay_to {
        lines.push(("to", printable(address)));
    }
    if let Some(until) = settlement.pay_until.as_deref().filter(|_| settlement.links.is_some()) {
        lines.push(("pay until", printable(until)));
    }
    if let Some(payment) = &settlement.payment {
        lines.push(("paid by", method(payment)));
    }
    for (what, text) in [("not known yet", &settlement.unknown), ("proof", &settlement.proof)] {
        if let Some(text) = text {
            lines.push((what, printable(text)));
        }
    }
    if let Some(failure) = &settlement.failure {
        lines.push(("why", format!("{}: {}", printable(&failure.code), printable(&failure.reason))));
    }
    table(lines)
}

fn method(payment: &SettlementPayment) -> String {
    match payment {
        SettlementPayment::X402 { payment } => format!("x402 payment {}", printable(payment)),
        SettlementPayment::Mandate { mandate, .. } => format!("mandate {}", printable(mandate)),
        SettlementPayment::Reservation { reservation, .. } => {
            format!("reservation {}", printable(reservation))
        }
        SettlementPayment::Transaction { transaction, .. } => {
            format!("transaction {}", printable(transaction))
        }
    }
}

/// A bill in a line.
pub(super) fn settlement_line(settlement: &SettlementView) -> String {
    format!(
        "{}  {:<10} {:>16}  {}  {}",
        printable(&settlement.id),
        name(settlement.status),
        shown(&settlement.amount),
        printable(&settlement.agent),
        printable(&settlement.service_id)
    )
}

/// A tenant, line by line.
pub(super) fn tenant(tenant: &TenantView) -> String {
    let mut lines = vec![
        ("tenant", printable(&tenant.tenant)),
        ("name", printable(&tenant.name)),
        ("stands", name(tenant.status)),
        ("services", tenant.services.to_string()),
        ("keys", tenant.keys.to_string()),
        ("webhooks", tenant.webhooks.to_string()),
    ];
    if let Some(address) = &tenant.pay_to {
        lines.push(("is paid at", printable(address)));
    }
    for (what, pause) in [("paused", &tenant.paused), ("suspended", &tenant.suspended)] {
        if let Some(pause) = pause {
            let reason = printable(pause.reason.as_deref().unwrap_or_default());
            lines.push((what, format!("since {} {reason}", printable(&pause.since))));
        }
    }
    table(lines)
}

/// A key, in a line.
pub(super) fn key_line(key: &KeyView) -> String {
    let scopes: Vec<_> = key.scopes.iter().map(name).collect();
    let label = printable(key.label.as_deref().unwrap_or_default());
    format!("{}  {:<8}  {}  {label}", printable(&key.id), name(key.status), scopes.join(" "))
}

/// A service, line by line.
pub(super) fn service(service: &ServiceView) -> String {
    let mut lines = vec![
        ("service", printable(&service.service_id)),
        ("stands", name(service.status)),
        ("price", price(&service.price.pricing)),
        (
            "since",
            format!("{} (version {})", printable(&service.price.effective_from), service.price.version),
        ),
        ("digits", service.scale.to_string()),
    ];
    for (what, text) in [("unit", &service.unit), ("is", &service.description)] {
        if let Some(text) = text {
            lines.push((what, printable(text)));
        }
    }
    if service.shards > 1 {
        lines.push(("shards", service.shards.to_string()));
    }
    table(lines)
}

/// A service, in a line.
pub(super) fn service_line(service: &ServiceView) -> String {
    let (id, price) = (printable(&service.service_id), price(&service.price.pricing));
    format!("{id}  {:<8}  {price}", name(service.status))
}

/// A price version, in a line.
pub(super) fn version(version: &PriceView) -> String {
    format!(
        "  version {} from {}: {}",
        version.version,
        printable(&version.effective_from),
        price(&version.pricing)
    )
}

/// A price, in words.
fn price(price: &PricingView) -> String {
    let tiers = |tiers: &[TierView]| {
        let tier = |tier: &TierView| match &tier.up_to {
            Some(up_to) => format!("{} up to {}", printable(&tier.price), printable(up_to)),
            None => format!("{} above", printable(&tier.price)),
        };
        tiers.iter().map(tier).collect::<Vec<_>>().join(", ")
    };
    match price {
        PricingView::Flat { price } => printable(price),
        PricingView::Graduated { tiers: list } => format!("graduated: {}", tiers(list)),
        PricingView::Volume { tiers: list } => format!("volume: {}", tiers(list)),
    }
}

/// A reservation, line by line.
pub(super) fn reservation(reservation: &ReservationView) -> String {
    let mut lines = vec![
        ("reservation", printable(&reservation.id)),
        ("stands", name(reservation.status)),
        ("agent", printable(&reservation.agent)),
        ("service", printable(&reservation.service_id)),
        ("at most", printable(&reservation.quantity)),
        ("holds", shown(&reservation.amount)),
        ("mandate", printable(&reservation.mandate)),
        ("until", printable(&reservation.until)),
    ];
    if let Some(settlement) = &reservation.settlement {
        lines.push(("bill", printable(settlement)));
    }
    if let Some(refusal) = &reservation.refusal {
        lines.push(("why", format!("{}: {}", printable(&refusal.code), printable(&refusal.reason))));
    }
    table(lines)
}

/// An agent's account, line by line.
pub(super) fn account(account: &AccountView) -> String {
    let mut lines = vec![("agent", printable(&account.agent)), ("mode", name(account.mode))];
    if let Some(offer) = &account.offer {
        lines.push(("mandate", printable(&offer.mandate)));
        lines.push(("offered by", printable(&offer.signer)));
    }
    table(lines)
}

/// A webhook endpoint, in a line.
pub(super) fn webhook_line(webhook: &WebhookView) -> String {
    let (id, url) = (printable(&webhook.id), printable(&webhook.url));
    format!("{id}  {:<8}  {url}  {}", name(webhook.status), printable(&webhook.event_types.join(" ")))
}

/// An attempt to deliver, in a line.
pub(super) fn attempt_line(attempt: &WebhookAttempt) -> String {
    let outcome = match (attempt.status, &attempt.error) {
        (Some(status), _) => format!("answered {status}"),
        (None, Some(error)) => printable(error),
        (None, None) => String::new(),
    };
    let (at, message) = (printable(&attempt.at), printable(&attempt.message));
    let kind = printable(attempt.kind.as_deref().unwrap_or_default());
    let verdict = if attempt.succeeded { "taken" } else { "not taken" };
    format!(
        "{at}  {message}  {kind}  attempt {}: {verdict}, {outcome} ({} ms)",
        attempt.attempt, attempt.duration_ms
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_said_tier_by_tier() {
        let tier = |up_to: Option<&str>, price: &str| TierView {
            up_to: up_to.map(str::to_owned),
            price: price.to_owned(),
        };
        assert_eq!(price(&PricingView::Flat { price: "0.5".to_owned() }), "0.5");
        let tiers = vec![tier(Some("1000"), "250"), tier(None, "\u{1b}[2J")];
        assert_eq!(
            price(&PricingView::Graduated { tiers: tiers.clone() }),
            "graduated: 250 up to 1000,  [2J above"
        );
        assert_eq!(price(&PricingView::Volume { tiers }), "volume: 250 up to 1000,  [2J above");
    }
}
