//! One mandate with its rules and parties, and what a shell keeps beside it.

use std::collections::BTreeMap;

use api::outbound::mandate::message;
use api::settings::Ledger;
use eip712::mandates::payment_id;
use eip712::{Address, B256, U256};
use mandate::life::{
    Act, Activity, Book, Change, Command, Effect, Filed, Hold, Refusal, State, apply, decide, effects,
};
use mandate::*;
use primitives::{BaseUnits, UnixMillis};

pub(crate) const OWNER: Address = Address::repeat_byte(0x0a);
pub(crate) const AGENT: Address = Address::repeat_byte(0x0b);
pub(crate) const PROVIDER: Address = Address::repeat_byte(0x0c);
pub(crate) const RESOLVER: Address = Address::repeat_byte(0x0d);
pub(crate) const TOKEN: Address = Address::repeat_byte(0x0e);
pub(crate) const SERVICE: B256 = B256::repeat_byte(0x11);
pub(crate) const MANDATE: B256 = B256::repeat_byte(0x13);

/// 2026-11-30T14:00:00Z.
pub(crate) const START: UnixMillis = UnixMillis(1_796_047_200_000);
pub(crate) const HOUR: u64 = 3_600;
pub(crate) const DAY: u64 = 86_400;

pub(crate) const LEDGER: Ledger =
    Ledger { chain_id: 84_532, address: Address::repeat_byte(0x0f), token: TOKEN };

pub(crate) const fn at(seconds: u64) -> UnixMillis {
    UnixMillis(START.0 + 1_000 * seconds)
}

pub(crate) fn policy() -> Policy {
    Policy {
        valid_after: START.into(),
        valid_before: at(400 * DAY).into(),
        payment_cap: BaseUnits(100),
        day_cap: BaseUnits(250),
        month_cap: BaseUnits(600),
        lifetime_cap: BaseUnits(3_000),
        day_count: 5,
        approval_above: BaseUnits(60),
        terms: Terms {
            challenge_period: 3_600,
            resolution_timeout: 7_200,
            silence_bps: 2_500,
            resolver: RESOLVER,
        },
    }
}

pub(crate) fn entry(recipient: Address, service: B256, payment_cap: u128, window_cap: BaseUnits) -> Entry {
    let limits = EntryLimits { payment_cap: BaseUnits(payment_cap), window_cap, window: Window::UtcDay };
    Entry { key: EntryKey { recipient, service }, limits }
}

pub(crate) fn creation() -> Creation {
    Creation {
        id: MANDATE,
        owner: OWNER,
        agent: AGENT,
        token: TOKEN,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        amend_delay: 3_600,
        policy: policy(),
        entries: vec![entry(PROVIDER, SERVICE, 90, BaseUnits(200))],
    }
}

/// A request that is valid for an hour from `now`, delivered within two, captured within a day and refunded within two.
pub(crate) fn request_at(id: u8, amount: u128, now: UnixMillis) -> Request {
    let after = |seconds: u64| UnixSeconds(UnixSeconds::from(now).0 + seconds);
    named(Request {
        payment: B256::ZERO,
        mandate: MANDATE,
        policy_version: 1,
        request_id: B256::repeat_byte(id),
        token: TOKEN,
        max_amount: BaseUnits(amount),
        recipient: PROVIDER,
        service: SERVICE,
        job_hash: B256::repeat_byte(0x77),
        valid_after: now.into(),
        valid_before: after(HOUR),
        deliver_by: after(2 * HOUR),
        capture_by: after(DAY),
        refund_by: after(2 * DAY),
        terms: policy().terms,
    })
}

pub(crate) fn request(id: u8, amount: u128) -> Request {
    request_at(id, amount, START)
}

/// The request with the name that its message has.
pub(crate) fn named(request: Request) -> Request {
    Request { payment: payment_id(&message(&request)), ..request }
}

pub(crate) fn ask(request: Request) -> Command {
    Command::Request { request: Box::new(request), by: By::caller(AGENT), filed: None }
}

pub(crate) fn act(request: &Request, act: Act, by: Address) -> Command {
    Command::Act { payment: request.payment, act, by: By::caller(by), filed: None }
}

pub(crate) fn approve(request: &Request, until: UnixMillis, bytes: &'static [u8]) -> Command {
    let approval = SignedApproval { valid_before: until.into(), signature: Signature::Of(OWNER) };
    act(request, Act::Approve { approval, bytes: bytes.into() }, OWNER)
}

pub(crate) fn reject(request: &Request, note: &str) -> Command {
    act(request, Act::Reject { note: note.to_owned() }, OWNER)
}

pub(crate) fn reserve(name: u8, amount: u128, until: UnixMillis) -> Command {
    let (asker, recipient, service) = ("run".to_owned(), PROVIDER, SERVICE);
    let hold =
        Hold { asker, recipient, service, amount: BaseUnits(amount), until: until.into(), approved: false };
    Command::Reserve { reservation: B256::repeat_byte(name), hold, closed: None }
}

/// A mandate's state, and what a shell has on file for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    pub(crate) state: State,
    pub(crate) files: BTreeMap<B256, Filed>,
    pub(crate) log: Vec<Activity>,
}

impl Life {
    /// A mandate with 500 units that its owner calls by `label`.
    pub(crate) fn labelled(label: &str, creation: Creation) -> Self {
        let mut life = Self::default();
        let label = label.to_owned();
        let create = Command::Create { creation: Box::new(creation), token: Token::Answers, label };
        life.hears(create, START).unwrap();
        let fund = Change::Fund { amount: U256::from(500) };
        life.hears(Command::Change { change: fund, by: OWNER }, START).unwrap();
        life
    }

    pub(crate) fn new() -> Self {
        Self::labelled("Research", creation())
    }

    /// The same after what happens at the start.
    pub(crate) fn after(commands: impl IntoIterator<Item = Command>) -> Self {
        let mut life = Self::new();
        for command in commands {
            life.hears(command, START).unwrap();
        }
        life
    }

    pub(crate) fn book(&self) -> &Book {
        self.state.book().unwrap()
    }

    /// What is on file under a request's id.
    pub(crate) fn filed_as(&self, request_id: B256) -> Option<&Filed> {
        self.files.values().find(|filed| filed.request.request_id == request_id)
    }

    pub(crate) fn hears(&mut self, mut command: Command, now: UnixMillis) -> Result<(), Refusal> {
        match &mut command {
            Command::Request { request, filed, .. } | Command::Cancel { request, filed, .. } => {
                *filed = self.filed_as(request.request_id).cloned().map(Box::new);
            }
            Command::Act { payment, filed, .. } => {
                *filed = self.files.get(payment).cloned().map(Box::new);
            }
            Command::Create { .. }
            | Command::Change { .. }
            | Command::Reserve { .. }
            | Command::Commit { .. }
            | Command::Release { .. }
            | Command::Wake => {}
        }
        for event in decide(&self.state, command, now)? {
            for effect in effects(&self.state, &event) {
                match effect {
                    Effect::File(filed) => {
                        self.files.insert(filed.request.payment, *filed);
                    }
                    Effect::Log(line) => self.log.push(*line),
                    Effect::Close { .. } | Effect::Tell { .. } => {}
                }
            }
            self.state = apply(self.state.clone(), &event).unwrap();
        }
        Ok(())
    }
}
