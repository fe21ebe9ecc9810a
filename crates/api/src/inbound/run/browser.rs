//! What an executor came back with.

use executor::{CommandId, Progress};
use pix::Point;
use primitives::Digest;
use run::limits::{EVIDENCE_BYTES, ITEMS, LINES, NAME_BYTES, REASON_BYTES};
use run::{BrowserResult, Cart, Cents, Evidence, Item, Line, OrderEvidence, PixTarget};
use serde_json::{Map, Value};

use crate::inbound::{Faults, invalid, shape};
use crate::problem::Problem;
use crate::wire::{self, CartBody, LineBody, PixEvidence};

/// Reads a result, and which command it answers.
///
/// # Errors
/// 400 with every fault. No fault repeats a Pix code.
pub fn browser_result(body: &Value) -> Result<(String, BrowserResult), Problem> {
    let mut faults = Faults::default();
    let (command_id, result) = match by_type(body)? {
        wire::BrowserResult::Started { command_id } => (command_id, BrowserResult::Started),
        wire::BrowserResult::NeedsUser { command_id, reason } => {
            (command_id, BrowserResult::NeedsUser { reason: reason_of(&mut faults, reason) })
        }
        wire::BrowserResult::Quote { command_id, quote, captured_at, page_ref } => {
            let captured_at = faults.at("capturedAt", &captured_at);
            let (cart, page) = (cart(&mut faults, quote), page(&mut faults, page_ref));
            (command_id, BrowserResult::Quote { cart, captured_at, page })
        }
        wire::BrowserResult::Pix {
            command_id,
            amount_cents,
            evidence,
            expires_at,
            payload_digest,
            payload,
        } => {
            let amount = faults.cents("amountCents", &amount_cents);
            let stated = payload_digest.map(|text| faults.sha256("payloadDigest", &text));
            let target = PixTarget {
                amount,
                evidence: match evidence {
                    PixEvidence::PixCode => Evidence::PixCode,
                    PixEvidence::PixSelected => Evidence::PixSelected,
                },
                expires_at: expires_at.map(|text| faults.at("expiresAt", &text)),
                payload_digest: code(&mut faults, evidence, amount, stated, payload),
            };
            (command_id, BrowserResult::Pix(target))
        }
        wire::BrowserResult::Order { command_id, confirmed, evidence } => {
            let evidence = faults.line("evidence", evidence, EVIDENCE_BYTES);
            (command_id, BrowserResult::Order(OrderEvidence { confirmed, evidence }))
        }
        wire::BrowserResult::Unavailable { command_id, reason } => {
            (command_id, BrowserResult::Unavailable { reason: reason_of(&mut faults, reason) })
        }
        wire::BrowserResult::Error { command_id, reason } => {
            (command_id, BrowserResult::Error { reason: reason_of(&mut faults, reason) })
        }
    };
    let command_id = faults.take("commandId", command_id.parse::<CommandId>());
    faults.finish(command_id.map(|command_id| (command_id.as_str().to_owned(), result)))
}

/// A result, each fault of which has its place.
fn by_type(body: &Value) -> Result<wire::BrowserResult, Problem> {
    let place = |field: &str, message: &str| {
        let mut faults = Faults::default();
        faults.add(field, message);
        invalid(faults.0)
    };
    let mut fields = body.as_object().cloned().ok_or_else(|| place("body", "must be a JSON object"))?;
    let Some(Value::String(kind)) = fields.remove("type") else {
        return Err(place("type", "must be the type of a result, such as QUOTE"));
    };
    let within = format!("{kind}.");
    let around = Value::Object(Map::from_iter([(kind, Value::Object(fields))]));
    let read: Result<wire::ResultByType, Problem> = shape(&around);
    read.map(Into::into).map_err(|mut problem| {
        for fault in &mut problem.errors {
            // What has its place nowhere within is of no known type.
            fault.field = fault.field.strip_prefix(&within).unwrap_or("type").to_owned();
        }
        problem
    })
}

