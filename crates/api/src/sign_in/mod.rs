//! How owners sign in (EIP-4361): what a wallet is asked to sign, and what is thought of it when it comes back.
//!
//! The order of a sign-in: the cookie names the session, the session burns the message's nonce, and only then is the
//! message judged. So a nonce is tried once, whatever is then said of the message.

pub mod cookie;
mod refusal;

pub use refusal::session_refused;

use eip712::Address;
use primitives::{Digest, UnixMillis};
use serde_json::Value;
use session::limits::NONCE_LIFETIME;
use session::{Account, Session};
use signin::{Answer, Expected, Message, Nonce, SignIn, Statement, Verdict, check};

use crate::inbound::shape;
use crate::problem::Problem;
use crate::settings::Site;
use crate::vouch::{self, Vouched};
use crate::wire;

/// What a person reads in the wallet.
const STATEMENT: &str = "Sign in to Guildhall. This moves no money and permits nobody to move any.";

/// A nonce for one visitor to sign.
pub struct Challenge(Nonce);

impl Challenge {
    /// A challenge from 16 bytes of a cryptographic random source.
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self(Nonce::from_random(bits))
    }

    /// What the visitor's session keeps of the nonce.
    pub fn digest(&self) -> Digest {
        digest(&self.0)
    }

    /// What the message must say; the nonce is good until `until`.
    pub fn show(&self, site: &Site, until: UnixMillis) -> wire::SignInChallenge {
        wire::SignInChallenge {
            nonce: self.0.to_string(),
            domain: site.origin.domain().to_string(),
            uri: format!("{}/", site.origin),
            version: "1".to_owned(),
            statement: STATEMENT.to_owned(),
            chain_ids: site.chain_ids.clone(),
            issued_at: until.minus(NONCE_LIFETIME).to_rfc3339(),
            expires_at: until.to_rfc3339(),
        }
    }
}

fn digest(nonce: &Nonce) -> Digest {
    Digest::of(&[nonce.as_str().as_bytes()])
}

/// A message that came back, not judged yet.
pub struct Answered {
    message: Message,
    signature: String,
}

impl Answered {
    /// Reads the body of a sign-in.
    ///
    /// # Errors
    /// 400: the body has another form, or its text is no message.
    pub fn read(body: &Value) -> Result<Self, Problem> {
        let wire::SignIn { message, signature } = shape(body)?;
        let message = Message::parse(&message).map_err(|fault| refusal::message_refused(&fault.into()))?;
        Ok(Self { message, signature })
    }

    /// The nonce that came back, as the session keeps it.
    pub fn nonce(&self) -> Digest {
        digest(&self.message.nonce)
    }

    /// Whose message it is, as far as its signature alone can say. Its session has found the nonce to be the one that was given out, and has burnt it.
    ///
    /// # Errors
    /// 400 or 401: the first thing that is wrong.
    pub fn judge(self, site: &Site, now: UnixMillis) -> Result<Judged, Problem> {
        let expected = Expected {
            origin: site.origin.clone(),
            chain_ids: site.chain_ids.clone(),
            statement: STATEMENT.parse::<Statement>().ok(),
            resources: Vec::new(),
            nonce: self.message.nonce.clone(),
        };
        let verdict = check(&self.message, &expected, now)
            .and_then(|checked| checked.signed_with(&self.signature))
            .map_err(|refusal| refusal::message_refused(&refusal))?;
        Ok(match verdict {
            Verdict::SignedIn(sign_in) => Judged::SignedIn(account(&sign_in)),
            Verdict::NeedsChain(question) => Judged::NeedsChain(Unproven(question)),
        })
    }
}

/// Whose message it is.
pub enum Judged {
    /// That of an account whose own key signed it.
    SignedIn(Account),
    /// Its address's own key did not sign it; a contract may vouch for it.
    NeedsChain(Unproven),
}

/// A message that is right in everything but its signature, which is not the address's own key's.
pub struct Unproven(signin::Question);

impl Unproven {
    /// What the contract is to be asked, on a chain that the site serves.
    pub fn question(&self) -> vouch::Question {
        let Self(question) = self;
        vouch::Question {
            account: question.address(),
            digest: question.digest(),
            signature: question.signature().to_vec(),
        }
    }

    /// Whose message it is, once the contract was asked.
    ///
    /// # Errors
    /// 401 when it says no; what [`vouch::Unavailable::problem`] says when nobody can say.
    pub fn answered(self, vouched: Vouched) -> Result<Account, Problem> {
        let (answer, why) = match vouched {
            Vouched::Yes => (Answer::Vouches, String::new()),
            Vouched::No(denial) => (Answer::Denies, format!(" {denial}")),
            Vouched::Unavailable(why) => return Err(refusal::unknown(why)),
        };
        let sign_in = self.0.answered(answer).map_err(|refusal| {
            let mut problem = refusal::message_refused(&refusal);
            problem.detail.push_str(&why);
            problem
        })?;
        Ok(account(&sign_in))
    }
}

fn account(sign_in: &SignIn) -> Account {
    Account { chain_id: sign_in.chain_id(), address: sign_in.address().into_array() }
}

/// A session as its holder sees it.
pub fn session_answer(session: &Session) -> wire::SessionAnswer {
    wire::SessionAnswer {
        address: Address::from(session.account.address).to_string(),
        chain_id: session.account.chain_id,
        signed_in_at: session.since.to_rfc3339(),
        expires_at: session.until().to_rfc3339(),
    }
}

