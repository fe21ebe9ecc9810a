//! What is sent is what the published schemas say. The reader here knows as much of JSON Schema as they use.

use api::document::{EXECUTOR_PROTOCOL_JSON, OPENAPI_JSON};
use api::outbound::run::{command, event, run};
use api::wire::{RunAnswer, RunFrame};
use primitives::{BaseUnits, UnixMillis};
use run::{Actor, Event, Task, View};
use serde_json::{Value, json};

use crate::cast::*;
use crate::facts::facts;

/// The first thing in `value` that `schema` does not allow.
fn complaint(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let rules = schema.as_object().unwrap();
    let mut complaints = rules.iter().filter_map(|(keyword, rule)| {
        let within = |schema: &Value, value: &Value, at: &str| complaint(document, schema, value, at);
        match keyword.as_str() {
            "$ref" => {
                let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                within(document.pointer(target).unwrap(), value, at)
            }
            "type" => {
                let is = |kind: &Value| match kind.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("{other}"),
                };
                let kinds = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                (!kinds.iter().any(is)).then(|| format!("{at} is no {rule}"))
            }
            "const" => (rule != value).then(|| format!("{at} is not {rule}")),
            "enum" => (!rule.as_array().unwrap().contains(value)).then(|| format!("{at} is none of {rule}")),
            "properties" => rule
                .as_object()
                .unwrap()
                .iter()
                .find_map(|(name, schema)| within(schema, value.get(name)?, &format!("{at}.{name}"))),
            "required" => rule.as_array().unwrap().iter().find_map(|name| {
                let is_there = value.get(name.as_str().unwrap()).is_some();
                (value.is_object() && !is_there).then(|| format!("{at} lacks {name}"))
            }),
            "items" => {
                value.as_array().and_then(|items| items.iter().find_map(|item| within(rule, item, at)))
            }
            "additionalProperties" => {
                assert_eq!(rule, false);
                let known = rules.get("properties").and_then(Value::as_object);
                let extra = value
                    .as_object()?
                    .keys()
                    .find(|name| known.is_none_or(|known| !known.contains_key(*name)));
                extra.map(|name| format!("{at} has {name}"))
            }
            "oneOf" | "anyOf" => {
                let each: Vec<_> =
                    rule.as_array().unwrap().iter().map(|one| within(one, value, at)).collect();
                let fitting = each.iter().filter(|complaint| complaint.is_none()).count();
                let is_right = if keyword == "oneOf" { fitting == 1 } else { fitting > 0 };
                (!is_right).then(|| format!("{at} fits {fitting} of {each:?}"))
            }
            "minimum" => (value.as_u64()? < rule.as_u64()?).then(|| format!("{at} is too small")),
            "maximum" => (value.as_u64()? > rule.as_u64()?).then(|| format!("{at} is too large")),
            "pattern" => {
                let text = value.as_str()?;
                (!fits(rule.as_str().unwrap(), text)).then(|| format!("{at} is not {rule}: {text}"))
            }
            "format" => {
                assert_eq!(rule, "date-time");
                let is_time = value.as_str()?.parse::<signin::Timestamp>().is_ok();
                (!is_time).then(|| format!("{at} is no time"))
            }
            "description" | "examples" | "default" | "minLength" | "maxLength" | "maxItems" => None,
            other => panic!("{other} at {at}"),
        }
    });
    complaints.next()
}

