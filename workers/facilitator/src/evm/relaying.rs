//! The object of one relayer key on one network: its core in the shell, signing, sending and looking.

use core::cell::Cell;
use std::rc::Rc;

use chain::{
    Receipt as ChainReceipt, Transaction,
    rpc::{Block, block, max_priority_fee, receipt, transaction_count},
};
use eip712::{Address, B256, U256};
use primitives::{BaseUnits, Call, CorrelationId, Digest, Operation, Reply, UnixMillis};
use relayer::{
    Bytes, Command, Effect, Fact, Fixed, Job, Lifecycle, Market, Observation, Policy, Receipt, Refusal,
    Signed, Unsigned, Verdict,
};
use serde::{Deserialize, Serialize};
use shell::{Core, Failure, Shell, core_of, fresh_correlation_id, now, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use super::{
    no_relayer, rpc,
    settling::{self, News, Word},
};
use crate::{
    front, limits,
    settings::{self, Backend, Network},
};

/// The binding's name.
pub(super) const BINDING: &str = "RELAYER";
/// The subject of its messages.
pub(super) const SUBMIT: &str = "submit";

/// A settlement's job.
#[derive(Serialize, Deserialize)]
pub(super) struct Submission {
    /// The settlement's name.
    pub(super) id: String,
    pub(super) job: ::settlement::Job,
    pub(super) correlation: CorrelationId,
}

/// A job that is not taken.
#[derive(Serialize, Deserialize)]
pub(super) struct Declined {
    pub(super) code: String,
}

/// What the object of a key is called.
pub(super) fn name(network: &str, address: Address) -> String {
    format!("{network}/{address}")
}

struct RelayerCore;

impl Core for RelayerCore {
    core_of!(relayer);

    const KIND: &'static str = "relayer";
    type Answer = ();

    fn authorize(_: &relayer::State, _: &Command) -> Result<(), Refusal> {
        // Only the facilitator's own objects speak to a relayer.
        Ok(())
    }

    fn answer(_: &relayer::State) {}

    fn lifecycle(state: &relayer::State) -> &'static str {
        state.lifecycle().name()
    }
}

/// The object.
#[durable_object(alarm)]
pub struct RelayerObject {
    state: State,
    env: Env,
    shell: Shell<RelayerCore>,
    /// Whether this process has sent what it found on disk.
    has_resent: Cell<bool>,
    /// What gas costs, and when that was asked.
    market: Cell<Option<(UnixMillis, Market)>>,
}

impl DurableObject for RelayerObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, env, shell, has_resent: Cell::new(false), market: Cell::new(None) }
    }

    async fn fetch(&self, _: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let correlation = fresh_correlation_id();
        let step = self.shell.wake(&correlation)?;
        let has = |wanted: fn(&Fact) -> bool| step.events.iter().any(|event| wanted(&event.fact));
        let look = has(|fact| matches!(fact, Fact::LookStarted { .. }));
        let resend = has(|fact| matches!(fact, Fact::ResendStarted { .. }));
        if look || resend {
            match self.setup() {
                Ok(setup) => self.work(&setup, Due { look, resend }, &correlation).await,
                // An alarm that fails too often is given up by the runtime; this one has set the next already.
                Err(failure) => {
                    shell::log::failure(RelayerCore::KIND, self.shell.name(), "work_failed", &failure);
                }
            }
        }
        self.drain().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl RelayerObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            SUBMIT => shell::answer(self.submit(&body).await, RelayerCore::KIND, name),
            other => shell::answer::<()>(Err(unknown_subject(other)), RelayerCore::KIND, name),
        }
    }
}

impl RelayerObject {
    /// Takes a job, and sends it on its way as far as the chain lets it.
    async fn submit(&self, body: &str) -> Result<Result<(), Declined>, Failure> {
        let submission: Submission = serde_json::from_str(body)?;
        self.shell.restore_lost_alarm(&self.state).await?;
        let setup = self.setup()?;
        let job = job(&submission)?;
        let operation = Operation { key: job.id.clone(), fingerprint: Digest::of_json(&job)? };
        let command = Command::Submit { job, policy: setup.policy() };
        let correlation_id = submission.correlation.clone();
        let call = Call { command, correlation_id, operation: Some(operation) };
        match self.shell.run(call)?.reply {
            Reply::Refused(refusal) => Ok(Err(Declined { code: refusal.code().to_owned() })),
            // A settlement submits one job only; whatever came first is what is carried out.
            Reply::OperationReused | Reply::Done { replayed: true, .. } => Ok(Ok(())),
            Reply::Done { replayed: false, .. } => {
                self.work(&setup, Due::default(), &submission.correlation).await;
                self.drain().await?;
                Ok(Ok(()))
            }
        }
    }

