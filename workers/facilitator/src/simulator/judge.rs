//! Whether an authorization may be settled.

use primitives::{Digest, UnixMillis};
use settlement::Asker;
use x402::{ChainReason, FacilitatorRequest, InvalidReason, VERSION};

use crate::request::SIMULATED_NETWORK;

/// How far the simulator has brought an authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Sent to the chain, not seen to land.
    Pending,
    /// The money has moved.
    Settled,
    /// The transaction has failed.
    Failed,
}

/// What the simulator remembers of an authorization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// Of the request that brought it; see [`crate::request::fingerprint`].
    pub(crate) fingerprint: Digest,
    pub(crate) status: Status,
    /// Who asked first.
    pub(crate) asker: Asker,
    /// Whether the settlement was told to an asker without a key.
    pub(crate) collected: Collected,
}

/// Whether a settlement was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collected {
    Not,
    Once,
}

impl Record {
    /// F5: whether this asker hears of the settlement. A seller that keeps no record of its own would else take each
    /// copy of one payment for a payment.
    pub(crate) fn is_for(&self, asker: &Asker) -> bool {
        match (&self.asker, self.collected) {
            (Asker::Key(_), _) => self.asker == *asker,
            (Asker::Anonymous, Collected::Not) => *asker == Asker::Anonymous,
            (Asker::Anonymous, Collected::Once) => false,
        }
    }
}

/// An authorization that nothing speaks against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Never seen.
    New,
    /// The same request came before.
    Known(Status),
}

/// Why a payment is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It does not meet the requirements.
    Invalid(InvalidReason),
    /// It is for a network that this facilitator does not know.
    Network,
    /// The payer has too little money.
    Funds,
    /// The transaction was sent and has failed.
    Failed,
}

impl Refusal {
    /// The protocol's code.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Invalid(reason) => reason.code(),
            Self::Network => "invalid_network",
            Self::Funds => ChainReason::InsufficientFunds.code(),
            Self::Failed => ChainReason::TransactionFailed.code(),
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Invalid(reason) => reason.fmt(formatter),
            Self::Network => write!(formatter, "This facilitator settles on {SIMULATED_NETWORK} only."),
            Self::Funds => ChainReason::InsufficientFunds.fmt(formatter),
            Self::Failed => ChainReason::TransactionFailed.fmt(formatter),
        }
    }
}

impl From<InvalidReason> for Refusal {
    fn from(reason: InvalidReason) -> Self {
        Self::Invalid(reason)
    }
}

/// The checks that need neither memory nor time: the version and the network.
///
/// # Errors
/// When this facilitator does not speak the version or does not know the network.
pub(crate) fn admit(request: &FacilitatorRequest) -> Result<(), Refusal> {
    if request.x402_version != VERSION {
        return Err(InvalidReason::Version(request.x402_version).into());
    }
    if request.payment_requirements.network != SIMULATED_NETWORK {
        return Err(Refusal::Network);
    }
    Ok(())
}

/// Whether the authorization may be settled, or was. F2: what is remembered of the same request comes before every
/// check that time can change.
///
/// # Errors
/// When the payment does not meet the requirements, or its nonce was used by another request (F3).
pub(crate) fn standing(
    request: &FacilitatorRequest,
    fingerprint: Digest,
    record: Option<&Record>,
    now: UnixMillis,
) -> Result<Standing, Refusal> {
    if let Some(record) = record.filter(|record| record.fingerprint == fingerprint) {
        return Ok(Standing::Known(record.status));
    }
    x402::verify(&request.payment_requirements, &request.payment_payload, now)?;
    if record.is_some() { Err(InvalidReason::NonceUsed.into()) } else { Ok(Standing::New) }
}

