//! What a name can be asked.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Account;

/// One request to a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Ask the visitor to sign this nonce, in place of any before it.
    Challenge {
        /// SHA-256 of the text of a nonce that was made for this.
        nonce: Digest,
    },
    /// A message came with this nonce. Whoever hears no refusal may go on to judge the message, and nobody else may.
    Present {
        /// SHA-256 of the nonce's text.
        nonce: Digest,
    },
    /// The message with this nonce was proven to be the account's.
    SignIn {
        /// SHA-256 of the nonce's text.
        nonce: Digest,
        /// Who signed it.
        account: Account,
        /// The digest of a fresh secret: the name of the session.
        successor: Digest,
    },
    /// An account signed in under another name, which named this one as its successor.
    Begin {
        /// Whose session it is.
        account: Account,
        /// When it signed in.
        since: UnixMillis,
    },
    /// Somebody calls with the cookie.
    Visit,
    /// The holder of the cookie leaves.
    SignOut,
    /// The cookie shall open nothing. Whoever asks has the right to.
    Revoke,
    /// Time has passed.
    Wake,
}