/// How far a result says that its command has come, if it is not the end of it.
pub const fn progress(result: &BrowserResult) -> Option<Progress> {
    match result {
        BrowserResult::Started => Some(Progress::Started),
        BrowserResult::NeedsUser { .. } => Some(Progress::NeedsUser),
        BrowserResult::Quote { .. }
        | BrowserResult::Pix(_)
        | BrowserResult::Order(_)
        | BrowserResult::Unavailable { .. }
        | BrowserResult::Error { .. } => None,
    }
}

fn reason_of(faults: &mut Faults, reason: String) -> String {
    faults.line("reason", reason, REASON_BYTES)
}

/// Where a cart was read. Queries name accounts and sessions, and what is recorded stays.
fn page(faults: &mut Faults, page: String) -> String {
    if page.contains(['?', '#', '@']) {
        faults.add("pageRef", "must name the page without query, fragment and account");
    }
    faults.line("pageRef", page, NAME_BYTES)
}

fn cart(faults: &mut Faults, cart: CartBody) -> Cart {
    let counts = [
        ("items", cart.items.len(), ITEMS),
        ("fees", cart.fees.len(), LINES),
        ("discounts", cart.discounts.len(), LINES),
    ];
    for (list, count, most) in counts {
        if count > most {
            faults.add(&format!("quote.{list}"), format!("has {count} lines; {most} are allowed"));
        }
    }
    let merchant = faults.line("quote.merchantName", cart.merchant_name, NAME_BYTES);
    let mut items = Vec::new();
    for (at, item) in cart.items.into_iter().enumerate() {
        items.push(Item {
            product: faults.line(&format!("quote.items[{at}].product"), item.product, NAME_BYTES),
            quantity: item.quantity,
            unit_price: faults.cents(&format!("quote.items[{at}].unitPriceCents"), &item.unit_price_cents),
            total: faults.cents(&format!("quote.items[{at}].totalCents"), &item.total_cents),
        });
    }
    Cart {
        merchant,
        items,
        fees: lines(faults, "fees", cart.fees),
        discounts: lines(faults, "discounts", cart.discounts),
        total: faults.cents("quote.totalCents", &cart.total_cents),
        eta_minutes: cart.eta_minutes,
    }
}

fn lines(faults: &mut Faults, list: &str, lines: Vec<LineBody>) -> Vec<Line> {
    let mut read = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        read.push(Line {
            name: faults.line(&format!("quote.{list}[{at}].name"), line.name, NAME_BYTES),
            amount: faults.cents(&format!("quote.{list}[{at}].amountCents"), &line.amount_cents),
        });
    }
    read
}

/// What is kept of a Pix code: its digest, once the code itself was checked, if it came along.
fn code(
    faults: &mut Faults,
    evidence: PixEvidence,
    amount: Cents,
    stated: Option<Digest>,
    payload: Option<String>,
) -> Option<Digest> {
    let read = payload.map(|payload| {
        check(faults, amount, &payload);
        pix::digest(&payload)
    });
    if read.zip(stated).is_some_and(|(read, stated)| read != stated) {
        faults.add("payloadDigest", "is not SHA-256 of payload");
    }
    let digest = read.or(stated);
    match (evidence, digest) {
        (PixEvidence::PixCode, None) => {
            faults.add("payloadDigest", "is needed of a code that is shown, or the code as payload");
        }
        (PixEvidence::PixSelected, Some(_)) => {
            faults.add("evidence", "must be pix-code where there is a code");
        }
        (PixEvidence::PixCode, Some(_)) | (PixEvidence::PixSelected, None) => {}
    }
    digest
}

/// A static code may leave the amount to the payer; of a dynamic one it is not told.
fn check(faults: &mut Faults, amount: Cents, payload: &str) {
    match pix::parse(payload) {
        Err(refusal) => faults.add("payload", refusal.to_string()),
        Ok(code) if code.recurs => {
            faults.add("payload", "The Pix code begins a recurring payment, and a purchase is paid once.");
        }
        Ok(code) => match code.point {
            Point::Static { amount_cents: Some(cents), .. } if Cents(cents) != amount => {
                faults.add("amountCents", "is not what the Pix code says");
            }
            Point::Static { .. } | Point::Dynamic { .. } => {}
        },
    }
}
