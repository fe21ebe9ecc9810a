//! The same authorization, transactions and blocks in every test.

use primitives::{BaseUnits, Digest, Millis, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use settlement::{
    Answer, Asker, Bytes, Call, Cause, Command, Effect, Event, Fact, Inclusion, Sighting, State, Terms, Tier,
    Window, answer,
};

/// How long the authorization can be used.
pub(crate) const WINDOW: Millis = Millis::from_minutes(5);

pub(crate) fn fingerprint(request: &str) -> Digest {
    Digest::of(&[request.as_bytes()])
}

pub(crate) fn terms(tier: Tier) -> Terms {
    Terms {
        network: "eip155:84532".to_owned(),
        asset: "0xa55e7".to_owned(),
        payer: "0xbeef".to_owned(),
        recipient: "0xcafe".to_owned(),
        amount: BaseUnits(20_000),
        nonce: "0x01".to_owned(),
        valid_before: START.plus(WINDOW),
        relayer: "eip155:84532/0x4e1a7e4".to_owned(),
        call: Call { to: "0xa55e7".to_owned(), input: Bytes("0xe3ee160e".to_owned()), gas_limit: 90_000 },
        catalogue: Some(r#"{"resource":"https://shop.example/report"}"#.to_owned()),
        tier,
    }
}

pub(crate) fn key(text: &str) -> Asker {
    Asker::Key(text.to_owned())
}

/// A start of request `request` by an asker without a key, to be settled from `tier` on.
pub(crate) fn start(request: &str, tier: Tier) -> Command {
    start_by(Asker::Anonymous, request, tier)
}

pub(crate) fn start_by(asker: Asker, request: &str, tier: Tier) -> Command {
    Command::Start { fingerprint: fingerprint(request), asker, terms: Box::new(terms(tier)) }
}

pub(crate) fn collect(asker: Asker, request: &str) -> Command {
    Command::Collect { fingerprint: fingerprint(request), asker }
}

pub(crate) fn announce(hash: &str) -> Command {
    Command::Announce { hash: hash.to_owned(), raw: Bytes(format!("{hash}02f8")) }
}

pub(crate) fn decline(reason: &str) -> Command {
    Command::Decline { reason: reason.to_owned() }
}

/// The transfer by `transaction`, in block `number` of the branch `branch`.
pub(crate) fn transferred(transaction: &str, number: u64, branch: &str, tier: Tier) -> Sighting {
    let block_hash = format!("{branch}{number}");
    let inclusion = Inclusion { transaction: transaction.to_owned(), block_number: number, block_hash };
    Sighting::Transferred { inclusion, tier }
}

pub(crate) fn used_otherwise(transaction: &str, tier: Tier) -> Sighting {
    Sighting::UsedOtherwise { transaction: transaction.to_owned(), tier }
}

pub(crate) fn unused(mined: Option<&str>, window: Window) -> Sighting {
    Sighting::Unused { mined: mined.map(str::to_owned), window }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settlement;

pub(crate) type Life = rehearsal::Life<Settlement>;
pub(crate) type Heard = rehearsal::Heard<Settlement>;

impl Core for Settlement {
    core_of!(settlement);

    const FACTS: usize = 13;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Started { .. } => "Started",
            Fact::Declined { .. } => "Declined",
            Fact::Announced { .. } => "Announced",
            Fact::LookStarted { .. } => "LookStarted",
            Fact::Reverted { .. } => "Reverted",
            Fact::Transferred { .. } => "Transferred",
            Fact::Confirmed { .. } => "Confirmed",
            Fact::Reorged => "Reorged",
            Fact::Failed { cause: Cause::Expired, .. } => "Failed:expired",
            Fact::Failed { cause: Cause::Reverted, .. } => "Failed:reverted",
            Fact::Failed { cause: Cause::UsedOtherwise, .. } => "Failed:used_otherwise",
            Fact::WatchEnded => "WatchEnded",
            Fact::Collected => "Collected",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().name()
    }

    fn mark(state: &State) -> String {
        match answer(state) {
            Answer::Settled { transaction, .. }
            | Answer::Pending { transaction: Some(transaction) }
            | Answer::Failed { transaction: Some(transaction), .. } => format!("({transaction})"),
            Answer::None
            | Answer::Declined { .. }
            | Answer::Pending { transaction: None }
            | Answer::Failed { transaction: None, .. } => String::new(),
        }
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Submit { .. } => "+submit".to_owned(),
            Effect::Publish { .. } => "+publish".to_owned(),
        }
    }
}

/// Looks, and hears what it saw.
pub(crate) fn sees(life: &mut Life, sighting: Sighting, now: UnixMillis) -> Heard {
    let look = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
    life.hears(Command::See { look, sighting }, now).unwrap()
}

/// Who was told that it is settled, and of which request, each time.
pub(crate) fn told(life: &Life) -> Vec<(&Digest, &Asker)> {
    let told = life.granted.iter().filter_map(|command| {
        if let Command::Collect { fingerprint, asker } = command { Some((fingerprint, asker)) } else { None }
    });
    told.collect()
}

/// How often it was told to askers without a key.
pub(crate) fn anonymously(told: &[(&Digest, &Asker)]) -> usize {
    told.iter().filter(|(_, asker)| **asker == Asker::Anonymous).count()
}
