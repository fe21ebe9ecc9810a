//! Pix BR Codes, the text behind a Pix QR code and behind "copia e cola": who is paid and how much, read strictly.
//!
//! The source is the Manual do BR Code of the Banco Central do Brasil, which profiles EMV QR codes (EMVCo QRCPS, Merchant
//! Presented Mode 1.1). A code is fields of a two-digit tag, a two-digit length and a value; some values are fields again.
//!
//! ```text
//!  00 02 01 │ 26 58 ( 00 14 br.gov.bcb.pix │ 01 36 <key> ) │ 52 … │ 53 03 986 │ 54 05 19.90 │ 58 02 BR │ … │ 63 04 8677
//!  version    the payee's account             or 25 <URL>          BRL         amount                      checksum
//! ```
//!
//! A static code ([`Point::Static`]) says everything itself. A dynamic one ([`Point::Dynamic`]) names an address under
//! which the payee's bank says the rest: how much is owed, and until when. What a dynamic code says of either is void by
//! the manual, and is not told here.
//!
//! What holds, always:
//!
//! - **X1** A code is read only if its checksum is that of its text, so no single wrong character passes.
//! - **X2** A code has one reading. What could be read in two ways, such as a field that comes twice, is refused.
//! - **X3** An amount is whole cents as the code says them, never rounded, and never told of a dynamic code.
//! - **X4** No text makes reading fail otherwise than by a [`Refusal`], and reading is bounded.
//! - **X5** A refusal names the field and says nothing of its value: it may be shown and logged.
//!
//! What this crate refuses to know: what is bought, what a dynamic code's address answers, and whether a key has an owner.
//! Only a code's [`digest`] is meant to be kept.

mod code;
mod crc;
mod fields;
pub mod limits;
mod refusal;

pub use code::{BrCode, Point, digest, parse};
pub use crc::crc16;
pub use refusal::{Place, Refusal};
