//! Verification of an exported journal: pure, offline, with nothing taken on trust but SHA-256.
//!
//! `hash(n) = SHA-256(hash(n-1) ‖ canonical JSON of {at, correlation_id, event, seq})`, where the first entry's
//! predecessor is 32 zero bytes. A chain proves that nothing inside it was edited, removed or reordered after its
//! head was known. It cannot prove that nobody made up the whole journal: for that, compare the head with the one
//! that the other party holds.

use api::wire::{JournalAnswer, JournalEntry, RunJournalAnswer};
use primitives::Digest;
use serde::Serialize;
use serde_json::Value;

/// A journal as the board hands it out.
pub trait Journal {
    /// Its entries, the first one first.
    fn entries(&self) -> &[JournalEntry];
    /// The hash that its last entry is said to have.
    fn head(&self) -> &str;
}

impl Journal for JournalAnswer {
    fn entries(&self) -> &[JournalEntry] {
        &self.entries
    }

    fn head(&self) -> &str {
        &self.head
    }
}

impl Journal for RunJournalAnswer {
    fn entries(&self) -> &[JournalEntry] {
        &self.entries
    }

    fn head(&self) -> &str {
        &self.head
    }
}

/// A journal whose every entry holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// How many entries were checked.
    pub entries: usize,
    /// The last entry's hash. Two parties with the same head hold the same journal.
    pub head: Digest,
}

/// The first place where a journal does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrokenAt {
    /// The number of the entry that does not hold; of the last entry when the head is wrong, 0 for an empty journal.
    pub seq: u64,
    /// What is wrong there.
    pub why: Break,
}

/// What can be wrong with one entry or with the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// There is no entry at all; every journal begins with what was made.
    Empty,
    /// The entry stands where another number belongs: something was removed, added or reordered.
    OutOfOrder {
        /// The number that belongs there.
        expected: u64,
    },
    /// The entry's hash does not follow from its content and its predecessor: one of the three was edited.
    HashMismatch {
        /// The hash that follows from what is there.
        expected: Digest,
    },
    /// Every entry holds, but the head is not the last entry's hash: entries are missing at the end, or the head was
    /// edited.
    HeadMismatch,
    /// The entry cannot be written as JSON, so it cannot have been hashed.
    Unwritable,
}

impl core::fmt::Display for BrokenAt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let seq = self.seq;
        match self.why {
            Break::Empty => write!(formatter, "the journal has no entries"),
            Break::OutOfOrder { expected } => write!(
                formatter,
                "entry {seq} stands where entry {expected} belongs: an entry was removed, added or moved"
            ),
            Break::HashMismatch { expected } => write!(
                formatter,
                "the hash of entry {seq} does not follow from its content and the entry before it (expected {expected}): \
                 one of them was edited"
            ),
            Break::HeadMismatch => write!(
                formatter,
                "the head is not the hash of entry {seq}, the last one: entries are missing at the end, or the head was edited"
            ),
            Break::Unwritable => write!(formatter, "entry {seq} cannot be written as JSON"),
        }
    }
}

impl core::error::Error for BrokenAt {}

/// The part of an entry that its hash covers.
#[derive(Serialize)]
struct Hashed<'a> {
    at: &'a str,
    correlation_id: &'a str,
    event: &'a Value,
    seq: u64,
}

/// Checks a journal's numbers, hashes and head, from the first entry to the last.
///
/// # Errors
/// The first place that does not hold.
pub fn verify_journal(journal: &impl Journal) -> Result<Verified, BrokenAt> {
    let entries = journal.entries();
    let mut previous = Digest::ZERO;
    let mut last = 0;
    for (entry, expected) in entries.iter().zip(1..) {
        last = entry.seq;
        if entry.seq != expected {
            return Err(BrokenAt { seq: entry.seq, why: Break::OutOfOrder { expected } });
        }
        let hash = hash_of(&previous, entry)?;
        if entry.hash != hash.to_string() {
            return Err(BrokenAt { seq: entry.seq, why: Break::HashMismatch { expected: hash } });
        }
        previous = hash;
    }
    if entries.is_empty() {
        return Err(BrokenAt { seq: 0, why: Break::Empty });
    }
    if journal.head() != previous.to_string() {
        return Err(BrokenAt { seq: last, why: Break::HeadMismatch });
    }
    Ok(Verified { entries: entries.len(), head: previous })
}

