//! Our digests and signatures against known answers, and what is refused as a signature.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use eip712::{Address, B256, Domain, SignatureFault, Signer, TransferWithAuthorization, U256, recover};
use proptest::prelude::*;
use serde::{Deserialize, Deserializer, de};

/// Addresses and hashes stand as text in the file.
fn parsed<'de, D: Deserializer<'de>, T: core::str::FromStr>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| de::Error::custom("not an address or hash"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DomainVector {
    name: String,
    version: String,
    chain_id: u64,
    #[serde(deserialize_with = "parsed")]
    verifying_contract: Address,
    #[serde(deserialize_with = "parsed")]
    separator: B256,
}

impl DomainVector {
    fn domain(&self) -> Domain {
        Domain {
            name: self.name.clone(),
            version: self.version.clone(),
            chain_id: self.chain_id,
            verifying_contract: self.verifying_contract,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TransferVector {
    domain: usize,
    #[serde(deserialize_with = "parsed")]
    private_key: B256,
    #[serde(deserialize_with = "parsed")]
    from: Address,
    #[serde(deserialize_with = "parsed")]
    to: Address,
    value: String,
    valid_after: String,
    valid_before: String,
    #[serde(deserialize_with = "parsed")]
    nonce: B256,
    #[serde(deserialize_with = "parsed")]
    digest: B256,
    signature: String,
}

impl TransferVector {
    fn transfer(&self) -> TransferWithAuthorization {
        let number = |text: &str| U256::from_str_radix(text, 10).unwrap();
        TransferWithAuthorization {
            from: self.from,
            to: self.to,
            value: number(&self.value),
            valid_after: number(&self.valid_after),
            valid_before: number(&self.valid_before),
            nonce: self.nonce,
        }
    }

    fn signature(&self) -> Vec<u8> {
        hex::decode(self.signature.trim_start_matches("0x")).unwrap()
    }
}

#[derive(Deserialize)]
struct Vectors {
    domains: Vec<DomainVector>,
    transfers: Vec<TransferVector>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../tests/vectors/eip712.json")).unwrap()
}

#[test]
fn domain_separators_of_both_networks() {
    for vector in vectors().domains {
        assert_eq!(vector.domain().separator(), vector.separator, "chain {}", vector.chain_id);
    }
}

#[test]
fn digest_signature_and_signer_of_every_transfer() {
    let vectors = vectors();
    for vector in &vectors.transfers {
        let digest = vector.transfer().digest(&vectors.domains[vector.domain].domain());
        assert_eq!(digest, vector.digest);
        assert_eq!(recover(digest, &vector.signature()), Ok(vector.from));
        let signer = Signer::from_bytes(&vector.private_key.0).unwrap();
        assert_eq!(signer.address(), vector.from);
        assert_eq!(signer.sign(digest).to_vec(), vector.signature());
    }
}

/// The altered twin of a valid signature: s replaced by n − s, v flipped. Without the low-s rule it would recover to
/// the same address.
#[test]
fn the_high_s_twin_is_refused() {
    const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    let vectors = vectors();
    let vector = &vectors.transfers[0];
    let mut twin = vector.signature();
    let order = U256::from_str_radix(ORDER, 16).unwrap();
    let low = U256::from_be_slice(&twin[32..64]);
    twin[32..64].copy_from_slice(&(order - low).to_be_bytes::<32>());
    twin[64] = 27 + 28 - twin[64];
    assert_eq!(recover(vector.digest, &twin), Err(SignatureFault::HighS));
}

#[test]
fn only_65_bytes_with_v_27_or_28_are_a_signature() {
    let vectors = vectors();
    let vector = &vectors.transfers[0];
    let valid = vector.signature();
    for length in [0, 1, 64, 66, 130] {
        let mut bytes = valid.clone();
        bytes.resize(length, 0);
        assert_eq!(recover(vector.digest, &bytes), Err(SignatureFault::Length(length)));
    }
    for v in [0, 1, 26, 29, 255] {
        let mut bytes = valid.clone();
        bytes[64] = v;
        assert_eq!(recover(vector.digest, &bytes), Err(SignatureFault::RecoveryByte(v)));
    }
    for (from, to) in [(0, 32), (32, 64)] {
        for filler in [0x00, 0xff] {
            let mut bytes = valid.clone();
            bytes[from..to].fill(filler);
            assert_eq!(recover(vector.digest, &bytes), Err(SignatureFault::Unrecoverable));
        }
    }
}

#[test]
fn zero_and_the_group_order_are_no_keys() {
    assert!(Signer::from_bytes(&[0; 32]).is_err());
    assert!(Signer::from_bytes(&[0xff; 32]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_a_signer_signs_recovers_to_its_address(key in any::<[u8; 32]>(), digest in any::<[u8; 32]>()) {
        prop_assume!(Signer::from_bytes(&key).is_ok());
        let signer = Signer::from_bytes(&key).unwrap();
        let signature = signer.sign(B256::from(digest));
        prop_assert_eq!(recover(B256::from(digest), &signature), Ok(signer.address()));
    }

    #[test]
    fn no_bytes_make_recovery_panic(digest in any::<[u8; 32]>(), mut bytes in prop::collection::vec(any::<u8>(), 0..80), v in 26u8..30) {
        let _ = recover(B256::from(digest), &bytes);
        bytes.resize(65, 1);
        bytes[64] = v;
        let _ = recover(B256::from(digest), &bytes);
    }
}
