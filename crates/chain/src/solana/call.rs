//! What a Solana node can be asked.

use primitives::{BaseUnits, Malformed, UnixMillis};
use serde_json::{Value, json};

use super::json::{amount, base58, list, number, seconds, succeeded, value};
use super::landing::{Epoch, Status};
use super::{Address, Signature, Transaction};
use crate::json::member;
use crate::limits::SIGNATURES;
use crate::rpc::{Call, asked_for};

const FINALIZED: &str = "finalized";

/// A transaction by its signature; nothing while it is not final, or if the node does not know it.
pub fn transaction(signature: &Signature) -> Call<Option<Transaction>> {
    // Without a version a node refuses every transaction that uses lookup tables.
    let options =
        json!({ "encoding": "jsonParsed", "commitment": FINALIZED, "maxSupportedTransactionVersion": 0 });
    Call::new("getTransaction", json!([signature.to_string(), options]), |params, result| {
        if result.is_null() {
            return Ok(None);
        }
        let transaction = Transaction::parse(result)?;
        asked_for(params.get(0) == Some(&transaction.signature.to_string().into()), "transaction")?;
        Ok(Some(transaction))
    })
}

/// Whether a node knows a transaction at all, final or not, however old.
pub fn status(signature: &Signature) -> Call<Status> {
    let params = json!([[signature.to_string()], { "searchTransactionHistory": true }]);
    Call::new("getSignatureStatuses", params, |_, result| Status::parse(result))
}

/// How far the final part of the chain reaches.
pub fn epoch() -> Call<Epoch> {
    Call::new("getEpochInfo", json!([{ "commitment": FINALIZED }]), |_, result| Epoch::parse(result))
}

/// When the block of a slot was made; nothing if the node does not know.
pub fn block_time(slot: u64) -> Call<Option<UnixMillis>> {
    Call::new("getBlockTime", json!([slot]), |_, result| {
        if result.is_null() { Ok(None) } else { seconds(result, "block time").map(Some) }
    })
}

/// The newest transactions, at most [`SIGNATURES`], that name an address and have not failed, the newest first. Anybody
/// can name an address: which of them is the one that is looked for, only [`verify_transfer`](super::verify_transfer) says.
pub fn signatures(address: &Address) -> Call<Vec<Signature>> {
    let params = json!([address.to_string(), { "commitment": FINALIZED, "limit": SIGNATURES }]);
    Call::new("getSignaturesForAddress", params, |_, result| {
        let landed = result.as_array().ok_or(Malformed { what: "signatures", allowed: "a list" })?;
        let mut signatures = Vec::new();
        for one in landed {
            if succeeded(one)? {
                signatures.push(member(one, "signature", base58)?);
            }
        }
        Ok(signatures)
    })
}

/// How many lamports an account has; a billion of them are one SOL.
pub fn lamports(address: &Address) -> Call<u64> {
    let params = json!([address.to_string(), { "commitment": FINALIZED }]);
    Call::new("getBalance", params, |_, result| number(value(result)?, "balance"))
}

/// How many base units of a token a wallet has, in all of its accounts.
///
/// The amounts are whole base units whatever a node says of decimals, so nothing else is read.
pub fn token_balance(owner: &Address, mint: &Address) -> Call<BaseUnits> {
    let options = json!({ "encoding": "jsonParsed", "commitment": FINALIZED });
    let params = json!([owner.to_string(), { "mint": mint.to_string() }, options]);
    Call::new("getTokenAccountsByOwner", params, |params, result| {
        let mut total: u128 = 0;
        for account in list(result, "value")? {
            total = total.saturating_add(held(params, account)?.into());
        }
        Ok(BaseUnits(total))
    })
}

/// What one token account holds, if it is one that was asked for.
fn held(params: &Value, account: &Value) -> Result<u64, Malformed> {
    let holding = account.pointer("/account/data/parsed/info").unwrap_or(&Value::Null);
    let (owner, mint): (Address, Address) =
        (member(holding, "owner", base58)?, member(holding, "mint", base58)?);
    let is_asked =
        |pointer: &str, address: Address| params.pointer(pointer) == Some(&address.to_string().into());
    asked_for(is_asked("/0", owner) && is_asked("/1/mint", mint), "token account")?;
    member(holding.get("tokenAmount").unwrap_or(&Value::Null), "amount", amount)
}
