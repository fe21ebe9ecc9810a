//! What the command line takes and what it does not.

use super::*;

const GIG: &str = "6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d11";

fn parse(line: &str) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(std::iter::once("guildhall").chain(line.split_whitespace()))
}

#[test]
fn the_definition_is_sound() {
    <Arguments as clap::CommandFactory>::command().debug_assert();
}

#[test]
fn each_command_is_understood() {
    for line in [
        "demo",
        "demo --api http://127.0.0.1:1",
        "demo --pay",
        "demo --pay --key-file k --operator-token-file o",
        "--json gig discover --limit 5 --task-type web_scrape --min-bounty 1 --max-bounty 9 --q x --cursor c --mcp",
        "gig post --title t --description d --task-type custom --bounty-sats 5 --grant-file g",
        &format!("gig claim {GIG} --sender me --grant-file g --message-id m"),
        &format!("gig status {GIG} --json"),
        "gig tunnel --grant-file g --stay",
        &format!(
            "gig deliver --grant-file g --result 1 --result-hash {} --result-url https://x --reason r",
            "0a".repeat(32)
        ),
        "gig accept --grant-file g",
        "gig cancel --grant-file g --reason r",
        "gig abandon --grant-file g --message-id m",
        "gig revise --grant-file g --reason r",
        "gig reconnect --grant-file g",
        "gig journal --grant-file g --out f",
        &format!("journal verify f --head {}", "0a".repeat(32)),
    ] {
        assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
    }
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_sent() {
    for line in [
        "",
        "gig",
        "gig status not-a-uuid",
        "gig post --title t --description d --task-type chores --bounty-sats 5 --grant-file g",
        "gig post --title t --description d --task-type custom --bounty-sats -5 --grant-file g",
        "gig post --title t --description d --task-type custom --bounty-sats 5 --grant-file g --max-price 0.01",
        "gig post --title t --description d --task-type custom --bounty-sats 5 --grant-file g --pay-to 0x12",
        "gig post --title t --description d --task-type custom --bounty-sats 5 --grant-file g --key 11",
        "gig revise --grant-file g",
        "gig deliver --grant-file g --result-hash abc",
        &format!("gig claim {GIG} --grant-file g"),
        "journal verify",
        "gig discover --nonsense",
    ] {
        assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
    }
}

#[test]
fn posting_pays_at_most_one_cent_unless_told_otherwise() {
    let line = "gig post --title t --description d --task-type api_relay --bounty-sats 5 --grant-file g";
    let Command::Gig(Gig::Post(post)) = parse(line).unwrap().command else { panic!("must be a post") };
    assert_eq!((post.max_price, post.ttl_minutes, post.params.as_str()), (BaseUnits(10_000), 60, "{}"));
    assert_eq!(post.task_type.task_type(), TaskType::ApiRelay);
}
