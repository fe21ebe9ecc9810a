//! Which services are listed.

use api::inbound::metering::wanted;

fn ask(query: &[(&str, &str)]) -> Result<api::binding::tenant::ServicesWanted, Vec<String>> {
    let pairs = query.iter().map(|(name, text)| (*name, (*text).to_owned()));
    wanted(pairs).map_err(|problem| {
        assert_eq!((problem.status, problem.code.as_str()), (400, "malformed"));
        problem.errors.into_iter().map(|fault| fault.field).collect()
    })
}

#[test]
fn every_filter_is_read() {
    let read = ask(&[
        ("prefix", "weather."),
        ("q", "rain"),
        ("disabled", "false"),
        ("minPrice", "0.5"),
        ("maxPrice", "250"),
        ("limit", "7"),
    ])
    .unwrap();
    assert_eq!((read.prefix.as_deref(), read.text.as_deref()), (Some("weather."), Some("rain")));
    assert_eq!((read.is_disabled, read.limit), (Some(false), 7));
    assert!(read.min_price < read.max_price);
    let all = ask(&[]).unwrap();
    assert_eq!((all.prefix, all.is_disabled, all.limit), (None, None, 50));
}

#[test]
fn nonsense_is_named_and_not_ignored() {
    let long = "a".repeat(101);
    for (name, text) in [
        ("prefix", "a/b"),
        ("prefix", ""),
        ("q", ""),
        ("q", long.as_str()),
        ("disabled", "yes"),
        ("minPrice", "-1"),
        ("maxPrice", "1e3"),
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "+5"),
        ("cursor", "!"),
        ("cursor", "YS9i"),
        ("page", "2"),
    ] {
        assert_eq!(ask(&[(name, text)]).unwrap_err(), [name], "{name}={text}");
    }
    assert_eq!(ask(&[("limit", "1"), ("limit", "2")]).unwrap_err(), ["limit"]);
    assert_eq!(ask(&[("minPrice", "2"), ("maxPrice", "1")]).unwrap_err(), ["minPrice"]);
}
