//! One HTTP exchange.

use core::time::Duration;

use primitives::{CorrelationId, MessageId};
use reqwest::{
    Client, Method, Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};

use crate::{
    Error, Seat, Unresolved,
    answer::{Answer, Opened, silence, unreachable},
    limits::{ATTEMPTS, CONNECT_TIMEOUT, PAYMENT_ATTEMPTS, REQUEST_TIMEOUT, STREAM_SILENCE, STREAM_TIMEOUT},
    repetition::{is_open, may_pass, pause},
};

/// Under which name something is done once (draft-ietf-httpapi-idempotency-key-header).
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The board's address and the connections to it.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    http: Client,
    base: Url,
    correlation: Option<CorrelationId>,
}

/// A request that may be sent more than once: a read, or a write that its message id makes repeatable.
#[derive(Clone)]
pub(crate) struct Call {
    /// What is being done, for messages.
    pub(crate) operation: &'static str,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<String>,
}

impl Transport {
    pub(crate) fn new(base_url: &str) -> Result<Self, Error> {
        let base = parse_base(base_url)?;
        let mut http = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirect would carry grants and payments to wherever it points; the board needs none.
            .redirect(Policy::none())
            .user_agent(concat!("guildhall-client/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&base) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|why| Error::Address(chain(&why)))?;
        Ok(Self { http, base, correlation: None })
    }

    pub(crate) fn correlate(&mut self, correlation: CorrelationId) {
        self.correlation = Some(correlation);
    }

    pub(crate) fn correlation(&self) -> Option<&CorrelationId> {
        self.correlation.as_ref()
    }

    /// The address of a path of the board, which begins without a slash.
    pub(crate) fn url(&self, path: &str) -> Result<Url, Error> {
        self.base.join(path).map_err(|why| Error::Address(why.to_string()))
    }

    pub(crate) fn get(&self, operation: &'static str, path: &str) -> Result<Call, Error> {
        Ok(Call {
            operation,
            method: Method::GET,
            url: self.url(path)?,
            headers: HeaderMap::new(),
            body: None,
        })
    }

    pub(crate) fn post<T: serde::Serialize>(
        &self,
        operation: &'static str,
        path: &str,
        body: &T,
    ) -> Result<Call, Error> {
        self.with_body(operation, Method::POST, path, body)
    }

    pub(crate) fn with_body<T: serde::Serialize>(
        &self,
        operation: &'static str,
        method: Method,
        path: &str,
        body: &T,
    ) -> Result<Call, Error> {
        let body = serde_json::to_string(body).map_err(|why| Error::OutsideContract {
            operation,
            why: format!("the request has no JSON form: {why}"),
        })?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Call { operation, method, url: self.url(path)?, headers, body: Some(body) })
    }

    /// Sends a call once.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when no whole answer came back; whether the board acted is then unknown.
    pub(crate) async fn once(&self, call: &Call) -> Result<Answer, Error> {
        Answer::read_whole(call.operation, self.send(call, REQUEST_TIMEOUT).await?).await
    }

    /// Opens an answer that goes on for long; `None` when the board says that there is nothing to come.
    ///
    /// # Errors
    /// [`Error::Refused`], and as [`Transport::once`].
    pub(crate) async fn open(&self, call: &Call) -> Result<Option<Opened>, Error> {
        let silent = |_| Error::Unreachable { operation: call.operation, cause: silence() };
        let sending = tokio::time::timeout(STREAM_SILENCE, self.send(call, STREAM_TIMEOUT));
        let response = sending.await.map_err(silent)??;
        match response.status().as_u16() {
            200 => Ok(Some(Opened::new(call.operation, response))),
            204 => Ok(None),
            _ => {
                let answer = Answer::read_whole(call.operation, response).await?.accepted(call.operation)?;
                let why = format!("status {} where a stream is to begin", answer.status);
                Err(Error::OutsideContract { operation: call.operation, why })
            }
        }
    }

    async fn send(&self, call: &Call, limit: Duration) -> Result<Response, Error> {
        let mut request =
            self.http.request(call.method.clone(), call.url.clone()).headers(call.headers.clone());
        if let Some(correlation) = &self.correlation {
            request = request.header("x-correlation-id", correlation.as_str());
        }
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        request.timeout(limit).send().await.map_err(unreachable(call.operation))
    }

    /// Sends a call until it has a lasting answer, pausing between attempts. Only for calls that are safe to repeat.
    ///
    /// # Errors
    /// The last attempt's error, a refusal included.
    pub(crate) async fn patiently(&self, call: &Call) -> Result<Answer, Error> {
        self.patiently_as(call, &Nobody).await
    }

    /// The same, with a fresh proof of who asks on every attempt.
    ///
    /// # Errors
    /// As [`Transport::patiently`], and when there is no proof to be had.
    pub(crate) async fn patiently_as(&self, call: &Call, caller: &dyn Prove) -> Result<Answer, Error> {
        let mut attempt = 1;
        loop {
            match self.attempt(call, caller).await {
                Err(error) if attempt < ATTEMPTS && may_pass(&error) => {
                    tokio::time::sleep(pause(attempt, &error)).await;
                    attempt = attempt.saturating_add(1);
                }
                lasting => return lasting,
            }
        }
    }

    /// Sends a call that moves money until it is known what became of it. To repeat it must be to ask for the same
    /// thing, whose id is `id`. Says how often it was sent, too.
    ///
    /// # Errors
    /// [`Error::Unresolved`] when it is still not known at the end; [`Error::Refused`] when the answer is a lasting no.
    pub(crate) async fn until_known(
        &self,
        call: &Call,
        id: &MessageId,
        caller: &dyn Prove,
    ) -> Result<(Answer, u32), Error> {
        let mut attempts = 1;
        loop {
            let error = match self.attempt(call, caller).await {
                Ok(answer) => return Ok((answer, attempts)),
                Err(error) if is_open(&error) => error,
                Err(error) => return Err(error),
            };
            if attempts >= PAYMENT_ATTEMPTS {
                let (operation, message_id) = (call.operation, id.clone());
                let unresolved = Unresolved { operation, message_id, attempts, last: error };
                return Err(Error::Unresolved(Box::new(unresolved)));
            }
            tokio::time::sleep(pause(attempts, &error)).await;
            attempts = attempts.saturating_add(1);
        }
    }

    async fn attempt(&self, call: &Call, caller: &dyn Prove) -> Result<Answer, Error> {
        let proven = caller.prove(call)?;
        self.once(proven.as_ref().unwrap_or(call)).await?.accepted(call.operation)
    }
}

/// Who sends a call, and how it shows that it does.
pub(crate) trait Prove: Sync {
    /// The call with a proof that is good once; `None` when nothing is to be proven.
    ///
    /// # Errors
    /// When no proof can be made.
    fn prove(&self, call: &Call) -> Result<Option<Call>, Error>;
}

/// Whoever holds what the call itself carries.
pub(crate) struct Nobody;

impl Prove for Nobody {
    fn prove(&self, _: &Call) -> Result<Option<Call>, Error> {
        Ok(None)
    }
}

impl Call {
    /// Signs the call with a seat's grant.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the grant cannot be sent in headers.
    pub(crate) fn signed_by(mut self, seat: &Seat) -> Result<Self, Error> {
        for (name, value) in grant_headers(self.operation, seat)? {
            self.headers.insert(name, value);
        }
        Ok(self)
    }

