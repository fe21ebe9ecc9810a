//! The test cases of ERC-8128 itself: its request, and what each change of it is answered with.

use std::collections::BTreeSet;

use eip712::{SignatureFault, Signer};
use httpsig::{Input, LIFETIME, Policy, Refusal, Stamp, sign};
use primitives::{Millis, UnixMillis};

use super::{STAMP, Sent, settled};

const CLOCK: UnixMillis = UnixMillis(1_700_000_001_000);
const CASE: Policy<'static> = Policy::new(&["api.example"], &[1]);
const DIGEST: &str = "sha-256=:k6I5cakU5erL8KjSUVTNownDwccvu5kU1Hxg88toFYg=:";
const INPUT: &str = r#"request=("@scheme" "@authority" "@method" "@path" "@query" "content-digest" "content-type");created=1700000000;expires=1700000060;nonce="EjRWeJCrze8BI0VniavN7w";keyid="eip155:1:0x7e5f4552091a69125d5dfcb7b8c2659029395bdf";tag="erc8128""#;
const SIGNATURE: &str =
    "request=:/BpEToskxkMJ65uRmaNUPiBwbwwg6z3CxEDJJwEYREIx1Hwn85Z1L8XlRpILGx4q80yeiNugYzaUsVPWiPcB0Bs=:";
const DIGEST_SIGNED: &str = "0xa7a6074cd2ab23379c04a8839a3566e98689326367a0ad9cd8ef389a961f96de";

