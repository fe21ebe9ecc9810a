//! Sequences kept as JSON, for those who have the model and not the bytecode.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use alloy_primitives::Address;
use mandate::Reason;
use serde::{Deserialize, Serialize};

use crate::chain::CHAIN_ID;
use crate::{Action, Actor, Cast, Dice, Outcome, Sites, Step, Tally, World, play};

/// How many numbers a kept sequence has at most, and how many sequences there are to choose from.
const STEPS: usize = 25;
const CANDIDATES: u64 = 1_000;
/// How large the file may be.
const BYTES_MAX: usize = 290_000;

/// What the file holds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    about: String,
    chain_id: u64,
    mandates: Address,
    vault_code: Address,
    dollar: Address,
    deaf_token: Address,
    cast: BTreeMap<Actor, Address>,
    /// The sequences.
    pub sequences: Vec<Vec<Taken>>,
}

/// A step and its answer.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// What the contract and the model answered.
    pub outcome: Outcome,
}

/// In place of a kind of call: a reason counts for itself, and again for each kind of call that it answers.
const ANY: &str = "any";

const ABOUT: &str = "Sequences of calls to the contract Mandates, each with the answer of its bytecode; the model in \
    crates/mandate gives the same. Accounts are named in `cast`; a signature is said to be made by whom and how, as \
    documented in tests/differential/src. Amounts are base units, times Unix seconds. Written by \
    `DIFFERENTIAL_VECTORS=write cargo test -p differential --test vectors`.";

/// Where the file is.
fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "vectors", "mandate_sequences.json"].iter().collect()
}

impl Record {
    /// The committed file.
    ///
    /// # Panics
    /// When it is missing or in another shape.
    pub fn read() -> Self {
        serde_json::from_str(&fs::read_to_string(path()).expect("tests/vectors"))
            .expect("the shape of a record")
    }

    /// Where everything is in the file's world.
    pub fn sites(&self) -> Sites {
        Sites {
            mandates: self.mandates,
            vault_code: self.vault_code,
            dollar: self.dollar,
            deaf: self.deaf_token,
            cast: Cast::new(self.cast[&Actor::OwnerWallet], self.cast[&Actor::AgentWallet]),
        }
    }

    /// Plays sequences and keeps few that show as many answers to as many kinds of calls as all of them do.
    ///
    /// # Panics
    /// When the bytecode and the model differ.
    pub fn make(world: &World) -> Self {
        let sites = &world.sites;
        let mut record = Self {
            about: ABOUT.into(),
            chain_id: CHAIN_ID,
            mandates: sites.mandates,
            vault_code: sites.vault_code,
            dollar: sites.dollar,
            deaf_token: sites.deaf,
            cast: Actor::ALL.map(|actor| (actor, sites.cast.address(actor))).into(),
            sequences: Vec::new(),
        };
        let mut candidates: Vec<_> = (0..CANDIDATES).map(|seed| Candidate::play(world, seed)).collect();
        let (mut shown, mut bytes) = (BTreeSet::new(), 0);
        while let Some((_, at, steps)) =
            (0..candidates.len()).filter_map(|at| candidates[at].best(&shown).map(|(w, n)| (w, at, n))).max()
        {
            let mut best = candidates.swap_remove(at);
            bytes += best.sizes[..steps].iter().sum::<usize>();
            if bytes > BYTES_MAX {
                break;
            }
            shown.extend(best.showings[..steps].iter().flatten().cloned());
            best.taken.truncate(steps);
            record.sequences.push(best.taken);
        }
        record
    }

    /// Writes the file: one line for each step.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn write(&self) {
        let mut head = serde_json::to_value(self).expect("JSON");
        head.as_object_mut().expect("an object").remove("sequences");
        let head = serde_json::to_string_pretty(&head).expect("JSON");
        let sequences: Vec<_> = self
            .sequences
            .iter()
            .map(|sequence| {
                let lines: Vec<_> =
                    sequence.iter().map(|taken| serde_json::to_string(taken).expect("JSON")).collect();
                format!("    [\n      {}\n    ]", lines.join(",\n      "))
            })
            .collect();
        let head = head.trim_end_matches("\n}");
        let text = format!("{head},\n  \"sequences\": [\n{}\n  ]\n}}\n", sequences.join(",\n"));
        fs::write(path(), text).expect("tests/vectors can be written");
    }
}

/// A sequence that may be kept, up to some step.
struct Candidate {
    taken: Vec<Taken>,
    sizes: Vec<usize>,
    showings: Vec<Vec<Showing>>,
}

/// A kind of call and an answer to it.
type Showing = (String, Reason);

impl Candidate {
    fn play(world: &World, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let numbers: Vec<_> = (0..STEPS).map(|_| dice.below(u64::MAX)).collect();
        let taken = play(world.clone(), &numbers, &mut Tally::default(), |_| {}).expect("no difference");
        let taken: Vec<_> = taken.into_iter().map(|(step, outcome)| Taken { step, outcome }).collect();
        let size = |taken: &Taken| serde_json::to_string(taken).expect("JSON").len() + 8;
        Self {
            sizes: taken.iter().map(size).collect(),
            showings: taken.iter().map(showings).collect(),
            taken,
        }
    }

    /// The number of first steps that shows most for its size, with a measure of that; none shows anything new.
    fn best(&self, shown: &BTreeSet<Showing>) -> Option<(usize, usize)> {
        let (mut new, mut worth, mut bytes, mut best) = (BTreeSet::new(), 0, 0, None);
        for (step, showings) in self.showings.iter().enumerate() {
            bytes += self.sizes[step];
            for showing in showings {
                if !shown.contains(showing) && new.insert(showing) {
                    worth += if showing.0 == ANY { 1_000 } else { 1 };
                    best = best.max(Some((worth * 1_000_000 / bytes, step + 1)));
                }
            }
        }
        best
    }
}

/// What kinds of calls were answered, and how.
fn showings(taken: &Taken) -> Vec<Showing> {
    let kind = match &taken.step.action {
        Action::Escrow { call, .. } => variant(&format!("{call:?}")),
        action => variant(&format!("{action:?}")),
    };
    let reasons = match &taken.outcome {
        Outcome::Done => vec![Reason::None],
        Outcome::Batch(reasons) => reasons.clone(),
        Outcome::Refused(refused) => vec![refused.reason],
        Outcome::TokenRefused => return vec![(format!("{kind} (token)"), Reason::None)],
    };
    reasons.into_iter().flat_map(|reason| [(kind.clone(), reason), (ANY.into(), reason)]).collect()
}

fn variant(text: &str) -> String {
    text.split([' ', '(']).next().unwrap_or_default().into()
}