    /// Names the call, so that it is done once.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when no header can carry the name.
    pub(crate) fn once_as(mut self, id: &MessageId) -> Result<Self, Error> {
        let value = HeaderValue::from_str(id.as_str()).map_err(|_| Error::OutsideContract {
            operation: self.operation,
            why: "the id holds characters that no header can carry".to_owned(),
        })?;
        self.headers.insert(HeaderName::from_static(IDEMPOTENCY_KEY), value);
        Ok(self)
    }

    /// Proves the call with a bearer secret.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when no header can carry it.
    pub(crate) fn bearing(mut self, secret: &str) -> Result<Self, Error> {
        self.headers.insert(AUTHORIZATION, bearer(self.operation, secret)?);
        Ok(self)
    }

    pub(crate) fn accepting(mut self, types: &'static str) -> Self {
        self.headers.insert(ACCEPT, HeaderValue::from_static(types));
        self
    }
}

/// The two headers that prove a party's seat.
pub(crate) fn grant_headers(
    operation: &'static str,
    seat: &Seat,
) -> Result<[(HeaderName, HeaderValue); 2], Error> {
    // An identity may hold letters beyond ASCII; a header carries them as UTF-8 bytes.
    let identity = header_value(operation, &seat.tunnel_grant.agent_identity)?;
    let bearer = bearer(operation, &seat.tunnel_grant.token)?;
    Ok([(AUTHORIZATION, bearer), (HeaderName::from_static("x-agent-identity"), identity)])
}

fn bearer(operation: &'static str, secret: &str) -> Result<HeaderValue, Error> {
    let mut bearer = header_value(operation, &format!("Bearer {secret}"))?;
    bearer.set_sensitive(true);
    Ok(bearer)
}

fn header_value(operation: &'static str, text: &str) -> Result<HeaderValue, Error> {
    HeaderValue::from_bytes(text.as_bytes()).map_err(|_| Error::OutsideContract {
        operation,
        why: "who asks is written with characters that no header can carry".to_owned(),
    })
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &dyn core::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn parse_base(text: &str) -> Result<Url, Error> {
    let mut base = Url::parse(text).map_err(|why| Error::Address(format!("{text:?}: {why}")))?;
    let refused = |why: &str| Err(Error::Address(format!("{text:?} {why}")));
    if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
        return refused("is not an http or https URL");
    }
    if base.query().is_some()
        || base.fragment().is_some()
        || !base.username().is_empty()
        || base.password().is_some()
    {
        return refused("must be plain: no user, query or fragment");
    }
    if base.scheme() == "http" && !is_loopback(&base) {
        return refused("would send grants and payments unencrypted; use https, or a board on this machine");
    }
    if !base.path().ends_with('/') {
        let path = format!("{}/", base.path());
        base.set_path(&path);
    }
    Ok(base)
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<core::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_encrypted_or_a_local_board_is_an_address() {
        for good in
            ["https://board.example", "http://127.0.0.1:8787", "http://localhost:1/x", "http://[::1]:8787/"]
        {
            assert!(parse_base(good).unwrap().path().ends_with('/'), "{good}");
        }
        for bad in [
            "",
            "board",
            "ftp://127.0.0.1",
            "http://board.example",
            "http://127.0.0.1.example",
            "https://u@board.example",
            "https://board.example/?a",
            "https://board.example/#a",
        ] {
            assert!(matches!(parse_base(bad), Err(Error::Address(_))), "{bad}");
        }
    }
}
