//! The same owner, agent, provider and rules in every test.

use alloy_primitives::{Address, B256, U256};
use mandate::*;
use primitives::BaseUnits;

pub(crate) const OWNER: Address = Address::repeat_byte(0x01);
pub(crate) const AGENT: Address = Address::repeat_byte(0x02);
pub(crate) const PROVIDER: Address = Address::repeat_byte(0x03);
pub(crate) const RESOLVER: Address = Address::repeat_byte(0x04);
pub(crate) const TOKEN: Address = Address::repeat_byte(0x05);
pub(crate) const STRANGER: Address = Address::repeat_byte(0x06);
pub(crate) const SERVICE: B256 = B256::repeat_byte(0x11);
pub(crate) const MANDATE: B256 = B256::repeat_byte(0x13);

pub(crate) const HOUR: u64 = 3_600;
pub(crate) const DAY: u64 = 86_400;
/// 2026-11-30T12:00:00Z: noon on the last day of a month.
pub(crate) const NOON: UnixSeconds = UnixSeconds(1_796_040_000);

pub(crate) const fn units(amount: u128) -> BaseUnits {
    BaseUnits(amount)
}

pub(crate) const fn after(moment: UnixSeconds, seconds: u64) -> UnixSeconds {
    UnixSeconds(moment.0 + seconds)
}

pub(crate) const TERMS: Terms =
    Terms { challenge_period: 3_600, resolution_timeout: 7_200, silence_bps: 2_500, resolver: RESOLVER };

pub(crate) fn policy() -> Policy {
    Policy {
        valid_after: NOON,
        valid_before: after(NOON, 400 * DAY),
        payment_cap: units(100),
        day_cap: units(250),
        month_cap: units(1_000),
        lifetime_cap: units(3_000),
        day_count: 5,
        approval_above: units(60),
        terms: TERMS,
    }
}

pub(crate) fn entry(recipient: Address, service: B256, cap: u128, window_cap: u128, window: Window) -> Entry {
    let limits = EntryLimits { payment_cap: units(cap), window_cap: units(window_cap), window };
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
        entries: vec![entry(PROVIDER, SERVICE, 90, 200, Window::UtcDay)],
    }
}

/// A mandate with 500 units that begins at noon.
pub(crate) fn funded() -> Mandate {
    let mut mandate = Mandate::create(None, creation(), Token::Answers, NOON).unwrap();
    mandate.fund(U256::from(500), Arrival::Whole).unwrap();
    mandate
}

/// A request for 40 units that is valid for an hour, delivered within two and captured within a day.
pub(crate) fn request(number: u8) -> Request {
    Request {
        payment: B256::repeat_byte(number),
        mandate: MANDATE,
        policy_version: 1,
        request_id: B256::repeat_byte(number),
        token: TOKEN,
        max_amount: units(40),
        recipient: PROVIDER,
        service: SERVICE,
        job_hash: B256::ZERO,
        valid_after: NOON,
        valid_before: after(NOON, HOUR),
        deliver_by: after(NOON, 2 * HOUR),
        capture_by: after(NOON, DAY),
        refund_by: after(NOON, 2 * DAY),
        terms: TERMS,
    }
}

/// The same, moved to another moment.
pub(crate) fn request_at(number: u8, now: UnixSeconds) -> Request {
    Request {
        valid_after: now,
        valid_before: after(now, HOUR),
        deliver_by: after(now, 2 * HOUR),
        capture_by: after(now, DAY),
        refund_by: after(now, 2 * DAY),
        ..request(number)
    }
}

/// The agent calls, and the owner approves for ever.
pub(crate) fn proof() -> Proof {
    let approval = SignedApproval { valid_before: UnixSeconds::MAX, signature: Signature::Of(OWNER) };
    Proof { agent: By::caller(AGENT), approval }
}

/// One call of `authorize`, which passes unless a test breaks it.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) mandate: Mandate,
    pub(crate) request: Request,
    pub(crate) proof: Proof,
    pub(crate) now: UnixSeconds,
    pub(crate) ceiling: Ceiling,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let (mandate, request) = (funded(), request(0x21));
        Self { mandate, request, proof: proof(), now: after(NOON, 60), ceiling: Ceiling::Unset }
    }

    pub(crate) fn verdict(&self) -> Result<Authorized, Refused> {
        evaluate(Some(&self.mandate), &self.request, &self.proof, self.now, &self.ceiling)
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        explain(Some(&self.mandate), &self.request, &self.proof, self.now, &self.ceiling)
    }

    pub(crate) fn authorize(&mut self) -> Result<Authorized, Refused> {
        self.mandate.authorize(&self.request, &self.proof, self.now, &mut self.ceiling)
    }

    /// Authorizes a new request for an amount at a moment.
    pub(crate) fn pay(&mut self, number: u8, amount: u128, now: UnixSeconds) -> Result<Authorized, Refused> {
        self.now = now;
        self.request = Request { max_amount: units(amount), ..request_at(number, now) };
        self.request.policy_version = self.mandate.policy_version;
        self.authorize()
    }
}

pub(crate) fn refused(reason: Reason, got: impl Figure, limit: impl Figure) -> Refused {
    Refused::new(reason, got, limit)
}

pub(crate) fn reason<T: core::fmt::Debug>(verdict: &Result<T, Refused>) -> Reason {
    verdict.as_ref().err().map_or(Reason::None, |refused| refused.reason)
}
