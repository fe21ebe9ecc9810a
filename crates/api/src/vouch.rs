//! Whether a contract vouches for a signature (ERC-1271): what the bound facilitator is asked at `POST /signatures`, and
//! what its answer means. It is asked only about signatures that are not the account's own key's.

use core::fmt;

use data_encoding::HEXLOWER;
use eip712::{Address, B256};
use serde::Deserialize;
use serde_json::json;

use crate::limits::FACILITATOR_ANSWER_BYTES;
use crate::problem::Problem;

/// The longest signature that the facilitator asks a contract about, in bytes.
const SIGNATURE_BYTES: usize = 4 * 1024;

/// A signature that may be a contract's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Where the contract stands.
    pub account: Address,
    /// What was to be signed.
    pub digest: B256,
    /// The signature as it came.
    pub signature: Vec<u8>,
}

/// What a contract says of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vouched {
    /// It is its own.
    Yes,
    /// It is not.
    No(Denial),
    /// Nobody can say, which is neither yes nor no.
    Unavailable(Unavailable),
}

/// Why a signature is nobody's. `Display` is a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// No contract stands at the address.
    NoCode,
    /// The contract says something else than yes.
    Denied,
    /// The contract fails at the question.
    Reverted,
    /// It is longer than any that a contract is asked about.
    TooLong,
}

/// Why nobody can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unavailable {
    /// Payments settle in the simulator, so there is no chain.
    NoChain,
    /// Payments settle through a facilitator elsewhere, which is asked about payments only.
    Elsewhere,
    /// The chain cannot be asked at the moment.
    Silent,
}

impl Question {
    /// The body that asks the question of a network (CAIP-2, such as `eip155:84532`).
    ///
    /// # Errors
    /// [`Denial::TooLong`]: nobody is asked.
    pub fn body(&self, network: &str) -> Result<String, Denial> {
        let Self { account, digest, signature } = self;
        if signature.len() > SIGNATURE_BYTES {
            return Err(Denial::TooLong);
        }
        let signature = format!("0x{}", HEXLOWER.encode(signature));
        let (account, digest) = (account.to_string(), digest.to_string());
        let body =
            json!({ "network": network, "account": account, "digest": digest, "signature": signature });
        Ok(body.to_string())
    }
}

/// Reads an answer. Only a well-formed one under 200 says yes or no.
pub fn heard(status: u16, text: &str) -> Vouched {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        is_valid: bool,
        #[serde(default)]
        reason: Option<String>,
    }
    let answer = Some(text).filter(|text| status == 200 && text.len() <= FACILITATOR_ANSWER_BYTES);
    let answer = answer.and_then(|text| serde_json::from_str::<Answer>(text).ok());
    match answer {
        None => Vouched::Unavailable(Unavailable::Silent),
        Some(Answer { is_valid: true, .. }) => Vouched::Yes,
        Some(Answer { reason, .. }) => Vouched::No(match reason.as_deref() {
            Some("no_code") => Denial::NoCode,
            Some("reverted") => Denial::Reverted,
            Some(_) | None => Denial::Denied,
        }),
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoCode => {
                "No contract stands at that address; an account that is yet to be deployed must be deployed first."
            }
            Self::Denied => "The contract at that address says that the signature is not its own (ERC-1271).",
            Self::Reverted => "The contract at that address fails when it is asked for the signature (ERC-1271).",
            Self::TooLong => "The signature is longer than any that a contract is asked about, 4096 bytes.",
        })
    }
}

impl Unavailable {
    /// The problem document: 401 `signature_unproven` where no chain is ever asked, 503 `chain_unavailable`, which is
    /// worth another try, where one does not answer.
    pub fn problem(self) -> Problem {
        let unproven = |why: &str| {
            let detail = format!(
                "The account's own key did not make this signature. If a contract stands at the account's address, its \
                 word is not taken here: {why}. Use an account that has a key."
            );
            Problem::new(401, "signature_unproven", detail)
        };
        match self {
            Self::NoChain => unproven("this deployment asks no chain, since it settles in a simulator"),
            Self::Elsewhere => {
                unproven("this deployment asks no chain, since it settles through a facilitator elsewhere")
            }
            Self::Silent => Problem::new(
                503,
                "chain_unavailable",
                "The account's own key did not make this signature, and whether a contract at the account's address \
                 vouches for it is not known: the chain cannot be asked at the moment. Try again in a moment.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(bytes: usize) -> Question {
        let (account, digest) = (Address::repeat_byte(0xab), B256::repeat_byte(0xcd));
        Question { account, digest, signature: vec![7; bytes] }
    }

    #[test]
    fn the_question_in_its_words() {
        let body: serde_json::Value =
            serde_json::from_str(&question(2).body("eip155:84532").unwrap()).unwrap();
        let expected = json!({
            "network": "eip155:84532",
            "account": Address::repeat_byte(0xab).to_string(),
            "digest": format!("0x{}", "cd".repeat(32)),
            "signature": "0x0707",
        });
        assert_eq!(body, expected);
        assert!(question(SIGNATURE_BYTES).body("eip155:84532").is_ok());
        assert_eq!(question(SIGNATURE_BYTES + 1).body("eip155:84532"), Err(Denial::TooLong));
    }

    #[test]
    fn only_a_whole_answer_under_200_says_yes_or_no() {
        let silent = Vouched::Unavailable(Unavailable::Silent);
        let large = format!(r#"{{"isValid":true,"reason":"{}"}}"#, "a".repeat(FACILITATOR_ANSWER_BYTES));
        for (status, text, expected) in [
            (200, r#"{"isValid":true}"#, Vouched::Yes),
            (200, r#"{"isValid":true,"later":1}"#, Vouched::Yes),
            (200, r#"{"isValid":false,"reason":"no_code"}"#, Vouched::No(Denial::NoCode)),
            (200, r#"{"isValid":false,"reason":"denied"}"#, Vouched::No(Denial::Denied)),
            (200, r#"{"isValid":false,"reason":"reverted"}"#, Vouched::No(Denial::Reverted)),
            (200, r#"{"isValid":false}"#, Vouched::No(Denial::Denied)),
            (201, r#"{"isValid":true}"#, silent),
            (503, r#"{"isValid":true}"#, silent),
            (503, r#"{"isValid":false}"#, silent),
            (400, r#"{"isValid":false,"reason":"no_code"}"#, silent),
            (200, r#"{"isValid":"true"}"#, silent),
            (200, r#"{"valid":true}"#, silent),
            (200, "true", silent),
            (200, "", silent),
            (200, &large, silent),
        ] {
            assert_eq!(heard(status, text), expected, "{status} {}", text.get(..40).unwrap_or(text));
        }
    }

    #[test]
    fn what_is_not_known_is_worth_another_try_only_where_a_chain_is_asked() {
        for (why, status, code) in [
            (Unavailable::NoChain, 401, "signature_unproven"),
            (Unavailable::Elsewhere, 401, "signature_unproven"),
            (Unavailable::Silent, 503, "chain_unavailable"),
        ] {
            let problem = why.problem();
            assert_eq!((problem.status, problem.code.as_str()), (status, code));
            assert_eq!(problem.retryable, status == 503);
        }
    }
}
