//! Every bound of a run, with its reason. The state is written whole at each command, so each of these is paid for by every
//! command.

use primitives::Millis;

/// The longest product in words, in bytes: a line.
pub const REQUIREMENT_BYTES: usize = 200;
/// The most of one product: more is a wholesale, and not this.
pub const QUANTITY: u32 = 99;
/// The longest name of a candidate, a shop, a product, a platform, in bytes.
pub const NAME_BYTES: usize = 200;
/// The longest reason that an executor or a port gives, in bytes: a paragraph.
pub const REASON_BYTES: usize = 500;
/// The longest word of a shop about an order, in bytes.
pub const EVIDENCE_BYTES: usize = 500;
/// The longest name of a user, in bytes.
pub const USER_BYTES: usize = 120;
/// The longest address of a wallet, in bytes: those of Solana have 44, of EVM chains 42.
pub const ADDRESS_BYTES: usize = 128;
/// The longest name of a transaction, in bytes: those of Solana have 88.
pub const SIGNATURE_BYTES: usize = 128;
/// Offers that one search may come back with.
pub const OBSERVATIONS: usize = 200;
/// Offers that are kept, cheapest first: who has tried ten shops in vain has to ask again.
pub const CANDIDATES: usize = 10;
/// Lines of a cart.
pub const ITEMS: usize = 20;
/// Fees, and discounts, of a cart.
pub const LINES: usize = 20;

/// How old a quote may be when it is paid.
pub const QUOTE_AGE: Millis = Millis::from_minutes(10);
/// How far an executor's clock may be ahead of ours.
pub const CLOCK_SKEW: Millis = Millis::from_minutes(2);
/// How old a market's observation may be when it is taken up.
pub const OBSERVATION_AGE: Millis = Millis::from_minutes(24 * 60);
/// How far a quote may lie above what the market showed, in basis points of that.
pub const DRIFT_BPS: u64 = 1_000;
/// How old a wallet's report may be when it comes.
pub const WALLET_REPORT_AGE: Millis = Millis::from_minutes(5);

/// How long a command waits for its result, from when it was given out, and again from when the executor has begun.
pub const COMMAND_WAIT: Millis = Millis::from_minutes(10);
/// How long it waits once the buyer has to do something: people are at lunch.
pub const USER_WAIT: Millis = Millis::from_minutes(30);
/// How often one command may ask the buyer for something.
pub const USER_ASKS: u32 = 20;
/// How often a command that came to nothing is given out again, in a row.
pub const COMMAND_RETRIES: u32 = 3;
/// How often what was read may stop to hold: a shop that changes its price more often is not worth it.
pub const INVALIDATIONS: u32 = 5;
/// How long a run may take until its payment is authorized.
pub const RUN_WAIT: Millis = Millis::from_minutes(24 * 60);

/// How long a port is waited for. It answers by itself; this is for the answer that is lost.
pub const ANSWER_WAIT: Millis = Millis::from_minutes(1);
/// How long after its failures the market, or the funds, are asked for again; then no more.
pub const RETRIES: [Millis; 2] = [Millis::from_seconds(2), Millis::from_seconds(10)];
/// How often funds are checked in a run: each check costs questions to a chain and an off-ramp.
pub const FUNDS_CHECKS: u32 = 200;

/// How long an authorized payment is waited for.
pub const PAYMENT_WAIT: Millis = Millis::from_minutes(10);
/// How long after a payment was first looked at it is looked at again. Each time the wait is twice as long.
pub const LOOK_FIRST: Millis = Millis::from_seconds(4);
/// The longest such wait within [`LOOK_OFTEN`].
pub const LOOK_MOST: Millis = Millis::from_minutes(5);
/// How long it is looked at often.
pub const LOOK_OFTEN: Millis = Millis::from_minutes(60);
/// How long one waits after that.
pub const LOOK_RARELY: Millis = Millis::from_minutes(60);
/// How long a payment is looked for, and how long it is looked at once it was named.
pub const SETTLEMENT_WAIT: Millis = Millis::from_minutes(7 * 24 * 60);
/// The same from its authorization: a payment that is named late is looked at for what is left, and its hold outlasts it.
pub const SETTLEMENT_MOST: Millis = Millis::from_minutes(8 * 24 * 60);
/// How long a mandate holds the amount: longer than any settlement may take.
pub const HOLD: Millis = Millis::from_minutes(9 * 24 * 60);

/// How long after a shop was asked for the order it is asked again. Each time the wait is twice as long.
pub const ORDER_FIRST: Millis = Millis::from_seconds(30);
/// The longest such wait.
pub const ORDER_MOST: Millis = Millis::from_minutes(10);
/// From when on after the settlement the shop is not asked again.
pub const ORDER_WAIT: Millis = Millis::from_minutes(120);

/// How many steps the agent takes by itself for one command. What is left is taken at once with the next.
pub const STEPS: usize = 25;
/// Signals that are held, refused or ignored on the record: enough for a story, too few to fill a journal.
pub const SIGNALS: u32 = 50;
/// Results that are remembered, so that the same one again is known: an executor repeats only what it sent last.
pub const ANSWERS: usize = 32;
/// Questions that are over and remembered, so that a late answer is told from an early one.
pub const QUESTIONS: usize = 8;
/// Offers of a search that are named with what was wrong with them.
pub const REJECTED: usize = 10;
/// The longest reason for a rejection that is kept, in bytes: there may be as many as candidates.
pub const REJECTION_BYTES: usize = 200;
/// The longest texts of a cart together, in bytes. A cart that is bought holds one product.
pub const CART_BYTES: usize = 2_048;
/// How long after the wallet's time a payment may still land on its chain: a transaction that was sent at the last moment.
pub const LANDING: Millis = Millis::from_minutes(15);
/// The longest name of a network, in bytes (CAIP-2).
pub const NETWORK_BYTES: usize = 41;
