//! The keys of a tenant.

use api::wire::metering::{KeyIssued, KeyView, KeysAnswer, NewKey, RotateKey};
use reqwest::Method;

use super::Metering;
use crate::Error;

const READING: &str = "reading the API keys";

impl Metering {
    /// All keys of the tenant, without their secrets.
    ///
    /// # Errors
    /// [`Error::Refused`] with `403` for a key that may not, and what every call can meet.
    pub async fn keys(&self) -> Result<KeysAnswer, Error> {
        self.get(READING, "v1/api-keys", |_| {}).await
    }

    /// A key, without its secret.
    ///
    /// # Errors
    /// As [`Metering::keys`], and `404`.
    pub async fn key(&self, key: &str) -> Result<KeyView, Error> {
        self.get(READING, &format!("v1/api-keys/{key}"), |_| {}).await
    }

    /// Makes a key. The answer has it whole, which is the only time. An answer that is lost leaves a key that nobody has:
    /// revoke it.
    ///
    /// # Errors
    /// [`Error::Refused`]: scopes above the own key's, too many keys; and as [`Metering::keys`].
    pub async fn create_key(&self, wanted: &NewKey) -> Result<KeyIssued, Error> {
        self.say("making the API key", Method::POST, "v1/api-keys", wanted).await
    }

    /// Replaces a key by a new one, and lets the old one open for a while yet.
    ///
    /// # Errors
    /// As [`Metering::create_key`], and `404`.
    pub async fn rotate_key(&self, key: &str, wanted: &RotateKey) -> Result<KeyIssued, Error> {
        self.say("rotating the API key", Method::POST, &format!("v1/api-keys/{key}/rotate"), wanted).await
    }

    /// Has a key open nothing any more.
    ///
    /// # Errors
    /// [`Error::Refused`] for the last key that may do all; and as [`Metering::key`].
    pub async fn revoke_key(&self, key: &str) -> Result<KeyView, Error> {
        self.act("revoking the API key", Method::DELETE, &format!("v1/api-keys/{key}")).await
    }
}
