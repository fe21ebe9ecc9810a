//! What the edge and other objects say to the object of a tenant.

use std::collections::BTreeMap;

use primitives::{
    AgentName, CorrelationId, EndpointId, MeterId, Operation, ServiceName, TenantId, UnixMillis,
};
use serde::{Deserialize, Serialize};
use tenant::key::KeyId;
use tenant::{Access, Account, Command, Configuration, PayTo, Presented, Refusal, Service, rate};

/// Who asks, as far as it was proven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TenantCaller {
    /// Whoever shows a key; the tenant knows whether it is its own.
    Key {
        /// The key.
        key: Presented,
        /// What it is shown for.
        access: Access,
    },
    /// The operator of the platform, whose token was checked.
    Operator,
    /// An account that has signed the request: `0x` and 40 hexadecimal digits in lower case. Its signature was used.
    Account(String),
    /// Another object of the product.
    Product,
}

/// A message for the object of a tenant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TenantCall {
    /// Who asks.
    pub by: TenantCaller,
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// What is asked.
    pub ask: TenantAsk,
}

/// What is asked of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum TenantAsk {
    /// Let the caller in, and say what it takes to go on: of these services and agents.
    Admit { services: Vec<ServiceName>, agents: Vec<AgentName> },
    /// Change something. What the command takes from file, the object fills in.
    Tell { command: Box<Command>, operation: Option<Operation> },
    /// Show something: JSON of the wire type that belongs to it.
    Show(TenantView),
    /// Which endpoints follow an event of this type.
    Followers { event: String },
    /// Meters that were used, in the order of their ids.
    Meters { agent: Option<AgentName>, after: Option<MeterId>, limit: u32 },
}

/// What there is to see of a tenant.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum TenantView {
    Tenant,
    Keys,
    Key {
        id: KeyId,
    },
    /// Services that match, in the order of their names, after one.
    Services {
        wanted: Box<ServicesWanted>,
    },
    Service {
        service: ServiceName,
    },
    Prices {
        service: ServiceName,
    },
    Configuration,
    Account {
        agent: AgentName,
    },
    /// Who follows what: a map from endpoints' ids to [`tenant::Subscription`].
    Endpoints,
}

/// Which services are listed. Prices are of one unit now, in the first tier.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct ServicesWanted {
    pub prefix: Option<String>,
    pub text: Option<String>,
    pub is_disabled: Option<bool>,
    pub min_price: Option<tariff::UnitPrice>,
    pub max_price: Option<tariff::UnitPrice>,
    pub after: Option<ServiceName>,
    pub limit: u32,
}

/// What it takes to go on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct Admission {
    pub tenant: TenantId,
    pub key: Option<KeyId>,
    pub era: u32,
    pub pay_to: Option<PayTo>,
    pub configuration: Configuration,
    /// Of those that were asked for, the ones that there are, deleted and disabled ones included.
    pub services: BTreeMap<ServiceName, Service>,
    /// Of those that were asked for, the ones that have an account.
    pub accounts: BTreeMap<AgentName, Account>,
}

/// What it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TenantReply {
    /// How often the key may still ask; none for a key that did not verify, and for whoever needs none.
    pub standing: Option<rate::Standing>,
    /// What came of it.
    pub outcome: Result<TenantAnswer, TenantRefusal>,
}

/// Why not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TenantRefusal {
    /// The tenant said no.
    Refused(Refusal),
    /// The key asks too often; `standing` says when it may again.
    TooOften,
    /// The operation's key stands for another request.
    OperationReused,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum TenantAnswer {
    Admitted(Box<Admission>),
    /// It took effect, now or before, or there is this to see: JSON of the wire type that belongs to what was asked.
    Answered {
        json: String,
        revision: u64,
        replayed: bool,
    },
    Followers(Vec<EndpointId>),
    Meters(Vec<KnownMeter>),
}

/// A meter that was used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct KnownMeter {
    pub meter: MeterId,
    pub agent: AgentName,
    pub service: ServiceName,
    pub since: UnixMillis,
}
