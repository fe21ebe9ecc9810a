//! What a mirror is asked, as commands of its core, and what it answers.

use api::binding::custody::Read;
use api::binding::{Caller, MandateAsk, MandateCall, MandateReply};
use api::chain_mandates::adoption;
use api::inbound::mandate::{Deed, Requested, Said, not_on_chain};
use api::outbound::mandate::{Viewer, approval, completed, entries, payment};
use api::outbound::mirror::{
    Mirrored, budget, by_transaction, evaluation, found, mandate, refused, standing, to_change, to_do,
    to_reserve,
};
use api::settings::Ledger;
use eip712::{Address, B256};
use mandate::life::{self, Act};
use mandate::mirror::{Command, Filed, Mirror, Progress, Refusal, Signed};
use mandate::{Reason, Refused, Request, Signature};
use primitives::{CorrelationId, Reply};
use shell::{Failure, now};

use super::super::answering::{No, answered, reply, seen, vouched};
use super::MirrorObject;
use crate::config;
use crate::ports::{custody, objects};

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Problem(refused(&refusal))
    }
}

impl MirrorObject {
    /// Answers a call whose signature was used.
    pub(super) async fn answer(&self, call: MandateCall) -> Result<MandateReply, Failure> {
        reply(self.judged(call).await)
    }

    async fn judged(&self, call: MandateCall) -> Result<MandateReply, No> {
        let MandateCall { mandate: id, caller, correlation_id, ask, .. } = call;
        let viewer = caller.account();
        match ask {
            MandateAsk::Adopt { label } => self.adopt(id, label, &caller, &correlation_id).await,
            MandateAsk::Create { .. } => self.elsewhere("create"),
            MandateAsk::Change(change) => self.elsewhere(to_change(&change)),
            MandateAsk::Request(requested) => self.request(*requested, viewer, &correlation_id).await,
            MandateAsk::Act { reference, said } => self.act(reference, said, &caller, &correlation_id).await,
            MandateAsk::Record { reference, transaction } => {
                self.record(reference, transaction, &caller, &correlation_id)
            }
            MandateAsk::Reserve { .. } | MandateAsk::Commit { .. } | MandateAsk::Release { .. } => {
                self.read(|_| Ok(()))?;
                Err(to_reserve().into())
            }
            MandateAsk::Show => self.mandate(viewer, 200, false),
            MandateAsk::Entries { from, limit } => {
                let born = self.born()?;
                seen(&self.read(|mirror| Ok(entries(&Mirrored { mirror, born }, from, limit, now())))?)
            }
            MandateAsk::Budget { recipient, service } => {
                seen(&self.read(|mirror| Ok(budget(mirror, recipient, service, now())))?)
            }
            MandateAsk::Payment { reference } => self.payment(reference, viewer, 200, false),
            MandateAsk::Approval { reference } => {
                let (contract, filed, born) = (self.contract()?, self.filed(reference)?, self.born()?);
                seen(&self.read(|mirror| {
                    let kept = Mirrored { mirror, born };
                    let standing = named(mirror, reference, filed.as_ref())?;
                    Ok(approval(&kept, standing, Viewer::of(&kept, viewer), &contract))
                })?)
            }
            MandateAsk::Evaluate { want, fresh } => {
                let (contract, born) = (self.contract()?, self.born()?);
                let asked =
                    self.read(|mirror| Ok(completed(want, &Mirrored { mirror, born }, now(), fresh)))?;
                let filed = self.on_file(&asked)?;
                let judged =
                    self.shell.read(|state| evaluation(state, &asked, filed.as_ref(), &contract, now()))?;
                seen(&judged?)
            }
        }
    }

    /// Mirrors the mandate for its owner. Who is not, gets to know only that.
    async fn adopt(
        &self,
        id: B256,
        label: String,
        caller: &Caller,
        correlation_id: &CorrelationId,
    ) -> Result<MandateReply, No> {
        let by = caller.account().ok_or_else(api::caller::unknown)?;
        let owns = |owner: Address| {
            let not_permitted = || Refusal::from(Refused::new(Reason::NotPermitted, by, owner));
            if owner == by { Ok(()) } else { Err(not_permitted()) }
        };
        if let Some(owner) = self.shell.read(|state| state.mirror().map(|mirror| mirror.tip.mandate.owner))? {
            owns(owner)?;
            return self.mandate(Some(by), 200, true);
        }
        let read = custody::read(&self.env, &Read { mandate: id }, correlation_id).await?;
        let creation = read.creation.ok_or_else(not_on_chain)?;
        let (made, command) = adoption(&creation, label).map_err(|why| Failure::Runtime(why.to_string()))?;
        if made.id != id {
            return Err(Failure::Runtime("the chain's side answered with another mandate".to_owned()).into());
        }
        owns(made.owner)?;
        // Before it is there, so that the sweep finds it whatever happens next.
        objects::know(&self.env, self.shell.name()).await?;
        let replayed = self.command(command, correlation_id)?;
        self.mandate(Some(by), if replayed { 200 } else { 201 }, replayed)
    }

