//! Metering and billing: from bodies, headers and queries to what tenants and meters are asked.

mod bill;
mod cloud_event;
mod configuration;
mod reservation;
mod service;
mod tenant;
mod usage;

pub use bill::{PAIRS_MAX, Pair, Paying, from_mandate, new_settlement, pair, pairs, transaction};
pub use configuration::{account, configuration, drain, mandate, operation, revision, seen_revision};
pub use reservation::{Commitment, Reserving, commitment, new_reservation, reservation};
pub use service::{Price, SERVICES_MAX, disabled, metadata, price, service, services, wanted};
pub use tenant::{KeyWanted, Opening, in_place_of, key, pause, rotation, tenant};
pub use usage::{Naming, Reversing, Sent, Unread, Usage, bulk, reversal, usage};
