//! The examples of RFC 9421 and RFC 9530 that have only what is known here.

use httpsig::{Input, Refusal, check_content_digest, content_digest};

use super::Sent;

const SHA_512: &str =
    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";

/// The request of RFC 9421, appendix B.2.
fn example() -> Sent {
    let mut sent = Sent::new("POST", "/foo", Some("param=Value&Pet=dog"), r#"{"hello": "world"}"#);
    sent.authority = "example.com".into();
    sent.set("date", "Tue, 20 Apr 2021 02:07:55 GMT");
    sent.set("content-type", "application/json");
    sent.set("content-digest", SHA_512);
    sent.set("content-length", "18");
    sent
}

/// The only signature of a header, and the text that it signs of a request.
fn base(sent: &Sent, value: &str) -> Result<String, Refusal> {
    let inputs = Input::parse(value)?;
    assert_eq!(inputs.len(), 1);
    sent.with(|request| inputs[0].base(request))
}

#[test]
fn h5_the_bases_of_appendix_b_are_built() {
    let cases = [
        // B.2.1
        (
            r#"sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#,
            r#""@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#
                .to_owned(),
        ),
        // B.2.3
        (
            r#"sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss""#,
            format!(
                r#""date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@query": ?param=Value&Pet=dog
"@authority": example.com
"content-type": application/json
"content-digest": {SHA_512}
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss""#
            ),
        ),
        // B.2.5
        (
            r#"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#,
            r#""date": Tue, 20 Apr 2021 02:07:55 GMT
"@authority": example.com
"content-type": application/json
"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
                .to_owned(),
        ),
        // B.2.6
        (
            r#"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#,
            r#""date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#
                .to_owned(),
        ),
    ];
    for (input, expected) in cases {
        assert_eq!(base(&example(), input), Ok(expected), "{input}");
    }
}

/// B.2.2 covers one parameter of the query, which the profile has no use for.
#[test]
fn h5_a_component_with_parameters_is_refused_with_its_place() {
    let input = r#"sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example""#;
    assert_eq!(base(&example(), input), Err(Refusal::UnknownComponent { at: 39 }));
    assert_eq!(input[39..].split(';').next(), Some("\"@query-param\""));
}

/// Sections 2.2.1 to 2.2.7, and the lines of a repeated header of appendix B.4.
#[test]
fn h5_every_derived_component_has_the_value_of_its_section() {
    let mut sent = Sent::new("GET", "/path", Some("param=value&foo=bar&baz=bat%2Dman"), "");
    sent.authority = "WWW.Example.com:443".into();
    sent.set("accept", " application/json, */*\t");
    let value = |sent: &Sent, name: &str| {
        let base = base(sent, &format!("a=(\"{name}\")")).unwrap();
        base.lines().next().unwrap().strip_prefix(&format!("\"{name}\": ")).unwrap().to_owned()
    };
    let cases = [
        ("@method", "GET"),
        ("@authority", "www.example.com"),
        ("@scheme", "https"),
        ("@path", "/path"),
        ("@query", "?param=value&foo=bar&baz=bat%2Dman"),
        ("@request-target", "/path?param=value&foo=bar&baz=bat%2Dman"),
        ("@target-uri", "https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman"),
        ("accept", "application/json, */*"),
    ];
    for (name, expected) in cases {
        assert_eq!(value(&sent, name), expected, "{name}");
    }
    sent.scheme = "HTTP".into();
    assert_eq!(value(&sent, "@authority"), "www.example.com:443");
    sent.authority = "www.example.com:80".into();
    (sent.path, sent.query) = (String::new(), None);
    let bare = [
        ("@authority", "www.example.com"),
        ("@path", "/"),
        ("@query", "?"),
        ("@target-uri", "http://www.example.com/"),
    ];
    for (name, expected) in bare {
        assert_eq!(value(&sent, name), expected, "{name}");
    }
}

/// RFC 9530, sections 2 and appendix B, with the bodies given there.
#[test]
fn h2_a_body_has_the_digest_of_the_standard() {
    let body = "{\"hello\": \"world\"}";
    assert_eq!(content_digest(body.as_bytes()), "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
    let with_line = "{\"hello\": \"world\"}\n";
    let digest = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
    assert_eq!(content_digest(with_line.as_bytes()), digest);
    assert_eq!(content_digest(b""), "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
    let both = format!("{SHA_512}, {digest}");
    assert_eq!(check_content_digest(&both, with_line.as_bytes()), Ok(()));
    assert_eq!(check_content_digest(&both, body.as_bytes()), Err(Refusal::DigestMismatch));
    assert_eq!(check_content_digest(SHA_512, body.as_bytes()), Err(Refusal::DigestAlgorithm));
    assert_eq!(check_content_digest("sha-256=:RK8=:", body.as_bytes()), Err(Refusal::DigestMismatch));
}
