//! The texts of the checkout that people write.

use std::fs;
use std::path::Path;

use crate::fault::Fault;

/// One text file.
pub(super) struct Source {
    /// Its path from the top of the checkout, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// The letters after the last dot of its name.
    pub(super) fn kind(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, kind)| kind)
    }
}

/// Folders that tools fill.
const MADE: [&str; 6] = ["target", "node_modules", "build", "out", ".git", ".wrangler"];
/// What people write by hand. Other kinds are vectors, documents or pictures.
const KINDS: [&str; 12] = ["rs", "mjs", "js", "ts", "sol", "sql", "toml", "md", "json", "yml", "sh", "txt"];

/// Every text below `root` that people write.
///
/// # Errors
/// When a folder cannot be listed or a text is not UTF-8.
pub(super) fn all(root: &Path) -> Result<Vec<Source>, Fault> {
    let mut sources = Vec::new();
    visit(root, "", &mut sources)?;
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn visit(folder: &Path, prefix: &str, sources: &mut Vec<Source>) -> Result<(), Fault> {
    let entries = fs::read_dir(folder).map_err(|error| Fault::file("list", folder, &error))?;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let shown = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        if path.is_dir() {
            if !MADE.contains(&name.as_str()) {
                visit(&path, &shown, sources)?;
            }
            continue;
        }
        let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
        if KINDS.contains(&kind) {
            let text = fs::read_to_string(&path).map_err(|error| Fault::file("read", &path, &error))?;
            sources.push(Source { path: shown, text });
        }
    }
    Ok(())
}
