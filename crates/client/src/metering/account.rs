//! The accounts that agents have at a tenant: whether what they use is billed after or reserved before.

use api::wire::metering::{AccountBody, AccountView};
use primitives::AgentName;
use reqwest::Method;

use super::Metering;
use crate::Error;

impl Metering {
    /// The account of an agent.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn account(&self, agent: &AgentName) -> Result<AccountView, Error> {
        self.get("reading the account", &format!("v1/agents/{agent}/account"), |_| {}).await
    }

    /// Has an agent prepay out of the mandate that it offered, or be billed after.
    ///
    /// # Errors
    /// [`Error::Refused`] when the agent has offered no mandate, or another one; and what every call can meet.
    pub async fn set_account(&self, agent: &AgentName, account: &AccountBody) -> Result<AccountView, Error> {
        self.say("setting the account", Method::PUT, &format!("v1/agents/{agent}/account"), account).await
    }
}
