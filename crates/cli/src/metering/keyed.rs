//! The key of a tenant: from a file or from the environment, never from the command line, which other users can see.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Args;
use client::{
    Guildhall,
    metering::{ApiKey, Metering},
};

use crate::{failure::Failure, keeping, output::Output};

/// The environment variable that holds the key when no file does.
const VARIABLE: &str = "GUILDHALL_API_KEY";

/// Where the API key lies.
#[derive(Debug, Args)]
pub(crate) struct Keyed {
    /// The file that holds the API key, as `tenant open` or `key create` wrote it. Without it, GUILDHALL_API_KEY.
    #[arg(long, env = "GUILDHALL_API_KEY_FILE", value_name = "FILE")]
    pub(crate) api_key_file: Option<PathBuf>,
}

impl Keyed {
    /// The metering of the board at `api`, as the key's tenant.
    pub(crate) fn metering(&self, api: &str) -> Result<Metering, Failure> {
        Ok(Guildhall::new(api)?.metering(self.key()?))
    }

    fn key(&self) -> Result<ApiKey, Failure> {
        let (text, origin) = match &self.api_key_file {
            Some(path) => (keeping::read(path, "API key")?, path.display().to_string()),
            None => {
                let text = std::env::var(VARIABLE).map_err(|_| {
                    Failure::Input(format!("no API key: name a file with --api-key-file, or set {VARIABLE}"))
                })?;
                (text, VARIABLE.to_owned())
            }
        };
        text.trim().parse().map_err(|why| Failure::Input(format!("the API key in {origin} {why}")))
    }
}

/// A place for a secret that does not exist yet: made before the secret is asked for, so that none is lost to a file that
/// cannot be written. An existing file is left as it is.
#[derive(Debug)]
pub(crate) struct Vault<'a> {
    path: &'a Path,
    file: std::fs::File,
}

impl<'a> Vault<'a> {
    /// Makes the file, for this user only.
    pub(crate) fn new(path: &'a Path) -> Result<Self, Failure> {
        let file = keeping::private().create_new(true).open(path).map_err(|why| unwritten(path, &why))?;
        Ok(Self { path, file })
    }

    /// Keeps the secret of what `issued` asked for, and says where; without one, no file is left.
    pub(crate) async fn keep<T>(
        mut self,
        issued: impl Future<Output = Result<T, client::Error>>,
        secret: impl Fn(&T) -> Option<&str>,
        output: &Output,
    ) -> Result<T, Failure> {
        let issued = issued.await;
        let Some(secret) = issued.as_ref().ok().and_then(secret) else {
            std::fs::remove_file(self.path).ok();
            output.say("No secret was shown.");
            return Ok(issued?);
        };
        let written =
            self.file.write_all(format!("{secret}\n").as_bytes()).and_then(|()| self.file.sync_all());
        written.map_err(|why| unwritten(self.path, &why))?;
        output.say(format_args!("The secret is in {}. It is shown this once.", self.path.display()));
        Ok(issued?)
    }
}

fn unwritten(path: &Path, why: &std::io::Error) -> Failure {
    Failure::Input(format!("the secret could not be written to {}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_secret_is_kept_for_this_user_only_and_nothing_is_overwritten_or_left() {
        let path = std::env::temp_dir().join(format!("guildhall-vault-{}", std::process::id()));
        let output = Output { json: true };
        let issue = |text: Option<&str>| core::future::ready(Ok(text.map(str::to_owned)));
        let kept = Vault::new(&path).unwrap().keep(issue(Some("first")), Option::as_deref, &output).await;
        assert_eq!(kept.unwrap().as_deref(), Some("first"));
        assert!(Vault::new(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\n");
        #[cfg(unix)]
        {
            let mode =
                std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::remove_file(&path).unwrap();

        let refused = core::future::ready(Err::<Option<String>, _>(client::Error::NoRandomness));
        assert!(Vault::new(&path).unwrap().keep(refused, Option::as_deref, &output).await.is_err());
        assert!(!path.exists());
        assert!(Vault::new(&path).unwrap().keep(issue(None), Option::as_deref, &output).await.is_ok());
        assert!(!path.exists());
    }
}
