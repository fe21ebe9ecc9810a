//! What the commands of metering take and what they do not.

use clap::Parser as _;

use crate::arguments::{Arguments, Command};

const HASH: &str = "0x4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d";
const ADDRESS: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn parse(line: &str) -> Result<Arguments, clap::Error> {
    let own = "a".repeat(26);
    let line = line
        .replace("HASH", HASH)
        .replace("ADDRESS", ADDRESS)
        .replace("SET", &format!("set_{own}{own}"))
        .replace("RSV", &format!("rsv_{own}{own}"))
        .replace("WHE", &format!("whe_{own}"))
        .replace("MSG", &format!("msg_{own}"))
        .replace("TEN", &format!("ten_{own}"));
    Arguments::try_parse_from(core::iter::once("guildhall").chain(line.split_whitespace()))
}

#[test]
fn each_command_is_understood() {
    for line in [
        "tenant open --name n --api-key-file f",
        "tenant open --name n --pay-to ADDRESS --api-key-file f --operator-token-file o --json",
        "tenant show --api-key-file f",
        "service register translate --price 250",
        "service register translate --graduated up-to=1000,price=250 --graduated price=0.5 --scale 2 --unit page \
         --shards 4 --description d --api-key-file f",
        "service register translate --volume up-to=1000,price=250 --volume price=200",
        "service list --prefix t --q x --limit 5 --cursor c",
        "service show translate",
        "service price translate --price 300 --from 2027-01-01T00:00:00.000Z",
        "service enable translate",
        "service disable translate",
        "service delete translate",
        "usage record alice translate --quantity 3",
        "usage record alice translate --quantity 0.25 --id i --source s --time t",
        "usage bulk events.json",
        "usage bulk -",
        "usage reverse alice translate --event e --source s",
        "usage show alice translate",
        "usage export",
        "usage export --format json",
        "bill show alice translate",
        "bill total",
        "bill total alice",
        "bill list --agent alice --service translate --limit 3",
        "settle alice translate",
        "settle alice translate --message-id 0123456789abcdef --api-key-file f",
        "settle show SET",
        "settle pay SET --max-price 1000000 --pay-to ADDRESS --key-file k",
        "settle mandate SET --mandate HASH --key-file k --chain 1",
        "settle transaction SET --transaction HASH",
        "settle void SET",
        "settle -- pay translate",
        "reserve alice translate --quantity 10",
        "reserve alice translate --quantity 10 --ttl 600 --message-id 0123456789abcdef",
        "reserve show RSV",
        "reserve commit RSV --quantity 7",
        "reserve release RSV",
        "account show alice",
        "account offer TEN alice --mandate HASH --key-file k",
        "account prepaid alice --mandate HASH",
        "account postpaid alice",
        "key create --out f --label l --scope usage:write --scope usage:read --days 30 --api-key-file a",
        "key list",
        "key show key_aaaaaaaaaaaaaaaa",
        "key rotate key_aaaaaaaaaaaaaaaa --out f --overlap 3600",
        "key revoke key_aaaaaaaaaaaaaaaa",
        "webhook add --url https://x.example/h --secret-file s --type settlement.* --type usage.recorded",
        "webhook list",
        "webhook test WHE",
        "webhook attempts WHE --limit 2",
        "webhook resend WHE MSG",
        "webhook rotate WHE --secret-file s",
        "webhook remove WHE",
    ] {
        assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
    }
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_sent() {
    for line in [
        "tenant open --name n",
        "tenant open --api-key-file f",
        "tenant open --name n --api-key-file f --pay-to 0x12",
        "tenant open --name n --api-key-file f --operator-token t",
        "tenant show --api-key gld_test_x",
        "service register translate",
        "service register a/b --price 1",
        "service register translate --price -1",
        "service register translate --price 1e3",
        "service register translate --price 1 --volume price=1",
        "service register translate --graduated price=1 --volume price=1",
        "service register translate --price 1 --scale 7",
        "service register translate --price 1 --shards 0",
        "service register translate --price 1 --shards 17",
        "service price translate",
        "usage record alice translate",
        "usage record alice translate --quantity -3",
        "usage record alice translate --quantity 0.0000001",
        "usage record alice translate --quantity 1,5",
        "usage record a:b translate --quantity 1",
        "usage bulk",
        "usage reverse alice translate",
        "usage export --format xml",
        "bill show alice",
        "settle",
        "settle alice",
        "settle pay SET",
        "settle pay SET --max-price 0.01",
        "settle pay HASH --max-price 1",
        "settle mandate SET",
        "settle transaction SET --payer ADDRESS",
        "reserve alice translate",
        "reserve commit RSV",
        "account prepaid alice",
        "account offer alice --mandate HASH",
        "key create",
        "key create --out f --scope everything",
        "key rotate key_aaaaaaaaaaaaaaaa",
        "key revoke aaaa",
        "webhook add --url https://x.example/h",
        "webhook add --secret-file s",
        "webhook resend WHE",
        "webhook test SET",
    ] {
        assert_eq!(parse(line).map(|_| ()).map_err(|why| why.exit_code()), Err(2), "{line}");
    }
}

#[test]
fn a_bill_is_drawn_up_or_seen_to() {
    let parsed = |line| {
        let Command::Settle(command) = parse(line).unwrap().command else { panic!("must be a settlement") };
        (command.bill.is_some(), command.draw.map(|draw| draw.agent.to_string()))
    };
    assert_eq!(parsed("settle alice translate --api-key-file f"), (false, Some("alice".to_owned())));
    assert_eq!(parsed("settle show SET"), (true, None));
    assert_eq!(parsed("settle -- show translate"), (false, Some("show".to_owned())));
}
