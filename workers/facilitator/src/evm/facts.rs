//! What the chain says about a payment, asked in one batch.

use chain::{
    Account,
    account::{is_magic, is_valid_signature},
    rpc::{call, code, estimate_gas},
    token,
};
use eip712::{Address, SIGNATURE_BYTES, U256};
use shell::Failure;
use x402::Checked;

use super::rpc::{self, returned};
use crate::settings::Network;

/// What is known of a payment on the chain. What a contract answers wrongly or not at all is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// What stands at the payer's address.
    pub(crate) payer: Account,
    /// Whether the payer's contract says that the signature is its own (ERC-1271).
    pub(crate) payer_vouches: bool,
    /// Whether there is a contract at the token's address.
    pub(crate) token_has_code: bool,
    /// The gas that the transfer needs; `None` if it would fail.
    pub(crate) gas: Option<u64>,
    /// Whether the authorization's nonce is used.
    pub(crate) nonce_is_used: Option<bool>,
    /// What the token says its signing name and version are.
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    /// What the payer has of the token.
    pub(crate) balance: Option<U256>,
}

/// The calldata of the transfer for the kind of account that pays. A contract's signature may have the length of a
/// key's, but only the form with `bytes` is sure to reach the contract.
pub(crate) fn transfer_input(checked: &Checked, payer: Account) -> Vec<u8> {
    match (payer, <&[u8; SIGNATURE_BYTES]>::try_from(checked.signature())) {
        (Account::Plain, Ok(signature)) => token::transfer_by_key(checked.transfer(), signature),
        (Account::Plain | Account::Contract | Account::Delegated(_), _) => {
            token::transfer_by_contract(checked.transfer(), checked.signature())
        }
    }
}

/// Asks the chain about a payment that is in shape. `relayer` is who would send the transfer.
///
/// # Errors
/// When no server answers, or one does not say what stands at an address.
pub(crate) async fn gather(network: &Network, checked: &Checked, relayer: Address) -> Result<Facts, Failure> {
    let (token, transfer) = (checked.domain().verifying_contract, checked.transfer());
    let payer_code = code(transfer.from);
    let token_code = code(token);
    let vouched = call(None, transfer.from, &is_valid_signature(checked.digest(), checked.signature()));
    let by_key = estimate_gas(relayer, token, &transfer_input(checked, Account::Plain));
    let by_contract = estimate_gas(relayer, token, &transfer_input(checked, Account::Contract));
    let used = call(None, token, &token::authorization_state(transfer.from, transfer.nonce));
    let name = call(None, token, &token::name());
    let version = call(None, token, &token::version());
    let balance = call(None, token, &token::balance_of(transfer.from));
    let questions = [
        &payer_code.question,
        &token_code.question,
        &vouched.question,
        &by_key.question,
        &by_contract.question,
        &used.question,
        &name.question,
        &version.question,
        &balance.question,
    ];
    let answers = rpc::ask(network, &questions).await?;
    let payer = Account::from_code(&rpc::read(&payer_code, answers.first())?);
    let gas = match payer {
        Account::Plain => returned(&by_key, answers.get(3))?,
        Account::Contract | Account::Delegated(_) => returned(&by_contract, answers.get(4))?,
    };
    Ok(Facts {
        payer,
        payer_vouches: returned(&vouched, answers.get(2))?.is_some_and(|word| is_magic(&word)),
        token_has_code: !rpc::read(&token_code, answers.get(1))?.is_empty(),
        gas,
        nonce_is_used: returned(&used, answers.get(5))?.and_then(|word| token::read_bool(&word).ok()),
        name: returned(&name, answers.get(6))?.and_then(|text| token::read_text(&text).ok()),
        version: returned(&version, answers.get(7))?.and_then(|text| token::read_text(&text).ok()),
        balance: returned(&balance, answers.get(8))?.and_then(|word| token::read_uint(&word).ok()),
    })
}