    fn setup(&self) -> Result<Setup, Failure> {
        let backend = front::backend(&self.env)
            .map_err(|_| Failure::Configuration("the settings are refused".to_owned()))?;
        let known = self.shell.name().split_once('/').filter(|(network, address)| match &*backend {
            Backend::Simulator => false,
            Backend::Chain(chain) => chain.network(network).is_some() && chain.relayer(address).is_some(),
        });
        match known {
            Some((network, address)) => Ok(Setup {
                network: network.to_owned(),
                address: address.to_owned(),
                backend: backend.clone(),
            }),
            None => Err(no_relayer()),
        }
    }

    /// Looks where a look is due, signs what there is to sign, and sends what there is to send. What fails is for the
    /// log: the next look follows by itself.
    async fn work(&self, setup: &Setup, due: Due, correlation: &CorrelationId) {
        if let Err(failure) = self.try_to_work(setup, due, correlation).await {
            shell::log::failure(RelayerCore::KIND, self.shell.name(), "work_failed", &failure);
        }
    }

    async fn try_to_work(&self, setup: &Setup, due: Due, correlation: &CorrelationId) -> Result<(), Failure> {
        let (network, key) = setup.read()?;
        if due.look || self.shell.read(relayer::State::lifecycle)? == Lifecycle::Unsynchronized {
            self.look(network, key.address, correlation).await?;
        }
        let market = self.market(network).await?;
        let policy = setup.policy();
        // From here to the record there is no `await`: what is listed is what is signed and kept.
        let list = self.shell.read(|state| relayer::unsigned(state, &market, &policy, now()))?;
        let signed: Vec<_> = list.into_iter().map(|unsigned| sign(network, key, unsigned)).collect();
        let mut raw: Vec<_> = signed.iter().map(|signed| signed.raw.0.clone()).collect();
        if !signed.is_empty() && self.run(Command::Sign(signed), correlation)?.is_err() {
            return Err(Failure::Corrupt("what the relayer lists it does not take".to_owned()));
        }
        if due.resend || !self.has_resent.replace(true) {
            raw = self.shell.read(|state| {
                relayer::to_send(state).into_iter().map(|(_, bytes)| bytes.0.clone()).collect()
            })?;
        }
        if let Some(fault) = send(network, &raw).await {
            shell::log::failure(RelayerCore::KIND, self.shell.name(), "send", &Failure::Runtime(fault));
        }
        Ok(())
    }

    /// What the chain shows of the key: its count of transactions first, then the receipts.
    async fn look(
        &self,
        network: &Network,
        address: Address,
        correlation: &CorrelationId,
    ) -> Result<(), Failure> {
        let hashes = self.shell.read(relayer::to_look_up)?;
        let count = transaction_count(address, Block::Latest);
        // The servers may be apart; the one that is furthest behind counts, so that none of them lacks a receipt.
        let counts = rpc::every(network, &[&count.question]).await?.each(&count, 0)?;
        let mined_nonce = counts.into_iter().min().unwrap_or_default();
        let mut receipts = Vec::new();
        if !hashes.is_empty() {
            let calls: Vec<_> = hashes.iter().map(|hash| receipt(B256::from(hash.0))).collect();
            let questions: Vec<_> = calls.iter().map(|call| &call.question).collect();
            let said = rpc::every(network, &questions).await?;
            for (at, call) in calls.iter().enumerate() {
                // One server may have a receipt that another has not yet; the next look finds both alike.
                receipts.extend(said.agreed(call, at).ok().flatten().as_ref().map(mined));
            }
        }
        // An observation is never refused.
        let _ = self.run(Command::Observe(Observation { mined_nonce, receipts }), correlation)?;
        Ok(())
    }

