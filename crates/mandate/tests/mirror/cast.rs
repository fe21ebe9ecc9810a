//! The same owner, agent, provider and rules in every test, and the words for what happens to them.

use alloy_primitives::{Address, B256, Bytes};
use mandate::mirror::{
    self, Answer, Block, Call, Command, Effect, Event, Fact, Filed, Mirror, News, Observation, Place,
    Progress, Signed, State, Told,
};
use mandate::*;
use primitives::{BaseUnits, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

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

pub(crate) const fn units(amount: u128) -> BaseUnits {
    BaseUnits(amount)
}

pub(crate) const fn at(seconds: u64) -> UnixMillis {
    UnixMillis(START.0 + 1_000 * seconds)
}

pub(crate) fn policy() -> Policy {
    Policy {
        valid_after: UnixSeconds(0),
        valid_before: at(400 * DAY).into(),
        payment_cap: units(100),
        day_cap: units(250),
        month_cap: units(600),
        lifetime_cap: units(3_000),
        day_count: 5,
        approval_above: units(60),
        terms: Terms {
            challenge_period: 3_600,
            resolution_timeout: 7_200,
            silence_bps: 2_500,
            resolver: RESOLVER,
        },
    }
}

pub(crate) fn creation() -> Creation {
    let limits = EntryLimits { payment_cap: units(90), window_cap: units(200), window: Window::UtcDay };
    Creation {
        id: MANDATE,
        owner: OWNER,
        agent: AGENT,
        token: TOKEN,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        amend_delay: 3_600,
        policy: policy(),
        entries: vec![Entry { key: EntryKey { recipient: PROVIDER, service: SERVICE }, limits }],
    }
}

/// An amendment for that version, with a hash that follows from what it says.
pub(crate) fn amendment(policy: Policy, expected_version: u64) -> Box<Amendment> {
    let mut hash = [0xa0; 32];
    hash[..8].copy_from_slice(&expected_version.to_be_bytes());
    hash[8..24].copy_from_slice(&policy.day_cap.0.to_be_bytes());
    hash[24..].copy_from_slice(&policy.payment_cap.0.to_be_bytes()[8..]);
    Box::new(Amendment { hash: hash.into(), expected_version, policy, entries: Vec::new() })
}

pub(crate) fn tighter() -> Policy {
    Policy { payment_cap: units(80), ..policy() }
}

/// The name of a payment that tests call by a word.
pub(crate) fn named(word: &str) -> B256 {
    let mut bytes = [0; 32];
    for (byte, letter) in bytes.iter_mut().zip(word.bytes()) {
        *byte = letter;
    }
    B256::new(bytes)
}

/// A request that is valid for an hour from `now`, delivered within two, captured within a day and refunded within two.
pub(crate) fn request_at(word: &str, amount: u128, now: UnixMillis) -> Request {
    let after = |seconds: u64| UnixSeconds(UnixSeconds::from(now).0 + seconds);
    Request {
        payment: named(word),
        mandate: MANDATE,
        policy_version: 1,
        request_id: named(word),
        token: TOKEN,
        max_amount: units(amount),
        recipient: PROVIDER,
        service: SERVICE,
        job_hash: B256::ZERO,
        valid_after: UnixSeconds(0),
        valid_before: after(HOUR),
        deliver_by: after(2 * HOUR),
        capture_by: after(DAY),
        refund_by: after(2 * DAY),
        terms: policy().terms,
    }
}

pub(crate) fn request(word: &str, amount: u128) -> Request {
    request_at(word, amount, START)
}

/// A block of the first history; `branch` tells others apart.
pub(crate) fn block_of(number: u64, branch: u8, moment: UnixMillis) -> Block {
    let mut hash = [branch; 32];
    hash[..8].copy_from_slice(&number.to_be_bytes());
    Block { number, hash: hash.into(), at: moment.into() }
}

/// The block of the creation.
pub(crate) fn born_in() -> Block {
    block_of(100, 0, START)
}

pub(crate) fn adopt() -> Command {
    Command::Adopt {
        creation: Box::new(creation()),
        block: born_in(),
        ceiling: Ceiling::Unset,
        label: "Research".to_owned(),
    }
}

/// The events of one block, in order.
pub(crate) fn in_block(block: Block, news: impl IntoIterator<Item = News>) -> Vec<Told> {
    let transaction = B256::repeat_byte(0x77);
    let told = |(index, news)| Told { place: Place { block, index, transaction }, news };
    (0..).zip(news).map(told).collect()
}

/// One block after another, of which the first `sealed` is final.
pub(crate) fn observation(
    after: Block,
    to: Block,
    sealed: Block,
    news: impl IntoIterator<Item = News>,
) -> Box<Observation> {
    Box::new(Observation { after, to, told: in_block(to, news), sealed })
}

/// A block that was final long ago.
pub(crate) fn genesis() -> Block {
    block_of(1, 0, UnixMillis(0))
}

/// The next block at `moment`, with what it tells.
pub(crate) fn next(life: &Life, moment: UnixMillis, news: impl IntoIterator<Item = News>) -> Command {
    let after = mirror(life).tip.block;
    Command::Observe(observation(after, block_of(after.number + 1, 0, moment), genesis(), news))
}

/// All that was told is final.
pub(crate) fn seal(life: &Life) -> Command {
    let tip = mirror(life).tip.block;
    Command::Observe(observation(tip, tip, tip, []))
}

pub(crate) fn funded(amount: u128) -> News {
    News::Funded { from: OWNER, amount: units(amount) }
}

pub(crate) fn authorized(request: Request) -> News {
    News::Authorized(Box::new(request))
}

pub(crate) fn closed(word: &str, state: mandate::State, paid: u128, returned: u128) -> News {
    News::Closed { payment: named(word), state, paid: units(paid), returned: units(returned) }
}

pub(crate) fn ask(request: Request) -> Command {
    let signature = Signed { of: Signature::Of(AGENT), bytes: Bytes::from_static(b"agent's") };
    Command::Request { request: Box::new(request), signature, filed: None }
}

/// By that party's signature.
pub(crate) fn cancel(request: Request, by: Address) -> Command {
    let by = By { caller: STRANGER, signature: Signature::Of(by) };
    let bytes = Bytes::from_static(b"canceller's");
    Command::Cancel { request: Box::new(request), by, bytes, filed: None }
}

/// By that party itself, without a signature for the contract.
pub(crate) fn cancel_unsigned(request: Request, by: Address) -> Command {
    let by = By::caller(by);
    Command::Cancel { request: Box::new(request), by, bytes: Bytes::new(), filed: None }
}

pub(crate) fn approve_as(word: &str, until: UnixMillis, signer: Address) -> Command {
    let approval = SignedApproval { valid_before: until.into(), signature: Signature::Of(signer) };
    Command::Approve { payment: named(word), approval, bytes: Bytes::from_static(b"owner's") }
}

pub(crate) fn approve(word: &str, until: UnixMillis) -> Command {
    approve_as(word, until, OWNER)
}

pub(crate) fn reject(word: &str, by: Address) -> Command {
    Command::Reject { payment: named(word), by: By::caller(by), note: "Not this week.".to_owned() }
}

pub(crate) fn submit(word: &str, by: Address) -> Command {
    Command::Submit { payment: named(word), by: By::caller(by) }
}

pub(crate) fn sent(word: &str, transaction: u8) -> Command {
    Command::Sent { payment: named(word), transaction: B256::repeat_byte(transaction) }
}

/// An answer to the latest question.
pub(crate) fn answer(life: &Life, word: &str, answer: Answer) -> Command {
    let turn = life.state.mirror().and_then(|mirror| mirror.asks.get(&named(word))).map_or(0, |ask| ask.turn);
    Command::Answered { payment: named(word), turn, answer }
}

pub(crate) fn refusing(reason: Reason) -> Answer {
    Answer::Refused(Refused::new(reason, 0, 0))
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Object;

pub(crate) type Life = rehearsal::Life<Object>;
pub(crate) type Heard = rehearsal::Heard<Object>;

impl Core for Object {
    core_of!(mirror);

    const FACTS: usize = 12;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Adopted { .. } => "adopted",
            Fact::Observed(_) => "observed",
            Fact::Rewound(_) => "rewound",
            Fact::Orphaned { .. } => "orphaned",
            Fact::Requested { .. } => "requested",
            Fact::Approved { .. } => "approved",
            Fact::Rejected { .. } => "rejected",
            Fact::Submitted { .. } => "submitted",
            Fact::Cancelled { .. } => "cancelled",
            Fact::Sent { .. } => "sent",
            Fact::Answered { .. } => "answered",
            Fact::Elapsed { .. } => "elapsed",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        match state.mirror().map(|mirror| mirror.tip.mandate.status) {
            None => "UNBORN",
            Some(Status::Active) => "ACTIVE",
            Some(Status::Paused) => "PAUSED",
            Some(Status::Revoked) => "REVOKED",
        }
    }

    fn mark(state: &State) -> String {
        let Some(mirror) = state.mirror() else { return String::new() };
        let funds = mirror.tip.mandate.funds;
        let names = mirror.asks.keys().chain(mirror.tip.escrows.keys());
        let mut standing: Vec<String> = names
            .map(|name| {
                let word = name.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte));
                let progress = mirror.progress(*name).map_or("?", Progress::name);
                format!(" {}:{progress}", String::from_iter(word))
            })
            .collect();
        standing.sort();
        standing.dedup();
        format!("({}-{}{})", funds.balance, funds.reserved, standing.concat())
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Send { turn, call, .. } => match **call {
                Call::Authorize { .. } => format!("+send{turn}"),
                Call::Cancel { .. } => format!("+cancel{turn}"),
            },
            Effect::Look { turn, .. } => format!("+look{turn}"),
            Effect::File(filed) => format!("+file:{}", filed.progress.name()),
            Effect::Refunded { total, .. } => format!("+refunded:{total}"),
            Effect::Log { line, place } => {
                let mark = place.map_or("", |_| "*");
                format!("{mark}{}:{}", line.kind.name(), line.result)
            }
            Effect::Undo { after } => format!("+undo:{after}"),
        }
    }
}

