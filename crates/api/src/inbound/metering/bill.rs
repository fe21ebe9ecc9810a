//! What is to be billed, and how a bill is to be paid.

use std::collections::BTreeSet;

use primitives::{AgentName, MeterId, ServiceName, SettlementId};
use serde_json::Value;
use tenant::PayTo;

use super::usage::fault;
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::metering::{PairBody, PairsBody, PayFromMandateBody, TransactionBody};

/// Pairs in one request: each is a word with an object, and a Worker has so many at once.
pub const PAIRS_MAX: usize = 100;

/// An agent and a service.
pub type Pair = (AgentName, ServiceName);

/// Reads a pair.
///
/// # Errors
/// 400 with every fault.
pub fn pair(body: &Value) -> Result<Pair, Problem> {
    let body: PairBody = shape(body)?;
    let mut faults = Faults::default();
    let pair = take(&mut faults, "", &body);
    faults.finish(pair)
}

/// Reads many pairs, each of which stands once.
///
/// # Errors
/// 400 with every fault; 422 for more than [`PAIRS_MAX`].
pub fn pairs(body: &Value) -> Result<Vec<Pair>, Problem> {
    let PairsBody { items } = shape(body)?;
    if items.is_empty() {
        return Err(fault("items", "is empty; send 1 pair or more"));
    }
    if items.len() > PAIRS_MAX {
        let detail =
            format!("The bulk has {} pairs; {PAIRS_MAX} are taken at once. Send it in parts.", items.len());
        return Err(Problem::new(422, "bulk_too_large", detail));
    }
    let mut faults = Faults::default();
    let (mut pairs, mut seen) = (Vec::new(), BTreeSet::new());
    for (index, item) in items.iter().enumerate() {
        let pair = take(&mut faults, &format!("items[{index}]."), item);
        if let Some(pair) = pair {
            if !seen.insert(pair.clone()) {
                faults.add(&format!("items[{index}]"), "stands more than once");
            }
            pairs.push(pair);
        }
    }
    faults.finish(Some(pairs))
}

fn take(faults: &mut Faults, at: &str, body: &PairBody) -> Option<Pair> {
    let agent = faults.take(&format!("{at}agent"), body.agent.parse::<AgentName>());
    let service = faults.take(&format!("{at}serviceId"), body.service_id.parse::<ServiceName>());
    agent.zip(service)
}

/// The id of a bill that is to be drawn up at `meter`, of 32 fresh random bytes: whoever knows it may pay.
pub fn new_settlement(meter: &MeterId, fresh: [u8; 32]) -> SettlementId {
    SettlementId::derive(meter, &[b"guildhall settlement id v1\0", &fresh])
}

/// Reads from which mandate a bill is to be paid: `0x` and 64 hexadecimal digits in lower case.
///
/// # Errors
/// 400 with the fault.
pub fn from_mandate(body: &Value) -> Result<String, Problem> {
    let PayFromMandateBody { mandate } = shape(body)?;
    let mut faults = Faults::default();
    let mandate = faults.hash("mandate", &mandate);
    faults.finish(Some(format!("{mandate:#x}")))
}

/// A transaction that is said to have paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paying {
    /// Its hash: `0x` and 64 hexadecimal digits in lower case.
    pub transaction: String,
    /// Who has sent the money: `0x` and 40 hexadecimal digits in lower case.
    pub payer: String,
}

/// Reads which transaction of the deployment's EVM chain is said to have paid.
///
/// # Errors
/// 400 with every fault.
pub fn transaction(body: &Value) -> Result<Paying, Problem> {
    let TransactionBody { transaction, payer } = shape(body)?;
    let mut faults = Faults::default();
    let transaction = faults.hash("transaction", &transaction);
    let payer = faults.take("payer", payer.to_ascii_lowercase().parse::<PayTo>());
    let payer = payer.map(|payer| payer.as_str().to_owned());
    faults.finish(payer.map(|payer| Paying { transaction: format!("{transaction:#x}"), payer }))
}