    /// What gas costs, asked anew once a second.
    async fn market(&self, network: &Network) -> Result<Market, Failure> {
        if let Some((at, market)) = self.market.get()
            && now().since(at) < limits::MARKET_AGE
        {
            return Ok(market);
        }
        let (head, tip) = (block(Block::Latest), max_priority_fee());
        let answers = rpc::ask(network, &[&head.question, &tip.question]).await?;
        let head = rpc::read(&head, answers.first())?;
        let base_fee = head.and_then(|head| head.base_fee_per_gas).unwrap_or_default();
        let tip = rpc::read(&tip, answers.get(1))?;
        let market = Market { base_fee: BaseUnits(base_fee), tip: BaseUnits(tip) };
        self.market.set(Some((now(), market)));
        Ok(market)
    }

    fn run(&self, command: Command, correlation: &CorrelationId) -> Result<Result<(), Refusal>, Failure> {
        let call = Call { command, correlation_id: correlation.clone(), operation: None };
        Ok(match self.shell.run(call)?.reply {
            Reply::Done { .. } | Reply::OperationReused => Ok(()),
            Reply::Refused(refusal) => Err(refusal),
        })
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, correlation| self.deliver(effect, correlation)).await
    }

    async fn deliver(&self, effect: Effect, correlation: CorrelationId) -> Result<(), Failure> {
        let (job, news) = match effect {
            Effect::Announce { job, hash, raw } => {
                (job, News::Announced { hash: hash.to_string(), raw: raw.to_string() })
            }
            Effect::Report { job, .. } => (job, News::Reported),
        };
        shell::send(&self.env, settling::BINDING, &job, settling::HEAR, &Word { correlation, news }).await
    }
}

/// What a wake-up brings with it.
#[derive(Default)]
struct Due {
    look: bool,
    resend: bool,
}

/// The key and the network that the object's name stands for.
struct Setup {
    network: String,
    address: String,
    backend: Rc<Backend>,
}

impl Setup {
    fn read(&self) -> Result<(&Network, &settings::Relayer), Failure> {
        match &*self.backend {
            Backend::Chain(chain) => {
                chain.network(&self.network).zip(chain.relayer(&self.address)).ok_or_else(no_relayer)
            }
            Backend::Simulator => Err(no_relayer()),
        }
    }

    fn policy(&self) -> Policy {
        let (daily_gas_per_payer, max_fee) =
            self.read().map_or((0, 0), |(network, _)| (network.daily_gas_per_payer, network.max_fee_per_gas));
        let max_fee_per_gas = BaseUnits(max_fee);
        Policy { daily_gas_per_payer, max_fee_per_gas, open_max: ::relayer::limits::OPEN_MAX }
    }
}

fn job(submission: &Submission) -> Result<Job, Failure> {
    let ::settlement::Job { payer, call, not_after } = &submission.job;
    let corrupt = |_| Failure::Corrupt("the call of a job".to_owned());
    Ok(Job {
        id: submission.id.clone(),
        payer: payer.clone(),
        to: Fixed::try_from(call.to.clone()).map_err(corrupt)?,
        input: Bytes::try_from(call.input.0.clone()).map_err(corrupt)?,
        gas_limit: call.gas_limit,
        not_after: *not_after,
    })
}

fn sign(network: &Network, key: &settings::Relayer, unsigned: Unsigned) -> Signed {
    let (to, input, gas_limit) = match &unsigned.call {
        relayer::Call::Job { to, input, gas_limit } => (Address::from(to.0), input.0.clone(), *gas_limit),
        relayer::Call::Void => (key.address, Vec::new(), relayer::limits::TRANSFER_GAS),
    };
    let transaction = Transaction {
        chain_id: network.chain_id(),
        nonce: unsigned.nonce,
        max_priority_fee_per_gas: unsigned.fees.priority_fee.0,
        max_fee_per_gas: unsigned.fees.max_fee.0,
        gas_limit,
        to,
        value: U256::ZERO,
        input,
    };
    let chain::Signed { hash, raw } = transaction.sign(&key.signer);
    unsigned.signed(Fixed(hash.0), Bytes(raw))
}

fn mined(receipt: &ChainReceipt) -> Receipt {
    let verdict = if receipt.succeeded { Verdict::Succeeded } else { Verdict::Reverted };
    Receipt {
        hash: Fixed(receipt.transaction_hash.0),
        block_number: receipt.block_number,
        block_hash: Fixed(receipt.block_hash.0),
        verdict,
        gas_used: receipt.gas_used,
    }
}

async fn send(network: &Network, raw: &[Vec<u8>]) -> Option<String> {
    if raw.is_empty() { None } else { rpc::broadcast(network, raw).await }
}
