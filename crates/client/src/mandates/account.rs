//! Speaking as an Ethereum account: a fresh HTTP message signature (RFC 9421 with ERC-8128) on every attempt.

use api::wire::Payment;
use eip712::{B256, Signer, mandates::Signed};
use httpsig::{Edition, Stamp};
use primitives::{Digest, MessageId};
use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{Mandates, READING, message, outside};
use crate::{
    Error, Recorded, entropy,
    limits::SIGNATURE_LIFETIME,
    transport::{Call, IDEMPOTENCY_KEY, Prove},
};

/// An account that signs its requests to a ledger.
#[derive(Clone, Copy)]
pub(super) struct Account<'a> {
    pub(super) ledger: &'a Mandates,
    pub(super) signer: &'a Signer,
}

impl core::fmt::Debug for Account<'_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.signer.address().fmt(formatter)
    }
}

impl Account<'_> {
    /// The account's signature of one of the ledger's structs, as text.
    pub(super) fn seal(&self, signed: &impl Signed) -> String {
        format!("0x{}", hex::encode(self.signer.sign(signed.digest(&self.ledger.domain))))
    }

    /// Reads something. `query` writes the query.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: impl FnOnce(&mut Url),
    ) -> Result<T, Error> {
        self.get_text(path, query).await?.read(READING)
    }

    pub(super) async fn get_text(
        &self,
        path: &str,
        query: impl FnOnce(&mut Url),
    ) -> Result<crate::answer::Answer, Error> {
        let mut call = self.ledger.transport.get(READING, path)?;
        query(&mut call.url);
        self.ledger.transport.patiently_as(&call, self).await
    }

    /// Moves money, once under `id`, which stands in the header `Idempotency-Key` or in the body.
    pub(super) async fn move_money<T: DeserializeOwned>(
        &self,
        call: &Call,
        id: &MessageId,
    ) -> Result<Recorded<T>, Error> {
        let (answer, _) = self.ledger.transport.until_known(call, id, self).await?;
        Ok(Recorded { answer: answer.read(call.operation)?, replayed: answer.replayed() })
    }

    /// Does something that moves no money by itself, once for all its attempts.
    pub(super) async fn write<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Error> {
        let id = entropy::fresh_message_id()?;
        let call = self.ledger.transport.post(operation, path, body)?.once_as(&id)?;
        self.ledger.transport.patiently_as(&call, self).await?.read(operation)
    }

    /// Does something with one payment, and says where it stands then.
    pub(super) async fn act(
        &self,
        operation: &'static str,
        payment: &Payment,
        act: &str,
        body: &impl Serialize,
    ) -> Result<Payment, Error> {
        let (mandate, payment) =
            message::hashes(&payment.mandate, &payment.payment).map_err(outside(operation))?;
        let path = format!("v1/mandates/{mandate}/requests/{payment}/{act}");
        let answer = self.write(operation, &path, body).await?;
        message::is_of(&answer, payment).map_err(outside(operation))?;
        Ok(answer)
    }

    /// A payment with the parts that only its parties see.
    pub(super) async fn payment(&self, payment: B256) -> Result<Payment, Error> {
        let answer = self.get(&format!("v1/payments/{payment}"), |_| {}).await?;
        message::is_of(&answer, payment).map_err(outside(READING))?;
        Ok(answer)
    }
}

impl Prove for Account<'_> {
    fn prove(&self, call: &Call) -> Result<Option<Call>, Error> {
        let unsignable =
            |why: &dyn core::fmt::Display| outside(call.operation)(format!("it cannot be signed: {why}"));
        let nonce = Digest(entropy::random()?).to_string();
        let header = |name: &str| call.headers.get(name)?.to_str().ok().map(str::to_owned);
        let host = call.url.host_str().unwrap_or_default();
        // An address has no port where it is the scheme's own, and neither has the request's Host.
        let authority = call.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let request = httpsig::Request {
            method: call.method.as_str(),
            scheme: call.url.scheme(),
            authority: &authority,
            path: call.url.path(),
            query: call.url.query(),
            header: &header,
            body: call.body.as_deref().unwrap_or_default().as_bytes(),
        };
        let also_covered: &[&str] =
            if call.headers.contains_key(IDEMPOTENCY_KEY) { &[IDEMPOTENCY_KEY] } else { &[] };
        let stamp = Stamp {
            edition: Edition::Tagged,
            chain_id: self.ledger.domain.chain_id,
            created: entropy::now(),
            lifetime: SIGNATURE_LIFETIME,
            nonce: &nonce,
            also_covered,
        };
        let mut proven = call.clone();
        for (name, value) in httpsig::sign(&request, &stamp, self.signer).map_err(|why| unsignable(&why))? {
            let value = HeaderValue::from_str(&value).map_err(|why| unsignable(&why))?;
            proven.headers.insert(HeaderName::from_static(name), value);
        }
        Ok(Some(proven))
    }
}
