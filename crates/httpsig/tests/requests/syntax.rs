//! H5: the headers as texts.

use eip712::SignatureFault;
use httpsig::{COMPONENTS, INPUT_BYTES, Input, MEMBERS, PARAMETERS, Refusal};

use super::{refusals::after, whole};

#[test]
fn h5_a_header_has_one_text() {
    let input = whole().header("signature-input").unwrap();
    let malformed = |value: &str| match Input::parse(value) {
        Err(Refusal::Malformed { header: "signature-input", at, .. }) => at,
        other => panic!("{value}: {other:?}"),
    };
    let cases = [
        ("", 0),
        ("Eth=()", 0),
        ("eth", 3),
        ("eth=", 4),
        ("eth =()", 3),
        ("eth=( \"a\")", 5),
        ("eth=(\"a\"  \"b\")", 9),
        ("eth=(\"a\" )", 9),
        ("eth=(\"a\"", 8),
        ("eth=(a)", 5),
        ("eth=(\"a", 7),
        ("eth=(\"\u{e9}\")", 6),
        ("eth=(\"\\a\")", 7),
        ("eth=() ;a=1", 7),
        ("eth=(); a=1", 7),
        ("eth=();a= 1", 9),
        ("eth=();a=01", 9),
        ("eth=();a=1.5", 10),
        ("eth=();a=1234567890123456", 9),
        ("eth=();A=1", 7),
        ("eth=(),", 7),
        ("eth=();a=1 b=()", 11),
        ("eth=()\n", 6),
    ];
    for (value, at) in cases {
        assert_eq!(malformed(value), at, "{value:?}");
    }
    for (value, at) in [
        ("a=(), a=()", 6),
        ("a=(\"x\" \"x\")", 7),
        ("a=(\"x\";k=1;k=1)", 11),
        ("a=();created=1;created=2", 15),
    ] {
        let repeated = Err(Refusal::Repeated { header: "signature-input", at });
        assert_eq!(Input::parse(value), repeated, "{value}");
    }
    let bounded = [
        (0..=MEMBERS).map(|n| format!("a{n}=()")).collect::<Vec<_>>().join(","),
        format!("a=({})", (0..=COMPONENTS).map(|n| format!("\"x{n}\"")).collect::<Vec<_>>().join(" ")),
        format!("a=(){}", (0..=PARAMETERS).map(|n| format!(";x{n}")).collect::<String>()),
    ];
    for value in bounded {
        assert!(matches!(Input::parse(&value), Err(Refusal::TooMany { .. })), "{value}");
    }
    assert!(Input::parse(&format!("{input}{}", " ".repeat(INPUT_BYTES - input.len()))).is_ok());
    let long = Refusal::TooLong { header: "signature-input", limit: INPUT_BYTES };
    assert_eq!(Input::parse(&format!("{input}{}", " ".repeat(INPUT_BYTES))), Err(long));
}

#[test]
fn h5_the_signature_is_bytes_in_one_text() {
    let signature = whole().header("signature").unwrap();
    let refused = |value: &str| after(|sent| sent.set("signature", value));
    assert_eq!(refused(&signature.replace("eth=", "sig=")), Refusal::NoBytes);
    for bad in [
        signature.replace("=:", ":"),
        signature.replace(':', ""),
        signature.trim_end_matches(':').to_owned(),
        signature.replace("=:", "=:="),
        "eth=::".to_owned(),
        "eth=:AA==AA==:".to_owned(),
        "eth=:AB==:".to_owned(),
        "eth=:-_-_:".to_owned(),
    ] {
        assert!(matches!(refused(&bad), Refusal::Malformed { header: "signature", .. }), "{bad}");
    }
    assert!(matches!(refused(&format!("{signature},{signature}")), Refusal::Repeated { .. }));
    assert!(matches!(refused(&"x".repeat(9_000)), Refusal::TooLong { header: "signature", .. }));
    assert_eq!(refused("eth=:AAAA:"), Refusal::Signature(SignatureFault::Length(3)));
}
