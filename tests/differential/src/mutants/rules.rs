//! The list of rules with one of them left out, moved, or drawn one too wide or too narrow.

use alloy_primitives::U256;
use mandate::{Finding, Reason, Relation, explain};

use super::{Case, Verdict};

/// How a rule is wrong.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// It is not checked.
    Dropped,
    /// It is checked after its successor.
    Late,
    /// Equality counts for the other side.
    Edge,
    /// Its limit is one more.
    More,
    /// Its limit is one less.
    Less,
    /// It takes what is smaller for equal.
    SmallerToo,
    /// It takes what is greater for equal.
    GreaterToo,
}

const FAULTS: [(Fault, &str); 7] = [
    (Fault::Dropped, "is not checked"),
    (Fault::Late, "is checked after the rule that follows"),
    (Fault::Edge, "has its edge on the other side"),
    (Fault::More, "has a limit one more"),
    (Fault::Less, "has a limit one less"),
    (Fault::SmallerToo, "takes what is smaller for equal"),
    (Fault::GreaterToo, "takes what is greater for equal"),
];

pub(super) struct Mutant {
    pub(super) name: String,
    rule: Reason,
    fault: Fault,
}

/// Where a rule compares, by the kind of comparison; elsewhere it states a fact, and can only be dropped or moved.
fn comparison(rule: Reason) -> Option<Relation> {
    match rule {
        Reason::PolicyVersion | Reason::Token | Reason::Terms => Some(Relation::Equal),
        Reason::MandateNotStarted | Reason::RequestNotStarted | Reason::RefundBy | Reason::ZeroAmount => {
            Some(Relation::AtLeast)
        }
        Reason::MandateExpired | Reason::RequestExpired | Reason::DeliverBy | Reason::ApprovalExpired => {
            Some(Relation::Below)
        }
        Reason::CaptureBy => Some(Relation::Above),
        Reason::EntryPaymentCap
        | Reason::PaymentCap
        | Reason::EntryWindowCap
        | Reason::DayCount
        | Reason::DayCap
        | Reason::MonthCap
        | Reason::LifetimeCap
        | Reason::Ceiling
        | Reason::Funds
        | Reason::ApprovalMissing => Some(Relation::AtMost),
        _ => None,
    }
}

/// Every rule of authorization with every fault that it can have.
pub(super) fn mutants() -> Vec<Mutant> {
    let rules = Reason::ALL
        .iter()
        .copied()
        .filter(|rule| (Reason::UnknownMandate..=Reason::ApprovalSignature).contains(rule));
    let can_have = |rule: Reason, fault: Fault| match fault {
        // Without a mandate nothing else can be asked, and after the last rule comes none.
        Fault::Dropped => rule != Reason::UnknownMandate,
        Fault::Late => ![Reason::UnknownMandate, Reason::ApprovalSignature].contains(&rule),
        Fault::Edge | Fault::More | Fault::Less => {
            comparison(rule).is_some_and(|relation| relation != Relation::Equal)
        }
        Fault::SmallerToo | Fault::GreaterToo => comparison(rule) == Some(Relation::Equal),
    };
    rules
        .flat_map(|rule| FAULTS.iter().map(move |(fault, words)| (rule, *fault, *words)))
        .filter(|(rule, fault, _)| can_have(*rule, *fault))
        .map(|(rule, fault, words)| Mutant { name: format!("{rule:?} {words}"), rule, fault })
        .collect()
}

impl Case<'_> {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let request = &self.item.order;
        let of = self.book.mandates.get(&request.mandate);
        let ceiling = of.map(|of| self.book.ceiling_of(of)).unwrap_or_default();
        explain(of, request, &self.book.proof(self.item, self.step.by), self.step.at, &ceiling)
    }
}

impl Mutant {
    pub(super) fn verdict(&self, findings: &[Finding]) -> Verdict {
        let mut list = findings.to_vec();
        let Some(at) = list.iter().position(|finding| finding.rule == self.rule) else {
            return first(&list);
        };
        let finding = &mut list[at];
        match self.fault {
            Fault::Dropped => drop(list.remove(at)),
            Fault::Late => list.swap(at, at + 1),
            Fault::Edge => finding.relation = other_edge(finding.relation),
            Fault::More if !is_fact(finding) => finding.limit = finding.limit.saturating_add(U256::from(1)),
            Fault::Less if !is_fact(finding) => finding.limit = finding.limit.saturating_sub(U256::from(1)),
            Fault::More | Fault::Less => {}
            Fault::SmallerToo => finding.relation = Relation::AtMost,
            Fault::GreaterToo => finding.relation = Relation::AtLeast,
        }
        first(&list)
    }
}

fn is_fact(finding: &Finding) -> bool {
    matches!(finding.relation, Relation::Fact { .. })
}

fn first(findings: &[Finding]) -> Verdict {
    findings.iter().find(|finding| !finding.passes()).map_or(Reason::None, |finding| finding.rule)
}

const fn other_edge(relation: Relation) -> Relation {
    match relation {
        Relation::AtMost => Relation::Below,
        Relation::Below => Relation::AtMost,
        Relation::AtLeast => Relation::Above,
        Relation::Above => Relation::AtLeast,
        Relation::Equal => Relation::Equal,
        Relation::Fact { holds } => Relation::Fact { holds },
    }
}
