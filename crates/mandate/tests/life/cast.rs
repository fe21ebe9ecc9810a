//! The same owner, agent, provider and rules in every test, and the words for what happens to them.

use alloy_primitives::{Address, B256, Bytes, U256};
use mandate::life::{
    self, Act, Book, Change, Closed, Command, Effect, Event, Fact, Filed, Hold, Outcome, State,
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
        valid_after: START.into(),
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

pub(crate) fn create() -> Command {
    create_as(creation())
}

pub(crate) fn create_as(creation: Creation) -> Command {
    Command::Create { creation: Box::new(creation), token: Token::Answers, label: "Research".to_owned() }
}

pub(crate) fn change(change: Change, by: Address) -> Command {
    Command::Change { change, by }
}

pub(crate) fn fund(amount: u128) -> Command {
    change(Change::Fund { amount: U256::from(amount) }, OWNER)
}

/// The owner's amendment of the first policy.
pub(crate) fn amendment(policy: Policy, expected_version: u64) -> Box<Amendment> {
    let hash = B256::with_last_byte(0xa0 + u8::try_from(expected_version).unwrap_or(0));
    Box::new(Amendment { hash, expected_version, policy, entries: Vec::new() })
}

pub(crate) fn tighter() -> Policy {
    Policy { payment_cap: units(80), ..policy() }
}

pub(crate) fn looser() -> Policy {
    Policy { day_cap: units(300), ..policy() }
}

/// The name of a payment or reservation that tests call by a word.
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

pub(crate) fn ask(request: Request) -> Command {
    Command::Request { request: Box::new(request), by: By::caller(AGENT), filed: None }
}

pub(crate) fn cancel(request: Request, by: Address) -> Command {
    Command::Cancel { request: Box::new(request), by: By::caller(by), filed: None }
}

pub(crate) fn act(word: &str, act: Act, by: Address) -> Command {
    Command::Act { payment: named(word), act, by: By::caller(by), filed: None }
}

pub(crate) fn approve(word: &str, until: UnixMillis) -> Command {
    let approval = SignedApproval { valid_before: until.into(), signature: Signature::Of(OWNER) };
    act(word, Act::Approve { approval, bytes: Bytes::new() }, OWNER)
}

pub(crate) fn reject(word: &str) -> Command {
    act(word, Act::Reject { note: "Not this week.".to_owned() }, OWNER)
}

pub(crate) fn deliver(word: &str) -> Command {
    act(word, Act::Deliver { receipt: B256::repeat_byte(0xee) }, PROVIDER)
}

pub(crate) fn dispute(word: &str) -> Command {
    act(word, Act::Dispute { evidence: B256::repeat_byte(0xdd) }, OWNER)
}

pub(crate) fn capture(word: &str, total: u128) -> Command {
    act(word, Act::Capture { total: units(total) }, PROVIDER)
}

pub(crate) fn resolve(word: &str, to_provider: u128) -> Command {
    act(word, Act::Resolve { to_provider: units(to_provider) }, RESOLVER)
}

pub(crate) fn refund(word: &str, total: u128) -> Command {
    act(word, Act::Refund { total: units(total) }, PROVIDER)
}

pub(crate) fn hold(amount: u128, until: UnixMillis) -> Hold {
    Hold {
        asker: "run".to_owned(),
        recipient: PROVIDER,
        service: SERVICE,
        amount: units(amount),
        until: until.into(),
        approved: false,
    }
}

/// With the owner's yes.
pub(crate) fn approved(amount: u128, until: UnixMillis) -> Hold {
    Hold { approved: true, ..hold(amount, until) }
}

pub(crate) fn reserve(word: &str, hold: Hold) -> Command {
    Command::Reserve { reservation: named(word), hold, closed: None }
}

pub(crate) fn commit(word: &str, amount: u128) -> Command {
    Command::Commit { reservation: named(word), asker: "run".to_owned(), amount: units(amount), closed: None }
}

pub(crate) fn release(word: &str) -> Command {
    Command::Release { reservation: named(word), asker: "run".to_owned(), closed: None }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Object;

pub(crate) type Life = rehearsal::Life<Object>;
pub(crate) type Heard = rehearsal::Heard<Object>;

impl Core for Object {
    core_of!(life);

    // What anyone may do once time is over, the object does: `expire` and `time_out` are never accepted as acts.
    const FACTS: usize = 29;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Created { .. } => "created",
            Fact::Changed { change, .. } => match change {
                Change::Amend(_) => "amend",
                Change::ApplyAmendment(_) => "apply_amendment",
                Change::CancelAmendment => "cancel_amendment",
                Change::Pause => "pause",
                Change::Unpause => "unpause",
                Change::Revoke => "revoke",
                Change::Renounce => "renounce",
                Change::Fund { .. } => "fund",
                Change::Withdraw { .. } => "withdraw",
            },
            Fact::Requested { .. } => "requested",
            Fact::Cancelled { .. } => "cancel",
            Fact::Acted { act, .. } => match act {
                Act::Approve { .. } => "approve",
                Act::Reject { .. } => "reject",
                Act::Submit => "submit",
                Act::Deliver { .. } => "deliver",
                Act::Accept => "accept",
                Act::Dispute { .. } => "dispute",
                Act::Capture { .. } => "capture",
                Act::Claim => "claim",
                Act::Void => "void",
                Act::Resolve { .. } => "resolve",
                Act::TimeOut => "time_out",
                Act::Expire => "expire",
                Act::Refund { .. } => "refund of what is open",
            },
            Fact::Refunded { .. } => "refund",
            Fact::Lapsed { .. } => "lapsed",
            Fact::Reserved { .. } => "reserved",
            Fact::Committed { .. } => "committed",
            Fact::Released { .. } => "released",
            Fact::ReservationLapsed { .. } => "reservation_lapsed",
            Fact::ReservationBarred { .. } => "reservation_barred",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        match state.book().map(|book| book.mandate.status) {
            None => "UNBORN",
            Some(Status::Active) => "ACTIVE",
            Some(Status::Paused) => "PAUSED",
            Some(Status::Revoked) => "REVOKED",
        }
    }

    fn mark(state: &State) -> String {
        let funds = state.book().map(|book| book.mandate.funds);
        funds.map_or_else(String::new, |funds| format!("({}-{})", funds.balance, funds.reserved))
    }

    fn told(event: &Event) -> String {
        let name = Self::name(event);
        match event.outcome {
            Outcome::Done => name.to_owned(),
            Outcome::Scheduled { .. } => format!("{name}:scheduled"),
            Outcome::Request { progress, paid, returned } => {
                format!("{name}:{}{}", progress.name(), moved(paid, returned))
            }
            Outcome::Reservation { paid, returned } => format!("{name}{}", moved(paid, returned)),
        }
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::File(filed) => format!("+file:{}", filed.progress.name()),
            Effect::Close { closed, .. } => format!("+close:{}", closed.ending.name()),
            Effect::Log(line) => format!("+{}", line.kind.name()),
            Effect::Tell { asker, .. } => format!("+tell:{asker}"),
        }
    }
}

