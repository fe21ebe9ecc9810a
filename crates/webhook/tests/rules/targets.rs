//! H5: which addresses are called, by their text. Whatever a URL reader could take for something else is refused.

use webhook::{Allowed, Refused, Target};

const GOOD: [&str; 12] = [
    "https://example.com",
    "https://example.com/",
    "https://example.com:443/hooks",
    "https://example.com?a=1",
    "https://a.b-c.example.co/x/y?z=%20&@=1:2",
    "https://xn--bcher-kva.example/hook",
    "https://1.example.com/",
    "https://127.0.0.1.nip.io/",
    "https://0xabc.example/",
    "https://example.com/..%2f@user:pass/",
    "https://localhost.example.com/",
    "https://thehome.example.corporation/",
];

const BAD: &[(&str, Refused)] = &[
    ("", Refused::Scheme),
    ("example.com", Refused::Scheme),
    ("//example.com/", Refused::Scheme),
    ("http://example.com/", Refused::Scheme),
    ("HTTPS://example.com/", Refused::Scheme),
    ("ftp://example.com/", Refused::Scheme),
    ("file:///etc/passwd", Refused::Scheme),
    ("javascript:alert(1)", Refused::Scheme),
    ("https:example.com", Refused::Scheme),
    ("https:/example.com", Refused::Scheme),
    (" https://example.com", Refused::Text),
    ("https://example.com/a b", Refused::Text),
    ("https://exa\tmple.com/", Refused::Text),
    ("https://example.com\r\nHost: inside/", Refused::Text),
    ("https://example.com\\@127.0.0.1/", Refused::Text),
    ("https://bücher.example/", Refused::Text),
    ("https://１２７.0.0.1/", Refused::Text),
    ("https://127。0。0。1/", Refused::Text),
    ("https://example.com/#part", Refused::Fragment),
    ("https://user@example.com/", Refused::UserInfo),
    ("https://user:pass@example.com/", Refused::UserInfo),
    ("https://example.com@127.0.0.1/", Refused::UserInfo),
    ("https://@example.com/", Refused::UserInfo),
    ("https://example.com:8443/", Refused::Port),
    ("https://example.com:80/", Refused::Port),
    ("https://example.com:0/", Refused::Port),
    ("https://example.com:/", Refused::Port),
    ("https://example.com:0443/", Refused::Port),
    ("https://example.com:65979/", Refused::Port),
    ("https://example.com:443:443/", Refused::Port),
    ("https://127.0.0.1/", Refused::Literal),
    ("https://8.8.8.8/", Refused::Literal),
    ("https://127.1/", Refused::Literal),
    ("https://2130706433/", Refused::Literal),
    ("https://0/", Refused::Literal),
    ("https://0x7f000001/", Refused::Literal),
    ("https://0x7f.1/", Refused::Literal),
    ("https://0X7F.0x1/", Refused::Literal),
    ("https://0x/", Refused::Literal),
    ("https://0177.0.0.01/", Refused::Literal),
    ("https://017700000001/", Refused::Literal),
    ("https://127.0.0.1./", Refused::Literal),
    ("https://999.999.999.999/", Refused::Literal),
    ("https://example.123/", Refused::Literal),
    ("https://example.0xff/", Refused::Literal),
    ("https://[::1]/", Refused::Literal),
    ("https://[::ffff:127.0.0.1]/", Refused::Literal),
    ("https://[::ffff:7f00:1]:443/", Refused::Literal),
    ("https://[2606:4700::1]/", Refused::Literal),
    ("https:///path", Refused::Host),
    ("https://example/", Refused::Host),
    ("https://localhost/", Refused::Host),
    ("https://localhost:443/", Refused::Host),
    ("https://a.localhost/", Refused::Host),
    ("https://printer.local/", Refused::Host),
    ("https://metadata.google.internal/", Refused::Host),
    ("https://nas.home.arpa/", Refused::Host),
    ("https://router.lan/", Refused::Host),
    ("https://x.onion/", Refused::Host),
    ("https://example.com./", Refused::Host),
    ("https://example..com/", Refused::Host),
    ("https://.example.com/", Refused::Host),
    ("https://-a.example.com/", Refused::Host),
    ("https://a-.example.com/", Refused::Host),
    ("https://EXAMPLE.com/", Refused::Host),
    ("https://exam%70le.com/", Refused::Host),
    ("https://%31%32%37.0.0.1/", Refused::Literal),
    ("https://a_b.example.com/", Refused::Host),
    ("https://*.example.com/", Refused::Host),
];

fn allowed() -> Vec<Allowed> {
    let entry = |host: &str, port| Allowed { host: host.to_owned(), port };
    vec![entry("127.0.0.1", None), entry("localhost", Some(8080))]
}

#[test]
fn names_of_the_public_internet_are_called_and_looked_up() {
    for text in GOOD {
        let target = Target::read(text, &[]).unwrap_or_else(|refused| panic!("{text}: {refused}"));
        assert_eq!(target.as_str(), text);
        let name = target.name_to_resolve(&[]).unwrap().unwrap();
        assert!(text.starts_with(&format!("https://{name}")), "{text}: {name}");
    }
}

#[test]
fn everything_else_is_refused_and_says_why() {
    for (text, refused) in BAD {
        assert_eq!(Target::read(text, &[]).err(), Some(*refused), "{text}");
        assert!(refused.to_string().starts_with("must "), "{refused}");
    }
    let long = format!("https://example.com/{}", "a".repeat(2_048));
    assert_eq!(Target::read(&long, &[]).err(), Some(Refused::Text));
    assert!(Target::read(&long[..2_048], &[]).is_ok());
    let label = "a".repeat(63);
    assert!(Target::read(&format!("https://{label}.example/"), &[]).is_ok());
    assert_eq!(Target::read(&format!("https://a{label}.example/"), &[]).err(), Some(Refused::Host));
    let name = format!("https://{label}.{label}.{label}.{label}.example/");
    assert_eq!(Target::read(&name, &[]).err(), Some(Refused::Host));
}

/// A development's list lets its own through, and nothing that only looks like it.
#[test]
fn a_development_lets_its_own_hosts_through() {
    for text in
        ["http://127.0.0.1:9/x", "http://127.0.0.1/", "https://127.0.0.1:1234", "http://localhost:8080/a?b"]
    {
        let target = Target::read(text, &allowed()).unwrap_or_else(|refused| panic!("{text}: {refused}"));
        assert_eq!(target.name_to_resolve(&allowed()), Ok(None), "{text}");
        // What was allowed once is judged again at each call.
        assert!(target.name_to_resolve(&[]).is_err(), "{text}");
    }
    for text in [
        "http://localhost:8081/",
        "http://localhost/",
        "http://127.0.0.2:9/",
        "http://127.0.0.1.example.com/",
        "http://127.0.0.1:9@example.com/",
        "http://127.1:9/",
        "http://2130706433:9/",
        "ftp://127.0.0.1:9/",
        "http://example.com/",
    ] {
        assert!(Target::read(text, &allowed()).is_err(), "{text}");
    }
    assert_eq!(
        Target::read("https://example.com/", &allowed()).unwrap().name_to_resolve(&allowed()),
        Ok(Some("example.com"))
    );
}
