//! Reading and writing are inverse, and what is not a message is refused with its place.

use core::str::FromStr;

use primitives::UnixMillis;
use proptest::{collection::vec, option, prelude::*, string::string_regex};
use signin::{Message, limits::MESSAGE_BYTES};

use crate::message;

fn part<T: FromStr<Err: core::fmt::Debug> + core::fmt::Debug>(pattern: &str) -> impl Strategy<Value = T> {
    string_regex(pattern).unwrap().prop_map(|text| text.parse().unwrap())
}

const URI: &str = "[a-z][a-z0-9+.-]{0,5}:(//(([a-z:]|%20){1,3}@)?([a-z0-9.-]{0,9}|\\[::1\\]|\\[v1\\.x:\\])(:[0-9]{0,5})?(/[a-z@:]{0,4}){0,3}|[a-z@:]{0,5})(\\?[a-z/?]{0,4})?(#[a-z/?]{0,4})?";
const MOMENT: &str = "20[0-9]{2}-0[1-9]-[0-2][1-8][Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-](0[0-9]|1[0-4]):[0-5][0-9])";

prop_compose! {
    fn messages()(
        scheme in option::of(part("[a-zA-Z][a-zA-Z0-9+.-]{0,5}")),
        domain in part("(([a-z:]|%20){1,3}@)?([a-z0-9.-]{1,9}|\\[::1\\]|\\[v1\\.x:\\])(:[0-9]{0,5})?"),
        address in any::<[u8; 20]>(),
        statement in option::of(part("[A-Za-z0-9 :/?#@!$&'()*+,;=._~\\[\\]-]{0,40}")),
        uri in part(URI),
        chain_id in any::<u64>(),
        nonce in part("[A-Za-z0-9]{8,20}"),
        (issued_at, expiration_time, not_before) in (part(MOMENT), option::of(part(MOMENT)), option::of(part(MOMENT))),
        request_id in option::of(part("([a-z:@!]|%20){0,6}")),
        resources in option::of(vec(part(URI), 0..4)),
    ) -> Message {
        Message {
            scheme, domain, address: address.into(), statement, uri, chain_id, nonce, issued_at, expiration_time,
            not_before, request_id, resources,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// W1
    #[test]
    fn a_message_reads_back_from_its_text(message in messages()) {
        prop_assert_eq!(Message::parse(&message.text()), Ok(message));
    }

    /// W1, W2: whatever is put anywhere into a text, it is refused, or it is a message with exactly that text.
    #[test]
    fn an_altered_text_is_refused_or_its_own_message(
        message in messages(), at in any::<prop::sample::Index>(), cut in 0..3_usize, put in "\\PC{0,2}|[\r\n\t ]{1,2}|[ -~]",
    ) {
        let mut text = message.text();
        let from = at.index(text.len());
        text.replace_range(from..from.saturating_add(cut).min(text.len()), &put);
        if let Ok(read) = Message::parse(&text) {
            prop_assert_eq!(read.text(), text);
        }
    }

    /// W2
    #[test]
    fn no_text_makes_reading_fail_otherwise(text in "(\\PC|\n|\r){0,200}") {
        let _ = Message::parse(&text);
    }
}

#[track_caller]
fn refused(text: &str, line: usize, wanted: &str) {
    let fault = Message::parse(text).unwrap_err();
    assert_eq!(fault.line, line, "{fault}");
    assert!(fault.wanted.contains(wanted), "{fault}");
}

/// W2
#[test]
fn a_refusal_names_the_line_and_what_belongs_there() {
    let whole = Message {
        expiration_time: Some(UnixMillis(2).into()),
        not_before: Some(UnixMillis(1).into()),
        request_id: Some("r".parse().unwrap()),
        ..message()
    };
    let text = whole.text();
    let wanted = [
        "wants you to sign in",
        "checksum",
        "after the address",
        "statement",
        "after the statement",
        "`URI: `",
        "`Version: 1`",
        "`Chain ID: `",
        "`Nonce: `",
        "`Issued At: `",
        "`Expiration Time: `",
        "`Not Before: `",
        "`Request ID: `",
        "absent",
        "`- `",
    ];
    let lines: Vec<_> = text.split('\n').collect();
    assert_eq!(lines.len(), wanted.len());
    for (index, wanted) in wanted.into_iter().enumerate() {
        let line = index + 1;
        let with = |altered: String| {
            let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            lines[index] = altered;
            lines.join("\n")
        };
        // `<` is in the grammar of no line.
        refused(&with(format!("{}<", lines[index])), line, wanted);
        refused(&with(format!("{}\r", lines[index])), line, "a line feed alone");
        refused(&with(format!("\u{430}{}", lines[index])), line, "printable ASCII");
        let ends_here = lines[..index].join("\n");
        if index < 10 {
            refused(&ends_here, line, wanted);
        }
    }
}

/// W2
#[test]
fn a_text_that_is_too_long_is_refused_before_it_is_read() {
    let base = message();
    let room = MESSAGE_BYTES - base.text().len() - "\n- a:".len();
    let with = |letters: usize| {
        let mut resources = base.resources.clone().unwrap();
        resources.push(format!("a:{}", "x".repeat(letters)).parse().unwrap());
        Message { resources: Some(resources), ..base.clone() }.text()
    };
    assert_eq!(with(room).len(), MESSAGE_BYTES);
    assert!(Message::parse(&with(room)).is_ok());
    let wanted = format!("at most {MESSAGE_BYTES} bytes");
    refused(&with(room + 1), 13, &wanted);
    refused(&"\n".repeat(MESSAGE_BYTES + 1), MESSAGE_BYTES + 1, &wanted);
}
