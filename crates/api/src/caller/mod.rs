//! Who signed a request (RFC 9421 with ERC-8128, or the older headers).
//!
//! What is presented counts once its key is used; the object that keeps used keys says no with [`once_refused()`].

use eip712::Address;
use httpsig::{Judgement, Pending, Policy, Refusal, Request, Verified, verify};
use primitives::{Digest, UnixMillis};
use session::once;

use crate::binding::Once;
use crate::problem::Problem;
use crate::settings::{Environment, Settings};
use crate::vouch::{Denial, Question, Unavailable};

/// How long a caller waits whose used signatures fill its object, in seconds: they are forgotten minute by minute.
const ROOM_SECONDS: u64 = 60;

/// What a request presents by its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presented {
    /// No signature of the profile. Those of other profiles, which intermediaries add, say nothing here.
    Nothing,
    /// An account's own key signed it.
    Signed {
        /// The account.
        account: Address,
        /// What is to be used once.
        once: Once,
    },
    /// It names an account whose own key did not sign it; the account's contract may vouch for it.
    NeedsChain(Unproven),
}

/// A request that is right in everything but its signature, which is not the named account's own key's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven(Box<Pending>);

/// Who signed a request. Without a site nobody can, for no authority is ours.
///
/// # Errors
/// 401 with the first thing that is wrong with the signature.
pub fn presented(request: &Request<'_>, settings: &Settings, now: UnixMillis) -> Result<Presented, Problem> {
    let Some(site) = &settings.site else { return Ok(Presented::Nothing) };
    let domain = site.origin.domain().to_string();
    let own = domain.strip_suffix(":443").unwrap_or(&domain);
    let sent_to = request.authority.to_ascii_lowercase();
    // In development the same Worker is reached by several names of this machine.
    let is_here = settings.environment == Environment::Development && is_loopback(&sent_to);
    let authorities = [own, if is_here { &sent_to } else { own }];
    match verify(request, &Policy::new(&authorities, &site.chain_ids), now) {
        Ok(Judgement::Verified(verified)) => {
            let (account, once) = signed(&verified);
            Ok(Presented::Signed { account, once })
        }
        Ok(Judgement::NeedsChain(pending)) => Ok(Presented::NeedsChain(Unproven(Box::new(pending)))),
        Err(Refusal::Missing { header: "signature-input" } | Refusal::NoEthereumSignature) => {
            Ok(Presented::Nothing)
        }
        Err(refusal) => Err(refused(&refusal)),
    }
}

fn signed(verified: &Verified) -> (Address, Once) {
    let key = Digest::of(&[verified.once_key().as_bytes()]);
    (verified.signer, Once { key, until: verified.until })
}

fn is_loopback(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        Some(_) | None => authority,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

fn refused(refusal: &Refusal) -> Problem {
    let problem = Problem::new(401, refusal.code(), refusal.to_string());
    if refusal.may_retry() { problem.retryable() } else { problem }
}

impl Unproven {
    /// What the account's contract is to be asked, on the chain that the site serves.
    pub fn question(&self) -> Question {
        let Self(pending) = self;
        Question { account: pending.address(), digest: pending.digest, signature: pending.signature.clone() }
    }

    /// Who signed it, once the contract has said yes.
    pub fn vouched(self) -> (Address, Once) {
        signed(&self.0.vouched())
    }

    /// The refusal once the contract has said no.
    pub fn denied(self, denial: &Denial) -> Problem {
        let mut problem = refused(&self.0.denied());
        problem.detail.push_str(&format!(" {denial}"));
        problem
    }

    /// The refusal when nobody can say.
    pub fn unknown(self, why: Unavailable) -> Problem {
        why.problem()
    }
}

/// The refusal of a request that must be somebody's and is nobody's.
pub fn unknown() -> Problem {
    Problem::new(
        401,
        "missing_credentials",
        "This needs to know who asks. Sign the request (RFC 9421 with `tag=\"erc8128\"`), send the party's signature along \
         where the body takes one, or sign in where a person may do this.",
    )
}

/// The refusal by the object that keeps used keys, and after how many seconds the same request is worth another try.
pub fn once_refused(refusal: &once::Refusal) -> (Problem, Option<u64>) {
    let (status, retry_after) = match refusal {
        once::Refusal::Expired | once::Refusal::TooLong | once::Refusal::Reused => (401, None),
        once::Refusal::TooMany { .. } => (429, Some(ROOM_SECONDS)),
    };
    (Problem::new(status, refusal.code(), refusal.to_string()), retry_after)
}
