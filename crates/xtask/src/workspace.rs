//! Where things are, and which package knows which: read from the manifests, not from memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::fault::Fault;

/// The checkout.
pub(crate) struct Workspace {
    /// The folder with the root manifest.
    pub(crate) root: PathBuf,
}

/// One package of the workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, absolute.
    pub(crate) folder: PathBuf,
    /// Its manifest as written.
    pub(crate) manifest: Table,
}

impl Workspace {
    /// Finds the checkout that this toolbox was built from.
    ///
    /// # Errors
    /// When its manifest has moved away since.
    pub(crate) fn find() -> Result<Self, Fault> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = own.ancestors().nth(2).unwrap_or(own).to_path_buf();
        if root.join("Cargo.toml").is_file() {
            return Ok(Self { root });
        }
        Err(Fault::new(format!(
            "{} holds no Cargo.toml any more; run cargo xtask from the checkout",
            root.display()
        )))
    }

    /// Reads one file of the checkout as text.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn read(&self, path: &str) -> Result<String, Fault> {
        read(&self.root.join(path))
    }

    /// The packages of the workspace, by the member patterns of the root manifest.
    ///
    /// # Errors
    /// When a manifest cannot be read or is not TOML.
    pub(crate) fn packages(&self) -> Result<Vec<Package>, Fault> {
        let root = manifest(&self.root)?;
        let members = root.get("workspace").and_then(|table| table.get("members")).and_then(Value::as_array);
        let mut packages = Vec::new();
        for pattern in members.into_iter().flatten().filter_map(Value::as_str) {
            for folder in self.folders(pattern)? {
                let manifest = manifest(&folder)?;
                let name =
                    manifest.get("package").and_then(|table| table.get("name")).and_then(Value::as_str);
                let name = name.unwrap_or_default().to_owned();
                packages.push(Package { name, folder, manifest });
            }
        }
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(packages)
    }

    fn folders(&self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        let Some(parent) = pattern.strip_suffix("/*") else {
            return Ok(vec![self.root.join(pattern)]);
        };
        let parent = self.root.join(parent);
        let entries = fs::read_dir(&parent).map_err(|error| Fault::file("list", &parent, &error))?;
        let folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        Ok(folders.filter(|folder| folder.join("Cargo.toml").is_file()).collect())
    }

    /// The version of one package in Cargo.lock.
    ///
    /// # Errors
    /// When the lock file is missing or names no such package.
    pub(crate) fn locked_version(&self, package: &str) -> Result<String, Fault> {
        let lock = parse(&self.root.join("Cargo.lock"))?;
        let packages = lock.get("package").and_then(Value::as_array);
        packages
            .into_iter()
            .flatten()
            .find(|entry| entry.get("name").and_then(Value::as_str) == Some(package))
            .and_then(|entry| entry.get("version").and_then(Value::as_str))
            .map(ToOwned::to_owned)
            .ok_or_else(|| Fault::new(format!("Cargo.lock names no {package}; run cargo generate-lockfile")))
    }
}

impl Package {
    /// The names of the packages that it depends on, of every kind: normal, build, development, per target.
    pub(crate) fn dependencies(&self) -> BTreeSet<String> {
        self.dependency_tables().into_iter().flat_map(|(_, table)| table.keys().cloned()).collect()
    }

    /// Its dependency tables, each with its heading in the manifest.
    pub(crate) fn dependency_tables(&self) -> Vec<(String, &Table)> {
        const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];
        let mut tables = Vec::new();
        for kind in KINDS {
            if let Some(table) = self.manifest.get(kind).and_then(Value::as_table) {
                tables.push((kind.to_owned(), table));
            }
        }
        let targets = self.manifest.get("target").and_then(Value::as_table);
        for (target, parent) in targets.into_iter().flatten() {
            for kind in KINDS {
                if let Some(table) = parent.get(kind).and_then(Value::as_table) {
                    tables.push((format!("target.'{target}'.{kind}"), table));
                }
            }
        }
        tables
    }
}

/// The folders whose sources go into `package`: its own, and those of every workspace package below it.
pub(crate) fn source_folders(packages: &[Package], package: &str) -> Vec<PathBuf> {
    let by_name: BTreeMap<&str, &Package> = packages.iter().map(|p| (p.name.as_str(), p)).collect();
    let mut found = BTreeMap::new();
    let mut open = vec![package.to_owned()];
    while let Some(name) = open.pop() {
        let Some(package) = by_name.get(name.as_str()) else { continue };
        if found.insert(name, package.folder.clone()).is_none() {
            open.extend(package.dependencies());
        }
    }
    found.into_values().collect()
}

/// Reads a text file.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read(path: &Path) -> Result<String, Fault> {
    fs::read_to_string(path).map_err(|error| Fault::file("read", path, &error))
}

fn manifest(folder: &Path) -> Result<Table, Fault> {
    parse(&folder.join("Cargo.toml"))
}

fn parse(path: &Path) -> Result<Table, Fault> {
    read(path)?.parse().map_err(|error| Fault::new(format!("{} is not TOML: {error}", path.display())))
}
