//! Names and digests that others make, too: byte for byte, against values that Python's hashlib has worked out.

use primitives::{BaseUnits, UnixMillis};
use run::{Agreement, Cents, Effect, confirmation_digest, receipt};

use crate::answers::*;
use crate::cast::*;
use crate::script::walk;

#[test]
fn what_is_agreed_to_is_one_digest_over_all_of_it() {
    let (run, pix) = ("run_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap(), digest("the code"));
    let mut agreed = Agreement {
        run: &run,
        number: 3,
        amount: Cents(1_000),
        gross: BaseUnits(2_000_007),
        asset: "simulated/usdc",
        wallet: "W",
        pay_to: "desk-1",
        candidate_id: "Mercado São João #7",
        captured_at: UnixMillis(1_796_047_203_000),
        pix: Some(&pix),
    };
    assert_eq!(
        confirmation_digest(&agreed).to_string(),
        "f383972764e859ecd50e51f2520e8ce2c11bf7f4538acbf835d3cd61bef1626f"
    );
    agreed.pix = None;
    assert_eq!(
        confirmation_digest(&agreed).to_string(),
        "d6e6b27887a31a39a981ff1a3e47c68f5ad7ee8ec377e586615153597582f94a"
    );
}

/// R3: whoever is asked can make the digest from what is shown.
#[test]
fn what_is_asked_is_the_digest_of_what_is_shown() {
    let (life, _) = walk("create; wallet W; market A:1003; quote 1000; quote 1000; pix 1000; funds full");
    let shown = shown(&life);
    let agreed = Agreement::of(&shown).unwrap();
    assert_eq!((agreed.amount, agreed.wallet, agreed.candidate_id), (Cents(1_000), "W", "A"));
    assert_eq!(shown.confirmation.as_ref().map(|asked| asked.digest), Some(confirmation_digest(&agreed)));
}

/// R8: a hold has the name of its run and number, whoever asks for it again.
#[test]
fn a_hold_is_named_by_run_and_number() {
    let (life, _) =
        walk("create mandate; wallet W; market A:1003; quote 1000; quote 1000; pix 1000; funds full");
    let name = |number: &str| {
        let run = run_id();
        primitives::Digest::of(&[b"guildhall hold v1\0", run.as_str().as_bytes(), number.as_bytes()])
    };
    let asked = last(&life, |effect| match effect {
        Effect::Reserve { budget, .. } => Some(budget.reservation),
        _ => None,
    });
    assert_eq!(asked, Some(name("1")));
}

#[test]
fn a_payment_has_one_name_on_its_network() {
    assert_eq!(
        receipt::name("eip155:84532", "S").to_string(),
        "70ec06b5969dfda2479502acd9864ac71cf6681f1079d6f073e5a343232041cd"
    );
    assert_ne!(receipt::name("eip155:8453", "2S"), receipt::name("eip155:84532", "S"));
}
