//! Every bound of an account, with its reason. Bounds are only raised: what was kept under one must be readable for ever.

/// Agents with a name. An owner with more of them keeps their names elsewhere.
pub const AGENTS_MAX: usize = 200;

/// Drafts at a time: what somebody can have begun and still tell apart.
pub const DRAFTS_MAX: usize = 50;

/// An agent's name, in characters: a line.
pub const NAME_CHARS_MAX: usize = 80;

/// The label of a draft, in bytes, as for the label of a mandate.
pub const LABEL_BYTES_MAX: usize = 120;

/// The note to a draft, in bytes: a paragraph.
pub const NOTE_BYTES_MAX: usize = 500;

/// The text of a draft's mandate, in bytes: some hundred entries. The state is one row, of which a store takes 2 MB, and
/// JSON inside of JSON can be twice as long.
pub const PLAN_BYTES_MAX: usize = 16_384;
