//! Every number that bounds a signed request, with its reason.

use primitives::Millis;

/// The longest `Signature-Input` that is read; one signature's is about 300 bytes.
pub const INPUT_BYTES: usize = 4 * 1024;

/// The longest `Signature` that is read. An ordinary account's is 100 bytes; a contract account's wrapped signature
/// (ERC-6492) reaches a few thousand. Common servers stop at 8 KiB of headers.
pub const SIGNATURE_HEADER_BYTES: usize = 8 * 1024;

/// The longest `Content-Digest` that is read: several algorithms fit, none needs more than 150 bytes.
pub const DIGEST_HEADER_BYTES: usize = 1024;

/// How many members one dictionary header may have: the agent's own, and those that intermediaries add.
pub const MEMBERS: usize = 8;

/// How many components one signature may cover.
pub const COMPONENTS: usize = 32;

/// How many parameters one signature or component may have; six are known.
pub const PARAMETERS: usize = 8;

/// The longest nonce, in characters: whoever keeps the used ones stores it. Clients write 22 (128 bits in base64url).
pub const NONCE_CHARACTERS: usize = 128;

/// How far a client's clock may differ from ours, either way (ERC-8128, section 3.3.2).
pub const SKEW: Millis = Millis::from_seconds(30);

/// The longest time from `created` to `expires`: how long a nonce must be kept. The reference verifier allows the same.
pub const LIFETIME: Millis = Millis::from_minutes(5);

/// How far the timestamp of the older form may lie from now, either way.
pub const OLDER_WINDOW: Millis = Millis::from_minutes(5);