    async fn request(
        &self,
        requested: Requested,
        viewer: Option<Address>,
        correlation_id: &CorrelationId,
    ) -> Result<MandateReply, No> {
        let agent = self.read(|mirror| {
            let mandate = &mirror.tip.mandate;
            Ok((mandate.agent, mandate.agent_kind))
        })?;
        let Requested { request, signed } = requested.under(&self.contract()?.domain());
        let signed = vouched(&self.env, signed, agent, correlation_id).await?;
        // The contract takes the agent's signature of the request alone, whoever sends the transaction.
        let (of, bytes) = signed.map_or_else(
            || (Signature::Empty, Default::default()),
            |signed| (signed.signature, signed.bytes),
        );
        let signature = Signed { of, bytes };
        let filed = self.on_file(&request)?.map(Box::new);
        let command = Command::Request { request: Box::new(request), signature, filed };
        let replayed = self.command(command, correlation_id)?;
        self.drain().await?;
        self.payment(request.payment, viewer, if replayed { 200 } else { 202 }, replayed)
    }

    async fn act(
        &self,
        reference: B256,
        said: Said,
        caller: &Caller,
        correlation_id: &CorrelationId,
    ) -> Result<MandateReply, No> {
        let (filed, contract) = (self.filed(reference)?, self.contract()?);
        let (owner, found) = self.read(|mirror| {
            let mandate = &mirror.tip.mandate;
            let found = found(mirror, reference, filed.as_ref()).copied();
            Ok(((mandate.owner, mandate.owner_kind), found))
        })?;
        let request = match (&said.deed, found) {
            (_, Some(request)) => request,
            (Deed::Cancel { request: Some(request) }, None)
                if [request.payment, request.request_id].contains(&reference) =>
            {
                **request
            }
            (Deed::Cancel { .. } | Deed::Approve { .. } | Deed::Act(_), None) => {
                return Err(Refusal::UnknownRequest.into());
            }
        };
        if let Deed::Act(act) = &said.deed
            && let Some(call) = to_do(act)
        {
            return Err(by_transaction(call, &contract).into());
        }
        let signed = said.signed(request.payment, owner.0, &contract.domain());
        let signed = vouched(&self.env, signed, owner, correlation_id).await?;
        let by = said.by(caller, owner.0, signed.as_ref())?;
        let filed = self.on_file(&request)?;
        let payment = request.payment;
        let bytes = signed.as_ref().map(|signed| signed.bytes.clone()).unwrap_or_default();
        let command = match said.act(signed) {
            None => Command::Cancel { request: Box::new(request), by, bytes, filed: filed.map(Box::new) },
            Some(act) => {
                check_open(&act, payment, filed.as_ref())?;
                match act {
                    Act::Approve { approval, bytes } => Command::Approve { payment, approval, bytes },
                    Act::Reject { note } => Command::Reject { payment, by, note },
                    Act::Submit
                    | Act::Deliver { .. }
                    | Act::Accept
                    | Act::Dispute { .. }
                    | Act::Capture { .. }
                    | Act::Claim
                    | Act::Void
                    | Act::Resolve { .. }
                    | Act::TimeOut
                    | Act::Expire
                    | Act::Refund { .. } => Command::Submit { payment, by },
                }
            }
        };
        let replayed = self.command(command, correlation_id)?;
        self.drain().await?;
        self.payment(payment, caller.account(), 200, replayed)
    }

