//! Every bound of a mandate's object, with its reason. The state is written whole at each command, so each of these is
//! paid for by every command.

/// Entries of one mandate, those that ban something included. They are 400 kilobytes of the state at most, which with all
/// else stays below half of what one row can hold.
pub const ENTRIES: usize = 1_000;

/// Escrows that are open at once: 250 kilobytes. An agent with more providers at work at one time needs a second
/// mandate.
pub const OPEN: usize = 200;

/// Requests that wait for their owner's word or for their submission: more than a person decides in one sitting.
pub const WAITING: usize = 64;

/// Reservations that are held at once, for the same reason as [`OPEN`].
pub const RESERVATIONS: usize = 200;

/// The longest label, in bytes: a line.
pub const LABEL_BYTES: usize = 120;

/// The longest note of a rejection, in bytes: a paragraph.
pub const NOTE_BYTES: usize = 500;

/// The longest name of whoever holds a reservation, in bytes: an object's name, with room.
pub const ASKER_BYTES: usize = 128;

/// The longest wait for an approval, in seconds: a week. An owner that is away for longer is asked anew.
pub const APPROVAL_WAIT: u32 = 7 * 86_400;

/// The longest reservation: 30 days, as the longest challenge period. What is held for longer is an escrow.
pub const RESERVATION_WAIT: u32 = 30 * 86_400;

/// How long before `capture_by`, from when on nobody can claim, the object claims for a provider that has captured nothing,
/// in seconds. A minute leaves the provider nearly all its time, and keeps clear of the end.
pub const CLAIM_AHEAD: u64 = 60;

/// What time has done that one command records. The rest is recorded by the next, which the deadline asks for at once;
/// each costs a row.
pub const STEPS: usize = 32;
