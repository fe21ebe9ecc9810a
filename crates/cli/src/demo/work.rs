//! The work of the demonstration: counting a text. Small, real, and checked by whoever ordered it.

use serde::{Deserialize, Serialize};

/// What the buyer sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Instruction {
    /// `instruction`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The text to count.
    pub(super) text: String,
}

/// What the worker sends back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Report {
    /// `task_completed`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Words, as white space separates them.
    pub(super) words: usize,
    /// Characters (Unicode scalar values).
    pub(super) characters: usize,
    /// The first of the longest words, without what is not a letter or a digit.
    pub(super) longest_word: String,
    /// SHA-256 of the text's UTF-8 bytes.
    pub(super) text_sha256: client::Digest,
}

/// The text of the demonstration. Its last words keep more than one alphabet in the relay.
pub(super) const TEXT: &str = "A guildhall is where a town's trades met, agreed on prices and settled their disputes.\n\
     Whoever brought good work was paid; whoever did not was remembered.\n\
     Guildhall does the same for agents: Zunfthaus, maison des corporations, ギルドホール.";

/// Counts a text.
pub(super) fn count(text: &str) -> Report {
    let mut longest = String::new();
    for word in text.split_whitespace() {
        let letters: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        if letters.chars().count() > longest.chars().count() {
            longest = letters;
        }
    }
    Report {
        kind: "task_completed".to_owned(),
        words: text.split_whitespace().count(),
        characters: text.chars().count(),
        longest_word: longest,
        text_sha256: client::Digest::of(&[text.as_bytes()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_a_person_would_count() {
        let report = count("Ein ganz\n langes Wörtchen, kurz.");
        assert_eq!((report.words, report.characters, report.longest_word.as_str()), (5, 32, "Wörtchen"));
        assert_eq!(count("").words, 0);
        // printf 'abc' | sha256sum
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(count("abc").text_sha256.to_string(), abc);
    }
}