/// `(paid+returned)`, where anything moved.
fn moved(paid: BaseUnits, returned: BaseUnits) -> String {
    if (paid, returned) == (units(0), units(0)) { String::new() } else { format!("({paid}+{returned})") }
}

pub(crate) fn book(life: &Life) -> &Book {
    life.state.book().unwrap()
}

/// A mandate with 500 units, and what else has happened at the start.
pub(crate) fn alive(commands: impl IntoIterator<Item = Command>) -> Life {
    Life::of([create(), fund(500)].into_iter().chain(commands))
}

/// What a shell would have on file under a payment's name.
pub(crate) fn filed(life: &Life, payment: B256) -> Option<Box<Filed>> {
    life.owed.iter().rev().find_map(|effect| match effect {
        Effect::File(filed) if filed.request.payment == payment => Some(filed.clone()),
        Effect::File(_) | Effect::Close { .. } | Effect::Log(_) | Effect::Tell { .. } => None,
    })
}

fn closed(life: &Life, reservation: B256) -> Option<Closed> {
    life.owed.iter().rev().find_map(|effect| match effect {
        Effect::Close { reservation: name, closed } if *name == reservation => Some(closed.clone()),
        Effect::Close { .. } | Effect::File(_) | Effect::Log(_) | Effect::Tell { .. } => None,
    })
}

/// The command with what a shell would hand in beside it.
pub(crate) fn informed(life: &Life, mut command: Command) -> Command {
    match &mut command {
        Command::Request { request, filed: row, .. } | Command::Cancel { request, filed: row, .. } => {
            *row = filed(life, request.payment);
        }
        Command::Act { payment, filed: row, .. } => *row = filed(life, *payment),
        Command::Reserve { reservation, closed: row, .. }
        | Command::Commit { reservation, closed: row, .. }
        | Command::Release { reservation, closed: row, .. } => *row = closed(life, *reservation),
        Command::Create { .. } | Command::Change { .. } | Command::Wake => {}
    }
    command
}

/// Lets the life hear a command as a shell would hand it in.
pub(crate) fn hears(life: &mut Life, command: Command, now: UnixMillis) -> Result<Heard, life::Refusal> {
    let command = informed(life, command);
    life.hears(command, now)
}

/// The code of a refusal, or none.
pub(crate) fn code(heard: &Result<Heard, life::Refusal>) -> &'static str {
    heard.as_ref().err().map_or("none", life::Refusal::code)
}
