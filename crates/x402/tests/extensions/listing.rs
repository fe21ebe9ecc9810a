//! What gets into the catalogue.

use primitives::UnixMillis;
use serde_json::{Value, json};
use x402::{
    DiscoveryResources, Pagination, ResourceKind,
    bazaar::{self, ListingFault},
};

use crate::{listed, official, payment, requirements};

/// An official block with one place replaced; a place that is not there is made.
fn changed(name: &str, parent: &str, key: &str, value: Value) -> Value {
    let mut block = official(name);
    block.pointer_mut(parent).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
    block
}

#[test]
fn the_official_packages_blocks_are_listed() {
    for (name, kind, resource) in [
        ("weather", ResourceKind::Http, "https://shop.example:8443/orders/7/items"),
        ("order", ResourceKind::Http, "https://shop.example:8443/orders/:id/items"),
        ("tool", ResourceKind::Mcp, "https://shop.example:8443/orders/7/items"),
    ] {
        let item = listed(&official(name)).unwrap();
        assert_eq!((item.kind, item.resource.as_str()), (kind, resource), "{name}");
        assert_eq!(item.extensions.unwrap()["bazaar"], official(name));
        assert_eq!(item.accepts, [requirements()]);
        assert_eq!(item.last_updated, "2025-11-30T14:30:08.000Z");
    }
}

#[test]
fn without_a_block_there_is_nothing_to_list() {
    let listing = |extensions| bazaar::listing(&payment(extensions), &requirements(), UnixMillis(0));
    assert_eq!(listing(json!(null)), Ok(None));
    assert_eq!(listing(json!({ "other": {} })), Ok(None));
}

#[test]
fn what_the_extension_demands_is_demanded_whatever_the_schema_says() {
    let input = "/info/input";
    let cases = [
        ("weather", "", "info", json!(null), "info.input"),
        ("weather", "/info", "input", json!([]), "info.input"),
        ("weather", input, "type", json!("ftp"), "info.input.type"),
        ("weather", input, "method", json!("get"), "info.input.method"),
        ("weather", input, "method", json!(null), "info.input.method"),
        ("weather", input, "method", json!("POST"), "info.input.bodyType"),
        ("weather", input, "bodyType", json!("json"), "info.input.bodyType"),
        ("weather", input, "body", json!({}), "info.input.body"),
        ("order", input, "bodyType", json!("xml"), "info.input.bodyType"),
        ("order", input, "method", json!("DELETE"), "info.input.bodyType"),
        ("tool", input, "toolName", json!(""), "info.input.toolName"),
        ("tool", input, "inputSchema", json!("object"), "info.input.inputSchema"),
        ("tool", input, "transport", json!("stdio"), "info.input.transport"),
        ("order", "", "routeTemplate", json!("orders"), "routeTemplate"),
        ("order", "", "routeTemplate", json!(7), "routeTemplate"),
    ];
    for (name, parent, key, value, field) in cases {
        let mut block = changed(name, parent, key, value.clone());
        block["schema"] = json!(true);
        assert_eq!(listed(&block), Err(ListingFault::Malformed { field }), "{name} {key} = {value}");
    }
    let mut block = official("weather");
    block.as_object_mut().unwrap().remove("schema");
    assert_eq!(listed(&block), Err(ListingFault::Malformed { field: "schema" }));
}

#[test]
fn information_must_fit_its_schema_and_the_schema_must_be_understood() {
    let wrong = changed("order", "/info/input/body", "quantity", json!(0));
    assert_eq!(listed(&wrong), Err(ListingFault::Mismatch));
    let extra = changed("weather", "/info/input", "surprise", json!(1));
    assert_eq!(listed(&extra), Err(ListingFault::Mismatch));
    for (keyword, value) in [("pattern", json!("^a")), ("$ref", json!("#/$defs/a")), ("minItems", json!("1"))]
    {
        let block = changed("weather", "/schema", keyword, value);
        assert_eq!(listed(&block), Err(ListingFault::Schema { keyword: keyword.to_owned() }));
    }
}

/// S12: nothing in the catalogue makes a reader fetch what a stranger names.
#[test]
fn s12_references_out_of_the_block_are_refused_wherever_they_stand() {
    for (keyword, target) in [
        ("$ref", json!("http://169.254.169.254/")),
        ("$ref", json!("other.json")),
        ("$ref", json!(1)),
        ("$id", json!("https://evil.example/schema")),
        ("$dynamicRef", json!("https://evil.example/#a")),
    ] {
        for parent in ["/schema", "/info/input/inputSchema", "/info/input/inputSchema/properties/city"] {
            let block = changed("tool", parent, keyword, target.clone());
            assert_eq!(listed(&block), Err(ListingFault::ExternalReference), "{parent} {keyword} {target}");
        }
    }
    let inside = changed("tool", "/info/input/inputSchema", "$ref", json!("#/$defs/city"));
    assert!(listed(&inside).is_ok());
}

#[test]
fn a_block_is_bounded() {
    let size = official("weather").to_string().len();
    let padded = |padding: usize| {
        let empty = changed("weather", "/schema", "title", json!("")).to_string().len() - size;
        listed(&changed("weather", "/schema", "title", json!("a".repeat(padding - empty))))
    };
    assert!(padded(8 * 1024 - size).is_ok());
    assert_eq!(padded(8 * 1024 - size + 1), Err(ListingFault::TooLarge(8 * 1024 + 1)));

    let nested = |levels: usize| (0..levels).fold(json!(true), |inner, _| json!({ "items": inner }));
    // The block, its schema, and the keyword's value at the bottom are levels too.
    assert!(listed(&changed("weather", "/schema", "items", nested(21))).is_ok());
    assert_eq!(listed(&changed("weather", "/schema", "items", nested(22))), Err(ListingFault::TooDeep));
}

