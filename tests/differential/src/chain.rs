//! A chain in memory: accounts, a clock that the caller sets, and calls that either happen whole or not at all.

use std::{fs, path::Path};

use alloy_primitives::{Address, Bytes, U256};
use revm::{
    Context, Database, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm,
    bytecode::Bytecode,
    context::{TxEnv, result::ExecutionResult},
    context_interface::result::Output,
    database::{CacheDB, EmptyDB},
    handler::MainnetContext,
    primitives::{TxKind, hardfork::SpecId},
};

/// The chain id of development chains.
pub(crate) const CHAIN_ID: u64 = 31_337;

/// More than any call here needs, so that the token is never refused for lack of gas.
const GAS: u64 = 30_000_000;

type Ledger = CacheDB<EmptyDB>;

/// One chain. A clone is another chain with the same past.
pub(crate) struct Chain {
    evm: MainnetEvm<MainnetContext<Ledger>>,
}

/// What a call answered: the returned bytes, or the error's.
pub(crate) type Answer = Result<Bytes, Bytes>;

impl Chain {
    /// An empty chain whose clock stands at zero.
    pub(crate) fn new() -> Self {
        Self::over(CacheDB::default(), 0)
    }

    fn over(ledger: Ledger, now: u64) -> Self {
        let evm = Context::mainnet()
            .with_db(ledger)
            .modify_cfg_chained(|cfg| {
                cfg.set_spec_and_mainnet_gas_params(SpecId::PRAGUE);
                cfg.chain_id = CHAIN_ID;
                // The actors are addresses: what is tested begins when a transaction reaches the contract.
                cfg.disable_nonce_check = true;
                cfg.disable_eip3607 = true;
            })
            .modify_block_chained(|block| block.timestamp = U256::from(now))
            .build_mainnet();
        Self { evm }
    }

    /// The time of the block in which the next call runs, in Unix seconds.
    fn now(&self) -> u64 {
        self.evm.ctx.block.timestamp.to()
    }

    /// Lets the next call run at `now`, in Unix seconds.
    pub(crate) fn warp(&mut self, now: u64) {
        self.evm.ctx.block.timestamp = U256::from(now);
    }

    /// Creates a contract from a committed artifact.
    ///
    /// # Panics
    /// When the artifact cannot be read or its constructor reverts.
    pub(crate) fn deploy(&mut self, artifact: &str, arguments: &[u8]) -> Address {
        let code = [creation_code(artifact), arguments.to_vec()].concat();
        let transaction = transaction(Address::repeat_byte(0xde), TxKind::Create, code, GAS);
        match self.evm.transact_commit(transaction).expect("the chain takes the transaction") {
            ExecutionResult::Success { output: Output::Create(_, Some(at)), .. } => at,
            other => panic!("{artifact} was not created: {other:?}"),
        }
    }

    /// Calls and keeps what changed, unless the call reverted.
    pub(crate) fn call(&mut self, caller: Address, to: Address, data: Vec<u8>) -> Answer {
        let transaction = transaction(caller, TxKind::Call(to), data, GAS);
        answer(self.evm.transact_commit(transaction).expect("the chain takes the transaction"))
    }

    /// Calls and forgets what changed.
    pub(crate) fn ask(&mut self, caller: Address, to: Address, data: Vec<u8>) -> Answer {
        self.ask_with(GAS, caller, to, data)
    }

    /// Calls with no more than `gas` and forgets what changed.
    pub(crate) fn ask_with(&mut self, gas: u64, caller: Address, to: Address, data: Vec<u8>) -> Answer {
        let transaction = transaction(caller, TxKind::Call(to), data, gas);
        answer(self.evm.transact(transaction).expect("the chain takes the transaction").result)
    }

    /// Puts code at an address.
    pub(crate) fn place(&mut self, account: Address, code: &'static [u8]) {
        self.write(account, Bytecode::new_raw(Bytes::from_static(code)));
    }

    /// Lets an ordinary account run the code at `code` (EIP-7702), as if it had signed so.
    pub(crate) fn delegate(&mut self, account: Address, code: Address) {
        self.write(account, Bytecode::new_eip7702(code));
    }

    fn write(&mut self, account: Address, code: Bytecode) {
        let ledger = &mut self.evm.ctx.journaled_state.database;
        let mut known = ledger.basic(account).expect("memory answers").unwrap_or_default();
        known.code_hash = code.hash_slow();
        known.code = Some(code);
        ledger.insert_account_info(account, known);
    }
}

impl Clone for Chain {
    fn clone(&self) -> Self {
        Self::over(self.evm.ctx.journaled_state.database.clone(), self.now())
    }
}

fn transaction(caller: Address, kind: TxKind, data: Vec<u8>, gas_limit: u64) -> TxEnv {
    TxEnv { caller, kind, data: data.into(), gas_limit, chain_id: Some(CHAIN_ID), ..TxEnv::default() }
}

fn answer(result: ExecutionResult) -> Answer {
    match result {
        ExecutionResult::Success { output, .. } => Ok(output.into_data()),
        ExecutionResult::Revert { output, .. } => Err(output),
        ExecutionResult::Halt { reason, .. } => panic!("the code halted: {reason:?}"),
    }
}

/// The creation code of contracts/artifacts/`artifact`.json.
fn creation_code(artifact: &str) -> Vec<u8> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../contracts/artifacts/{artifact}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    let parsed: serde_json::Value = serde_json::from_str(&text).expect("the artifact is JSON");
    hex::decode(parsed["bytecode"].as_str().expect("bytecode").trim_start_matches("0x")).expect("hex")
}
