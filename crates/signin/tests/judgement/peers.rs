//! The same messages as viem writes and signs them, and the same verdict on texts as a parser made from the standard.

use std::collections::BTreeSet;

use eip712::{B256, Signer, personal_digest};
use serde::Deserialize;
use signin::{Authority, Expected, Message, Origin, Timestamp, Verdict, verify};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    scheme: Option<String>,
    domain: String,
    address: String,
    statement: Option<String>,
    uri: String,
    chain_id: u64,
    nonce: String,
    issued_at: String,
    expiration_time: Option<String>,
    not_before: Option<String>,
    request_id: Option<String>,
    resources: Option<Vec<String>>,
}

impl Fields {
    fn message(&self) -> Message {
        let time = |text: &Option<String>| text.as_ref().map(|text| text.parse::<Timestamp>().unwrap());
        let uris = |texts: &Vec<String>| texts.iter().map(|text| text.parse().unwrap()).collect();
        Message {
            scheme: self.scheme.as_ref().map(|text| text.parse().unwrap()),
            domain: self.domain.parse().unwrap(),
            address: self.address.parse().unwrap(),
            statement: self.statement.as_ref().map(|text| text.parse().unwrap()),
            uri: self.uri.parse().unwrap(),
            chain_id: self.chain_id,
            nonce: self.nonce.parse().unwrap(),
            issued_at: self.issued_at.parse().unwrap(),
            expiration_time: time(&self.expiration_time),
            not_before: time(&self.not_before),
            request_id: self.request_id.as_ref().map(|text| text.parse().unwrap()),
            resources: self.resources.as_ref().map(uris),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Signed {
    name: String,
    fields: Fields,
    text: String,
    private_key: String,
    digest: String,
    signature: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Judged {
    name: String,
    text: String,
    is_message: bool,
}

#[derive(Deserialize)]
struct Vectors {
    messages: Vec<Signed>,
    texts: Vec<Judged>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../tests/vectors/signin.json")).unwrap()
}

/// W1
#[test]
fn viem_and_we_write_and_read_the_same_text() {
    for vector in vectors().messages {
        let message = vector.fields.message();
        assert_eq!(message.text(), vector.text, "{}", vector.name);
        assert_eq!(Message::parse(&vector.text), Ok(message), "{}", vector.name);
    }
}

/// W5
#[test]
fn what_viem_signs_signs_in() {
    for vector in vectors().messages {
        let digest = personal_digest(&vector.text);
        assert_eq!(digest, vector.digest.parse::<B256>().unwrap(), "{}", vector.name);
        let key: B256 = vector.private_key.parse().unwrap();
        let ours = Signer::from_bytes(&key.0).unwrap().sign(digest);
        assert_eq!(super::hexadecimal(&ours), vector.signature, "{}", vector.name);

        let message = vector.fields.message();
        let expected = Expected {
            origin: origin(&message.domain),
            chain_ids: vec![message.chain_id],
            statement: message.statement.clone(),
            resources: message.resources.clone().unwrap_or_default(),
            nonce: message.nonce.clone(),
        };
        let verdict = verify(&vector.text, &vector.signature, &expected, message.issued_at.at());
        match verdict {
            Ok(Verdict::SignedIn(sign_in)) => assert_eq!(sign_in.address(), message.address),
            other => assert!(message.request_id.is_some(), "{}: {other:?}", vector.name),
        }
    }
}

fn origin(domain: &Authority) -> Origin {
    let is_here = ["localhost", "127.0.0.1"].iter().any(|host| domain.as_str().starts_with(host));
    let scheme = if is_here { "http" } else { "https" };
    format!("{scheme}://{domain}").parse().unwrap()
}

/// Where we read more strictly, so that a message has one text: the case of an address, the digits of a chain, and
/// moments that this product can tell.
const STRICTER: [&str; 5] = [
    "line 10 is \"Issued At: 1969-12-31T23:59:59Z\"",
    "line 2 is \"0x19E7E376E7C213B7E7E7E46CC70A5DD086DAFF2A\"",
    "line 2 is \"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a\"",
    "line 8 is \"Chain ID: 01\"",
    "line 8 is \"Chain ID: 18446744073709551616\"",
];

/// W2
#[test]
fn we_take_the_texts_that_the_standards_grammar_takes() {
    let vectors = vectors();
    let stricter: BTreeSet<_> = STRICTER.into_iter().collect();
    let mut differing = BTreeSet::new();
    for text in &vectors.texts {
        let ours = Message::parse(&text.text);
        if ours.is_ok() != text.is_message {
            assert!(ours.is_err(), "taken: {}", text.name);
            differing.insert(text.name.as_str());
        }
        if let Ok(message) = ours {
            assert_eq!(message.text(), text.text, "{}", text.name);
        }
    }
    assert_eq!(differing, stricter);
}
