//! Every refusal of a message signature, and the moments at which one begins and ends.

use eip712::{SignatureFault, personal_digest};
use httpsig::{Edition, Form, Input, Judgement, LIFETIME, Policy, Refusal, SKEW, Stamp, sign};
use primitives::{Millis, UnixMillis};

use super::{CHAIN, NOW, POLICY, STAMP, Sent, settled, signer, whole};

/// What is said of the whole request after a change.
pub(crate) fn after(change: impl FnOnce(&mut Sent)) -> Refusal {
    let mut sent = whole();
    change(&mut sent);
    sent.verdict().unwrap_err()
}

/// What is said when `Signature-Input` is changed and then signed as it stands.
fn resigned(from: &str, to: &str) -> Refusal {
    let mut sent = whole();
    sent.edit("signature-input", from, to);
    resign(&mut sent);
    sent.verdict().unwrap_err()
}

/// Signs `Signature-Input` as it stands, unless it covers what cannot be signed.
fn resign(sent: &mut Sent) {
    let inputs = Input::parse(&sent.header("signature-input").unwrap()).unwrap();
    if let Ok(base) = sent.with(|request| inputs[0].base(request)) {
        let signature = data_encoding::BASE64.encode(&signer(0x11).sign(personal_digest(&base)));
        sent.set("signature", format!("{}=:{signature}:", inputs[0].label()));
    }
}

#[test]
fn the_whole_request_is_verified() {
    let verified = whole().verdict().unwrap();
    assert_eq!(verified.signer, signer(0x11).address());
    assert_eq!((verified.created, verified.until), (NOW, NOW.plus(Millis::from_seconds(90))));
    let covered =
        ["@scheme", "@authority", "@method", "@path", "@query", "content-digest", "idempotency-key"];
    let form = Form::Message {
        chain_id: CHAIN,
        nonce: STAMP.nonce.into(),
        label: "eth".into(),
        covered: covered.map(Into::into).into(),
    };
    assert_eq!(verified.form, form);
}

#[test]
fn h6_headers_accounts_chains_and_authorities_are_ours() {
    for header in ["signature-input", "signature"] {
        assert_eq!(after(|sent| sent.unset(header)), Refusal::Missing { header });
    }
    for (from, to) in [
        ("eip155:84532:0x", "eip155:84532:"),
        ("eip155:84532:0x", "eip155:84532:0X"),
        ("eip155:84532:", "eip155:084532:"),
        ("eip155:84532:", "eip155:+84532:"),
        ("eip155:84532:", "eip155:84532:84532:"),
        ("eip155:84532:", "erc8128:84532:"),
        ("eip155:84532:", ""),
        (";keyid=", ";keyid=7;x-keyid="),
        (";keyid=", ";x-keyid="),
    ] {
        assert_eq!(resigned(from, to), Refusal::Account, "{to}");
    }
    let shouted = signer(0x11).address().to_string();
    assert_eq!(resigned(&format!("{:#x}", signer(0x11).address()), &shouted), Refusal::Account);
    for tag in ["", ";tag=\"erc8128-delegated\"", ";tag=erc8128"] {
        assert_eq!(resigned(";tag=\"erc8128\"", tag), Refusal::NoEthereumSignature, "{tag}");
    }
    // The first drafts had no tag: what has another one is for another purpose, not a signature of theirs.
    let mut other = Sent::new("GET", "/", None, "").signed(&Stamp { edition: Edition::Prefixed, ..STAMP });
    other.edit("signature-input", ";keyid", ";tag=\"other\";keyid");
    resign(&mut other);
    assert_eq!(other.verdict(), Err(Refusal::NoEthereumSignature));
    assert_eq!(resigned("eip155:84532", "eip155:1"), Refusal::Chain(1));
    let elsewhere = Policy { authorities: &["other.example"], ..POLICY };
    assert_eq!(settled(whole().judged(&elsewhere, NOW)), Err(Refusal::Authority));
    let mut sent = whole();
    sent.authority = "Board.Example:443".into();
    assert!(sent.verdict().is_ok());
    sent.authority = "board.example:8443".into();
    assert_eq!(sent.verdict(), Err(Refusal::Authority));
    let both = Policy { authorities: &["board.example", "board.example:8443"], ..POLICY };
    assert_eq!(settled(sent.judged(&both, NOW)), Err(Refusal::OtherSigner));
}

