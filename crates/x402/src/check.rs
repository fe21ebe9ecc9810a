//! The judgement of a payment in stages, for whoever can ask the chain between them.

use eip712::{B256, Domain, SIGNATURE_BYTES, TransferWithAuthorization, U256, recover};
use primitives::{PaymentId, UnixMillis};

use crate::{
    Authorized, EXACT, InvalidReason, MARGIN_SECONDS, PaymentPayload, PaymentRequirements, Proof,
    SKEW_SECONDS, VERSION,
    erc6492::SignatureBytes,
    terms::{Terms, address, exact, hexadecimal, transfer},
};

/// A payment whose shape, scheme, domain, network and accepted terms are in order, before its signature is judged.
///
/// The reference facilitator's next question is who the payer is: whoever has a chain asks it for the code at
/// `transfer().from` and goes on with [`Checked::signed_by`]; whoever has none calls [`crate::verify()`] instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    network: String,
    max_timeout_seconds: u64,
    terms: Terms,
    transfer: TransferWithAuthorization,
    digest: B256,
    signature: SignatureBytes,
}

/// What the chain holds at the payer's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayerAccount {
    /// No code: an ordinary key pair.
    WithoutCode,
    /// Code that answers ERC-1271's `isValidSignature(digest, signature)` with `0x1626ba7e`.
    Vouches,
    /// Code that answers anything else, or reverts. An account that delegates to code (EIP-7702) is one with code: its
    /// key alone does not count.
    Denies,
}

/// A payment whose signature is judged, before its recipient, window and value are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signed<'a> {
    checked: &'a Checked,
    proof: Proof,
}

/// Reads `payment` against `requirements`: version, scheme, signing domain, network, the client's copy of the terms, and
/// the shape of what was signed, in the reference facilitator's order.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(requirements: &PaymentRequirements, payment: &PaymentPayload) -> Result<Checked, InvalidReason> {
    if payment.x402_version != VERSION {
        return Err(InvalidReason::Version(payment.x402_version));
    }
    if payment.accepted.scheme != EXACT {
        return Err(InvalidReason::Scheme);
    }
    let terms = Terms::parse(requirements)?;
    if payment.accepted.network != requirements.network {
        return Err(InvalidReason::Network);
    }
    check_accepted(requirements, &terms, &payment.accepted)?;

    let malformed = InvalidReason::Payload { field: "payload.signature" };
    let exact = exact(payment)?;
    let transfer = transfer(&exact.authorization)?;
    let signature = hexadecimal(&exact.signature).and_then(SignatureBytes::parse).ok_or(malformed)?;
    Ok(Checked {
        network: requirements.network.clone(),
        max_timeout_seconds: requirements.max_timeout_seconds,
        digest: transfer.digest(&terms.domain),
        terms,
        transfer,
        signature,
    })
}

impl Checked {
    /// The name of the authorization, before anything about it is believed.
    pub fn payment_id(&self) -> PaymentId {
        let (payer, nonce) = (self.transfer.from, self.transfer.nonce);
        PaymentId::derive(&self.network, &self.terms.asset().0.0, &payer.0.0, &nonce.0)
    }

    /// The network as CAIP-2.
    pub fn network(&self) -> &str {
        &self.network
    }

    /// The token's signing domain as the requirements name it; `verifying_contract` is the token.
    pub fn domain(&self) -> &Domain {
        &self.terms.domain
    }

    /// What the payer is said to have signed.
    pub fn transfer(&self) -> &TransferWithAuthorization {
        &self.transfer
    }

    /// The digest that must have been signed.
    pub fn digest(&self) -> B256 {
        self.digest
    }

    /// The signature as the payer's account or its contract takes it: what ERC-6492 wraps around it is left out.
    pub fn signature(&self) -> &[u8] {
        self.signature.bytes()
    }

