//! The market by an observer's eyes: what it is asked at `POST /v1/search`, and what its answer means.

use run::{Candidate, Cents, Found, Intent, limits};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use signin::Timestamp;

use crate::limits::OBSERVER_ANSWER_BYTES;

/// What an observer said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// What it came to.
    pub found: Found,
    /// Offers that were left out: those that cannot be read, and those beyond [`limits::OBSERVATIONS`].
    pub skipped: usize,
}

/// The answer, as far as anybody reads it. It may say more.
#[derive(Deserialize)]
struct Answer {
    source: String,
    observations: Vec<Offer>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Offer {
    Read(Observation),
    Unread(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Observation {
    observation_id: String,
    candidate_id: Option<String>,
    platform: String,
    merchant_name: String,
    total_cents: Total,
    observed_at: String,
}

/// An amount as a JSON integer or as decimal text. What has a fraction or an exponent is neither.
#[derive(Deserialize)]
#[serde(untagged)]
enum Total {
    Number(u64),
    Text(Cents),
}

/// The body that asks for offers.
pub fn question(intent: &Intent) -> String {
    let Intent { requirement, quantity, .. } = intent;
    json!({ "requirement": requirement, "quantity": quantity }).to_string()
}

/// Reads an answer. Whether an offer is any good, the run judges; an answer in which nothing can be read is none.
pub fn answer(status: u16, text: &str) -> Heard {
    let unavailable = |reason| Heard { found: Found::Unavailable { reason }, skipped: 0 };
    if status != 200 {
        return unavailable(format!("The market's observer answered with status {status}."));
    }
    if text.len() > OBSERVER_ANSWER_BYTES {
        return unavailable("The market's observer answered at too great a length.".to_owned());
    }
    let Answer { source, observations } = match serde_json::from_str(text) {
        Ok(answer) => answer,
        // The fault's own words may quote the answer, which is a stranger's.
        Err(fault) => {
            let (line, column) = (fault.line(), fault.column());
            let reason = format!(
                "The market's observer answered what cannot be read, at line {line}, column {column}."
            );
            return unavailable(reason);
        }
    };
    if source.is_empty() || source.len() > limits::NAME_BYTES {
        return unavailable("The market's observer does not say what it is.".to_owned());
    }
    let said = observations.len();
    let read = observations.into_iter().take(limits::OBSERVATIONS).filter_map(Offer::candidate);
    let candidates: Vec<_> = read.collect();
    if candidates.is_empty() && said > 0 {
        return unavailable(format!("None of the {said} offers of the market's observer can be read."));
    }
    let skipped = said.saturating_sub(candidates.len());
    Heard { found: Found::Candidates { source, candidates }, skipped }
}

impl Offer {
    fn candidate(self) -> Option<Candidate> {
        let Self::Read(observation) = self else { return None };
        let Observation { observation_id, candidate_id, platform, merchant_name, total_cents, observed_at } =
            observation;
        let observed_total = match total_cents {
            Total::Number(number) => Some(Cents(number)).filter(|cents| *cents <= Cents::MAX)?,
            Total::Text(cents) => cents,
        };
        Some(Candidate {
            candidate_id: candidate_id.unwrap_or_else(|| observation_id.clone()),
            observation_id,
            source: platform,
            merchant: merchant_name,
            observed_total,
            observed_at: observed_at.parse::<Timestamp>().ok()?.at(),
        })
    }
}

#[cfg(test)]
mod tests {
    use primitives::UnixMillis;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn offer() -> Value {
        json!({
            "observationId": "obs-1", "candidateId": "shop-1", "platform": "ifood", "merchantName": "Mercado Central",
            "totalCents": "1990", "observedAt": "2024-02-29T12:34:56.007Z",
        })
    }

    fn said(observations: Vec<Value>) -> String {
        json!({ "source": "observer.example", "observations": observations }).to_string()
    }

    /// What is read of an offer in which one field is another.
    fn with(field: &str, value: Value) -> Option<Candidate> {
        let mut changed = offer();
        changed[field] = value;
        read(&answer(200, &said(vec![changed, offer()]))).map(|read| read[0].clone())
    }

    /// The offers, if both were read.
    fn read(heard: &Heard) -> Option<Vec<Candidate>> {
        let Found::Candidates { candidates, .. } = &heard.found else { panic!("{heard:?}") };
        match (candidates.len(), heard.skipped) {
            (2, 0) => Some(candidates.clone()),
            (1, 1) => None,
            counts => panic!("{counts:?}"),
        }
    }

    #[track_caller]
    fn is_unavailable(status: u16, text: &str, part: &str) {
        let Heard { found: Found::Unavailable { reason }, skipped: 0 } = answer(status, text) else {
            panic!("{text} was taken for an answer")
        };
        assert!(reason.contains(part) && reason.len() <= limits::REASON_BYTES, "{reason}");
    }

    #[test]
    fn an_observer_is_asked_for_the_product_and_how_many() {
        let intent =
            Intent { requirement: "caf\u{e9} \"500g\"".to_owned(), quantity: 2, max_total: Cents(5_000) };
        let asked: Value = serde_json::from_str(&question(&intent)).unwrap();
        assert_eq!(
            asked,
            json!({ "requirement": "caf\u{e9} \"500g\"", "quantity": 2 }),
            "and not for what may be spent"
        );
    }

    #[test]
    fn an_offer_is_read_as_it_is_written() {
        let candidate = Candidate {
            candidate_id: "shop-1".to_owned(),
            observation_id: "obs-1".to_owned(),
            source: "ifood".to_owned(),
            merchant: "Mercado Central".to_owned(),
            observed_total: Cents(1_990),
            observed_at: UnixMillis(1_709_210_096_007),
        };
        let source = "observer.example".to_owned();
        let found = Found::Candidates { source, candidates: vec![candidate.clone()] };
        assert_eq!(answer(200, &said(vec![offer()])), Heard { found, skipped: 0 });
        assert_eq!(with("totalCents", json!(1_990)), Some(candidate.clone()));
        assert_eq!(with("rating", json!({ "stars": 4.5 })), Some(candidate.clone()));
        let unnamed = Candidate { candidate_id: "obs-1".to_owned(), ..candidate };
        assert_eq!(with("candidateId", Value::Null), Some(unnamed.clone()));
        let mut nameless = offer();
        nameless.as_object_mut().unwrap().remove("candidateId");
        assert_eq!(read(&answer(200, &said(vec![nameless, offer()]))).unwrap()[0], unnamed);
    }

    #[test]
    fn a_market_without_offers_is_a_market() {
        let found = Found::Candidates { source: "observer.example".to_owned(), candidates: Vec::new() };
        assert_eq!(answer(200, &said(vec![])), Heard { found, skipped: 0 });
    }

    #[test]
    fn an_amount_is_an_integer_or_its_decimal_text() {
        assert_eq!(with("totalCents", json!(Cents::MAX.0)).unwrap().observed_total, Cents::MAX);
        assert_eq!(with("totalCents", json!(Cents::MAX.to_string())).unwrap().observed_total, Cents::MAX);
        for bad in ["19.90", "1990.0", "1e3", "-1", "+1", "01990", "", " 1990", "0x7c6", "1000000000001"] {
            assert_eq!(with("totalCents", json!(bad)), None, "{bad:?}");
        }
        for bad in
            [json!(19.9), json!(-1), json!(1_000_000_000_001_u64), json!(u64::MAX), json!(null), json!([1])]
        {
            assert_eq!(with("totalCents", bad.clone()), None, "{bad}");
        }
        // Whole floats, and what is too large for an integer, are floats all the same.
        for bad in ["1990.0", "1.99e3", "18446744073709551616"] {
            let text = said(vec![offer(), offer()]).replacen("\"1990\"", bad, 1);
            assert!(text.contains(bad));
            assert_eq!(read(&answer(200, &text)), None, "{bad}");
        }
    }

    #[test]
    fn one_bad_offer_is_left_out_and_counted() {
        let bad = [
            ("observationId", json!(7)),
            ("candidateId", json!(7)),
            ("platform", Value::Null),
            ("merchantName", json!(["Mercado Central"])),
            ("observedAt", json!(1_709_210_096_007_u64)),
            ("observedAt", json!("yesterday")),
            ("observedAt", json!("1969-12-31T23:59:59Z")),
        ];
        for (field, value) in bad {
            assert_eq!(with(field, value.clone()), None, "{field}: {value}");
        }
        for field in ["observationId", "platform", "merchantName", "totalCents", "observedAt"] {
            let mut missing = offer();
            missing.as_object_mut().unwrap().remove(field);
            assert_eq!(read(&answer(200, &said(vec![missing, offer()]))), None, "{field}");
        }
        for nonsense in [json!(null), json!("offer"), json!([]), json!({})] {
            assert_eq!(read(&answer(200, &said(vec![nonsense.clone(), offer()]))), None, "{nonsense}");
        }
        // Of two totals nobody knows which is meant.
        let twice =
            said(vec![offer(), offer()]).replacen("\"totalCents\"", "\"totalCents\":\"1\",\"totalCents\"", 1);
        assert_eq!(read(&answer(200, &twice)), None);
    }

    #[test]
    fn no_more_offers_are_read_than_a_search_may_find() {
        let many = vec![offer(); limits::OBSERVATIONS + 3];
        let Heard { found: Found::Candidates { candidates, .. }, skipped } = answer(200, &said(many)) else {
            panic!("no offers")
        };
        assert_eq!((candidates.len(), skipped), (limits::OBSERVATIONS, 3));
    }

    #[test]
    fn a_wrong_answer_is_none() {
        let good = said(vec![offer()]);
        for status in [199, 201, 204, 301, 400, 401, 404, 429, 500, 503] {
            is_unavailable(status, &good, &format!("status {status}"));
        }
        is_unavailable(200, &format!("{good}{}", " ".repeat(OBSERVER_ANSWER_BYTES)), "length");
        is_unavailable(200, "", "line 1, column 0");
        is_unavailable(200, &good.replace("observations", "offers"), "cannot be read");
        is_unavailable(200, &format!("[{good}]"), "cannot be read");
        is_unavailable(200, "{\"source\":\"a\",\"observations\":{}}", "cannot be read");
        is_unavailable(200, "{\"source\":\"\",\"observations\":[]}", "what it is");
        is_unavailable(
            200,
            &good.replace("observer.example", &"o".repeat(limits::NAME_BYTES + 1)),
            "what it is",
        );
        is_unavailable(200, &said(vec![json!({}); 3]), "None of the 3");
    }

    /// The reason is shown to the run's owner and kept in its journal.
    #[test]
    fn a_fault_quotes_nothing_of_the_answer() {
        let Found::Unavailable { reason } =
            answer(200, "{\"source\":\"a\",\"observations\":\"gld_run_secret\"}").found
        else {
            panic!("taken for an answer")
        };
        assert!(!reason.contains("secret"), "{reason}");
    }

    proptest! {
        #[test]
        fn no_answer_is_too_strange_to_be_heard(text in "\\PC{0,200}", status in any::<u16>()) {
            let _ = answer(status, &text);
        }
    }
}
