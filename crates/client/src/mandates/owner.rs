//! What an owner does: gives budgets, changes them, decides.

use api::wire::{
    ActivityAnswer, Amend, Amount, ApprovalItem, ApprovalsAnswer, CreateMandate, Decide, DisputeBody,
    EmptyBody, Mandate, MandateStatus, MandatesAnswer, Payment, PaymentsAnswer, Progress, RequestsAnswer,
    SignatureBody,
};
use eip712::{
    B256,
    mandates::{Approval, PaymentRequest, mandate_id},
};
use primitives::{BaseUnits, MessageId};

use super::{ActivityFilter, Page, READING, Standing, account::Account, list, message, outside};
use crate::{Error, Recorded};

const APPROVING: &str = "approving the request";
const AMENDING: &str = "amending the mandate";

/// An owner, by its key.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a>(pub(super) Account<'a>);

/// Money and rules.
impl Owner<'_> {
    /// The id of the mandate that this owner creates with `salt`.
    pub fn mandate_of(&self, salt: B256) -> B256 {
        let domain = &self.0.ledger.domain;
        mandate_id(domain.chain_id, domain.verifying_contract, self.0.signer.address(), salt)
    }

    /// Makes a mandate. The owner and `salt` make its id, so that to repeat this is to ask for the same mandate.
    ///
    /// # Errors
    /// [`Error::Unresolved`] when the outcome is still not known at the end; [`Error::Refused`] for rules that the ledger
    /// does not take; [`Error::OutsideContract`] when another mandate is answered.
    pub async fn create(&self, salt: B256, creation: &CreateMandate) -> Result<Recorded<Mandate>, Error> {
        const CREATING: &str = "creating the mandate";
        let body = CreateMandate { salt: Some(salt.to_string()), ..creation.clone() };
        let call = self.0.ledger.transport.post(CREATING, "v1/mandates", &body)?;
        let Recorded { answer, replayed } = self.0.move_money(&call, &message::id_of(salt)?).await?;
        let answer = self.0.ledger.ours(CREATING, answer)?;
        if message::hash(&answer.mandate) != Ok(self.mandate_of(salt)) {
            return Err(outside(CREATING)(format!("{} is another mandate", answer.mandate)));
        }
        Ok(Recorded { answer, replayed })
    }

    /// Puts money into a mandate, once under `id`.
    ///
    /// # Errors
    /// [`Error::Unresolved`] when the outcome is still not known at the end: repeat it under the same id;
    /// [`Error::Refused`]; and what every call can meet.
    pub async fn fund(
        &self,
        mandate: B256,
        amount: BaseUnits,
        id: &MessageId,
    ) -> Result<Recorded<Mandate>, Error> {
        self.move_money("funding the mandate", mandate, "fund", amount, id).await
    }

    /// Takes money that nothing has reserved out of a mandate, once under `id`.
    ///
    /// # Errors
    /// As [`Owner::fund`].
    pub async fn withdraw(
        &self,
        mandate: B256,
        amount: BaseUnits,
        id: &MessageId,
    ) -> Result<Recorded<Mandate>, Error> {
        self.move_money("withdrawing from the mandate", mandate, "withdraw", amount, id).await
    }

    /// Stops new payments until [`Owner::unpause`]. What is escrowed goes on.
    ///
    /// # Errors
    /// [`Error::Refused`] when this is not the owner or the mandate's status does not allow it, and what every call can
    /// meet.
    pub async fn pause(&self, mandate: B256) -> Result<Mandate, Error> {
        self.change("pausing the mandate", mandate, "pause", &EmptyBody {}).await
    }

    /// Allows new payments again.
    ///
    /// # Errors
    /// As [`Owner::pause`].
    pub async fn unpause(&self, mandate: B256) -> Result<Mandate, Error> {
        self.change("unpausing the mandate", mandate, "unpause", &EmptyBody {}).await
    }

    /// Stops new payments for ever. What is escrowed goes on.
    ///
    /// # Errors
    /// As [`Owner::pause`].
    pub async fn revoke(&self, mandate: B256) -> Result<Mandate, Error> {
        self.change("revoking the mandate", mandate, "revoke", &EmptyBody {}).await
    }

    /// Gives a mandate a new policy. What tightens holds at once; what loosens waits, and stands as the answer's
    /// `pending_amendment`.
    ///
    /// # Errors
    /// [`Error::Refused`] when the policy is not at the version that was expected; else as [`Owner::pause`].
    pub async fn amend(&self, mandate: B256, amendment: &Amend) -> Result<Mandate, Error> {
        self.change(AMENDING, mandate, "amend", amendment).await
    }

    /// Puts an amendment to work that has waited long enough: the same one again.
    ///
    /// # Errors
    /// As [`Owner::amend`].
    pub async fn apply_amendment(&self, mandate: B256, amendment: &Amend) -> Result<Mandate, Error> {
        self.change(AMENDING, mandate, "apply-amendment", amendment).await
    }

    /// Forgets an amendment that waits.
    ///
    /// # Errors
    /// As [`Owner::pause`].
    pub async fn cancel_amendment(&self, mandate: B256) -> Result<Mandate, Error> {
        self.change(AMENDING, mandate, "cancel-amendment", &EmptyBody {}).await
    }

    async fn move_money(
        &self,
        operation: &'static str,
        mandate: B256,
        what: &str,
        amount: BaseUnits,
        id: &MessageId,
    ) -> Result<Recorded<Mandate>, Error> {
        let body = Amount { amount: amount.to_string() };
        let path = format!("v1/mandates/{mandate}/{what}");
        let call = self.0.ledger.transport.post(operation, &path, &body)?.once_as(id)?;
        let Recorded { answer, replayed } = self.0.move_money(&call, id).await?;
        Ok(Recorded { answer: self.0.ledger.ours(operation, answer)?, replayed })
    }

    async fn change(
        &self,
        operation: &'static str,
        mandate: B256,
        what: &str,
        body: &impl serde::Serialize,
    ) -> Result<Mandate, Error> {
        let path = format!("v1/mandates/{mandate}/{what}");
        self.0.ledger.ours(operation, self.0.write(operation, &path, body).await?)
    }
}

