//! Secrets in files: the payer's key, the grant of a seat, the token of a run, the secret of an executor.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use client::{
    Seat, Signer,
    runs::{Badge, Purchase},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::failure::Failure;

/// The environment variable that holds the key when no file does.
pub(crate) const KEY_VARIABLE: &str = "GUILDHALL_KEY";

/// The payer's key, from a file or else from the environment. Never from the command line, which other users can see.
pub(crate) fn signer(key_file: Option<&Path>) -> Result<Signer, Failure> {
    let (text, origin) = match key_file {
        Some(path) => (read(path, "key")?, path.display().to_string()),
        None => {
            let text = std::env::var(KEY_VARIABLE).map_err(|_| {
                Failure::Input(format!(
                    "no key: name a file with --key-file, or set {KEY_VARIABLE} (64 hexadecimal digits)"
                ))
            })?;
            (text, KEY_VARIABLE.to_owned())
        }
    };
    parse_key(&text).map_err(|why| Failure::Input(format!("the key in {origin} {why}")))
}

/// Makes a key in a new file that only this user reads.
pub(crate) fn new_key(path: &Path) -> Result<Signer, Failure> {
    let failed =
        |why: String| Failure::Input(format!("the key could not be written to {}: {why}", path.display()));
    let text = hex::encode(client::fresh_hash()?);
    let signer = parse_key(&text).map_err(failed)?;
    let mut file = private().create_new(true).open(path).map_err(|why| failed(why.to_string()))?;
    let written = file.write_all(format!("{text}\n").as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|why| failed(why.to_string()))?;
    Ok(signer)
}

/// How a file that only this user reads is written.
pub(crate) fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A key from its text. What is wrong is said without repeating any of it.
fn parse_key(text: &str) -> Result<Signer, String> {
    let text = text.trim();
    let mut bytes = [0; 32];
    hex::decode_to_slice(text.strip_prefix("0x").unwrap_or(text), &mut bytes)
        .map_err(|_| "is not 64 hexadecimal digits".to_owned())?;
    Signer::from_bytes(&bytes).map_err(|why| why.to_string())
}

/// A secret that lies in a file, with what it opens.
pub(crate) trait Kept: Serialize + DeserializeOwned {
    /// What it is.
    const NAME: &'static str;
    /// Which commands write it.
    const WRITERS: &'static str;
    /// What is to be done when it could not be written.
    const LOST: &'static str;

    /// What it opens. A secret that opens something else is never overwritten.
    fn opens(&self) -> String;
}

impl Kept for Seat {
    const NAME: &'static str = "grant";
    const WRITERS: &'static str = "`gig post`, `gig claim` and `gig reconnect` write one";
    const LOST: &'static str = "`gig reconnect` cannot replace it";

    fn opens(&self) -> String {
        self.gig_id.to_string()
    }
}

impl Kept for Purchase {
    const NAME: &'static str = "run token";
    const WRITERS: &'static str = "`run start` writes one";
    const LOST: &'static str = "repeat the command with the same --message-id for a fresh one";

    fn opens(&self) -> String {
        self.run.to_string()
    }
}

impl Kept for Badge {
    const NAME: &'static str = "executor secret";
    const WRITERS: &'static str = "`executor register` writes one";
    const LOST: &'static str = "register again";

    fn opens(&self) -> String {
        self.executor_id.to_string()
    }
}

/// The secret in a file.
pub(crate) fn kept<T: Kept>(path: &Path) -> Result<T, Failure> {
    serde_json::from_str(&read(path, T::NAME)?)
        .map_err(|_| Failure::Input(format!("{} is no {} file; {}", path.display(), T::NAME, T::WRITERS)))
}

/// Writes a secret down where only this user reads it. One that opens something else is never overwritten: the new one
/// then goes beside it. Returns where it is.
pub(crate) fn keep<T: Kept>(secret: &T, path: &Path) -> Result<PathBuf, Failure> {
    let occupied = path.exists() && !kept::<T>(path).is_ok_and(|kept| kept.opens() == secret.opens());
    let target = if occupied { beside(path, &secret.opens()) } else { path.to_owned() };
    let failed = |why: std::io::Error| {
        Failure::Input(format!(
            "the {} could not be written to {}: {why}; {}",
            T::NAME,
            target.display(),
            T::LOST
        ))
    };
    let text = serde_json::to_string_pretty(secret).map_err(|why| Failure::Input(why.to_string()))?;
    // A half-written file must not replace a whole one.
    let fresh = beside(&target, "new");
    let mut file = private().create(true).truncate(true).open(&fresh).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    fs::rename(&fresh, &target).map_err(failed)?;
    Ok(target)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// Text that was given in place, or `@file` for the text in a file.
pub(crate) fn text_or_file(given: &str) -> Result<String, Failure> {
    given.strip_prefix('@').map_or_else(|| Ok(given.to_owned()), |path| read(Path::new(path), "text"))
}

/// The text of a small file.
pub(crate) fn read(path: &Path, what: &str) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|why| Failure::Input(format!("the {what} file {} cannot be read: {why}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat_of(gig: &str, token: &str) -> Seat {
        serde_json::from_value(serde_json::json!({
            "gig_id": gig,
            "tunnel_grant": { "token": token, "role": "worker", "agent_identity": "w", "expires_at": "t" },
        }))
        .unwrap()
    }

    #[test]
    fn a_key_is_64_digits_with_or_without_prefix_and_is_never_repeated() {
        let key = "11".repeat(32);
        let address = parse_key(&key).ok().map(|signer| signer.address().to_string());
        assert_eq!(address.as_deref(), Some("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"));
        assert!(parse_key(&format!(" 0x{key}\n")).is_ok());
        for bad in ["", "secretsecret", &"00".repeat(32), &"1".repeat(63), &format!("{key}1")] {
            let why = parse_key(bad).err().unwrap();
            assert!(bad.is_empty() || !why.contains(bad), "{why}");
        }
    }

    #[test]
    fn a_new_key_is_read_again_and_never_overwrites_one() {
        let path = std::env::temp_dir().join(format!("guildhall-key-{}", std::process::id()));
        let made = new_key(&path).unwrap();
        assert_eq!(signer(Some(&path)).unwrap().address(), made.address());
        assert!(new_key(&path).is_err());
        assert_eq!(signer(Some(&path)).unwrap().address(), made.address());
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_grant_is_kept_for_this_user_only_and_replaces_only_its_own_gigs() {
        let folder = std::env::temp_dir().join(format!("guildhall-keeping-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("grant.json");
        let (one, other) = ("6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d11", "6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d12");
        assert_eq!(keep(&seat_of(one, "first"), &path).unwrap(), path);
        assert_eq!(keep(&seat_of(one, "second"), &path).unwrap(), path);
        assert_eq!(kept::<Seat>(&path).unwrap().tunnel_grant.token, "second");
        let aside = keep(&seat_of(other, "third"), &path).unwrap();
        assert_ne!(aside, path);
        assert_eq!(kept::<Seat>(&path).unwrap().tunnel_grant.token, "second");
        assert_eq!(kept::<Seat>(&aside).unwrap().tunnel_grant.token, "third");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