pub(crate) fn mirror(life: &Life) -> &Mirror {
    life.state.mirror().unwrap()
}

/// A mirrored mandate with 500 units, and what else has happened at the start.
pub(crate) fn alive(commands: impl IntoIterator<Item = Command>) -> Life {
    let mut life = Life::of([adopt()]);
    let fund = next(&life, START, [funded(500)]);
    for command in [fund].into_iter().chain(commands) {
        life.hears(command, START).unwrap();
    }
    life
}

/// What a shell would have on file under a payment's name.
pub(crate) fn filed(life: &Life, payment: B256) -> Option<Box<Filed>> {
    life.owed.iter().rev().find_map(|effect| match effect {
        Effect::File(filed) if filed.request.payment == payment => Some(filed.clone()),
        Effect::File(_)
        | Effect::Send { .. }
        | Effect::Look { .. }
        | Effect::Refunded { .. }
        | Effect::Log { .. }
        | Effect::Undo { .. } => None,
    })
}

/// The command with what a shell would hand in beside it.
pub(crate) fn informed(life: &Life, mut command: Command) -> Command {
    if let Command::Request { request, filed: row, .. } | Command::Cancel { request, filed: row, .. } =
        &mut command
    {
        *row = filed(life, request.payment);
    }
    command
}

/// Lets the life hear a command as a shell would hand it in.
pub(crate) fn hears(life: &mut Life, command: Command, now: UnixMillis) -> Result<Heard, mirror::Refusal> {
    let command = informed(life, command);
    life.hears(command, now)
}

/// The code of a refusal, or none.
pub(crate) fn code(heard: &Result<Heard, mirror::Refusal>) -> &'static str {
    heard.as_ref().err().map_or("none", mirror::Refusal::code)
}
