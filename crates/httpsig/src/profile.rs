//! The Ethereum profile of HTTP message signatures (ERC-8128): bound to one request, good once.

use eip712::personal_digest;
use primitives::{Millis, UnixMillis};

use crate::{
    Edition, Form, Input, Judgement, Policy, Refusal, Request, Verified,
    digest::{CONTENT_DIGEST, check_content_digest},
    fields::{Bare, Cursor, dictionary},
    input::SIGNATURE_INPUT,
    limits::{NONCE_CHARACTERS, SIGNATURE_HEADER_BYTES},
    verified::judge,
};

pub(crate) const SIGNATURE: &str = "signature";

/// The judgement of a request's `Signature-Input` and `Signature`.
///
/// Each signature of the profile is looked at in its turn: the first that its account's key made wins, else the first
/// that a contract may vouch for; else the first one's refusal is the answer (ERC-8128, sections 3.5 and 4.2).
pub(crate) fn verify(
    request: &Request<'_>,
    policy: &Policy<'_>,
    now: UnixMillis,
) -> Result<Judgement, Refusal> {
    let header = |header| (request.header)(header).ok_or(Refusal::Missing { header });
    let (inputs, signatures) = (header(SIGNATURE_INPUT)?, header(SIGNATURE)?);
    let inputs = Input::parse(&inputs)?;
    let signatures = dictionary(SIGNATURE, &signatures, SIGNATURE_HEADER_BYTES, Cursor::bytes)?;
    let mut answer = Err(Refusal::NoEthereumSignature);
    for input in &inputs {
        let Some(edition) = Edition::of(input) else { continue };
        let signature = signatures.iter().find(|(label, _)| label == input.label());
        let judgement = match signature {
            Some((_, bytes)) => candidate(request, policy, now, &Candidate { edition, input, bytes }),
            None => Err(Refusal::NoBytes),
        };
        let is_better = match (&answer, &judgement) {
            (_, Ok(Judgement::Verified(_))) => return judgement,
            (Err(Refusal::NoEthereumSignature), _) => true,
            (Err(_), _) => judgement.is_ok(),
            (Ok(_), _) => false,
        };
        if is_better {
            answer = judgement;
        }
    }
    answer
}

/// A signature of the profile, not yet believed.
struct Candidate<'a> {
    edition: Edition,
    input: &'a Input,
    bytes: &'a [u8],
}

/// The judgement of one signature. Its checks, in their order: its parameters and account, the moments, the covered
/// components, the authority, the body's digest, and the signature itself.
fn candidate(
    request: &Request<'_>,
    policy: &Policy<'_>,
    now: UnixMillis,
    &Candidate { edition, input, bytes }: &Candidate<'_>,
) -> Result<Judgement, Refusal> {
    if input.parameter("alg").is_some() {
        return Err(Refusal::Algorithm);
    }
    let account = match input.parameter("keyid") {
        Some(Bare::Text(keyid)) => edition.account(keyid),
        Some(Bare::Integer(_) | Bare::Other) | None => None,
    };
    let account = account.ok_or(Refusal::Account)?;
    if !policy.chains.contains(&account.chain_id) {
        return Err(Refusal::Chain(account.chain_id));
    }
    let nonce = nonce(input)?;
    let (created, until) = moments(input, policy, now)?;
    if !request.body.is_empty() && (request.header)(CONTENT_DIGEST).is_none() {
        return Err(Refusal::DigestMissing);
    }
    if let Some(missing) = edition.required(request, policy.also_covered).find(|name| !input.covers(name)) {
        return Err(Refusal::NotCovered { component: missing.to_owned() });
    }
    if !policy.authorities.contains(&request.normal_authority().as_str()) {
        return Err(Refusal::Authority);
    }
    let base = input.base(request)?;
    if input.covers(CONTENT_DIGEST) {
        let stated = (request.header)(CONTENT_DIGEST).unwrap_or_default();
        check_content_digest(&stated, request.body)?;
    }
    let form = Form::Message {
        chain_id: account.chain_id,
        nonce: nonce.to_owned(),
        label: input.label().to_owned(),
        covered: input.covered().map(ToOwned::to_owned).collect(),
    };
    let claim = Verified { signer: account.address, created, until, form };
    Ok(judge(claim, personal_digest(&base), bytes.to_vec()))
}

/// The nonce. A signature without one is good more than once, and is not taken.
fn nonce(input: &Input) -> Result<&str, Refusal> {
    match input.parameter("nonce") {
        Some(Bare::Text(nonce)) if (1..=NONCE_CHARACTERS).contains(&nonce.len()) => Ok(nonce),
        Some(Bare::Text(_) | Bare::Integer(_) | Bare::Other) => Err(Refusal::Nonce),
        None => Err(Refusal::NonceMissing),
    }
}

/// When the signature was made and until when it holds, once the present lies between: `[created − skew, expires +
/// skew)`.
fn moments(input: &Input, policy: &Policy<'_>, now: UnixMillis) -> Result<(UnixMillis, UnixMillis), Refusal> {
    let moment = |name| match input.parameter(name) {
        Some(Bare::Integer(seconds)) => Ok(UnixMillis(0).plus(Millis::from_seconds(*seconds))),
        Some(Bare::Text(_) | Bare::Other) | None => Err(Refusal::Time),
    };
    let (created, expires) = (moment("created")?, moment("expires")?);
    if expires <= created {
        return Err(Refusal::Time);
    }
    if expires.since(created) > policy.lifetime {
        return Err(Refusal::TooLongLived(policy.lifetime));
    }
    if now.plus(policy.skew) < created {
        return Err(Refusal::NotYet);
    }
    let until = expires.plus(policy.skew);
    if now >= until {
        return Err(Refusal::Expired);
    }
    Ok((created, until))
}
