//! A life of a mandate that was recorded from a node, played through the mirror: at each block the mirrored mandate is what the
//! contract's views said there, and what the mirror has sent is what was sent.
//!
//! MR1 to MR4 and MR8 of the mirror, by the contract's own words.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{Address, B256, Bytes, U256};
use api::chain_mandates::{Watched, calldata, created, news, refused};
use eip712::mandates::{self as contract, IMandates, SolCall, SolError as _};
use mandate::mirror::{
    self, Block, Command, Effect, Mirror, Observation, Place, Progress, Refusal, Signed, State, Told, apply,
    decide, effects,
};
use mandate::{By, Ceiling, Reason, Signature, SignedApproval, UnixSeconds, life};
use primitives::UnixMillis;
use serde_json::Value;

const RECORDING: &str = include_str!("../../../tests/vectors/mandate_recording.json");

fn read<T: std::str::FromStr>(value: &Value) -> T
where
    T::Err: std::fmt::Debug,
{
    value.as_str().unwrap().parse().unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| u64::from_str_radix(&value.as_str().unwrap()[2..], 16).unwrap())
}

fn block(step: &Value) -> Block {
    let block = &step["block"];
    let at = UnixSeconds(number(&block["timestamp"]));
    Block { number: number(&block["number"]), hash: read(&block["hash"]), at }
}

/// What a view answered at a block.
fn answer<C: SolCall>(value: &Value) -> C::Return {
    C::abi_decode_returns(&read::<Bytes>(value)).unwrap()
}

/// The mirror as a shell would keep it.
struct Shell {
    state: State,
    owed: Vec<Effect>,
}

impl Shell {
    fn hears(&mut self, command: Command, at: UnixSeconds) -> Result<Vec<Effect>, Refusal> {
        let mut owed = Vec::new();
        for event in decide(&self.state, command, UnixMillis(at.0 * 1_000))? {
            owed.extend(effects(&self.state, &event));
            self.state = apply(self.state.clone(), &event).unwrap();
        }
        self.owed.extend(owed.clone());
        Ok(owed)
    }

    fn mirror(&self) -> &Mirror {
        self.state.mirror().unwrap()
    }

    /// Asks for the payment that a recorded call is about, as its agent and owner would have, and answers what is to be sent.
    fn asks(&mut self, call: &IMandates::authorizeCall, at: UnixSeconds) -> Option<Bytes> {
        let payment = contract::payment_id(&call.request);
        let (owner, agent) = (self.mirror().tip.mandate.owner, self.mirror().tip.mandate.agent);
        let signed = Signed { of: Signature::Of(agent), bytes: call.agentSignature.clone() };
        let request = || Command::Request {
            request: Box::new(model(&call.request)),
            signature: signed.clone(),
            filed: None,
        };
        self.hears(request(), at).unwrap();
        if call.approval.signature.is_empty() {
            return self.sent(payment);
        }
        let valid_before = UnixSeconds(call.approval.validBefore.to());
        let approval = SignedApproval { valid_before, signature: Signature::Of(owner) };
        self.hears(Command::Approve { payment, approval, bytes: call.approval.signature.clone() }, at)
            .unwrap();
        self.hears(Command::Submit { payment, by: By::caller(agent) }, at).unwrap();
        self.sent(payment)
    }

    fn sent(&self, wanted: B256) -> Option<Bytes> {
        self.owed.iter().rev().find_map(|effect| {
            let Effect::Send { payment, call, .. } = effect else { return None };
            (*payment == wanted).then(|| calldata(call))
        })
    }
}

/// A request in the model's words: the way that an event of it takes.
fn model(request: &contract::PaymentRequest) -> mandate::Request {
    use contract::SolEvent as _;
    let event = IMandates::PaymentAuthorized {
        payment: contract::payment_id(request),
        mandate: request.mandate,
        recipient: request.recipient,
        request: request.clone(),
        wasApproved: false,
    };
    let log = event.encode_log_data();
    let watched = Watched { mandate: request.mandate, ..nobody() };
    match news(&watched, log.topics(), &log.data).unwrap() {
        Some(mirror::News::Authorized(request)) => *request,
        other => panic!("{other:?}"),
    }
}

fn nobody() -> Watched {
    let (mandate, owner, agent, token) = (B256::ZERO, Address::ZERO, Address::ZERO, Address::ZERO);
    Watched { mandate, owner, agent, token, beside: BTreeSet::new() }
}

