//! A file holds one idea, and one idea fits on 400 lines. Functions are clippy's concern.

use super::Complaint;
use super::sources::Source;

const LINES_MAX: usize = 400;

/// Objects to a file of code that is too long.
pub(super) fn check(file: &Source) -> Option<Complaint> {
    let lines = file.text.lines().count();
    let is_code = ["rs", "mjs", "js", "ts", "sol", "sql"].contains(&file.kind());
    (is_code && lines > LINES_MAX).then(|| {
        Complaint::new(&file.path, format!("{lines} lines; split it by idea, at most {LINES_MAX} each"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: usize) -> Source {
        Source { path: path.into(), text: "x\n".repeat(lines) }
    }

    #[test]
    fn the_last_allowed_line_passes_and_the_next_one_does_not() {
        assert_eq!(check(&file("a.rs", LINES_MAX)), None);
        assert!(check(&file("a.rs", LINES_MAX + 1)).is_some());
        assert!(check(&file("tests/a.mjs", LINES_MAX + 1)).is_some());
        assert_eq!(check(&file("vectors.json", LINES_MAX + 1)), None);
    }
}
