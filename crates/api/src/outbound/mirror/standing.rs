//! Where a request stands: by the chain, else by what is on its way, else by what is on file.

use eip712::B256;
use mandate::Request;
use mandate::life::Trail;
use mandate::mirror::{Approved, Ask, Filed, Mirror, Stage};

use crate::outbound::mandate::{Standing, Word};

/// The request of that payment, or else of that id: the chain's, ours, or on file.
pub fn found<'a>(mirror: &'a Mirror, reference: B256, filed: Option<&'a Filed>) -> Option<&'a Request> {
    let told = mirror.tip.escrows.values().map(|escrow| &escrow.request);
    let ours = mirror.asks.values().map(|ask| &ask.request);
    let known = || told.clone().chain(ours.clone()).chain(filed.map(|filed| &filed.request));
    let by_name = known().find(|request| request.payment == reference);
    by_name.or_else(|| known().find(|request| request.request_id == reference))
}

/// The request whose payment has this name; none when nothing is known of it.
pub fn standing<'a>(mirror: &'a Mirror, payment: B256, filed: Option<&'a Filed>) -> Option<Standing<'a>> {
    let (escrow, ask) = (mirror.tip.escrows.get(&payment), mirror.asks.get(&payment));
    let request = escrow.map(|escrow| &escrow.request).or(ask.map(|ask| &ask.request));
    let Some((request, progress)) = request.zip(mirror.progress(payment)) else {
        let Filed { request, progress, payment, trail } =
            filed.filter(|filed| filed.request.payment == payment)?;
        return Some(Standing::over(request, (*progress).into(), *payment, trail));
    };
    let trail = Trail {
        asked: ask.map(|ask| ask.asked).or(escrow.map(|escrow| escrow.authorized))?,
        receipt: escrow.and_then(|escrow| escrow.receipt),
        evidence: escrow.and_then(|escrow| escrow.evidence),
        note: None,
    };
    let told = mirror.tip.mandate.payments.get(&payment).copied();
    let whole = Standing::over(request, progress.into(), told, &trail);
    // Once the chain tells of it, what was on its way there is of no interest.
    Some(match ask {
        Some(ask) if told.is_none() => underway(ask, whole),
        Some(_) | None => whole,
    })
}

fn underway<'a>(ask: &'a Ask, standing: Standing<'a>) -> Standing<'a> {
    let given = |approved: &'a Approved| Word::Given(&approved.approval, &approved.bytes);
    let given = ask.approved.as_ref().map_or(Word::None, given);
    let (word, reason) = match &ask.stage {
        Stage::Waiting { until } => (Word::Awaited(*until), None),
        Stage::Approved => (given, None),
        Stage::Failed { reason } => (given, Some(reason.to_string())),
        Stage::Underway(_) | Stage::Cancelling { .. } => (Word::None, None),
    };
    let transactions = ask.errand().map_or(&[][..], |errand| &errand.transactions);
    Standing { word, reason, transactions, ..standing }
}
