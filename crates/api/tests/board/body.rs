//! What is taken for a body at all.

use api::inbound::{body, too_large};
use api::limits;

#[test]
fn only_json_is_read() {
    for content_type in
        [None, Some(""), Some("text/plain"), Some("application/jsonp"), Some("application/xml")]
    {
        let problem = body(content_type, "{}").unwrap_err();
        assert_eq!(
            (problem.status, problem.code.as_str()),
            (415, "unsupported_media_type"),
            "{content_type:?}"
        );
    }
    for text in ["", "{", "{}{}", "{'a':1}", "\u{feff}{}", "NaN", "{\"a\":1,}"] {
        let problem = body(Some("application/json"), text).unwrap_err();
        assert_eq!(problem.status, 400, "{text:?}");
        assert_eq!(problem.errors[0].field, "body");
    }
}

#[test]
fn a_body_is_read_up_to_its_bound() {
    let text = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
    assert!(body(Some("application/json"), &text(limits::BODY_BYTES_MAX)).is_ok());
    let problem = body(Some("application/json"), &text(limits::BODY_BYTES_MAX + 1)).unwrap_err();
    assert_eq!((problem.status, &problem.code), (413, &too_large().code));
}

#[test]
fn a_body_is_read_down_to_its_depth() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(body(Some("application/json"), &nested(100)).is_ok());
    assert_eq!(body(Some("application/json"), &nested(200_000)).unwrap_err().status, 400);
}
