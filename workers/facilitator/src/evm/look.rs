//! One look at the chain for a settlement: what became of its authorization.

use chain::{
    Filter, Receipt,
    rpc::{Block, Call, Head, block, call, logs, receipt},
    token,
};
use eip712::{Address, B256, U256};
use primitives::UnixMillis;
use settlement::{Inclusion, Look, Sighting, Terms, Tier, Window};
use shell::Failure;

use super::rpc::{Said, every};
use crate::{limits::LOG_BLOCKS, settings::Network};

/// The newest blocks of each tier, as the server says that is furthest behind.
struct Heads {
    latest: Head,
    safe: Option<Head>,
    finalized: Option<Head>,
}

/// The transfer that is looked for, in types.
struct Sought {
    asset: Address,
    payer: Address,
    recipient: Address,
    value: U256,
    nonce: B256,
    valid_before: UnixMillis,
}

/// What the chain shows; `None` when the look learned nothing.
///
/// # Errors
/// When the servers do not answer, or contradict each other.
pub(super) async fn see(network: &Network, look: &Look) -> Result<Option<Sighting>, Failure> {
    let sought = Sought::read(&look.terms)?;
    let heads = heads(network).await?;
    if look.stood.as_ref().is_some_and(|stood| heads.latest.number < stood.block_number) {
        // A server that lags cannot say that the block is gone.
        return Ok(None);
    }
    let stood = look.stood.as_ref().map(|stood| &stood.transaction);
    let others = look.transactions.iter().filter(|hash| Some(*hash) != stood);
    let calls = stood.into_iter().chain(others).map(|hash| word(hash).map(receipt));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    let state = call(None, sought.asset, &token::authorization_state(sought.payer, sought.nonce));
    let questions: Vec<_> = calls.iter().map(|call| &call.question).chain([&state.question]).collect();
    let said = every(network, &questions).await?;
    let mut mined = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        mined.extend(said.agreed(call, at)?);
    }
    if let Some(receipt) = mined.iter().find(|receipt| sought.is_made_by(receipt)) {
        return Ok(Some(transferred(receipt, &heads)));
    }
    let is_used = token::read_bool(&said.agreed(&state, calls.len())?)
        .map_err(|fault| Failure::Runtime(format!("the token's authorizationState {fault}")))?;
    if is_used {
        return used(network, &sought, &heads).await;
    }
    let closes = |head: &Head| head.timestamp >= sought.valid_before;
    let window = if heads.finalized.as_ref().is_some_and(closes) { Window::Closed } else { Window::Open };
    let mined = mined.first().map(|receipt| receipt.transaction_hash.to_string());
    Ok(Some(Sighting::Unused { mined, window }))
}

/// Who used the authorization, by the log that the token wrote.
async fn used(network: &Network, sought: &Sought, heads: &Heads) -> Result<Option<Sighting>, Failure> {
    let mut found = None;
    for blocks in LOG_BLOCKS {
        let from_block = heads.latest.number.saturating_sub(blocks);
        let call = logs(&Filter::authorization_ended(sought.asset, sought.payer, sought.nonce, from_block));
        let said = every(network, &[&call.question]).await?.agreed(&call, 0)?;
        found = said.first().and_then(|log| log.transaction_hash);
        if found.is_some() || from_block == 0 {
            break;
        }
    }
    let Some(hash) = found else { return Ok(None) };
    let call = receipt(hash);
    let Some(receipt) = every(network, &[&call.question]).await?.agreed(&call, 0)? else { return Ok(None) };
    if sought.is_made_by(&receipt) {
        return Ok(Some(transferred(&receipt, heads)));
    }
    let tier = heads.tier_of(receipt.block_number);
    Ok(Some(Sighting::UsedOtherwise { transaction: receipt.transaction_hash.to_string(), tier }))
}

fn transferred(receipt: &Receipt, heads: &Heads) -> Sighting {
    let inclusion = Inclusion {
        transaction: receipt.transaction_hash.to_string(),
        block_number: receipt.block_number,
        block_hash: receipt.block_hash.to_string(),
    };
    Sighting::Transferred { inclusion, tier: heads.tier_of(receipt.block_number) }
}

async fn heads(network: &Network) -> Result<Heads, Failure> {
    let [latest, safe, finalized] = [Block::Latest, Block::Safe, Block::Finalized].map(block);
    let said = every(network, &[&latest.question, &safe.question, &finalized.question]).await?;
    // Not every chain knows the later tiers; without them nothing reaches them.
    let optional = |call, at| lowest(&said, call, at).unwrap_or_default();
    Ok(Heads {
        latest: lowest(&said, &latest, 0)?
            .ok_or_else(|| Failure::Runtime("an RPC server knows no latest block".to_owned()))?,
        safe: optional(&safe, 1),
        finalized: optional(&finalized, 2),
    })
}

fn lowest(said: &Said, call: &Call<Option<Head>>, at: usize) -> Result<Option<Head>, Failure> {
    let heads = said.each(call, at)?.into_iter().collect::<Option<Vec<_>>>();
    Ok(heads.and_then(|heads| heads.into_iter().min_by_key(|head| head.number)))
}

impl Heads {
    fn tier_of(&self, block: u64) -> Tier {
        let holds = |head: &Option<Head>| head.as_ref().is_some_and(|head| block <= head.number);
        if holds(&self.finalized) {
            Tier::Final
        } else if holds(&self.safe) {
            Tier::Safe
        } else {
            Tier::Included
        }
    }
}

impl Sought {
    fn read(terms: &Terms) -> Result<Self, Failure> {
        Ok(Self {
            asset: address(&terms.asset)?,
            payer: address(&terms.payer)?,
            recipient: address(&terms.recipient)?,
            value: U256::from(terms.amount.0),
            nonce: word(&terms.nonce)?,
            valid_before: terms.valid_before,
        })
    }

    fn is_made_by(&self, receipt: &Receipt) -> bool {
        receipt.transfers(self.asset, self.payer, self.recipient, self.value)
    }
}

fn address(text: &str) -> Result<Address, Failure> {
    text.parse().map_err(|_| Failure::Corrupt("an address of a settlement".to_owned()))
}

fn word(text: &str) -> Result<B256, Failure> {
    text.parse().map_err(|_| Failure::Corrupt("a hash of a settlement".to_owned()))
}
