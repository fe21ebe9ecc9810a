//! A client's own name for its payment.

use serde_json::{Value, json};
use x402::{InvalidReason, check_echo, payment_identifier};

use crate::{official, payment};

fn read(id: Value) -> Result<Option<String>, InvalidReason> {
    let extensions = json!({ "payment-identifier": { "info": { "required": false, "id": id } } });
    payment_identifier::read(&payment(extensions)).map(|id| id.map(|id| id.as_str().to_owned()))
}

#[test]
fn the_declaration_is_the_official_packages() {
    let ours = payment_identifier::declare();
    assert_eq!(ours, official("paymentIdentifier")["declared"]);
}

#[test]
fn the_official_clients_answer_is_read_and_keeps_what_we_said() {
    let echoed = json!({ "payment-identifier": official("paymentIdentifier")["echoed"] });
    let ours = json!({ "payment-identifier": payment_identifier::declare() });
    assert_eq!(check_echo(ours.as_object(), echoed.as_object()), Ok(()));
    let id = payment_identifier::read(&payment(echoed)).unwrap().unwrap();
    assert_eq!(id.as_str(), "pay_7d5d747be160e280504c099d984bcfe0");
}

#[test]
fn no_identifier_is_fine() {
    for extensions in [json!(null), json!({}), json!({ "payment-identifier": { "info": {} } })] {
        assert_eq!(payment_identifier::read(&payment(extensions)), Ok(None));
    }
    assert_eq!(read(json!(null)), Ok(None));
}

#[test]
fn its_form_is_exact() {
    for good in ["a".repeat(16), "Z".repeat(128), "0123456789_-abcD".to_owned()] {
        assert_eq!(read(json!(good)), Ok(Some(good)));
    }
    let fault = InvalidReason::Payload { field: "extensions.payment-identifier.info.id" };
    for bad in [
        json!("a".repeat(15)),
        json!("a".repeat(129)),
        json!("a b".repeat(10)),
        json!("é".repeat(16)),
        json!(7),
    ] {
        assert_eq!(read(bad.clone()), Err(fault.clone()), "{bad}");
    }
    assert_eq!(fault.code(), "invalid_payload");
    for block in [json!("x"), json!({}), json!({ "info": "x" })] {
        let carried = payment_identifier::read(&payment(json!({ "payment-identifier": block })));
        let fault = InvalidReason::Payload { field: "extensions.payment-identifier.info" };
        assert_eq!(carried, Err(fault), "{block}");
    }
}
