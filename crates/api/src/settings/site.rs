//! Where owners sign in.

use signin::Origin;

use super::{Environment, Read};
use crate::paywall::Asset;

/// The pages on which owners sign in, and for which chains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Their origin: what a sign-in message is for, and the only `Origin` from which a browser may write.
    pub origin: Origin,
    /// The chains that are served (EIP-155): that of the payments.
    pub chain_ids: Vec<u64>,
}

/// Nothing when `SITE_ORIGIN` is not set: then nobody signs in.
pub(super) fn read(read: Read<'_>, environment: Environment, asset: &Asset) -> Result<Option<Site>, String> {
    let Some(text) = read("SITE_ORIGIN") else { return Ok(None) };
    let origin: Origin = text.parse().map_err(|malformed| format!("SITE_ORIGIN {malformed}"))?;
    if environment == Environment::Production && !text.starts_with("https://") {
        return Err("SITE_ORIGIN must be https in production: cookies are sent to nothing else".to_owned());
    }
    let chain_id = asset.network.strip_prefix("eip155:").and_then(|digits| digits.parse().ok());
    Ok(Some(Site { origin, chain_ids: chain_id.into_iter().collect() }))
}
