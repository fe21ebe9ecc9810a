//! Every number that bounds what comes from outside, with its reason.

use primitives::Millis;

/// The longest request body, in bytes. A real request is about 2 KiB; a contract wallet's signature and a server's
/// extensions fit many times over.
pub(crate) const BODY_BYTES: usize = 64 * 1024;

/// How long the simulator stays silent when it hangs: longer than any caller should wait, short enough that a test
/// run ends.
pub(crate) const HANG: Millis = Millis::from_seconds(60);

/// The longest delay that the simulator can be told to take.
pub(crate) const DELAY_MAX: Millis = HANG;

/// The most gas that one settlement may use unless the network's setting says otherwise. A transfer by signature of a
/// plain account takes about 85,000; a contract account's check comes on top.
pub(crate) const fn gas_max() -> u64 {
    200_000
}

/// The most wei for one unit of gas unless the network's setting says otherwise: 5 gwei, a hundred times what a
/// transfer costs on the networks this is for.
pub(crate) const fn fee_max() -> u128 {
    5_000_000_000
}

/// The most gas that one payer may use in a UTC day unless the network's setting says otherwise: some five hundred
/// transfers.
pub(crate) const fn daily_gas_per_payer() -> u64 {
    50_000_000
}

/// Less gas than any transfer by signature takes.
pub(crate) const GAS_FLOOR: u64 = 50_000;

/// The most keys that share the work. One object sends some ten transactions a second.
pub(crate) const RELAYERS_MAX: usize = 16;

/// The most RPC URLs of one network. Each one is asked for every receipt.
pub(crate) const RPC_MAX: usize = 3;

/// How long `/settle` waits for the chain: several blocks of the networks this is for.
pub(crate) const SETTLE_WAIT: Millis = Millis::from_seconds(15);

/// The longest such wait: official servers give up after ninety seconds.
pub(crate) const SETTLE_WAIT_MAX: Millis = Millis::from_seconds(60);

/// How long one RPC call may take.
pub(crate) const RPC_WAIT: Millis = Millis::from_seconds(5);

/// The longest signature that a contract is asked about, in bytes. Those of passkeys take about 700; each owner of a
/// multi-signature account adds 65 or more.
pub(crate) const SIGNATURE_BYTES: usize = 4 * 1024;

/// How many blocks back the use of an authorization is looked for, one range after the other: within the first it is found
/// unless this facilitator was away for an hour, and every hosted RPC server answers that; the last is some five days of
/// blocks of two seconds.
pub(crate) const LOG_BLOCKS: [u64; 3] = [2_000, 20_000, 200_000];

/// How old a price of gas may be: about a block of the networks this is for.
pub(crate) const MARKET_AGE: Millis = Millis::from_seconds(1);

/// How many resources the catalogue keeps; the one that was paid longest ago gives way.
pub(crate) const CATALOGUE_MAX: u64 = 10_000;

/// How long an entry counts as fresh. A resource that is paid every second is written once a minute.
pub(crate) const CATALOGUE_FRESH: Millis = Millis::from_seconds(60);
