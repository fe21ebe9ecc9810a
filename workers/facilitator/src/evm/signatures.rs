//! `POST /signatures`: whether the contract at an address says that a signature is its own (ERC-1271). It moves nothing.
//!
//! A yes is worth as much as a key's signature, so one RPC server that is wrong cannot give it alone; and what is not
//! known is never a no. A signature in the wrapping of ERC-6492 is unwrapped; a contract that is yet to be deployed has no
//! say.

use chain::{
    Wrapped6492,
    account::{is_magic, is_valid_signature},
    rpc::{Call, call, code},
};
use eip712::{Address, B256};
use primitives::CorrelationId;
use serde::{Deserialize, Serialize};
use shell::Failure;

use super::rpc::{self, Answers, returned};
use crate::{
    limits::SIGNATURE_BYTES,
    problem::Problem,
    reply::{self, Reply},
    settings::{Chain, Network},
};

/// The body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    network: String,
    account: String,
    digest: String,
    signature: String,
}

/// What a contract is asked.
#[derive(Debug, PartialEq, Eq)]
struct Question {
    account: Address,
    digest: B256,
    signature: Vec<u8>,
}

/// What is heard of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// The signature is its own.
    Vouches,
    /// There is no contract.
    NoCode,
    /// Something else than yes.
    Denies,
    /// Nothing: the call would fail on the chain.
    Fails,
}

/// The answer, as it travels.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    is_valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// Answers a request.
pub(crate) async fn answer(
    chain: &Chain,
    correlation: &CorrelationId,
    body: &str,
) -> worker::Result<Result<Reply, Problem>> {
    let Some((network, question)) = parse(body) else { return Ok(Err(Problem::SignatureBody)) };
    let Some(network) = chain.network(&network) else { return Ok(Err(Problem::Network)) };
    match ask(network, &question).await {
        Ok(word) => {
            Ok(Ok(reply::json(200, &Answer { is_valid: word == Word::Vouches, reason: word.reason() })?))
        }
        Err(failure) => {
            shell::log::failure("facilitator", correlation.as_str(), "signature_failed", &failure);
            Ok(Err(Problem::ChainSilent))
        }
    }
}

impl Word {
    const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Vouches => None,
            Self::NoCode => Some("no_code"),
            Self::Denies => Some("denied"),
            Self::Fails => Some("reverted"),
        }
    }
}

/// The network's name and the question in a body.
fn parse(body: &str) -> Option<(String, Question)> {
    let Body { network, account, digest, signature } = serde_json::from_str(body).ok()?;
    let signature = bytes(&signature).filter(|signature| signature.len() <= SIGNATURE_BYTES)?;
    let question = Question {
        account: Address::new(bytes(&account)?.try_into().ok()?),
        digest: B256::new(bytes(&digest)?.try_into().ok()?),
        signature: match Wrapped6492::parse(&signature) {
            Ok(Some(wrapped)) => wrapped.signature,
            Ok(None) | Err(_) => signature,
        },
    };
    Some((network, question))
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    text.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok())
}

/// Asks every server, each with one batch.
async fn ask(network: &Network, question: &Question) -> Result<Word, Failure> {
    let Question { account, digest, signature } = question;
    let code = code(*account);
    let vouched = call(None, *account, &is_valid_signature(*digest, signature));
    let said = rpc::every(network, &[&code.question, &vouched.question]).await?;
    said.agreed_by(|answers| hear(&code, &vouched, answers))
}

/// What one server's answers say.
fn hear(code: &Call<Vec<u8>>, vouched: &Call<Vec<u8>>, answers: &Answers) -> Result<Word, Failure> {
    if rpc::read(code, answers.first())?.is_empty() {
        return Ok(Word::NoCode);
    }
    Ok(match returned(vouched, answers.get(1))? {
        Some(word) if is_magic(&word) => Word::Vouches,
        Some(_) => Word::Denies,
        None => Word::Fails,
    })
}

#[cfg(test)]
mod tests {
    use chain::rpc::Fault;
    use serde_json::{Value, json};

