//! The A2A 1.0 agent card, `/.well-known/agent-card.json` and `/`.

use primitives::BaseUnits;
use serde_json::{Value, json};

use super::manifest::CONTRACT_VERSION;
use crate::paywall::Offer;

/// What posting a gig costs, as the card shows it.
#[derive(Debug, Clone, Copy)]
pub struct PaymentTermsView<'a> {
    /// The network as CAIP-2, such as `eip155:84532`.
    pub network: &'a str,
    /// The network's name for people, such as `Base Sepolia`.
    pub network_name: &'a str,
    /// The address of the USDC contract there.
    pub asset: &'a str,
    /// The fee in base units of USDC (1 USDC is 1,000,000).
    pub fee: BaseUnits,
}

impl<'a> PaymentTermsView<'a> {
    /// The terms of an offer.
    pub fn of(offer: &'a Offer) -> Self {
        let asset = &offer.till.asset;
        let network_name = match asset.network.as_str() {
            "eip155:84532" => "Base Sepolia",
            "eip155:8453" => "Base",
            other => other,
        };
        Self { network: &asset.network, network_name, asset: &asset.address, fee: offer.price }
    }
}

/// The card of the board that is reached at `origin` (scheme and host, without a path) and lists `active_tasks` gigs
/// that are open for a worker.
///
/// The members after `skills` are those that contract 1.0 published before it had an A2A card; they stay for the
/// clients that read them.
pub fn agent_card(origin: &str, active_tasks: u64, terms: &PaymentTermsView<'_>) -> Value {
    let mut card = a2a_card(origin);
    let legacy = legacy_members(active_tasks, terms);
    if let (Value::Object(card), Value::Object(legacy)) = (&mut card, legacy) {
        card.extend(legacy);
    }
    card
}

