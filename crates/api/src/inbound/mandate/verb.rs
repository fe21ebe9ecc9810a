//! The names of acts.

use serde::{Deserialize, Serialize};

macro_rules! verbs {
    ($($(#[$doc:meta])* $name:ident $text:literal,)+) => {
        /// What can be done with a request, by the last part of its path.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Verb { $($(#[$doc])* $name,)+ }

        impl Verb {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The last part of the path.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

verbs! {
    /// The owner says yes.
    Approve "approve",
    /// The owner says no.
    Reject "reject",
    /// The agent has what was approved authorized.
    Submit "submit",
    /// The owner or the agent kills it.
    Cancel "cancel",
    /// The provider is done.
    Deliver "deliver",
    /// The owner accepts.
    Accept "accept",
    /// The owner objects.
    Dispute "dispute",
    /// The provider takes a part or all.
    Capture "capture",
    /// Anyone has the provider paid after the challenge period.
    Claim "claim",
    /// The provider gives back what is held.
    Void "void",
    /// The resolver decides.
    Resolve "resolve",
    /// Anyone ends what nobody delivered or captured.
    Expire "expire",
    /// Anyone ends a dispute that nobody resolved.
    TimeOut "time-out",
    /// The provider gives back what it was paid.
    Refund "refund",
}

impl Verb {
    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verb| verb.name() == name)
    }
}
