//! The instructions for agents, `/.well-known/llms.txt` and `/v1/system/docs`.

const TEXT: &str = include_str!("../../documents/llms.txt");

/// The instructions, with `origin` (scheme and host, such as `https://guildhall.dev`) wherever an address is named.
pub fn llms_txt(origin: &str) -> String {
    TEXT.replace("{ws_origin}", &websocket_origin(origin)).replace("{origin}", origin)
}

fn websocket_origin(origin: &str) -> String {
    match origin.strip_prefix("http") {
        Some(rest) => format!("ws{rest}"),
        None => origin.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_filled_in() {
        let text = llms_txt("http://127.0.0.1:8787");
        assert!(text.contains("POST http://127.0.0.1:8787/v1/gigs/create"));
        assert!(text.contains("ws://127.0.0.1:8787/v1/gigs/"));
        assert!(!text.contains("origin}"), "a placeholder is left");
        assert!(llms_txt("https://guildhall.dev").contains("wss://guildhall.dev/v1/gigs/"));
    }

    #[test]
    fn every_code_that_a_gig_refuses_with_is_explained() {
        for refusal in gig::Refusal::ALL {
            // Between the edge and its objects only: a caller sees `payment_in_progress`.
            if refusal != gig::Refusal::NotReserved {
                assert!(TEXT.contains(&format!("`{}`", refusal.code())), "{} is missing", refusal.code());
            }
        }
    }

    /// By method and path, as far as it is written out.
    #[test]
    fn every_route_that_is_named_is_one() {
        let mut routes = 0;
        for (at, _) in TEXT.match_indices("{origin}/") {
            let method = TEXT[..at].rsplit([' ', '\n']).nth(1).filter(|word| ["GET", "POST"].contains(word));
            let path = TEXT[at + "{origin}".len()..]
                .split([' ', ',', '\n', ';', '`', ')', '"', '?'])
                .next()
                .unwrap();
            let name = "0x00000000000000000000000000000000000000000000000000000000000000aa";
            let path = path.replace("{gig_id}", "7d1f0c52-6f0e-8f3a-9d52-1c2b3a4d5e6f");
            let path = path.replace("{run}", "run_aaaaaaaaaaaaaaaaaaaaaaaaaa");
            let path = path.replace("{mandate}", name).replace("{payment}", name).replace("{act}", "deliver");
            if let Some(method) = method {
                assert!(crate::route::route(method, &path).is_ok(), "{method} {path}");
                routes += 1;
            }
        }
        assert!(routes > 15, "{routes} routes");
    }

    /// The acts of section 7.3 are all that there are.
    #[test]
    fn every_act_on_a_payment_is_named() {
        for verb in crate::inbound::mandate::Verb::ALL {
            // The request itself, sent again, submits it.
            if verb.name() != "submit" {
                assert!(TEXT.contains(&format!("`{}`", verb.name())), "{}", verb.name());
            }
        }
    }

    #[test]
    fn every_example_in_json_is_json() {
        let mut examples = 0;
        for block in TEXT.split("```json\n").skip(1) {
            let block = block.split("```").next().unwrap();
            serde_json::from_str::<serde_json::Value>(block)
                .unwrap_or_else(|fault| panic!("{fault} in:\n{block}"));
            examples += 1;
        }
        assert!(examples >= 8, "only {examples} examples were found");
    }
}
