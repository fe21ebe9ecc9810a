//! What `guildhall mandate` takes and what it does not.

use clap::Parser as _;

use crate::arguments::Arguments;

const HASH: &str = "0x4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d";
const WHO: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn parse(line: &str) -> Result<Arguments, clap::Error> {
    let line = line.replace("HASH", HASH).replace("WHO", WHO);
    Arguments::try_parse_from(["guildhall", "mandate"].into_iter().chain(line.split_whitespace()))
}

#[test]
fn each_command_is_understood() {
    for line in [
        "create --agent WHO --entry any --payment-cap 1 --day-cap 1.5usdc",
        "create --agent WHO --entry recipient=WHO --entry service=a/b --payment-cap 1 --day-cap 1 --month-cap 1 \
         --lifetime-cap 1 --day-count 1 --approval-above 0 --days 1 --resolver WHO --label x --salt HASH",
        "fund HASH --usdc 1.50 --message-id m --key-file k --chain 8453",
        "withdraw HASH --amount 1",
        "list --status paused --limit 1 --cursor c",
        "show HASH --json",
        "budget HASH --recipient WHO --service a",
        "evaluate HASH --recipient WHO --service a --amount 1 --job-hash HASH",
        "request HASH --recipient WHO --service HASH --usdc 1 --request-id HASH --wait 60",
        "payment HASH",
        "approvals --status all",
        "approve HASH --yes --minutes 5",
        "reject HASH --note no",
        "pause HASH",
        "unpause HASH",
        "revoke HASH",
        "renounce HASH",
        "deliver HASH --receipt HASH",
        "accept HASH",
        "dispute HASH --evidence HASH",
        "activity --mandate HASH --kind fund --result done --from t --to t --csv",
    ] {
        assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
    }
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_sent() {
    for line in [
        "",
        "create --agent WHO --payment-cap 1 --day-cap 1",
        "create --agent WHO --entry any --payment-cap 1.50 --day-cap 1",
        "create --agent WHO --entry any --payment-cap 1 --day-cap 1 --days 0",
        "fund HASH",
        "fund HASH --amount 1 --usdc 1",
        "fund HASH --usdc 0.0000001",
        "fund HASH --amount 1.5",
        "fund HASH --amount -1",
        "fund 0x12 --amount 1",
        "list --status open",
        "budget HASH --recipient WHO",
        "request HASH --recipient WHO --amount 1",
        "approvals --status open",
        "deliver HASH",
    ] {
        assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
    }
}
