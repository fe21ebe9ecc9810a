//! Who may speak to a run, and what is said to those who may not.

use run::{Refusal, authorize, authorize_account};
use serde_json::Value;

use crate::cast::*;
use crate::purchase::*;
use crate::script::walk;

/// Whoever shows the token that was issued last.
#[test]
fn a_token_counts_until_another_takes_its_place() {
    let may = |path: &str, token: &str| authorize(&walk(path).0.state, &digest(token));
    assert_eq!(may("", "token 1"), Err(Refusal::Unknown));
    assert_eq!(may("create", "token 1"), Ok(()));
    assert_eq!(may("create", "token 2"), Err(Refusal::Unknown));
    assert_eq!(may("create; create token:2", "token 2"), Ok(()));
    assert_eq!(may("create; create token:2", "token 1"), Err(Refusal::Unknown));
    assert_eq!(may("create; cancel", "token 1"), Ok(()));
}

/// However the account is written; nobody has it where there is no mandate.
#[test]
fn a_mandates_owner_is_known_by_its_account() {
    let may = |path: &str, account: &str| authorize_account(&walk(path).0.state, account);
    assert_eq!(may("create mandate", OWNER), Ok(()));
    assert_eq!(may("create mandate", &OWNER.to_uppercase()), Ok(()));
    assert_eq!(may("create mandate", AGENT), Err(Refusal::Unknown));
    assert_eq!(may("create", OWNER), Err(Refusal::Unknown));
}

/// R11: a digest of the token stands where the run was made and where it was issued anew, and the code itself nowhere.
#[test]
fn a_journal_holds_no_secret() {
    let told = "create; create token:2; wallet W; market A:1003; quote 1000; quote 1000; pix 1000; funds full; confirm; pay S";
    let (life, _) = walk(told);
    let tokens = [digest("token 1").to_string(), digest("token 2").to_string()];
    for (_, event) in &life.journal {
        let written = serde_json::to_value(event).unwrap();
        let is_issue = matches!(written["type"].as_str(), Some("INTENT_CREATED" | "TOKEN_REISSUED"));
        assert_eq!(tokens.iter().any(|token| holds(&written, token)), is_issue, "{written}");
    }
    let shown = format!("{:?}", view(&life.state).unwrap());
    assert!(tokens.iter().all(|token| !shown.contains(token)), "{shown}");
}

fn holds(value: &Value, text: &str) -> bool {
    value.to_string().contains(text)
}