/// Whether a text fits one of the patterns of our kinds.
fn fits(pattern: &str, text: &str) -> bool {
    let of = |prefix: &str, digits: &str, count: usize| {
        let rest = text.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.len() == count && rest.chars().all(|letter| digits.contains(letter)))
    };
    let (hex, base32) = ("0123456789abcdefABCDEF", "abcdefghijklmnopqrstuvwxyz234567");
    match pattern {
        "^(0|[1-9][0-9]{0,12})$" => text.parse::<run::Cents>().is_ok(),
        "^(0|[1-9][0-9]{0,38})$" => text.parse::<BaseUnits>().is_ok(),
        "^[0-9a-f]{64}$" => of("", &hex[..16], 64),
        "^run_[a-z2-7]{26}$" => of("run_", base32, 26),
        "^exe_[a-z2-7]{26}$" => of("exe_", base32, 26),
        "^[A-Za-z0-9._:-]{1,64}$" => text.parse::<executor::CommandId>().is_ok(),
        "^0x[0-9a-fA-F]{64}$" => of("0x", hex, 64),
        "^0x[0-9a-fA-F]{40}$" => of("0x", hex, 40),
        other => panic!("{other}"),
    }
}

fn document() -> Value {
    serde_json::from_str(OPENAPI_JSON).unwrap()
}

fn assert_fits(document: &Value, name: &str, value: &Value) {
    let schema = &document["components"]["schemas"][name];
    assert!(schema.is_object(), "there is no {name}");
    assert_eq!(complaint(document, schema, value, name), None, "{value}");
}

fn recorded(fact: run::Fact) -> Event {
    Event { v: 1, at: at(5), actor: Actor::Agent, answers: None, fact }
}

#[test]
fn every_event_is_what_the_document_says() {
    let document = document();
    for (seq, fact) in (1..).zip(facts()) {
        assert_fits(&document, "RunEvent", &json!(event(&id(), seq, &recorded(fact))));
    }
    let mut spoiled = json!(event(&id(), 1, &recorded(facts().remove(0))));
    spoiled["payload"]["intent"]["maxBudgetCents"] = json!(2_500);
    let schema = &document["components"]["schemas"]["RunEvent"];
    assert!(complaint(&document, schema, &spoiled, "").is_some(), "the reader reads");
}

#[test]
fn every_answer_is_what_the_document_says() {
    let document = document();
    let begun = View {
        user: None,
        mandate: None,
        selected: None,
        validated_quote: None,
        checkout: None,
        wallet: None,
        order: None,
        pending: None,
        ending: None,
        ..view()
    };
    for view in [view(), begun] {
        assert_fits(&document, "Run", &json!(run(&view)));
        let next_action = run::NextAction {
            actor: Actor::User,
            action: "confirm",
            message: "Confirm it.".to_owned(),
            until: Some(at(600)),
        };
        let next_action = api::outbound::run::next_action(&next_action);
        let answer = RunAnswer { run: run(&view), next_action };
        assert_fits(&document, "RunAnswer", &json!(answer));
        let told = event(&id(), 1, &recorded(facts().remove(3)));
        let message = told.message.clone();
        let frame = RunFrame::Event { event: Box::new(told), run: Box::new(run(&view)), message };
        assert_fits(&document, "RunFrame", &json!(frame));
        let reset = RunFrame::Reset { run: Box::new(run(&view)) };
        assert_fits(&document, "RunFrame", &json!(reset));
    }
    let pass = api::outbound::run::ticket("gld_ticket_x", UnixMillis(0));
    assert_fits(&document, "StreamTicket", &json!(pass));
    assert_fits(&document, "ResultAccepted", &json!(api::outbound::run::accepted(&id())));
    assert_fits(&document, "ExecutorRegistered", &json!(api::outbound::run::registered(&executor(), "x")));
}

#[test]
fn every_command_is_what_the_protocol_says() {
    let protocol: Value = serde_json::from_str(EXECUTOR_PROTOCOL_JSON).unwrap();
    let tasks = [
        revalidation().task,
        Task::PrepareCheckout,
        Task::ReadCheckout,
        Task::ReadPix { expected: run::Cents(2_198) },
        Task::VerifyOrder,
    ];
    let one = &protocol["$defs"]["AgentBrowserCommand"];
    for task in tasks {
        let given = json!(command(&id(), &crate::cast::command(task)));
        assert_eq!(complaint(&protocol, one, &given, "command"), None, "{given}");
    }
}