/// Decisions.
impl Owner<'_> {
    /// A request that needs or needed this owner's approval.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is none; [`Error::OutsideContract`] when it is another one, or another owner's; and
    /// what every call can meet.
    pub async fn approval(&self, payment: B256) -> Result<Payment, Error> {
        let item: ApprovalItem = self.0.get(&format!("v1/approvals/{payment}"), |_| {}).await?;
        self.approvable(&item.payment, payment).map_err(outside(READING))?;
        Ok(item.payment)
    }

    /// Approves a request until `valid_before`, in Unix seconds. What is signed (EIP-712) is the message that
    /// [`Owner::approval`] answered, and nothing that the board made of it.
    ///
    /// # Errors
    /// [`Error::Refused`] when it does not wait; [`Error::OutsideContract`] when the payment is not that of its message;
    /// and what every call can meet.
    pub async fn approve(&self, payment: &Payment, valid_before: u64) -> Result<Payment, Error> {
        let id = message::hash(&payment.payment).map_err(outside(APPROVING))?;
        let request = self.approvable(payment, id).map_err(outside(APPROVING))?;
        let approval = Approval {
            request,
            approver: self.0.signer.address(),
            validBefore: message::seconds(valid_before).map_err(outside(APPROVING))?,
        };
        let decision = Decide::Approve { valid_before, signature: self.0.seal(&approval) };
        self.decide(APPROVING, id, &decision).await
    }

    /// Says no to a request, with a note for the agent.
    ///
    /// # Errors
    /// As [`Owner::approve`].
    pub async fn reject(&self, payment: B256, note: Option<String>) -> Result<Payment, Error> {
        self.decide("rejecting the request", payment, &Decide::Reject { note }).await
    }

    /// Accepts a delivery: the provider is paid.
    ///
    /// # Errors
    /// [`Error::Refused`] when where the payment stands does not allow it, and what every call can meet.
    pub async fn accept(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("accepting the delivery", payment, "accept", &SignatureBody { signature: None }).await
    }

    /// Disputes a delivery. Without evidence a silent resolver leaves all to the provider.
    ///
    /// # Errors
    /// As [`Owner::accept`].
    pub async fn dispute(&self, payment: &Payment, evidence: Option<B256>) -> Result<Payment, Error> {
        let evidence_hash = evidence.map(|hash| hash.to_string());
        let body = DisputeBody { evidence_hash, signature: None };
        self.0.act("disputing the delivery", payment, "dispute", &body).await
    }

    /// Makes sure that a request that was not authorized never is.
    ///
    /// # Errors
    /// As [`Owner::accept`].
    pub async fn cancel(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("cancelling the request", payment, "cancel", &EmptyBody {}).await
    }

    /// Takes back what was not delivered, or not captured, in time.
    ///
    /// # Errors
    /// As [`Owner::accept`].
    pub async fn expire(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("taking back the payment", payment, "expire", &EmptyBody {}).await
    }

    /// Ends a dispute on which the resolver was silent.
    ///
    /// # Errors
    /// As [`Owner::accept`].
    pub async fn time_out(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("ending the dispute", payment, "time-out", &EmptyBody {}).await
    }

    /// The message of a request, if it is this owner's to approve and in the ledger's token.
    fn approvable(&self, shown: &Payment, payment: B256) -> Result<PaymentRequest, String> {
        let message = message::is_of(shown, payment)?;
        let (owner, token) = (message::address(&shown.owner)?, message.token);
        if owner != self.0.signer.address() {
            return Err(format!("the request is for {owner} to approve"));
        }
        if token != self.0.ledger.token {
            return Err(format!("the request is in {token}, which is not the ledger's token"));
        }
        Ok(message)
    }

    async fn decide(
        &self,
        operation: &'static str,
        payment: B256,
        decision: &Decide,
    ) -> Result<Payment, Error> {
        let path = format!("v1/approvals/{payment}/decide");
        let answer = self.0.write(operation, &path, decision).await?;
        message::is_of(&answer, payment).map_err(outside(operation))?;
        Ok(answer)
    }
}

