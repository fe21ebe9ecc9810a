//! Each line of the checklist: what differs from what we asked for, and the refusal.

use primitives::UnixMillis;
use signin::{Expected, Message, Refusal, Verdict, check, verify};

use crate::{ISSUED, MINUTE, expected, message, signed};

fn code_at(message: &Message, expected: &Expected, now: u64) -> &'static str {
    check(message, expected, UnixMillis(now)).map_or_else(|refusal| refusal.code(), |_| "accepted")
}

fn code(alter: impl FnOnce(&mut Message, &mut Expected)) -> &'static str {
    let (mut message, mut expected) = (message(), expected());
    alter(&mut message, &mut expected);
    code_at(&message, &expected, ISSUED)
}

/// W3
#[test]
fn what_we_asked_for_is_accepted() {
    assert_eq!(code(|_, _| {}), "accepted");
    assert_eq!(code(|message, _| message.scheme = None), "accepted");
    assert_eq!(code(|message, _| message.uri = "https://guildhall.example".parse().unwrap()), "accepted");
    assert_eq!(code(|message, _| message.uri = "https://guildhall.example?a#b".parse().unwrap()), "accepted");
    assert_eq!(code(|message, _| message.chain_id = 8_453), "accepted");
    let nothing = |list| {
        move |message: &mut Message, expected: &mut Expected| {
            (message.resources, expected.resources) = (list, Vec::new());
        }
    };
    assert_eq!(code(nothing(None)), "accepted");
    assert_eq!(code(nothing(Some(Vec::new()))), "accepted");
}

/// W3
#[test]
fn the_scheme_is_ours_when_it_is_named() {
    for scheme in ["http", "HTTPS", "ws"] {
        assert_eq!(code(|message, _| message.scheme = Some(scheme.parse().unwrap())), "scheme_mismatch");
    }
}

/// W3
#[test]
fn the_domain_is_ours_byte_for_byte() {
    let others = [
        "evil.example",
        "guildhall.example.evil.example",
        "evil.guildhall.example",
        "guildhall.example:443",
        "guildhall.example:",
        "guildhall.example:8443",
        "Guildhall.example",
        "guildhall.example.",
        "a@guildhall.example",
        "guildhall.example@evil.example",
        "guildhall%2Eexample",
    ];
    for other in others {
        assert_eq!(code(|message, _| message.domain = other.parse().unwrap()), "domain_mismatch", "{other}");
    }
}

/// W3
#[test]
fn the_uri_is_within_our_origin() {
    let others = [
        "https://evil.example/owner",
        "https://guildhall.example.evil.example/",
        "https://guildhall.example@evil.example/",
        "https://a@guildhall.example/",
        "http://guildhall.example/owner",
        "https://guildhall.example:443/",
        "HTTPS://guildhall.example/",
        "https:guildhall.example",
        "https:/guildhall.example",
        "urn:https://guildhall.example",
        "https://evil.example/?https://guildhall.example",
    ];
    for other in others {
        assert_eq!(code(|message, _| message.uri = other.parse().unwrap()), "uri_mismatch", "{other}");
    }
}

/// W3
#[test]
fn the_chain_is_served() {
    for chain_id in [0, 1, 84_531, u64::MAX] {
        assert_eq!(code(|message, _| message.chain_id = chain_id), "chain_not_served");
    }
    assert_eq!(code(|_, expected| expected.chain_ids.clear()), "chain_not_served");
}

/// W3: the nonce counts where it stands and whole.
#[test]
fn the_nonce_is_the_one_that_was_given_out() {
    for nonce in
        ["8sBGdAvxVQxLdFKF", "8sBGdAvxVQxLdFK", "8sBGdAvxVQxLdFKEx", "8SBGDAVXVQXLDFKE", "x8sBGdAvxVQxLdFKE"]
    {
        assert_eq!(code(|message, _| message.nonce = nonce.parse().unwrap()), "nonce_mismatch");
    }
    let in_statement = code(|message, expected| {
        message.nonce = "12345678".parse().unwrap();
        message.statement = Some("Nonce: 8sBGdAvxVQxLdFKE".parse().unwrap());
        expected.statement.clone_from(&message.statement);
    });
    assert_eq!(in_statement, "nonce_mismatch");
}

/// W3
#[test]
fn the_statement_is_ours() {
    for statement in [None, Some(""), Some("Sign in to Guildhall"), Some("Sign in to Guildhall. And pay.")] {
        let statement = statement.map(|text| text.parse().unwrap());
        assert_eq!(code(|message, _| message.statement = statement), "statement_mismatch");
    }
    assert_eq!(code(|_, expected| expected.statement = None), "statement_mismatch");
}

/// W3
#[test]
fn the_resources_are_ours_in_their_order() {
    let uri = |text: &str| text.parse::<signin::Uri>().unwrap();
    let ours = || uri("https://guildhall.example/terms");
    for resources in [vec![], vec![uri("a:b")], vec![ours(), ours()], vec![ours(), uri("urn:recap:eyJ9")]] {
        assert_eq!(code(|message, _| message.resources = Some(resources)), "resources_mismatch");
    }
    assert_eq!(code(|message, _| message.resources = None), "resources_mismatch");
    let turned = code(|message, expected| {
        message.resources = Some(vec![uri("a:b"), ours()]);
        expected.resources = vec![ours(), uri("a:b")];
    });
    assert_eq!(turned, "resources_mismatch");
}

