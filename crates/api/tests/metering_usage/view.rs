//! What is shown of bills and settlements, and what is told of them.

use api::outbound::metering::{Origin, meter_news, meter_problem, settlement};
use api::wire::metering::{AssetView, SettlementStatus, SettlementView};
use meter::{Line, Means, News, Refusal, Settlement, SettlementState, Subject};
use primitives::{BaseUnits, MeterId, SettlementId, TenantId, UnixMillis};
use serde_json::json;
use tariff::{Exact, Pricing, Quantity, Tier, UnitPrice};

fn subject() -> Subject {
    Subject {
        tenant: TenantId::derive(&[b"t"]),
        agent: "a".parse().unwrap(),
        service: "s".parse().unwrap(),
        era: 0,
        scale: 0.try_into().unwrap(),
        shard: 0,
        shards: 1,
    }
}

fn asset() -> AssetView {
    AssetView { network: "eip155:84532".to_owned(), address: "0xaa".to_owned() }
}

fn bill(state: SettlementState) -> Settlement {
    let tier = |up_to, unit| Tier { up_to, unit: UnitPrice(unit) };
    let tiers = vec![tier(Some(Quantity::whole(10)), 500_000_000), tier(None, 250_000_000)];
    let line = |version, quantity| Line {
        version,
        pricing: Pricing::Graduated { tiers: tiers.clone() },
        quantity: Quantity::whole(quantity),
        events: 2,
        from: UnixMillis(1),
        to: UnixMillis(2),
        exact: "5.75".parse().unwrap(),
        carried_in: "-0.25".parse().unwrap(),
        amount: BaseUnits(5),
        credited: meter::Credited::default(),
    };
    Settlement {
        id: SettlementId::derive(&MeterId::derive(&[b"m"]), &[b"s"]),
        number: 3,
        round: Some(1),
        reopened_in: None,
        at: UnixMillis(0),
        lines: vec![line(1, 12), line(2, 1)],
        adjustments: Vec::new(),
        amount: BaseUnits(10),
        carried_in: "-0.25".parse().unwrap(),
        carried_out: Exact::ZERO,
        state,
    }
}

fn shown(state: SettlementState) -> SettlementView {
    settlement(&subject(), &bill(state), 7, &asset(), Some("0xbb"))
}

fn means() -> Means {
    Means::Mandate { mandate: "0x11".to_owned(), recipient: "0xbb".to_owned() }
}

#[test]
fn a_settlement_shows_what_is_true_of_its_state_and_nothing_else() {
    let drafted = shown(SettlementState::Drafted { until: UnixMillis(9) });
    let links = drafted.links.as_ref().unwrap();
    assert_eq!(links.pay, format!("/v1/settlements/{}/pay", drafted.id));
    assert_eq!((drafted.quantity.as_str(), drafted.amount.as_str()), ("13", "10"));
    assert_eq!(
        (drafted.pay_until.as_deref(), drafted.payment.is_none()),
        (Some("1970-01-01T00:00:00.009Z"), true)
    );
    let line = serde_json::to_value(&drafted.lines[0]).unwrap();
    assert_eq!(
        line,
        json!({
            "priceVersion": 1, "quantity": "12", "events": 2, "exact": "5.75", "carriedIn": "-0.25", "amount": "5",
            "from": "1970-01-01T00:00:00.001Z", "to": "1970-01-01T00:00:00.002Z",
            "price": { "kind": "graduated", "tiers": [
                { "upTo": "10", "price": "0.5" }, { "upTo": null, "price": "0.25" },
            ] },
        })
    );

    let submitted = shown(SettlementState::Submitted {
        means: means(),
        since: UnixMillis(1),
        until: UnixMillis(9),
        reason: Some("no answer".to_owned()),
        looks: 1,
        next_at: UnixMillis(2),
    });
    let payment = serde_json::to_value(submitted.payment.unwrap()).unwrap();
    assert_eq!(payment, json!({ "method": "mandate", "mandate": "0x11", "recipient": "0xbb" }));
    assert_eq!((submitted.unknown.as_deref(), submitted.links.is_none()), (Some("no answer"), true));

    let at = UnixMillis(1);
    let paid = shown(SettlementState::Verified { means: Some(means()), proof: "0xcc".to_owned(), at });
    assert_eq!((paid.status, paid.proof.as_deref()), (SettlementStatus::Verified, Some("0xcc")));
    let free = shown(SettlementState::Verified { means: None, proof: String::new(), at });
    assert_eq!((free.payment, free.proof), (None, None), "nothing had to be paid");
    let (code, reason) = ("expired".to_owned(), "Nobody paid.".to_owned());
    let failed = shown(SettlementState::Failed { means: None, code, reason, at });
    assert_eq!((failed.failure.unwrap().code.as_str(), failed.pay_until), ("expired", None));
    assert_eq!(shown(SettlementState::WrittenOff { at }).status, SettlementStatus::WrittenOff);
}

#[test]
fn what_is_told_is_the_same_in_the_log_and_to_endpoints() {
    let news = News::Settled(Box::new(bill(SettlementState::WrittenOff { at: UnixMillis(1) })));
    let told = meter_news(&subject(), &news, 7, &asset()).unwrap();
    let origin = Origin { object: "mtr_x", seq: 4, ordinal: 1 };
    let payload: serde_json::Value = serde_json::from_str(&told.payload(UnixMillis(5)).unwrap()).unwrap();
    let line = serde_json::to_value(told.line(&subject().tenant, &origin, UnixMillis(5))).unwrap();
    for member in ["type", "timestamp", "data"] {
        assert_eq!(line[member], payload[member], "{member}");
    }
    assert_eq!((&payload["type"], payload.as_object().unwrap().len()), (&json!("usage.settled"), 3));
    assert!(line["data"].get("payTo").is_none(), "what the tenant may change is not written down");

    // Each line has one name, and another line has another one.
    let names = [("mtr_x", 4, 1), ("mtr_x", 4, 2), ("mtr_x", 5, 1), ("mtr_x.1", 4, 1)];
    let name = |(object, seq, ordinal)| Origin { object, seq, ordinal };
    let lines: std::collections::BTreeSet<_> = names.map(|origin| name(origin).line()).into();
    let messages: std::collections::BTreeSet<_> = names.map(|origin| name(origin).message()).into();
    assert_eq!((lines.len(), messages.len()), (4, 4));
}

#[test]
fn a_meters_no_has_the_status_that_fits_and_keeps_its_code() {
    for (refusal, status) in [
        (Refusal::NothingUsed, 404),
        (Refusal::UnknownSettlement, 404),
        (Refusal::EventConflict, 409),
        (Refusal::SettlementOpen, 409),
        (Refusal::NothingToSettle, 422),
        (Refusal::TooLate, 422),
        (Refusal::QuantityTooFine { digits: 2 }, 422),
        (Refusal::ReservationRequired, 422),
    ] {
        let problem = meter_problem(&refusal);
        assert_eq!((problem.status, problem.code.as_str()), (status, refusal.code()));
    }
}
