//! What a tenant can be asked. Who asks was admitted before: see [`crate::admit()`].

use std::collections::BTreeSet;

use primitives::{AgentName, Digest, EndpointId, MeterId, Millis, ServiceName, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Pricing, Scale};

use crate::key::KeyId;
use crate::rate::Rate;
use crate::{Access, Account, EventType, Label, Metadata, Mode, Offer, PayTo, Scope};

/// A key that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewKey {
    /// Its id.
    pub id: KeyId,
    /// SHA-256 of its secret part.
    pub secret: Digest,
    /// How it is called.
    pub label: Option<Label>,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// Until when, if not for ever.
    pub expires_at: Option<UnixMillis>,
    /// How often it may ask, if not as the configuration says.
    pub rate: Option<Rate>,
}

/// A service that is to be registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewService {
    /// Its name.
    pub name: ServiceName,
    /// Digits that quantities have after the point.
    pub scale: Scale,
    /// What a unit is called.
    pub unit: Option<Label>,
    /// How many shards its meters have.
    pub shards: u8,
    /// Its first price, from now on.
    pub pricing: Pricing,
    /// What it is.
    pub description: Option<Metadata>,
    /// Whose it is.
    pub owner: Option<Label>,
}

/// A change of the configuration: what is none stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the configuration")]
pub struct Change {
    pub name: Option<Label>,
    pub pay_to: Option<PayTo>,
    pub rate: Option<Rate>,
    pub bulk_max: Option<usize>,
    pub late: Option<Millis>,
    pub services_max: Option<usize>,
    pub keys_max: Option<usize>,
    pub endpoints_max: Option<usize>,
    pub draft_wait: Option<Millis>,
}

/// One request to a tenant. A `revision` is the one that the caller has seen; another one is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Command {
    /// Make it, with its first key.
    Open {
        name: Label,
        pay_to: Option<PayTo>,
        key: NewKey,
    },
    CreateKey {
        key: NewKey,
        by: KeyId,
    },
    /// Make a key in the place of another one, which still opens for that long.
    RotateKey {
        id: KeyId,
        key: NewKey,
        overlap: Millis,
        by: KeyId,
    },
    /// Another secret for a key of which no use is on file: whoever made it has lost what it was answered.
    ReissueKey {
        id: KeyId,
        secret: Digest,
        used: Known,
    },
    RevokeKey {
        id: KeyId,
    },
    RegisterService(Box<NewService>),
    /// A price from a moment on that has not passed; none means now.
    SetPrice {
        service: ServiceName,
        pricing: Pricing,
        from: Option<UnixMillis>,
        revision: Option<u64>,
    },
    /// In place of what is there.
    SetMetadata {
        service: ServiceName,
        description: Option<Metadata>,
        owner: Option<Label>,
        revision: Option<u64>,
    },
    EnableService {
        service: ServiceName,
    },
    DisableService {
        service: ServiceName,
    },
    DeleteService {
        service: ServiceName,
    },
    AddEndpoint {
        id: EndpointId,
        types: BTreeSet<EventType>,
    },
    SetEndpointTypes {
        id: EndpointId,
        types: BTreeSet<EventType>,
    },
    RemoveEndpoint {
        id: EndpointId,
    },
    /// By the mandate's agent, which is a fact that was established before. `filed` is what is on file of the account.
    OfferMandate {
        agent: AgentName,
        offer: Offer,
        filed: Option<Account>,
    },
    WithdrawMandate {
        agent: AgentName,
        signer: String,
        filed: Option<Account>,
    },
    /// Prepaid needs the mandate that was offered, by its name.
    SetMode {
        agent: AgentName,
        mode: Mode,
        mandate: Option<String>,
        filed: Option<Account>,
    },
    /// A meter was used for the first time. `known` says whether it is on file.
    Register {
        meter: MeterId,
        agent: AgentName,
        service: ServiceName,
        known: Known,
    },
    Configure {
        change: Box<Change>,
        revision: u64,
    },
    Pause {
        reason: Option<Label>,
    },
    Unpause,
    /// By the operator.
    Suspend {
        reason: Option<Label>,
    },
    /// By the operator.
    Resume,
    /// Begin anew: no services, endpoints and meters; of the keys only the one that asks. For development.
    Reset {
        by: KeyId,
    },
    /// Time has passed.
    Wake,
}

/// Who may ask for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// Whoever has a key for this.
    Key(Access),
    /// An account that has signed.
    Account,
    /// The operator of the platform.
    Operator,
    /// Another part of the product.
    Product,
}

impl Command {
    /// Who may ask for it.
    pub const fn asker(&self) -> Asker {
        match self {
            Self::CreateKey { .. }
            | Self::RotateKey { .. }
            | Self::ReissueKey { .. }
            | Self::RevokeKey { .. }
            | Self::Pause { .. }
            | Self::Unpause => Asker::Key(Access::Recover(Scope::Admin)),
            Self::RegisterService(_)
            | Self::SetPrice { .. }
            | Self::SetMetadata { .. }
            | Self::EnableService { .. }
            | Self::DisableService { .. }
            | Self::DeleteService { .. } => Asker::Key(Access::Write(Scope::ServicesWrite)),
            Self::AddEndpoint { .. } | Self::SetEndpointTypes { .. } | Self::RemoveEndpoint { .. } => {
                Asker::Key(Access::Write(Scope::WebhooksWrite))
            }
            Self::SetMode { .. } => Asker::Key(Access::Write(Scope::BillingWrite)),
            Self::Configure { .. } | Self::Reset { .. } => Asker::Key(Access::Write(Scope::Admin)),
            Self::OfferMandate { .. } | Self::WithdrawMandate { .. } => Asker::Account,
            Self::Open { .. } | Self::Suspend { .. } | Self::Resume => Asker::Operator,
            Self::Register { .. } | Self::Wake => Asker::Product,
        }
    }
}

impl Command {
    /// The account that has signed it, if it is one of those that an account asks.
    pub fn signer(&self) -> Option<&str> {
        if let Self::OfferMandate { offer: Offer { signer, .. }, .. } | Self::WithdrawMandate { signer, .. } =
            self
        {
            Some(signer)
        } else {
            None
        }
    }
}

/// Whether something is on file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Known {
    /// It is not.
    Fresh,
    /// It is.
    Filed,
}
