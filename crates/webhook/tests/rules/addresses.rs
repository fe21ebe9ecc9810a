//! H5: which addresses are public, beside Python's standard library, and how they are looked up.

use core::net::IpAddr;

use webhook::is_public;
use webhook::resolution::{Kind, Unsafe, addresses, judge, question};

use crate::vectors::vectors;

fn read(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// Where we refuse more than Python does: outside of what is assigned of IPv6, translated and tunnelled addresses of IPv4 in
/// it, protocol assignments, what is left of 6to4, and documentation since RFC 9637.
fn is_stricter(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            [a, b, c] == [192, 88, 99] || [a, b, c] == [192, 0, 0]
        }
        IpAddr::V6(address) => {
            let [a, b, ..] = address.segments();
            a >> 13 != 1 || (a == 0x2001 && b < 0x200) || a == 0x2002 || (a == 0x3fff && b < 0x1000)
        }
    }
}

#[test]
fn what_python_holds_to_be_private_is_refused_and_only_known_blocks_besides() {
    let mut counts = [0, 0];
    for vector in vectors().addresses {
        let address = read(&vector.address);
        let ours = is_public(address);
        assert!(vector.public || !ours, "{} is not public", vector.address);
        assert!(ours || !vector.public || is_stricter(address), "{} is public", vector.address);
        counts[usize::from(ours)] += 1;
    }
    assert!(counts[0] > 150 && counts[1] > 150, "{counts:?}");
}

#[test]
fn well_known_addresses_are_what_they_are() {
    for public in
        ["1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.0", "2606:4700:4700::1111"]
    {
        assert!(is_public(read(public)), "{public}");
    }
    for private in [
        "0.0.0.0",
        "127.0.0.1",
        "127.255.255.254",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "100::1",
    ] {
        assert!(!is_public(read(private)), "{private}");
    }
}

#[test]
fn a_name_is_called_only_if_all_that_it_stands_for_is_public() {
    let list = |texts: &[&str]| texts.iter().map(|text| read(text)).collect::<Vec<_>>();
    assert_eq!(judge(&list(&["1.1.1.1", "2606:4700::1"])), Ok(()));
    assert_eq!(judge(&[]), Err(Unsafe::Nothing));
    assert_eq!(judge(&list(&["1.1.1.1", "127.0.0.1"])), Err(Unsafe::Private));
    assert_eq!(judge(&list(&["::ffff:1.1.1.1"])), Err(Unsafe::Private));
}

#[test]
fn a_resolver_is_asked_and_read() {
    assert_eq!(
        question("https://dns.example/q", "a.com", Kind::A),
        "https://dns.example/q?name=a.com&type=A"
    );
    assert_eq!(
        question("https://dns.example/q?k=1", "a.com", Kind::Aaaa),
        "https://dns.example/q?k=1&name=a.com&type=AAAA"
    );
    // Answers as public resolvers give them; a name that stands for another (type 5) is followed by the resolver.
    let found = r#"{"Status":0,"TC":false,"Question":[{"name":"a.com","type":1}],"Answer":[
        {"name":"a.com","type":5,"TTL":60,"data":"b.com."},{"name":"b.com","type":1,"TTL":60,"data":"1.1.1.1"}]}"#;
    assert_eq!(addresses(Kind::A, found), Ok(vec![read("1.1.1.1")]));
    assert_eq!(addresses(Kind::Aaaa, found), Ok(vec![]));
    assert_eq!(addresses(Kind::A, r#"{"Status":3}"#), Ok(vec![]));
    assert_eq!(addresses(Kind::A, r#"{"Status":0}"#), Ok(vec![]));
    for unreadable in [
        "",
        "{}",
        "[]",
        r#"{"Status":2}"#,
        r#"{"Status":"0"}"#,
        r#"{"Status":0,"Answer":[{"type":1,"data":"b.com."}]}"#,
        r#"{"Status":0,"Answer":[{"type":1,"data":"0x7f.1"}]}"#,
    ] {
        assert_eq!(addresses(Kind::A, unreadable), Err(Unsafe::Unreadable), "{unreadable}");
    }
}
