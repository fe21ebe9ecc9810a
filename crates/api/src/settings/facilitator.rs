//! Who settles.

use super::{Environment, Read};
use crate::inbound::Memory;
use crate::paywall::Signatures;

/// Who settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Facilitator {
    /// The bound facilitator Worker, whose simulator plays the chain.
    Simulator,
    /// The bound facilitator Worker, with a chain.
    Binding,
    /// A facilitator elsewhere, at this https address.
    Remote(String),
}

impl Facilitator {
    pub(super) fn read(read: Read<'_>, environment: Environment) -> Result<Self, String> {
        let mode = match (read("FACILITATOR_MODE"), environment) {
            (Some(mode), _) => mode,
            (None, Environment::Development) => "simulator".to_owned(),
            (None, Environment::Production) => {
                return Err("FACILITATOR_MODE must be set in production: binding or remote".to_owned());
            }
        };
        match (mode.as_str(), environment) {
            ("simulator", Environment::Development) => Ok(Self::Simulator),
            ("simulator", Environment::Production) => {
                Err("FACILITATOR_MODE simulator moves no money and is refused in production".to_owned())
            }
            ("binding", _) => Ok(Self::Binding),
            ("remote", _) => {
                let url = read("X402_FACILITATOR_URL")
                    .ok_or("FACILITATOR_MODE remote needs X402_FACILITATOR_URL")?;
                if !url.starts_with("https://") {
                    return Err("X402_FACILITATOR_URL must be an https URL".to_owned());
                }
                Ok(Self::Remote(url.trim_end_matches('/').to_owned()))
            }
            (_, _) => Err("FACILITATOR_MODE must be simulator, binding or remote".to_owned()),
        }
    }

    /// The word of the variable.
    pub const fn mode(&self) -> &'static str {
        match self {
            Self::Simulator => "simulator",
            Self::Binding => "binding",
            Self::Remote(_) => "remote",
        }
    }

    /// What it says when it is asked a second time.
    pub const fn memory(&self) -> Memory {
        match self {
            Self::Simulator | Self::Binding => Memory::Kept,
            Self::Remote(_) => Memory::Unproven,
        }
    }

    /// Whose signatures it can have judged.
    pub const fn signatures(&self) -> Signatures {
        match self {
            Self::Simulator => Signatures::OfKeys,
            Self::Binding | Self::Remote(_) => Signatures::OfAnyAccount,
        }
    }
}
