//! Speaking to the objects of meters.

use api::binding::meter::{
    Counted, MeterAnswer, MeterAsk, MeterCall, MeterReply, Rest, meter_of, object_name,
};
use futures_util::future::join_all;
use meter::{Part, Subject};
use primitives::{CorrelationId, MeterId};
use shell::{Failure, send};
use worker::Env;

/// The binding of meters.
const METER: &str = "METER";

/// Asks the object of that name.
pub async fn send_to(
    env: &Env,
    object: &str,
    ask: MeterAsk,
    correlation_id: &CorrelationId,
) -> Result<MeterReply, Failure> {
    let call = MeterCall { correlation_id: correlation_id.clone(), ask };
    send(env, METER, object, "ask", &call).await
}

/// Asks a shard of a meter.
pub async fn ask(
    env: &Env,
    meter: &MeterId,
    shard: u8,
    ask: MeterAsk,
    correlation_id: &CorrelationId,
) -> Result<MeterReply, Failure> {
    send_to(env, &object_name(meter, shard), ask, correlation_id).await
}

/// What all shards of a meter have counted: the first one's, whose quote takes in what the others have, and the others'.
/// None when nothing was ever used.
pub async fn look(
    env: &Env,
    meter: &MeterId,
    shards: u8,
    correlation_id: &CorrelationId,
) -> Result<Option<(Counted, Vec<Counted>)>, Failure> {
    let others = (1..shards).map(|shard| counted(env, meter, shard, Vec::new(), correlation_id));
    let others: Vec<Counted> =
        join_all(others).await.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let rest = |one: &Counted| Rest { open: one.open.clone(), handed: one.handed.clone() };
    let first = counted(env, meter, 0, others.iter().map(rest).collect(), correlation_id).await?;
    Ok(first.map(|first| (first, others)))
}

async fn counted(
    env: &Env,
    meter: &MeterId,
    shard: u8,
    others: Vec<Rest>,
    correlation_id: &CorrelationId,
) -> Result<Option<Counted>, Failure> {
    match ask(env, meter, shard, MeterAsk::Look { others }, correlation_id).await? {
        MeterReply::Done(MeterAnswer::Counted(counted)) => Ok(counted.map(|counted| *counted)),
        MeterReply::Done(_) | MeterReply::Refused(_) | MeterReply::OperationReused => Err(unexpected()),
    }
}

/// Has the other shards of a meter hand over what they have open, in the round after the first one's last. Asked again
/// before the first shard has taken that round, each hands over the same.
pub async fn hand_over(
    env: &Env,
    meter: &MeterId,
    subject: &Subject,
    round: u64,
    correlation_id: &CorrelationId,
) -> Result<Vec<Part>, Failure> {
    let parts = (1..subject.shards).map(|shard| {
        let subject = Subject { shard, ..subject.clone() };
        handed(env, meter, subject, round, correlation_id)
    });
    join_all(parts).await.into_iter().collect()
}

async fn handed(
    env: &Env,
    meter: &MeterId,
    subject: Subject,
    round: u64,
    correlation_id: &CorrelationId,
) -> Result<Part, Failure> {
    let shard = subject.shard;
    match ask(env, meter, shard, MeterAsk::HandOver { subject, round }, correlation_id).await? {
        MeterReply::Done(MeterAnswer::HandedOver(handed)) => Ok(Part { shard, handed }),
        MeterReply::Refused(refusal) => Err(Failure::Corrupt(format!("a shard refused: {}", refusal.code()))),
        MeterReply::Done(_) | MeterReply::OperationReused => Err(unexpected()),
    }
}

/// Makes a meter show itself to the lists again, and see to what is overdue.
pub async fn project(env: &Env, object: &str, correlation_id: &CorrelationId) -> Result<(), Failure> {
    send_to(env, object, MeterAsk::Project, correlation_id).await.map(|_| ())
}

/// Whether that is the name of a meter's object.
pub fn is_meter(object: &str) -> bool {
    meter_of(object).is_some()
}

fn unexpected() -> Failure {
    Failure::Runtime("a meter answered something else than it was asked".to_owned())
}