fn hash_of(previous: &Digest, entry: &JournalEntry) -> Result<Digest, BrokenAt> {
    let hashed =
        Hashed { at: &entry.at, correlation_id: &entry.correlation_id, event: &entry.event, seq: entry.seq };
    let canonical = primitives::canonical_json(&hashed)
        .map_err(|_| BrokenAt { seq: entry.seq, why: Break::Unwritable })?;
    Ok(Digest::of(&[&previous.0, canonical.as_bytes()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A good chain, made by the rule written out by hand rather than by the code under test.
    fn good() -> JournalAnswer {
        let mut previous = [0_u8; 32];
        let events = [
            (r#"{"delivery":{"reason":"é"},"kind":"reserved"}"#, 1_u64),
            (r#"{"kind":"funded"}"#, 2),
            (r#"{"kind":"claimed"}"#, 3),
            (r#"{"kind":"closed"}"#, 4),
        ];
        let mut entries = Vec::new();
        for (event, seq) in events {
            let at = format!("2026-11-30T14:25:0{seq}.000Z");
            let text = format!(r#"{{"at":"{at}","correlation_id":"c-{seq}","event":{event},"seq":{seq}}}"#);
            let hash = Digest::of(&[&previous, text.as_bytes()]);
            previous = hash.0;
            let event = serde_json::from_str(event).unwrap();
            entries.push(JournalEntry {
                seq,
                at,
                correlation_id: format!("c-{seq}"),
                event,
                hash: hash.to_string(),
            });
        }
        JournalAnswer {
            gig_id: "6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d11".to_owned(),
            head: entries.last().unwrap().hash.clone(),
            entries,
        }
    }

    fn broken(edit: impl FnOnce(&mut JournalAnswer)) -> BrokenAt {
        let mut journal = good();
        edit(&mut journal);
        verify_journal(&journal).unwrap_err()
    }

    #[test]
    fn a_good_chain_holds() {
        let journal = good();
        let verified = verify_journal(&journal).unwrap();
        assert_eq!((verified.entries, verified.head.to_string()), (4, journal.head));
    }

    #[test]
    fn the_hash_of_a_first_entry_is_a_value_computed_elsewhere() {
        // printf '%064d' 0 | xxd -r -p, then the text of the entry, through sha256sum.
        assert_eq!(
            good().entries[0].hash,
            "fe4047b632fc192208560ce41e419daf56d73853c882130488f3023c82181b2d"
        );
    }

    #[test]
    fn an_edit_of_anything_in_a_body_is_found_at_that_entry() {
        let edits: [fn(&mut JournalEntry); 3] = [
            |entry| entry.event = serde_json::json!({ "kind": "claimed", "by": "somebody else" }),
            |entry| entry.at = "2026-11-30T14:25:09.000Z".to_owned(),
            |entry| entry.correlation_id = "another".to_owned(),
        ];
        for edit in edits {
            let at = broken(|journal| edit(&mut journal.entries[2]));
            assert_eq!(at.seq, 3);
            assert!(matches!(at.why, Break::HashMismatch { .. }), "{at}");
        }
    }

    #[test]
    fn an_edited_hash_is_found_at_that_entry() {
        let at = broken(|journal| journal.entries[1].hash = journal.entries[2].hash.clone());
        assert_eq!(at.seq, 2);
        assert!(matches!(at.why, Break::HashMismatch { .. }));
    }

    #[test]
    fn a_removed_entry_is_found_wherever_it_was() {
        let at = broken(|journal| drop(journal.entries.remove(0)));
        assert_eq!((at.seq, at.why), (2, Break::OutOfOrder { expected: 1 }));
        let at = broken(|journal| drop(journal.entries.remove(2)));
        assert_eq!((at.seq, at.why), (4, Break::OutOfOrder { expected: 3 }));
        let at = broken(|journal| drop(journal.entries.pop()));
        assert_eq!((at.seq, at.why), (3, Break::HeadMismatch));
        assert_eq!(broken(|journal| journal.entries.clear()).why, Break::Empty);
    }

    #[test]
    fn a_removal_hidden_by_new_numbers_breaks_the_hash() {
        let at = broken(|journal| {
            drop(journal.entries.remove(1));
            for (entry, seq) in journal.entries.iter_mut().zip(1..) {
                entry.seq = seq;
            }
        });
        assert_eq!(at.seq, 2);
        assert!(matches!(at.why, Break::HashMismatch { .. }));
    }

    #[test]
    fn reordered_entries_are_found() {
        let at = broken(|journal| journal.entries.swap(1, 2));
        assert_eq!((at.seq, at.why), (3, Break::OutOfOrder { expected: 2 }));
        let at = broken(|journal| {
            journal.entries.swap(1, 2);
            journal.entries[1].seq = 2;
            journal.entries[2].seq = 3;
        });
        assert!(matches!(at.why, Break::HashMismatch { .. }));
    }

    #[test]
    fn a_wrong_head_is_found() {
        let at = broken(|journal| journal.head = Digest::ZERO.to_string());
        assert_eq!((at.seq, at.why), (4, Break::HeadMismatch));
    }
}