    use super::*;

    fn body() -> Value {
        json!({
            "network": "eip155:84532",
            "account": format!("0x{}", "Ab".repeat(20)),
            "digest": format!("0x{}", "cd".repeat(32)),
            "signature": "0x0102",
        })
    }

    #[test]
    fn a_question_is_read_and_its_bounds_hold() {
        let (network, question) = parse(&body().to_string()).unwrap();
        let expected = Question {
            account: Address::repeat_byte(0xab),
            digest: B256::repeat_byte(0xcd),
            signature: vec![1, 2],
        };
        assert_eq!((network.as_str(), question), ("eip155:84532", expected));
        let with = |field: &str, value: Value| {
            let mut body = body();
            body[field] = value;
            parse(&body.to_string())
        };
        let longest = format!("0x{}", "00".repeat(SIGNATURE_BYTES));
        assert!(with("signature", longest.clone().into()).is_some());
        assert!(with("signature", "0x".into()).is_some());
        for (field, wrong) in [
            ("signature", json!(longest + "00")),
            ("signature", json!("0x012")),
            ("signature", json!("0102")),
            ("account", json!("0xab")),
            ("account", json!("ab".repeat(20))),
            ("digest", json!(format!("0x{}", "cd".repeat(31)))),
            ("network", json!(84_532)),
            ("other", json!(true)),
        ] {
            assert!(with(field, wrong.clone()).is_none(), "{field} {wrong}");
        }
        for wrong in ["", "{}", "[]", "null"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrapped_is_unwrapped_and_what_only_ends_alike_goes_as_it_came() {
        // abi.encode(address(0x22…), hex"", hex"0102") as ERC-6492 wraps it.
        let words = [
            format!("{:0>64}", "22".repeat(20)),
            format!("{:0>64x}", 0x60),
            format!("{:0>64x}", 0x80),
            "00".repeat(32),
            format!("{:0>64x}", 2),
            format!("{:0<64}", "0102"),
        ];
        let suffix = "6492".repeat(16);
        let signature = |text: String| {
            let mut body = body();
            body["signature"] = format!("0x{text}").into();
            parse(&body.to_string()).unwrap().1.signature
        };
        assert_eq!(signature(words.concat() + &suffix), vec![1, 2]);
        assert_eq!(signature(suffix.clone()), hex::decode(suffix).unwrap());
    }

    #[test]
    fn only_a_contract_that_says_yes_vouches_and_a_servers_trouble_is_no_word() {
        let code = code(Address::ZERO);
        let vouched = call(None, Address::ZERO, &[]);
        let heard = |of_code: Result<Value, Fault>, of_call: Result<Value, Fault>| {
            hear(&code, &vouched, &vec![of_code, of_call]).ok()
        };
        let fault = |code, message: &str| Err(Fault { code, message: message.to_owned(), data: None });
        let yes = || Ok(json!(format!("0x1626ba7e{}", "00".repeat(28))));
        let contract = || Ok(json!("0x60"));
        assert_eq!(heard(contract(), yes()), Some(Word::Vouches));
        assert_eq!(heard(Ok(json!(format!("0xef0100{}", "11".repeat(20)))), yes()), Some(Word::Vouches));
        assert_eq!(heard(Ok(json!("0x")), yes()), Some(Word::NoCode));
        for no in ["0x", "0x1626ba7e", &format!("0xffffffff{}", "00".repeat(28)), "0x01"] {
            assert_eq!(heard(contract(), Ok(json!(no))), Some(Word::Denies), "{no}");
        }
        assert_eq!(heard(contract(), fault(3, "execution reverted")), Some(Word::Fails));
        assert_eq!(heard(contract(), fault(-32_603, "EVM error OutOfGas")), Some(Word::Fails));
        for trouble in [fault(429, "slow down"), fault(-32_000, "header not found"), Ok(json!(null))] {
            assert_eq!(heard(contract(), trouble.clone()), None, "{trouble:?}");
            assert_eq!(heard(trouble, yes()), None);
        }
    }
}
