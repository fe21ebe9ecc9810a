//! Who sends a request: the holder of a session's cookie, or whoever signed it.

use api::binding::Caller;
use api::caller::{Presented, once_refused, presented, unknown};
use api::problem::Problem;
use api::settings::Site;
use api::sign_in::may_write;
use api::vouch::Vouched;
use eip712::Address;
use session::{Command, State};
use shell::now;

use crate::config::config;
use crate::ports::{mandates, objects, vouch};
use crate::rejection::Rejection;
use crate::request::Incoming;

/// Who sends this request. A signature that is there must hold; a cookie that has ended is none.
pub async fn caller(incoming: &Incoming) -> Result<Caller, Rejection> {
    let settings = config(&incoming.env)?;
    let body = incoming.text().await?;
    let header = |name: &str| incoming.header(name);
    let (scheme, authority) = incoming.origin.split_once("://").unwrap_or_default();
    let request = httpsig::Request {
        method: &incoming.request.method(),
        scheme,
        authority,
        path: &incoming.path,
        query: Some(&incoming.query),
        header: &header,
        body: body.as_bytes(),
    };
    match presented(&request, &settings, now())? {
        Presented::Nothing => session(incoming, settings.site.as_ref()).await,
        Presented::Signed { account, once } => Ok(Caller::Signature(account, once)),
        Presented::NeedsChain(unproven) => {
            match vouch::vouches(&incoming.env, &incoming.correlation_id, &unproven.question()).await? {
                Vouched::Yes => {
                    let (account, once) = unproven.vouched();
                    Ok(Caller::Signature(account, once))
                }
                Vouched::No(denial) => Err(unproven.denied(&denial).into()),
                Vouched::Unavailable(why) => Err(unproven.unknown(why).into()),
            }
        }
    }
}

async fn session(incoming: &Incoming, site: Option<&Site>) -> Result<Caller, Rejection> {
    let (Some(secret), Some(site)) = (incoming.session(), site) else { return Ok(Caller::Anyone) };
    let name = secret.digest();
    let visit = objects::session(&incoming.env, &name, Command::Visit, &incoming.correlation_id);
    match visit.await? {
        Ok(State::SignedIn(session)) => {
            if incoming.is_write() {
                // A browser names the origin of every write; what names none is no page of ours.
                may_write(site, Some(incoming.header("origin").as_deref().unwrap_or_default()))?;
            }
            Ok(Caller::Session(Address::from(session.account.address)))
        }
        Ok(State::Unused | State::Challenged(_) | State::Presented(_) | State::Ended { .. }) | Err(_) => {
            Ok(Caller::Anyone)
        }
    }
}

/// The account, for what is not for anyone.
pub fn known(caller: &Caller) -> Result<Address, Problem> {
    caller.account().ok_or_else(unknown)
}

/// The account, for what is for no mandate: a signature is used up here.
pub async fn known_once(incoming: &Incoming, caller: &Caller) -> Result<Address, Rejection> {
    let account = known(caller)?;
    if let Caller::Signature(_, once) = caller
        && let Err(refusal) = mandates::use_once(&incoming.env, account, once).await?
    {
        let (problem, retry_after) = once_refused(&refusal);
        let headers = retry_after.map(|seconds| ("retry-after", seconds.to_string()));
        return Err(Rejection::Problem(Box::new(problem), headers.into_iter().collect()));
    }
    Ok(account)
}
