//! Every bound of a session, of used keys and of tickets, with its reason.

use primitives::Millis;

/// How long a nonce can be presented: time to find the wallet, read and sign. A message is refused earlier, five minutes
/// after its own Issued At, so that a nonce may be asked for some time before the text is made.
pub const NONCE_LIFETIME: Millis = Millis::from_minutes(10);

/// How many nonces are asked for under one name. Someone who tries ten times in vain gets a new cookie; what one object
/// writes stays bounded.
pub const CHALLENGES_MAX: u32 = 10;

/// The longest session: a working day. It is not extended.
pub const SESSION_MAX: Millis = Millis::from_minutes(12 * 60);

/// The longest time without a visit.
pub const IDLE_MAX: Millis = Millis::from_minutes(60);

/// How often a visit is recorded: each costs a write, and a session that is used all the time makes at most twelve an
/// hour. An idle one may so be over up to this much early.
pub const VISIT_EVERY: Millis = Millis::from_minutes(5);

/// How far ahead a key's end may lie. A signature that is verified is good for ten minutes at most; the rest is for
/// clocks that differ.
pub const HORIZON: Millis = Millis::from_minutes(15);

/// How many keys of one agent are kept. The state is written whole with each use: at 11 characters for each key this is
/// 22 KB. Signatures that are good for a minute and the skew allow some 20 requests a second, those for five minutes
/// about 6.
pub const KEYS_MAX: usize = 2_048;

/// How long a ticket opens: time for a page to connect.
pub const TICKET_LIFETIME: Millis = Millis::from_seconds(60);

/// How many tickets are kept for one thing. A page that connects needs one; a hundred watchers need a hundred at most.
pub const TICKETS_MAX: usize = 256;
