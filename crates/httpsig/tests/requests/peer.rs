//! Requests that the reference implementation of ERC-8128 really signed and verified (see the file's `about`).

use std::collections::BTreeMap;

use eip712::Signer;
use httpsig::{Edition, Form, Policy, SKEW, Stamp, sign};
use primitives::{Millis, UnixMillis};
use serde::Deserialize;

use super::{Sent, settled};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    key: String,
    address: String,
    created: u64,
    expires: u64,
    messages: Vec<Message>,
    older: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    method: String,
    scheme: String,
    authority: String,
    path: String,
    query: Option<String>,
    body: String,
    headers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    #[serde(flatten)]
    asked: Asked,
    chain_id: u64,
    nonce: String,
    also_covered: Vec<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../tests/vectors/httpsig.json")).unwrap()
}

fn sent(asked: Asked) -> Sent {
    Sent {
        method: asked.method,
        scheme: asked.scheme,
        authority: asked.authority,
        path: asked.path,
        query: asked.query,
        body: asked.body.into_bytes(),
        headers: asked.headers.into_iter().collect(),
    }
}

fn signer(key: &str) -> Signer {
    Signer::from_bytes(&hex::decode(&key[2..]).unwrap().try_into().unwrap()).unwrap()
}

#[test]
fn h1_its_requests_are_verified_and_ours_are_the_same_bytes() {
    let Vectors { key, address, created, expires, messages, .. } = vectors();
    let now = UnixMillis(created * 1_000);
    assert!(messages.len() >= 9);
    for Message { asked, chain_id, nonce, also_covered } in messages {
        let sent = sent(asked);
        let policy = Policy { authorities: &[&sent.authority], chains: &[chain_id], ..super::POLICY };
        let verified = settled(sent.judged(&policy, now)).unwrap();
        assert_eq!(verified.signer.to_string(), address);
        assert_eq!((verified.created, verified.until), (now, UnixMillis(expires * 1_000).plus(SKEW)));
        let account = address.to_lowercase();
        assert_eq!(verified.once_key(), format!("eip155:{chain_id}:{account}:{nonce}"));
        let Form::Message { label, covered, .. } = verified.form else { panic!("not the older form") };
        assert_eq!(
            (label.as_str(), &covered[..3]),
            ("eth", &["@authority", "@method", "@path"].map(str::to_owned)[..])
        );

        let mut unsigned = sent.clone();
        for name in ["signature", "signature-input", "content-digest"] {
            unsigned.unset(name);
        }
        let also: Vec<&str> = also_covered.iter().map(String::as_str).collect();
        let lifetime = Millis::from_seconds(expires - created);
        let stamp = Stamp {
            edition: Edition::Prefixed,
            chain_id,
            created: now,
            lifetime,
            nonce: &nonce,
            also_covered: &also,
        };
        for (name, value) in unsigned.with(|request| sign(request, &stamp, &signer(&key))).unwrap() {
            unsigned.set(name, value);
        }
        unsigned.headers.sort();
        assert_eq!(unsigned, sent);
    }
}

#[test]
fn h4_the_older_form_under_both_of_its_names_is_verified() {
    let Vectors { address, created, older, .. } = vectors();
    let now = UnixMillis(created * 1_000);
    let mut keys = std::collections::BTreeSet::new();
    assert_eq!(older.len(), 4);
    for asked in older {
        let verified = settled(sent(asked).judged(&super::POLICY, now)).unwrap();
        assert_eq!(verified.signer.to_string(), address);
        assert!(matches!(verified.form, Form::Older { .. }));
        assert!(keys.insert(verified.once_key()));
    }
}