    /// Judges the signature by what the chain holds at the payer's address.
    ///
    /// # Errors
    /// When the key or the contract did not sign, and when the account is yet to be made by the factory of an ERC-6492
    /// signature: no factory is allowed, for it runs code of a stranger's choice at our cost.
    pub fn signed_by(&self, account: PayerAccount) -> Result<Signed<'_>, InvalidReason> {
        match account {
            PayerAccount::WithoutCode if self.signature.is_wrapped() => Err(InvalidReason::FactoryNotAllowed),
            PayerAccount::WithoutCode => self.recovered(),
            PayerAccount::Vouches => Ok(Signed { checked: self, proof: Proof::Vouched }),
            PayerAccount::Denies => Err(InvalidReason::OtherSigner),
        }
    }

    /// The payment as its payer's key signed it.
    pub(crate) fn recovered(&self) -> Result<Signed<'_>, InvalidReason> {
        let signer = recover(self.digest, self.signature()).map_err(InvalidReason::Signature)?;
        if signer != self.transfer.from {
            return Err(InvalidReason::OtherSigner);
        }
        Ok(Signed { checked: self, proof: Proof::Recovered })
    }

    /// The payment with its signature left to the chain.
    pub(crate) fn open(&self) -> Signed<'_> {
        Signed { checked: self, proof: Proof::Open }
    }

    /// Whether no ordinary account can have made the signature.
    pub(crate) fn is_signed_by_contract(&self) -> bool {
        self.signature.is_wrapped() || self.signature().len() > SIGNATURE_BYTES
    }
}

impl Signed<'_> {
    /// Judges what was signed: the recipient, the window at the moment `now`, and the value.
    ///
    /// # Errors
    /// The first of them that is wrong, in this order.
    pub fn authorize(&self, now: UnixMillis) -> Result<Authorized, InvalidReason> {
        let Checked { network, max_timeout_seconds, terms, transfer, .. } = self.checked;
        if transfer.to != terms.pay_to {
            return Err(InvalidReason::Recipient);
        }
        let (valid_after, valid_before) = check_window(transfer, *max_timeout_seconds, now)?;
        if transfer.value != U256::from(terms.amount.0) {
            return Err(InvalidReason::Value);
        }
        Ok(Authorized {
            payer: transfer.from,
            proof: self.proof,
            nonce: transfer.nonce.0,
            asset: terms.asset(),
            network: network.clone(),
            value: terms.amount,
            valid_after,
            valid_before,
        })
    }
}

/// The client's copy of the requirements may leave out keys of `extra` and add its own, but not say otherwise.
fn check_accepted(
    requirements: &PaymentRequirements,
    terms: &Terms,
    accepted: &PaymentRequirements,
) -> Result<(), InvalidReason> {
    let differs = |field| Err(InvalidReason::Contradiction { field });
    if address(&accepted.asset) != Some(terms.asset()) {
        return differs("asset");
    }
    if address(&accepted.pay_to) != Some(terms.pay_to) {
        return differs("payTo");
    }
    if accepted.amount != requirements.amount {
        return differs("amount");
    }
    if accepted.max_timeout_seconds != requirements.max_timeout_seconds {
        return differs("maxTimeoutSeconds");
    }
    let (Some(ours), Some(theirs)) = (&requirements.extra, &accepted.extra) else { return Ok(()) };
    if ours.iter().any(|(key, value)| theirs.get(key).is_some_and(|theirs| theirs != value)) {
        return differs("extra");
    }
    Ok(())
}

/// The window `(validAfter, validBefore)` in Unix seconds.
fn check_window(
    signed: &TransferWithAuthorization,
    max_timeout_seconds: u64,
    now: UnixMillis,
) -> Result<(u64, u64), InvalidReason> {
    let now = now.seconds();
    if signed.valid_before < U256::from(now.saturating_add(MARGIN_SECONDS)) {
        return Err(InvalidReason::Expired);
    }
    let latest = now.saturating_add(max_timeout_seconds).saturating_add(SKEW_SECONDS);
    let valid_before = u64::try_from(signed.valid_before).ok().filter(|end| *end <= latest);
    let valid_before = valid_before.ok_or(InvalidReason::TooLong)?;
    let valid_after = u64::try_from(signed.valid_after).ok().filter(|start| *start <= now);
    let valid_after = valid_after.ok_or(InvalidReason::NotYet)?;
    Ok((valid_after, valid_before))
}
