//! An invariant that a chapter numbers is one that a test names.

use std::collections::BTreeSet;

use super::Complaint;
use super::sources::Source;

/// Objects to each invariant `**G1**` of a `lib.rs` chapter whose number no test mentions.
pub(super) fn check(files: &[Source]) -> Vec<Complaint> {
    let cited: BTreeSet<&str> = files.iter().flat_map(|file| words(tests_of(file))).collect();
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with("lib.rs")) {
        for number in declared(&file.text).filter(|number| !cited.contains(number)) {
            let words = format!("invariant {number} is promised here, and no test cites it");
            complaints.push(Complaint::new(&file.path, words));
        }
    }
    complaints
}

/// The numbers that a chapter declares, in lines such as `//! - **G1** A gig …`.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("//!"))
        .flat_map(|line| line.split("**").skip(1).step_by(2))
        .filter(|word| is_number(word))
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = word.len().saturating_sub(digits.len());
    (1..=2).contains(&letters) && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The part of a file that is a test: all of a file in a folder of tests, else what stands below the mark.
fn tests_of(file: &Source) -> &str {
    let in_folder = file.path.starts_with("tests/") || file.path.contains("/tests/");
    if in_folder {
        return &file.text;
    }
    file.text.split_once("#[cfg(test)]").map_or("", |(_, tests)| tests)
}

/// The numbers that a text mentions.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| is_number(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    const CHAPTER: &str =
        "//! What always holds:\n//! - **Q1** Paid first.\n//! - **Q2** Ends.\n//! **Bold** words.";

    #[test]
    fn a_number_that_no_test_cites_is_an_objection() {
        let found =
            check(&[file("crates/x/src/lib.rs", CHAPTER), file("crates/x/tests/story.rs", "// Q1\n")]);
        assert_eq!(found.len(), 1);
        assert!(found.iter().all(|complaint| complaint.to_string().contains("Q2")));
    }

    #[test]
    fn a_citation_below_the_test_mark_counts_and_one_above_does_not() {
        let chapter = file("crates/x/src/lib.rs", "//! **Q1**");
        let above = file("crates/x/src/a.rs", "// Q1\n#[cfg(test)]\nmod tests {}");
        let below = file("crates/x/src/a.rs", "#[cfg(test)]\nmod tests { /* Q1 */ }");
        assert_eq!(check(&[chapter, above]).len(), 1);
        let chapter = file("crates/x/src/lib.rs", "//! **Q1**");
        assert!(check(&[chapter, below]).is_empty());
    }
}
