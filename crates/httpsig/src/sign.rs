//! Signing a request: the agent's half.

use data_encoding::BASE64;
use eip712::{Signer, personal_digest};
use primitives::{Millis, UnixMillis};

use crate::{
    Input, Refusal, Request,
    digest::{CONTENT_DIGEST, content_digest},
    edition::{Account, Edition},
    input::SIGNATURE_INPUT,
    limits::NONCE_CHARACTERS,
    profile::SIGNATURE,
};

/// The label of our signatures; it means nothing (ERC-8128, section 2).
const LABEL: &str = "eth";

/// What a signer says besides the request itself.
#[derive(Debug, Clone, Copy)]
pub struct Stamp<'a> {
    /// Which text of ERC-8128 the server follows; ours take both.
    pub edition: Edition,
    /// The chain on which the account is meant.
    pub chain_id: u64,
    /// Now; whole seconds are signed.
    pub created: UnixMillis,
    /// How long the signature holds. A minute is usual; verifiers allow [`crate::LIFETIME`] or less.
    pub lifetime: Millis,
    /// Fresh randomness, usually 128 bits in base64url: a verifier takes each nonce of an account once.
    pub nonce: &'a str,
    /// Headers of the request to cover besides what binds the signature to it, by their names in lower case.
    pub also_covered: &'a [&'a str],
}

/// The headers to add to a request: `content-digest` if it has a body, `signature-input` and `signature`. They replace
/// headers of these names.
///
/// # Errors
/// When the nonce is not one to 128 letters, digits, `-` and `_`, or something to be covered is absent, named twice or not
/// printable ASCII.
pub fn sign(
    request: &Request<'_>,
    stamp: &Stamp<'_>,
    signer: &Signer,
) -> Result<Vec<(&'static str, String)>, Refusal> {
    let digest = (!request.body.is_empty()).then(|| content_digest(request.body));
    let header = |name: &str| match &digest {
        Some(digest) if name == CONTENT_DIGEST => Some(digest.clone()),
        Some(_) | None => (request.header)(name),
    };
    let request = Request { header: &header, ..*request };
    let member = format!("{LABEL}={}", parameters(&request, stamp, signer)?);
    let [input] = &Input::parse(&member)?[..] else { return Err(Refusal::NoEthereumSignature) };
    let signature = signer.sign(personal_digest(&input.base(&request)?));
    let mut headers: Vec<_> = digest.iter().map(|digest| (CONTENT_DIGEST, digest.clone())).collect();
    headers.push((SIGNATURE_INPUT, member));
    headers.push((SIGNATURE, format!("{LABEL}=:{}:", BASE64.encode(&signature))));
    Ok(headers)
}

/// The covered components and the signature's parameters, in the order in which clients write them.
fn parameters(request: &Request<'_>, stamp: &Stamp<'_>, signer: &Signer) -> Result<String, Refusal> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let nonce = stamp.nonce;
    if !(1..=NONCE_CHARACTERS).contains(&nonce.len()) || !nonce.bytes().all(is_plain) {
        return Err(Refusal::Nonce);
    }
    let covered = stamp.edition.required(request, stamp.also_covered).map(|name| format!("\"{name}\""));
    let covered = covered.collect::<Vec<_>>().join(" ");
    let (created, expires) = (stamp.created.seconds(), stamp.created.plus(stamp.lifetime).seconds());
    let named = stamp.edition.named(&Account { chain_id: stamp.chain_id, address: signer.address() });
    Ok(format!("({covered});created={created};expires={expires};nonce=\"{nonce}\";{named}"))
}