#[test]
fn h1_each_binding_component_must_be_covered() {
    let names = ["@scheme", "@authority", "@method", "@path", "@query", "content-digest"];
    for name in names {
        let component = name.to_owned();
        // `date` in its place keeps the list well formed.
        assert_eq!(resigned(&format!("\"{name}\""), "\"date\""), Refusal::NotCovered { component });
    }
    let typed = after(|sent| sent.set("content-type", "application/json"));
    assert_eq!(typed, Refusal::NotCovered { component: "content-type".into() });
    assert_eq!(
        resigned("\"content-digest\"", "\"content-digest\";req"),
        Refusal::NotCovered { component: "content-digest".into() }
    );
    let asking = Policy { also_covered: &["idempotency-key", "content-type"], ..POLICY };
    assert_eq!(
        settled(whole().judged(&asking, NOW)),
        Err(Refusal::NotCovered { component: "content-type".into() })
    );
    for edition in [Edition::Tagged, Edition::Prefixed] {
        let bare = Sent::new("GET", "/", None, "").signed(&Stamp { edition, ..STAMP });
        assert!(bare.verdict().is_ok());
        let mut grown = bare.clone();
        grown.query = Some("all=1".into());
        let refusal = match edition {
            Edition::Tagged => Refusal::OtherSigner,
            Edition::Prefixed => Refusal::NotCovered { component: "@query".into() },
        };
        assert_eq!(grown.verdict(), Err(refusal));
        let mut grown = bare;
        grown.body = b"{}".to_vec();
        assert_eq!(grown.verdict(), Err(Refusal::DigestMissing));
        grown.set("content-digest", httpsig::content_digest(b"{}"));
        assert_eq!(grown.verdict(), Err(Refusal::NotCovered { component: "content-digest".into() }));
        // A digest that is sent must be covered, says the present draft, even where there is no body.
        grown.body.clear();
        assert_eq!(grown.verdict().is_ok(), edition == Edition::Prefixed);
    }
}

#[test]
fn h2_the_body_and_its_digest_belong_together() {
    assert_eq!(after(|sent| sent.body = b"{}".to_vec()), Refusal::DigestMismatch);
    assert_eq!(after(|sent| sent.body.clear()), Refusal::DigestMismatch);
    assert_eq!(after(|sent| sent.set("content-digest", "sha-512=:AAAA:")), Refusal::DigestAlgorithm);
    assert!(matches!(
        after(|sent| sent.set("content-digest", "sha-256=47DEQpj8")),
        Refusal::Malformed { header: "content-digest", at: 8, .. }
    ));
    assert!(matches!(
        after(|sent| sent.set("content-digest", "sha-256=:AA==:, sha-256=:AA==:")),
        Refusal::Repeated { header: "content-digest", at: 16 }
    ));
    assert!(matches!(
        after(|sent| sent.set("content-digest", "x".repeat(1_025))),
        Refusal::TooLong { header: "content-digest", .. }
    ));
    // The right digest of another body, put in the place of the signed one.
    let swapped = after(|sent| {
        sent.body = b"{}".to_vec();
        sent.set("content-digest", httpsig::content_digest(b"{}"));
    });
    assert_eq!(swapped, Refusal::OtherSigner);
}