/// The answer to `/verify`: would a settlement start from here, or is one under way for this very request? The latter
/// stays valid after its time is over: a seller that were told otherwise would have the payer sign a second payment.
///
/// # Errors
/// As [`standing`], and when the authorization has been settled, by whichever request.
pub(crate) fn verifiable(
    request: &FacilitatorRequest,
    fingerprint: Digest,
    record: Option<&Record>,
    now: UnixMillis,
) -> Result<(), Refusal> {
    match standing(request, fingerprint, record, now)? {
        Standing::New | Standing::Known(Status::Pending) => Ok(()),
        Standing::Known(Status::Settled | Status::Failed) => Err(InvalidReason::NonceUsed.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::fingerprint;
    use eip712::Signer;
    use primitives::Millis;
    use serde_json::json;
    use x402::sign_exact;

    const NOW: UnixMillis = UnixMillis(1_764_513_008_000);

    fn request(nonce: u8, amount: &str) -> FacilitatorRequest {
        let requirements = serde_json::from_value(json!({
            "scheme": "exact",
            "network": SIMULATED_NETWORK,
            "amount": amount,
            "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
            "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
            "maxTimeoutSeconds": 300,
            "extra": { "name": "USDC", "version": "2" },
        }))
        .unwrap();
        let signer = Signer::from_bytes(&[0x11; 32]).unwrap();
        FacilitatorRequest {
            x402_version: 2,
            payment_payload: sign_exact(&requirements, &signer, [nonce; 32], NOW, None).unwrap(),
            payment_requirements: requirements,
        }
    }

    fn ask(
        request: &FacilitatorRequest,
        record: Option<Record>,
        now: UnixMillis,
    ) -> Result<Standing, Refusal> {
        standing(request, fingerprint(request).unwrap(), record.as_ref(), now)
    }

    fn record(request: &FacilitatorRequest, status: Status) -> Option<Record> {
        let (asker, collected) = (Asker::Anonymous, Collected::Not);
        Some(Record { fingerprint: fingerprint(request).unwrap(), status, asker, collected })
    }

    #[test]
    fn f2_a_known_request_keeps_its_answer_after_it_has_expired() {
        let request = request(1, "10000");
        assert_eq!(ask(&request, None, NOW), Ok(Standing::New));
        let later = NOW.plus(Millis::from_minutes(60));
        assert_eq!(ask(&request, None, later), Err(InvalidReason::Expired.into()));
        for status in [Status::Pending, Status::Settled, Status::Failed] {
            assert_eq!(ask(&request, record(&request, status), later), Ok(Standing::Known(status)));
        }
    }

    #[test]
    fn f3_another_request_under_the_same_nonce_is_refused() {
        let (first, second) = (request(1, "10000"), request(1, "20000"));
        let known = record(&first, Status::Settled);
        assert_eq!(ask(&second, known.clone(), NOW), Err(InvalidReason::NonceUsed.into()));
        let mut forged = first.clone();
        forged
            .payment_payload
            .payload
            .insert("signature".to_owned(), json!(format!("0x{}", "1b".repeat(65))));
        let refusal = ask(&forged, known, NOW).unwrap_err();
        assert_eq!(refusal.code(), "invalid_exact_evm_signature");
    }

    #[test]
    fn verify_refuses_what_has_ended_and_keeps_what_is_under_way() {
        let (request, other) = (request(1, "10000"), request(1, "20000"));
        let verify = |request: &FacilitatorRequest, record: Option<Record>, now| {
            verifiable(request, fingerprint(request).unwrap(), record.as_ref(), now)
        };
        let later = NOW.plus(Millis::from_minutes(60));
        assert_eq!(verify(&request, None, NOW), Ok(()));
        assert_eq!(verify(&request, record(&request, Status::Pending), later), Ok(()));
        assert_eq!(
            verify(&other, record(&request, Status::Pending), later),
            Err(InvalidReason::Expired.into())
        );
        for status in [Status::Settled, Status::Failed] {
            let ended = verify(&request, record(&request, status), NOW);
            assert_eq!(ended, Err(InvalidReason::NonceUsed.into()));
        }
    }

    #[test]
    fn f5_a_settlement_is_for_whoever_began_it_and_once_for_one_without_a_key() {
        let key = |text: &str| Asker::Key(text.to_owned());
        let begun = |asker, collected| Record {
            asker,
            collected,
            ..record(&request(1, "1"), Status::Settled).unwrap()
        };
        for collected in [Collected::Not, Collected::Once] {
            assert!(begun(key("a"), collected).is_for(&key("a")));
            assert!(!begun(key("a"), collected).is_for(&key("b")));
            assert!(!begun(key("a"), collected).is_for(&Asker::Anonymous));
            assert!(!begun(Asker::Anonymous, collected).is_for(&key("a")));
        }
        assert!(begun(Asker::Anonymous, Collected::Not).is_for(&Asker::Anonymous));
        assert!(!begun(Asker::Anonymous, Collected::Once).is_for(&Asker::Anonymous));
    }

    #[test]
    fn other_versions_and_networks_are_not_admitted() {
        let mut request = request(1, "10000");
        assert_eq!(admit(&request), Ok(()));
        request.payment_requirements.network = "eip155:8453".to_owned();
        assert_eq!(admit(&request), Err(Refusal::Network));
        request.x402_version = 1;
        assert_eq!(admit(&request), Err(InvalidReason::Version(1).into()));
    }
}
