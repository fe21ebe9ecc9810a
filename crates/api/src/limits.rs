//! Every bound of what comes in over the wire, with its reason.

use primitives::Millis;

/// A body, in bytes. Contract 1.0 named 1 MiB; nothing that the board accepts comes near it.
pub const BODY_BYTES_MAX: usize = 1_048_576;

/// `title`, in characters: a line.
pub const TITLE_MAX: usize = 80;

/// `description` and `reason`, in characters: a paragraph.
pub const TEXT_MAX: usize = 500;

/// `task_params` and `result`, in characters of JSON. Larger things belong behind a URL.
pub const JSON_MAX: usize = 10_000;

/// `bounty_sats`.
pub const BOUNTY_MAX: u32 = 1_000_000;

/// `ttl_minutes`: a gig is a job of today.
pub const TTL_MINUTES_MAX: u32 = 120;

/// `result_url`, in characters: what browsers and proxies take.
pub const URL_MAX: usize = 2_048;

/// Gigs on one page; the number that contract 1.0 returned.
pub const PAGE_MAX: u32 = 100;

/// The text to search for, in characters.
pub const SEARCH_MAX: usize = 100;

/// How many of the newest gigs one filtered page looks at. It bounds the cost of a rare filter; the cursor goes on
/// from there.
pub const SCAN_MAX: u32 = 1_000;

/// The posting fee's ceiling, in base units of USDC: 1 USDC, the most that stock clients pay unasked.
pub const FEE_MAX: u128 = 1_000_000;

/// How long the payer's signature must stay good, in seconds (`maxTimeoutSeconds`).
pub const PAYMENT_TIMEOUT_SECONDS: u64 = 300;

/// A facilitator's answer, in bytes. The largest real one is a kilobyte.
pub const FACILITATOR_ANSWER_BYTES: usize = 65_536;

/// A transaction's name, or a code, of a facilitator, in bytes. Names of chains have up to 88; both travel in a header.
pub const WORD_BYTES: usize = 128;

/// A message in the tunnel, in bytes.
pub const TUNNEL_MESSAGE_BYTES: usize = 65_536;

/// Messages kept for a peer that is on its way, and their bytes together: enough for a greeting, not for a job.
pub const HELD_MESSAGES: usize = 64;
/// See [`HELD_MESSAGES`].
pub const HELD_BYTES: usize = 262_144;
/// How long they are kept. They are kept in memory only.
pub const HELD_SECONDS: u64 = 30;

/// How long a tool waits for an owner, in seconds: well within what clients give a call. Whoever needs longer calls
/// again.
pub const TOOL_WAIT_SECONDS_MAX: u32 = 20;

/// Rows of mandates, requests and activity on one page, if the reader does not say; at most [`PAGE_MAX`].
pub const PAGE_DEFAULT: u32 = 50;

/// Lines in one file of activity: some megabytes, which a spreadsheet still opens.
pub const EXPORT_MAX: u32 = 10_000;

/// How long a poll for commands is held open, in seconds: within what proxies and browsers wait for an answer.
pub const POLL_WAIT_SECONDS_MAX: u32 = 25;

/// Commands that one poll is given: a browser works on one at a time, and what it holds nobody else does.
pub const POLL_COMMANDS_MAX: u32 = 16;

/// How long a stream of a run's events is quiet before it says that it is there: proxies close what says nothing for longer.
pub const STREAM_BEAT: Millis = Millis::from_seconds(15);
/// How long such a stream goes on; its reader then connects again. It keeps the run in memory.
pub const STREAM_LIFE: Millis = Millis::from_minutes(5);

/// The shortest `Idempotency-Key` of a run, in characters. Whoever knows it is given the run as long as nobody has used it.
pub const RUN_KEY_MIN: usize = 16;
/// The longest one.
pub const RUN_KEY_MAX: usize = 255;

/// An answer of an observer of the market, in bytes: some hundreds of offers.
pub const OBSERVER_ANSWER_BYTES: usize = 262_144;
