//! How owners come in and leave.

use api::problem::Problem;
use api::settings::Site;
use api::sign_in::{Answered, Challenge, Judged, cookie, may_write, session_answer, session_refused};
use primitives::{Secret, SecretKind};
use session::{Command, Refusal, Session, State, limits};
use shell::{Failure, fresh_secret, now, random};

use crate::config::config;
use crate::ports::objects;
use crate::ports::vouch::vouches;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// `POST /v1/auth/nonce`.
pub async fn nonce(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let site = writable(incoming)?;
    let challenge = Challenge::from_random(random()?);
    let (secret, state) = challenged(incoming, &Command::Challenge { nonce: challenge.digest() }).await?;
    let State::Challenged(kept) = state else { return Err(contradiction("was not challenged")) };
    let answer = challenge.show(&site, kept.until);
    Ok(Outgoing::json(200, &answer)?.with("set-cookie", cookie::hand_over(&secret, limits::NONCE_LIFETIME)))
}

/// The session that took the challenge: that of the cookie, or a new one when that has had its time.
async fn challenged(incoming: &Incoming, challenge: &Command) -> Result<(Secret, State), Rejection> {
    if let Some(secret) = incoming.session() {
        match ask(incoming, &secret, challenge.clone()).await? {
            Err(Refusal::Ended(_) | Refusal::TooManyChallenges) => {}
            Err(refusal) => return Err(session_refused(refusal).into()),
            Ok(state) => return Ok((secret, state)),
        }
    }
    let secret = fresh_secret(SecretKind::Session)?;
    let state = tell(incoming, &secret, challenge.clone()).await?;
    Ok((secret, state))
}

/// `POST /v1/auth/verify`.
pub async fn verify(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let site = writable(incoming)?;
    let secret = incoming.session().ok_or_else(|| {
        let detail = "Ask for a nonce first, and send the cookie that came with it.";
        Problem::new(401, "missing_credentials", detail)
    })?;
    let answered = Answered::read(&incoming.json().await?)?;
    let nonce = answered.nonce();
    tell(incoming, &secret, Command::Present { nonce }).await?;
    let account = match answered.judge(&site, now())? {
        Judged::SignedIn(account) => account,
        Judged::NeedsChain(unproven) => {
            let vouched = vouches(&incoming.env, &incoming.correlation_id, &unproven.question()).await?;
            unproven.answered(vouched)?
        }
    };
    let fresh = fresh_secret(SecretKind::Session)?;
    let command = Command::SignIn { nonce, account, successor: fresh.digest() };
    let State::Ended { at, .. } = tell(incoming, &secret, command).await? else {
        return Err(contradiction("signed in and did not end"));
    };
    let session = Session { account, since: at, visited_at: at };
    Ok(Outgoing::json(200, &session_answer(&session))?
        .with("set-cookie", cookie::hand_over(&fresh, limits::SESSION_MAX)))
}

/// `GET /v1/auth/session`.
pub async fn session(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    site(incoming)?;
    let secret = incoming.session().ok_or_else(|| session_refused(Refusal::NotSignedIn))?;
    match tell(incoming, &secret, Command::Visit).await? {
        State::SignedIn(session) => Outgoing::json(200, &session_answer(&session)),
        State::Unused | State::Challenged(_) | State::Presented(_) | State::Ended { .. } => {
            Err(contradiction("was visited and is none"))
        }
    }
}

/// `POST /v1/auth/logout`. Who has no session has left already.
pub async fn logout(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    writable(incoming)?;
    if let Some(secret) = incoming.session() {
        tell(incoming, &secret, Command::SignOut).await?;
    }
    Ok(Outgoing::text(204, "text/plain", String::new()).with("set-cookie", cookie::forget()))
}

fn site(incoming: &Incoming) -> Result<Site, Rejection> {
    let site = config(&incoming.env)?.site.clone();
    site.ok_or_else(|| {
        Failure::Configuration("SITE_ORIGIN must be set before anyone signs in".to_owned()).into()
    })
}

/// The site, for a request that changes something and does not come from another one's page.
fn writable(incoming: &Incoming) -> Result<Site, Rejection> {
    let site = site(incoming)?;
    may_write(&site, incoming.header("origin").as_deref())?;
    Ok(site)
}

async fn ask(
    incoming: &Incoming,
    secret: &Secret,
    command: Command,
) -> Result<Result<State, Refusal>, Rejection> {
    Ok(objects::session(&incoming.env, &secret.digest(), command, &incoming.correlation_id).await?)
}

/// The same, of a session that may not refuse.
async fn tell(incoming: &Incoming, secret: &Secret, command: Command) -> Result<State, Rejection> {
    ask(incoming, secret, command).await?.map_err(|refusal| session_refused(refusal).into())
}

fn contradiction(what: &str) -> Rejection {
    Failure::Corrupt(format!("a session {what}")).into()
}
