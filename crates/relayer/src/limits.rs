//! Every bound of a relayer, with its reason.

use primitives::Millis;

/// The first pause before a look at the chain. Fast chains have blocks of 200 ms to 2 s.
pub const LOOK_PAUSE_MIN: Millis = Millis(250);

/// The longest pause between two looks while there is work: it doubles up to the block time of common chains. Expiry and
/// replacement are noticed at looks, so this is also how late they can be.
pub const LOOK_PAUSE_MAX: Millis = Millis(2_000);

/// How often the latest signed bytes of every open nonce are sent again. Nodes drop transactions without a word, and a
/// process can die between record and send; a node that knows them says so, which is harmless.
pub const RESEND_PAUSE: Millis = Millis::from_seconds(5);

/// How long an attempt may be unmined before its fees are raised: several blocks of common chains, so that one full
/// block costs nothing.
pub const BUMP_AFTER: Millis = Millis::from_seconds(15);

/// How long after the end of its time an open job is given up. What was sent in time has this long to be mined. Whoever
/// submits the job keeps the end of its authorization within this span, so that what is given up could only revert.
pub const CANCEL_GRACE: Millis = Millis::from_seconds(15);

/// How far apart the two looks are that tell a taken nonce from a receipt that is served late: longer than the nodes
/// behind one RPC address lie apart.
pub const TAKEN_CONFIRMATION: Millis = Millis::from_seconds(10);

/// How long nonces below the open ones must be unused before they are filled. Settlements whose transactions were
/// reorganized away send them again well within it.
pub const GAP_CONFIRMATION: Millis = Millis::from_seconds(60);

/// Void transactions for a gap that are listed at once: no reorganization in sight is longer, and what is follows later.
pub const GAP_FILL_MAX: usize = 64;

/// Open nonces at once, whatever the policy says. Common nodes guarantee a place to 16 executable transactions of one
/// account and keep up to 64 more in practice.
pub const OPEN_MAX: usize = 64;

/// Jobs that wait or are open. Four times what can be open: at one block every two seconds the last waits some seconds.
pub const JOBS_MAX: usize = 256;

/// Payers whose gas is counted on one day. Keeps the table near 100 KB of the snapshot that is written with each event.
pub const PAYERS_MAX: usize = 2_048;

/// Bytes of a job's id and of a payer's name. Names of objects and addresses are well below.
pub const NAME_BYTES_MAX: usize = 128;

/// Bytes of a call. A transfer with authorization has about 300; one that a contract wallet signed can have some more.
pub const INPUT_BYTES_MAX: usize = 4_096;

/// The gas of a plain transfer, and so of a void transaction and the least that any job costs.
pub const TRANSFER_GAS: u64 = 21_000;

/// The gas of one job. A token transfer needs about 80,000; a contract wallet's check of a signature a few hundred
/// thousand at most.
pub const JOB_GAS_MAX: u64 = 1_000_000;