/// Whether a request that changes something comes from our own pages, or from a program, which sends no `Origin`.
///
/// # Errors
/// 403 for a page of another origin.
pub fn may_write(site: &Site, origin: Option<&str>) -> Result<(), Problem> {
    if origin.is_none_or(|origin| origin == site.origin.as_str()) {
        Ok(())
    } else {
        Err(refusal::foreign(site))
    }
}

#[cfg(test)]
mod tests {
    use eip712::{Signer, personal_digest};
    use serde_json::json;

    use super::*;
    use crate::vouch::{Denial, Unavailable};

    const ISSUED: UnixMillis = UnixMillis(1_760_000_000_000);

    fn site() -> Site {
        Site { origin: "https://guildhall.example".parse().unwrap(), chain_ids: vec![84_532] }
    }

    /// The body of a sign-in by `signer` with the message that was asked for, as if its address were `address`.
    fn body(signer: &Signer, address: Address) -> Value {
        let asked = Challenge::from_random([7; 16]).show(&site(), ISSUED.plus(NONCE_LIFETIME));
        let wire::SignInChallenge { domain, statement, uri, version, nonce, issued_at, .. } = asked;
        let message = format!(
            "{domain} wants you to sign in with your Ethereum account:\n{address}\n\n{statement}\n\nURI: {uri}\n\
             Version: {version}\nChain ID: 84532\nNonce: {nonce}\nIssued At: {issued_at}"
        );
        let signature = hex(&signer.sign(personal_digest(&message)));
        json!({ "message": message, "signature": signature })
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
    }

    #[test]
    fn the_message_that_was_asked_for_signs_its_signer_in() {
        let signer = Signer::from_bytes(&[1; 32]).unwrap();
        let answered = Answered::read(&body(&signer, signer.address())).unwrap();
        assert_eq!(answered.nonce(), Challenge::from_random([7; 16]).digest());
        let Judged::SignedIn(account) = answered.judge(&site(), ISSUED).unwrap() else {
            panic!("asks a chain")
        };
        assert_eq!((account.chain_id, account.address), (84_532, signer.address().into_array()));
        let session = session_answer(&Session { account, since: ISSUED, visited_at: ISSUED });
        assert_eq!(session.address, signer.address().to_string());
        assert_eq!(session.signed_in_at, "2025-10-09T08:53:20.000Z");
        assert_eq!(session.expires_at, "2025-10-09T09:53:20.000Z");
    }

    #[test]
    fn no_other_signer_and_no_other_time_will_do() {
        let [signer, other] = [1, 2].map(|key| Signer::from_bytes(&[key; 32]).unwrap());
        let judged = |body: &Value, now| Answered::read(body).unwrap().judge(&site(), now);
        let theirs = body(&other, signer.address());
        assert!(matches!(judged(&theirs, ISSUED), Ok(Judged::NeedsChain(_))));
        let late = ISSUED.plus(primitives::Millis(300_001));
        for body in [theirs, body(&signer, signer.address())] {
            let Err(problem) = judged(&body, late) else { panic!("not refused") };
            assert_eq!((problem.status, problem.code.as_str()), (401, "issued_long_ago"));
        }
    }

    #[test]
    fn for_a_contract_only_its_own_yes_will_do() {
        let [signer, contract] = [1, 2].map(|key| Signer::from_bytes(&[key; 32]).unwrap());
        let asked = |vouched| {
            let body = body(&signer, contract.address());
            let Ok(Judged::NeedsChain(unproven)) = Answered::read(&body).unwrap().judge(&site(), ISSUED)
            else {
                panic!("asks no chain")
            };
            let question = unproven.question();
            assert_eq!(question.account, contract.address());
            let message = body["message"].as_str().unwrap();
            assert_eq!(question.digest, personal_digest(message));
            assert_eq!(hex(&question.signature), body["signature"]);
            unproven.answered(vouched)
        };
        let account = asked(Vouched::Yes).unwrap();
        assert_eq!((account.chain_id, account.address), (84_532, contract.address().into_array()));
        let refused = |vouched| {
            let problem = asked(vouched).unwrap_err();
            assert!(!problem.retryable, "the nonce is used");
            (problem.status, problem.code)
        };
        for denial in [Denial::NoCode, Denial::Denied, Denial::Reverted, Denial::TooLong] {
            assert_eq!(refused(Vouched::No(denial)), (401, "signature_of_other_signer".to_owned()));
        }
        for (why, status, code) in [
            (Unavailable::NoChain, 401, "signature_unproven"),
            (Unavailable::Elsewhere, 401, "signature_unproven"),
            (Unavailable::Silent, 503, "chain_unavailable"),
        ] {
            assert_eq!(refused(Vouched::Unavailable(why)), (status, code.to_owned()));
        }
    }

    #[test]
    fn only_our_own_pages_write() {
        assert!(may_write(&site(), None).is_ok());
        assert!(may_write(&site(), Some("https://guildhall.example")).is_ok());
        for origin in
            ["", "null", "https://guildhall.example/", "http://guildhall.example", "https://evil.example"]
        {
            let problem = may_write(&site(), Some(origin)).unwrap_err();
            assert_eq!((problem.status, problem.code.as_str()), (403, "origin_not_allowed"), "{origin}");
        }
    }
}
