//! Transactions with a fee market (EIP-1559), from values to the bytes that a node takes.

use alloy_primitives::keccak256;
use alloy_rlp::{EMPTY_LIST_CODE, Encodable as _, Header};
use eip712::{Address, B256, Signer, U256};

/// The transaction's type, before its fields (EIP-2718).
const TYPE: u8 = 0x02;

/// One call from a key's account (EIP-1559), without an access list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The chain's number (EIP-155).
    pub chain_id: u64,
    /// How many transactions the account has sent before this one.
    pub nonce: u64,
    /// The most that the block's producer gets, in wei for each unit of gas.
    pub max_priority_fee_per_gas: u128,
    /// The most that is paid altogether, in wei for each unit of gas.
    pub max_fee_per_gas: u128,
    /// The most gas that the call may use.
    pub gas_limit: u64,
    /// Who is called.
    pub to: Address,
    /// How much goes along, in wei.
    pub value: U256,
    /// The calldata.
    pub input: Vec<u8>,
}

/// A transaction that any node takes as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The transaction's name on the chain.
    pub hash: B256,
    /// `0x02 ‖ rlp([fields, signature])`.
    pub raw: Vec<u8>,
}

impl Transaction {
    /// The transaction as the signer's. The same values and signer give the same bytes (RFC 6979).
    pub fn sign(&self, signer: &Signer) -> Signed {
        let mut fields = self.fields();
        let [scalars @ .., v] = signer.sign(keccak256(typed(&fields)));
        // A transaction says whether y is odd where a message's signature says 27 or 28.
        (v == 28).encode(&mut fields);
        for scalar in scalars.chunks_exact(32) {
            encode_integer(U256::from_be_slice(scalar), &mut fields);
        }
        let raw = typed(&fields);
        Signed { hash: keccak256(&raw), raw }
    }

    fn fields(&self) -> Vec<u8> {
        let mut fields = Vec::with_capacity(self.input.len().saturating_add(256));
        self.chain_id.encode(&mut fields);
        self.nonce.encode(&mut fields);
        self.max_priority_fee_per_gas.encode(&mut fields);
        self.max_fee_per_gas.encode(&mut fields);
        self.gas_limit.encode(&mut fields);
        self.to.as_slice().encode(&mut fields);
        encode_integer(self.value, &mut fields);
        self.input.as_slice().encode(&mut fields);
        fields.push(EMPTY_LIST_CODE);
        fields
    }
}

/// The type and the list of encoded fields.
fn typed(fields: &[u8]) -> Vec<u8> {
    let mut bytes = vec![TYPE];
    Header { list: true, payload_length: fields.len() }.encode(&mut bytes);
    bytes.extend_from_slice(fields);
    bytes
}

/// An integer is its bytes without leading zeros; zero has none.
fn encode_integer(number: U256, fields: &mut Vec<u8>) {
    number.to_be_bytes_trimmed_vec().as_slice().encode(fields);
}
