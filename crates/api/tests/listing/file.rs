//! Activity as a file: what RFC 4180 says, and nothing that a spreadsheet runs.

use api::listing::Csv;
use api::wire::ActivityLine;

fn line(reason: &str) -> ActivityLine {
    let text = |text: &str| Some(text.to_owned());
    ActivityLine {
        at: "2026-11-01T00:00:00.000Z".to_owned(),
        mandate: "0xaa".to_owned(),
        seq: 12,
        kind: "reject".to_owned(),
        role: "owner".to_owned(),
        actor: text("0xA11CE"),
        payment: text("0xbb"),
        amount: text("340282366920938463463374607431768211455"),
        paid: "0".to_owned(),
        returned: "7".to_owned(),
        token: text("0xcc"),
        provider: None,
        result: "rejected".to_owned(),
        reason: text(reason),
        transaction: None,
        source: "ledger".to_owned(),
    }
}

fn file(reasons: &[&str]) -> String {
    let mut csv = Csv::default();
    for reason in reasons {
        csv.push(&line(reason));
    }
    csv.into_text()
}

/// A reader by RFC 4180, section 2: records end with CR LF, a quoted field holds anything, and two quotes in it are one.
fn read(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match (is_quoted, sign) {
            (true, '"') if signs.peek() == Some(&'"') => field.push(signs.next().unwrap()),
            (true, '"') => is_quoted = false,
            (true, sign) => field.push(sign),
            (false, '"') => {
                assert_eq!(field, "", "a quote begins a field");
                is_quoted = true;
            }
            (false, ',') => record.push(core::mem::take(&mut field)),
            (false, '\r') => {
                assert_eq!(signs.next(), Some('\n'), "a bare CR");
                record.push(core::mem::take(&mut field));
                records.push(core::mem::take(&mut record));
            }
            (false, sign) => {
                assert_ne!(sign, '\n', "a bare LF");
                field.push(sign);
            }
        }
    }
    assert!(!is_quoted && field.is_empty() && record.is_empty(), "the last record has its end");
    records
}

#[test]
fn a_header_then_a_line_for_each() {
    let header = "at,mandate,seq,kind,role,actor,payment,amount,paid,returned,token,provider,result,reason,transaction,source\r\n";
    assert_eq!(file(&[]), header);
    let plain = "2026-11-01T00:00:00.000Z,0xaa,12,reject,owner,0xA11CE,0xbb,340282366920938463463374607431768211455,0,7,0xcc,,rejected,too much,,ledger\r\n";
    assert_eq!(file(&["too much"]), format!("{header}{plain}"));
}

#[test]
fn any_text_comes_back_as_it_went_in() {
    let texts = [
        "",
        " ",
        "a,b",
        "\"",
        "\"\"",
        "a\"b,\"",
        "two\r\nlines",
        "end\n",
        "a;b\tc",
        "ünï\u{1f600}",
        "1 - 2",
        "'x",
    ];
    let records = read(&file(&texts));
    assert_eq!(records.len(), texts.len() + 1);
    for (record, text) in records[1..].iter().zip(texts) {
        assert_eq!(record.len(), 16);
        assert_eq!(record[13], text);
    }
}

#[test]
fn what_a_spreadsheet_may_run_becomes_text() {
    let formulas = [
        "=1+1",
        "=HYPERLINK(\"http://example.invalid\",\"x\")",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\tx",
        "\rx",
        "\nx",
        "\r\n=1",
        " =1",
        "\u{a0}=1",
        "\u{feff}=1",
        "\u{0}=1",
        "\u{ff1d}1",
        "\u{ff0b}1",
        "\u{ff0d}1",
        "\u{ff20}x",
    ];
    for (record, text) in read(&file(&formulas))[1..].iter().zip(formulas) {
        assert_eq!(record[13], format!("'{text}"));
    }
}
