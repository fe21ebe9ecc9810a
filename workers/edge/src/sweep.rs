//! Once a minute: what an alarm or a projection has missed is caught up with.

use api::binding::directory_shards;
use primitives::{GigId, Millis};
use shell::Failure;
use worker::Env;

use crate::ports::{board, objects};

/// An alarm that is this late is taken for lost.
const GRACE: Millis = Millis::from_seconds(60);
/// Overdue gigs that one sweep wakes.
const OVERDUE_MAX: u32 = 200;
/// Gigs per directory shard that one sweep has shown on the board again.
const RETELL_MAX: u32 = 100;

/// Wakes gigs whose deadline passed unnoticed, and has the next gigs of the directory tell the board about themselves.
/// The second is what rebuilds a board that was lost; each gig of the directory has its turn in a circle.
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
    Ok(())
}

async fn retell(env: &Env, shard: &str) -> Result<(), Failure> {
    for gig in objects::next_to_sweep(env, shard, RETELL_MAX).await? {
        project(env, &gig).await;
    }
    Ok(())
}

/// One gig that fails does not keep the others from their turn.
async fn project(env: &Env, gig: &str) {
    if gig.parse::<GigId>().is_err() {
        return;
    }
    if let Err(failure) = objects::gig_project(env, gig).await {
        shell::log::failure("gig", gig, "sweep_failed", &failure);
    }
}