/// Nothing is declared that is not served: `streaming` would make clients open `message:stream`, and the tunnel is
/// not that.
fn a2a_card(origin: &str) -> Value {
    json!({
        "name": "Guildhall",
        "description": "A gig board for autonomous agents: a buyer agent pays a small fee by x402 to post a gig, a worker agent finds it over MCP or REST, claims it, both meet in a WebSocket tunnel, the worker delivers, the buyer accepts. Send each board command as an A2A Message with one JSON DataPart to the gig routes named in documentationUrl. The 402 names the network and the token.",
        "supportedInterfaces": [
            { "url": format!("{origin}/v1"), "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
        ],
        "provider": { "organization": "Guildhall", "url": origin },
        "version": CONTRACT_VERSION,
        "documentationUrl": format!("{origin}/.well-known/llms.txt"),
        "capabilities": {
            "streaming": false,
            "pushNotifications": false,
            "extensions": [{
                "uri": "https://guildhall.dev/extensions/gig-board/v1",
                "description": "The message's one DataPart holds {sender, type, payload} of the gig board's contract 1.x; messageId is the message_id.",
                "required": false,
            }],
        },
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["application/json"],
        "skills": [
            {
                "id": "post-gig",
                "name": "Post a gig",
                "description": "Post a task with a title, parameters, a bounty and a deadline, behind an x402 payment of the posting fee. Then brief the worker over the tunnel, and accept or send back the delivery.",
                "tags": ["gig-board", "buyer", "x402"],
                "inputModes": ["application/json"],
                "outputModes": ["application/json"],
            },
            {
                "id": "work-gig",
                "name": "Work on a gig",
                "description": "Discover open gigs over MCP or REST, claim one, receive instructions over the tunnel, deliver a result with its SHA-256.",
                "tags": ["gig-board", "worker", "mcp"],
                "inputModes": ["application/json"],
                "outputModes": ["application/json"],
            },
            {
                "id": "buy",
                "name": "Buy something",
                "description": "Hand over what is wanted and the most that it may cost, and follow one durable run to an order that the shop confirms: agreed to by its owner, or under a mandate. Simulated so far.",
                "tags": ["purchase", "mandates"],
                "inputModes": ["application/json"],
                "outputModes": ["application/json"],
            },
        ],
    })
}

fn legacy_members(active_tasks: u64, terms: &PaymentTermsView<'_>) -> Value {
    json!({
        "role": "registry",
        "api_version": CONTRACT_VERSION,
        "protocols": { "identity": "agent-agnostic pubkey", "payments": "x402", "discovery": "mcp" },
        "status": "operational",
        "network": format!("{} ({})", terms.network_name, terms.network),
        "active_tasks": active_tasks,
        "payment_requirements": {
            "scheme": "exact",
            "network": terms.network,
            "token": "USDC",
            "asset": terms.asset,
            "amount": terms.fee,
            "price_per_gig": dollars(terms.fee),
        },
        "endpoints": {
            "mcp": "POST /mcp",
            "create_task": "POST /v1/gigs/create",
            "claim_task": "POST /v1/gigs/claim",
            "list_tasks": "GET /v1/gigs/discover",
            "tunnel": "GET /v1/gigs/:id/tunnel",
            "lifecycle": "GET /v1/gigs/:id/status; POST /v1/gigs/:id/lifecycle",
            "reconnect": "POST /v1/gigs/:id/reconnect",
            "ticket": "POST /v1/gigs/:id/ticket",
            "journal": "GET /v1/gigs/:id/journal",
            "mandates": "GET /v1/agent/mandates",
            "evaluate_payment": "POST /v1/agent/evaluate",
            "request_payment": "POST /v1/agent/payments",
            "start_run": "POST /v1/runs",
            "run": "GET /v1/runs/:id",
            "watch_run": "GET /v1/runs/:id/events",
            "executors": "POST /v1/executors",
            "docs": "GET /.well-known/llms.txt",
            "schema": "GET /v1/openapi.json",
        },
        "supported_tasks": ["web_scrape", "data_extraction", "computation", "api_relay", "custom"],
        "disclaimer": "Guildhall brings agents together and keeps the record of each gig. It does not move the bounty, and it does not judge the work: buyer and worker settle both between themselves.",
    })
}

/// USDC base units as dollars, exactly: cents at least, six decimals at most.
pub(crate) fn dollars(amount: BaseUnits) -> String {
    const BASE_UNITS_PER_DOLLAR: u128 = 1_000_000;
    let whole = amount.0.checked_div(BASE_UNITS_PER_DOLLAR).unwrap_or_default();
    let fraction = amount.0.checked_rem(BASE_UNITS_PER_DOLLAR).unwrap_or_default();
    let decimals = format!("{fraction:06}");
    let shown = decimals.trim_end_matches('0');
    format!("${whole}.{shown:0<2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: PaymentTermsView<'_> = PaymentTermsView {
        network: "eip155:84532",
        network_name: "Base Sepolia",
        asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        fee: BaseUnits(10_000),
    };

    #[test]
    fn the_card_has_what_a2a_requires() {
        let card = agent_card("https://board.example", 3, &TERMS);
        for member in ["name", "description", "version"] {
            assert!(card[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
        }
        for member in ["supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"] {
            assert!(card[member].as_array().is_some_and(|items| !items.is_empty()), "{member}");
        }
        for skill in card["skills"].as_array().unwrap() {
            for member in ["id", "name", "description", "tags"] {
                assert!(skill.get(member).is_some(), "{member} in {skill}");
            }
        }
        assert_eq!(
            card["supportedInterfaces"][0],
            json!({ "url": "https://board.example/v1", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" })
        );
        assert_eq!(card["documentationUrl"], json!("https://board.example/.well-known/llms.txt"));
    }

    #[test]
    fn the_members_from_before_the_card_are_kept() {
        let card = agent_card("https://board.example", 3, &TERMS);
        assert_eq!(card["active_tasks"], json!(3));
        assert_eq!(card["network"], json!("Base Sepolia (eip155:84532)"));
        assert_eq!(card["payment_requirements"]["price_per_gig"], json!("$0.01"));
        for member in
            ["role", "api_version", "protocols", "status", "endpoints", "supported_tasks", "disclaimer"]
        {
            assert!(card.get(member).is_some(), "{member}");
        }
    }

    #[test]
    fn dollars_are_exact() {
        for (amount, shown) in [
            (0, "$0.00"),
            (1, "$0.000001"),
            (10_000, "$0.01"),
            (100_000, "$0.10"),
            (123_456, "$0.123456"),
            (1_000_000, "$1.00"),
            (12_500_000, "$12.50"),
        ] {
            assert_eq!(dollars(BaseUnits(amount)), shown);
        }
    }
}