/// H3: clocks may differ by the skew at either end.
#[test]
fn h3_a_signature_holds_from_created_to_expires() {
    let sent = whole();
    let at = |now| settled(sent.judged(&POLICY, now));
    assert!(at(NOW.minus(SKEW)).is_ok());
    assert_eq!(at(NOW.minus(SKEW).minus(Millis(1))), Err(Refusal::NotYet));
    let until = sent.verdict().unwrap().until;
    assert_eq!(until, UnixMillis(NOW.0 + 60_000).plus(SKEW));
    assert!(at(until.minus(Millis(1))).is_ok());
    assert_eq!(at(until), Err(Refusal::Expired));
    let lasting = |lifetime| Sent::new("GET", "/", None, "").signed(&Stamp { lifetime, ..STAMP }).verdict();
    assert!(lasting(LIFETIME).is_ok());
    assert_eq!(lasting(Millis(LIFETIME.0 + 1_000)), Err(Refusal::TooLongLived(LIFETIME)));
    assert_eq!(lasting(Millis(0)), Err(Refusal::Time));
    assert_eq!(resigned("expires=18", "expires=17"), Refusal::Time);
    for name in ["created", "expires"] {
        for value in ["=:AA==:", "=now", "=-5", "=\"1800000000\"", ""] {
            assert_eq!(resigned(&format!(";{name}"), &format!(";{name}{value};x-{name}")), Refusal::Time);
        }
        assert_eq!(resigned(&format!(";{name}="), &format!(";x-{name}=")), Refusal::Time);
    }
}

/// H4: no nonce, no signature; and an account has one key for each, however its edition writes it.
#[test]
fn h4_a_signature_is_good_once() {
    let nonce = format!(";nonce=\"{}\"", STAMP.nonce);
    assert_eq!(resigned(&nonce, ""), Refusal::NonceMissing);
    for value in ["=7", "=:AA==:", "=now", "", "=\"\"", &format!("=\"{}\"", "n".repeat(129))] {
        assert_eq!(resigned(&nonce, &format!(";nonce{value}")), Refusal::Nonce, "{value}");
    }
    assert_eq!(resigned(";nonce", ";alg=\"ecdsa-p256-sha256\";nonce"), Refusal::Algorithm);
    let key = whole().verdict().unwrap().once_key();
    assert_eq!(key, format!("eip155:84532:{:#x}:{}", signer(0x11).address(), STAMP.nonce));
    let prefixed = Stamp { edition: Edition::Prefixed, ..STAMP };
    let mut other = Sent::new("GET", "/", None, "").signed(&prefixed);
    assert_eq!(other.verdict().unwrap().once_key(), key);
    let (lower, shouted) = (format!("{:#x}", signer(0x11).address()), signer(0x11).address().to_string());
    other.edit("signature-input", &lower, &shouted);
    resign(&mut other);
    assert_eq!(other.verdict().unwrap().once_key(), key);
}

#[test]
fn h5_what_is_not_known_is_refused_with_its_place() {
    let place = |name: &str, text: &str| whole().header(name).unwrap().find(text).unwrap();
    let nonce_at = place("signature-input", "nonce=");
    assert_eq!(resigned("nonce=", "purpose=\"pay\";nonce="), Refusal::UnknownParameter { at: nonce_at });
    let key_at = place("signature-input", "\"idempotency-key\"");
    for unknown in ["@query-param", "@status", "@authority2", "Idempotency-Key", "a:b", "", "\\\\"] {
        let refusal = resigned("\"idempotency-key\"", &format!("\"{unknown}\""));
        assert_eq!(refusal, Refusal::UnknownComponent { at: key_at }, "{unknown}");
    }
    assert_eq!(
        resigned("\"idempotency-key\"", "\"idempotency-key\";bs"),
        Refusal::UnknownComponent { at: key_at }
    );
    assert_eq!(resigned("\"idempotency-key\"", "\"date\""), Refusal::AbsentComponent { at: key_at });
    for value in ["order\u{e9}", "order\n\"@path\": /", "a\tb", "\u{7f}"] {
        let refusal = after(|sent| sent.set("idempotency-key", value));
        assert_eq!(refusal, Refusal::UnsignableComponent { at: key_at }, "{value:?}");
    }
}

