//! Words that say nothing, stories of changes, and traces of one machine.

use super::Complaint;
use super::sources::Source;

/// Names under which anything could be, so that nothing can be found.
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "manager", "misc", "stuff"];
/// Folders of one person's or one machine's disk; a path from the top of the checkout has no such beginning.
const MACHINE_FOLDERS: [&str; 5] = ["root", "home", "tmp", "work", "Users"];

/// Objects to names and words in one file.
pub(super) fn check(file: &Source) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    name(file, &mut complaints);
    if file.path == "package-lock.json" && file.text.contains("\"resolved\"") {
        complaints.push(Complaint::new(
            &file.path,
            "names a registry host; npm install --omit-lockfile-registry-resolved",
        ));
    }
    for (index, line) in file.text.lines().enumerate() {
        let place = || format!("{}:{}", file.path, index.saturating_add(1));
        if let Some(folder) = machine_folder(line) {
            complaints.push(Complaint::new(place(), format!("names the folder {folder} of one machine")));
        }
        if file.kind() == "rs" && line.trim_start().starts_with(concat!("#[ign", "ore")) {
            complaints
                .push(Complaint::new(place(), "a test that is not run proves nothing; repair or remove it"));
        }
        complaints.extend(
            comment(file.kind(), line)
                .and_then(|text| story(text).map(|words| Complaint::new(place(), words))),
        );
    }
    complaints
}

fn name(file: &Source, complaints: &mut Vec<Complaint>) {
    for part in file.path.split('/') {
        let stem = part.split_once('.').map_or(part, |(stem, _)| stem);
        if stem.split(['_', '-']).any(|word| EMPTY_NAMES.contains(&word)) {
            complaints.push(Complaint::new(&file.path, format!("\"{stem}\" says nothing; name the idea")));
        }
    }
}

/// The comment on a line, if its language has one there. A string that holds a marker counts as one: rare, and harmless.
fn comment<'a>(kind: &str, line: &'a str) -> Option<&'a str> {
    let marker = match kind {
        "rs" | "mjs" | "js" | "ts" | "sol" => "//",
        "sql" => "--",
        "toml" | "sh" | "yml" => "#",
        _ => return None,
    };
    line.split_once(marker).map(|(_, text)| text)
}

/// What is wrong with the words of a comment.
fn story(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let gone = concat!("no lon", "ger");
    // "can no longer" is a fact about what the words describe, not about this text.
    let is_story = |before: &str| !["can ", "may ", "must "].iter().any(|verb| before.ends_with(verb));
    let tells = lower.match_indices(gone).any(|(at, _)| lower.get(..at).is_some_and(is_story));
    if tells || lower.contains(concat!("previ", "ously")) {
        return Some("tells the story of a change; say what is true now");
    }
    let promise = [concat!("TO", "DO"), concat!("FIX", "ME")].iter().find_map(|word| text.split_once(word));
    match promise {
        Some((_, rest)) if !rest.starts_with("(#") => Some("a promise needs an issue: (#12) after the word"),
        Some(_) | None => None,
    }
}

/// The absolute folder that a line names, if any.
fn machine_folder(line: &str) -> Option<&'static str> {
    MACHINE_FOLDERS.into_iter().find(|folder| {
        let needle = format!("/{folder}/");
        line.match_indices(&needle).any(|(at, _)| {
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            // In the middle of a longer path or address it is a part of that.
            before.is_none_or(|letter| letter.is_whitespace() || "\"'`(=:,".contains(letter))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        check(&Source { path: path.into(), text: text.into() }).iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn objects(path: &str, text: &str, part: &str) {
        let found = complaints(path, text);
        assert!(found.iter().any(|complaint| complaint.contains(part)), "{path}: {found:?}");
    }

    #[test]
    fn empty_names_are_refused_wherever_they_stand() {
        objects("crates/gig/src/utils.rs", "", "says nothing");
        objects("crates/common/src/lib.rs", "", "says nothing");
        objects("tests/test_helpers.mjs", "", "says nothing");
        assert!(complaints("crates/gig/src/commonwealth.rs", "").is_empty());
    }

    #[test]
    fn folders_of_one_machine_are_refused_and_routes_are_not() {
        objects("a.rs", concat!("let x = \"/ro", "ot/x\";"), "root");
        objects("README.md", concat!("see /ho", "me/me/notes"), "home");
        assert!(complaints("a.rs", "get(\"/v1/work/home/x\")").is_empty());
    }

    #[test]
    fn stories_and_promises_in_comments_are_refused() {
        objects("a.rs", concat!("// This is no lon", "ger used"), "story");
        assert!(complaints("a.rs", concat!("// From when on it can no lon", "ger move money")).is_empty());
        objects("a.sql", concat!("-- Previ", "ously a view"), "story");
        objects("a.rs", concat!("// TO", "DO: later"), "issue");
        assert!(complaints("a.rs", concat!("// TO", "DO(#12): later")).is_empty());
    }

    #[test]
    fn a_skipped_test_and_a_registry_host_are_refused() {
        objects("a.rs", concat!("    #[ign", "ore]"), "not run");
        objects(
            "package-lock.json",
            concat!("\"reso", "lved\": \"https://somewhere/x.tgz\""),
            "registry host",
        );
    }
}
