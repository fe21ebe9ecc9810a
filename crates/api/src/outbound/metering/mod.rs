//! Metering and billing, as they are shown. What is shown holds no secret but one that was just made.

pub mod hold;
pub mod paying;

mod bill;
mod configuration;
mod limits;
mod metrics;
mod price;
mod refused;
mod service;
mod settlement;
mod stats;
mod tenant;
mod tenant_refused;
mod tenant_told;
mod told;
mod usage;

pub use bill::{asset, bill, total};
pub use configuration::{account, configuration};
pub use limits::{CHALLENGE, ends_in, key_missing, operator_missing, rate_headers, too_often};
pub use metrics::{Answered, DURATION_BOUNDS, METRICS_TYPE, metrics};
pub use price::{price, pricing};
pub use refused::meter_problem;
pub use service::{etag, metadata, prices, registered, service, services};
pub use settlement::{committed, hold_refused, reservation, settled_many, settlement, settlement_status};
pub use stats::stats;
pub use tenant::{issued, key, keys, opened, rate, scope, tenant};
pub use tenant_refused::{key_reused, tenant_problem};
pub use tenant_told::tenant_news;
pub use told::{Origin, Told, meter_news};
pub use usage::{Counting, Item, bulk, event_name, events, item_error, meter, reversal, usage};
