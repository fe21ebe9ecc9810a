//! The same authorization, transactions and blocks in every test.

use primitives::{BaseUnits, Digest, Millis, UnixMillis};
use settlement::{
    Asker, Bytes, Call, Cause, Command, Effect, Event, Fact, Inclusion, Refusal, Sighting, State, Terms,
    Tier, Window, apply, decide, effects,
};

/// 2026-11-30T14:00:00Z, when every story begins.
pub(crate) const START: UnixMillis = UnixMillis(1_796_047_200_000);

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

/// A settlement as a shell would keep it: the state, the journal that led there, and what is owed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    pub(crate) state: State,
    /// Every event, with the state before it.
    pub(crate) journal: Vec<(State, Event)>,
    /// Every effect, oldest first.
    pub(crate) owed: Vec<Effect>,
    /// Who was told that it is settled, and of which request, each time.
    pub(crate) told: Vec<(Digest, Asker)>,
}

/// What one command came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) events: Vec<Event>,
    pub(crate) owed: Vec<Effect>,
}

impl Life {
    /// Judges and records. What is decided must apply, or the test that asked fails here.
    pub(crate) fn hears(&mut self, command: Command, now: UnixMillis) -> Result<Heard, Refusal> {
        let events = decide(&self.state, command.clone(), now)?;
        if let Command::Collect { fingerprint, asker } = command {
            self.told.push((fingerprint, asker));
        }
        let mut owed = Vec::new();
        for event in &events {
            let before = self.state.clone();
            owed.extend(effects(&before, event));
            self.state =
                apply(before.clone(), event).unwrap_or_else(|corrupt| panic!("{corrupt}: {event:?}"));
            self.journal.push((before, event.clone()));
        }
        self.owed.extend(owed.clone());
        Ok(Heard { events, owed })
    }

    /// Looks, and hears what it saw.
    pub(crate) fn sees(&mut self, sighting: Sighting, now: UnixMillis) -> Heard {
        let look = self.state.unfinished().map_or(0, |pursuit| pursuit.looks);
        self.hears(Command::See { look, sighting }, now).unwrap()
    }

    pub(crate) fn count(&self, wanted: &str) -> usize {
        self.journal.iter().filter(|(_, event)| name(&event.fact) == wanted).count()
    }
}

/// How often it was told to askers without a key.
pub(crate) fn anonymously(told: &[(Digest, Asker)]) -> usize {
    told.iter().filter(|(_, asker)| *asker == Asker::Anonymous).count()
}

/// A fact's name. Written out so that a new fact does not compile until the tests know of it.
pub(crate) const fn name(fact: &Fact) -> &'static str {
    match fact {
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

/// How many facts [`name`] tells apart.
pub(crate) const FACTS: usize = 13;

/// Facts and what they owe, in short words.
pub(crate) fn told(heard: &Heard) -> String {
    let facts = heard.events.iter().map(|event| name(&event.fact));
    let owed = heard.owed.iter().map(|effect| match effect {
        Effect::Submit { .. } => "+submit",
        Effect::Publish { .. } => "+publish",
    });
    let words: Vec<&str> = facts.chain(owed).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}
