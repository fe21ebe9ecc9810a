//! A stranger's route stays below its origin.

use proptest::prelude::*;
use x402::bazaar::RouteTemplate;

#[test]
fn a_template_is_a_plain_path() {
    for good in ["/a", "/v1/gigs/:id", "/a-b_c.d~e", "/a%20b", "/:var1/x"] {
        assert_eq!(good.parse::<RouteTemplate>().unwrap().as_str(), good);
    }
    for bad in [
        "",
        "/",
        "a",
        "/a b",
        "/a?b",
        "/a\\b",
        "/..",
        "/a/../b",
        "/a/%2e%2e/b",
        "/a/.%2E/b",
        "/a/%252e%252e/b",
        "/a/%25252e%25252e/b",
        "/https://evil.example",
        "/https:%2f%2fevil.example",
        "/%",
        "/%zz",
        "/%ff",
        "/é",
        "/a%2525252525252e",
    ] {
        assert!(bad.parse::<RouteTemplate>().is_err(), "{bad}");
    }
    assert!(format!("/{}", "a".repeat(2_047)).parse::<RouteTemplate>().is_ok());
    assert!(format!("/{}", "a".repeat(2_048)).parse::<RouteTemplate>().is_err());
}

proptest! {
    #[test]
    fn no_encoding_hides_a_way_up(depth in 0_u8..8, before in "[a-z]{0,3}", after in "[a-z]{0,3}") {
        let encode = |text: String| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        let way_up = (0..depth).fold("..".to_owned(), |text, _| encode(text));
        let path = format!("/{before}{way_up}{after}");
        prop_assert!(path.parse::<RouteTemplate>().is_err());
    }

    #[test]
    fn any_text_is_answered(text in "[/%:.~a-z0-9]{0,40}|.{0,40}") {
        let _ = text.parse::<RouteTemplate>();
    }
}
