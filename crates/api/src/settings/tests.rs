use std::collections::BTreeMap;

use super::*;
use crate::inbound::Memory;
use crate::paywall::Signatures;

const PAY_TO: &str = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

fn settings(set: &[(&str, &str)]) -> Result<Settings, String> {
    let mut variables = BTreeMap::from([("X402_PAY_TO", PAY_TO)]);
    variables.extend(set.iter().copied());
    // As in a deployment, an empty variable is one that is not set.
    let get = |name: &str| variables.get(name).filter(|text| !text.is_empty()).map(|text| (*text).to_owned());
    Settings::read(&get)
}

fn production(set: &[(&str, &str)]) -> Result<Settings, String> {
    settings(&[&[("ENVIRONMENT", "production"), ("FACILITATOR_MODE", "binding")], set].concat())
}

#[test]
fn development_needs_nothing_but_an_address_to_pay() {
    let settings = settings(&[]).unwrap();
    let asset = &settings.posting.till.asset;
    assert_eq!(
        (asset.network.as_str(), asset.name.as_str(), asset.version.as_str()),
        ("eip155:84532", "USDC", "2")
    );
    assert_eq!(asset.address, "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
    assert_eq!(settings.posting.till.pay_to, PAY_TO);
    assert_eq!(settings.posting.price, BaseUnits(10_000));
    assert_eq!(settings.facilitator, Facilitator::Simulator);
    assert_eq!(settings.facilitator_timeout, Millis(3_000));
    assert_eq!(settings.tunnel, TunnelRates { messages: 1_000, bytes: 8_388_608 });
}

#[test]
fn a_known_network_brings_its_token_and_its_signing_domain() {
    let asset = production(&[("X402_NETWORK", "eip155:8453")]).unwrap().posting.till.asset;
    assert_eq!(asset.address, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    assert_eq!((asset.name.as_str(), asset.version.as_str()), ("USD Coin", "2"));
}

#[test]
fn an_unknown_token_is_taken_as_it_is_described() {
    let address = "0x00000000000000000000000000000000000000AA";
    let set = [
        ("X402_NETWORK", "eip155:31337"),
        ("X402_ASSET", address),
        ("X402_ASSET_NAME", "Test dollar ₮"),
        ("X402_ASSET_VERSION", "1"),
    ];
    let asset = settings(&set).unwrap().posting.till.asset;
    let expected = ["eip155:31337", address, "Test dollar ₮", "1"].map(str::to_owned);
    assert_eq!([asset.network, asset.address, asset.name, asset.version], expected);
    for missing in 1..set.len() {
        let mut less = set.to_vec();
        let (name, _) = less.remove(missing);
        assert!(settings(&less).unwrap_err().contains(name), "{name}");
    }
}

/// S11, and what else would lose money or mislead: each is refused by the name of its variable.
#[test]
fn what_is_wrong_is_refused_by_name() {
    for (name, value) in [
        ("X402_NETWORK", "base-sepolia"),
        ("X402_NETWORK", "eip155:"),
        ("X402_NETWORK", "eip155:08453"),
        ("X402_NETWORK", "solana:mainnet"),
        ("X402_ASSET", "0x1234"),
        ("X402_ASSET_NAME", "USD Coin"),
        ("X402_ASSET_NAME", "usdc"),
        ("X402_ASSET_VERSION", "1"),
        ("X402_PAY_TO", ""),
        ("X402_PAY_TO", "0x1234"),
        ("POSTING_FEE", "0"),
        ("POSTING_FEE", "+1"),
        ("POSTING_FEE", "1000001"),
        ("FACILITATOR_MODE", "free"),
        ("FACILITATOR_TIMEOUT_MS", "soon"),
        ("FACILITATOR_TIMEOUT_MS", "30001"),
        ("CLAIM_TIMEOUT_SECONDS", "0"),
        ("REVIEW_WINDOW_SECONDS", "7201"),
        ("TUNNEL_MESSAGES_PER_SECOND", "0"),
        ("TUNNEL_MESSAGES_PER_SECOND", "many"),
        ("TUNNEL_BYTES_PER_SECOND", "1000000001"),
    ] {
        assert!(settings(&[(name, value)]).unwrap_err().contains(name), "{name}={value}");
    }
    for (set, name) in [
        (&[("X402_NETWORK", "eip155:8453"), ("X402_ASSET_NAME", "USDC")][..], "X402_ASSET_NAME"),
        (&[("X402_NETWORK", "eip155:31337")], "X402_ASSET"),
        (&[("FACILITATOR_MODE", "remote")], "X402_FACILITATOR_URL"),
        (
            &[("FACILITATOR_MODE", "remote"), ("X402_FACILITATOR_URL", "http://pay.example")],
            "X402_FACILITATOR_URL",
        ),
    ] {
        assert!(settings(set).unwrap_err().contains(name), "{set:?}");
    }
}

#[test]
fn s11_production_refuses_what_moves_no_money_or_loses_it() {
    assert!(production(&[]).is_ok());
    for (name, value) in [
        ("FACILITATOR_MODE", ""),
        ("FACILITATOR_MODE", "simulator"),
        ("X402_PAY_TO", "0x000000000000000000000000000000000000dEaD"),
        ("X402_PAY_TO", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
    ] {
        assert!(production(&[(name, value)]).unwrap_err().contains(name), "{name}={value}");
    }
}

#[test]
fn hooks_are_for_development_and_for_who_asks() {
    let hooks = |environment: &str, hooks: &str| {
        let get = |name: &str| {
            [("ENVIRONMENT", environment), ("TEST_HOOKS", hooks)]
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        hooks_enabled(&get)
    };
    assert!(hooks("development", "enabled"));
    assert!(!hooks("development", "") && !hooks("production", "enabled"));
}

#[test]
fn only_a_chain_can_vouch_for_contracts_and_only_our_own_facilitator_remembers() {
    let remote = [("FACILITATOR_MODE", "remote"), ("X402_FACILITATOR_URL", "https://pay.example/")];
    let facilitator = settings(&remote).unwrap().facilitator;
    assert_eq!(facilitator, Facilitator::Remote("https://pay.example".to_owned()));
    for (facilitator, signatures, memory) in [
        (Facilitator::Simulator, Signatures::OfKeys, Memory::Kept),
        (Facilitator::Binding, Signatures::OfAnyAccount, Memory::Kept),
        (facilitator, Signatures::OfAnyAccount, Memory::Unproven),
    ] {
        assert_eq!((facilitator.signatures(), facilitator.memory()), (signatures, memory));
    }
}

#[test]
fn owners_sign_in_on_the_site_and_for_the_chain_of_the_payments() {
    assert_eq!(settings(&[]).unwrap().site, None);
    let site = settings(&[("SITE_ORIGIN", "http://127.0.0.1:8787")]).unwrap().site.unwrap();
    assert_eq!((site.origin.as_str(), site.chain_ids), ("http://127.0.0.1:8787", vec![84_532]));
    let base = [("SITE_ORIGIN", "https://guildhall.example"), ("X402_NETWORK", "eip155:8453")];
    let site = production(&base).unwrap().site.unwrap();
    assert_eq!((site.origin.domain().as_str(), site.chain_ids), ("guildhall.example", vec![8_453]));
    for wrong in [
        "guildhall.example",
        "http://guildhall.example",
        "https://guildhall.example/",
        "https://Guildhall.example",
    ] {
        assert!(settings(&[("SITE_ORIGIN", wrong)]).unwrap_err().contains("SITE_ORIGIN"), "{wrong}");
    }
    assert!(production(&[("SITE_ORIGIN", "http://127.0.0.1:8787")]).unwrap_err().contains("SITE_ORIGIN"));
}

const SOLANA: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

#[test]
fn runs_are_simulated_unless_a_chain_is_named() {
    let runs = settings(&[]).unwrap().runs;
    assert_eq!((runs.observer, runs.demo_executor), (None, false));
    assert_eq!((runs.settlement, runs.chain), (RunSettlement::Simulated, None));
    assert_eq!(
        settings(&[("RUN_SETTLEMENT", "simulated")]).unwrap().runs.settlement,
        RunSettlement::Simulated
    );
    assert!(settings(&[("DEMO_EXECUTOR", "1")]).unwrap().runs.demo_executor);
    let evm = settings(&[("RUN_SETTLEMENT", "eip155:84532"), ("EVM_RPC_URL", "http://127.0.0.1:8545/")])
        .unwrap()
        .runs;
    let Some(chain) = &evm.chain else { panic!() };
    assert_eq!(evm.settlement, RunSettlement::Chain(chain.clone()));
    assert_eq!(chain.network(), "eip155:84532");
    assert_eq!(chain.asset, "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
    let Rpc::Evm { url } = &chain.rpc else { panic!() };
    assert_eq!(url.reveal(), "http://127.0.0.1:8545");
    assert_eq!(evm.chain_on("eip155:84532"), Some(chain));
    assert_eq!(evm.chain_on("eip155:1"), None);
}

#[test]
fn bills_are_looked_at_on_the_tills_own_chain_and_on_no_other() {
    let rpc = ("EVM_RPC_URL", "https://rpc.example");
    assert_eq!(settings(&[]).unwrap().bills, None);
    let bills = settings(&[rpc, ("RUN_CONFIRMATIONS", "2")]).unwrap().bills.unwrap();
    assert_eq!(bills.network(), "eip155:84532");
    assert_eq!(bills.asset, "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
    assert_eq!(bills.confirmations, Some(2));
    let beside = settings(&[rpc, ("RUN_SETTLEMENT", SOLANA), ("SOLANA_RPC_URL", "https://sol.example")]);
    assert!(beside.unwrap().bills.is_some(), "runs have a node of their own");
    let same = settings(&[rpc, ("RUN_SETTLEMENT", "eip155:84532")]).unwrap();
    assert_eq!(same.bills, same.runs.chain);
    let other = settings(&[rpc, ("RUN_SETTLEMENT", "eip155:8453")]).unwrap();
    assert_eq!(other.bills, None, "the node is asked about runs' chain");
    assert!(settings(&[("EVM_RPC_URL", "http://rpc.example")]).unwrap_err().contains("EVM_RPC_URL"));
    assert!(production(&[("EVM_RPC_URL", "http://127.0.0.1:1")]).unwrap_err().contains("EVM_RPC_URL"));
    assert!(production(&[rpc, ("RUN_CONFIRMATIONS", "1")]).unwrap_err().contains("RUN_CONFIRMATIONS"));
}

/// S4: the set-up may be logged whole.
#[test]
fn s4_no_key_is_written_by_debug() {
    let set = [
        ("RUN_SETTLEMENT", SOLANA),
        ("SOLANA_RPC_URL", "https://rpc.example/key-in-url"),
        ("SOLANA_RPC_API_KEY", "key-in-header"),
        ("OBSERVER_API_URL", "https://observer.example"),
        ("OBSERVER_READ_TOKEN", "read-token"),
    ];
    let settings = settings(&set).unwrap();
    let Some(Rpc::Solana { url, key: Some((name, key)) }) =
        settings.runs.chain.as_ref().map(|chain| &chain.rpc)
    else {
        panic!()
    };
    assert_eq!(
        (url.reveal(), name.as_str(), key.reveal()),
        ("https://rpc.example/key-in-url", "x-api-key", "key-in-header")
    );
    let text = format!("{settings:?}");
    for secret in ["key-in-url", "key-in-header", "read-token"] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[test]
fn balances_can_be_read_where_nothing_is_settled() {
    let runs = settings(&[("SOLANA_RPC_URL", "https://rpc.example")]).unwrap().runs;
    assert_eq!(runs.settlement, RunSettlement::Simulated);
    let chain = runs.chain.unwrap();
    assert_eq!(chain.network(), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
    assert_eq!(chain.asset, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
}

#[test]
fn what_is_wrong_with_runs_is_refused_by_name() {
    let evm = ("RUN_SETTLEMENT", "eip155:84532");
    let rpc = ("EVM_RPC_URL", "https://rpc.example");
    for (set, name) in [
        (&[("DEMO_EXECUTOR", "yes")][..], "DEMO_EXECUTOR"),
        (&[("DEMO_EXECUTOR", "1"), ("OBSERVER_API_URL", "https://observer.example")], "DEMO_EXECUTOR"),
        (&[("OBSERVER_READ_TOKEN", "x")], "OBSERVER_READ_TOKEN"),
        (&[("OBSERVER_API_URL", "http://observer.example")], "OBSERVER_API_URL"),
        (&[("OBSERVER_API_URL", "https://")], "OBSERVER_API_URL"),
        (&[("OBSERVER_API_URL", "http://127.0.0.1.example")], "OBSERVER_API_URL"),
        (&[evm], "EVM_RPC_URL"),
        (&[evm, ("EVM_RPC_URL", "ws://127.0.0.1")], "EVM_RPC_URL"),
        (&[("RUN_SETTLEMENT", SOLANA)], "SOLANA_RPC_URL"),
        (&[("RUN_SETTLEMENT", "base")], "RUN_SETTLEMENT"),
        (&[("RUN_SETTLEMENT", "eip155:08453")], "RUN_SETTLEMENT"),
        (&[("RUN_SETTLEMENT", "solana:")], "RUN_SETTLEMENT"),
        (&[("RUN_SETTLEMENT", "eip155:31337"), rpc], "RUN_ASSET"),
        (&[evm, rpc, ("RUN_ASSET", "USDC")], "RUN_ASSET"),
        (
            &[("RUN_SETTLEMENT", SOLANA), ("SOLANA_RPC_URL", "https://rpc.example"), ("RUN_ASSET", "USDC")],
            "RUN_ASSET",
        ),
        (
            &[("SOLANA_RPC_URL", "https://rpc.example"), ("SOLANA_RPC_API_KEY_HEADER", "x")],
            "SOLANA_RPC_API_KEY",
        ),
        (
            &[
                ("SOLANA_RPC_URL", "https://rpc.example"),
                ("SOLANA_RPC_API_KEY", "k"),
                ("SOLANA_RPC_API_KEY_HEADER", "a b"),
            ],
            "SOLANA_RPC_API_KEY_HEADER",
        ),
    ] {
        assert!(settings(set).unwrap_err().contains(name), "{set:?}");
    }
}

#[test]
fn s11_production_runs_on_nothing_that_plays_its_part_and_on_no_open_line() {
    for (set, name) in [
        (&[("DEMO_EXECUTOR", "1")][..], "DEMO_EXECUTOR"),
        (&[("OBSERVER_API_URL", "http://127.0.0.1:1")], "OBSERVER_API_URL"),
        (&[("SOLANA_RPC_URL", "http://127.0.0.1:1")], "SOLANA_RPC_URL"),
        (&[("RUN_SETTLEMENT", "eip155:8453"), ("EVM_RPC_URL", "http://localhost:8545")], "EVM_RPC_URL"),
        (
            &[
                ("RUN_SETTLEMENT", "eip155:8453"),
                ("EVM_RPC_URL", "https://rpc.example"),
                ("RUN_CONFIRMATIONS", "1"),
            ],
            "RUN_CONFIRMATIONS",
        ),
    ] {
        assert!(production(set).unwrap_err().contains(name), "{set:?}");
        if name != "DEMO_EXECUTOR" {
            assert!(settings(set).is_ok(), "{set:?} is fine in development");
        }
    }
}
