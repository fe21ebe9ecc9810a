//! Metering and billing: JSON in camelCase.
//!
//! What a value is, unless its field says something else:
//!
//! - an amount is a decimal text of base units of the asset that bills are paid in, without sign or leading zeros;
//! - a quantity is a decimal text, such as `1.5`; on the way in it may be a JSON integer below 2^53;
//! - a price is what one unit costs in base units, as a decimal text of at most 9 digits after the point;
//! - an exact amount is one before it is rounded: at most 15 digits after the point, with `-` when it is owed to the payer;
//! - a time is RFC 3339 in UTC with milliseconds;
//! - what is not there is null.

mod aggregate;
mod bill;
mod cloud_event;
mod configuration;
mod price;
mod quantity;
mod reservation;
mod service;
mod settlement;
mod tenant;
mod usage;

pub use aggregate::{
    AuditAnswer, AuditEvent, AuditSummary, Bucket, BucketsAnswer, SettlementsAnswer, Tally, TallyAnswer,
    TallyRow, UsageExport, UsedByAgents, UsedServices,
};
pub use bill::{AdjustmentView, AssetView, BillView, LineView, TotalView};
pub use cloud_event::{CloudEvent, CloudEventData};
pub use configuration::{
    AccountBody, AccountMode, AccountView, ChangelogAnswer, ConfigBody, ConfigView, DeepCheck, DeepHealth,
    DrainBody, OfferBody, OfferView, ReadyAnswer, Release, StatsAnswer, VersionAnswer,
};
pub use price::{PricingView, TierView};
pub use reservation::{CommitAnswer, CommitBody, ReservationStatus, ReservationView, ReserveBody};
pub use service::{
    DisabledBody, MetadataBody, MetadataView, NewService, NewServices, PriceBody, PriceView, PricesAnswer,
    PricingBody, ServiceResult, ServiceState, ServiceView, ServicesAnswer, ServicesRegistered, TierBody,
};
pub use settlement::{
    MeterFailure, PairsBody, PayFromMandateBody, SettleManyAnswer, SettleResult, SettlementLinks,
    SettlementPayment, SettlementStatus, SettlementView, TransactionBody,
};
pub use tenant::{
    KeyIssued, KeyStatus, KeyView, KeysAnswer, NewKey, OpenTenant, PauseBody, PauseView, RateView, RotateKey,
    ScopeName, TenantOpened, TenantStatus, TenantView,
};
pub use usage::{
    BulkAnswer, BulkResult, EventBody, EventName, EventView, EventsOfMeter, ItemError, MeterView, PairBody,
    ReversalAnswer, ReverseBody, UsageAnswer, UsageBody, UsageStatus,
};
