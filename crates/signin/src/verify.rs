//! Who signed a message.

use eip712::{Address, B256, recover};
use primitives::UnixMillis;

use crate::{Checked, Expected, Message, Refusal, SignIn, check, limits::SIGNATURE_BYTES};

/// What is known of a message's signature without asking a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The address's own key made it.
    SignedIn(SignIn),
    /// Its own key did not. If a contract stands at the address, it may vouch for the signature.
    NeedsChain(Question),
}

/// What a chain is to be asked: whether the contract at an address vouches for a signature (ERC-1271; ERC-6492 for a
/// contract that is yet to be made, by a call and never by a transaction).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    checked: Checked,
    signature: Vec<u8>,
}

/// What the chain said to a [`Question`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The contract vouches for the signature.
    Vouches,
    /// It does not, or there is no contract.
    Denies,
}

/// Judges a signed text: reads it, holds it against what was asked for ([`check()`]), and looks who signed it.
///
/// `signature` is hexadecimal as wallets give it. Of a key, only `r ‖ s ‖ v` with a low s and v 27 or 28 counts; what any
/// other bytes are worth, a contract says.
///
/// # Errors
/// The first thing that is wrong: the text, the message, then the signature's form.
pub fn verify(text: &str, signature: &str, expected: &Expected, now: UnixMillis) -> Result<Verdict, Refusal> {
    check(&Message::parse(text)?, expected, now)?.signed_with(signature)
}

impl Checked {
    /// Looks whether the message's address signed it; `signature` as for [`verify()`].
    ///
    /// # Errors
    /// When the signature is not hexadecimal or too long.
    pub fn signed_with(self, signature: &str) -> Result<Verdict, Refusal> {
        let signature = signature.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let signature = signature.filter(|bytes| bytes.len() <= SIGNATURE_BYTES).ok_or(Refusal::Signature)?;
        if recover(self.digest, &signature) == Ok(self.sign_in.address()) {
            Ok(Verdict::SignedIn(self.sign_in))
        } else {
            Ok(Verdict::NeedsChain(Question { checked: self, signature }))
        }
    }
}

impl Question {
    /// Where the contract stands.
    pub fn address(&self) -> Address {
        self.checked.sign_in.address()
    }

    /// The chain to ask (EIP-155).
    pub fn chain_id(&self) -> u64 {
        self.checked.sign_in.chain_id()
    }

    /// What was to be signed (EIP-191).
    pub fn digest(&self) -> B256 {
        self.checked.digest
    }

    /// The signature as it came; it may be empty.
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// The sign-in that follows from the chain's answer.
    ///
    /// # Errors
    /// When nobody vouches for the signature.
    pub fn answered(self, answer: Answer) -> Result<SignIn, Refusal> {
        match answer {
            Answer::Vouches => Ok(self.checked.sign_in),
            Answer::Denies => Err(Refusal::OtherSigner),
        }
    }
}