fn watched(recording: &Value) -> Watched {
    Watched {
        mandate: read(&recording["mandate"]),
        owner: read(&recording["parties"]["owner"]),
        agent: read(&recording["parties"]["agent"]),
        token: read(&recording["token"]),
        beside: [read(&recording["beside"])].into(),
    }
}

/// The events of a block in the model's words.
fn told(watched: &Watched, step: &Value) -> Vec<Told> {
    let logs = step["logs"].as_array().unwrap().iter();
    let told = logs.filter_map(|log| {
        let topics: Vec<B256> = log["topics"].as_array().unwrap().iter().map(read).collect();
        let news = news(watched, &topics, &read::<Bytes>(&log["data"])).unwrap()?;
        let index = u32::try_from(number(&log["logIndex"])).unwrap();
        let place = Place { block: block(step), index, transaction: read(&log["transactionHash"]) };
        Some(Told { place, news })
    });
    told.collect()
}

fn creation(watched: &Watched, step: &Value) -> Option<mandate::Creation> {
    step["logs"].as_array().unwrap().iter().find_map(|log| {
        let topics: Vec<B256> = log["topics"].as_array().unwrap().iter().map(read).collect();
        created(&topics, &read::<Bytes>(&log["data"])).unwrap().filter(|made| made.id == watched.mandate)
    })
}

/// Every field that the contract shows of the mandate, and of all that belongs to it.
fn agrees(mirror: &Mirror, step: &Value) {
    let mandate = &mirror.tip.mandate;
    let view = answer::<IMandates::mandateCall>(&step["mandate"]);
    assert_eq!(view.status as u64, mandate.status.number());
    assert_eq!(view.ownerKind as u64, mandate.owner_kind.number());
    assert_eq!(view.agentKind as u64, mandate.agent_kind.number());
    assert_eq!((view.owner, view.agent, view.token), (mandate.owner, mandate.agent, mandate.token));
    assert_eq!((view.policyVersion, view.amendDelay), (mandate.policy_version, mandate.amend_delay));
    let policy = &mandate.policy;
    assert_eq!(view.policy.validAfter.to::<u64>(), policy.valid_after.0);
    assert_eq!(view.policy.validBefore.to::<u64>(), policy.valid_before.0);
    let caps = [
        (view.policy.paymentCap, policy.payment_cap),
        (view.policy.dayCap, policy.day_cap),
        (view.policy.monthCap, policy.month_cap),
        (view.policy.lifetimeCap, policy.lifetime_cap),
        (view.policy.approvalAbove, policy.approval_above),
        (view.balance, mandate.funds.balance),
        (view.reserved, mandate.funds.reserved),
        (view.lifetimeSpent, mandate.lifetime_spent),
        (view.spent.daySum, mandate.spent.day_sum),
        (view.spent.monthSum, mandate.spent.month_sum),
    ];
    for (theirs, ours) in caps {
        assert_eq!(theirs.to::<u128>(), ours.0, "{}", step["did"]);
    }
    assert_eq!(view.policy.dayCount, policy.day_count);
    let terms = &view.policy.terms;
    assert_eq!(
        (terms.challengePeriod, terms.resolutionTimeout, terms.silenceBps, terms.resolver),
        (
            policy.terms.challenge_period,
            policy.terms.resolution_timeout,
            policy.terms.silence_bps,
            policy.terms.resolver
        )
    );
    assert_eq!(
        (u64::from(view.spent.day), view.spent.dayCount),
        (mandate.spent.day, mandate.spent.day_count)
    );
    let pending = answer::<IMandates::pendingAmendmentCall>(&step["pending"]);
    let ours = mandate.pending.map_or((B256::ZERO, 0), |pending| (pending.hash, pending.effective_at.0));
    assert_eq!((pending.hash, pending.effectiveAt.to::<u64>()), ours);
    entries_agree(mirror, step);
    payments_agree(mirror, step);
}

