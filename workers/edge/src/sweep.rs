//! Once a minute: what an alarm or a projection has missed is caught up with.

use api::binding::directory_shards;
use eip712::B256;
use primitives::{EndpointId, GigId, Millis, RunId, TenantId};
use shell::{Failure, fresh_correlation_id};
use worker::Env;

use crate::ports::{board, endpoints, ledger, mandates, metering, meters, objects, runs, tenants};

/// An alarm that is this late is taken for lost.
const GRACE: Millis = Millis::from_seconds(60);
/// Overdue gigs, overdue mandates, and overdue meters, that one sweep wakes.
const OVERDUE_MAX: u32 = 200;
/// Gigs, mandates, runs, tenants, endpoints and meters per directory shard that one sweep has shown again, or woken.
const RETELL_MAX: u32 = 100;

/// Wakes gigs, mandates and meters whose deadline passed unnoticed, and has the next ones of the directory show themselves again.
/// The second is what rebuilds a board or lists that were lost; each one has its turn in a circle. Runs are shown nowhere:
/// they are woken in their turn, and let go of once nothing more can become of them. Executors need no sweep: the runs that
/// wait for one have deadlines of their own.
pub async fn sweep(env: &Env) {
    if let Err(failure) = wake_overdue(env).await {
        shell::log::failure("edge", "sweep", "sweep_failed", &failure);
    }
    for shard in directory_shards() {
        if let Err(failure) = retell(env, &shard).await {
            shell::log::failure("directory", &shard, "sweep_failed", &failure);
        }
    }
}

async fn wake_overdue(env: &Env) -> Result<(), Failure> {
    for gig in board::overdue(env, GRACE, OVERDUE_MAX).await? {
        project(env, &gig).await;
    }
    for mandate in ledger::overdue(env, GRACE, OVERDUE_MAX).await? {
        project(env, &mandate).await;
    }
    for meter in metering::overdue(env, GRACE, OVERDUE_MAX).await? {
        project(env, &meter).await;
    }
    Ok(())
}

async fn retell(env: &Env, shard: &str) -> Result<(), Failure> {
    for name in objects::next_to_sweep(env, shard, RETELL_MAX).await? {
        project(env, &name).await;
    }
    Ok(())
}

/// One that fails does not keep the others from their turn.
async fn project(env: &Env, name: &str) {
    let (kind, outcome) = if name.parse::<GigId>().is_ok() {
        ("gig", objects::gig_project(env, name).await)
    } else if name.parse::<B256>().is_ok() {
        ("mandate", mandates::project(env, name).await)
    } else if name.parse::<RunId>().is_ok() {
        ("run", look_after(env, name).await)
    } else if name.parse::<TenantId>().is_ok() {
        ("tenant", tenants::project(env, name).await)
    } else if name.parse::<EndpointId>().is_ok() {
        ("endpoint", endpoints::project(env, name).await)
    } else if meters::is_meter(name) {
        ("meter", meters::project(env, name, &fresh_correlation_id()).await)
    } else {
        return;
    };
    if let Err(failure) = outcome {
        shell::log::failure(kind, name, "sweep_failed", &failure);
    }
}

async fn look_after(env: &Env, run: &str) -> Result<(), Failure> {
    if runs::wake(env, run).await? { Ok(()) } else { objects::forget(env, run).await }
}
