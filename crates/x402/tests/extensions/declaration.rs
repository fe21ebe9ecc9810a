//! What we declare, in the shape that others read.

use serde_json::{Map, Value, json};
use x402::{
    ResourceKind,
    bazaar::{BodyMethod, BodyType, Declaration, Input, Output, QueryMethod, Route, Transport},
};

use crate::{listed, official};

fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn celsius() -> Output {
    Output {
        example: fields(json!({ "celsius": 21 })),
        schema: fields(json!({ "properties": { "celsius": { "type": "number" } }, "required": ["celsius"] })),
    }
}

fn query() -> Declaration {
    let schema =
        json!({ "properties": { "city": { "type": "string", "minLength": 1 } }, "required": ["city"] });
    Declaration {
        input: Input::Query {
            method: QueryMethod::Get,
            example: fields(json!({ "city": "Berlin" })),
            schema: fields(schema),
        },
        output: Some(celsius()),
        route: None,
    }
}

fn body() -> Declaration {
    let schema = json!({ "properties": { "quantity": { "type": "integer", "minimum": 1 } }, "required": ["quantity"] });
    Declaration {
        input: Input::Body {
            method: BodyMethod::Post,
            body_type: BodyType::Json,
            example: fields(json!({ "quantity": 2 })),
            schema: fields(schema),
        },
        output: Some(Output { example: fields(json!({ "order": "7" })), schema: Map::new() }),
        route: Some(Route {
            template: "/orders/:id/items".parse().unwrap(),
            parameters: fields(json!({ "id": "7" })),
        }),
    }
}

fn tool() -> Declaration {
    let schema = json!({ "properties": { "city": { "type": "string" } }, "required": ["city"] });
    Declaration {
        input: Input::Tool {
            name: "forecast".to_owned(),
            description: Some("Tomorrow's weather".to_owned()),
            transport: Some(Transport::StreamableHttp),
            schema: fields(schema),
            example: Some(fields(json!({ "city": "Berlin" }))),
        },
        output: Some(Output { example: fields(json!({ "celsius": 21 })), schema: Map::new() }),
        route: None,
    }
}

#[test]
fn its_information_is_what_the_official_package_writes() {
    for (ours, name) in [(query(), "weather"), (body(), "order"), (tool(), "tool")] {
        let (ours, theirs) = (ours.to_value(), official(name));
        assert_eq!(ours["info"], theirs["info"], "{name}");
        assert_eq!(ours.get("routeTemplate"), theirs.get("routeTemplate"), "{name}");
        assert_eq!(ours["schema"]["$schema"], theirs["schema"]["$schema"]);
        // Their schema fits our information as well: both say the same of a request.
        let mut swapped = ours;
        swapped["schema"] = theirs["schema"].clone();
        assert!(listed(&swapped).is_ok(), "{name}");
    }
}

#[test]
fn what_we_declare_can_be_listed() {
    assert_eq!(listed(&query().to_value()).unwrap().kind, ResourceKind::Http);
    assert_eq!(listed(&body().to_value()).unwrap().resource, "https://shop.example:8443/orders/:id/items");
    assert_eq!(listed(&tool().to_value()).unwrap().kind, ResourceKind::Mcp);
}

#[test]
fn its_schema_refuses_what_does_not_fit() {
    for (declaration, pointer, value) in [
        (query(), "/info/input/method", json!("HEAD")),
        (query(), "/info/input/queryParams", json!({})),
        (query(), "/info/output/example", json!({ "celsius": "warm" })),
        (body(), "/info/input/body/quantity", json!(0)),
        (body(), "/info/input/bodyType", json!("text")),
        (tool(), "/info/input/example", json!({})),
    ] {
        let mut block = declaration.to_value();
        *block.pointer_mut(pointer).unwrap() = value;
        assert_eq!(listed(&block), Err(x402::bazaar::ListingFault::Mismatch), "{pointer}");
    }
}

#[test]
fn its_schema_knows_every_field_of_the_input() {
    for declaration in [query(), body(), tool()] {
        let mut block = declaration.to_value();
        block["info"]["input"]["surprise"] = json!(1);
        assert_eq!(listed(&block), Err(x402::bazaar::ListingFault::Mismatch));
    }
}

#[test]
fn a_tool_has_no_route() {
    let declaration = Declaration { route: body().route, ..tool() };
    assert_eq!(declaration.to_value(), tool().to_value());
}