fn entries_agree(mirror: &Mirror, step: &Value) {
    let entries = step["entries"].as_array().unwrap();
    assert_eq!(entries.len(), mirror.tip.mandate.entries.len());
    for entry in entries {
        let key =
            mandate::EntryKey { recipient: read(&entry["recipient"]), service: read(&entry["service"]) };
        let theirs = answer::<IMandates::entryCall>(&entry["returns"]);
        let ours = &mirror.tip.mandate.entries[&key].limits;
        assert!(theirs.exists);
        assert_eq!(theirs._1.paymentCap.to::<u128>(), ours.payment_cap.0);
        assert_eq!(theirs._1.windowCap.to::<u128>(), ours.window_cap.0);
        assert_eq!(theirs._1.window as u8, ours.window as u8);
    }
    let ceiling = answer::<IMandates::ceilingCall>(&step["ceiling"]);
    let at = mirror.tip.block.at;
    let ours = match &mirror.tip.ceiling {
        Ceiling::Unset => (false, mandate::AMOUNT_MAX.0, 0),
        Ceiling::Set(caps) => (true, caps.cap_at(at).0, caps.spent_at(at).0),
    };
    let theirs = (ceiling.isSet, ceiling.dayCap.to::<u128>(), ceiling.spentToday.to::<u128>());
    assert_eq!(theirs, ours, "{}", step["did"]);
}

/// What has left the mirror has ended for good.
fn payments_agree(mirror: &Mirror, step: &Value) {
    let mut theirs: BTreeMap<B256, contract::Payment> = BTreeMap::new();
    for payment in step["payments"].as_array().unwrap() {
        theirs.insert(read(&payment["id"]), answer::<IMandates::paymentCall>(&payment["returns"]));
    }
    for (name, ours) in &mirror.tip.mandate.payments {
        let theirs = &theirs[name];
        assert_eq!(theirs.state as u64, ours.state.number(), "{}", step["did"]);
        assert_eq!((theirs.hasEvidence, theirs.since.to::<u64>()), (ours.has_evidence, ours.since.0));
        assert_eq!((theirs.paid.to::<u128>(), theirs.refunded.to::<u128>()), (ours.paid.0, ours.refunded.0));
    }
}

/// Plays the recording; `see` is shown the shell after each block.
fn play(recording: &Value, mut see: impl FnMut(&Shell, &Value)) -> Shell {
    let watched = watched(recording);
    let mut shell = Shell { state: State::Unborn, owed: Vec::new() };
    let mut chain: Vec<Block> = Vec::new();
    let mut finals = 0;
    for step in recording["steps"].as_array().unwrap() {
        let to = block(step);
        chain.retain(|block| block.number < to.number);
        finals = finals.max(number(&step["final"]));
        if let Some(creation) = creation(&watched, step) {
            let (creation, label) = (Box::new(creation), String::new());
            let command = Command::Adopt { creation, block: to, ceiling: Ceiling::Unset, label };
            shell.hears(command, to.at).unwrap();
        } else {
            let before = shell.mirror().tip.block;
            send_first(&mut shell, step, before.at);
            let after = *chain.last().unwrap();
            let known = chain.iter().rev().find(|block| block.number <= finals);
            let sealed = known.copied().unwrap_or(Block { number: 0, hash: B256::ZERO, at: UnixSeconds(0) });
            let observation = Box::new(Observation { after, to, told: told(&watched, step), sealed });
            let command = if after == before { Command::Observe } else { Command::Rewind };
            shell.hears(command(observation), to.at).unwrap();
        }
        chain.push(to);
        see(&shell, step);
    }
    shell
}

/// What the relayer has brought to the contract in this block, the mirror has sent before, byte by byte.
fn send_first(shell: &mut Shell, step: &Value, at: UnixSeconds) {
    for call in step["calls"].as_array().unwrap() {
        let input: Bytes = read(&call["input"]);
        let Ok(authorize) = IMandates::authorizeCall::abi_decode(&input) else { continue };
        let payment = contract::payment_id(&authorize.request);
        if authorize.request.mandate != shell.mirror().tip.mandate.id || number(&call["status"]) == 0 {
            continue;
        }
        if shell.mirror().progress(payment).is_none() {
            assert_eq!(shell.asks(&authorize, at), Some(input), "{}", step["did"]);
            assert_eq!(shell.mirror().progress(payment), Some(Progress::Requested));
        }
        let transaction = read(&call["hash"]);
        shell.hears(Command::Sent { payment, transaction }, at).unwrap();
        assert_eq!(shell.mirror().progress(payment), Some(Progress::Submitted), "{}", step["did"]);
    }
}

fn recording() -> Value {
    serde_json::from_str(RECORDING).unwrap()
}

// MR1, MR2
#[test]
fn at_every_block_the_mirror_is_what_the_contract_shows() {
    let mut blocks = 0;
    play(&recording(), |shell, step| {
        agrees(shell.mirror(), step);
        blocks += 1;
    });
    assert!(blocks > 40, "{blocks}");
}