#[test]
fn a_resource_has_an_address_on_the_web() {
    let address = |url: &str| {
        let mut payment = payment(json!({ "bazaar": official("weather") }));
        payment.resource.as_mut().unwrap().url = url.to_owned();
        bazaar::listing(&payment, &requirements(), UnixMillis(0)).map(|item| item.unwrap().resource)
    };
    assert_eq!(address("http://127.0.0.1:8787/a").as_deref(), Ok("http://127.0.0.1:8787/a"));
    assert_eq!(address("https://a.example?x=/y").as_deref(), Ok("https://a.example"));
    assert_eq!(address("https://a.example/x#y?z").as_deref(), Ok("https://a.example/x"));
    let long = format!("https://a.example/{}", "a".repeat(2_048));
    for bad in [
        "",
        "/orders",
        "javascript://a.example/%0aalert(1)",
        "mcp://tool/forecast",
        "https://",
        "https:///a",
        "https://user@a.example/",
        "https://a.example\\@b.example/",
        "https://a.example/<script>",
        "https://a example/",
        &long,
    ] {
        assert_eq!(address(bad), Err(ListingFault::Malformed { field: "resource.url" }), "{bad}");
    }
    let mut payment = payment(json!({ "bazaar": official("weather") }));
    payment.resource = None;
    let unnamed = bazaar::listing(&payment, &requirements(), UnixMillis(0));
    assert_eq!(unnamed, Err(ListingFault::Malformed { field: "resource" }));
}

#[test]
fn words_that_are_not_fit_to_be_shown_are_left_out() {
    let mut payment = payment(json!({ "bazaar": official("weather") }));
    let about = payment.resource.as_mut().unwrap();
    about.description = Some("é".repeat(501));
    about.mime_type = Some("text/html\n".to_owned());
    about.service_name = Some("Schö".to_owned());
    let tags = ["", "good", "a\u{7}", &"a".repeat(33), "2", "3", "4", "5", "6"];
    about.tags = Some(tags.map(str::to_owned).to_vec());
    let item = bazaar::listing(&payment, &requirements(), UnixMillis(0)).unwrap().unwrap();
    assert_eq!((item.description, item.mime_type, item.service_name), (None, None, None));
    assert_eq!(item.tags.unwrap(), ["good", "2", "3", "4", "5"]);
}

#[test]
fn two_entries_are_one_resource_if_address_method_and_payee_agree() {
    let identity = |block: &Value, pay_to: &str| {
        let mut requirements = requirements();
        requirements.pay_to = pay_to.to_owned();
        let payment = payment(json!({ "bazaar": block }));
        bazaar::listing(&payment, &requirements, UnixMillis(0)).unwrap().unwrap().identity().unwrap()
    };
    let weather = official("weather");
    let same = changed("weather", "/info/input/queryParams", "city", json!("Rome"));
    assert_eq!(identity(&weather, "0xAb"), identity(&same, "0xaB"));
    assert_ne!(identity(&weather, "0xab"), identity(&weather, "0xac"));
    let any_method = changed("weather", "/schema/properties/input/properties", "method", json!(true));
    let mut other_method = any_method.clone();
    other_method["info"]["input"]["method"] = json!("DELETE");
    assert_ne!(identity(&any_method, "0xab"), identity(&other_method, "0xab"));
    let other_tool = changed("tool", "/info/input", "toolName", json!("history"));
    assert_ne!(identity(&official("tool"), "0xab"), identity(&other_tool, "0xab"));
}

#[test]
fn a_page_has_the_fields_that_others_read() {
    let page = DiscoveryResources {
        x402_version: 2,
        items: vec![listed(&official("weather")).unwrap()],
        pagination: Pagination { limit: 20, offset: 0, total: 1 },
    };
    let json = serde_json::to_value(&page).unwrap();
    assert_eq!(
        json,
        json!({
            "x402Version": 2,
            "items": [{
                "resource": "https://shop.example:8443/orders/7/items",
                "type": "http",
                "x402Version": 2,
                "accepts": [requirements()],
                "lastUpdated": "2025-11-30T14:30:08.000Z",
                "description": "Buy an item",
                "mimeType": "application/json",
                "serviceName": "Shop",
                "tags": ["trade"],
                "extensions": { "bazaar": official("weather") },
            }],
            "pagination": { "limit": 20, "offset": 0, "total": 1 },
        })
    );
    assert_eq!(serde_json::from_value::<DiscoveryResources>(json).unwrap(), page);
}

#[test]
fn faults_are_sentences() {
    for fault in [
        ListingFault::TooLarge(9_000),
        ListingFault::TooDeep,
        ListingFault::ExternalReference,
        ListingFault::Malformed { field: "info" },
        ListingFault::Schema { keyword: "pattern".to_owned() },
        ListingFault::Mismatch,
    ] {
        let text = fault.to_string();
        assert!(text.starts_with("The ") && text.ends_with('.'), "{text}");
    }
}