fn unsigned() -> Sent {
    let mut sent = Sent::new("POST", "/items", Some("view=full"), r#"{"hello":"world"}"#);
    sent.authority = "api.example".into();
    sent.set("content-type", "application/json");
    sent
}

fn positive() -> Sent {
    let mut sent = unsigned();
    sent.set("content-digest", DIGEST);
    sent.set("signature-input", INPUT);
    sent.set("signature", SIGNATURE);
    sent
}

fn key() -> Signer {
    let mut key = [0; 32];
    key[31] = 1;
    Signer::from_bytes(&key).unwrap()
}

#[test]
fn h1_the_positive_vector_is_verified_and_signed_alike() {
    let sent = positive();
    let base = sent.with(|request| Input::parse(INPUT).unwrap()[0].base(request)).unwrap();
    assert_eq!(base.len(), 449);
    assert_eq!(eip712::personal_digest(&base).to_string(), DIGEST_SIGNED);
    let verified = settled(sent.judged(&CASE, CLOCK)).unwrap();
    assert_eq!(verified.signer, key().address());
    let account = "eip155:1:0x7e5f4552091a69125d5dfcb7b8c2659029395bdf";
    assert_eq!(verified.once_key(), format!("{account}:EjRWeJCrze8BI0VniavN7w"));

    let created = UnixMillis(1_700_000_000_000);
    let stamp = Stamp { chain_id: 1, created, nonce: "EjRWeJCrze8BI0VniavN7w", ..STAMP };
    let headers = unsigned().with(|request| sign(request, &stamp, &key())).unwrap();
    let own = [
        ("content-digest", DIGEST.to_owned()),
        ("signature-input", INPUT.replacen("request=", "eth=", 1)),
        ("signature", SIGNATURE.replacen("request=", "eth=", 1)),
    ];
    assert_eq!(headers, own);
}

type Change = fn(&mut Sent);

fn input(sent: &mut Sent, from: &str, to: &str) {
    sent.edit("signature-input", from, to);
}

/// H5: the changes that the draft lists, in its order, each with the code that it gives.
#[test]
fn h5_each_change_of_the_vector_has_the_code_of_the_draft() {
    let changes: [(&str, Change); 19] = [
        ("signature_missing", |sent| sent.unset("signature")),
        ("signature_missing", |sent| sent.unset("signature-input")),
        ("signature_input_invalid", |sent| input(sent, "request=(", "request=[(")),
        ("signature_input_invalid", |sent| sent.set("signature", "request=:*:")),
        ("signature_too_large", |sent| sent.set("signature", "x".repeat(20_000))),
        ("no_acceptable_signature", |sent| input(sent, "\"erc8128\"", "\"erc8128-else\"")),
        ("invalid_keyid", |sent| input(sent, "eip155:1:0x7e5f", "eip155:1:0x7E5F")),
        ("unsupported_chain", |sent| input(sent, "eip155:1:", "eip155:2:")),
        ("invalid_time", |sent| input(sent, ";created=1700000000", "")),
        ("invalid_time", |sent| input(sent, "created=1700000000", "created=\"1700000000\"")),
        ("invalid_time", |sent| input(sent, "expires=1700000060", "expires=1700000000")),
        ("invalid_nonce", |sent| input(sent, "nonce=\"EjRWeJCrze8BI0VniavN7w\"", "nonce=token")),
        ("insufficient_coverage", |sent| input(sent, " \"@query\"", "")),
        ("content_digest_required", |sent| sent.unset("content-digest")),
        ("bad_content_digest", |sent| sent.body.push(b' ')),
        ("bad_content_digest", |sent| sent.set("content-digest", "sha-256")),
        ("nonce_required", |sent| input(sent, ";nonce=\"EjRWeJCrze8BI0VniavN7w\"", "")),
        ("unsupported_algorithm", |sent| input(sent, ";tag=", ";alg=\"ed25519\";tag=")),
        ("bad_signature", |sent| sent.query = Some("view=all".into())),
    ];
    for (number, (code, change)) in changes.into_iter().enumerate() {
        let mut sent = positive();
        change(&mut sent);
        let refusal = settled(sent.judged(&CASE, CLOCK)).unwrap_err();
        assert_eq!(refusal.code(), code, "change {number}");
    }
    let at =
        |seconds: u64| settled(positive().judged(&CASE, UnixMillis(seconds * 1_000))).map_err(|no| no.code());
    assert_eq!(at(1_699_999_969), Err("request_not_yet_valid"));
    assert_eq!(at(1_700_000_091), Err("request_expired"));
    let short = Policy { lifetime: Millis::from_seconds(59), ..CASE };
    let refusal = settled(positive().judged(&short, CLOCK)).unwrap_err();
    assert_eq!(refusal.code(), "request_validity_too_long");
    let mut two = positive();
    two.set("signature-input", format!("lost{}, {INPUT}", &INPUT["request".len()..]));
    assert!(settled(two.judged(&CASE, CLOCK)).is_ok());
}

/// Codes and sentences are the wire: each refusal has a sentence of its own, and a code of the draft's or ours.
#[test]
fn every_refusal_has_a_sentence() {
    let header = "signature";
    let refusals = [
        Refusal::Missing { header },
        Refusal::TooLong { header, limit: 1 },
        Refusal::TooMany { header, at: 1 },
        Refusal::Malformed { header, at: 1, expected: "`:`" },
        Refusal::Repeated { header, at: 1 },
        Refusal::InvalidHeader { header, allowed: "0x" },
        Refusal::NoEthereumSignature,
        Refusal::NoBytes,
        Refusal::Time,
        Refusal::NonceMissing,
        Refusal::Nonce,
        Refusal::Reused,
        Refusal::UnknownParameter { at: 1 },
        Refusal::Algorithm,
        Refusal::Account,
        Refusal::Chain(1),
        Refusal::NotCovered { component: "@path".into() },
        Refusal::UnknownComponent { at: 1 },
        Refusal::AbsentComponent { at: 1 },
        Refusal::UnsignableComponent { at: 1 },
        Refusal::UnsignableTarget,
        Refusal::TooLongLived(LIFETIME),
        Refusal::NotYet,
        Refusal::Expired,
        Refusal::Authority,
        Refusal::DigestMissing,
        Refusal::DigestAlgorithm,
        Refusal::DigestMismatch,
        Refusal::Signature(SignatureFault::HighS),
        Refusal::OtherSigner,
    ];
    let codes: BTreeSet<_> = refusals.iter().map(Refusal::code).collect();
    let sentences: BTreeSet<_> = refusals.iter().map(ToString::to_string).collect();
    assert_eq!((codes.len(), sentences.len()), (19, refusals.len()));
    assert!(sentences.iter().all(|sentence| sentence.ends_with('.') && !sentence.contains("  ")));
    let later: Vec<_> = refusals.iter().filter(|refusal| refusal.may_retry()).collect();
    assert_eq!(later, [&Refusal::NotYet]);
}