    /// Notes what the agent has sent itself. What the chain has told of, or is over, needs no note.
    fn record(
        &self,
        reference: B256,
        transaction: B256,
        caller: &Caller,
        correlation_id: &CorrelationId,
    ) -> Result<MandateReply, No> {
        let by = caller.signer().ok_or_else(api::caller::unknown)?;
        let filed = self.filed(reference)?;
        let (payment, is_underway) = self.read(|mirror| {
            let agent = mirror.tip.mandate.agent;
            if by != agent {
                return Err(Refused::new(Reason::NotPermitted, by, agent).into());
            }
            let request = found(mirror, reference, filed.as_ref()).ok_or(Refusal::UnknownRequest)?;
            let payment = request.payment;
            match mirror.progress(payment) {
                Some(Progress::Requested | Progress::Submitted | Progress::Cancelling) => Ok((payment, true)),
                Some(
                    stands @ (Progress::Failed
                    | Progress::Like(life::Progress::AwaitingApproval | life::Progress::Approved)),
                ) => Err(Refusal::Unavailable(stands)),
                Some(Progress::Like(_)) | None => Ok((payment, false)),
            }
        })?;
        if is_underway {
            self.command(Command::Sent { payment, transaction }, correlation_id)?;
        }
        self.payment(payment, Some(by), 200, !is_underway)
    }

    /// Has the core judge a command, and says whether it only repeats what was done.
    fn command(&self, command: Command, correlation_id: &CorrelationId) -> Result<bool, No> {
        match self.run(command, correlation_id)?.reply {
            Reply::Done { replayed, .. } => Ok(replayed),
            Reply::Refused(refusal) => Err(refusal.into()),
            Reply::OperationReused => Err(Failure::Corrupt("a mirror keeps no operations".to_owned()).into()),
        }
    }

    fn read<T>(&self, look: impl FnOnce(&Mirror) -> Result<T, Refusal>) -> Result<T, No> {
        Ok(self.shell.read(|state| state.mirror().ok_or(Refusal::Unborn).and_then(look))??)
    }

    /// What is on file under the payment's name, or else under the request's id.
    fn on_file(&self, request: &Request) -> Result<Option<Filed>, Failure> {
        match self.filed(request.payment)? {
            Some(filed) => Ok(Some(filed)),
            None => self.filed(request.request_id),
        }
    }

    fn contract(&self) -> Result<Ledger, Failure> {
        let unset = || {
            Failure::Configuration("MANDATES_CONTRACT must be set before a contract is mirrored".to_owned())
        };
        config::config(&self.env)?.contract.clone().ok_or_else(unset)
    }

    fn elsewhere(&self, call: &str) -> Result<MandateReply, No> {
        self.read(|_| Ok(()))?;
        Err(by_transaction(call, &self.contract()?).into())
    }

    fn mandate(&self, viewer: Option<Address>, status: u16, replayed: bool) -> Result<MandateReply, No> {
        let (contract, version, born) = (self.contract()?, self.shell.version()?, self.born()?);
        let shown = self.read(|mirror| {
            let kept = Mirrored { mirror, born };
            Ok(mandate(kept, version, Viewer::of(&kept, viewer), &contract, now()))
        })?;
        answered(status, &shown, replayed)
    }

    fn payment(
        &self,
        reference: B256,
        viewer: Option<Address>,
        status: u16,
        replayed: bool,
    ) -> Result<MandateReply, No> {
        let (filed, born) = (self.filed(reference)?, self.born()?);
        let shown = self.read(|mirror| {
            let kept = Mirrored { mirror, born };
            let standing = named(mirror, reference, filed.as_ref())?;
            Ok(payment(&kept, standing, Viewer::of(&kept, viewer)))
        })?;
        answered(status, &shown, replayed)
    }
}

/// What is over, and on file, takes no word and no submission.
fn check_open(act: &Act, payment: B256, filed: Option<&Filed>) -> Result<(), Refusal> {
    let Some(filed) = filed.filter(|filed| filed.request.payment == payment) else { return Ok(()) };
    let was_rejected = filed.progress == Progress::Like(life::Progress::Rejected);
    if was_rejected && *act != Act::Submit {
        return Err(Refusal::AlreadyDecided);
    }
    Err(Refusal::Unavailable(filed.progress))
}

fn named<'a>(
    mirror: &'a Mirror,
    reference: B256,
    filed: Option<&'a Filed>,
) -> Result<api::outbound::mandate::Standing<'a>, Refusal> {
    let request = found(mirror, reference, filed).ok_or(Refusal::UnknownRequest)?;
    standing(mirror, request.payment, filed).ok_or(Refusal::UnknownRequest)
}
