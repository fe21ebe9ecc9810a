//! The names of mandates, services, fundings and vaults, and which texts are no names of services.

use eip712::mandates::{
    SERVICE_BYTES_MAX, ServiceFault, funding_nonce, mandate_id, service_id, vault_address,
};
use eip712::{Address, B256};
use proptest::prelude::*;

use super::{domain, list, parsed, text, vectors};

#[test]
fn mandates() {
    let domain = domain();
    for vector in list("mandates") {
        let (owner, salt) = (parsed(&vector, "owner"), parsed(&vector, "salt"));
        let id = mandate_id(domain.chain_id, domain.verifying_contract, owner, salt);
        assert_eq!(id, parsed::<B256>(&vector, "id"));
    }
}

#[test]
fn vaults() {
    let implementation = parsed(&vectors(), "vaultImplementation");
    for vector in list("vaults") {
        let vault = vault_address(domain().verifying_contract, implementation, parsed(&vector, "owner"));
        assert_eq!(vault, parsed::<Address>(&vector, "vault"));
    }
}

#[test]
fn fundings() {
    for vector in list("fundings") {
        let nonce = funding_nonce(parsed(&vector, "mandate"), parsed(&vector, "salt"));
        assert_eq!(nonce, parsed::<B256>(&vector, "nonce"));
    }
}

#[test]
fn services() {
    for vector in list("services") {
        assert_eq!(service_id(text(&vector, "name")), Ok(parsed(&vector, "id")));
    }
}

#[test]
fn what_is_no_name_of_a_service() {
    let longest = "a".repeat(SERVICE_BYTES_MAX);
    assert!(service_id(&longest).is_ok());
    for (name, fault, sentence) in [
        ("", ServiceFault::Empty, "the service's name is empty; it must have a character"),
        (&format!("{longest}a"), ServiceFault::Long(65), "the service's name has 65 bytes; it may have 64"),
        (
            "Translate",
            ServiceFault::Character('T'),
            "the service's name has the character 'T'; it may have a to z, 0 to 9, '.', '-' and '/'",
        ),
    ] {
        assert_eq!(service_id(name), Err(fault));
        assert_eq!(fault.to_string(), sentence);
    }
    for character in [' ', '_', ':', ',', '@', 'A', 'Z', '[', '`', '{', '\\', '\0', '\n', 'ä', 'а', '。'] {
        assert_eq!(service_id(&format!("a{character}b")), Err(ServiceFault::Character(character)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_name_is_allowed_exactly_when_the_rule_says_so(name in "[ -~]{0,66}|[a-z0-9./-]{0,66}") {
        let allowed = (1..=64).contains(&name.len())
            && name.bytes().all(|byte| b"abcdefghijklmnopqrstuvwxyz0123456789.-/".contains(&byte));
        prop_assert_eq!(service_id(&name).is_ok(), allowed);
    }
}
