//! Who may know whom, and where versions stand: read from the manifests.

use std::collections::BTreeMap;

use toml::Value;

use super::Complaint;
use crate::workspace::Package;

/// For each package, the packages of the workspace that it may name. Anything else is an objection.
///
/// Cores know neither protocols nor each other; protocol crates know no core; `api` is where they meet.
const MAY_KNOW: [(&str, &[&str]); 35] = [
    ("primitives", &[]),
    ("gig", &["primitives"]),
    ("payment", &["primitives"]),
    ("mandate", &["primitives"]),
    ("eip712", &["primitives"]),
    ("x402", &["eip712", "primitives"]),
    ("signin", &["eip712", "primitives"]),
    ("httpsig", &["eip712", "primitives"]),
    ("session", &["primitives"]),
    ("account", &["primitives"]),
    ("executor", &["primitives"]),
    ("run", &["primitives"]),
    // Words that tenants and meters share: what usage costs.
    ("tariff", &["primitives"]),
    ("tenant", &["tariff", "primitives"]),
    ("meter", &["tariff", "primitives"]),
    ("endpoint", &["primitives"]),
    ("webhook", &["primitives"]),
    ("mcp", &["primitives"]),
    ("pix", &["primitives"]),
    // What plays the part of the world in a simulated purchase.
    ("synthetic", &["run", "primitives"]),
    (
        "api",
        &[
            "gig",
            "payment",
            "mandate",
            "session",
            "account",
            "run",
            "executor",
            "tariff",
            "tenant",
            "meter",
            "endpoint",
            "webhook",
            "x402",
            "signin",
            "httpsig",
            "mcp",
            "chain",
            "pix",
            "eip712",
            "primitives",
        ],
    ),
    ("client", &["api", "run", "tariff", "x402", "httpsig", "signin", "eip712", "primitives"]),
    ("cli", &["client", "api", "run", "synthetic", "x402", "eip712", "primitives"]),
    ("chain", &["eip712", "primitives"]),
    // The facilitator's own: the cores of one relayer key and of one settlement.
    ("relayer", &["primitives"]),
    ("settlement", &["primitives"]),
    ("rehearsal", &["primitives"]),
    ("runtime", &[]),
    ("shell", &["primitives", "runtime"]),
    (
        "edge",
        &[
            "api",
            "gig",
            "mandate",
            "payment",
            "session",
            "account",
            "run",
            "executor",
            "tariff",
            "tenant",
            "meter",
            "endpoint",
            "webhook",
            "synthetic",
            "httpsig",
            "x402",
            "mcp",
            "chain",
            "pix",
            "eip712",
            "primitives",
            "runtime",
            "shell",
        ],
    ),
    ("facilitator", &["x402", "chain", "relayer", "settlement", "eip712", "primitives", "runtime", "shell"]),
    ("xtask", &["api"]),
    ("floor", &["x402", "eip712", "primitives"]),
    // The bytecode of the mandate contract runs beside its model.
    ("differential", &["mandate", "eip712", "primitives"]),
    // Whole-system tests prove the edge through its built module.
    ("tests", &["client", "api", "gig", "payment", "x402", "mcp", "eip712", "primitives"]),
];

/// The cores. Their tests may name [`REHEARSAL`] besides, and none runs with it.
const CORES: [&str; 12] = [
    "gig",
    "mandate",
    "payment",
    "relayer",
    "settlement",
    "session",
    "account",
    "executor",
    "run",
    "tenant",
    "meter",
    "endpoint",
];
const REHEARSAL: &str = "rehearsal";

/// Objects to edges outside the table, versions outside the root manifest and packages without the lints.
pub(super) fn check(packages: &[Package]) -> Vec<Complaint> {
    let table: BTreeMap<&str, &[&str]> = MAY_KNOW.into_iter().collect();
    packages.iter().flat_map(|package| one(package, packages, &table)).collect()
}

fn one(package: &Package, packages: &[Package], table: &BTreeMap<&str, &[&str]>) -> Vec<Complaint> {
    let place = format!("{}/Cargo.toml", package.name);
    let mut complaints = Vec::new();
    let Some(allowed) = table.get(package.name.as_str()) else {
        let words = "is not in the table of who may know whom (crates/xtask/src/tidy/dependencies.rs)";
        return vec![Complaint::new(place, words)];
    };
    if !package.manifest.contains_key("lints") {
        complaints.push(Complaint::new(&place, "takes no lints; add [lints] workspace = true"));
    }
    for (heading, dependencies) in package.dependency_tables() {
        let is_rehearsed = CORES.contains(&package.name.as_str()) && heading.ends_with("dev-dependencies");
        for (name, value) in dependencies {
            let is_ours = packages.iter().any(|other| other.name == *name);
            let is_allowed = allowed.contains(&name.as_str()) || (is_rehearsed && name == REHEARSAL);
            if is_ours && !is_allowed {
                complaints.push(Complaint::new(
                    &place,
                    format!("{} must not know {name} ({heading})", package.name),
                ));
            }
            if value.get("workspace").and_then(Value::as_bool) != Some(true) {
                let words = format!(
                    "{name} ({heading}) must take its version from the root: {name}.workspace = true"
                );
                complaints.push(Complaint::new(&place, words));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, manifest: &str) -> Package {
        let manifest = format!("{manifest}\n[lints]\nworkspace = true\n").parse().unwrap();
        Package { name: name.into(), folder: name.into(), manifest }
    }

    #[track_caller]
    fn objects(packages: &[Package], part: &str) {
        let found: Vec<_> = check(packages).iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|complaint| complaint.contains(part)), "{found:?}");
    }

    #[test]
    fn a_core_may_not_know_a_protocol_not_even_in_its_tests() {
        let x402 = || package("x402", "");
        objects(&[package("gig", "[dependencies]\nx402.workspace = true"), x402()], "gig must not know x402");
        objects(
            &[package("gig", "[dev-dependencies]\nx402.workspace = true"), x402()],
            "gig must not know x402",
        );
        let target = "[target.'cfg(unix)'.dependencies]\nx402.workspace = true";
        objects(&[package("gig", target), x402()], "gig must not know x402");
        assert!(check(&[package("api", "[dependencies]\nx402.workspace = true"), x402()]).is_empty());
    }

    #[test]
    fn a_core_is_rehearsed_in_its_tests_alone() {
        let told = |name, heading| {
            let manifest = format!("[{heading}]\nrehearsal.workspace = true");
            check(&[package(name, &manifest), package("rehearsal", "")]).len()
        };
        assert_eq!(told("gig", "dev-dependencies"), 0);
        assert_eq!(told("gig", "target.'cfg(unix)'.dev-dependencies"), 0);
        for (name, heading) in
            [("gig", "dependencies"), ("gig", "build-dependencies"), ("api", "dev-dependencies")]
        {
            assert_eq!(told(name, heading), 1, "{name} {heading}");
        }
    }

    #[test]
    fn a_version_outside_the_root_manifest_is_an_objection() {
        objects(&[package("gig", "[dependencies]\nserde = \"1\"")], "from the root");
        objects(&[package("gig", "[dependencies]\nserde = { path = \"../x\" }")], "from the root");
        let with_features = "[dependencies]\nserde = { workspace = true, features = [\"derive\"] }";
        assert!(check(&[package("gig", with_features)]).is_empty());
    }

    #[test]
    fn a_package_that_nobody_placed_is_an_objection() {
        objects(&[package("stranger", "")], "not in the table");
    }
}