/// H6: an intermediary may add a signature of its own, before or after; ours is the Ethereum account's.
#[test]
fn h6_the_signature_of_the_account_is_found_among_others() {
    let add = |sent: &mut Sent, name: &str, member: &str| {
        let value = sent.header(name).unwrap();
        sent.set(name, format!("{member}, {value}"));
    };
    let mut sent = whole();
    add(
        &mut sent,
        "signature-input",
        r#"proxy=("@status" "a";sf);keyid="k";alg="ed25519";created=1;x=:AA==:"#,
    );
    add(&mut sent, "signature", "proxy=:AAAA:");
    assert!(sent.verdict().is_ok());
    // What fails first does not hide what is right, and is the answer when nothing is.
    add(&mut sent, "signature-input", r#"other=();keyid="erc8128:1:0x00""#);
    assert!(sent.verdict().is_ok());
    let mut wrong = sent.clone();
    wrong.method = "PUT".into();
    assert_eq!(wrong.verdict(), Err(Refusal::OtherSigner), "a contract may vouch for the second");
    wrong.body.clear();
    assert_eq!(wrong.verdict(), Err(Refusal::NoBytes), "nothing is left but the first one's fault");
    let copy = whole().header("signature-input").unwrap().replacen("eth=", "forged=", 1);
    add(&mut sent, "signature-input", &copy);
    add(&mut sent, "signature", "forged=:AAAA:");
    assert!(sent.verdict().is_ok());
    sent.method = "PUT".into();
    assert_eq!(sent.verdict(), Err(Refusal::Signature(SignatureFault::Length(3))));
    sent.body.clear();
    assert_eq!(sent.verdict(), Err(Refusal::DigestMismatch));
    // A label means nothing and is not signed.
    let mut renamed = whole();
    renamed.edit("signature-input", "eth=", "mine=");
    renamed.edit("signature", "eth=", "mine=");
    assert!(renamed.verdict().is_ok());
}

/// H7: whoever has the account's contract asks it; whoever has not, refuses.
#[test]
fn h7_what_the_accounts_key_did_not_sign_is_for_its_contract() {
    let mut sent = whole();
    let account = format!("{:#x}", signer(0x11).address());
    let contract = "0x00000000000000000000000000000000000000c0";
    sent.edit("signature-input", &account, contract);
    let Ok(Judgement::NeedsChain(pending)) = sent.judged(&POLICY, NOW) else { panic!("not asked") };
    assert_eq!(
        (pending.address().to_string().to_lowercase().as_str(), pending.chain_id()),
        (contract, Some(CHAIN))
    );
    let base = Input::parse(&sent.header("signature-input").unwrap()).unwrap();
    assert_eq!(pending.digest, personal_digest(&sent.with(|request| base[0].base(request)).unwrap()));
    assert_eq!(pending.signature.len(), 65);
    assert_eq!(pending.clone().denied(), Refusal::OtherSigner);
    assert_eq!(pending.vouched().signer.to_string().to_lowercase(), contract);
}

#[test]
fn h5_a_signer_refuses_what_a_verifier_would() {
    let sent = Sent::new("GET", "/", None, "");
    let refused = |stamp: Stamp<'_>| sent.with(|request| sign(request, &stamp, &signer(0x11)).unwrap_err());
    let long = "n".repeat(129);
    for nonce in ["", "a b", "a\"b", "\u{e9}", &long] {
        assert_eq!(refused(Stamp { nonce, ..STAMP }), Refusal::Nonce);
    }
    assert!(matches!(refused(Stamp { also_covered: &["date"], ..STAMP }), Refusal::AbsentComponent { .. }));
    assert!(matches!(
        refused(Stamp { also_covered: &["@method;x"], ..STAMP }),
        Refusal::UnknownComponent { .. }
    ));
    let twice = Stamp { also_covered: &["@path"], ..STAMP };
    assert!(sent.with(|request| sign(request, &twice, &signer(0x11))).is_ok());
    assert!(matches!(refused(Stamp { also_covered: &["Date"], ..STAMP }), Refusal::UnknownComponent { .. }));
    let unescaped = Sent::new("GET", "/\u{e9}", None, "");
    let refusal = unescaped.with(|request| sign(request, &STAMP, &signer(0x11)).unwrap_err());
    assert!(matches!(refusal, Refusal::UnsignableComponent { .. }));
}
