//! What `guildhall run` and `guildhall executor` take and what they do not.

use clap::Parser as _;

use crate::arguments::{Arguments, Command};

const HASH: &str = "0x4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d";
const EXECUTOR: &str = "exe_aaaaaaaaaaaaaaaaaaaaaaaaaa";

fn parse(line: &str) -> Result<Arguments, clap::Error> {
    let line = line.replace("HASH", HASH).replace("EXE", EXECUTOR);
    Arguments::try_parse_from(core::iter::once("guildhall").chain(line.split_whitespace()))
}

#[test]
fn each_command_is_understood() {
    for line in [
        "run start --requirement coke --max-cents 2500 --token-file f",
        "run start --requirement coke --quantity 2 --max-cents 2500 --token-file f --executor EXE --mandate HASH \
         --chain 1 --key-file k --simulated-wallet --user u --watch --message-id 0123456789abcdef",
        "run watch --token-file f --after 7 --stay",
        "run show --token-file f --json",
        "run confirm --token-file f --yes --key-file k --chain 1",
        "run reject --token-file f",
        "run wallet --token-file f --address a --shielded 5",
        "run wallet --token-file f --disconnected",
        "run pay --token-file f --signature s --last-valid-block-height 9",
        "run cancel --token-file f",
        "run rebind --token-file f --executor EXE",
        "run journal --token-file f --out o",
        "executor register --secret-file f --label l",
        "executor show --secret-file f",
        "executor demo",
        "executor demo --secret-file f --once",
    ] {
        assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
    }
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_sent() {
    for line in [
        "run",
        "run start --max-cents 2500 --token-file f",
        "run start --requirement coke --token-file f",
        "run start --requirement coke --max-cents 25.00 --token-file f",
        "run start --requirement coke --max-cents 0 --token-file f",
        "run start --requirement coke --max-cents 1 --quantity 0 --token-file f",
        "run start --requirement coke --max-cents 1",
        "run start --requirement coke --max-cents 1 --token-file f --executor me",
        "run start --requirement coke --max-cents 1 --token-file f --mandate 0x12",
        "run start --requirement coke --max-cents 1 --token-file f --token gld_run_x",
        "run watch",
        "run wallet --token-file f",
        "run wallet --token-file f --disconnected --address a",
        "run wallet --token-file f --disconnected --shielded 5",
        "run wallet --token-file f --address a --shielded 0.5",
        "run pay --token-file f",
        "run rebind --token-file f",
        "executor register",
        "executor demo --secret s",
    ] {
        assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
    }
}

#[test]
fn one_is_bought_unless_told_otherwise_and_by_the_callers_own_wallet() {
    let line = "run start --requirement coke --max-cents 2500 --token-file f";
    let Command::Run(super::Run::Start(start)) = parse(line).unwrap().command else {
        panic!("must be a start")
    };
    assert_eq!((start.quantity, start.max_cents, start.simulated_wallet), (1, 2_500, false));
}
