//! Figures for a monitor, in the text format of Prometheus, version 0.0.4.
//!
//! A tenant's figures are those of its object and of the tables, and outlive everything. What requests came to is counted by
//! the isolate that answers, from its beginning, over all tenants; a deployment has many isolates, so each names itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::wire::StatsAnswer;

/// The media type of the format.
pub const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds of the histogram of durations, in milliseconds.
pub const DURATION_BOUNDS: [u64; 8] = [5, 10, 25, 50, 100, 250, 1_000, 5_000];

/// What an isolate has answered on one route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// Requests by status.
    pub by_status: BTreeMap<u16, u64>,
    /// Requests that took at most as long as each of [`DURATION_BOUNDS`], and longer than the one before.
    pub took: [u64; DURATION_BOUNDS.len()],
    /// How long all took together, in milliseconds.
    pub took_ms: u64,
}

impl Answered {
    /// Counts one request.
    pub fn count(&mut self, status: u16, took_ms: u64) {
        let requests = self.by_status.entry(status).or_default();
        *requests = requests.saturating_add(1);
        self.took_ms = self.took_ms.saturating_add(took_ms);
        let within = DURATION_BOUNDS.iter().position(|bound| took_ms <= *bound);
        if let Some(count) = within.and_then(|index| self.took.get_mut(index)) {
            *count = count.saturating_add(1);
        }
    }
}

/// The figures of a tenant, and of the isolate that answers: methods and route patterns with what came of them.
pub fn metrics(stats: &StatsAnswer, isolate: &BTreeMap<(String, &'static str), Answered>) -> String {
    let mut text = String::new();
    let usage = &stats.usage;
    for (name, kind, help, value) in [
        ("guildhall_services", "gauge", "Services, deleted ones left out.", stats.services.to_string()),
        ("guildhall_api_keys", "gauge", "API keys that open.", stats.keys.to_string()),
        ("guildhall_webhooks", "gauge", "Webhook endpoints.", stats.webhooks.to_string()),
        ("guildhall_meters", "gauge", "Meters that were used.", usage.meters.to_string()),
        ("guildhall_usage_events_total", "counter", "Events of usage.", usage.events.to_string()),
        ("guildhall_usage_open_quantity", "gauge", "Units in no bill.", usage.total.clone()),
        (
            "guildhall_usage_pending_quantity",
            "gauge",
            "Units in bills that wait for payment.",
            usage.pending.clone(),
        ),
        ("guildhall_usage_settled_quantity_total", "counter", "Units in paid bills.", usage.settled.clone()),
        (
            "guildhall_usage_written_off_quantity_total",
            "counter",
            "Units written off.",
            usage.written_off.clone(),
        ),
        (
            "guildhall_paid_base_units_total",
            "counter",
            "What paid bills came to, in base units.",
            usage.paid.clone(),
        ),
    ] {
        // Writing to a text cannot fail.
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
    }
    requests(&mut text, isolate);
    durations(&mut text, isolate);
    text
}

fn requests(text: &mut String, isolate: &BTreeMap<(String, &'static str), Answered>) {
    const NAME: &str = "guildhall_isolate_http_requests_total";
    let _ = write!(text, "# HELP {NAME} Requests that this isolate has answered.\n# TYPE {NAME} counter\n");
    for ((method, route), answered) in isolate {
        for (status, count) in &answered.by_status {
            let _ =
                writeln!(text, "{NAME}{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}");
        }
    }
}

fn durations(text: &mut String, isolate: &BTreeMap<(String, &'static str), Answered>) {
    const NAME: &str = "guildhall_isolate_http_request_duration_seconds";
    let _ = write!(
        text,
        "# HELP {NAME} How long this isolate took to answer, as its clock shows it: it stands still between I/O.\n# TYPE {NAME} histogram\n"
    );
    for ((method, route), answered) in isolate {
        let labels = format!("method=\"{method}\",route=\"{route}\"");
        let all = answered.by_status.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let mut sum = 0_u64;
        for (bound, count) in DURATION_BOUNDS.iter().zip(answered.took) {
            sum = sum.saturating_add(count);
            let _ = writeln!(text, "{NAME}_bucket{{{labels},le=\"{}\"}} {sum}", seconds(*bound));
        }
        let _ = writeln!(text, "{NAME}_bucket{{{labels},le=\"+Inf\"}} {all}");
        let _ = writeln!(text, "{NAME}_sum{{{labels}}} {}", seconds(answered.took_ms));
        let _ = writeln!(text, "{NAME}_count{{{labels}}} {all}");
    }
}

/// Milliseconds as seconds.
fn seconds(millis: u64) -> String {
    let (whole, rest) = (millis / 1_000, millis % 1_000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_in_one_status_and_in_every_bucket_above_its_duration() {
        let mut answered = Answered::default();
        for (status, took) in [(200, 0), (200, 5), (404, 6), (200, 5_000), (503, 60_000)] {
            answered.count(status, took);
        }
        let mut text = String::new();
        durations(&mut text, &BTreeMap::from([(("GET".to_owned(), "/v1/usage/{agent}"), answered.clone())]));
        let bucket = |le: &str| {
            let label = format!("le=\"{le}\"}} ");
            let line = text.lines().find(|line| line.contains(&label)).unwrap();
            line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
        };
        let counts: Vec<u64> = ["0.005", "0.01", "0.025", "1", "5", "+Inf"].into_iter().map(bucket).collect();
        assert_eq!(counts, [2, 3, 3, 3, 4, 5]);
        assert!(text.contains("_sum{method=\"GET\",route=\"/v1/usage/{agent}\"} 65.011\n"), "{text}");
        assert_eq!(answered.by_status, BTreeMap::from([(200, 3), (404, 1), (503, 1)]));
    }

    #[test]
    fn seconds_are_written_without_needless_digits() {
        for (millis, text) in [(0, "0"), (5, "0.005"), (250, "0.25"), (1_000, "1"), (65_011, "65.011")] {
            assert_eq!(seconds(millis), text);
        }
    }
}