/// W3
#[test]
fn a_request_id_is_not_ours() {
    for id in ["", "r"] {
        assert_eq!(
            code(|message, _| message.request_id = Some(id.parse().unwrap())),
            "request_id_unexpected"
        );
    }
}

/// W4
#[test]
fn a_message_counts_for_five_minutes_around_its_issue() {
    let at = |now| code_at(&message(), &expected(), now);
    assert_eq!(at(ISSUED - 5 * MINUTE - 1), "issued_in_future");
    assert_eq!(at(ISSUED - 5 * MINUTE), "accepted");
    assert_eq!(at(ISSUED + 5 * MINUTE), "accepted");
    assert_eq!(at(ISSUED + 5 * MINUTE + 1), "issued_long_ago");
    assert_eq!(at(0), "issued_in_future");
    assert_eq!(at(u64::MAX), "issued_long_ago");
}

/// W4
#[test]
fn it_has_expired_at_the_very_moment() {
    let message = Message { expiration_time: Some(UnixMillis(ISSUED + MINUTE).into()), ..message() };
    assert_eq!(code_at(&message, &expected(), ISSUED + MINUTE - 1), "accepted");
    assert_eq!(code_at(&message, &expected(), ISSUED + MINUTE), "message_expired");
}

/// W4
#[test]
fn it_counts_from_its_beginning_on() {
    let message = Message { not_before: Some(UnixMillis(ISSUED + MINUTE).into()), ..message() };
    assert_eq!(code_at(&message, &expected(), ISSUED + MINUTE - 1), "message_not_yet_valid");
    assert_eq!(code_at(&message, &expected(), ISSUED + MINUTE), "accepted");
}

/// W4: whatever a later expiration says, five minutes are all.
#[test]
fn a_late_expiration_does_not_lengthen_it() {
    let message = Message { expiration_time: Some(UnixMillis(ISSUED + 60 * MINUTE).into()), ..message() };
    assert_eq!(code_at(&message, &expected(), ISSUED + 6 * MINUTE), "issued_long_ago");
}

/// W6: with everything wrong, each repair uncovers the next refusal.
#[test]
fn the_first_fault_is_named_and_the_order_stays() {
    let ours = message();
    let mut theirs = Message {
        scheme: Some("http".parse().unwrap()),
        domain: "evil.example".parse().unwrap(),
        uri: "http://evil.example".parse().unwrap(),
        chain_id: 1,
        nonce: "12345678".parse().unwrap(),
        statement: None,
        resources: None,
        request_id: Some("r".parse().unwrap()),
        issued_at: UnixMillis(ISSUED + 6 * MINUTE).into(),
        expiration_time: Some(UnixMillis(ISSUED).into()),
        not_before: Some(UnixMillis(ISSUED + 1).into()),
        ..message()
    };
    type Repair<'a> = &'a dyn Fn(&mut Message);
    let steps: [(&str, Repair<'_>); 12] = [
        ("scheme_mismatch", &|message| message.scheme.clone_from(&ours.scheme)),
        ("domain_mismatch", &|message| message.domain.clone_from(&ours.domain)),
        ("uri_mismatch", &|message| message.uri.clone_from(&ours.uri)),
        ("chain_not_served", &|message| message.chain_id = ours.chain_id),
        ("nonce_mismatch", &|message| message.nonce.clone_from(&ours.nonce)),
        ("statement_mismatch", &|message| message.statement.clone_from(&ours.statement)),
        ("resources_mismatch", &|message| message.resources.clone_from(&ours.resources)),
        ("request_id_unexpected", &|message| message.request_id = None),
        ("issued_in_future", &|message| message.issued_at = UnixMillis(ISSUED - 6 * MINUTE).into()),
        ("issued_long_ago", &|message| message.issued_at.clone_from(&ours.issued_at)),
        ("message_expired", &|message| message.expiration_time = None),
        ("message_not_yet_valid", &|message| message.not_before = None),
    ];
    for (code, repair) in steps {
        assert_eq!(code_at(&theirs, &expected(), ISSUED), code);
        // Reading comes before, the signature after.
        let text = theirs.text();
        let refusal = |text: &str| verify(text, "", &expected(), UnixMillis(ISSUED)).unwrap_err().code();
        assert_eq!(refusal(&text), code);
        assert_eq!(refusal(&format!("{text}\n")), "message_unreadable");
        repair(&mut theirs);
    }
    let text = theirs.text();
    let verdict = |signature: &str| verify(&text, signature, &expected(), UnixMillis(ISSUED));
    assert_eq!(verdict(""), Err(Refusal::Signature));
    assert!(matches!(verdict(&signed(&text)), Ok(Verdict::SignedIn(_))));
}

/// W6
#[test]
fn a_refusal_says_what_to_do() {
    let says = |alter: fn(&mut Message)| {
        let mut message = message();
        alter(&mut message);
        check(&message, &expected(), UnixMillis(ISSUED)).unwrap_err().to_string()
    };
    assert!(says(|message| message.domain = "evil.example".parse().unwrap()).contains("`guildhall.example`"));
    assert!(says(|message| message.uri = "a:b".parse().unwrap()).contains("https://guildhall.example"));
    assert!(says(|message| message.chain_id = 1).contains("[8453, 84532]"));
    let unreadable = Refusal::from(Message::parse("").unwrap_err());
    let words = "The text is not a sign-in message (EIP-4361): line 1 of the message must be `<domain> wants you to sign in with \
                 your Ethereum account:`.";
    assert_eq!(unreadable.to_string(), words);
}