/// What an owner sees of its own.
impl Owner<'_> {
    /// A mandate, with its label.
    ///
    /// # Errors
    /// As [`super::Mandates::mandate`].
    pub async fn mandate(&self, mandate: B256) -> Result<Mandate, Error> {
        let answer = self.0.get(&format!("v1/mandates/{mandate}"), |_| {}).await?;
        self.0.ledger.ours(READING, answer)
    }

    /// A page of mandates, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn mandates(
        &self,
        status: Option<MandateStatus>,
        page: &Page,
    ) -> Result<MandatesAnswer, Error> {
        let write = |url: &mut reqwest::Url| {
            list::put_word(url, "status", status);
            page.write_to(url);
        };
        self.0.get("v1/mandates", write).await
    }

    /// A page of a mandate's requests, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn requests(
        &self,
        mandate: B256,
        progress: Option<Progress>,
        page: &Page,
    ) -> Result<RequestsAnswer, Error> {
        self.0.requests(mandate, progress, page).await
    }

    /// A page of what needs or needed an approval, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn approvals(&self, standing: Standing, page: &Page) -> Result<ApprovalsAnswer, Error> {
        let write = |url: &mut reqwest::Url| {
            list::put_word(url, "status", Some(standing));
            page.write_to(url);
        };
        self.0.get("v1/approvals", write).await
    }

    /// A payment with the parts that only owner and agent see.
    ///
    /// # Errors
    /// As [`super::Mandates::payment`].
    pub async fn payment(&self, payment: B256) -> Result<Payment, Error> {
        self.0.payment(payment).await
    }

    /// A page of payments, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn payments(
        &self,
        mandate: Option<B256>,
        progress: Option<Progress>,
        page: &Page,
    ) -> Result<PaymentsAnswer, Error> {
        let write = |url: &mut reqwest::Url| {
            list::put(url, "mandate", mandate.map(|mandate| mandate.to_string()));
            list::put_word(url, "progress", progress);
            page.write_to(url);
        };
        self.0.get("v1/payments", write).await
    }

    /// A page of what happened, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn activity(&self, filter: &ActivityFilter, page: &Page) -> Result<ActivityAnswer, Error> {
        let write = |url: &mut reqwest::Url| {
            filter.write_to(url);
            page.write_to(url);
        };
        self.0.get("v1/activity", write).await
    }

    /// The same as CSV.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn activity_csv(&self, filter: &ActivityFilter, page: &Page) -> Result<String, Error> {
        let write = |url: &mut reqwest::Url| {
            filter.write_to(url);
            page.write_to(url);
            list::put(url, "format", Some("csv".to_owned()));
        };
        Ok(self.0.get_text("v1/activity", write).await?.text)
    }
}
