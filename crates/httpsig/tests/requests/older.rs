//! The older header form.

use httpsig::{Judgement, OLDER_WINDOW, OlderForm, Policy, Refusal, sign_older};
use primitives::{Millis, UnixMillis};

use super::{NOW, POLICY, STAMP, Sent, settled, signer};

fn plain() -> Sent {
    Sent::new("POST", "/v1/agent/payments", Some("dry=1"), "{}")
}

fn signed_by(mut sent: Sent, key: u8) -> Sent {
    let headers = sent.with(|request| sign_older(request, NOW, &signer(key))).unwrap();
    for (name, value) in headers {
        sent.set(name, value);
    }
    sent
}

#[test]
fn h3_it_holds_five_minutes_either_way() {
    let sent = signed_by(plain(), 0x11);
    let at = |now| settled(sent.judged(&POLICY, now));
    let verified = at(NOW).unwrap();
    assert_eq!((verified.signer, verified.created), (signer(0x11).address(), NOW));
    assert_eq!(verified.until, NOW.plus(OLDER_WINDOW));
    assert!(at(NOW.minus(OLDER_WINDOW)).is_ok());
    assert_eq!(at(NOW.minus(OLDER_WINDOW).minus(Millis(1))), Err(Refusal::NotYet));
    assert!(at(UnixMillis(NOW.plus(OLDER_WINDOW).0 - 1)).is_ok());
    assert_eq!(at(NOW.plus(OLDER_WINDOW)), Err(Refusal::Expired));
}

#[test]
fn h1_whatever_is_signed_cannot_be_changed() {
    let changes: [fn(&mut Sent); 7] = [
        |sent| sent.method = "PUT".into(),
        |sent| sent.path = "/v1/agent/payment".into(),
        |sent| sent.query = None,
        |sent| sent.query = Some("dry=0".into()),
        |sent| sent.body = b"{} ".to_vec(),
        |sent| sent.set("x-guildhall-timestamp", "1800000001"),
        |sent| sent.set("x-guildhall-agent", signer(0x22).address().to_string()),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut sent = signed_by(plain(), 0x11);
        change(&mut sent);
        assert_eq!(sent.verdict(), Err(Refusal::OtherSigner), "change {number}");
    }
    let mut empty_query = signed_by(Sent::new("GET", "/", None, ""), 0x11);
    empty_query.query = Some(String::new());
    assert!(empty_query.verdict().is_ok());
}

/// H6: the first line keeps the two names apart.
#[test]
fn h6_a_signature_under_one_name_is_none_under_the_other() {
    let mut sent = signed_by(plain(), 0x11);
    for name in ["agent", "timestamp", "signature"] {
        let value = sent.header(&format!("x-guildhall-{name}")).unwrap();
        sent.unset(&format!("x-guildhall-{name}"));
        sent.set(&format!("x-hestr-{name}"), value);
    }
    assert_eq!(sent.verdict(), Err(Refusal::OtherSigner));
}

/// H4: two agents that ask for the same at the same moment sign the same text.
#[test]
fn h4_two_agents_do_not_use_up_each_others_request() {
    let [one, two] = [0x11, 0x22].map(|key| signed_by(plain(), key).verdict().unwrap());
    assert_eq!(one.form, two.form);
    assert_ne!(one.once_key(), two.once_key());
    let mut twin = signed_by(plain(), 0x11);
    // The case of the address does not make a second key.
    twin.set("x-guildhall-agent", signer(0x11).address().to_string());
    assert_eq!(twin.verdict().unwrap().once_key(), one.once_key());
}

#[test]
fn h1_a_message_signature_is_not_replaced_by_the_older_form() {
    let mut sent = signed_by(plain(), 0x11).signed(&STAMP);
    sent.edit("signature-input", "created=1800000000", "created=1800000001");
    assert_eq!(sent.verdict(), Err(Refusal::OtherSigner));
    sent.unset("signature-input");
    assert!(sent.verdict().is_ok());
    let strict = Policy { older: OlderForm::Refused, ..POLICY };
    assert_eq!(settled(sent.judged(&strict, NOW)), Err(Refusal::Missing { header: "signature-input" }));
}

#[test]
fn h5_each_header_has_one_form() {
    let refused = |name: &'static str, value: &str| {
        let mut sent = signed_by(plain(), 0x11);
        sent.set(name, value);
        sent.verdict().unwrap_err()
    };
    let address = signer(0x11).address().to_string();
    for bad in ["", "0x", &address[2..], &address[..41], &format!("{address}0"), &format!(" {address}")] {
        assert!(matches!(refused("x-guildhall-agent", bad), Refusal::InvalidHeader { .. }), "{bad}");
    }
    for bad in ["", "+1800000000", "01800000000", "1800000000.0", "-1", "99999999999999999999999", "now"] {
        assert!(matches!(refused("x-guildhall-timestamp", bad), Refusal::InvalidHeader { .. }), "{bad}");
    }
    for bad in ["", "0x", "11", "0x1", "0xzz"] {
        assert!(matches!(refused("x-guildhall-signature", bad), Refusal::InvalidHeader { .. }), "{bad}");
    }
    assert!(matches!(refused("x-guildhall-signature", &"0".repeat(9_000)), Refusal::TooLong { .. }));
    for name in ["agent", "timestamp", "signature"] {
        let mut sent = signed_by(plain(), 0x11);
        sent.unset(&format!("x-guildhall-{name}"));
        assert!(matches!(sent.verdict(), Err(Refusal::Missing { .. })), "{name}");
    }
    for (method, path) in [("GET\n", "/"), ("GET /a", "/"), ("GET", "/a b"), ("GET", "/ä")] {
        let sent = Sent::new(method, path, None, "");
        let refusal = sent.with(|request| sign_older(request, NOW, &signer(0x11)));
        assert_eq!(refusal, Err(Refusal::UnsignableTarget));
    }
}

/// H7: the contract of an account may accept what its key did not sign.
#[test]
fn h7_a_contract_account_is_asked_about_the_older_form_too() {
    let mut sent = signed_by(plain(), 0x11);
    sent.set("x-guildhall-signature", "0xc0ffee");
    let Ok(Judgement::NeedsChain(pending)) = sent.judged(&POLICY, NOW) else { panic!("not asked") };
    assert_eq!((pending.address(), pending.chain_id()), (signer(0x11).address(), None));
    assert_eq!(pending.signature, [0xc0, 0xff, 0xee]);
    assert_eq!(pending.vouched(), signed_by(plain(), 0x11).verdict().unwrap());
}