// MR3, MR8
#[test]
fn every_request_ends_as_it_does_on_the_chain() {
    let recording = recording();
    let shell = play(&recording, |_, _| {});
    let name = |label: &str| read::<B256>(&recording["requests"][label]);
    let filed = |label: &str| {
        let rows = shell.owed.iter().filter_map(|effect| {
            let Effect::File(filed) = effect else { return None };
            (filed.request.payment == name(label)).then(|| (**filed).clone())
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.len() == 1, "{label}: {rows:?}");
        rows[0].clone()
    };
    for (label, progress, paid) in [
        ("small", life::Progress::Settled, 40),
        ("large", life::Progress::Settled, 50),
        ("batched", life::Progress::Voided, 0),
        ("late", life::Progress::Refunded, 0),
        ("silent", life::Progress::TimedOut, 5),
        ("parts", life::Progress::Settled, 30),
        ("whole", life::Progress::Settled, 15),
    ] {
        let row = filed(label);
        assert_eq!(row.progress, Progress::Like(progress), "{label}");
        assert_eq!(row.payment.unwrap().paid.0, paid * 1_000_000, "{label}");
    }
    assert!(filed("small").trail.receipt.is_some() && filed("silent").trail.evidence.is_some());
    assert_eq!(shell.mirror().progress(name("kept")), Some(Progress::Like(life::Progress::Delivered)));
    // Its block left the chain, and no other has taken it.
    assert_eq!(shell.mirror().progress(name("lost")), Some(Progress::Submitted));
    assert!(shell.owed.iter().any(|effect| matches!(effect, Effect::Undo { .. })));
}

// MR4
#[test]
fn what_the_contract_refuses_the_mirror_refuses_with_the_same_numbers() {
    let recording = recording();
    let mut seen = Vec::new();
    let watched = watched(&recording);
    play(&recording, |shell, step| {
        for answer in step["answers"].as_array().unwrap() {
            let theirs = refused(&read::<Bytes>(&answer["returns"])).unwrap();
            seen.push(theirs.reason);
            if theirs.reason == Reason::EntryPaymentCap {
                let request = above(shell.mirror(), theirs.got.to());
                let signature = Signed { of: Signature::Of(watched.agent), bytes: Bytes::from_static(b"x") };
                let command = Command::Request { request: Box::new(request), signature, filed: None };
                let now = UnixMillis(shell.mirror().tip.block.at.0 * 1_000);
                let Err(Refusal::Rules { first, .. }) = decide(&shell.state, command, now) else { panic!() };
                assert_eq!(first, theirs);
            }
        }
    });
    assert_eq!(seen, [Reason::EntryPaymentCap, Reason::ApprovalMissing]);
}

/// A request to the provider that is right but for its amount.
fn above(mirror: &Mirror, amount: u128) -> mandate::Request {
    let mandate = &mirror.tip.mandate;
    let key = mandate.entries.keys().find(|key| !key.recipient.is_zero()).unwrap();
    let at = mirror.tip.block.at;
    mandate::Request {
        payment: B256::repeat_byte(1),
        mandate: mandate.id,
        policy_version: mandate.policy_version,
        request_id: B256::repeat_byte(1),
        token: mandate.token,
        max_amount: primitives::BaseUnits(amount),
        recipient: key.recipient,
        service: key.service,
        job_hash: B256::ZERO,
        valid_after: UnixSeconds(0),
        valid_before: at.plus(3_600),
        deliver_by: at.plus(3_600),
        capture_by: at.plus(86_400),
        refund_by: at.plus(86_400),
        terms: mandate.policy.terms,
    }
}

#[test]
fn what_is_none_of_the_contracts_words_is_unreadable() {
    let watched = watched(&recording());
    assert!(news(&watched, &[B256::repeat_byte(1)], &[]).is_err());
    assert!(news(&watched, &[], &[]).is_err());
    assert!(created(&[B256::repeat_byte(1)], &[]).is_err());
    assert_eq!(refused(&[1, 2, 3, 4]), None);
    assert_eq!(refused(&[]), None);
    let unknown =
        [&IMandates::Refused::SELECTOR[..], &U256::from(200).to_be_bytes::<32>(), &[0; 64]].concat();
    assert_eq!(refused(&unknown), None);
}
